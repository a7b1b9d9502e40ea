"""The functions of the packages lap and lapx that trackers call by name: same arguments, same results."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

import konig
from konig import _native
from konig.assignment.auto import SMALL_ENTRIES, SMALL_PLAN
from konig.assignment.inputs import with_room_for_sums
from konig.assignment.result import Assignment
from konig.assignment.small import assign_small
from konig.exact_reals import float_sum
from konig.interop.scipy import solved_as_doubles

__all__ = ["lapjv", "lapjvx", "lapjvx_batch", "lapjvxa", "lapjvxa_batch", "lapmod", "lapmod_batch"]

FP_DYNAMIC = 3  # of lap's constants for `fp_version` the default

Problem = tuple[int, Any, Any, Any]


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
        What the assigned pairs cost; only with `return_cost`. ``inf`` where forbidden entries leave no full
        assignment: as many pairs as possible are then allowed ones, and the others are forbidden.
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
    No matrix is extended, so that memory is needed for the costs alone. For the rows that make a problem
    infeasible see `konig.linear_assignment`.

    Examples
    --------
    >>> import numpy as np
    >>> from konig.interop.lap import lapjv
    >>> cost = np.array([[0.1, 0.9, 0.8], [0.2, 0.7, 0.6]])
    >>> lapjv(cost, extend_cost=True, cost_limit=0.5)
    (0.1, array([ 0, -1], dtype=int32), array([ 0, -1, -1], dtype=int32))
    """
    return _as_lap_has_it(*_solved(cost, extend_cost, cost_limit), return_cost)


def lapjvx(
    cost: Any, extend_cost: bool = False, cost_limit: float = np.inf, return_cost: bool = True
) -> tuple[Any, ...]:
    """The same as `lapjv`, as pairs: a drop-in for ``lap.lapjvx``.

    Parameters
    ----------
    cost, extend_cost, cost_limit, return_cost
        As for `lapjv`.

    Returns
    -------
    total : float
        As for `lapjv`.
    row_indices, col_indices : array
        The pairs, in the order of the shorter side, which is int64; the other is int32.

    Examples
    --------
    >>> import numpy as np
    >>> from konig.interop.lap import lapjvx
    >>> lapjvx(np.array([[5.0, 1.0], [9.0, 9.0], [1.0, 5.0]]), extend_cost=True)
    (2.0, array([2, 0], dtype=int32), array([0, 1]))
    """
    row_ind, col_ind, total, shape = _solved(cost, extend_cost, cost_limit)
    rows, cols = _in_order_of_shorter(row_ind, col_ind, shape)
    return (float(total), rows, cols) if return_cost else (rows, cols)


def lapjvxa(
    cost: Any, extend_cost: bool = False, cost_limit: float = np.inf, return_cost: bool = True
) -> Any:
    """The same as `lapjvx`, as one array of int32 (K, 2): a drop-in for ``lap.lapjvxa``.

    Examples
    --------
    >>> import numpy as np
    >>> from konig.interop.lap import lapjvxa
    >>> lapjvxa(np.array([[0.1, 0.9], [0.2, 0.7]]), return_cost=False).tolist()
    [[0, 0], [1, 1]]
    """
    row_ind, col_ind, total, shape = _solved(cost, extend_cost, cost_limit)
    pairs = np.stack(_in_order_of_shorter(row_ind, col_ind, shape), axis=1).astype(np.int32)
    return (float(total), pairs) if return_cost else pairs


def lapjvx_batch(
    costs: Any,
    extend_cost: bool = False,
    cost_limit: float = np.inf,
    return_cost: bool = True,
    n_threads: int | None = 0,
) -> tuple[Any, ...]:
    """`lapjvx` of each problem of an array (B, N, M): a drop-in for ``lap.lapjvx_batch``.

    Parameters
    ----------
    costs : array_like
        The problems.
    extend_cost, cost_limit, return_cost
        As for `lapjv`.
    n_threads : int, optional
        How many threads solve them; all idle cores for 0 and None, one for negative numbers.

    Returns
    -------
    totals : array of float64
        Only with `return_cost`.
    rows, cols : list of arrays of int64
        The pairs of each problem, as `lapjvx` has them.

    Examples
    --------
    >>> import numpy as np
    >>> from konig.interop.lap import lapjvx_batch
    >>> totals, rows, cols = lapjvx_batch(np.array([[[1.0, 2.0], [2.0, 1.0]], [[3.0, 1.0], [1.0, 3.0]]]))
    >>> totals.tolist(), [col.tolist() for col in cols]
    ([2.0, 2.0], [[0, 1], [1, 0]])
    """
    totals, rows, cols = [], [], []
    for row_ind, col_ind, total, shape in _solved_batch(costs, extend_cost, cost_limit, n_threads):
        ordered = _in_order_of_shorter(row_ind, col_ind, shape)
        totals.append(total)
        rows.append(ordered[0].astype(np.int64))
        cols.append(ordered[1].astype(np.int64))
    return (np.array(totals, np.float64), rows, cols) if return_cost else (rows, cols)


def lapjvxa_batch(
    costs: Any,
    extend_cost: bool = False,
    cost_limit: float = np.inf,
    return_cost: bool = True,
    n_threads: int | None = 0,
) -> Any:
    """The same as `lapjvx_batch`, with one array of int64 (K, 2) a problem: ``lap.lapjvxa_batch``."""
    totals, rows, cols = lapjvx_batch(costs, extend_cost, cost_limit, True, n_threads)
    pairs = [np.stack(both, axis=1) for both in zip(rows, cols, strict=True)]
    return (totals, pairs) if return_cost else pairs


def lapmod(
    n: Any,
    cc: Any,
    ii: Any,
    kk: Any,
    fast: bool = True,
    return_cost: bool = True,
    fp_version: int = FP_DYNAMIC,
) -> tuple[Any, ...]:
    """Assign the rows of a sparse square matrix: a drop-in for ``lap.lapmod``.

    Parameters
    ----------
    n : int
        The number of rows and columns.
    cc, ii, kk : array_like
        The matrix in compressed rows: costs, where each row begins, and columns, which ascend in each row.
    return_cost : bool
        Whether to return the cost.
    fast, fp_version
        Which of lap's programs would run; there is one here.

    Returns
    -------
    total, x, y
        As for `lapjv`.

    Raises
    ------
    ValueError
        When the arrays are not such a matrix, or hold a cost that is not finite.

    Examples
    --------
    >>> import numpy as np
    >>> from konig.interop.lap import lapmod
    >>> lapmod(2, np.array([1.0, 2.0, 3.0]), np.array([0, 2, 3]), np.array([0, 1, 0]))
    (5.0, array([1, 0], dtype=int32), array([1, 0], dtype=int32))
    """
    costs = _compressed_rows(operator.index(n), np.asarray(cc), np.asarray(ii), np.asarray(kk))
    _, answer = solved_as_doubles(costs, full=False)
    # Both ascend by row, and a row has its columns in order: the costs of the pairs stand in the same order.
    chosen = costs.data[_places(costs, answer.row_ind, answer.col_ind)]
    pairs = _completed(answer.row_ind, answer.col_ind, _sum(chosen), costs.shape)
    return _as_lap_has_it(*pairs, costs.shape, return_cost is True)


def lapmod_batch(
    problems: Sequence[Problem],
    fast: bool = True,
    return_cost: bool = True,
    fp_version: int = FP_DYNAMIC,
    n_threads: int | None = 0,
) -> tuple[Any, ...]:
    """`lapmod` of each problem (n, cc, ii, kk), one after the other: a drop-in for ``lap.lapmod_batch``."""
    answers = [lapmod(*problem) for problem in problems]
    x, y = [answer[1] for answer in answers], [answer[2] for answer in answers]
    return (np.array([answer[0] for answer in answers], np.float64), x, y) if return_cost else (x, y)


def _solved(cost: Any, extend_cost: bool, cost_limit: float) -> tuple[Any, Any, float, tuple[int, int]]:
    """The pairs, rows ascending, what they cost, and the shape of the costs."""
    if cost_limit == math.inf:
        a: Any = assign_small(cost, False)
        if a is not None and (extend_cost or cost.shape[0] == cost.shape[1]):
            return a.row_ind, a.col_ind, a.cost, cost.shape
    else:
        a = _native.assign_unassigned(
            Assignment, cost, cost_limit, None, False, SMALL_PLAN, 1, None, SMALL_ENTRIES
        )
        if a is not None:
            row_ind, col_ind = a.row_ind, a.col_ind
            return row_ind, col_ind, _sum(cost[row_ind, col_ind]), cost.shape
    costs = np.asarray(cost)
    if costs.ndim != 2:
        raise ValueError("2-dimensional array expected")
    cost_limit = _checked_limit(cost_limit)
    _check_square(costs.shape, extend_cost, cost_limit)
    return *_pairs(costs, cost_limit), costs.shape


def _solved_batch(
    costs: Any, extend_cost: bool, cost_limit: float, n_threads: int | None
) -> Iterator[tuple[Any, Any, float, tuple[int, int]]]:
    """The same for each problem of a batch."""
    costs = np.asarray(costs)
    if costs.ndim != 3:
        raise ValueError("3-dimensional array expected [B, N, M]")
    cost_limit = _checked_limit(cost_limit)
    shape = costs.shape[1:]
    _check_square(shape, extend_cost, cost_limit)
    threads = None if not n_threads else max(1, operator.index(n_threads))
    try:
        if cost_limit == math.inf:
            answers: Any = konig.linear_assignment(costs, full=False, threads=threads)
        else:
            answers = _gated(costs, cost_limit, threads=threads)
    except OverflowError:  # of some problem: each by itself
        for cost in costs:
            yield *_pairs(cost, cost_limit), shape
        return
    for cost, answer in zip(costs, answers, strict=True):
        row_ind, col_ind = answer.row_ind, answer.col_ind
        total = _sum(cost[row_ind, col_ind])
        pairs = row_ind, col_ind, total
        yield *(pairs if cost_limit < math.inf else _completed(*pairs, shape)), shape


def _checked_limit(cost_limit: Any) -> float:
    limit = float(cost_limit)
    if math.isnan(limit) or limit == -math.inf:
        raise ValueError(f"cost_limit must be finite or inf, not {limit}")
    return limit


def _check_square(shape: tuple[int, int], extend_cost: bool, cost_limit: float) -> None:
    if shape[0] != shape[1] and not extend_cost and cost_limit == math.inf:
        raise ValueError(
            "Square cost array expected. If cost is intentionally non-square, pass extend_cost=True or set a "
            "finite cost_limit."
        )


def _compressed_rows(n: int, cc: Any, ii: Any, kk: Any) -> sp.csr_array:
    if n <= 0:
        raise ValueError(f"n must be positive, not {n}")
    if not cc.ndim == ii.ndim == kk.ndim == 1:
        raise ValueError("cc, ii and kk must have one dimension")
    if cc.dtype.kind not in "biuf" or ii.dtype.kind not in "iu" or kk.dtype.kind not in "iu":
        raise ValueError("cc must hold real numbers, ii and kk integers")
    if len(ii) != n + 1 or len(cc) != len(kk):
        raise ValueError(f"ii must have n + 1 = {n + 1} entries, and cc and kk as many as each other")
    if ii[0] != 0 or ii[-1] != len(cc) or (ii[1:] < ii[:-1]).any():
        raise ValueError("ii must begin with 0, not descend and end with len(cc)")
    if len(kk) == 0:
        raise ValueError("there is no entry in cc")
    if kk.min() < 0 or kk.max() >= n:
        raise ValueError(f"kk must be in the range [0, {n})")
    goes_on = np.ones(len(kk) - 1, bool)  # whether an entry is followed by one of its own row
    inner = ii[1:-1][(ii[1:-1] > 0) & (ii[1:-1] < len(kk))]
    goes_on[np.asarray(inner, np.int64) - 1] = False
    wrong = np.flatnonzero(goes_on & (kk[1:] <= kk[:-1]))
    if len(wrong):
        raise ValueError(f"kk must ascend in each row, and entry {wrong[0] + 1} does not")
    if not np.isfinite(cc).all():
        raise ValueError(f"cc must be finite, and entry {np.flatnonzero(~np.isfinite(cc))[0]} is not")
    return sp.csr_array((cc, kk, ii), shape=(n, n))


def _places(costs: sp.csr_array, row_ind: Any, col_ind: Any) -> Any:
    """Where the entries of these pairs are stored: rows ascend, and so do the columns of each."""
    rows = np.repeat(np.arange(costs.shape[0]), np.diff(costs.indptr))
    keys = rows * costs.shape[1] + costs.indices
    return np.searchsorted(keys, row_ind.astype(np.int64) * costs.shape[1] + col_ind)


def _completed(row_ind: Any, col_ind: Any, total: float, shape: tuple[int, int]) -> tuple[Any, Any, float]:
    """A full assignment: what has no allowed partner gets a forbidden one, at an infinite cost."""
    rows, cols = shape
    left = min(shape) - len(row_ind)
    if left == 0:
        return row_ind, col_ind, total
    row_ind = np.concatenate([row_ind, np.setdiff1d(np.arange(rows), row_ind)[:left]])
    col_ind = np.concatenate([col_ind, np.setdiff1d(np.arange(cols), col_ind)[:left]])
    order = np.argsort(row_ind)
    return row_ind[order], col_ind[order], math.inf


def _in_order_of_shorter(row_ind: Any, col_ind: Any, shape: tuple[int, int]) -> tuple[Any, Any]:
    """The pairs in lapx's order and types."""
    if 0 in shape:
        return row_ind.astype(np.int64), col_ind.astype(np.int64)
    if shape[0] <= shape[1]:
        return row_ind.astype(np.int64), col_ind.astype(np.int32)
    order = np.argsort(col_ind)
    return row_ind[order].astype(np.int32), col_ind[order].astype(np.int64)


def _as_lap_has_it(
    row_ind: Any, col_ind: Any, total: float, shape: tuple[int, int], return_cost: bool
) -> tuple[Any, ...]:
    """The partners of all rows and of all columns, and what they cost if that is asked for."""
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
    if cost_limit < math.inf:
        answer = _gated(costs, cost_limit)
        return answer.row_ind, answer.col_ind, _sum(costs[answer.row_ind, answer.col_ind])
    _, answer = solved_as_doubles(costs, full=False)
    total = _sum(costs[answer.row_ind, answer.col_ind])
    return _completed(answer.row_ind, answer.col_ind, total, costs.shape)


def _gated(costs: Any, cost_limit: float, **options: Any) -> Any:
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
        return konig.linear_assignment(costs, unassigned_cost=limit, **options)
    except OverflowError:
        scaled = with_room_for_sums(costs)
        scaled_limit = float(with_room_for_sums(np.float64(limit)))
        return konig.linear_assignment(scaled, unassigned_cost=scaled_limit, **options)


def _sum(chosen: Any) -> float:
    return float_sum(chosen.tolist()) if chosen.dtype.kind == "f" else float(sum(chosen.tolist()))
