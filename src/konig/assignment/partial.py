"""A cheapest assignment among the largest ones, where no assignment is full.

The Dulmage-Mendelsohn decomposition of the allowed pairs says which of them a largest assignment can use:
those inside the horizontal, the square and the vertical part. Each part is a problem with a full assignment
of its own. Pairs between the parts run one way only (from the horizontal rows to the other columns, and from
the square rows to the vertical columns), so moving the duals of a whole part makes room for them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from konig.assignment.cpu import Solved, duals_too_large
from konig.assignment.inputs import SparseCosts
from konig.assignment.proof import Blocks, dense_blocks, entry_blocks
from konig.exact_reals import difference_below, exact_sum, float_above, float_of
from konig.matching.result import VertexCover
from konig.matching.triangular import Part, dulmage_mendelsohn
from konig.refusal import Array
from konig.results import added_stats

SWEEPS = 200  # over all entries, for duals of reals; what takes more gets those of its parts


def solve_largest(
    costs: Array | SparseCosts, maximize: bool, solve: Callable[[Any], Solved]
) -> tuple[Solved, VertexCover]:
    """The cheapest of the largest assignments; ``solve`` takes the costs of a part that has a full one.

    The duals of the parts are joined so that they prove the whole.
    """
    if isinstance(costs, SparseCosts):
        integral, blocks = costs.cost.dtype.kind == "i", entry_blocks(costs.row, costs.col, costs.cost)
        allowed = np.isfinite(costs.cost)
        parts = dulmage_mendelsohn((costs.row[allowed], costs.col[allowed]), shape=costs.shape)
    else:
        integral, blocks = costs.dtype.kind == "i", dense_blocks(costs)
        parts = dulmage_mendelsohn(np.isfinite(costs))
    shape = costs.shape
    dual = np.int64 if integral else np.float64
    row_dual, col_dual = np.zeros(shape[0], dual), np.zeros(shape[1], dual)
    part_of_row, part_of_col = np.zeros(shape[0], np.int8), np.zeros(shape[1], np.int8)
    pairs = [np.zeros((2, 0), np.int64)]
    cost: Any = 0
    stats: dict[str, Any] = {}
    for number, part in enumerate(parts.parts):
        part_of_row[part.rows] = number
        part_of_col[part.cols] = number
        if min(part.shape) == 0:
            continue
        found = solve(_costs_of(costs, part))
        pairs.append(np.stack((part.rows[found.row_ind], part.cols[found.col_ind])))
        row_dual[part.rows] = found.row_dual
        col_dual[part.cols] = found.col_dual
        cost += found.cost
        stats = added_stats(stats, found.stats)
    row_ind, col_ind = np.concatenate(pairs, axis=1)
    order = np.argsort(row_ind)
    sign = -1 if maximize else 1
    solved = Solved(row_ind[order], col_ind[order], cost, 0, row_dual, col_dual, stats)
    paid = None if integral else _paid(blocks, sign, solved)
    small = None if paid is None else _largest_duals(blocks, sign, solved, paid)
    if small is None:
        _make_room(blocks, sign, part_of_row, part_of_col, row_dual, col_dual)
    else:
        # A column left over has no dual. That of the largest ones is 0 but for rounding, which the gap takes.
        assigned = np.isin(np.arange(shape[1]), solved.col_ind)
        solved.col_dual = np.where(assigned, small, 0.0)
    if paid is not None:
        _prove(blocks, sign, solved, paid)
    cover_rows, cover_cols = np.flatnonzero(part_of_row < 2), parts.vertical.cols
    return solved, VertexCover(cover_rows, cover_cols)


def _costs_of(costs: Array | SparseCosts, part: Part) -> Array | SparseCosts:
    if isinstance(costs, SparseCosts):
        return costs.part(part.rows, part.cols)
    return np.ascontiguousarray(costs[np.ix_(part.rows, part.cols)])


def _paid(blocks: Blocks, sign: int, solved: Solved) -> Array:
    """The costs of the pairs, in their order."""
    paid = np.zeros(len(solved.row_ind))
    position, partner = np.full((2, len(solved.row_dual)), -1)
    position[solved.row_ind] = np.arange(len(paid))
    partner[solved.row_ind] = solved.col_ind
    for rows, cols, values in blocks():
        assigned = partner[rows] == cols
        paid[position[np.broadcast_to(rows, values.shape)[assigned]]] = sign * values[assigned]
    return paid


def _left_over(solved: Solved) -> Array:
    """Which rows have no column."""
    left_over = np.ones(len(solved.row_dual), bool)
    left_over[solved.row_ind] = False
    return left_over


def _largest_duals(blocks: Blocks, sign: int, solved: Solved, paid: Array) -> Array | None:
    """The largest column duals that prove the pairs, and are at most 0 (minimising), rounded down.

    They are shortest paths of the residual graph from every column at 0 (Bellman, Ford): a row that pays much
    has a large dual of its own, and takes no digits from the duals of others. Rows left over have the largest
    of the row duals. None after too many sweeps.
    """
    row_ind, col_ind = solved.row_ind, solved.col_ind
    dual, left_over, level = np.zeros(len(solved.col_dual)), _left_over(solved), None
    before = np.full(len(left_over), -np.inf)
    for _ in range(SWEEPS):
        of_row = np.full(len(left_over), -np.inf)  # of rows left over nothing is known at first
        of_row[row_ind] = difference_below(paid, dual[col_ind])
        if level is not None:
            of_row[left_over] = level
        moved, before = of_row != before, of_row
        if not _lower(blocks, sign, of_row, dual, moved):
            if level is not None or not len(row_ind):
                return sign * dual
            level = of_row[row_ind].max()
    return None


def _lower(blocks: Blocks, sign: int, row_dual: Array, col_dual: Array, moved: Array) -> bool:
    """Lower each column dual to what the rows that have moved leave for it; whether one fell."""
    fell = False
    for rows, cols, values in blocks():
        here = moved[rows].reshape(-1)
        if not here.all():
            rows, values, cols = rows[here], values[here], cols[here] if cols.ndim == 1 else cols
        near, room = _not_above(sign * values.astype(np.float64), row_dual[rows], col_dual[cols])
        of_col = np.broadcast_to(cols, values.shape)[near]
        falls = room < col_dual[of_col]
        if falls.any():
            fell = True
            np.minimum.at(col_dual, of_col[falls], room[falls])
    return fell


def _not_above(values: Array, duals: Array, most: Array) -> tuple[Array, Array]:
    """Where values less duals are not above ``most`` before they are rounded down, and after that.

    Rounding down changes a difference by a unit in its last place at most, so no other one is below.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        near = values - duals <= most
    return near, difference_below(values[near], np.broadcast_to(duals, values.shape)[near])


def _prove(blocks: Blocks, sign: int, solved: Solved, paid: Array) -> None:
    """Row duals that no pair undercuts in exact arithmetic, the largest on all rows left over, and the gap.

    Moving parts has rounded the duals. Those of the columns stay as they are.
    """
    row_ind, col_ind, col_dual = solved.row_ind, solved.col_ind, sign * solved.col_dual
    least, lowest = np.full((2, len(solved.row_dual)), np.inf)
    for rows, cols, values in blocks():
        values = sign * values.astype(np.float64)
        with np.errstate(over="ignore"):
            rounded = values - col_dual[cols]
        if rows.ndim == 2:  # dense: each row is in one block
            least[rows[:, 0]] = rounded.min(axis=1, initial=np.inf)
        else:
            np.minimum.at(least, rows, rounded)
        near, room = _not_above(values, col_dual[cols], least[rows])
        np.minimum.at(lowest, np.broadcast_to(rows, values.shape)[near], room)
    left_over = _left_over(solved)
    level = lowest[left_over].min()
    if level == np.inf:  # nothing is allowed there: any dual will do
        level = lowest[row_ind].max(initial=0.0)
    row_dual = np.minimum(lowest, level)
    if not np.isfinite(row_dual).all():
        raise duals_too_large(np.float64)
    total = exact_sum(paid)
    proved = exact_sum(row_dual[row_ind]) + exact_sum(col_dual[col_ind])
    solved.cost, solved.gap = sign * float_of(total) + 0.0, float_above(total - proved)
    solved.row_dual = sign * row_dual + 0.0


def _make_room(
    blocks: Blocks, sign: int, part_of_row: Array, part_of_col: Array, row_dual: Array, col_dual: Array
) -> None:
    """Raise the rows and lower the columns of the square and the vertical part, each by as little as will do.

    Afterwards every allowed pair has its cost at or above the sum of its duals (the other way round where
    ``sign`` is -1), columns have duals <= 0, and vertical rows left over have the largest row dual.
    """
    # Of reals rounded down, so that what is moved is enough in exact arithmetic.
    less = np.subtract if row_dual.dtype.kind == "i" else difference_below
    zero = row_dual.dtype.type(0)
    excess: dict[tuple[int, int], Any] = {}  # by how much duals exceed a cost, from part to part
    for rows, cols, values in blocks():
        with np.errstate(invalid="ignore"):
            room = less(
                less(sign * values.astype(row_dual.dtype), sign * row_dual[rows]), sign * col_dual[cols]
            )
        for above, right in ((0, 1), (0, 2), (1, 2)):
            here = np.isfinite(values) & (part_of_row[rows] == above) & (part_of_col[cols] == right)
            if here.any():
                excess[above, right] = max(excess.get((above, right), zero), -room[here].min())

    def largest(dual: Array, part_of: Array, part: int) -> list[Any]:
        of_part = sign * dual[part_of == part]
        return [of_part.max()] if len(of_part) else []

    square = max(zero, excess.get((0, 1), zero), *largest(col_dual, part_of_col, 1))
    vertical = max(zero, excess.get((0, 2), zero), *largest(col_dual, part_of_col, 2))
    vertical = max([vertical, *largest(row_dual, part_of_row, 0)])
    after_square = largest(row_dual, part_of_row, 1) + ([excess[1, 2]] if (1, 2) in excess else [])
    vertical = max([vertical, *(needed + square for needed in after_square)])
    for part, move in ((1, square), (2, vertical)):
        row_dual[part_of_row == part] += sign * move
        there = part_of_col == part
        col_dual[there] = sign * less(sign * col_dual[there], move)
