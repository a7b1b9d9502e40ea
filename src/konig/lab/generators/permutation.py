"""The permuted twin of a matrix: the same problem without its natural order."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from konig.lab.generators.draws import Draws, Ints
from konig.lab.generators.pattern import check_area, costs_from_keys, from_keys

# What to put in random order, by name: the rows, the columns.
PERMUTATIONS = {"none": (False, False), "rows": (True, False), "cols": (False, True), "both": (True, True)}
# Other draws than the generators', so that the order is independent of the matrix with the same seed.
PERMUTATION_STREAM = 1


def permute(A: sparse.sparray, rows: bool = True, cols: bool = True, seed: int = 0) -> sparse.csr_array:
    """Return the pattern of a matrix with its rows, its columns or both in random order.

    Of the entries only the positions are used. Structural rank and block triangular form are those of `A`.
    The same seed gives the same permutations of the same shape.

    Examples
    --------
    >>> from konig.lab.generators import grid, permute
    >>> A = grid(10)
    >>> B = permute(A, seed=1)
    >>> B.shape == A.shape, B.nnz == A.nnz, (A != B).nnz > 0
    (True, True, True)
    """
    entries = A.tocoo()
    check_area(*entries.shape)
    return from_keys(_keys(entries, *_places(entries.shape, rows, cols, seed)), entries.shape)


def permute_costs(C: Any, rows: bool = True, cols: bool = True, seed: int = 0) -> Any:
    """Return costs, dense or sparse as they came, in the order that `permute` gives to their shape.

    Examples
    --------
    >>> import numpy as np
    >>> from konig.lab.generators import permute_costs
    >>> C = np.arange(12).reshape(3, 4)
    >>> D = permute_costs(C, seed=1)
    >>> sorted(D.ravel().tolist()) == C.ravel().tolist(), bool((C == D).all())
    (True, False)
    """
    row_place, col_place = _places(C.shape, rows, cols, seed)
    if not sparse.issparse(C):
        return np.ascontiguousarray(C[np.argsort(row_place)][:, np.argsort(col_place)])
    entries = C.tocoo()
    return costs_from_keys(_keys(entries, row_place, col_place), entries.data, entries.shape)


def _places(shape: tuple[int, int], rows: bool, cols: bool, seed: int) -> tuple[Ints, Ints]:
    draws = Draws(seed, PERMUTATION_STREAM)
    row_place, col_place = draws.permutation(shape[0]), draws.permutation(shape[1])
    return (row_place if rows else np.arange(shape[0]), col_place if cols else np.arange(shape[1]))


def _keys(entries: sparse.coo_array, row_place: Ints, col_place: Ints) -> Ints:
    keys: Ints = row_place[entries.row] * entries.shape[1] + col_place[entries.col]
    return keys
