"""The parallel programs for matchings: what each works on, on the host or on a GPU.

A graph's arrays are NumPy's or CuPy's, wherever it is solved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from konig import _native, programs
from konig.matching.inputs import BipartiteGraph, Partial, count_matched
from konig.programs import Task

CT_WORKERS = 1 << 16  # CT: 256 blocks of 256 threads


def task(solver: str, partial: Partial, knobs: Mapping[str, Any]) -> Task:
    """The program of a solver, to improve this matching."""
    return PROGRAMS[solver](partial, knobs)


def _find(name: str, graph: BipartiteGraph, *flags: Any) -> _native.Program:
    return _found(name, graph.id_dtype, graph.offset_dtype, tuple(map(bool, flags)))


@cache  # NumPy takes microseconds to name a type
def _found(name: str, ids: Any, offsets: Any, flags: tuple[bool, ...]) -> _native.Program:
    return programs.find(name, (str(ids), str(offsets)), flags)


def _task(
    program: _native.Program,
    partial: Partial,
    workers: int,
    numbers: Mapping[str, int | float] | None = None,
    of_rows: Mapping[str, Any] | None = None,
) -> Task:
    """A task on the lists of the columns, and on those of the rows if they are given."""
    graph, col_of_row, row_of_col = partial
    sizes = {"rows": graph.rows, "cols": graph.cols, **(numbers or {})}
    mates = {"col_of_row": col_of_row, "row_of_col": row_of_col}
    return Task(program, sizes, {**_of_cols(graph), **mates, **(of_rows or {})}, workers)


def _of_cols(graph: BipartiteGraph) -> dict[str, Any]:
    return {"col_start": graph.of_col.start, "col_rows": graph.of_col.neighbour}


def _of_rows(graph: BipartiteGraph) -> dict[str, Any]:
    return {"row_start": graph.of_row.start, "row_cols": graph.of_row.neighbour}


def _ms_bfs(partial: Partial, knobs: Mapping[str, Any]) -> Task:
    graph = partial.graph
    numbers = {"entries": graph.nonzeros, "most_steps": knobs["most_steps"]}
    return _task(_find("matching/ms_bfs", graph, knobs["counters"]), partial, 8 * graph.cols, numbers)


def _augmenting_paths(partial: Partial, knobs: Mapping[str, Any]) -> Task:
    flags = knobs["shortest_only"], knobs["with_roots"], knobs["counters"]
    workers = CT_WORKERS if knobs["width"] == "ct" else partial.graph.cols
    return _task(_find("papers/augmenting_paths", partial.graph, *flags), partial, workers)


def _g_pr(partial: Partial, knobs: Mapping[str, Any]) -> Task:
    program = _find("papers/g_pr", partial.graph, knobs["lists"], knobs["counters"])
    numbers: dict[str, int | float] = {name: int(knobs[name]) for name in ("shrink", "gap", "concurrent")}
    numbers |= {"adaptive": int(knobs["relabel"] == "adaptive"), "k": float(knobs["k"])}
    unmatched = partial.graph.cols - count_matched(partial.row_of_col)
    numbers["capacity"] = unmatched if knobs["lists"] else 0
    return _task(program, partial, CT_WORKERS, numbers, _of_rows(partial.graph))


def _greedy(partial: Partial, knobs: Mapping[str, Any]) -> Task:
    return _task(_find("matching/greedy", partial.graph), partial, partial.graph.cols)


def _karp_sipser(partial: Partial, knobs: Mapping[str, Any]) -> Task:
    """The lists of the rows are in any order: on a GPU they need not be those of the graph."""
    graph = partial.graph
    of_rows = knobs["of_rows"] if "of_rows" in knobs else _of_rows(graph)
    program = _find("matching/karp_sipser", graph)
    return _task(program, partial, graph.rows + graph.cols, {"entries": graph.nonzeros}, of_rows)


def transpose(graph: BipartiteGraph, row_start: Any, row_cols: Any) -> Task:
    """Fills the lists of the rows, each in no particular order."""
    return Task(
        _find("matching/transpose", graph),
        {"rows": graph.rows, "cols": graph.cols},
        {**_of_cols(graph), "row_start": row_start, "row_cols": row_cols},
        workers=max(graph.rows, graph.nonzeros),
    )


def check_lists(start: Any, neighbour: Any, bound: int) -> Task:
    """Whether compressed lists are sound, and where they end."""
    lists, entries = len(start) - 1, len(neighbour)
    return Task(
        _found("matching/check_lists", neighbour.dtype, start.dtype, ()),
        {"lists": lists, "entries": entries, "bound": bound},
        {"start": start, "neighbour": neighbour},
        workers=max(lists, entries),
    )


PROGRAMS: dict[str, Callable[[Partial, Mapping[str, Any]], Task]] = {
    "matching/ms_bfs": _ms_bfs,
    "papers/augmenting_paths": _augmenting_paths,
    "papers/g_pr": _g_pr,
    "matching/greedy": _greedy,
    "matching/karp_sipser": _karp_sipser,
}
