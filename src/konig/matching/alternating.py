"""What alternating paths reach: entries that are not matched and entries that are, in turn."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from konig import _native
from konig.errors import CertificateError
from konig.matching.inputs import BipartiteGraph
from konig.refusal import Array


def alternating_reach(graph: BipartiteGraph, col_of_row: Array, row_of_col: Array) -> tuple[Array, Array]:
    """Masks of the rows and of the columns that alternating paths from unmatched columns reach."""
    col_of_row, row_of_col = _partners(graph, col_of_row, row_of_col)
    row_reached = np.empty(graph.rows, np.uint8)
    col_reached = np.empty(graph.cols, np.uint8)
    lists = graph.of_col
    _native.alternating_reach(lists.start, lists.neighbour, col_of_row, row_of_col, row_reached, col_reached)
    return row_reached.view(bool), col_reached.view(bool)


class AlternatingForest(NamedTuple):
    """How each vertex of a decomposition is reached: the witness that its parts are connected as claimed.

    For a row, the column just before it on an alternating path inside its block, which begins in an unmatched
    column or in the first column of the block; for a column, the row just after it on one that ends in an
    unmatched row or in the first row of the block. -1 where there is no such path.
    """

    col_before_row: Array
    row_after_col: Array


def alternating_forest(
    graph: BipartiteGraph,
    col_of_row: Array,
    row_of_col: Array,
    block_of_row: Array,
    block_of_col: Array,
    first_rows: Array,
    first_cols: Array,
) -> AlternatingForest:
    """Search forwards from unmatched and first columns, backwards from unmatched and first rows."""
    ids = graph.id_dtype
    col_of_row, row_of_col = _partners(graph, col_of_row, row_of_col)
    blocks = (block_of_row.astype(ids, copy=False), block_of_col.astype(ids, copy=False))
    forest = []
    for lists, near, far, first, block in (
        (graph.of_col, row_of_col, col_of_row, first_cols, blocks),
        (graph.of_row, col_of_row, row_of_col, first_rows, blocks[::-1]),
    ):
        roots = np.concatenate((np.flatnonzero(near < 0), first)).astype(ids)
        before = np.empty(len(far), ids)
        _native.alternating_forest(lists.start, lists.neighbour, far, near, roots, *block, before)
        forest.append(before)
    return AlternatingForest(*forest)


def _partners(graph: BipartiteGraph, col_of_row: Array, row_of_col: Array) -> tuple[Array, Array]:
    """The partners in the graph's index type; native code relies on their length."""
    if (graph.rows, graph.cols) != (len(col_of_row), len(row_of_col)):
        raise CertificateError(
            f"the partners are for a {len(col_of_row)} x {len(row_of_col)} matrix, "
            f"but the graph is one of {graph.rows} x {graph.cols}"
        )
    ids = graph.id_dtype
    return np.ascontiguousarray(col_of_row, ids), np.ascontiguousarray(row_of_col, ids)
