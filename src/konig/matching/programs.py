"""The parallel programs for matchings: what each works on, on the host or on a GPU.

A graph's arrays are NumPy's or CuPy's, wherever it is solved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from konig import _native, programs
from konig.matching.inputs import BipartiteGraph, Partial
from konig.programs import Task

CT_WORKERS = 1 << 16  # CT: 256 blocks of 256 threads


def task(solver: str, partial: Partial, knobs: Mapping[str, Any]) -> Task:
    """The program of a solver, to improve this matching."""
    graph, col_of_row, row_of_col = partial
    return PROGRAMS[solver](graph, {"col_of_row": col_of_row, "row_of_col": row_of_col}, knobs)


@cache
def _program(name: str, ids: np.dtype, offsets: np.dtype, flags: tuple[bool, ...]) -> _native.Program:
    return programs.find(name, (str(ids), str(offsets)), tuple(map(bool, flags)))


def _find(name: str, graph: BipartiteGraph, *flags: Any) -> _native.Program:
    return _program(name, graph.id_dtype, graph.offset_dtype, flags)


def _of_cols(graph: BipartiteGraph) -> dict[str, Any]:
    return {"col_start": graph.of_col.start, "col_rows": graph.of_col.neighbour}


def _of_rows(graph: BipartiteGraph) -> dict[str, Any]:
    return {"row_start": graph.of_row.start, "row_cols": graph.of_row.neighbour}


def _shape(graph: BipartiteGraph) -> dict[str, int | float]:
    return {"rows": graph.rows, "cols": graph.cols}


def _ms_bfs(graph: BipartiteGraph, mates: dict[str, Any], knobs: Mapping[str, Any]) -> Task:
    return Task(
        _find("matching/ms_bfs", graph, knobs["counters"]),
        {**_shape(graph), "entries": graph.nonzeros, "most_steps": knobs["most_steps"]},
        {**_of_cols(graph), **mates},
        workers=8 * graph.cols,
    )


def _augmenting_paths(graph: BipartiteGraph, mates: dict[str, Any], knobs: Mapping[str, Any]) -> Task:
    flags = knobs["shortest_only"], knobs["with_roots"], knobs["counters"]
    return Task(
        _find("papers/augmenting_paths", graph, *flags),
        _shape(graph),
        {**_of_cols(graph), **mates},
        workers=CT_WORKERS if knobs["width"] == "ct" else graph.cols,
    )


def _g_pr(graph: BipartiteGraph, mates: dict[str, Any], knobs: Mapping[str, Any]) -> Task:
    rules: dict[str, int | float] = {name: int(knobs[name]) for name in ("shrink", "gap", "concurrent")}
    rules |= {"adaptive": int(knobs["relabel"] == "adaptive"), "k": float(knobs["k"])}
    capacity = int((mates["row_of_col"] < 0).sum()) if knobs["lists"] else 0
    return Task(
        _find("papers/g_pr", graph, knobs["lists"], knobs["counters"]),
        {**_shape(graph), **rules, "capacity": capacity},
        {**_of_rows(graph), **_of_cols(graph), **mates},
        workers=CT_WORKERS,
    )


def _greedy(graph: BipartiteGraph, mates: dict[str, Any], knobs: Mapping[str, Any]) -> Task:
    given = {**_of_cols(graph), **mates}
    return Task(_find("matching/greedy", graph), {"cols": graph.cols}, given, workers=graph.cols)


def _karp_sipser(graph: BipartiteGraph, mates: dict[str, Any], knobs: Mapping[str, Any]) -> Task:
    """The lists of the rows are in any order: on a GPU they need not be those of the graph."""
    of_rows = knobs["of_rows"] if "of_rows" in knobs else _of_rows(graph)
    return Task(
        _find("matching/karp_sipser", graph),
        {**_shape(graph), "entries": graph.nonzeros},
        {**of_rows, **_of_cols(graph), **mates},
        workers=graph.rows + graph.cols,
    )


def transpose(graph: BipartiteGraph, row_start: Any, row_cols: Any) -> Task:
    """Fills the lists of the rows, each in no particular order."""
    return Task(
        _find("matching/transpose", graph),
        _shape(graph),
        {**_of_cols(graph), "row_start": row_start, "row_cols": row_cols},
        workers=max(graph.rows, graph.nonzeros),
    )


def check_lists(start: Any, neighbour: Any, bound: int) -> Task:
    """Whether compressed lists are sound, and where they end."""
    lists, entries = len(start) - 1, len(neighbour)
    return Task(
        _program("matching/check_lists", neighbour.dtype, start.dtype, ()),
        {"lists": lists, "entries": entries, "bound": bound},
        {"start": start, "neighbour": neighbour},
        workers=max(lists, entries),
    )


PROGRAMS: dict[str, Callable[[BipartiteGraph, dict[str, Any], Mapping[str, Any]], Task]] = {
    "matching/ms_bfs": _ms_bfs,
    "papers/augmenting_paths": _augmenting_paths,
    "papers/g_pr": _g_pr,
    "matching/greedy": _greedy,
    "matching/karp_sipser": _karp_sipser,
}
