"""Maximum weight matching: of any size, or of a given one (``cardinality.py``).

The heaviest matching is a dearest assignment in which leaving rows and columns alone earns nothing.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from konig import _native
from konig.arguments import integer, with_hints
from konig.assignment import gpu as gpu_assignment
from konig.assignment import linear_assignment
from konig.assignment.auto import SMALL_ENTRIES, SMALL_PLAN
from konig.assignment.cardinality import of_size, paid_by
from konig.assignment.inputs import check_dense_costs, check_sparse_costs, dense_costs, sparse_costs
from konig.assignment.result import Assignment
from konig.assignment.weight_result import WeightedMatching
from konig.errors import InfeasibleError
from konig.gpu.device import Gpu
from konig.index_arrays import as_array
from konig.interop import arrays
from konig.interop.index_matrices import sparse_on_host
from konig.progress import Report
from konig.threads import worth_sharing


@with_hints
def maximum_weight_matching(
    W: Any,
    *,
    cardinality: int | None = None,
    device: str = "auto",
    threads: int | None = None,
    progress: bool | Report | None = None,
) -> WeightedMatching:
    """The heaviest set of entries, no two of them in a row or column.

    It need not match all rows or columns: edges that weigh nothing or less are never taken, unless
    ``cardinality`` asks for so many pairs.

    Parameters
    ----------
    W : array or sparse matrix
        Weights, (n, m), of booleans, integers (from -2**63 + 2 to 2**63 - 2) or floats of up to 64 bits. In a
        dense matrix ``-inf`` is no edge; in a sparse one, of SciPy, CuPy, PyTorch or JAX, what is not stored
        is none, and duplicates add up. It is never modified.
    cardinality : int, optional
        Take exactly so many pairs, the heaviest of all such matchings.
    device, threads, progress
        As in `konig.linear_assignment`.

    Returns
    -------
    WeightedMatching
        The pairs, their weight, and the duals that prove it.

    Raises
    ------
    CardinalityError
        If no matching has so many pairs; it carries rows and columns, fewer than that, that meet every edge.
    OverflowError
        If the duals found are beyond int64 or float64: weights must be scaled down then.

    Notes
    -----
    As fast as an assignment of the same matrix; of a given number of pairs several of them are solved.

    Examples
    --------
    >>> import numpy as np, konig
    >>> W = np.array([[7, 8, -1], [6, 9, 2], [-3, 1, -4]])
    >>> m = konig.maximum_weight_matching(W)
    >>> m.row_ind.tolist(), m.col_ind.tolist(), m.weight
    ([0, 1], [0, 1], 16)
    >>> one = konig.maximum_weight_matching(W, cardinality=1)
    >>> one.weight, konig.maximum_weight_matching(W, cardinality=3).weight
    (9, 12)
    >>> m.verify(W)
    """
    if (
        cardinality is progress is None
        and (device == "auto" or device == "cpu")
        and (threads is None or (threads == 1 and type(threads) is int))
    ):
        small: Any = _native.match_weights(WeightedMatching, W, SMALL_PLAN, SMALL_ENTRIES)
        if small is not None:
            return small  # type: ignore[no-any-return]
    how: dict[str, Any] = {"device": device, "threads": threads, "progress": progress}
    if not hasattr(W, "shape"):
        W = as_array(W, "W")
    if len(W.shape) != 2:
        raise ValueError(f"W must have two dimensions, not shape {tuple(W.shape)}")
    count = None if cardinality is None else integer("cardinality", cardinality)
    try:
        return _heaviest(W, how) if count is None else _of_size(W, count, how)
    except InfeasibleError:
        raise
    except (ValueError, TypeError) as error:  # the solver knows the weights as costs
        words = re.sub(r"^C\b", "W", str(error))
        if words == str(error):
            raise
        raise type(error)(words) from None


def _of_size(W: Any, count: int, how: dict[str, Any]) -> WeightedMatching:
    if isinstance(W, np.ndarray):
        return _of_size_on_host(dense_costs(W, "W"), count, how)
    place = arrays.place_of(W, "W") or arrays.HOST
    listed = W if sp.issparse(W) else sparse_on_host(W, place, "W")
    if listed is not None:
        weights = sparse_costs(listed, "W")
        largest = check_sparse_costs(weights, True, "W")
        return _given_to(place, of_size(np, weights, count, largest, how))
    if place.gpu is None:
        return _given_to(place, _of_size_on_host(dense_costs(arrays.to_numpy(W), "W"), count, how))
    with Gpu(place.gpu, place) as gpu:
        there = gpu_assignment.on_device(gpu.cupy, W, place, 2)
        extent = gpu_assignment.checked_extent(gpu.cupy, there, True)
        largest = float(max(abs(extent.least), abs(extent.greatest)))
        return _given_to(place, of_size(gpu.cupy, there, count, largest, how))


def _of_size_on_host(weights: np.ndarray, count: int, how: dict[str, Any]) -> WeightedMatching:
    largest, _ = check_dense_costs(weights, True, worth_sharing(weights.size, how["threads"]), "W")
    return of_size(np, weights, count, largest, how)


def _given_to(place: arrays.Place, found: WeightedMatching) -> WeightedMatching:
    """The same answer in the arrays of the caller."""
    if place == arrays.HOST:
        return found
    there = {name: place.give(getattr(found, name)) for name in WeightedMatching.PLACED}
    return replace(found, place=place, **there)


def _heaviest(W: Any, how: dict[str, Any]) -> WeightedMatching:
    found = linear_assignment(W, maximize=True, unassigned_cost=0, **how)
    assert isinstance(found, Assignment)
    pairs = _of_some_weight(W, found)
    duals = found.row_dual, found.col_dual
    numbers, stats = (found.cost, found.gap), dict(found.stats)
    return WeightedMatching(*pairs, *numbers, *duals, 0, None, found.device, stats, found.place)


def _of_some_weight(W: Any, found: Assignment) -> tuple[Any, Any]:
    """The pairs without those that weigh nothing, which are as good as not made."""
    rows, cols = found.row_ind, found.col_ind
    of_row, of_col = found.row_dual[rows], found.col_dual[cols]
    with np.errstate(over="ignore"):  # duals of the largest weights, rounded up
        sums = of_row + of_col
        open_ones = sums == 0
        if found.gap:  # by which a pair may weigh less than its duals
            open_ones = abs(sums) <= found.gap + 2.0**-50 * (abs(of_row) + abs(of_col))
    if not bool(open_ones.any()):
        return rows, cols
    there = _weights_of(W, found) != 0 if found.gap else sums != 0
    return rows[there], cols[there]


def _weights_of(W: Any, found: Assignment) -> Any:
    """What the pairs weigh, where the answer is."""
    listed = W if sp.issparse(W) else sparse_on_host(W, found.place, "W")
    if listed is None:
        W = as_array(W, "W") if found.place == arrays.HOST else W
        return W[found.row_ind, found.col_ind]
    row_ind, col_ind = (arrays.to_numpy(ids) for ids in (found.row_ind, found.col_ind))
    return found.place.give(paid_by(np, sparse_costs(listed, "W"), row_ind, col_ind))
