"""The edge cases: no entry, every entry, one hub."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from konig.lab.generators.family import COLS, ROWS, SAME, family, whole
from konig.lab.generators.pattern import canonical, check_area, from_edges, index_type


@family("matching", rank=lambda n: 2 if n > 1 else 0, n=whole("Number of vertices, the hub included."))
def star(n: int = 10) -> sparse.csr_array:
    """Adjacency of a star: vertex 0 is the only neighbour of all others.

    The pattern is symmetric with an empty diagonal; its structural rank is 2 for two vertices or more.

    Examples
    --------
    >>> from konig.lab.generators import star
    >>> star(4).toarray()
    array([[0, 1, 1, 1],
           [1, 0, 0, 0],
           [1, 0, 0, 0],
           [1, 0, 0, 0]], dtype=int8)
    """
    leaves = np.arange(1, n)
    return from_edges(np.zeros_like(leaves), leaves, n)


@family("matching", rank=lambda rows, cols: 0, rows=ROWS, cols=COLS)
def empty(rows: int = 10, cols: int = SAME) -> sparse.csr_array:
    """Matrix without entries.

    Examples
    --------
    >>> from konig.lab.generators import empty
    >>> empty(3, 0).shape
    (3, 0)
    """
    index = index_type(rows, cols, 0)
    return canonical(np.empty(0, index), np.zeros(rows + 1, index), (rows, cols))


@family("matching", rank=lambda rows, cols: min(rows, cols), rows=ROWS, cols=COLS)
def full(rows: int = 10, cols: int = SAME) -> sparse.csr_array:
    """Matrix with every entry: the complete bipartite graph.

    Examples
    --------
    >>> from konig.lab.generators import full
    >>> full(2, 3).toarray()
    array([[1, 1, 1],
           [1, 1, 1]], dtype=int8)
    """
    check_area(rows, cols)
    index = index_type(rows, cols, rows * cols)
    indices = np.tile(np.arange(cols).astype(index), rows)
    return canonical(indices, (np.arange(rows + 1) * cols).astype(index), (rows, cols))
