"""The state of a program on a GPU, and the launches that bring the program to its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from konig.gpu.programs import RUNNING, SERIES


class DeviceState:
    """What a program keeps on the current device from one launch to the next: its struct State.

    Its words have ``names``; those in ``unknown`` begin with -1, all others with 0. Behind them are rows of
    ``width`` numbers that it leaves for the host, as many as its word ``used`` says.
    """

    def __init__(
        self,
        cupy: Any,
        names: Sequence[str],
        width: int = 0,
        used: str = "series_used",
        unknown: Sequence[str] = (),
    ):
        self.cupy, self.names, self.width = cupy, names, width
        self.used = names.index(used) if width else -1
        self.series: list[int] = []
        host = np.zeros(len(names) + width * SERIES, np.int64)
        host[[names.index(name) for name in unknown]] = -1
        self.array = cupy.asarray(host) if unknown else cupy.zeros(len(host), np.int64)

    def run(
        self,
        launch: Callable[[], Any],
        between: Callable[[dict[str, int]], Any] | None = None,
    ) -> dict[str, int]:
        """Launch until the program has ended; its words then.

        ``between`` is called with them after each launch, and the series is gathered in ``series``. A program
        that waits for something goes on if ``between`` calls ``resume``.
        """
        while True:
            launch()
            host = self.array.get()  # waits for the launch
            words = dict(zip(self.names, host.tolist(), strict=False))
            rows = int(host[self.used]) if self.width else 0
            self.series += host[len(self.names) :][: self.width * rows].tolist()
            if between is not None:
                between(words)
            if words["status"] != RUNNING:
                return words
            if rows:
                self._set(self.used, 0)

    def resume(self, words: dict[str, int]) -> None:
        """Let a program go on that had stopped for want of something."""
        words["status"] = RUNNING
        self._set(self.names.index("status"), RUNNING)

    def _set(self, word: int, value: int) -> None:
        self.array[word : word + 1].set(np.full(1, value, np.int64))
