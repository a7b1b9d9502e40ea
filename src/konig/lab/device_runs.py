"""Timed runs on a device, as the GPU papers time them.

"search" is milliseconds of the solve alone, by the device's own clock where there is one: the graph is on the
device, the start of the method's own is made (that of ``ms-bfs`` is part of its solve), and the answer stays
there. "call" is the whole public call.
"""

from __future__ import annotations

import signal
import statistics
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np
import scipy.sparse as sp

import konig


def on_device(A: sp.csr_array, device: str) -> Any:
    """The matrix by columns, on the GPU unless the CPU is asked for."""
    by_columns = sp.csc_array(A)
    if device == "cpu":
        return by_columns
    import cupy
    import cupyx.scipy.sparse

    arrays = (by_columns.data.astype(np.float32), by_columns.indices, by_columns.indptr)
    return cupyx.scipy.sparse.csc_matrix(tuple(cupy.asarray(array) for array in arrays), shape=A.shape)


def timed(A: Any, options: Mapping[str, Any]) -> tuple[konig.Matching, float]:
    """The answer, which is on the device when the call returns, and the seconds of the call."""
    began = perf_counter()
    answer = konig.maximum_matching(A, **options)
    return answer, perf_counter() - began


class OutOfTimeError(Exception):
    """A solve was stopped by `time_limit`."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raises `OutOfTimeError` in the block once its time is up; in the main thread only.

    It comes as a signal, which a solve answers as it answers Ctrl-C. A timer that was running goes on after.
    """

    def stop(*_: Any) -> None:
        raise OutOfTimeError

    handler = signal.signal(signal.SIGALRM, stop)
    began = perf_counter()
    before, _ = signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-3))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if before:
            signal.setitimer(signal.ITIMER_REAL, max(before - (perf_counter() - began), 1e-3))


@dataclass
class Measured:
    """Repeated runs of one method on one matrix; times in milliseconds.

    ``status`` is "" if all is well, "cut" if not even one run ended in time, otherwise what went wrong. One
    that was cut took longer than ``limit``.
    ``answer`` is that of the first run, for whoever proves it.
    """

    search: list[float] = field(default_factory=list)
    call: list[float] = field(default_factory=list)
    size: int | None = None
    start_size: int | None = None
    levels: list[int] = field(default_factory=list)
    status: str = ""
    limit: float = 0.0
    answer: konig.Matching | None = field(default=None, repr=False)

    @property
    def search_ms(self) -> float | None:
        return statistics.median(self.search) if self.search else None

    @property
    def call_ms(self) -> float | None:
        return statistics.median(self.call) if self.call else None

    @property
    def deviation(self) -> float | None:
        """The standard deviation of the searches over their mean; None for fewer than three."""
        if len(self.search) < 3:
            return None
        return statistics.stdev(self.search) / statistics.fmean(self.search)

    def as_json(self) -> dict[str, Any]:
        """The figures, without the answer."""
        return {name: value for name, value in vars(self).items() if name != "answer"}


def search_seconds(stats: Mapping[str, Any]) -> float:
    """How long the solve alone took: the launches of a GPU, or the solver on a CPU."""
    seconds = stats["seconds"]
    return float(seconds.get("kernel", seconds["main"]))


def measure(A: Any, options: Mapping[str, Any], repeats: int, limit: float) -> Measured:
    """Run once to compile and to see the answer, then up to ``repeats`` times, within ``limit`` seconds.

    Compiling is not counted, neither as time spent nor as part of the first run, which stands where no repeat
    fits.
    """
    measured = Measured(limit=1000 * limit)
    ends = perf_counter() + limit
    try:
        for attempt in range(repeats + 1):
            left = ends - perf_counter()
            if attempt and left <= measured.call[-1] / 1000:
                break
            with time_limit(left):
                answer, seconds = timed(A, options)
            if attempt == 0:
                _describe(measured, answer)
                compiling = answer.stats["seconds"].get("compile", 0.0)
                seconds, ends = seconds - compiling, ends + compiling
            elif attempt == 1:
                measured.search, measured.call = [], []
            measured.search.append(1000 * search_seconds(answer.stats))
            measured.call.append(1000 * seconds)
    except OutOfTimeError:
        measured.status = "" if measured.search else "cut"
    except Exception as problem:  # one method that fails does not end the study
        measured.status = f"{type(problem).__name__}: {problem}"
    return measured


def _describe(measured: Measured, answer: konig.Matching) -> None:
    measured.answer, measured.size = answer, answer.size
    measured.start_size = answer.stats.get("start_size")
    measured.levels = [int(levels) for levels in answer.stats.get("bfs_levels", ())]
