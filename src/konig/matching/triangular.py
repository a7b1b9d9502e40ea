"""Dulmage-Mendelsohn decomposition and block triangular form: match, split, order, return the proof."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

from konig import _native
from konig.arguments import checked_flag
from konig.matching import maximum_matching, starting_point
from konig.matching.alternating import alternating_reach
from konig.matching.inputs import BipartiteGraph, as_graph
from konig.matching.result import Matching, kept_graph
from konig.matching.triangular_result import BlockTriangularForm, DulmageMendelsohn, Part

HORIZONTAL, SQUARE, VERTICAL = range(3)


def dulmage_mendelsohn(
    A: Any,
    *,
    matching: Any = None,
    shape: tuple[int, int] | None = None,
    drop_zeros: bool = False,
    **options: Any,
) -> DulmageMendelsohn:
    """Split a matrix into its under-, well- and overdetermined part.

    Every maximum matching gives the same parts. In the order horizontal, square, vertical the matrix is block
    upper triangular.

    Parameters
    ----------
    A : sparse matrix, array, tuple of arrays or path
        What :func:`maximum_matching` takes. It is never modified.
    matching : Matching or array, optional
        A maximum matching of ``A`` to start from: an earlier result, or the partner of each row (-1 for
        none). It is checked. One is found if it is not given.
    shape, drop_zeros
        As in :func:`maximum_matching`.
    **options
        How to find the matching: ``method``, ``device``, ``threads``, ``progress``, a method's knobs, ...

    Returns
    -------
    DulmageMendelsohn
        The rows and columns of the three parts, the matching, and ``verify``.

    Notes
    -----
    Linear time after the matching: two searches along alternating paths [1]_.

    References
    ----------
    .. [1] A. L. Dulmage and N. S. Mendelsohn, Coverings of bipartite graphs, Canad. J. Math. 10 (1958).

    Examples
    --------
    >>> import numpy as np, konig
    >>> A = np.array([[1, 1, 0, 1],
    ...               [0, 0, 1, 0],
    ...               [0, 0, 0, 1],
    ...               [0, 0, 0, 1]])
    >>> dm = konig.dulmage_mendelsohn(A)
    >>> [part.shape for part in dm.parts]
    [(1, 2), (1, 1), (2, 1)]
    >>> dm.vertical.rows.tolist(), dm.vertical.cols.tolist()
    ([2, 3], [3])
    >>> dm.verify(A)
    """
    began = perf_counter()
    graph, base, seconds = _matching_to_rest_on(A, matching, shape, drop_zeros, options)
    coarse_began = perf_counter()
    part_of_row, part_of_col = _coarse_parts(graph, base)
    parts = (
        Part(np.flatnonzero(part_of_row == number), np.flatnonzero(part_of_col == number))
        for number in (HORIZONTAL, SQUARE, VERTICAL)
    )
    horizontal, square, vertical = parts
    now = perf_counter()
    seconds |= {"coarse": now - coarse_began, "total": now - began}
    return DulmageMendelsohn(horizontal, square, vertical, base, {"seconds": seconds})


def block_triangular_form(
    A: Any,
    *,
    matching: Any = None,
    shape: tuple[int, int] | None = None,
    drop_zeros: bool = False,
    **options: Any,
) -> BlockTriangularForm:
    """Permute a matrix to block upper triangular form with blocks as small as they can be.

    The fine Dulmage-Mendelsohn decomposition: the blocks of the well-determined part are irreducible, with
    the matching on their diagonals. Rectangular and structurally singular matrices have one too: their
    underdetermined part is the first block, their overdetermined part the last. Which rows and columns form
    a block does not depend on the matching.

    Parameters
    ----------
    A, matching, shape, drop_zeros, **options
        As in :func:`dulmage_mendelsohn`.

    Returns
    -------
    BlockTriangularForm
        The permutations, the boundaries of blocks and parts, the matching, ``permuted`` and ``verify``.

    Notes
    -----
    Linear time after the matching: the coarse decomposition, then the strong components of the square part
    [1]_ by Tarjan's algorithm [2]_.

    References
    ----------
    .. [1] A. Pothen and C.-J. Fan, Computing the block triangular form of a sparse matrix, ACM Trans. Math.
       Softw. 16 (1990).
    .. [2] R. Tarjan, Depth-first search and linear graph algorithms, SIAM J. Comput. 1 (1972).

    Examples
    --------
    >>> import scipy.sparse as sp, konig
    >>> A = sp.csr_array([[0, 1, 1, 0],
    ...                   [1, 0, 0, 1],
    ...                   [1, 1, 0, 1],
    ...                   [0, 1, 1, 0]])
    >>> btf = konig.block_triangular_form(A)
    >>> btf.num_blocks, btf.row_blocks.tolist()
    (2, [0, 2, 4])
    >>> btf.permuted(A).toarray()
    array([[1, 1, 0, 0],
           [1, 1, 1, 0],
           [0, 0, 1, 1],
           [0, 0, 1, 1]])
    >>> btf.verify(A)
    """
    began = perf_counter()
    graph, base, seconds = _matching_to_rest_on(A, matching, shape, drop_zeros, options)
    coarse_began = perf_counter()
    part_of_row, part_of_col = _coarse_parts(graph, base)
    fine_began = perf_counter()
    square_cols, square_blocks = _fine_blocks(graph, base, part_of_col == SQUARE)
    row_perm, col_perm, row_parts, col_parts = _ordered(base, part_of_row, part_of_col, square_cols)
    row_blocks, col_blocks = (_boundaries(parts, base, square_blocks) for parts in (row_parts, col_parts))
    now = perf_counter()
    seconds |= {"coarse": fine_began - coarse_began, "fine": now - fine_began, "total": now - began}
    for array in (row_perm, col_perm, row_blocks, col_blocks, row_parts, col_parts):
        array.setflags(write=False)
    return BlockTriangularForm(
        row_perm, col_perm, row_blocks, col_blocks, row_parts, col_parts, base, {"seconds": seconds}
    )


def _matching_to_rest_on(
    A: Any, matching: Any, shape: tuple[int, int] | None, drop_zeros: bool, options: dict[str, Any]
) -> tuple[BipartiteGraph, Matching, dict[str, float]]:
    """The graph, the matching given, once it has been checked, or a new one; and the seconds it took."""
    began = perf_counter()
    drop_zeros = checked_flag("drop_zeros", drop_zeros)
    graph = as_graph(A, shape=shape, drop_zeros=drop_zeros)
    matching_began = perf_counter()
    if matching is None:
        base = maximum_matching(graph, drop_zeros=drop_zeros, **options)
    else:
        if options:
            raise TypeError(f"matching is given, so {', '.join(options)} would have no effect")
        col_of_row, row_of_col = starting_point(matching, graph, "matching")
        size = int(np.count_nonzero(col_of_row >= 0))
        method = matching.method if isinstance(matching, Matching) else "given"
        stats = matching.stats if isinstance(matching, Matching) else {}
        kept = kept_graph(graph, size)
        base = Matching(size, col_of_row, row_of_col, method, "cpu", stats, graph.nonzeros, kept, drop_zeros)
    now = perf_counter()
    return graph, base, {"convert": matching_began - began, "matching": now - matching_began}


def _coarse_parts(graph: BipartiteGraph, matching: Matching) -> tuple[np.ndarray, np.ndarray]:
    """The part of each row and of each column."""
    col_of_row, row_of_col = matching.col_of_row, matching.row_of_col
    part_of_row = np.full(graph.rows, SQUARE, np.int8)
    part_of_col = np.full(graph.cols, SQUARE, np.int8)
    if matching.size < graph.cols:
        row_reached, col_reached = alternating_reach(graph, col_of_row, row_of_col)
        ends = np.flatnonzero(row_reached & (col_of_row < 0))
        if len(ends):
            raise ValueError(f"matching is not maximum: an augmenting path leads to row {ends[0]}")
        part_of_row[row_reached] = HORIZONTAL
        part_of_col[col_reached] = HORIZONTAL
    if matching.size < graph.rows:
        col_reached, row_reached = alternating_reach(graph.transposed(), row_of_col, col_of_row)
        part_of_row[row_reached] = VERTICAL
        part_of_col[col_reached] = VERTICAL
    return part_of_row, part_of_col


def _fine_blocks(
    graph: BipartiteGraph, matching: Matching, in_square: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The columns of the square part in block upper triangular order, and where each block begins."""
    ids = graph.id_dtype
    component = np.empty(graph.cols, ids)
    lists = graph.of_col
    count = _native.strong_components(
        lists.start,
        lists.neighbour,
        matching.col_of_row,
        matching.row_of_col,
        in_square.view(np.uint8),
        component,
    )
    cols = np.flatnonzero(in_square).astype(ids)
    begin = np.zeros(count + 1, ids)
    ordered = np.empty(len(cols), ids)
    _native.compress_pairs(component[cols], cols, begin, ordered)
    return ordered, begin


def _ordered(
    matching: Matching, part_of_row: np.ndarray, part_of_col: np.ndarray, square_cols: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Permutations and boundaries of the parts: unmatched columns first, unmatched rows last."""
    ids = matching.col_of_row.dtype
    free_rows = np.flatnonzero(matching.col_of_row < 0)
    free_cols = np.flatnonzero(matching.row_of_col < 0)
    wide_rows = np.flatnonzero(part_of_row == HORIZONTAL)
    tall_cols = np.flatnonzero(part_of_col == VERTICAL)
    square_rows = matching.row_of_col[square_cols]
    wide_cols = matching.col_of_row[wide_rows]
    tall_rows = matching.row_of_col[tall_cols]
    row_perm = np.concatenate((wide_rows, square_rows, tall_rows, free_rows)).astype(ids)
    col_perm = np.concatenate((free_cols, wide_cols, square_cols, tall_cols)).astype(ids)
    row_parts = np.cumsum((0, len(wide_rows), len(square_rows), len(tall_rows) + len(free_rows)))
    col_parts = np.cumsum((0, len(free_cols) + len(wide_cols), len(square_cols), len(tall_cols)))
    return row_perm, col_perm, row_parts, col_parts


def _boundaries(parts: np.ndarray, matching: Matching, square_blocks: np.ndarray) -> np.ndarray:
    """The blocks of the square part in their place, between those of the parts that are not empty."""
    before = parts[:1] if matching.size < matching.shape[1] else parts[:0]
    after = parts[3:] if matching.size < matching.shape[0] else parts[:0]
    return np.concatenate((before, parts[1] + square_blocks.astype(np.intp), after))
