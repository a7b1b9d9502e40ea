"""A block of whole numbers as an array of CuPy: the sweeps of the distributed Hungarian methods on a GPU.

Date, Nagi (2016), §5, where each rank is a GPU. As ``_native.number_block``
(``native/assignment/distributed_sweeps.h``), but written against an array module, so that
NumPy takes the same way where there is no GPU. Arguments and answers are NumPy's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from konig import _native
from konig.distributed.array_costs import row_chunks
from konig.distributed.hungarian_stages import INFINITE, OUT_OF_SEARCH
from konig.interop.arrays import to_numpy

REACH = 2.0**_native.VALUE_BITS  # kReach of konig/assignment/costs.h
FORBIDDEN = 4 << _native.VALUE_BITS  # kOut there


def whole_numbers(xp: Any, costs: Any, base: float, first: float, second: float) -> Any:
    """Reals as whole numbers, as ``RealScale`` of konig/assignment/costs.h."""
    numbers = xp.empty(costs.shape, np.int64)
    for at in row_chunks(*costs.shape):
        with np.errstate(over="ignore"):
            scaled = (costs[at].astype(np.float64) - base) * first * second
        allowed = (scaled < REACH) & (scaled > -REACH)
        numbers[at] = xp.where(allowed, xp.where(allowed, scaled, 0.0).astype(np.int64), FORBIDDEN)
    return numbers


class ArrayNumbers:
    """As ``_native.number_block``; the block is an array of ``xp``."""

    def __init__(self, xp: Any, block: Any, negated: bool):
        self.xp, self.block, self.negated = xp, block, negated
        cols = block.shape[1]
        self.dual, self.key, self.before = (xp.zeros(cols, np.int64) for _ in range(3))

    def lowest_of_rows(self, rows: np.ndarray, col_dual: np.ndarray) -> np.ndarray:
        """The smallest number - column dual of each of these rows of the block, at most FORBIDDEN."""
        lowest, dual = np.full(len(rows), FORBIDDEN, np.int64), self.xp.asarray(col_dual)
        for at, numbers in self._chunks(rows):
            lowest[at] = np.minimum(to_numpy((numbers - dual).min(axis=1)), FORBIDDEN)
        return lowest

    def lowest_of_cols(self, row_dual: np.ndarray) -> np.ndarray:
        """The smallest number - row dual of each column of the block."""
        lowest, dual = np.full(self.block.shape[1], INFINITE, np.int64), self.xp.asarray(row_dual)
        for at, numbers in self._chunks(np.arange(len(self.block))):
            np.minimum(lowest, to_numpy((numbers - dual[at, None]).min(axis=0)), out=lowest)
        return lowest

    def zero_edges(self, row_dual: np.ndarray, col_dual: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """How many edges with zero slack each row has, and their columns, row after row."""
        rows = np.arange(len(self.block))
        parts = [(at.start + row, col) for at, row, col in self._zeros(rows, row_dual, col_dual)]
        row, col = (np.concatenate(part) for part in zip((rows[:0], rows[:0]), *parts, strict=True))
        return np.bincount(row, minlength=len(rows)).astype(np.int32), col.astype(np.int32)

    def claim_zero_cols(self, rows: np.ndarray, row_dual: np.ndarray, open_dual: np.ndarray) -> np.ndarray:
        """Gives these rows open columns with zero slack, greedily; -1 where none is left."""
        claimed = np.full(len(rows), -1, np.int32)
        row_of_col: Any = np.where(open_dual == OUT_OF_SEARCH, 0, -1).astype(np.int32)
        for at, row, col in self._zeros(rows, row_dual, open_dual):
            some: Any = np.full(at.stop - at.start, -1, np.int32)
            start = np.searchsorted(row, np.arange(len(some) + 1))
            _native.pair_greedily(start, col.astype(np.int32), some, row_of_col)
            claimed[at] = some
        open_dual[claimed[claimed >= 0]] = OUT_OF_SEARCH
        return claimed

    def _zeros(
        self, rows: np.ndarray, row_dual: np.ndarray, col_dual: np.ndarray
    ) -> Iterator[tuple[slice, np.ndarray, np.ndarray]]:
        """Of some of the rows at a time, the edges with zero slack: places among these, and columns."""
        row_duals, col_duals = self.xp.asarray(row_dual[rows]), self.xp.asarray(col_dual)
        for at, numbers in self._chunks(rows):
            row, col = self.xp.nonzero(numbers - col_duals <= row_duals[at, None])
            yield at, to_numpy(row), to_numpy(col)

    def _chunks(self, rows: np.ndarray) -> Iterator[tuple[slice, Any]]:
        """Some of these rows at a time, in 64 bits and with the sign that they count with."""
        cols = self.block.shape[1]
        for at in row_chunks(len(rows) if cols else 0, cols):
            yield at, self._numbers_of(rows[at])

    def _numbers_of(self, rows: np.ndarray) -> Any:
        """Some rows, in 64 bits and with the sign that they count with."""
        last = rows[0] + len(rows)
        in_order = rows[-1] + 1 == last and (np.diff(rows) == 1).all()
        numbers = self.block[rows[0] : last] if in_order else self.block[self.xp.asarray(rows)]
        numbers = numbers.astype(np.int64, copy=False)
        return -numbers if self.negated else numbers

    # ---- a search of the alternating tree variant

    def begin_search(self, col_dual: np.ndarray) -> None:
        """A search, with these duals of all columns of the block."""
        self.dual[:] = self.xp.asarray(col_dual)
        self.key[:] = INFINITE

    def relax(self, rows: np.ndarray, row_dual: np.ndarray, shift: int) -> None:
        """Lowers the keys of open columns to their slacks against these rows (Algorithm 4)."""
        xp, cols = self.xp, len(self.key)
        base = row_dual[rows] - shift
        for at in row_chunks(len(rows) if cols else 0, cols):
            slack = self._numbers_of(rows[at]) - xp.asarray(base[at])[:, None]
            lowest = slack.argmin(axis=0)
            key = xp.take_along_axis(slack, lowest[None], 0)[0] - self.dual
            nearer = key < self.key
            self.key = xp.where(nearer, key, self.key)
            self.before = xp.where(nearer, xp.asarray(rows[at], np.int64)[lowest], self.before)

    def take_reached(self, shift: int, first: int) -> np.ndarray:
        """As the native function: what other ranks have to know of columns with keys up to ``shift``."""
        xp = self.xp
        told = np.full(1, INFINITE, np.int64)
        if len(self.key) == 0:
            return told
        reached = xp.flatnonzero(self.key <= shift)
        edges = to_numpy((reached + first << 32) | self.before[reached])
        if len(edges):
            self.key[reached] = INFINITE
            self.dual[reached] = OUT_OF_SEARCH
        told[0] = int(self.key.min())
        return np.concatenate([told, edges])
