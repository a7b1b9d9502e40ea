"""Uniformly random patterns."""

from __future__ import annotations

from scipy import sparse

from konig.lab.generators import arguments
from konig.lab.generators.draws import Draws
from konig.lab.generators.pattern import check_area, from_keys


def sprand(rows: int = 1000, cols: int | None = None, degree: float = 5.0, seed: int = 0) -> sparse.csr_array:
    """Uniform random matrix with a given average number of nonzeros per row.

    Exactly ``round(rows * degree)`` positions are filled, every set of positions being equally likely:
    what MATLAB's ``sprand(rows, cols, degree / cols)`` approximates.

    Parameters
    ----------
    rows : int
        Number of rows.
    cols : int, optional
        Number of columns; as many as rows if left out.
    degree : float
        Average number of nonzeros per row, at most the number of columns.
    seed : int
        The same seed gives the same matrix.

    Returns
    -------
    scipy.sparse.csr_array
        The pattern, in expected time O(nnz log nnz).

    References
    ----------
    Erdős and Rényi, On random graphs I, Publicationes Mathematicae 6, 1959 (the bipartite form).

    Examples
    --------
    >>> from konig.lab.generators import sprand
    >>> A = sprand(1000, 800, degree=2.5, seed=1)
    >>> A.shape, A.nnz
    ((1000, 800), 2500)
    """
    rows = arguments.integer("rows", rows)
    cols = rows if cols is None else arguments.integer("cols", cols)
    degree = arguments.real("degree", degree, 0.0)
    if rows and degree > cols:
        raise ValueError(f"degree must be at most the number of columns, {cols}, not {degree}")
    check_area(rows, cols)
    return from_keys(Draws(seed).distinct(rows * cols, round(rows * degree)), (rows, cols))
