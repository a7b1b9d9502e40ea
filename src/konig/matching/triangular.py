"""Dulmage-Mendelsohn decomposition and block triangular form: match, split, order, return the proof."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from time import perf_counter
from typing import Any

import numpy as np

from konig import _native
from konig.arguments import checked_flag
from konig.matching import maximum_matching, starting_point
from konig.matching.alternating import alternating_forest, alternating_reach
from konig.matching.inputs import BipartiteGraph, as_csr, as_graph
from konig.matching.proof import check_block_triangular_form, check_dulmage_mendelsohn
from konig.matching.result import Matching, kept_graph

HORIZONTAL, SQUARE, VERTICAL = range(3)


@dataclass(frozen=True, eq=False)
class Part:
    """A part of a matrix: its rows and its columns, both sorted."""

    rows: np.ndarray
    cols: np.ndarray

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.cols)


@dataclass(frozen=True, eq=False)
class DulmageMendelsohn:
    """The coarse Dulmage-Mendelsohn decomposition and its proof.

    Attributes
    ----------
    horizontal : Part
        The underdetermined part: what alternating paths from unmatched columns reach. It is empty or has
        more columns than rows.
    square : Part
        The well-determined part: what neither kind of path reaches.
    vertical : Part
        The overdetermined part: what alternating paths from unmatched rows reach. It is empty or has more
        rows than columns.
    matching : Matching
        The maximum matching that the decomposition was read off from. The parts do not depend on it.
    stats : dict
        ``stats["seconds"]`` by part: convert, matching, coarse and total.
    """

    horizontal: Part
    square: Part
    vertical: Part
    matching: Matching
    stats: Mapping[str, Any]

    @property
    def parts(self) -> tuple[Part, Part, Part]:
        """The horizontal, the square and the vertical part."""
        return self.horizontal, self.square, self.vertical

    def verify(self, A: Any, *, shape: tuple[int, int] | None = None, drop_zeros: bool | None = None) -> None:
        """Prove the answer against ``A`` without any solver.

        The witness, paths that reach all of the horizontal and the vertical part, is searched for in ``A``.

        Raises
        ------
        CertificateError
            Unless these are the parts of ``A``.
        """
        matching = self.matching
        graph = matching.graph_to_check(A, shape, drop_zeros)
        find_forest = partial(alternating_forest, graph, matching.col_of_row, matching.row_of_col)
        check_dulmage_mendelsohn(*graph.edges(), self, find_forest)


@dataclass(frozen=True, eq=False)
class BlockTriangularForm:
    """Permutations that make a matrix block upper triangular with irreducible blocks, and their proof.

    Row ``row_perm[i]`` of the matrix is row i of the form, and likewise for columns. The first block is the
    horizontal part unless that is empty, the last the vertical part unless that is empty; between them lie
    the blocks of the square part.

    Attributes
    ----------
    row_perm, col_perm : ndarray
        The permutations: ``A[row_perm][:, col_perm]`` is the form.
    row_blocks, col_blocks : ndarray
        Block b takes rows ``row_blocks[b]:row_blocks[b + 1]`` and columns ``col_blocks[b]:col_blocks[b + 1]``
        of the form.
    row_parts, col_parts : ndarray
        Four boundaries each: the horizontal part takes rows ``row_parts[0]:row_parts[1]`` and columns
        ``col_parts[0]:col_parts[1]`` of the form, and so on for the square and the vertical part.
    matching : Matching
        The maximum matching on the diagonal. The blocks do not depend on it.
    stats : dict
        ``stats["seconds"]`` by part: convert, matching, coarse, fine and total.
    """

    row_perm: np.ndarray
    col_perm: np.ndarray
    row_blocks: np.ndarray
    col_blocks: np.ndarray
    row_parts: np.ndarray
    col_parts: np.ndarray
    matching: Matching
    stats: Mapping[str, Any]

    @property
    def num_blocks(self) -> int:
        """How many blocks: those of the square part, and one for each rectangular part that is not empty."""
        return len(self.row_blocks) - 1

    @property
    def diagonal(self) -> int:
        """Which diagonal of the form holds the matching: entry i of it, for every i below its size.

        It is the number of unmatched columns, which come first. The unmatched rows come last.
        """
        return int(self.col_parts[1] - self.row_parts[1])

    @property
    def fine_blocks(self) -> range:
        """The numbers of the blocks of the square part."""
        wide = int(self.col_parts[1] > 0)
        tall = int(self.row_parts[3] > self.row_parts[2])
        return range(wide, self.num_blocks - tall)

    @cached_property
    def block_of_row(self) -> np.ndarray:
        """The number of the block that holds each row of the matrix."""
        return _labels(self.row_perm, self.row_blocks)

    @cached_property
    def block_of_col(self) -> np.ndarray:
        """The number of the block that holds each column of the matrix."""
        return _labels(self.col_perm, self.col_blocks)

    @cached_property
    def coarse(self) -> DulmageMendelsohn:
        """The coarse decomposition that the form refines."""
        rows = np.split(self.row_perm, self.row_parts[1:3])
        cols = np.split(self.col_perm, self.col_parts[1:3])
        horizontal, square, vertical = map(Part, map(np.sort, rows), map(np.sort, cols))
        return DulmageMendelsohn(horizontal, square, vertical, self.matching, self.stats)

    def permuted(self, A: Any) -> Any:
        """``A[row_perm][:, col_perm]``, as a scipy.sparse matrix in CSR format.

        Examples
        --------
        >>> import numpy as np, konig
        >>> A = np.array([[0, 2, 3], [0, 0, 4], [5, 6, 0]])
        >>> konig.block_triangular_form(A).permuted(A).toarray()
        array([[5, 6, 0],
               [0, 2, 3],
               [0, 0, 4]])
        """
        extent = (len(self.row_perm), len(self.col_perm))
        matrix = as_csr(A, shape=extent, drop_zeros=self.matching.drop_zeros)
        if matrix.shape != extent:
            raise ValueError(
                f"A is {matrix.shape[0]} x {matrix.shape[1]}, but the form is that of a "
                f"{extent[0]} x {extent[1]} matrix"
            )
        return matrix[self.row_perm][:, self.col_perm]

    def verify(self, A: Any, *, shape: tuple[int, int] | None = None, drop_zeros: bool | None = None) -> None:
        """Prove the answer against ``A`` without any solver: its shape, and that no block can be split.

        The witness, paths that show each block connected, is searched for in ``A``.

        Raises
        ------
        CertificateError
            Unless this is the block triangular form of ``A``.

        Examples
        --------
        >>> import numpy as np, konig
        >>> A = np.array([[0, 2, 3], [0, 0, 4], [5, 6, 0]])
        >>> konig.block_triangular_form(A).verify(A)
        """
        matching = self.matching
        graph = matching.graph_to_check(A, shape, drop_zeros)
        find_forest = partial(alternating_forest, graph, matching.col_of_row, matching.row_of_col)
        check_block_triangular_form(*graph.edges(), self, find_forest)


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
        What `maximum_matching` takes. It is never modified.
    matching : Matching or array, optional
        A maximum matching of ``A`` to start from: an earlier result, or the partner of each row (-1 for
        none). It is checked. One is found if it is not given.
    shape, drop_zeros
        As in `maximum_matching`.
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
    graph, base, seconds = _graph_and_matching(A, matching, shape, drop_zeros, options)
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
        As in `dulmage_mendelsohn`.

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
    graph, base, seconds = _graph_and_matching(A, matching, shape, drop_zeros, options)
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


def _graph_and_matching(
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


def _labels(perm: np.ndarray, boundaries: np.ndarray) -> np.ndarray:
    labels = np.empty(len(perm), perm.dtype)
    labels[perm] = np.repeat(np.arange(len(boundaries) - 1, dtype=perm.dtype), np.diff(boundaries))
    return labels
