"""Matching as a flow of units: a source before all rows, a sink behind all columns.

The second task of Hsieh, Lin and Kuo. The network is made where the graph is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from konig.flow.inputs import SINK, SOURCE
from konig.flow.papers import tlpns
from konig.flow.papers.residual import residual
from konig.machine import Machine
from konig.matching.inputs import BipartiteGraph, Partial
from konig.progress import Report
from konig.registry import Method


class MatchingFlow:
    """The network of a graph, with the flow that a matching is, and the matching that a flow is.

    Rows come first among the vertices, then columns, the source and the sink; entries come first among the
    arcs, then those to the rows and those from the columns.
    """

    def __init__(self, machine: Machine, method: Method, graph: BipartiteGraph):
        self.xp = xp = machine.xp
        rows, cols = graph.rows, graph.cols
        self.rows, self.cols = graph.edges()
        tlpns.require_few_arcs(method, len(self.rows) + rows + cols)
        source, sink = rows + cols, rows + cols + 1
        ids: Any = np.int32 if sink < np.iinfo(np.int32).max else np.int64
        row_ids, col_ids = xp.arange(rows, dtype=ids), xp.arange(rows, source, dtype=ids)
        tail = xp.concatenate((self.rows.astype(ids), xp.full(rows, source, ids), col_ids))
        head = xp.concatenate((self.cols.astype(ids) + ids(rows), row_ids, xp.full(cols, sink, ids)))
        capacity = xp.ones(len(tail), np.int64)
        role = np.zeros(sink + 1, np.uint8)
        role[[source, sink]] = SOURCE, SINK
        ends, arcs = (source, sink), (tail, head, capacity)
        self.network = residual(machine, tlpns.layout_of(method), arcs, xp.asarray(role), ends, False)
        self.num_arcs = len(tail)
        self.matrix_rows = rows

    def start(self, col_of_row: Any) -> Any:
        """Send a unit through every matched pair; return what each vertex holds then."""
        xp = self.xp
        excess = xp.zeros(self.network.vertices, np.int64)
        taken = xp.flatnonzero(col_of_row[self.rows] == self.cols)
        if len(taken) == 0:
            return excess
        rows, first = xp.unique(self.rows[taken], return_index=True)  # duplicates count once
        pairs = taken[first]
        arcs = len(self.rows)
        flow = xp.zeros(self.num_arcs, np.int64)
        flow[pairs] = 1
        flow[arcs + rows.astype(np.int64)] = 1
        flow[arcs + self.matrix_rows + self.cols[pairs].astype(np.int64)] = 1
        self.network.send(flow, excess)
        return excess

    def read(self, cut: Any, col_of_row: Any, row_of_col: Any) -> None:
        """Write the matching that the flow is, after a solve that found the cut."""
        flow, _ = self.network.answer(cut)
        used = self.xp.flatnonzero(flow[: len(self.rows)])
        rows, cols = self.rows[used], self.cols[used]
        col_of_row.fill(-1)
        row_of_col.fill(-1)
        col_of_row[rows] = cols
        row_of_col[cols] = rows


def improve(
    machine: Machine, method: Method, partial: Partial, settings: Mapping[str, Any], report: Report | None
) -> dict[str, Any]:
    """Improve the matching in place until it is maximum; all arrays are the machine's."""
    laps = [machine.lap()]
    flow = MatchingFlow(machine, method, partial.graph)
    excess = flow.start(partial.col_of_row)
    laps.append(machine.lap())
    _, cut, stats = tlpns.solve(machine, method, flow.network, settings, report, excess)
    laps.append(machine.lap())
    flow.read(cut, partial.col_of_row, partial.row_of_col)
    laps.append(machine.lap())
    seconds = machine.timed(laps, "build", "solve", "extract")
    return stats | {"seconds": seconds | {"main": seconds["main"] - seconds["build"]}}
