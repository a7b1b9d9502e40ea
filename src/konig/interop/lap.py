"""`lapjv` as the packages lap and lapx have it, which trackers call by name."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import konig
from konig import _native
from konig.assignment.auto import SMALL_ENTRIES, SMALL_PLAN
from konig.assignment.inputs import with_room_for_sums
from konig.assignment.result import Assignment
from konig.assignment.small import assign_small
from konig.exact_reals import float_sum
from konig.interop.scipy import solved_as_doubles

__all__ = ["lapjv"]


def lapjv(
    cost: Any, extend_cost: bool = False, cost_limit: float = np.inf, return_cost: bool = True
) -> tuple[Any, ...]:
    """Assign rows to columns at the least cost: a drop-in for ``lap.lapjv``.

    Parameters
    ----------
    cost : array_like
        Costs in two dimensions; ``inf`` forbids an entry.
    extend_cost : bool
        Whether the matrix may be rectangular.
    cost_limit : float
        Pairs that cost more are not made: a row left alone costs `cost_limit`, as `unassigned_cost` of
        `konig.linear_assignment` says. The matrix may then be rectangular.
    return_cost : bool
        Whether to return the cost.

    Returns
    -------
    total : float
        What the assigned pairs cost; only with `return_cost`.
    x : array of int32
        The column of each row, or -1.
    y : array of int32
        The row of each column, or -1.

    Raises
    ------
    ValueError
        When `cost` does not have two dimensions, is rectangular without leave, or holds NaN or ``-inf``; when
        `cost_limit` is NaN or ``-inf``.

    Notes
    -----
    Where forbidden entries leave no full assignment, as many rows as possible are assigned; ``lap`` assigns
    forbidden entries then, at an infinite cost. No matrix is extended, so that memory is needed for the costs
    alone.

    Examples
    --------
    >>> import numpy as np
    >>> from konig.interop.lap import lapjv
    >>> cost = np.array([[0.1, 0.9, 0.8], [0.2, 0.7, 0.6]])
    >>> lapjv(cost, extend_cost=True, cost_limit=0.5)
    (0.1, array([ 0, -1], dtype=int32), array([ 0, -1, -1], dtype=int32))
    """
    if cost_limit == math.inf:
        a: Any = assign_small(cost, False)
        if a is not None and (extend_cost or cost.shape[0] == cost.shape[1]):
            return _as_lap_has_it(a.row_ind, a.col_ind, a.cost, cost.shape, return_cost)
    else:
        a = _native.assign_unassigned(
            Assignment, cost, cost_limit, None, False, SMALL_PLAN, 1, None, SMALL_ENTRIES
        )
        if a is not None:
            row_ind, col_ind = a.row_ind, a.col_ind
            return _as_lap_has_it(row_ind, col_ind, _sum(cost[row_ind, col_ind]), cost.shape, return_cost)
    costs = np.asarray(cost)
    if costs.ndim != 2:
        raise ValueError("2-dimensional array expected")
    cost_limit = float(cost_limit)
    if math.isnan(cost_limit) or cost_limit == -math.inf:
        raise ValueError(f"cost_limit must be finite or inf, not {cost_limit}")
    rows, cols = costs.shape
    if rows != cols and not extend_cost and cost_limit == math.inf:
        raise ValueError(
            "Square cost array expected. If cost is intentionally non-square, pass extend_cost=True or set a "
            "finite cost_limit."
        )
    return _as_lap_has_it(*_pairs(costs, cost_limit), costs.shape, return_cost)


def _as_lap_has_it(
    row_ind: Any, col_ind: Any, total: float, shape: tuple[int, int], return_cost: bool
) -> tuple[Any, ...]:
    rows, cols = shape
    # Rows ascend: where all of them are assigned, their columns stand in order.
    x = col_ind.astype(np.int32) if len(row_ind) == rows else _partners(row_ind, col_ind, rows)
    y = _partners(col_ind, row_ind, cols)
    return (float(total), x, y) if return_cost else (x, y)


def _partners(of: Any, partners: Any, extent: int) -> Any:
    found = np.empty(extent, np.int32)
    if len(of) < extent:
        found.fill(-1)
    found[of] = partners
    return found


def _pairs(costs: Any, cost_limit: float) -> tuple[Any, Any, float]:
    if cost_limit == math.inf:
        _, answer = solved_as_doubles(costs, full=False)
    else:
        answer = _gated(costs, cost_limit)
    row_ind, col_ind = answer.row_ind, answer.col_ind
    return row_ind, col_ind, _sum(costs[row_ind, col_ind])


def _gated(costs: Any, cost_limit: float) -> Any:
    """In lap's extended matrix leaving a row or a column alone costs half the limit.

    Each row left alone has a column left alone with it, but for those that the longer side has too many: so
    all of it may be charged for the rows.
    """
    limit: int | float = cost_limit
    if costs.dtype.kind in "biu":
        if abs(cost_limit) < 2.0**62 and cost_limit.is_integer():
            limit = int(cost_limit)
        else:
            costs = costs.astype(np.float64)  # as lap does
    try:
        return konig.linear_assignment(costs, unassigned_cost=limit)
    except OverflowError:
        scaled = with_room_for_sums(costs)
        return konig.linear_assignment(scaled, unassigned_cost=float(with_room_for_sums(np.float64(limit))))


def _sum(chosen: Any) -> float:
    return float_sum(chosen.tolist()) if chosen.dtype.kind == "f" else float(sum(chosen.tolist()))
