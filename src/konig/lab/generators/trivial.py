"""The edge cases: no entry, every entry, one hub."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from konig.lab.generators import arguments
from konig.lab.generators.pattern import canonical, check_area, from_edges, index_type


def star(n: int = 10) -> sparse.csr_array:
    """Adjacency of a star: vertex 0 is the only neighbour of all others.

    Parameters
    ----------
    n : int
        Number of vertices, the hub included.

    Returns
    -------
    scipy.sparse.csr_array
        The symmetric adjacency pattern with an empty diagonal; its structural rank is 2 for two vertices or
        more.

    Examples
    --------
    >>> from konig.lab.generators import star
    >>> star(4).toarray()
    array([[0, 1, 1, 1],
           [1, 0, 0, 0],
           [1, 0, 0, 0],
           [1, 0, 0, 0]], dtype=int8)
    """
    n = arguments.integer("n", n)
    leaves = np.arange(1, n)
    return from_edges(np.zeros_like(leaves), leaves, n)


def empty(rows: int = 10, cols: int | None = None) -> sparse.csr_array:
    """Matrix without entries.

    Parameters
    ----------
    rows : int
        Number of rows.
    cols : int, optional
        Number of columns; as many as rows if left out.

    Returns
    -------
    scipy.sparse.csr_array
        The pattern, of structural rank 0.

    Examples
    --------
    >>> from konig.lab.generators import empty
    >>> empty(3, 0).shape
    (3, 0)
    """
    rows = arguments.integer("rows", rows)
    cols = rows if cols is None else arguments.integer("cols", cols)
    index = index_type(rows, cols, 0)
    return canonical(np.empty(0, index), np.zeros(rows + 1, index), (rows, cols))


def full(rows: int = 10, cols: int | None = None) -> sparse.csr_array:
    """Matrix with every entry: the complete bipartite graph.

    Parameters
    ----------
    rows : int
        Number of rows.
    cols : int, optional
        Number of columns; as many as rows if left out.

    Returns
    -------
    scipy.sparse.csr_array
        The pattern, of structural rank ``min(rows, cols)``.

    Examples
    --------
    >>> from konig.lab.generators import full
    >>> full(2, 3).toarray()
    array([[1, 1, 1],
           [1, 1, 1]], dtype=int8)
    """
    rows = arguments.integer("rows", rows)
    cols = rows if cols is None else arguments.integer("cols", cols)
    check_area(rows, cols)
    index = index_type(rows, cols, rows * cols)
    indices = np.tile(np.arange(cols).astype(index), rows)
    return canonical(indices, (np.arange(rows + 1) * cols).astype(index), (rows, cols))
