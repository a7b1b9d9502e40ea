"""The containers that solvers read: a bipartite graph in compressed form, one way or both."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
import scipy.sparse as sp

from konig import _native
from konig.arguments import how_to_read, whole
from konig.gpu import sums
from konig.index_arrays import (
    Checks,
    array_module,
    as_array,
    as_ids,
    check_pairs,
    check_sparse,
    check_values,
    checked_lists,
    owners,
    storable,
    unmasked,
)
from konig.interop import arrays
from konig.interop.index_matrices import ArrayMatrix, sparse_on_host, take_apart
from konig.memory import require_memory
from konig.threads import worth_sharing

INT32_MAX = np.iinfo(np.int32).max
LISTED = "rows of equal length if it is a list; index arrays are a tuple (rows, cols)"

# What a matching takes of each row and column, in ids: its partner, and its place in a search. Measured on
# matrices that are nearly empty: 4 by `auto`, at least 3 by every other method.
IDS_PER_VERTEX = 3


@dataclass(frozen=True)
class Adjacency:
    """Compressed lists: the neighbours of vertex v are ``neighbour[start[v]:start[v + 1]]``.

    ``borrowed`` lists may lie in memory of the caller's, who may change it once the call has returned.
    """

    start: np.ndarray
    neighbour: np.ndarray
    borrowed: bool = field(default=False, kw_only=True)
    on_gpu: ClassVar[bool] = False

    @property
    def vertices(self) -> int:
        return len(self.start) - 1

    def owned(self) -> Adjacency:
        """The same lists in memory of its own."""
        if not self.borrowed:
            return self
        return replace(self, start=self.start.copy(), neighbour=self.neighbour.copy(), borrowed=False)

    def transposed(self, others: int, threads: int | None = 1) -> Adjacency:
        """The lists of the ``others`` vertices on the other side, each in increasing order."""
        start = np.zeros(others + 1, self.start.dtype)
        neighbour = np.empty(len(self.neighbour), self.neighbour.dtype)
        workers = worth_sharing(len(neighbour), threads)
        _native.transpose(self.start, self.neighbour, start, neighbour, workers)
        return Adjacency(start, neighbour)

    def endpoints(self) -> tuple[np.ndarray, np.ndarray]:
        """Every entry as a pair of arrays (owner, neighbour)."""
        return owners(self.start, len(self.neighbour), self.neighbour.dtype), self.neighbour

    def on_host(self) -> Adjacency:
        """The lists in arrays of NumPy, copied where they are on a GPU."""
        return Adjacency(arrays.to_numpy(self.start), arrays.to_numpy(self.neighbour))


class BipartiteGraph:
    """The pattern of a matrix: rows on one side, columns on the other, an edge for each stored entry.

    One orientation is enough to build it; the other is made on first use, by up to ``threads`` threads, and
    kept. A graph on a GPU may be a copy of one on the ``host``.
    """

    def __init__(
        self,
        rows: int,
        cols: int,
        of_row: Adjacency | None = None,
        of_col: Adjacency | None = None,
        threads: int | None = 1,
        host: BipartiteGraph | None = None,
    ):
        self.rows = rows
        self.cols = cols
        self.threads = threads
        self._of_row = of_row
        self._of_col = of_col
        self._host = host

    @property
    def of_row(self) -> Adjacency:
        """The columns of each row."""
        if self._of_row is None:
            self._of_row = self._given.transposed(self.rows, self.threads)
        return self._of_row

    @property
    def of_col(self) -> Adjacency:
        """The rows of each column."""
        if self._of_col is None:
            self._of_col = self._given.transposed(self.cols, self.threads)
        return self._of_col

    def orient(self, reads: set[str]) -> None:
        """Make the orientations that will be read: "rows", "cols" or both."""
        if "rows" in reads:
            self.of_row  # noqa: B018 (made on first use)
        if "cols" in reads:
            self.of_col  # noqa: B018

    @property
    def _given(self) -> Adjacency:
        given = self._of_row if self._of_row is not None else self._of_col
        assert given is not None
        return given

    @property
    def has_rows(self) -> bool:
        return self._of_row is not None

    @property
    def has_cols(self) -> bool:
        return self._of_col is not None

    @property
    def nonzeros(self) -> int:
        return len(self._given.neighbour)

    @property
    def id_dtype(self) -> np.dtype:
        return self._given.neighbour.dtype

    @property
    def offset_dtype(self) -> np.dtype:
        return self._given.start.dtype

    def edges(self) -> tuple[np.ndarray, np.ndarray]:
        """All entries as (row, column) arrays, in the order of the orientation that is there."""
        if self._of_row is not None:
            return self._of_row.endpoints()
        cols, rows = self.of_col.endpoints()
        return rows, cols

    def transposed(self) -> BipartiteGraph:
        """The graph of the transposed matrix; it shares the arrays."""
        host = None if self._host is None else self._host.transposed()
        return BipartiteGraph(self.cols, self.rows, self._of_col, self._of_row, self.threads, host)

    def owned(self) -> BipartiteGraph:
        """The same graph in memory of its own, in one orientation."""
        made = [lists for lists in (self._of_row, self._of_col) if lists is not None and not lists.borrowed]
        kept = made[0] if made else self._given
        of_row, of_col = (kept.owned(), None) if kept is self._of_row else (None, kept.owned())
        return BipartiteGraph(self.rows, self.cols, of_row, of_col, self.threads)

    def on_host(self) -> BipartiteGraph:
        """The graph with NumPy's arrays: itself, or a copy that is made on first use and kept."""
        if not self._given.on_gpu:
            return self
        if self._host is None:
            of_row, of_col = (lists and lists.on_host() for lists in (self._of_row, self._of_col))
            self._host = BipartiteGraph(self.rows, self.cols, of_row, of_col)
        return self._host

    def __reduce__(self) -> Any:
        """What is pickled or copied is the graph on the host."""
        host = self.on_host()
        return BipartiteGraph, (host.rows, host.cols, host._of_row, host._of_col, host.threads)


class Partial(NamedTuple):
    """A graph, and the partners that a solver improves in place until the matching is maximum."""

    graph: BipartiteGraph
    col_of_row: Any
    row_of_col: Any

    def transposed(self) -> Partial:
        """The same of the transposed matrix."""
        return Partial(self.graph.transposed(), self.row_of_col, self.col_of_row)


def count_matched(partners: Any) -> int:
    """How many have a partner, which is not negative."""
    xp = array_module(partners)
    return int(np.count_nonzero(partners >= 0)) if xp is np else sums.count_not_negative(xp, partners)


class HostArrays(Checks):
    """What it takes to make a graph, with NumPy and native loops.

    `konig.matching.device_graph.DeviceArrays` does the same on a GPU, so both check alike.
    """

    def from_lists(self, rows: int, cols: int, of_row: Any = None, of_col: Any = None) -> BipartiteGraph:
        """The graph of lists (start, neighbour) that have been checked; they may be the caller's."""
        of_row, of_col = (
            None if lists is None else Adjacency(*lists, borrowed=True) for lists in (of_row, of_col)
        )
        graph = BipartiteGraph(rows, cols, of_row, of_col, self.threads)
        needed = (rows + cols) * IDS_PER_VERTEX * graph.id_dtype.itemsize
        require_memory(needed, rows, cols, graph.nonzeros)
        return graph

    def from_pairs(
        self, row_ids: Any, col_ids: Any, rows: int, cols: int, ids_type: Any, offsets_type: Any
    ) -> BipartiteGraph:
        """The graph of pairs that have been checked."""
        entries, id_bytes = len(row_ids), np.dtype(ids_type).itemsize
        lists = (rows + 1) * np.dtype(offsets_type).itemsize + entries * id_bytes
        require_memory(lists + (rows + cols) * IDS_PER_VERTEX * id_bytes, rows, cols, entries)
        start = np.zeros(rows + 1, offsets_type)
        neighbour = np.empty(entries, ids_type)
        major, minor = row_ids.astype(ids_type, copy=False), col_ids.astype(ids_type, copy=False)
        _native.compress_pairs(major, minor, start, neighbour, worth_sharing(len(neighbour), self.threads))
        return BipartiteGraph(rows, cols, Adjacency(start, neighbour), threads=self.threads)


HOST = HostArrays()


def as_graph(
    A: Any,
    *,
    shape: tuple[int, int] | None = None,
    drop_zeros: bool = False,
    threads: int | None = 1,
    name: str = "A",
) -> BipartiteGraph:
    """The bipartite graph of whatever the caller calls a matrix; errors name the argument and the place.

    See `konig.maximum_matching` for what is accepted. The graph is on the host: an input that lives on
    a GPU is copied. Up to ``threads`` threads check and make it.
    """
    if isinstance(A, BipartiteGraph):
        return A.on_host()
    return from_arrays(_index_arrays(A, shape, name), drop_zeros, name, HostArrays(threads))


def _index_arrays(A: Any, shape: tuple[int, int] | None, name: str) -> ArrayMatrix:
    """Whatever is a matrix as index arrays on the host, still to be checked; a new format is read here."""
    place = arrays.place_of(A, name)
    if place is not None:
        with place.entered():
            return take_apart(A, place, shape, name).on_host()
    if isinstance(A, tuple) and len(A) == 2:
        return ArrayMatrix("coo", A[0], A[1], shape)
    if shape is not None:
        raise TypeError(f"shape is only for a tuple (rows, cols); {name} has a shape of its own")
    A = _read(A, name)
    if sp.issparse(A):
        return _sparse_index_arrays(A, name)
    if isinstance(A, np.ndarray):
        row_ids, col_ids = np.nonzero(_checked_dense(A, name))
        return ArrayMatrix("coo", row_ids, col_ids, A.shape)
    raise TypeError(
        f"{name} must be a scipy.sparse matrix, a 2-D array or list of lists, a tuple of index arrays "
        f"(rows, cols) or a path, not {_described(A)}{how_to_read(A)}"
    )


def _read(A: Any, name: str) -> Any:
    """What a path leads to; a list as an array; anything else as it is."""
    if isinstance(A, str | os.PathLike):
        from konig import io

        return io.read(A)
    return as_array(A, name, LISTED) if isinstance(A, list) else A


def _sparse_index_arrays(A: Any, name: str) -> ArrayMatrix:
    if A.ndim != 2:
        raise ValueError(f"{name} must have two dimensions, not {A.ndim}")
    if A.format not in ("csr", "csc", "coo"):
        check_sparse(A, name)
        # DIA is the one format whose conversion cannot tell a stored zero from padding: it drops zeros.
        A = storable(A)
        A = A.tocsr() if A.format in ("bsr", "lil", "dok") else A.tocoo()
    kind, first, second = ("coo", A.row, A.col) if A.format == "coo" else (str(A.format), A.indptr, A.indices)
    rows, cols = (int(extent) for extent in A.shape)
    return ArrayMatrix(kind, first, second, (rows, cols), lambda: np.asarray(A.data == 0))


def one_call_arrays(A: Any, shape: Any) -> tuple[str, Any, np.ndarray, int, int] | None:
    """What the one native call takes of a matrix or of pairs: (format, first, second, rows, columns).

    None for anything else.
    """
    if sp.issparse(A):
        if shape is not None or A.ndim != 2:
            return None
        kind, (rows, cols) = A.format, A.shape
        if kind == "coo":
            first, second = A.row, A.col
        elif kind == "csr" or kind == "csc":
            first, second = A.indptr, A.indices
        else:
            return None
    elif type(A) is tuple and len(A) == 2 and type(shape) is tuple and len(shape) == 2:
        (first, second), (rows, cols), kind = A, shape, "coo"
        if not type(rows) is type(cols) is int:
            return None
    else:
        return None
    return (kind, first, second, rows, cols) if type(second) is np.ndarray else None


def _described(A: Any) -> str:
    return f"a tuple of {len(A)}" if isinstance(A, tuple) else type(A).__name__


def as_csr(A: Any, *, shape: tuple[int, int] | None = None, drop_zeros: bool = False) -> Any:
    """What `as_graph` accepts as a scipy.sparse matrix in CSR format, with its values if it has any."""
    place = arrays.place_of(A, "A")
    if place is not None and not isinstance(A, tuple):
        listed = sparse_on_host(A, place)
        A = arrays.to_numpy(A) if listed is None else listed
    A = _read(A, "A")
    if sp.issparse(A):
        check_sparse(A, "A")
        matrix = storable(A).tocsr()
        if drop_zeros:
            matrix = matrix.copy()
            matrix.eliminate_zeros()
        return matrix
    if isinstance(A, np.ndarray) and A.ndim == 2:
        return sp.csr_array(storable(_checked_dense(A, "A")))
    graph = as_graph(A, shape=shape if isinstance(A, tuple) else None)
    lists = graph.of_row
    values = np.ones(len(lists.neighbour), bool)
    return sp.csr_array((values, lists.neighbour, lists.start), (graph.rows, graph.cols))


def from_arrays(
    matrix: ArrayMatrix, drop_zeros: bool, name: str, made_by: HostArrays = HOST
) -> BipartiteGraph:
    """The graph of index arrays, every value checked; made where ``made_by`` makes it."""
    first, second = matrix.first, matrix.second
    zeros = matrix.zeros() if drop_zeros and matrix.zeros is not None else None
    if matrix.kind == "coo":
        if zeros is not None:
            check_values(zeros, len(first), name)
            first, second = first[~zeros], second[~zeros]
        return _from_pairs(first, second, matrix.shape, name, made_by)
    assert matrix.shape is not None
    rows, cols = matrix.shape
    by_rows = matrix.kind == "csr"
    major, minor, major_name = (rows, cols, "row") if by_rows else (cols, rows, "column")
    lists = checked_lists(first, second, major, minor, name, major_name, made_by)
    if zeros is not None:
        check_values(zeros, len(lists[1]), name)
        lists = _without(*lists, zeros[: len(lists[1])], made_by.xp)
    return made_by.from_lists(rows, cols, *((lists, None) if by_rows else (None, lists)))


def _without(start: Any, neighbour: Any, dropped: Any, xp: Any) -> tuple[Any, Any]:
    if not bool(dropped.any()):
        return start, neighbour
    kept_before = xp.zeros(len(neighbour) + 1, start.dtype)
    kept_before[1:] = xp.cumsum(~dropped)
    return kept_before[start], neighbour[~dropped]


def _checked_dense(A: np.ndarray, name: str) -> np.ndarray:
    """A dense matrix of numbers as a plain array: subclasses have ways of their own."""
    if A.ndim != 2:
        raise ValueError(f"{name} must have two dimensions, not {A.ndim}")
    if A.dtype.kind not in "biufc":
        raise TypeError(f"{name} must hold numbers or booleans, not {A.dtype}")
    return np.asarray(unmasked(A, name))


def _from_pairs(
    rows: Any, cols: Any, shape: tuple[int, int] | None, name: str, made_by: HostArrays
) -> BipartiteGraph:
    row_ids = as_ids(rows, f"{name}: rows", made_by.xp)
    col_ids = as_ids(cols, f"{name}: cols", made_by.xp)
    if shape is None:
        row_bound, col_bound = (int(ids.max()) + 1 if len(ids) else 0 for ids in (row_ids, col_ids))
        shape = (max(row_bound, 0), max(col_bound, 0))
    n_rows, n_cols = _checked_shape(shape)
    check_pairs(row_ids, col_ids, n_rows, n_cols, name, made_by)
    # Pairs are copied into lists anyway, so they get the narrowest types that hold them.
    ids_type: Any = np.int32 if max(n_rows, n_cols) < INT32_MAX else np.int64
    offsets_type: Any = np.int32 if ids_type == np.int32 and len(row_ids) < INT32_MAX else np.int64
    return made_by.from_pairs(row_ids, col_ids, n_rows, n_cols, ids_type, offsets_type)


def _checked_shape(shape: Any) -> tuple[int, int]:
    try:
        rows, cols = (whole("shape", extent) for extent in shape)
    except (TypeError, ValueError):
        raise TypeError(f"shape must be a pair of integers, not {shape!r}") from None
    if rows < 0 or cols < 0:
        raise ValueError(f"shape must not be negative, got ({rows}, {cols})")
    if max(rows, cols) >= 2**63:
        raise ValueError(f"shape must be below 2**63, got ({rows}, {cols})")
    return rows, cols
