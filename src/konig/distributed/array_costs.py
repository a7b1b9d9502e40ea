"""Rows of costs as arrays of CuPy, on a GPU: what ``core`` reads of them there.

Everything is written against an array module, so that NumPy takes the same way where there is no GPU.
Arguments and answers are NumPy's: they come from other ranks, or go to them. The block stays where it is;
what leaves it are the entries listed, a number for each row, and counts.

Comparisons are exact, as those of ``native/assignment/cost_block.h``: integers in 64 bits, or in halves where
their sums might not fit, and reals by the rounding error of the subtraction.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from konig.assignment.inputs import refuse_bad_costs
from konig.distributed.core_lists import Entries, Lists, cheapest, no_lists, ordered_lists
from konig.interop.arrays import to_numpy

CHUNK = 1 << 25  # entries that are compared together
BYTES = 32  # that this takes for a while, for each of them
GROUPS = 64  # columns are dealt into so many; of the smallest cost in each group
CHOSEN = 16  # the so-manieth is the bound of a list, which has a few entries more then
MOST_LISTED = 32  # of a row: more are within the bound where costs tie
SUMS_FIT = 2.0**60  # four times the largest number below this: sums of three fit into 64 bits
HALF = 32  # bits
LOW = (1 << HALF) - 1


def row_chunks(rows: int, cols: int) -> Iterator[slice]:
    """Some rows at a time."""
    step = max(1, CHUNK // max(1, cols))
    for first in range(0, rows, step):
        yield slice(first, min(rows, first + step))


def checked_ends(xp: Any, block: Any, maximize: bool, first_row: int) -> tuple[Any, Any] | None:
    """The least and the greatest finite cost, None without any; an error about one that may not be."""
    ends: list[tuple[Any, Any]] = []
    for at in row_chunks(*block.shape):
        part = block[at]
        if part.size == 0:
            continue
        if (bad := _bad(xp, part, maximize)) is not None and bool(bad.any()):
            position = int(xp.argmax(bad))
            refuse_bad_costs(part, maximize, -1, position, first_row=first_row + at.start)
        if part.dtype.kind == "f" and not bool((finite := xp.isfinite(part)).all()):
            part = part[finite]
        if part.size:
            ends.append((part.min().item(), part.max().item()))
    return (min(least for least, _ in ends), max(most for _, most in ends)) if ends else None


def _bad(xp: Any, part: Any, maximize: bool) -> Any:
    """Which costs no solver may see; None where every number is one."""
    if part.dtype == np.int32:
        return None
    if part.dtype == np.int64:
        ends = np.iinfo(np.int64)
        return (part <= ends.min + maximize) | (part == ends.max)
    return xp.isnan(part) | (part == (np.inf if maximize else -np.inf))


class ArrayCosts:
    """Rows as an array of ``xp``."""

    def __init__(self, xp: Any, block: Any, maximize: bool):
        self.xp, self.block, self.maximize = xp, block, maximize
        self.dual_type = np.dtype(np.int64 if block.dtype.kind == "i" else np.float64)
        self.largest = 0.0
        self.outside = np.zeros(0)  # every entry of a row that costs less was listed

    def widened(self) -> ArrayCosts:
        """The same in 64 bits."""
        return ArrayCosts(self.xp, self.block.astype(np.int64), self.maximize)

    # ---- the small costs of each row

    def choose(self, first_row: int) -> tuple[float, Lists]:
        """As ``HostCosts.choose``."""
        ends = checked_ends(self.xp, self.block, self.maximize, first_row) or (0, 0)
        self.largest = max(abs(float(end)) for end in ends)
        rows, cols = self.block.shape
        self.outside = np.zeros(rows, self.dual_type)
        if rows == 0 or cols == 0:
            return self.largest, no_lists(rows, self.block.dtype)
        parts = [self._chosen(at) for at in row_chunks(rows, cols)]
        row, col, cost = (np.concatenate(part) for part in zip(*parts, strict=True))
        return self.largest, ordered_lists(rows, row, col, -cost if self.maximize else cost)

    def _chosen(self, at: slice) -> Entries:
        """Entries of some rows up to their bounds; costs are as they are stored."""
        xp, part = self.xp, self.block[at]
        best, bound = self._bounds(part)
        within = part >= bound[:, None] if self.maximize else part <= bound[:, None]
        if part.dtype.kind == "f":
            within &= xp.isfinite(part)
        count = within.sum(axis=1)
        crowded = count > 2 * MOST_LISTED
        if bool(crowded.any()):
            share = xp.where(crowded, 2.0 * MOST_LISTED / xp.maximum(count, 1), 1.0)
            within &= (part != bound[:, None]) | (self._draw(at) < share[:, None])
        row, col = (to_numpy(where) for where in xp.nonzero(within))
        cost = to_numpy(part[within])
        count, (best, bound) = to_numpy(count), self._minimised(best, bound)
        self.outside[at] = np.where(count <= MOST_LISTED, bound, best)
        kept = best_of_rows(row, -cost.astype(self.dual_type) if self.maximize else cost, MOST_LISTED)
        return row[kept] + at.start, col[kept], cost[kept]

    def _bounds(self, part: Any) -> tuple[Any, Any]:
        """The best cost of each row, and the one that its list goes up to, as they are stored."""
        xp, (rows, cols) = self.xp, part.shape
        groups = min(cols, GROUPS)
        depth = cols // groups
        strides = part.strides[0], groups * part.strides[1], part.strides[1]
        dealt = xp.lib.stride_tricks.as_strided(part, (rows, depth, groups), strides)
        least, fold = (dealt.max(axis=1), xp.maximum) if self.maximize else (dealt.min(axis=1), xp.minimum)
        rest = cols - depth * groups
        if rest:
            least[:, :rest] = fold(least[:, :rest], part[:, depth * groups :])
        ordered = xp.sort(least, axis=1)
        ordered = ordered[:, ::-1] if self.maximize else ordered
        last = xp.minimum(xp.isfinite(ordered).sum(axis=1), CHOSEN) - 1
        bound = xp.take_along_axis(ordered, xp.maximum(last, 0)[:, None], 1)[:, 0]
        return ordered[:, 0], bound

    def _draw(self, at: slice) -> Any:
        """Numbers from 0 to 1 for the entries of some rows: of ties each row lists others."""
        xp, cols = self.xp, self.block.shape[1]
        row = xp.arange(at.start, at.stop, dtype=np.uint32)[:, None] * np.uint32(0x85EBCA6B)
        mixed = (row ^ (xp.arange(cols, dtype=np.uint32) * np.uint32(0x9E3779B1))) * np.uint32(0xC2B2AE35)
        return (mixed >> np.uint32(16)).astype(np.float32) / np.float32(65536)

    def _minimised(self, *stored: Any) -> Any:
        return ((-1 if self.maximize else 1) * to_numpy(numbers).astype(self.dual_type) for numbers in stored)

    # ---- entries that undercut duals

    def undercutting(self, row_dual: np.ndarray, col_dual: np.ndarray, most: int) -> Lists:
        """As ``HostCosts.undercutting``."""
        rows, cols = self.block.shape
        largest = max(self.largest, *(float(abs(dual).max(initial=0)) for dual in (row_dual, col_dual)))
        wide = self.dual_type.kind == "i" and 4 * largest >= SUMS_FIT
        within = np.arange(rows)
        if cols and not wide:
            least = self.outside - col_dual.max()
            least = least if self.dual_type.kind == "i" else np.nextafter(least, -np.inf)
            within = np.flatnonzero(row_dual > least)
        find = self._real if self.dual_type.kind == "f" else self._wide if wide else self._whole
        there = self.xp.asarray(col_dual)
        parts = [
            find(within[at], row_dual[within[at]], col_dual, there, most)
            for at in row_chunks(len(within) if cols else 0, cols)
        ]
        if not parts:
            return no_lists(rows, self.block.dtype)
        return ordered_lists(rows, *(np.concatenate(part) for part in zip(*parts, strict=True)))

    def _signed(self, rows: np.ndarray) -> Any:
        """The costs of some rows to be minimised, in the type of duals."""
        whole = len(rows) == rows[-1] + 1 - rows[0]
        part = self.block[rows[0] : rows[-1] + 1] if whole else self.block[self.xp.asarray(rows)]
        part = part.astype(self.dual_type)
        return -part if self.maximize else part

    def _whole(
        self, rows: np.ndarray, row_dual: np.ndarray, col_dual: np.ndarray, there: Any, most: int
    ) -> Entries:
        slack = self._signed(rows) - there
        at, col, below = self._least(slack, row_dual - 1, most)
        cost = below + col_dual[col]
        return self._best(rows, at, col, cost, below, most)

    def _real(
        self, rows: np.ndarray, row_dual: np.ndarray, col_dual: np.ndarray, there: Any, most: int
    ) -> Entries:
        """A difference that is rounded to more than the row's dual is more.

        Where it is rounded to just that, the rounding error decides.
        """
        costs = self._signed(rows)
        at, col, below = self._least(costs - there, row_dual, most)
        cost = to_numpy(costs[self.xp.asarray(at), self.xp.asarray(col)])
        kept = (below < row_dual[at]) | (rounding_error(cost, -col_dual[col]) < 0)
        return self._best(rows, at[kept], col[kept], cost[kept], below[kept], most)

    def _wide(
        self, rows: np.ndarray, row_dual: np.ndarray, col_dual: np.ndarray, there: Any, most: int
    ) -> Entries:
        """Sums might not fit: high and low halves of the numbers, and what is carried between them."""
        xp, costs, dual = self.xp, self._signed(rows), self.xp.asarray(row_dual)[:, None]
        low = (costs & LOW) - (there & LOW) - (dual & LOW)
        high = (costs >> HALF) - (there >> HALF) - (dual >> HALF) + (low >> HALF)
        at, col = (to_numpy(where) for where in xp.nonzero(high < 0))
        cost = to_numpy(costs[xp.asarray(at), xp.asarray(col)])
        return self._best(rows, at, col, cost, cost.astype(np.float64) - col_dual[col], most)

    def _least(self, slack: Any, bound: np.ndarray, most: int) -> Entries:
        """Where slacks are within the bounds of their rows, and how much they are.

        As long as these are far too many, only those in the lower half of what is left.
        """
        xp, limit = self.xp, self.xp.asarray(bound)
        within = slack <= limit[:, None]
        lowest = None
        while int(within.sum()) > 8 * most * len(bound):
            lowest = slack.min(axis=1) if lowest is None else lowest
            half = lowest + (limit - lowest) // 2 if self.dual_type.kind == "i" else (lowest + limit) / 2
            if bool((half >= limit).all()):
                break
            limit = xp.minimum(half, limit)
            within = slack <= limit[:, None]
        at, col = (to_numpy(where) for where in xp.nonzero(within))
        return at, col, to_numpy(slack[within])

    def _best(
        self,
        rows: np.ndarray,
        at: np.ndarray,
        col: np.ndarray,
        cost: np.ndarray,
        slack: np.ndarray,
        most: int,
    ) -> Entries:
        kept = best_of_rows(at, slack, most)
        return rows[at[kept]], col[kept], cost[kept].astype(self.block.dtype)

    def cheapest(self, rows: np.ndarray, cols: np.ndarray, most: int, by_rows: bool) -> Entries:
        """As the function."""
        return cheapest(self.xp, self.block, self.maximize, rows, cols, most, by_rows)


def best_of_rows(row: np.ndarray, key: np.ndarray, most: int) -> np.ndarray:
    """Of entries by row those with the smallest keys, so many of each row at the most; positions."""
    count = np.bincount(row)
    keeps = count[row] <= most
    crowded = np.flatnonzero(~keeps)
    if len(crowded):
        ordered = crowded[np.lexsort((key[crowded], row[crowded]))]
        first = np.searchsorted(row[ordered], row[ordered])
        keeps[ordered[np.arange(len(ordered)) - first < most]] = True
    return np.flatnonzero(keeps)


def rounding_error(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Exactly a + b less what it is rounded to (D. E. Knuth, The Art of Computer Programming 2, 4.2.2)."""
    rounded = a + b
    of_b = rounded - a
    error: np.ndarray = (a - (rounded - of_b)) + (b - of_b)
    return error
