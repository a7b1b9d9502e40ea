"""Matching as a flow of units: a source before all rows, a sink behind all columns.

The second task of Hsieh, Lin and Kuo. Written for ``xp``, NumPy or CuPy: the network is made where the graph
is.
"""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any

import numpy as np

from konig.flow.papers import tlpns
from konig.flow.papers.two_terminals import TwoTerminals
from konig.machine import on_gpu, on_threads
from konig.matching.inputs import BipartiteGraph, Partial
from konig.progress import Report
from konig.registry import Method


class MatchingFlow:
    """The network of a graph, with the flow that a matching is, and the matching that a flow is.

    Rows come first among the vertices, then columns, the source and the sink; entries come first among the
    arcs, then those to the rows and those from the columns.
    """

    def __init__(self, xp: Any, method: Method, graph: BipartiteGraph):
        self.xp = xp
        rows, cols = graph.rows, graph.cols
        self.rows, self.cols = graph.edges()
        tlpns.require_few_arcs(method, len(self.rows) + rows + cols)
        source, sink = rows + cols, rows + cols + 1
        ids: Any = np.int32 if sink < np.iinfo(np.int32).max else np.int64
        row_ids, col_ids = xp.arange(rows, dtype=ids), xp.arange(rows, source, dtype=ids)
        tail = xp.concatenate((self.rows.astype(ids), xp.full(rows, source, ids), col_ids))
        head = xp.concatenate((self.cols.astype(ids) + ids(rows), row_ids, xp.full(cols, sink, ids)))
        capacity = xp.ones(len(tail), np.int64)
        role = xp.zeros(sink + 1, np.uint8)
        bound = min(rows, cols) + 1
        self.problem = TwoTerminals(
            xp, sink + 1, tail, head, capacity, source, sink, bound, role, turned=False, doubled=False
        )
        self.places = tlpns.layout_of(method, self.problem)
        self.matrix_rows = rows

    def start(self, col_of_row: Any) -> int:
        """Send a unit through every matched pair; return how many there are."""
        xp = self.xp
        taken = xp.flatnonzero(col_of_row[self.rows] == self.cols)
        if len(taken) == 0:
            return 0
        rows, first = xp.unique(self.rows[taken], return_index=True)  # duplicates count once
        pairs = taken[first]
        arcs = len(self.rows)
        flow = xp.zeros(len(self.problem.tail), np.int64)
        flow[pairs] = 1
        flow[arcs + rows.astype(np.int64)] = 1
        flow[arcs + self.matrix_rows + self.cols[pairs].astype(np.int64)] = 1
        self.places.send(flow)
        return len(rows)

    def excess(self, matched: int) -> Any:
        """What each vertex holds when so many units have arrived."""
        excess = self.xp.zeros(self.problem.vertices, np.int64)
        excess[self.problem.sink] = matched
        return excess

    def read(self, col_of_row: Any, row_of_col: Any) -> None:
        """Write the matching that the flow is."""
        used = self.xp.flatnonzero(self.places.flow()[: len(self.rows)])
        rows, cols = self.rows[used], self.cols[used]
        col_of_row.fill(-1)
        row_of_col.fill(-1)
        col_of_row[rows] = cols
        row_of_col[cols] = rows


def run_on_cpu(
    method: Method, partial: Partial, settings: Mapping[str, Any], report: Report | None
) -> dict[str, Any]:
    """Improve the matching in place until it is maximum, on a team of threads."""
    began = perf_counter()
    flow = MatchingFlow(np, method, partial.graph)
    excess = flow.excess(flow.start(partial.col_of_row))
    machine = on_threads(settings, settings["threads"], settings["seed"])
    built = perf_counter() - began
    _, _, stats = tlpns.solve(machine, method, flow.problem, flow.places, settings, report, excess)
    flow.read(partial.col_of_row, partial.row_of_col)
    return stats | {"build_seconds": built}


def run_on_gpu(
    cupy: Any,
    method: Method,
    partial: Partial,
    settings: Mapping[str, Any],
    report: Report | None,
    seconds: dict[str, float],
) -> dict[str, Any]:
    """The same on a GPU; all arrays are CuPy's on the current device."""
    began = perf_counter()
    flow = MatchingFlow(cupy, method, partial.graph)
    excess = flow.excess(flow.start(partial.col_of_row))
    cupy.cuda.get_current_stream().synchronize()
    seconds["build"] = perf_counter() - began
    machine = on_gpu(cupy, settings, seconds)
    ready = machine.lap()
    _, _, stats = tlpns.solve(machine, method, flow.problem, flow.places, settings, report, excess)
    seconds["solve"] = machine.lap() - ready
    flow.read(partial.col_of_row, partial.row_of_col)
    seconds["main"] = perf_counter() - began - seconds["compile"] - seconds["build"]
    return stats
