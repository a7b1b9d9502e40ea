"""Assignments in which rows and columns may be left alone at a cost: validate, reduce, solve, prove.

Minimising, a pair is worth making only if it costs no more than leaving both of it alone. Let the shorter
side be the rows: all of them are assigned at min(cost - what leaving the column alone costs, what leaving the
row alone costs), and pairs that cost more than that are dropped again (``native/assignment/unassigned.h``).
On the CPU native code does all of it. Here is what the methods on a team need, on CPU threads or on a GPU:
costs reduced where they are, and the answer proved in the costs as given.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import scipy.sparse as sp

from konig import _native
from konig.assignment import auto, cpu
from konig.assignment.cpu import Found, How, Solved, duals_too_large, required
from konig.assignment.inputs import SparseCosts, check_dense_costs, sparse_costs
from konig.assignment.methods import JV
from konig.exact_reals import exact_sum, float_of
from konig.index_arrays import as_array
from konig.interop import arrays
from konig.results import statistics
from konig.threads import chosen_threads, worth_sharing

Array = np.ndarray
NAME = "unassigned_cost"
MOST_REDUCED = 2**60  # integers whose sums of three may be larger are solved in the extended matrix
NARROW = 2**30  # below which they are solved in 32 bits
SCALED, SCALE = 2.0**1000, 2.0**-64  # reals whose differences may be beyond float64 are scaled


@dataclass(frozen=True, slots=True)
class Alone:
    """What leaving each row and each column alone costs: int64 or float64, (n,) and (m,) or with a batch."""

    row: Array
    col: Array

    @property
    def is_real(self) -> bool:
        return self.row.dtype.kind == "f"

    def largest(self) -> float:
        """At least every number's size."""
        return float(max(np.abs(side.astype(np.float64)).max(initial=0.0) for side in (self.row, self.col)))

    def minimised(self, maximize: bool) -> Alone:
        return Alone(0 - self.row, 0 - self.col) if maximize else self

    def of_problem(self, b: int, rows: int, cols: int) -> Alone:
        """Those of one problem of a batch."""
        row, col = (np.ascontiguousarray(side) for side in (self.row[b, :rows], self.col[b, :cols]))
        return Alone(row, col)


def per_side(unassigned_cost: Any) -> tuple[Any, Any]:
    """What was given for the rows and for the columns; a number is for the rows."""
    if type(unassigned_cost) is tuple:
        if len(unassigned_cost) != 2:
            raise ValueError(f"{NAME} must be a number or a pair (rows, columns), not {unassigned_cost!r}")
        return unassigned_cost
    if isinstance(unassigned_cost, int | float | np.number) or np.ndim(unassigned_cost) == 0:
        return unassigned_cost, None
    raise TypeError(
        f"{NAME} must be a number or a pair (rows, columns) of numbers, arrays or None, not a "
        f"{type(unassigned_cost).__name__}"
    )


def checked(unassigned_cost: Any, shape: tuple[int, ...], real_costs: bool) -> Alone:
    """The costs of leaving rows and columns of a problem, or of a batch, of this shape alone.

    They are reals if the costs are, or if some of them are.
    """
    *problems, rows, cols = shape
    given = per_side(unassigned_cost)
    sides = [
        _side(side, name, (*problems, extent))
        for side, name, extent in zip(given, ("row", "column"), (rows, cols), strict=True)
    ]
    if real_costs or any(side.dtype.kind == "f" for side in sides):
        sides = [
            in_float64(side, f"{NAME}: {name}") for side, name in zip(sides, ("row", "column"), strict=True)
        ]
    return Alone(*sides)


def _side(given: Any, name: str, shape: tuple[int, ...]) -> Array:
    if given is None:
        return np.zeros(shape, np.int64)
    numbers = as_array(given, NAME)
    if numbers.dtype.kind not in "iuf" or numbers.dtype.itemsize > 8:
        raise TypeError(f"{NAME}: {name} costs must be real numbers, not {numbers.dtype}")
    if numbers.dtype == np.uint64 and numbers.size and int(numbers.max()) > np.iinfo(np.int64).max:
        raise ValueError(f"{NAME}: {name} cost {numbers.max()} does not fit into 64 bits with a sign")
    wide = numbers.astype(np.float64 if numbers.dtype.kind == "f" else np.int64)
    try:
        every = np.broadcast_to(wide, shape)
    except ValueError:
        raise ValueError(
            f"{NAME}: expected {shape[-1]} {name} costs or one, not an array of shape {numbers.shape}"
        ) from None
    wrong = np.argwhere(~np.isfinite(every))
    if len(wrong):
        first = tuple(wrong[0])
        where = f"{name} {first[-1]}" if len(shape) == 1 else f"problem {first[0]}, {name} {first[-1]}"
        raise ValueError(f"{NAME}: {where}: {every[first]} is not a finite number")
    return np.array(every)


def in_float64(numbers: Array, name: str) -> Array:
    """The same numbers in float64; an integer that has none is an error."""
    if numbers.dtype.kind == "f":
        return numbers.astype(np.float64, copy=False)
    reals = numbers.astype(np.float64)
    if numbers.dtype.itemsize == 8:
        back = np.where(reals < 2.0**63, reals, 0.0).astype(np.int64)
        wrong = np.argwhere((reals >= 2.0**63) | (back != numbers))
        if len(wrong):
            where = ", ".join(str(int(i)) for i in wrong[0])
            raise ValueError(
                f"{name}[{where}] = {numbers[tuple(wrong[0])]} takes more digits than float64 has, in which "
                "integers and reals are solved together"
            )
    return reals


def reals_there(costs: Any) -> Any:
    """Dense costs in float64, where they are; an integer that has none is an error."""
    if costs.dtype.kind == "f":
        return costs.astype(np.float64, copy=False)
    reals = costs.astype(np.float64)
    if costs.dtype.itemsize == 8 and costs.size:
        fits = abs(reals) < 2.0**62
        if not bool((fits & (reals.astype(np.int64) == costs)).all()):
            in_float64(arrays.to_numpy(costs), "C")  # says which; or all of them have one
    return reals


def real_costs(costs: Any) -> Any:
    """Dense costs on the host, or sparse ones, in float64."""
    if isinstance(costs, SparseCosts):
        return replace(costs, cost=in_float64(costs.cost, "C.data"))
    return in_float64(costs, "C")


def is_real(costs: Any) -> bool:
    return bool((costs.cost if isinstance(costs, SparseCosts) else costs).dtype.kind == "f")


# ---- on the host


class _Answer:
    """What native code writes its fields into."""


def solve(costs: Any, alone: Alone, how: How) -> Solved:
    """The optimum for dense costs on the host, in either order, or for sparse ones."""
    if alone.is_real and not is_real(costs):
        costs = real_costs(costs)
    if 0 in costs.shape:
        return _nothing_to_assign(alone)
    if isinstance(costs, SparseCosts):
        return _solve_sparse(costs, alone, how)
    if how.method.solver == "hungarian":
        costs = np.ascontiguousarray(costs)
        largest, _ = check_dense_costs(costs, how.maximize, worth_sharing(costs.size, how.threads))
        if not fits(largest, alone):
            return solve(costs, alone, replace(how, method=JV, settings={}))
        return solve_reduced(np, costs, alone, how, cpu.solve, float(largest))
    rows, cols = costs.shape
    parallel = how.method.solver == "core" and rows * cols > auto.SERIAL_ENTRIES
    workers = chosen_threads(how.threads) if parallel else how.threads or 1

    plan = auto.native_plan(auto.stages_for_shape(how.method, rows, cols))
    found: Any = _native.assign_unassigned(
        _Answer, costs, alone.row, alone.col, how.maximize, plan, workers, how.report, costs.size
    )
    if found is not None:
        rest, pairs = found.found, (found.row_ind, found.col_ind)
        return Solved(*pairs, found.cost, rest.gap, rest.row_dual, rest.col_dual, statistics(rest.counts))
    check_dense_costs(np.ascontiguousarray(costs), how.maximize)
    if alone.is_real:
        raise duals_too_large(np.float64)
    return solve_extended(sparse_costs(sp.coo_array(_all_entries(costs), costs.shape)), alone, how)


def fits(largest: Any, alone: Alone) -> bool:
    """Whether reduced costs fit into their type, of costs up to ``largest``."""
    return alone.is_real or bool(largest + 2 * alone.largest() < MOST_REDUCED)


def _all_entries(costs: Array) -> tuple[Array, tuple[Array, Array]]:
    rows, cols = costs.shape
    return costs.ravel(), (np.repeat(np.arange(rows), cols), np.tile(np.arange(cols), rows))


def _nothing_to_assign(alone: Alone) -> Solved:
    none = np.zeros(0, np.int64)
    gap = 0.0 if alone.is_real else 0
    cost, duals = total([alone.row, alone.col]), (alone.row.copy(), alone.col.copy())
    return Solved(none, none.copy(), cost, gap, *duals, {})


def total(parts: list[Array]) -> int | float:
    """The sum of all numbers; of reals the nearest float64."""
    if any(part.dtype.kind == "f" for part in parts):
        return float_of(sum((exact_sum(part) for part in parts), Fraction(0))) + 0.0
    return sum(sum(part.tolist()) for part in parts)


def _solve_sparse(costs: SparseCosts, alone: Alone, how: How) -> Solved:
    rows, cols = costs.shape
    dual = np.float64 if alone.is_real else np.int64
    col_of_row = np.empty(rows, np.int64)
    row_dual: Any = np.empty(rows, dual)
    col_dual: Any = np.empty(cols, dual)
    given: tuple[Any, Any, Any] = costs.start, costs.col, costs.cost
    sides: tuple[Any, Any] = alone.row, alone.col
    outcome, found, stats = _native.assign_sparse_unassigned(
        *given, how.largest, how.maximize, *sides, col_of_row, row_dual, col_dual, how.report
    )
    if outcome != "optimal":
        if alone.is_real:
            raise duals_too_large(dual)
        return solve_extended(costs, alone, how)
    row_ind = np.flatnonzero(col_of_row >= 0)
    cost, gap = found
    return Solved(row_ind, col_of_row[row_ind], cost, gap if alone.is_real else 0, row_dual, col_dual, stats)


def solve_extended(costs: SparseCosts, alone: Alone, how: How) -> Solved:
    """The same by the extended matrix, which holds all numbers as they are.

    A row may take a column of its own, at the cost of leaving it alone, and a column a row of its own. Where
    a row and a column are a pair, those two are one, at no cost. The duals of a row and of its own column add
    up to its dual here.
    """
    (rows, cols), (row, col) = costs.shape, (costs.row, costs.col)
    i, j = np.arange(rows), np.arange(cols)
    entry_row = np.concatenate([row, i, rows + j, rows + col])
    entry_col = np.concatenate([col, cols + i, j, cols + row])
    values = np.concatenate([costs.cost.astype(np.int64), alone.row, alone.col, np.zeros(len(col), np.int64)])
    size = rows + cols
    extended = sparse_costs(sp.coo_array((values, (entry_row, entry_col)), (size, size)))
    largest = max(how.largest, alone.largest(), float(np.abs(costs.cost.astype(np.float64)).max(initial=0.0)))
    found = required(cpu.solve_sparse(extended, replace(how, largest=largest)))
    row_dual = [int(u) + int(v) for u, v in zip(found.row_dual[:rows], found.col_dual[cols:], strict=True)]
    col_dual = [int(v) + int(u) for v, u in zip(found.col_dual[:cols], found.row_dual[rows:], strict=True)]
    if max(map(abs, row_dual + col_dual)) > np.iinfo(np.int64).max:
        raise duals_too_large(np.int64)
    paired = (found.row_ind < rows) & (found.col_ind < cols)
    duals = np.array(row_dual, np.int64), np.array(col_dual, np.int64)
    return Solved(found.row_ind[paired], found.col_ind[paired], found.cost, 0, *duals, found.stats)


# ---- reduced costs, wherever they are


@dataclass(frozen=True, slots=True)
class Reduction:
    """Reduced costs are min(cost - row_shift - col_shift, row_limit + col_limit), all of them minimised.

    Of reals only what is not the same for the whole longer side is subtracted: that rounds.
    """

    row_shift: Array
    col_shift: Array
    row_limit: Array
    col_limit: Array

    @staticmethod
    def of(alone: Alone, by_rows: Any) -> Reduction:
        """For one problem or a batch; all rows are to be assigned if ``by_rows``, else all columns.

        Of a batch that is a column of flags, one for each problem.
        """
        if not alone.is_real:
            return Reduction(alone.row, alone.col, np.zeros_like(alone.row), np.zeros_like(alone.col))
        (row_shift, row_constant), (col_shift, col_constant) = map(_parts, (alone.row, alone.col))
        return Reduction(
            np.where(by_rows, 0.0, row_shift),
            np.where(by_rows, col_shift, 0.0),
            np.where(by_rows, alone.row + col_constant, 0.0),
            np.where(by_rows, 0.0, alone.col + row_constant),
        )

    def reduced(self, xp: Any, costs: Any, dtype: Any, maximize: bool, scale: float) -> Any:
        """The reduced costs of a problem or of a batch, where its costs are."""

        def there(side: Array) -> Any:
            return xp.asarray((side * scale if scale != 1.0 else side).astype(dtype))

        made = costs.astype(dtype)
        if maximize or scale != 1.0:
            made *= dtype(-scale if maximize else scale)
        made -= there(self.row_shift)[..., None]
        made -= there(self.col_shift)[..., None, :]
        limit = there(self.row_limit)[..., None], there(self.col_limit)[..., None, :]
        if self.row_limit.any() and self.col_limit.any():  # of different problems of a batch
            return xp.minimum(made, limit[0] + limit[1], out=made)
        return xp.minimum(made, limit[0] if self.row_limit.any() else limit[1], out=made)

    def shift(self, alone: Alone, row_dual: Array, col_dual: Array, all_assigned: Any) -> Any:
        """How far column duals move up and row duals down so that leaving nothing alone costs less.

        Something left alone determines it. Where all are assigned duals move as little as they can.
        """
        least = (row_dual + self.row_shift - alone.row).max(-1, keepdims=True)
        most = (alone.col - self.col_shift - col_dual).min(-1, keepdims=True)
        little = np.maximum(np.minimum(most, 0), np.minimum(least, most))
        by_rows = row_dual.shape[-1] <= col_dual.shape[-1]
        return np.where(all_assigned, little, most if by_rows else least)


def _parts(side: Array) -> tuple[Array, Array]:
    """What is to be subtracted, and the number that all have in common; one of them is 0."""
    is_constant = (side == side[..., :1]).all(-1, keepdims=True)
    if side.shape[-1] == 0:
        return side, np.zeros(is_constant.shape)
    return np.where(is_constant, 0.0, side), np.where(is_constant, side[..., :1], 0.0)


def allows(paid: Array, row: Array, col: Array) -> Array:
    """Whether pairs that cost this much are no dearer than leaving both alone, exactly."""
    if paid.dtype.kind == "i":
        return np.asarray(paid - row - col <= 0)
    with np.errstate(over="ignore", invalid="ignore"):
        both = row + col
        of_col = both - row
        error = (row - (both - of_col)) + (col - of_col)
    return np.asarray(np.isfinite(paid) & ((paid < both) | ((paid == both) & (error >= 0))))


def prove_on_host(
    costs: Any, maximize: bool, threads: int, alone: Alone, col_of_row: Array, col_dual: Array
) -> tuple[Array, float, int]:
    """Row duals, the gap and the number of repairs; pairs and column duals may change."""
    row_dual: Any = np.empty(len(col_of_row))
    sides: tuple[Any, Any] = alone.row, alone.col
    answer: tuple[Any, Any, Any] = col_of_row, row_dual, col_dual
    gap, solves = _native.prove_unassigned(costs, maximize, threads, *sides, *answer)
    return row_dual, gap, solves


def solve_reduced(
    xp: Any,
    costs: Any,
    alone: Alone,
    how: How,
    solve_full: Callable[[Any, How], Found],
    largest: float,
    prove: Callable[..., tuple[Array, float, int]] | None = None,
) -> Solved:
    """The optimum for checked dense costs that fit, by ``solve_full``, which minimises full assignments.

    ``largest`` is at least every finite |cost|.
    The arrays of the answer are where the costs are. ``prove`` takes the costs of leaving rows and columns
    alone, the pairs and the column duals, all minimised and on the host.
    """
    rows, cols = costs.shape
    largest += 2 * alone.largest()
    sides = alone.minimised(how.maximize)
    reduction = Reduction.of(sides, rows <= cols)
    scale = SCALE if alone.is_real and largest > SCALED else 1.0
    narrow = np.int32 if largest < NARROW else np.int64
    made = reduction.reduced(xp, costs, np.float64 if alone.is_real else narrow, how.maximize, scale)
    found = required(solve_full(made, replace(how, maximize=False))).on_host()
    del made
    sign = -1 if how.maximize else 1
    paid_by_pairs = _paid(xp, costs, found.row_ind, found.col_ind, sign)
    kept = allows(paid_by_pairs, sides.row[found.row_ind], sides.col[found.col_ind])
    col_of_row = np.full(rows, -1, np.int32)
    col_of_row[found.row_ind[kept]] = found.col_ind[kept]
    row_dual, col_dual = (dual / scale if scale != 1.0 else dual for dual in (found.row_dual, found.col_dual))
    shift = reduction.shift(sides, row_dual, col_dual, kept.sum() == rows == cols)
    row_dual = row_dual + reduction.row_shift - shift
    col_dual = col_dual + reduction.col_shift + shift
    gap: int | float = 0
    stats = found.stats
    if alone.is_real:
        if prove is None:
            workers = worth_sharing(costs.size, how.threads)
            row_dual, gap, solves = prove_on_host(costs, how.maximize, workers, sides, col_of_row, col_dual)
        else:
            row_dual, gap, solves = prove(sides, col_of_row, col_dual)
        if math.isinf(gap):
            raise duals_too_large(np.float64)
        stats = {**stats, "extended_solves": solves}
    row_ind = np.flatnonzero(col_of_row >= 0)
    col_ind = col_of_row[row_ind].astype(np.int64)
    alone_rows, alone_cols = np.ones(rows, bool), np.ones(cols, bool)
    alone_rows[row_ind], alone_cols[col_ind] = False, False
    paid = [_paid(xp, costs, row_ind, col_ind, 1), alone.row[alone_rows], alone.col[alone_cols]]
    row_dual, col_dual = sign * row_dual + 0, sign * col_dual + 0
    there = (row_ind, col_ind, row_dual, col_dual)
    if xp is not np:
        row_ind, col_ind, row_dual, col_dual = (xp.asarray(part) for part in there)
    return Solved(row_ind, col_ind, total(paid), gap, row_dual, col_dual, stats)


def _paid(xp: Any, costs: Any, row_ind: Array, col_ind: Array, sign: int) -> Array:
    found = costs[xp.asarray(row_ind), xp.asarray(col_ind)]
    there: Array = found if xp is np else found.get()
    return sign * there.astype(np.float64 if there.dtype.kind == "f" else np.int64)
