"""The permuted twin of a matrix: the same matching problem without its natural order."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from konig.lab.generators.draws import Draws
from konig.lab.generators.pattern import check_area, from_entries
from konig.lab.generators.weighted import from_distinct_keys

# Other draws than the generators', so that the order is independent of the matrix with the same seed.
PERMUTATION_STREAM = 1


def permute(A: sparse.sparray, rows: bool = True, cols: bool = True, seed: int = 0) -> sparse.csr_array:
    """Return the pattern of a matrix with its rows and columns in random order.

    Parameters
    ----------
    A : scipy.sparse array or matrix
        Any sparse matrix; it is not modified, and of its entries only the positions are used.
    rows : bool
        Permute the rows.
    cols : bool
        Permute the columns, independently of the rows.
    seed : int
        The same seed gives the same permutations of the same shape.

    Returns
    -------
    scipy.sparse.csr_array
        The permuted pattern; structural rank and block triangular form are those of `A`.

    Examples
    --------
    >>> from konig.lab.generators import grid, permute
    >>> A = grid(10)
    >>> B = permute(A, seed=1)
    >>> B.shape == A.shape, B.nnz == A.nnz, (A != B).nnz > 0
    (True, True, True)
    """
    entries = A.tocoo()
    shape = (int(entries.shape[0]), int(entries.shape[1]))
    check_area(*shape)
    draws = Draws(seed, PERMUTATION_STREAM)
    row_place, col_place = draws.permutation(shape[0]), draws.permutation(shape[1])
    row = row_place[entries.row] if rows else entries.row
    col = col_place[entries.col] if cols else entries.col
    return from_entries(np.asarray(row), np.asarray(col), shape)


def permute_costs(C: Any, rows: bool = True, cols: bool = True, seed: int = 0) -> Any:
    """Return costs with their rows and columns in random order.

    Parameters
    ----------
    C : numpy.ndarray, or scipy.sparse array or matrix
        The costs; they are not modified.
    rows : bool
        Permute the rows.
    cols : bool
        Permute the columns, independently of the rows.
    seed : int
        The same seed gives the same permutations of the same shape: those of `permute`.

    Returns
    -------
    numpy.ndarray or scipy.sparse.csr_array
        The permuted costs, dense or sparse as they came; the optimal cost is that of `C`.

    Examples
    --------
    >>> import numpy as np
    >>> from konig.lab.generators import permute_costs
    >>> C = np.arange(12).reshape(3, 4)
    >>> D = permute_costs(C, seed=1)
    >>> sorted(D.ravel().tolist()) == C.ravel().tolist(), bool((C == D).all())
    (True, False)
    """
    draws = Draws(seed, PERMUTATION_STREAM)
    row_place, col_place = draws.permutation(C.shape[0]), draws.permutation(C.shape[1])
    if not sparse.issparse(C):
        C = C[np.argsort(row_place)] if rows else C
        return np.ascontiguousarray(C[:, np.argsort(col_place)] if cols else C)
    entries = C.tocoo()
    row = row_place[entries.row] if rows else entries.row
    col = col_place[entries.col] if cols else entries.col
    keys = np.asarray(row, dtype=np.int64) * entries.shape[1] + np.asarray(col, dtype=np.int64)
    return from_distinct_keys(keys, entries.data, entries.shape)
