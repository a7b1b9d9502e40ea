"""How networks, patterns and sparse costs are assembled.

Matrices are sorted, without duplicates, of the narrowest index type.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from konig.io.entries import Network
from konig.lab.generators.draws import Ints, sorted_unique

ROWS_AT_A_TIME = 1 << 18


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
    """Return the network of lists of tails, heads and capacities; a number stands for all of a list."""
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
