"""Costs that a function gives by blocks of rows: a sparse core, and prices.

As ``distributed/core.py``, in one process: the small costs of each row make a sparse problem, whose duals are
compared with all costs, block by block; pairs that undercut them join, until there are none. Nothing but the
core is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from konig.assignment.cpu import NOTHING, How, Solved, required, solve_sparse
from konig.assignment.inputs import SparseCosts
from konig.assignment.methods import JV
from konig.assignment.proof import undercuts
from konig.progress import Report

NEAREST = 16  # entries of a row in the first core
ADDED = 8  # entries that a row gets in one round


class Core:
    """Lists of pairs that grow."""

    def __init__(self, shape: tuple[int, int]):
        self.shape = shape
        self.key = np.zeros(0, np.int64)  # row * columns + column, ascending
        self.cost = np.zeros(0)

    def add(self, rows: list[np.ndarray], cols: list[np.ndarray], costs: list[np.ndarray]) -> None:
        """Pairs join; those that are there already stay as they are."""
        key = np.concatenate([self.key, np.concatenate(rows) * self.shape[1] + np.concatenate(cols)])
        self.key, first = np.unique(key, return_index=True)
        self.cost = np.concatenate([self.cost, *costs])[first]

    def costs(self) -> SparseCosts:
        rows, cols = np.divmod(self.key, self.shape[1])
        start = np.searchsorted(rows, np.arange(self.shape[0] + 1)).astype(np.int64)
        return SparseCosts(self.shape, start, cols.astype(np.int32), self.cost)


def solve(shape: tuple[int, int], tiles: Callable[[], Any], report: Report | None) -> Solved:
    """An optimal assignment of costs that ``tiles()`` goes through; there is at least one row and column."""
    core, largest = Core(shape), 0.0
    parts: tuple[list[Any], list[Any], list[Any]] = ([], [], [])
    for part, costs in tiles():
        largest = max(largest, float(np.abs(costs).max()))
        nearest = min(NEAREST, shape[1])
        cols = np.argpartition(costs, nearest - 1, axis=1)[:, :nearest]
        # The diagonal makes the core feasible.
        diagonal = np.arange(part.start, min(part.stop, shape[1]))
        for rows_of, cols_of in (
            (np.repeat(np.arange(part.start, part.stop), nearest), cols.ravel()),
            (diagonal, diagonal),
        ):
            _append(parts, rows_of, cols_of, costs[rows_of - part.start, cols_of])
    rounds = 0
    duals: tuple[Any, Any] = NOTHING
    while parts[0]:
        core.add(*parts)
        solved = required(solve_sparse(core.costs(), How(JV, {}, False, largest, report=report), duals))
        duals = solved.row_dual, solved.col_dual
        parts, rounds = _undercutting(tiles, *duals), rounds + 1
    solved.stats |= {"core_entries": len(core.key), "pricing_rounds": rounds}
    return solved


def _append(parts: tuple[list[Any], list[Any], list[Any]], *found: np.ndarray) -> None:
    for list_of, array in zip(parts, found, strict=True):
        list_of.append(array)


def _undercutting(
    tiles: Callable[[], Any], row_dual: np.ndarray, col_dual: np.ndarray
) -> tuple[list[Any], list[Any], list[Any]]:
    """Pairs that cost less than the sum of their duals, the best of each row; empty if there are none."""
    parts: tuple[list[Any], list[Any], list[Any]] = ([], [], [])
    for part, costs in tiles():
        # Rounding keeps the order of numbers: few pairs are left for exact arithmetic to decide.
        row, col = np.nonzero(costs - col_dual[None, :] <= row_dual[part][:, None])
        below = undercuts(costs[row, col], row_dual[part][row], col_dual[col], 1)
        row, col = row[below], col[below]
        if not len(row):
            continue
        slack = costs[row, col] - col_dual[col]
        order = np.lexsort((slack, row))
        row, col = row[order], col[order]
        rank = np.arange(len(row)) - np.searchsorted(row, row)
        row, col = row[rank < ADDED], col[rank < ADDED]
        _append(parts, row + part.start, col, costs[row, col])
    return parts
