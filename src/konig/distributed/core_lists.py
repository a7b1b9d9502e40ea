"""What ``core`` reads of a rank's rows: lists of their small costs, and of entries that undercut duals.

`HostCosts` reads them by native loops. `konig.distributed.array_costs.ArrayCosts` reads arrays
of CuPy. All costs in lists are to be minimised: those that are maximised have been negated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from konig import _native
from konig.assignment.inputs import refuse_bad_costs
from konig.interop.arrays import to_numpy

CHUNK = 1 << 22  # entries that are sorted together


@dataclass
class Lists:
    """Entries of some rows: those of row i are at ``start[i] <= e < start[i + 1]``."""

    start: np.ndarray
    col: np.ndarray
    cost: np.ndarray

    def part(self, chosen: np.ndarray) -> Lists:
        """The entries that are chosen."""
        before = np.concatenate([[0], np.cumsum(chosen)])
        return Lists(before[self.start], self.col[chosen], self.cost[chosen])

    def joined(self, row: np.ndarray, col: np.ndarray, cost: np.ndarray) -> Lists:
        """With more entries, of which some may be there already."""
        rows = len(self.start) - 1
        given = np.repeat(np.arange(rows), np.diff(self.start))
        row, col = np.concatenate([given, row]), np.concatenate([self.col, col])
        order = np.lexsort((col, row))
        row, col = row[order], col[order]
        kept = np.flatnonzero(np.r_[True, (np.diff(row) != 0) | (np.diff(col) != 0)][: len(row)])
        start = np.searchsorted(row[kept], np.arange(rows + 1))
        return Lists(start, col[kept].astype(np.int32), np.concatenate([self.cost, cost])[order][kept])


def no_lists(rows: int, dtype: Any) -> Lists:
    """Without an entry."""
    return Lists(np.zeros(rows + 1, np.int64), np.zeros(0, np.int32), np.zeros(0, dtype))


def ordered_lists(rows: int, row: np.ndarray, col: np.ndarray, cost: np.ndarray) -> Lists:
    """Of entries that are in their order."""
    start = np.zeros(rows + 1, np.int64)
    np.cumsum(np.bincount(row, minlength=rows), out=start[1:])
    return Lists(start, col.astype(np.int32), cost)


class HostCosts:
    """Rows in host memory."""

    def __init__(self, block: np.ndarray, maximize: bool, threads: int):
        self.block, self.maximize, self.threads = block, maximize, threads
        self._native = _native.cost_block(block, maximize, threads)

    def widened(self) -> HostCosts:
        """The same in 64 bits."""
        return HostCosts(self.block.astype(np.int64), self.maximize, self.threads)

    def choose(self, first_row: int) -> tuple[float, Lists]:
        """The largest finite |cost|, and the smallest costs of each row; a bad cost is an error.

        The block begins at that row of the matrix.
        """
        (largest, first_nan, first_wrong, _), lists = self._native.choose(first_row)
        refuse_bad_costs(self.block, self.maximize, first_nan, first_wrong, first_row=first_row)
        return largest, Lists(*lists)

    def undercutting(self, row_dual: np.ndarray, col_dual: np.ndarray, most: int) -> Lists:
        """Entries that cost less than the sum of their duals, at most so many of a row."""
        return Lists(*self._native.undercutting(row_dual, col_dual, most))

    def cheapest(self, rows: np.ndarray, cols: np.ndarray, most: int, by_rows: bool) -> Entries:
        """As the function."""
        return cheapest(np, self.block, self.maximize, rows, cols, most, by_rows)


Entries = tuple[np.ndarray, np.ndarray, np.ndarray]  # rows, columns, costs


def cheapest(
    xp: Any, block: Any, maximize: bool, rows: np.ndarray, cols: np.ndarray, most: int, by_rows: bool
) -> Entries:
    """For each of some rows, its cheapest allowed entries in some columns; or for each of the columns.

    The block is an array of ``xp``, all others are NumPy's.
    """
    major, minor = (rows, cols) if by_rows else (cols, rows)
    parts = [(major[:0], minor[:0], np.zeros(0, block.dtype))]
    step = max(1, CHUNK // max(1, len(minor)))
    for first in range(0, len(major) if len(minor) else 0, step):
        some = major[first : first + step]
        at = (some, cols) if by_rows else (rows, some)
        costs = block[xp.asarray(at[0])[:, None], xp.asarray(at[1])]
        costs = costs if by_rows else costs.T
        costs = -costs if maximize else costs
        best = xp.argpartition(costs, min(most, len(minor)) - 1, axis=1)[:, :most]
        cost = to_numpy(xp.take_along_axis(costs, best, 1))
        allowed = np.isfinite(cost)
        parts.append((np.repeat(some, allowed.sum(1)), minor[to_numpy(best)[allowed]], cost[allowed]))
    at_major, at_minor, cost = (np.concatenate(part) for part in zip(*parts, strict=True))
    return (at_major, at_minor, cost) if by_rows else (at_minor, at_major, cost)
