"""In place of SciPy's ``linear_sum_assignment`` and ``min_weight_full_bipartite_matching``."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy.sparse import issparse

from konig import _native
from konig.assignment import linear_assignment
from konig.assignment.auto import SMALL_ENTRIES, plan_for_shape
from konig.assignment.inputs import with_room_for_sums
from konig.assignment.result import Assignment
from konig.errors import InfeasibleError
from konig.exact_reals import exact_sum

__all__ = ["linear_sum_assignment", "min_weight_full_bipartite_matching"]

Array = np.ndarray[Any, Any]
# The rounding of two subtractions in float64, generously.
ROUNDING = 2.0**-50


def linear_sum_assignment(cost_matrix: Any, maximize: bool = False) -> tuple[Array, Array]:
    """The cheapest assignment, as ``scipy.optimize.linear_sum_assignment`` returns it.

    Parameters
    ----------
    cost_matrix : array_like
        Costs in two dimensions. ``inf`` forbids a pair (``-inf`` when maximising).
    maximize : bool
        Find the largest sum and not the smallest.

    Returns
    -------
    row_ind, col_ind : array of int64
        The assigned pairs, rows ascending.

    Raises
    ------
    ValueError
        "cost matrix is infeasible" if no assignment is full; "matrix contains invalid numeric entries" for
        NaN and the wrong infinity.

    Notes
    -----
    As SciPy's, but 64-bit integers are exact (unless the two ends of int64 are among them, or duals do not
    fit into it: those are solved as doubles), the GIL is released, and Ctrl-C works. For the duals, and for
    the rows that make a problem infeasible, see `konig.linear_assignment`. Where several assignments are
    optimal it may return another one than SciPy does, but the diagonal whenever that is one of them.

    Examples
    --------
    >>> import numpy as np
    >>> from konig.interop.scipy import linear_sum_assignment
    >>> cost = np.array([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
    >>> row_ind, col_ind = linear_sum_assignment(cost)
    >>> row_ind, col_ind, cost[row_ind, col_ind].sum()
    (array([0, 1, 2]), array([1, 0, 2]), np.int64(5))
    """
    if maximize is False or maximize is True:
        found = _native.assign_small(cost_matrix, maximize, plan_for_shape, SMALL_ENTRIES)
        if found is not None:
            row_ind, col_ind, _, gap, row_dual, col_dual, _ = found
            row_ind.flags.writeable = col_ind.flags.writeable = True
            return _or_diagonal(cost_matrix, row_ind, col_ind, gap, row_dual, col_dual, maximize)
    maximize = bool(maximize)
    costs = _costs(cost_matrix)
    try:
        costs, answer = solved_as_doubles(costs, maximize=maximize)
    except InfeasibleError:
        raise ValueError("cost matrix is infeasible") from None
    except ValueError:
        if costs.dtype.kind == "f":
            raise ValueError("matrix contains invalid numeric entries") from None
        return linear_sum_assignment(costs.astype(np.float64), maximize)
    row_ind, col_ind = np.array(answer.row_ind, np.int64), np.array(answer.col_ind, np.int64)
    return _or_diagonal(costs, row_ind, col_ind, answer.gap, answer.row_dual, answer.col_dual, maximize)


def solved_as_doubles(costs: Any, **options: Any) -> tuple[Any, Assignment]:
    """The costs that were solved, and their assignment, for callers of libraries that compute in doubles.

    Integers beyond what the exact arithmetic takes are solved as doubles. Reals whose duals exceed float64
    are scaled down: these callers do not get the duals.
    """
    try:
        answer = linear_assignment(costs, **options)
    except OverflowError:
        costs = with_room_for_sums(costs)
        answer = linear_assignment(costs, **options)
    assert isinstance(answer, Assignment), "costs have two dimensions"
    return costs, answer


def _or_diagonal(
    costs: Array,
    row_ind: Array,
    col_ind: Array,
    gap: int | float,
    row_dual: Array,
    col_dual: Array,
    maximize: bool,
) -> tuple[Array, Array]:
    """The diagonal if it costs as little as the pairs, else these.

    It can only where none of its entries is above its duals by more than the gap: complementary slackness,
    which most answers fail at the first entries.
    """
    for i in range(len(row_ind)):
        cost, row, col = costs.item(i, i), row_dual.item(i), col_dual.item(i)
        slack = row + col - cost if maximize else cost - row - col
        if slack > gap + ROUNDING * (abs(row) + abs(col)):
            return row_ind, col_ind
    diagonal, chosen = _total(costs.diagonal()), _total(costs[row_ind, col_ind])
    if diagonal >= chosen if maximize else diagonal <= chosen:
        return np.arange(len(row_ind)), np.arange(len(row_ind))
    return row_ind, col_ind


def _costs(cost_matrix: Any) -> Array:
    """The costs in their own type if every value of it is a double; SciPy's errors otherwise."""
    costs = np.asarray(cost_matrix)
    if not isinstance(cost_matrix, np.ndarray) and costs.dtype.kind not in "biuf":
        costs = np.asarray(cost_matrix, dtype=np.float64)
    if not np.can_cast(costs.dtype, np.float64, "safe"):
        raise TypeError(
            f"Cannot cast array data from {costs.dtype!r} to dtype('float64') according to the rule 'safe'"
        )
    if costs.ndim != 2:
        raise ValueError(f"expected a matrix (2-D array), got a {costs.ndim} array")
    return costs


def _total(costs: Array) -> Any:
    """The sum of the costs, exactly."""
    return exact_sum(costs) if costs.dtype.kind == "f" else sum(costs.tolist())


def min_weight_full_bipartite_matching(biadjacency: Any, maximize: bool = False) -> tuple[Array, Array]:
    """The full matching of least weight, as SciPy's function of this name in ``csgraph`` returns it.

    Parameters
    ----------
    biadjacency : sparse array or matrix
        Weights, in CSR, CSC or COO form. What is not stored is no edge. Stored zeros are none either, and
        come with a warning; nor is ``inf`` (``-inf`` when maximising).
    maximize : bool
        Find the largest weight and not the smallest.

    Returns
    -------
    row_ind, col_ind : array
        The matched pairs, rows ascending; int64 for the shorter side and int32 for the longer one, as in
        SciPy.

    Raises
    ------
    ValueError
        "no full matching exists" if there is none, and for weights that are NaN.
    TypeError
        When the input is not sparse in one of the three forms.

    Notes
    -----
    In `konig.linear_assignment` stored zeros are edges of weight zero.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from konig.interop.scipy import min_weight_full_bipartite_matching
    >>> row_ind, col_ind = min_weight_full_bipartite_matching(csr_array([[3, 3, 6], [4, 3, 5], [10, 1, 8]]))
    >>> col_ind
    array([0, 2, 1], dtype=int32)
    """
    weights = _weights(biadjacency, maximize := bool(maximize))
    try:
        _, answer = solved_as_doubles(weights, maximize=maximize)
    except InfeasibleError:
        raise ValueError("no full matching exists") from None
    rows, cols = weights.shape
    narrow, wide = np.int32, np.int64
    return (
        np.array(answer.row_ind, dtype=wide if rows <= cols else narrow),
        np.array(answer.col_ind, dtype=narrow if rows <= cols else wide),
    )


def _weights(biadjacency: Any, maximize: bool) -> Any:
    """The edges that SciPy would see, in compressed rows."""
    if not issparse(biadjacency):
        raise TypeError("graph must be sparse")
    if biadjacency.format not in ("csr", "csc", "coo"):
        raise TypeError("graph must be in CSC, CSR, or COO format.")
    if not (np.issubdtype(biadjacency.dtype, np.number) or biadjacency.dtype == np.bool_):
        raise ValueError(f"expected a matrix containing numerical entries, got {biadjacency.dtype}")
    if not np.all(biadjacency.data):
        warnings.warn("explicit zero weights are removed before matching", UserWarning, stacklevel=3)
    if biadjacency.dtype.kind in "bi" or biadjacency.dtype in (np.uint8, np.uint16, np.uint32):
        biadjacency = biadjacency.astype(np.int64)  # duplicates are added up in a type that holds their sum
    elif biadjacency.dtype.kind != "u":
        biadjacency = biadjacency.astype(np.float64)
    weights = biadjacency.tocsr(copy=True)
    weights.sum_duplicates()
    if weights.dtype.kind == "f":
        weights.data[weights.data == (-np.inf if maximize else np.inf)] = 0
    weights.eliminate_zeros()
    return weights
