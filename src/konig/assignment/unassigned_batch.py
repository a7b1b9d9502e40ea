"""Batches on a GPU in which rows and columns may be left alone: reduced and proved there.

The batch of reduced costs (``unassigned.py``) is solved as any other. What a proof reads of all costs, the
smallest cost - column dual of each row, is found where they are; the rest is a few numbers for each row and
column, and is done on the host. A problem that this does not prove is left to the host.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from konig.assignment import batch, unassigned
from konig.assignment.cpu import BatchSolved, How
from konig.assignment.unassigned import NARROW, SCALE, SCALED, Alone, Array, Reduction, allows
from konig.exact_reals import difference, difference_below
from konig.interop import arrays

CHUNK = 1 << 24  # costs that are read together
PROVEN_GAP = 1e-12  # with which an answer is accepted, as a part of its size (include/konig/exact.h)


def solve(
    xp: Any,
    costs: Any,
    alone: Alone,
    how: How,
    row_counts: Array | None,
    col_counts: Array | None,
    seconds: dict[str, float],
) -> BatchSolved:
    """The optima of a batch on the current device; outcomes are not 0 where the host is to solve one."""
    finite = xp.where(xp.isfinite(costs), costs, 0) if alone.is_real else costs
    ends = (float(finite.min()), float(finite.max())) if costs.size else (0.0, 0.0)
    largest = max(map(abs, ends))
    sides = alone.minimised(how.maximize)
    extents = batch.all_counts(costs.shape, row_counts, col_counts)
    reduction = Reduction.of(sides, np.asarray(extents[0] <= extents[1])[:, None])
    if not unassigned.fits(largest, alone):
        return _left_to_the_host(xp, costs, alone, how)
    largest += 2 * alone.largest()
    scale = SCALE if alone.is_real and largest > SCALED else 1.0
    dtype = np.float64 if alone.is_real else np.int32 if largest < NARROW else np.int64
    made = reduction.reduced(xp, costs, dtype, how.maximize, scale)
    solved = batch.solve_batch(xp, made, False, row_counts, col_counts, how.report, seconds)
    del made
    if solved.first_bad >= 0:
        return solved
    return Answers(xp, costs, alone, sides, how.maximize, extents, solved, reduction, scale).joined()


def _left_to_the_host(xp: Any, costs: Any, alone: Alone, how: How) -> BatchSolved:
    """Nothing solved; bad costs, the ends of the integers, are found here."""
    bad = (costs == np.iinfo(costs.dtype).max) | (costs <= np.iinfo(costs.dtype).min + how.maximize)
    first = int(xp.argmax(bad)) if costs.dtype.itemsize == 8 and bool(bad.any()) else -1
    problems, rows, cols = costs.shape
    pairs = [xp.full((problems, min(rows, cols)), -1, np.int64) for _ in range(2)]
    numbers = [xp.zeros(problems, np.int64) for _ in range(2)]
    duals = [xp.zeros((problems, extent), np.int64) for extent in (rows, cols)]
    outcomes = np.ones(problems, np.int32)
    answer: tuple[Any, ...] = (*pairs, *numbers, *duals)
    return BatchSolved(*answer, {"problems": problems}, outcomes, first)  # type: ignore[call-arg]


class Answers:
    """The answers of the reduced problems of a batch on their way to those of the problems."""

    def __init__(
        self,
        xp: Any,
        costs: Any,
        alone: Alone,
        sides: Alone,
        maximize: bool,
        extents: tuple[Array, Array],
        solved: BatchSolved,
        reduction: Reduction,
        scale: float,
    ):
        self.xp, self.costs, self.alone, self.sides, self.solved = xp, costs, alone, sides, solved
        self.sign = -1 if maximize else 1
        rows, cols = extents
        self.is_row = np.arange(costs.shape[1]) < np.asarray(rows)[:, None]
        self.is_col = np.arange(costs.shape[2]) < np.asarray(cols)[:, None]
        self.reduction, self.scale = reduction, scale

    def joined(self) -> BatchSolved:
        """Pairs worth making, duals, costs and gaps; all arrays but the outcomes where the costs are."""
        found, real = self.solved, self.alone.is_real
        row_ind, col_ind = arrays.to_numpy(found.row_ind), arrays.to_numpy(found.col_ind)
        paid = self._paid(row_ind, col_ind)
        there = row_ind >= 0
        row, col = np.maximum(row_ind, 0), np.maximum(col_ind, 0)
        of_row, of_col = (
            np.take_along_axis(s, k, 1) for s, k in ((self.sides.row, row), (self.sides.col, col))
        )
        kept = there & allows(self.sign * paid, of_row, of_col)
        row_dual, col_dual = self._duals(kept)
        alone_rows, alone_cols = self.is_row.copy(), self.is_col.copy()
        for is_alone, ids in ((alone_rows, row), (alone_cols, col)):
            problem, place = np.nonzero(kept)
            is_alone[problem, ids[problem, place]] = False
        gap: Any = np.zeros(len(paid), np.float64 if real else np.int64)
        outcomes = found.outcomes.copy()
        if real:
            col_dual = np.where(alone_cols, self.sides.col, np.minimum(col_dual, self.sides.col))
            col_dual = np.where(self.is_col, col_dual, 0.0)
            row_dual = np.where(self.is_row, np.minimum(self._lowest(col_dual), self.sides.row), 0.0)
            gap, proved = self._gaps(
                kept, self.sign * paid, (row, col), (row_dual, col_dual), (alone_rows, alone_cols)
            )
            outcomes[~proved] = 1
        cost = self._costs(np.where(kept, paid, 0), alone_rows, alone_cols, outcomes)
        order = np.argsort(~kept, axis=1, kind="stable")
        pairs = (np.take_along_axis(np.where(kept, ids, -1), order, 1) for ids in (row_ind, col_ind))
        duals = (self.sign * dual + 0 for dual in (row_dual, col_dual))
        answer: tuple[Any, ...] = tuple(self.xp.asarray(part) for part in (*pairs, cost, gap, *duals))
        return BatchSolved(*answer, found.stats, outcomes, -1)  # type: ignore[call-arg]

    def _paid(self, row_ind: Array, col_ind: Array) -> Array:
        problem = self.xp.arange(len(row_ind))[:, None]
        row, col = (self.xp.asarray(np.maximum(ids, 0)) for ids in (row_ind, col_ind))
        if 0 in self.costs.shape[1:]:
            return np.zeros(row_ind.shape, np.float64 if self.alone.is_real else np.int64)
        found = arrays.to_numpy(self.costs[problem, row, col])
        return found.astype(np.float64 if self.alone.is_real else np.int64)

    def _duals(self, kept: Array) -> tuple[Array, Array]:
        """Those of the reduced costs, shifted back; 0 where there is no row or column."""
        row_dual, col_dual = arrays.to_numpy(self.solved.row_dual), arrays.to_numpy(self.solved.col_dual)
        if self.scale != 1.0:
            row_dual, col_dual = row_dual / self.scale, col_dual / self.scale
        size, rows, cols = kept.sum(1), self.is_row.sum(1), self.is_col.sum(1)
        all_assigned = (size == rows) & (size == cols)
        far = np.finfo(np.float64).max if self.alone.is_real else np.iinfo(np.int64).max
        least = np.where(self.is_row, row_dual + self.reduction.row_shift - self.sides.row, -far)
        most = np.where(self.is_col, self.sides.col - self.reduction.col_shift - col_dual, far)
        least, most = least.max(1, initial=-far), most.min(1, initial=far)
        little = np.maximum(np.minimum(most, 0), np.minimum(least, most))
        shift = np.where(all_assigned, little, np.where(rows <= cols, most, least))[:, None]
        shift = np.where(np.minimum(rows, cols)[:, None] == 0, 0, shift)
        row_dual = np.where(self.is_row, row_dual + self.reduction.row_shift - shift, 0)
        col_dual = np.where(self.is_col, col_dual + self.reduction.col_shift + shift, 0)
        return row_dual, col_dual

    def _lowest(self, col_dual: Array) -> Array:
        """The smallest cost - dual of each row, rounded down."""
        xp, (problems, rows, cols) = self.xp, self.costs.shape
        lowest = np.full((problems, rows), np.inf)
        step = max(1, CHUNK // max(1, rows * cols))
        for first in range(0, problems if rows * cols else 0, step):
            part = slice(first, first + step)
            some = self.sign * self.costs[part].astype(np.float64)
            slack = difference_below(some, xp.asarray(col_dual[part])[:, None, :])
            slack = xp.where(xp.asarray(self.is_col[part])[:, None, :] & xp.isfinite(some), slack, np.inf)
            lowest[part] = arrays.to_numpy(slack.min(2))
        return lowest

    def _gaps(
        self,
        kept: Array,
        paid: Array,
        ids: tuple[Array, Array],
        duals: tuple[Array, Array],
        alone: tuple[Array, Array],
    ) -> tuple[Array, Array]:
        """A bound on the gap of each problem, and whether it proves the answer."""
        (row, col), (row_dual, col_dual) = ids, duals
        paid = np.where(kept, paid, 0.0)
        of_row = np.where(kept, np.take_along_axis(row_dual, row, 1), 0.0)
        of_col = np.where(kept, np.take_along_axis(col_dual, col, 1), 0.0)
        parts = [(paid, of_row, of_col)]
        for is_alone, cost, dual in zip(alone, (self.sides.row, self.sides.col), duals, strict=True):
            numbers = np.where(is_alone, cost, 0.0), np.where(is_alone, dual, 0.0)
            parts.append((*numbers, np.zeros_like(dual)))
        costs, rows, cols = (np.concatenate(numbers, axis=1) for numbers in zip(*parts, strict=True))
        slack, lost = difference(costs, cols)
        excess, lost_too = difference(slack, rows)
        excess = excess + (lost_too + lost)
        unit = np.maximum.reduce([np.abs(costs), np.abs(rows), np.abs(cols)])
        tight = (excess <= 4 * (2.0**-52 * unit + 2.0**-1074)).all(1)
        total = excess.sum(1)
        gap = np.where(total > 0, np.nextafter(total * (1 + 2.0**-44), np.inf), 0.0)
        return gap, tight & (gap <= PROVEN_GAP * _sizes(costs))

    def _costs(self, paid: Array, alone_rows: Array, alone_cols: Array, outcomes: Array) -> Array:
        parts = paid, np.where(alone_rows, self.alone.row, 0), np.where(alone_cols, self.alone.col, 0)
        every = np.concatenate(parts, axis=1)
        if self.alone.is_real:
            return np.array([unassigned.total([numbers]) for numbers in every], np.float64)
        # Integers of up to 2**60 may sum up to more than 64 bits: in halves, which cannot overflow.
        high, low = (every >> 31).sum(1), (every & 0x7FFF_FFFF).sum(1)
        high, low = high + (low >> 31), low & 0x7FFF_FFFF
        outcomes[np.abs(high) >= 2**31] = 1
        return np.asarray((np.clip(high, -(2**31), 2**31) << 31) + low)


def _sizes(costs: Array) -> Array:
    """The size of each assignment: Size of ``include/konig/exact.h``."""
    counts = (costs != 0).sum(1)
    exponents = np.where(costs != 0, np.frexp(costs)[1] - 1, 0).sum(1)
    mean = np.floor_divide(exponents, np.maximum(counts, 1))
    sizes: Array = np.ldexp(counts.astype(np.float64), mean)
    return sizes
