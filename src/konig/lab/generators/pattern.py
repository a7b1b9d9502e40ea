"""How networks, patterns and sparse costs are assembled, and how matrices lose their natural order.

Matrices are sorted, without duplicates, of the narrowest index type.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from konig.io.entries import Network
from konig.lab.generators.draws import Draws, Ints, sorted_unique

ROWS_AT_A_TIME = 1 << 18
# What to put in random order, by name: the rows, the columns.
PERMUTATIONS = {"none": (False, False), "rows": (True, False), "cols": (False, True), "both": (True, True)}
# Other draws than the generators', so that the order is independent of the matrix with the same seed.
PERMUTATION_STREAM = 1


def index_type(rows: int, cols: int, nonzeros: int) -> type[np.int32] | type[np.int64]:
    """Return int32 unless a row, a column or an offset needs more."""
    return np.int32 if max(rows, cols, nonzeros) <= np.iinfo(np.int32).max else np.int64


def from_entries(rows: ArrayLike, cols: ArrayLike, shape: tuple[int, int]) -> sparse.csr_array:
    """Return the pattern with the given entries, duplicates merged."""
    return from_keys(np.asarray(rows, dtype=np.int64) * shape[1] + np.asarray(cols, dtype=np.int64), shape)


def from_keys(keys: Ints, shape: tuple[int, int]) -> sparse.csr_array:
    """Return the pattern with an entry (k // cols, k % cols) for each key k; `keys` is used up."""
    return canonical(*_compressed(sorted_unique(keys), shape), shape)


def costs_from_keys(keys: Ints, values: NDArray[Any], shape: tuple[int, int]) -> sparse.csr_array:
    """Return the costs with ``values[k]`` at (keys[k] // cols, keys[k] % cols); no key comes twice."""
    order = np.argsort(keys, kind="stable")
    return canonical(*_compressed(keys[order], shape), shape, values[order])


def _compressed(keys: Ints, shape: tuple[int, int]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the columns of sorted keys, which are used up, and where each row begins."""
    row = keys // max(shape[1], 1)
    index = index_type(*shape, keys.size)
    keys -= row * shape[1]
    offsets = np.zeros(shape[0] + 1, dtype=index)
    np.cumsum(np.bincount(row, minlength=shape[0]), out=offsets[1:])
    return keys.astype(index), offsets


def from_edges(tails: Ints, heads: Ints, order: int) -> sparse.csr_array:
    """Return the symmetric adjacency pattern of an undirected graph; loops are dropped."""
    proper = tails != heads
    tails, heads = tails[proper], heads[proper]
    return from_keys(np.concatenate([tails * order + heads, heads * order + tails]), (order, order))


def from_offsets(present: NDArray[np.bool_], offsets: Ints, cols: int) -> sparse.csr_array:
    """Return the pattern with an entry (i, i + offsets[k]) wherever ``present[i, k]``.

    The entries of a row come in the order of `offsets`, so the ones present must increase.
    """
    rows = present.shape[0]
    degrees = present.sum(axis=1)
    nonzeros = int(degrees.sum())
    index = index_type(rows, cols, nonzeros)
    starts = np.zeros(rows + 1, dtype=index)
    np.cumsum(degrees, out=starts[1:])
    indices = np.empty(nonzeros, dtype=index)
    for first in range(0, rows, ROWS_AT_A_TIME):
        last = min(first + ROWS_AT_A_TIME, rows)
        neighbours = np.arange(first, last)[:, None] + offsets
        indices[starts[first] : starts[last]] = neighbours[present[first:last]]
    return canonical(indices, starts, (rows, cols))


def canonical(
    indices: NDArray[Any], offsets: NDArray[Any], shape: tuple[int, int], values: NDArray[Any] | None = None
) -> sparse.csr_array:
    """Return the CSR array of indices known to be sorted and free of duplicates; int8 ones without values."""
    ones = np.ones(indices.size, dtype=np.int8) if values is None else values
    matrix = sparse.csr_array((ones, indices, offsets), shape=shape)
    matrix.has_canonical_format = True
    return matrix


def network(arcs: Iterable[tuple[Any, Any, Any]], num_vertices: int, source: int, sink: int) -> Network:
    """Return the network of lists of tails, heads and capacities; a number stands for a list of it."""
    parts = zip(*(np.broadcast_arrays(*part) for part in arcs), strict=True)
    tail, head, capacity = (np.concatenate(part) for part in parts)
    return Network(tail, head, capacity, num_vertices, source, sink)


def check_area(rows: int, cols: int) -> None:
    """Refuse shapes whose positions cannot be numbered in 63 bits."""
    if rows * cols >= 1 << 63:
        raise ValueError(f"rows times cols must be below 2**63, not {rows} * {cols}")


def check_degree(degree: float, rows: int, cols: int) -> None:
    """Refuse rows with more entries than there are columns."""
    if rows and degree > cols:
        raise ValueError(f"degree must be at most the number of columns, {cols}, not {degree}")


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


def renumber(A: sparse.csr_array, rows: bool = True, cols: bool = True, seed: int = 0) -> sparse.csr_array:
    """Return what `permute` does, each list in the order that it had, as ``A[p][:, q]`` leaves it.

    Examples
    --------
    >>> from konig.lab.generators import grid, permute
    >>> from konig.lab.generators.pattern import renumber
    >>> A = renumber(grid(10), seed=1)
    >>> A.has_sorted_indices, (A != permute(grid(10), seed=1)).nnz
    (False, 0)
    """
    row_place, col_place = _places(A.shape, rows, cols, seed)
    kept = A[np.argsort(row_place)]
    lists = col_place[kept.indices].astype(kept.indices.dtype)
    return sparse.csr_array((kept.data, lists, kept.indptr), shape=A.shape)


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
