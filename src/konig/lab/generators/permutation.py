"""The permuted twin of a matrix: the same matching problem without its natural order."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from konig.lab.generators.draws import Draws
from konig.lab.generators.pattern import check_area, from_entries

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
