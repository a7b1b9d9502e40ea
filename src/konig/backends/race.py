"""The host as a rival of the device: both solve the same matching, and the first answer counts.

A search by levels needs a superstep for each, and some graphs have so many levels that one core is done
sooner. Which these are shows only when it is too late, and the host would have nothing to do but wait.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from konig import _native
from konig.backends import cpu, cuda, staging
from konig.device_graph import DeviceAdjacency, DeviceGraph
from konig.graph import Adjacency, BipartiteGraph
from konig.progress import Report


class HostRival:
    """Solves on the host what was given to a device: the graph, and the matching to start from if any."""

    def __init__(self, cupy: Any, graph: DeviceGraph, given: Any, report: Report | None):
        self.cupy, self.graph, self.given, self.report = cupy, graph, given, report
        self.answer: tuple[str, dict[str, Any], np.ndarray, np.ndarray] | None = None
        self.stream = cuda.stream_beside(cupy)
        self.written = cupy.cuda.get_current_stream().record()  # the caller may still be at it until then
        self.copy: BipartiteGraph | None = None

    def begin_copy(self) -> BipartiteGraph:
        """Has the graph on its way here while the device is made ready."""
        if self.copy is None:
            self.stream.wait_event(self.written)
            self.copy = self._copied()
        return self.copy

    def solve(self, threads: int | None, won: np.ndarray) -> bool:
        """Whether this was faster than a device that sets ``won`` to one when it has solved it.

        It gives up for want of memory.
        """
        try:
            graph = self.begin_copy()
            self.stream.synchronize()
            sides = (graph.rows,), (graph.cols,)
            rows, cols = (staging.host_array(side, graph.id_dtype, -1) for side in sides)
            if self.given:
                rows[...], cols[...] = self.given
            ran, stats = cpu.run_auto(graph, rows, cols, self.report, threads, won)
        except (_native.OvertakenError, MemoryError):
            return False
        stats["size"] = int(np.count_nonzero(rows >= 0))
        self.answer = ran, stats, rows, cols
        return True

    def close(self) -> None:
        """Nothing is on its way here any more, and the memory for it may be used by others."""
        self.stream.synchronize()

    def _copied(self) -> BipartiteGraph:
        """The orientation that is there, of which parts may still be on their way."""
        graph, held = self.graph, self.graph.held_on_host
        if held is not None:
            return held
        of_row, of_col = (self._lists(part) for part in graph.on_device)
        return BipartiteGraph(graph.rows, graph.cols, of_row, of_col, cpu.available_cores())

    def _lists(self, lists: DeviceAdjacency | None) -> Adjacency | None:
        if lists is None:
            return None
        arrays = (staging.to_host(self.cupy, part, self.stream) for part in (lists.start, lists.neighbour))
        return Adjacency(*arrays)
