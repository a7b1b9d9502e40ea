"""Matrices whose block triangular form is known: planted ones, and the edge cases."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from konig import arguments
from konig.lab.generators.draws import Draws, Ints
from konig.lab.generators.family import SAME, Parameter, family, probability
from konig.lab.generators.pattern import check_area, from_edges, from_entries, from_keys


@family(
    "Dulmage and Mendelsohn, Coverings of bipartite graphs, Canadian Journal of Mathematics 10, "
    "1958; Pothen and Fan, Computing the block triangular form of a sparse matrix, ACM Transactions on "
    "Mathematical Software 16, 1990.",
    block_sizes=Parameter("Sizes of the square blocks, from top left to bottom right, each at least 1.", 1),
    density=probability("Probability of a random entry at a position in or above the diagonal blocks."),
    underdetermined=Parameter(
        "Rows and columns of the underdetermined block, fewer rows than columns; (0, 0) for none.", length=2
    ),
    overdetermined=Parameter(
        "Rows and columns of the overdetermined block, more rows than columns; (0, 0) for none.", length=2
    ),
    shuffle="Permute rows and columns at random; otherwise the form is plain to see.",
)
def planted_btf(
    block_sizes: Sequence[int] = (8, 5, 1, 1, 3),
    density: float = 0.05,
    underdetermined: Sequence[int] = (0, 0),
    overdetermined: Sequence[int] = (0, 0),
    shuffle: bool = True,
    seed: int = 0,
) -> sparse.csr_array:
    """Random matrix with a known block upper triangular form.

    From top left to bottom right: an underdetermined block (more columns than rows), the square blocks, and
    an overdetermined block (more rows than columns). A square block holds its diagonal and one cycle
    through all its rows, so it is irreducible. The other two hold a staircase that leads from an unmatched
    column (row) to every row (column), so no square part splits off. Random entries inside the blocks and
    above them change neither: these blocks are the fine Dulmage-Mendelsohn decomposition of the matrix, and
    the structural rank is ``sum(block_sizes) + underdetermined[0] + overdetermined[1]``. `planted_btf_blocks`
    tells the block of each row and column.

    >>> planted_btf((2, 1), density=0, overdetermined=(2, 1), shuffle=False).toarray()
    array([[1, 1, 0, 0],
           [1, 1, 0, 0],
           [0, 0, 1, 0],
           [0, 0, 0, 1],
           [0, 0, 0, 1]], dtype=int8)
    """
    sizes, wide, tall = _block_arguments(block_sizes, underdetermined, overdetermined)
    draws = Draws(seed)
    row_block, col_block = _labels(sizes, wide, tall)
    shape = (row_block.size, col_block.size)
    check_area(*shape)
    row_place, col_place = _places(draws, shape, shuffle)

    square, successor = _cycles(sizes)
    wide_rows, wide_cols = _staircase(draws, *wide)
    tall_cols, tall_rows = _staircase(draws, tall[1], tall[0])
    anywhere = draws.distinct(shape[0] * shape[1], round(density * shape[0] * shape[1]))
    anywhere_row, anywhere_col = anywhere // max(shape[1], 1), anywhere % max(shape[1], 1)
    allowed = row_block[anywhere_row] <= col_block[anywhere_col]

    top, left = wide
    bottom, right = top + square.size, left + square.size
    rows = [wide_rows, top + square, top + square, bottom + tall_rows, anywhere_row[allowed]]
    cols = [wide_cols, left + square, left + successor, right + tall_cols, anywhere_col[allowed]]
    return from_entries(row_place[np.concatenate(rows)], col_place[np.concatenate(cols)], shape)


def planted_btf_blocks(
    block_sizes: Sequence[int] = (8, 5, 1, 1, 3),
    underdetermined: Sequence[int] = (0, 0),
    overdetermined: Sequence[int] = (0, 0),
    shuffle: bool = True,
    seed: int = 0,
) -> tuple[Ints, Ints]:
    """Return the block of each row and column of `planted_btf` with the same arguments.

    It is -1 in the underdetermined block, k in square block k, ``len(block_sizes)`` in the overdetermined
    block. An entry (i, j) of the matrix has ``row_block[i] <= col_block[j]``.

    Examples
    --------
    >>> from konig.lab.generators import planted_btf_blocks
    >>> row_block, col_block = planted_btf_blocks((2, 1), overdetermined=(2, 1), shuffle=False)
    >>> row_block.tolist(), col_block.tolist()
    ([0, 0, 1, 2, 2], [0, 0, 1, 2])
    """
    row_block, col_block = _labels(*_block_arguments(block_sizes, underdetermined, overdetermined))
    row_place, col_place = _places(Draws(seed), (row_block.size, col_block.size), shuffle)
    return row_block[np.argsort(row_place)], col_block[np.argsort(col_place)]


def _block_arguments(
    block_sizes: Sequence[int], underdetermined: Sequence[int], overdetermined: Sequence[int]
) -> tuple[tuple[int, ...], tuple[int, int], tuple[int, int]]:
    sizes = arguments.integers("block_sizes", block_sizes, least=1)
    wide_rows, wide_cols = arguments.integers("underdetermined", underdetermined, length=2)
    tall_rows, tall_cols = arguments.integers("overdetermined", overdetermined, length=2)
    if wide_rows >= wide_cols > 0 or wide_rows > wide_cols:
        raise ValueError(f"underdetermined must have fewer rows than columns, not ({wide_rows}, {wide_cols})")
    if tall_cols >= tall_rows > 0 or tall_cols > tall_rows:
        raise ValueError(f"overdetermined must have more rows than columns, not ({tall_rows}, {tall_cols})")
    return sizes, (wide_rows, wide_cols), (tall_rows, tall_cols)


def _labels(sizes: tuple[int, ...], wide: tuple[int, int], tall: tuple[int, int]) -> tuple[Ints, Ints]:
    label = np.arange(-1, len(sizes) + 1)
    return np.repeat(label, (wide[0], *sizes, tall[0])), np.repeat(label, (wide[1], *sizes, tall[1]))


def _places(draws: Draws, shape: tuple[int, int], shuffle: bool) -> tuple[Ints, Ints]:
    """Return where each row and column of the triangular form goes; the first draws made of a seed."""
    if not shuffle:
        return np.arange(shape[0]), np.arange(shape[1])
    return draws.permutation(shape[0]), draws.permutation(shape[1])


def _cycles(sizes: tuple[int, ...]) -> tuple[Ints, Ints]:
    """Return the rows of all square blocks, and for each the next in its block, the first after the last."""
    ends = np.cumsum(np.array(sizes, dtype=np.int64))
    row = np.arange(sum(sizes))
    successor = row + 1
    successor[ends - 1] = ends - np.array(sizes, dtype=np.int64)
    return row, successor


def _staircase(draws: Draws, rows: int, cols: int) -> tuple[Ints, Ints]:
    """Return entries of a block with fewer rows than columns in which no column is indispensable.

    Row i is matched with column i and meets column i - 1; column `rows`, unmatched, meets row 0: from it an
    alternating path climbs down to every row. The unmatched columns after it meet a random row each.
    """
    if rows == 0:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    step = np.arange(rows)
    spare = np.arange(rows + 1, cols)
    row = np.concatenate([step, step[1:], [0], draws.integers(rows, spare.size)])
    col = np.concatenate([step, step[:-1], [rows], spare])
    return row, col


@family(n="Number of vertices, the hub included.")
def star(n: int = 10) -> sparse.csr_array:
    """Adjacency of a star: vertex 0 is the only neighbour of all others.

    The pattern is symmetric with an empty diagonal; its structural rank is 2 for two vertices or more.

    >>> star(4).toarray()
    array([[0, 1, 1, 1],
           [1, 0, 0, 0],
           [1, 0, 0, 0],
           [1, 0, 0, 0]], dtype=int8)
    """
    leaves = np.arange(1, n)
    return from_edges(np.zeros_like(leaves), leaves, n)


@family()
def empty(rows: int = 10, cols: int = SAME) -> sparse.csr_array:
    """Matrix without entries.

    >>> empty(3, 0).shape
    (3, 0)
    """
    return from_entries([], [], (rows, cols))


@family()
def full(rows: int = 10, cols: int = SAME) -> sparse.csr_array:
    """Matrix with every entry: the complete bipartite graph.

    >>> full(2, 3).toarray()
    array([[1, 1, 1],
           [1, 1, 1]], dtype=int8)
    """
    check_area(rows, cols)
    return from_keys(np.arange(rows * cols), (rows, cols))
