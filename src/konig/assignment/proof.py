"""Is it an assignment, and is it optimal? Is there really none?

Costs come in blocks of entries ``(rows, cols, values)`` whose shapes broadcast together, so that a dense
matrix is checked a few rows at a time and a sparse one as it is stored. Infinite values forbid a pair and
prove nothing. There are no tolerances. Duals are feasible in exact arithmetic: integers are compared in two
halves where 64 bits would not do, reals by a float64 difference and its rounding error, which is a float64
itself. What is left between the cost and the sum of the duals, in exact arithmetic again, is the gap.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from konig.errors import CertificateError
from konig.exact_reals import difference, exact_sum, float_of, units_in_last_place
from konig.refusal import Array, check_array, check_indices, check_number, checked_mask, in_float64, refuse_if

Blocks = Callable[[], Iterable[tuple[Array, Array, Array]]]

_CHUNK = 1 << 20  # entries looked at together


def dense_blocks(cost: Array, first_row: int = 0) -> Blocks:
    """The entries of a dense matrix, or of some rows of one, a few rows at a time."""

    def blocks() -> Iterator[tuple[Array, Array, Array]]:
        rows, cols = cost.shape
        step = max(1, _CHUNK // max(1, cols))
        for first in range(0, max(1, rows), step):  # at least one, which shows the type
            last = min(rows, first + step)
            at_rows = np.arange(first_row + first, first_row + last)
            yield at_rows[:, None], np.arange(cols)[None, :], cost[first:last]

    return blocks


def entry_blocks(rows: Array, cols: Array, values: Array) -> Blocks:
    """The entries of a sparse matrix; no position may occur twice."""

    def blocks() -> Iterator[tuple[Array, Array, Array]]:
        for first in range(0, max(1, len(values)), _CHUNK):
            chunk = slice(first, first + _CHUNK)
            yield rows[chunk], cols[chunk], values[chunk]

    return blocks


def check_optimal_assignment(
    blocks: Blocks,
    shape: tuple[int, int],
    row_ind: Array,
    col_ind: Array,
    cost: Any,
    gap: Any,
    row_dual: Array,
    col_dual: Array,
    maximize: bool = False,
    of_all: Callable[[list[Any]], list[Any]] = lambda costs: costs,
    integral: bool | None = None,
) -> None:
    """Prove that no assignment of as many pairs costs less (or, maximising, more), but for the gap.

    The proof, minimising: row_dual[i] + col_dual[j] <= cost[i, j] on every allowed pair. Let k pairs be
    assigned. If k is the number of rows, col_dual is <= 0 and 0 where no row is assigned, or k is the number
    of columns, too; and the other way round for columns. If rows and columns are left over, col_dual is <= 0
    and 0 on the columns left over, and row_dual is largest on all the rows left over. Then any k pairs cost
    at least what the duals of the assigned rows and columns sum up to. The gap is what these k cost more: 0
    for integers, for reals no more than rounding of the duals explains.

    Where several processes have a part of the entries each, ``of_all`` brings together what all of them found
    the assigned pairs to cost. Whether costs are integers shows in the first of two passes, unless it is
    known.
    """
    check_pairs(shape, row_ind, col_ind)
    integral = _check_duals(blocks, shape, row_dual, col_dual, integral)
    if not integral:
        row_dual, col_dual = in_float64("row_dual", row_dual), in_float64("col_dual", col_dual)
    sign = -1 if maximize else 1
    _check_free_duals(shape, row_ind, col_ind, row_dual, col_dual, sign)
    costs = of_all(_costs_of_pairs(blocks, shape, row_ind, col_ind, row_dual, col_dual, sign))
    if len(costs) != len(row_ind):
        raise CertificateError(f"{len(row_ind)} pairs are assigned, but only {len(costs)} are entries")
    duals = [*row_dual[row_ind].tolist(), *col_dual[col_ind].tolist()]
    if integral:
        _check_integers(cost, gap, costs, duals)
    else:
        _check_reals(cost, gap, costs, duals, sign, row_dual, col_dual)


def check_unassigned_assignment(
    blocks: Blocks,
    shape: tuple[int, int],
    row_alone: Array,
    col_alone: Array,
    row_ind: Array,
    col_ind: Array,
    cost: Any,
    gap: Any,
    row_dual: Array,
    col_dual: Array,
    maximize: bool = False,
) -> None:
    """Prove that no assignment costs less where leaving rows and columns alone costs this much.

    The proof, minimising: row_dual[i] + col_dual[j] <= cost[i, j] on every allowed pair, row_dual <=
    row_alone and col_dual <= col_alone. Whatever is assigned and left alone then costs at least the sum of
    all duals. The gap is what this answer costs more. All numbers are integers, or all are float64.
    """
    check_pairs(shape, row_ind, col_ind)
    integral = _check_duals(blocks, shape, row_dual, col_dual)
    if not integral:
        row_dual, col_dual = in_float64("row_dual", row_dual), in_float64("col_dual", col_dual)
    sign = -1 if maximize else 1
    paid: list[Any] = []
    for name, dual, alone, assigned in (
        ("row", row_dual, row_alone, row_ind),
        ("col", col_dual, col_alone, col_ind),
    ):
        wrong = np.flatnonzero(dual > alone if sign > 0 else dual < alone)
        bound = "at most" if sign > 0 else "at least"
        refuse_if(
            wrong,
            lambda k, n=name, d=dual, a=alone, b=bound: (
                f"{n}_dual[{k}] = {d[k]} is not {b} {a[k]}, the cost of leaving it alone"
            ),
        )
        is_alone = np.ones(len(alone), bool)
        is_alone[assigned] = False
        paid += alone[is_alone].tolist()
    costs = _costs_of_pairs(blocks, shape, row_ind, col_ind, row_dual, col_dual, sign)
    if len(costs) != len(row_ind):
        raise CertificateError(f"{len(row_ind)} pairs are assigned, but only {len(costs)} are entries")
    duals = [*row_dual.tolist(), *col_dual.tolist()]
    if integral:
        _check_integers(cost, gap, paid + costs, duals)
    else:
        _check_reals(cost, gap, paid + costs, duals, sign, row_dual, col_dual)


def _costs_of_pairs(
    blocks: Blocks,
    shape: tuple[int, int],
    row_ind: Array,
    col_ind: Array,
    row_dual: Array,
    col_dual: Array,
    sign: int,
) -> list[Any]:
    """What the assigned pairs cost that are entries, once no entry is seen to be undercut by its duals."""
    col_of_row = np.full(shape[0], -1, np.int64)
    col_of_row[row_ind] = col_ind
    costs: list[Any] = []
    for rows, cols, values in blocks():
        allowed = np.isfinite(values)
        wrong = np.argwhere(undercuts(values, row_dual[rows], col_dual[cols], sign) & allowed)
        refuse_if(wrong[:, 0], lambda _, w=wrong, r=rows, c=cols: f"{_pair(w[0], r, c)}: the duals exceed it")
        assigned = col_of_row[rows] == cols
        wrong = np.argwhere(~allowed & assigned)
        refuse_if(wrong[:, 0], lambda _, w=wrong, r=rows, c=cols: f"{_pair(w[0], r, c)} is forbidden")
        costs += np.asarray(values)[np.broadcast_to(assigned, values.shape)].tolist()
    return costs


def _pair(position: Array, rows: Array, cols: Array) -> str:
    full = np.broadcast_shapes(rows.shape, cols.shape)
    at = tuple(position)
    return f"entry ({np.broadcast_to(rows, full)[at]}, {np.broadcast_to(cols, full)[at]})"


def check_pairs(shape: tuple[int, int], row_ind: Array, col_ind: Array) -> None:
    """Check that no row and no column occurs twice, and that rows ascend."""
    check_indices("row_ind", row_ind)
    check_indices("col_ind", col_ind)
    if len(row_ind) != len(col_ind):
        raise CertificateError(f"{len(row_ind)} rows are assigned to {len(col_ind)} columns")
    for name, ind, extent in (("row_ind", row_ind, shape[0]), ("col_ind", col_ind, shape[1])):
        wrong = np.flatnonzero((ind < 0) | (ind >= extent))
        refuse_if(wrong, lambda k, n=name, i=ind, e=extent: f"{n}[{k}] = {i[k]} is not in [0, {e})")
    wrong = np.flatnonzero(np.diff(row_ind) <= 0)
    refuse_if(wrong, lambda k: f"row_ind[{k + 1}] = {row_ind[k + 1]} does not ascend")
    wrong = np.flatnonzero(np.bincount(col_ind, minlength=1) > 1)
    refuse_if(wrong, lambda j: f"column {j} is assigned twice")


def _check_duals(
    blocks: Blocks, shape: tuple[int, int], row_dual: Array, col_dual: Array, integral: bool | None = None
) -> bool:
    """Whether the problem is one of integers, once the duals are seen to be of its kind and extent."""
    if integral is None:
        integral = {values.dtype.kind for _, _, values in blocks()} <= set("iub")
    for name, dual, extent in (("row_dual", row_dual, shape[0]), ("col_dual", col_dual, shape[1])):
        check_array(name, dual, "i" if integral else "if", (extent,))
        wrong = np.flatnonzero(~np.isfinite(dual))
        refuse_if(wrong, lambda k, n=name, d=dual: f"{n}[{k}] = {d[k]} is not finite")
    return integral


def _check_free_duals(
    shape: tuple[int, int], row_ind: Array, col_ind: Array, row_dual: Array, col_dual: Array, sign: int
) -> None:
    size = len(row_ind)
    if size < shape[1]:
        _check_longer_side("col_dual", col_dual, col_ind, sign, 0)
    if size < shape[0]:
        level = 0
        if size < shape[1]:
            level = row_dual[np.setdiff1d(np.arange(shape[0]), row_ind)[0]]
        _check_longer_side("row_dual", row_dual, row_ind, sign, level)


def _check_longer_side(name: str, dual: Array, assigned: Array, sign: int, level: Any) -> None:
    free = np.ones(len(dual), bool)
    free[assigned] = False
    wrong = np.flatnonzero(free & (dual != level))
    refuse_if(wrong, lambda k: f"{name}[{k}] = {dual[k]} is not {level} although nothing is assigned there")
    wrong = np.flatnonzero(dual > level if sign > 0 else dual < level)
    bound = "at most" if sign > 0 else "at least"
    refuse_if(wrong, lambda k: f"{name}[{k}] = {dual[k]} is not {bound} {level}")


def undercuts(values: Array, row_dual: Array, col_dual: Array, sign: int) -> Array:
    """Where the cost is below the sum of its duals (above, if the sign is -1), exactly."""
    if values.dtype.kind != "f":
        return _integers_undercut(values, row_dual, col_dual, sign)
    values, row_dual, col_dual = (sign * x for x in (values.astype(np.float64), row_dual, col_dual))
    # Rounding does not change the order of numbers: a difference that is rounded to more than the row's dual
    # is more. Where it is rounded to just that, the rounding error decides.
    slack, error = difference(values, col_dual)
    below: Array = (slack < row_dual) | ((slack == row_dual) & (error < 0))
    return below


def _integers_undercut(values: Array, row_dual: Array, col_dual: Array, sign: int) -> Array:
    values, row_dual, col_dual = (x.astype(np.int64) for x in (values, row_dual, col_dual))
    high = (values >> 32) - (row_dual >> 32) - (col_dual >> 32)
    low = (values & 0xFFFFFFFF) - (row_dual & 0xFFFFFFFF) - (col_dual & 0xFFFFFFFF)
    high += low >> 32  # the sign is now that of the high half
    low &= 0xFFFFFFFF
    below: Array = high < 0 if sign > 0 else (high > 0) | ((high == 0) & (low > 0))
    return below


def _check_integers(cost: Any, gap: Any, costs: list[int], duals: list[int]) -> None:
    check_number("cost", cost, whole=True)
    check_number("gap", gap)
    total = sum(costs)
    if cost != total:
        raise CertificateError(f"the answer claims cost {cost}, but its pairs cost {total}")
    if total != sum(duals):
        raise CertificateError(f"the pairs cost {total}, but the duals prove {sum(duals)}: not tight")
    if gap != 0:
        raise CertificateError(f"the answer claims a gap of {gap}, but there is none between integers")


def _check_reals(
    cost: Any, gap: Any, costs: list[float], duals: list[float], sign: int, row_dual: Array, col_dual: Array
) -> None:
    check_number("cost", cost)
    check_number("gap", gap)
    total = exact_sum(costs)
    near = math.isfinite(cost) and abs(Fraction(cost) - total) <= Fraction(math.ulp(cost))
    if float_of(total) != cost and not near:
        raise CertificateError(f"the answer claims cost {cost}, but its pairs cost {float_of(total)}")
    proved = sign * (total - exact_sum(duals))
    units = sum(exact_sum(units_in_last_place(dual)) for dual in (row_dual, col_dual))
    limit = exact_sum(np.abs(costs)) / 10**12 + units
    if proved > limit:
        raise CertificateError(
            f"the duals leave a gap of {float_of(proved)}, and rounding explains {float_of(limit)}: not tight"
        )
    # A bound that was found in float64 is a little larger than what it bounds.
    most = proved + proved / 2**40 + units / 2**40 + Fraction(4, 2**1074)
    if not (math.isfinite(gap) and proved <= Fraction(gap) <= most):
        raise CertificateError(f"the answer claims a gap of {gap}, but its duals prove {float_of(proved)}")


def check_hall_violator(blocks: Blocks, shape: tuple[int, int], rows: Array, cols: Array) -> None:
    """Prove that not every row, or not every column, can be assigned.

    Either the rows have allowed pairs with these columns only, which are fewer; or the columns with these
    rows only, which are fewer.
    """
    is_row = checked_mask("the violator's rows", rows, shape[0])
    is_col = checked_mask("the violator's cols", cols, shape[1])
    if len(rows) == len(cols):
        raise CertificateError(f"{len(rows)} rows and as many columns violate nothing")
    by_rows = len(rows) > len(cols)
    if shape[0] > shape[1] if by_rows else shape[1] > shape[0]:
        raise CertificateError("the longer side need not be assigned")
    for at_rows, at_cols, values in blocks():
        inside, outside = is_row[at_rows], is_col[at_cols]
        if not by_rows:
            inside, outside = outside, inside
        wrong = np.argwhere(inside & ~outside & np.isfinite(values))
        refuse_if(
            wrong[:, 0], lambda _, w=wrong, r=at_rows, c=at_cols: f"{_pair(w[0], r, c)} leaves the violator"
        )
