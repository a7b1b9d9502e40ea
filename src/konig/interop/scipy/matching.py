"""In place of ``scipy.sparse.csgraph.maximum_bipartite_matching``."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

import konig


def maximum_bipartite_matching(graph: Any, perm_type: str = "row") -> np.ndarray:
    """A maximum matching, as ``scipy.sparse.csgraph.maximum_bipartite_matching`` returns it.

    Parameters
    ----------
    graph : sparse array or matrix
        Rows and columns are the two sides; each stored entry is an edge, zeros too.
    perm_type : {"row", "column"}
        "row" for the row matched to each column, "column" for the column matched to each row.

    Returns
    -------
    array of int32
        -1 where there is no partner.

    Raises
    ------
    TypeError
        If the graph is not sparse.
    ValueError
        If `perm_type` is neither. (SciPy takes anything else for "row".)

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from konig.interop.scipy import maximum_bipartite_matching
    >>> maximum_bipartite_matching(csr_array([[1, 1], [1, 0], [0, 0]]), perm_type="column")
    array([ 1,  0, -1], dtype=int32)
    """
    if not sp.issparse(graph):
        raise TypeError("graph must be sparse")
    if perm_type not in ("row", "column"):
        raise ValueError(f"perm_type must be 'row' or 'column', not {perm_type!r}")
    answer = konig.maximum_matching(graph)
    mates: np.ndarray = answer.row_of_col if perm_type == "row" else answer.col_of_row
    return mates.astype(np.int32)
