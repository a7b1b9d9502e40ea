"""The host as a rival of the device: both solve the same matching, and the first answer counts.

A search by levels needs a superstep for each, and some graphs have so many levels that one core is done
sooner. Which these are shows only when it is too late, and the host would have nothing to do but wait.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from konig import _native
from konig.backends import cpu, staging
from konig.device_graph import DeviceAdjacency, DeviceGraph
from konig.graph import Adjacency, BipartiteGraph
from konig.progress import Report


class HostRival:
    """Solves on the host once it is called, with what was given to the device.

    The matching to start from, if there is one, is ``given``. Its graph begins to be copied at once when it
    is small, so that the device can be made ready in the meantime.
    """

    def __init__(
        self,
        cupy: Any,
        graph: DeviceGraph,
        given: Any,
        report: Report | None,
        threads: int | None,
        at_once: bool,
    ):
        self.cupy, self.graph, self.report, self.threads = cupy, graph, report, threads
        self.answer: tuple[str, dict[str, Any], np.ndarray, np.ndarray] | None = None
        ids = graph.id_dtype
        self.mates: tuple[np.ndarray, np.ndarray] = given or (
            np.full(graph.rows, -1, ids),
            np.full(graph.cols, -1, ids),
        )
        self.stream = cupy.cuda.Stream(non_blocking=True)
        self.stream.wait_event(cupy.cuda.get_current_stream().record())  # the caller may still be writing
        self.copy = self._copied() if at_once else None

    def __call__(self, won: np.ndarray) -> bool:
        """Whether this was faster than a device that sets ``won`` to one when it has solved it."""
        copy = self.copy or self._copied()
        self.stream.synchronize()
        try:
            ran, stats = cpu.run_auto(copy, *self.mates, self.report, self.threads, won)
        except _native.OvertakenError:
            return False
        self.answer = ran, stats, *self.mates
        return True

    def _copied(self) -> BipartiteGraph:
        """The orientation that is there, of which parts may still be on their way."""
        graph, held = self.graph, self.graph.held_on_host
        if held is not None:
            return held
        of_row, of_col = (self._lists(part) for part in graph.on_device)
        return BipartiteGraph(graph.rows, graph.cols, of_row, of_col, self.threads or cpu.available_cores())

    def _lists(self, lists: DeviceAdjacency | None) -> Adjacency | None:
        if lists is None:
            return None
        arrays = (staging.to_host(self.cupy, part, self.stream) for part in (lists.start, lists.neighbour))
        return Adjacency(*arrays)
