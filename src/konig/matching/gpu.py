"""Brings a matrix to a GPU, if it is not there, and runs a method on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import Any

from konig.gpu import staging
from konig.gpu.device import Gpu
from konig.gpu.program import DeviceSolve
from konig.interop.index_matrices import ArrayMatrix, take_apart
from konig.machine import on_gpu
from konig.matching import programs
from konig.matching.auto import NEXT_METHOD, most_steps
from konig.matching.device_graph import (
    SORTING_BYTES,
    DeviceAdjacency,
    DeviceArrays,
    lists_bytes,
    workspace_bytes,
)
from konig.matching.inputs import BipartiteGraph, Partial, as_graph, count_matched, from_arrays
from konig.matching.methods import STARTS
from konig.progress import Report
from konig.registry import Method, find


class MatchingGpu(Gpu):
    """A GPU to find matchings on; as a context it is the current device, with the caller's stream."""

    def graph(
        self, A: Any, shape: tuple[int, int] | None, drop_zeros: bool, seconds: dict[str, float]
    ) -> BipartiteGraph:
        """The graph of whatever the caller calls a matrix, on this device."""
        if self.place.gpu is None:
            return self._shipped(as_graph(A, shape=shape, drop_zeros=drop_zeros), seconds)
        with self.place.entered():
            matrix = take_apart(A, self.place, shape)
        if self.place.gpu != self.number:
            matrix = self._moved(matrix, drop_zeros)
        made_by = DeviceArrays(self.cupy, self.require_memory, partial(end_if_sound, self.cupy))
        return from_arrays(matrix, drop_zeros, "A", made_by)

    def _moved(self, matrix: ArrayMatrix, drop_zeros: bool) -> ArrayMatrix:
        """The arrays of another device, copied to this one."""
        dropped = None
        if drop_zeros and matrix.zeros is not None:
            with self.place.entered():
                there = matrix.zeros()
            dropped = there.copy()  # CuPy's copy goes to the current device
        zeros = None if dropped is None else lambda: dropped
        return replace(matrix, first=matrix.first.copy(), second=matrix.second.copy(), zeros=zeros)

    def _shipped(self, graph: BipartiteGraph, seconds: dict[str, float]) -> BipartiteGraph:
        """A graph of the host in the orientation that is there; the device makes the other where needed."""
        began = perf_counter()
        lists = graph.of_col if graph.has_cols else graph.of_row
        widths = lists.neighbour.itemsize, lists.start.itemsize
        needed = lists_bytes(lists.vertices, graph.nonzeros, *widths)
        needed += workspace_bytes(graph.rows, graph.cols, graph.nonzeros, widths[0])
        self.require_memory(needed, graph.rows, graph.cols, graph.nonzeros)
        start, neighbour = (staging.to_device(self.cupy, array) for array in (lists.start, lists.neighbour))
        there = DeviceAdjacency(start, neighbour, self.cupy)
        seconds["graph_to_device"] = perf_counter() - began
        of_row, of_col = (None, there) if graph.has_cols else (there, None)
        return BipartiteGraph(graph.rows, graph.cols, of_row, of_col, host=graph)

    def run_matching(
        self,
        method: Method,
        partial: Partial,
        settings: Mapping[str, Any],
        report: Report | None,
        either_side: bool = False,
    ) -> dict[str, Any]:
        """Improve the matching on the device until it is maximum; return what was counted and timed.

        With ``either_side`` the search may start from the rows, which saves making the lists of the columns.
        ``stats["verdict"]`` is "maximum", or "narrow" where a method was told to give such graphs up: the
        arrays then hold a search that was cut.
        """
        seconds: dict[str, float] = {}
        machine = on_gpu(self.cupy, settings, seconds)
        if either_side and not partial.graph.has_cols:
            partial = partial.transposed()
        graph = partial.graph
        start = STARTS[str(settings.get("init", "none"))]
        began = perf_counter()
        reads = {*method.reads, "cols"} if start.on_team else set(method.reads)
        self._require_for_solve(reads, set(start.reads), graph)
        graph.orient(reads)  # a start that reads rows makes their lists for itself if need be
        self.cupy.cuda.get_current_stream().synchronize()
        seconds["transpose"] = perf_counter() - began
        began = perf_counter()
        stats: dict[str, Any] = {}
        if start.on_team:
            stats |= self._start(start.on_team, partial)
            stats["start_size"] = count_matched(partial.col_of_row)
        seconds["start"] = perf_counter() - began
        stats["seconds"] = seconds
        if method.solver == "flow_on_team":
            from konig.matching import by_flow  # with the room of flow, which few calls need

            counted = by_flow.improve(machine, method, partial, settings, report)
            seconds |= counted.pop("seconds")
            return stats | {"verdict": "maximum"} | counted
        task = programs.task(method.solver, partial, {**method.variant, **settings})
        solve = DeviceSolve(self.cupy, task, seconds, timed=True)
        began = perf_counter()
        outcome = solve.run(task, report).require_no("stalled")
        seconds["main"] = perf_counter() - began
        seconds["kernel"] = solve.kernel_seconds
        stats |= outcome.counted | machine.facts | {"verdict": outcome.status}
        if "matched" in outcome.words:
            stats["size"] = outcome.words["matched"]
        return stats

    def _start(self, solver: str, partial: Partial) -> dict[str, Any]:
        """Extend the matching until it is maximal; return what was counted."""
        given: dict[str, Any] = {}
        if solver == "matching/karp_sipser" and not partial.graph.has_rows:
            given["of_rows"] = row_lists(self.cupy, partial.graph)
        task = programs.task(solver, partial, given)
        return DeviceSolve(self.cupy, task, {}).run(task, None).statistics

    def run_auto(
        self,
        method: Method,
        partial: Partial,
        report: Report | None,
        warm: bool,
    ) -> tuple[str, dict[str, Any]]:
        """The method on the device; push-relabel if the graph turns out to be long and narrow.

        Searches by levels need a superstep for each, and most graphs that have very many show it in the first
        phase. Pushes are local, and suit many of these graphs. They start from what was given: the caller's
        matching if there is one (``warm``). They read the lists of both sides; where there is no memory for
        that the search goes on to its end.
        """
        graph, *mates = partial
        given = [mate.copy() for mate in mates] if warm else [-1, -1]

        def solved(tried: Method, either_side: bool, **settings: Any) -> tuple[str, dict[str, Any]]:
            settings = {**tried.settings({}), **settings}
            return tried.name, self.run_matching(tried, partial, settings, report, either_side)

        def start_again() -> None:
            for mate, before in zip(mates, given, strict=True):
                mate[...] = before

        ran, stats = solved(method, True, most_steps=most_steps(graph.rows, graph.cols))
        if stats["verdict"] != "narrow":
            return ran, stats
        given_up = stats["seconds"]["kernel"]
        start_again()
        try:
            ran, stats = solved(find(NEXT_METHOD, "matching"), False, counters=False)
        except MemoryError:
            start_again()
            ran, stats = solved(method, True)
        stats["seconds"]["given_up"] = given_up
        return ran, stats

    def _require_for_solve(self, reads: set[str], start_reads: set[str], graph: BipartiteGraph) -> None:
        widths = graph.id_dtype.itemsize, graph.offset_dtype.itemsize
        needed = workspace_bytes(graph.rows, graph.cols, graph.nonzeros, widths[0])
        for side, there, extent in (
            ("rows", graph.has_rows, graph.rows),
            ("cols", graph.has_cols, graph.cols),
        ):
            if side in reads | start_reads and not there:
                needed += lists_bytes(extent, graph.nonzeros, *widths)
                needed += SORTING_BYTES * graph.nonzeros if side in reads else 0
        self.require_memory(needed, graph.rows, graph.cols, graph.nonzeros)


def row_lists(cupy: Any, graph: BipartiteGraph) -> dict[str, Any]:
    """Start and neighbours of the rows; a list is in no particular order."""
    row_start = cupy.empty(graph.rows + 1, graph.offset_dtype)
    row_cols = cupy.empty(graph.nonzeros, graph.id_dtype)
    task = programs.transpose(graph, row_start, row_cols)
    DeviceSolve(cupy, task, {}).run(task, None)
    return {"row_start": row_start, "row_cols": row_cols}


def end_if_sound(cupy: Any, start: Any, neighbour: Any, minor: int) -> int | None:
    """Where compressed lists end if every value of them is sound, or None."""
    task = programs.check_lists(start, neighbour, minor)
    outcome = DeviceSolve(cupy, task, {}).run(task, None)
    return outcome.words["end"] if outcome.status == "sound" else None
