"""The container that flow solvers read: the arcs of a network, and the part that each vertex plays."""

from __future__ import annotations

import operator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
import scipy.sparse as sp

from konig import _native
from konig.arguments import checked_flag
from konig.flow.capacities import Capacities, Scale, as_capacities
from konig.index_arrays import as_ids, check_sparse, unmasked
from konig.interop.networks import is_arcs, network_on_host
from konig.memory import require_bytes

INT32_MAX = np.iinfo(np.int32).max
SOURCE, SINK = 1, 2


class GivenArcs(NamedTuple):
    """Arcs in the order of the input: sorted lists that begin at ``start``, or a ``tail`` for each."""

    start: np.ndarray | None
    tail: np.ndarray | None
    head: np.ndarray
    capacity: np.ndarray


@dataclass(frozen=True, eq=False)
class SortedLists:
    """Arcs sorted by tail and head; those of vertex u are ``start[u]:start[u + 1]``.

    Parallel arcs stand side by side. ``order[k]`` is the position in the input of arc k, None if it is k.
    """

    start: np.ndarray
    head: np.ndarray
    order: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class ArcEnds:
    """The ends of arcs as they were given and, from the first use on, sorted."""

    given: SortedLists | tuple[np.ndarray, np.ndarray]  # or tails and heads
    num_vertices: int

    @cached_property
    def lists(self) -> SortedLists:
        """The arcs sorted."""
        if isinstance(self.given, SortedLists):
            return self.given
        return sorted_lists(*self.given, self.num_vertices)

    @cached_property
    def tail(self) -> np.ndarray:
        """The tail of each sorted arc."""
        lists = self.lists
        return np.repeat(np.arange(self.num_vertices, dtype=lists.head.dtype), np.diff(lists.start))


@dataclass(frozen=True, eq=False)
class FlowNetwork:
    """Arcs and their capacities, in arrays of its own: as they were given and, from the first use on, sorted.

    ``start``, ``head``, ``tail``, ``capacity`` and ``order`` are those of :class:`SortedLists`. Vertices are
    int32 where twice the number of arcs fits, else int64. ``role`` is 1 at sources, 2 at sinks
    and 0 elsewhere. ``shape`` is that of a sparse input, None for arcs given as arrays. ``capacity`` is in
    units of ``capacities.unit``; unbounded ones are the largest int64.
    """

    ends: ArcEnds
    capacities: Capacities
    role: np.ndarray
    undirected: bool = False
    shape: tuple[int, int] | None = None

    xp: ClassVar[Any] = np  # whose arrays they are

    @property
    def scale(self) -> Scale:
        return self.capacities.scale

    def as_given(self) -> GivenArcs:
        """The arcs in the order of the input."""
        given, units = self.ends.given, self.capacities.units
        if isinstance(given, SortedLists):
            return GivenArcs(given.start, None, given.head, units)
        return GivenArcs(None, *given, units)

    def ends_as_given(self) -> tuple[np.ndarray, np.ndarray]:
        """Tails and heads in the order of the input."""
        given = self.ends.given
        return (self.tail, given.head) if isinstance(given, SortedLists) else given

    def in_unit(self, exponent: int) -> FlowNetwork:
        """The same network with capacities in units of 2**exponent."""
        return replace(self, capacities=self.capacities.in_unit(exponent))

    @property
    def start(self) -> np.ndarray:
        return self.ends.lists.start

    @property
    def head(self) -> np.ndarray:
        return self.ends.lists.head

    @cached_property
    def capacity(self) -> np.ndarray:
        return self.in_sorted_order(self.capacities.units)

    @property
    def order(self) -> np.ndarray | None:
        return self.ends.lists.order

    @property
    def tail(self) -> np.ndarray:
        return self.ends.tail

    @property
    def num_vertices(self) -> int:
        return len(self.role)

    @property
    def num_arcs(self) -> int:
        return len(self.capacities.given)

    def on_host(self) -> FlowNetwork:
        """The network with NumPy's arrays, which this one has."""
        return self

    @property
    def sources(self) -> np.ndarray:
        return np.flatnonzero(self.role == SOURCE)

    @property
    def sinks(self) -> np.ndarray:
        return np.flatnonzero(self.role == SINK)

    def in_input_order(self, per_arc: np.ndarray) -> np.ndarray:
        """Numbers per sorted arc, in the order of the input."""
        if self.order is None:
            return per_arc
        placed = np.empty_like(per_arc)
        placed[self.order] = per_arc
        return placed

    def in_sorted_order(self, per_arc: np.ndarray) -> np.ndarray:
        """Numbers per arc of the input, in the order of the sorted arcs."""
        return per_arc if self.order is None else per_arc[self.order]


def as_network(
    capacity: Any, source: Any, sink: Any, *, num_vertices: int | None = None, undirected: bool = False
) -> FlowNetwork:
    """The network of whatever the caller calls capacities; errors name the argument and the place.

    See :func:`konig.maximum_flow` for what is accepted. The network is on the host: an input that lives on a
    GPU is copied.
    """
    undirected = checked_flag("undirected", undirected)
    capacity = network_on_host(capacity)
    if is_arcs(capacity):
        tail, head, amounts = capacity
        tails, heads, values, n = _from_arrays(tail, head, amounts, num_vertices)
        return FlowNetwork(ArcEnds((tails, heads), n), values, roles(n, source, sink), undirected)
    if num_vertices is not None:
        raise TypeError("num_vertices is only for (tail, head, capacity) arrays; a matrix has a shape")
    lists, values = _from_matrix(capacity)
    n = len(lists.start) - 1
    return FlowNetwork(ArcEnds(lists, n), values, roles(n, source, sink), undirected, (n, n))


def arrays_of(capacity: Any, num_vertices: Any) -> tuple[bool, Any, Any, Any, int | None] | None:
    """Arcs or a square CSR matrix as (is a matrix, ends, heads, capacities, vertices), unchecked.

    The ends are tails, or where the lists of a matrix begin. None for anything else.
    """
    if type(capacity) is tuple and len(capacity) == 3:
        if num_vertices is None or type(num_vertices) is int:
            return False, *capacity, num_vertices
    elif num_vertices is None and sp.issparse(capacity) and capacity.format == "csr":
        rows, cols = capacity.shape
        if rows == cols:
            return True, capacity.indptr, capacity.indices, capacity.data, rows
    return None


def roles(num_vertices: int, source: Any, sink: Any) -> np.ndarray:
    """1 at the sources, 2 at the sinks, after a look at each."""
    role = np.zeros(num_vertices, np.uint8)
    for name, given, mark in (("source", source, SOURCE), ("sink", sink, SINK)):
        ids = _terminals(name, given, num_vertices)
        both = ids[role[ids] == SOURCE] if mark == SINK else ids[:0]
        if len(both):
            raise ValueError(f"sink: vertex {both[0]} is a source too; source and sink must differ")
        role[ids] = mark
    return role


def _terminals(name: str, given: Any, num_vertices: int) -> np.ndarray:
    ids = np.asarray(given)
    if ids.dtype.kind not in "iu" or ids.ndim > 1 or ids.size == 0:
        raise TypeError(f"{name} must be a vertex or a list of at least one vertex, not {given!r}")
    ids = np.atleast_1d(ids)
    wrong = np.flatnonzero((ids < 0) | (ids >= num_vertices))
    if len(wrong):
        place = f" at position {wrong[0]}" if ids.size > 1 else ""
        raise ValueError(f"{name}: vertex {ids[wrong[0]]}{place} is out of range [0, {num_vertices})")
    return ids.astype(np.int64)


def index_type(num_vertices: int, arcs: int) -> Any:
    """The narrowest type for vertices and for the slots of a residual network."""
    return np.int32 if max(num_vertices + 2, 2 * arcs) < INT32_MAX else np.int64


def sorted_lists(tails: np.ndarray, heads: np.ndarray, n: int) -> SortedLists:
    """Arcs in any order, sorted by tail and head; parallel ones keep theirs."""
    start: np.ndarray = np.zeros(n + 1, heads.dtype)
    order: np.ndarray = np.empty(len(tails), heads.dtype)
    _native.sort_arcs(tails, heads, start, order)
    return SortedLists(start, heads[order], order)


def require_room(num_vertices: int, arcs: int, argument: str) -> None:
    """Raise MemoryError if the host has not the memory that a solve would take."""
    wide = index_type(num_vertices, arcs) == np.int64
    per_vertex, per_arc = (200, 100) if wide else (120, 60)  # bytes, a little more than any method takes
    what = f"{num_vertices:,} vertices and {arcs:,} arcs"
    require_bytes(per_vertex * num_vertices + per_arc * arcs, what, argument)


def _from_matrix(matrix: Any) -> tuple[SortedLists, Capacities]:
    if isinstance(matrix, list):
        matrix = _dense(matrix)
    if isinstance(matrix, np.ndarray):
        if matrix.ndim != 2:
            raise ValueError(f"capacity must have two dimensions, not {matrix.ndim}")
        if matrix.dtype.kind not in "biuf":
            raise TypeError(f"capacity must hold real numbers, not {matrix.dtype}")
        matrix = sp.csr_array(_as_scipy_takes_it(unmasked(matrix, "capacity")))
    if not sp.issparse(matrix):
        raise TypeError(
            "capacity must be a scipy.sparse matrix, a square array or arrays (tail, head, capacity), "
            f"not {type(matrix).__name__}"
        )
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(
            f"capacity must be square, a row and a column for each vertex, not {matrix.shape}; "
            "arcs are a tuple (tail, head, capacity)"
        )
    n = int(matrix.shape[0])
    require_room(n, int(matrix.nnz), "capacity")
    check_sparse(matrix, "capacity")
    if matrix.format == "csr":
        index = index_type(n, len(matrix.indices))
        start: np.ndarray = np.array(matrix.indptr, index)
        head: np.ndarray = np.array(matrix.indices[: start[-1]], index)
        if _native.sorted_lists(start, head):
            values = as_capacities(matrix.data[: len(head)], lambda k: _entry(start, head, k))
            return SortedLists(start, head), values
    entries = matrix.tocoo()
    tails, heads, values, _ = _from_arrays(
        entries.row, entries.col, entries.data, n, lambda k: f"entry ({entries.row[k]}, {entries.col[k]})"
    )
    lists = sorted_lists(tails, heads, n)
    values = replace(values, given=values.given[lists.order])
    start, head, values = _added_up(lists.start, lists.head, values)
    return SortedLists(start, head), values


def _dense(rows: list[Any]) -> np.ndarray:
    """A list of rows as an array."""
    try:
        return np.asarray(rows)
    except ValueError as refused:
        raise ValueError(
            "capacity: a list must hold rows of equal length; arcs are a tuple (tail, head, capacity): "
            f"{refused}"
        ) from None


def _as_scipy_takes_it(matrix: np.ndarray) -> np.ndarray:
    """The same numbers in a type that scipy.sparse has: no halves, and the bytes in this machine's order."""
    if matrix.dtype == np.float16:
        return matrix.astype(np.float32)
    return matrix.astype(matrix.dtype.newbyteorder("="), copy=False)


def _entry(start: np.ndarray, head: np.ndarray, position: int) -> str:
    return f"entry ({int(np.searchsorted(start, position, 'right')) - 1}, {head[position]})"


def _added_up(
    start: np.ndarray, head: np.ndarray, values: Capacities
) -> tuple[np.ndarray, np.ndarray, Capacities]:
    """Duplicate entries of a matrix as one, with the sum of their capacities."""
    tail = np.repeat(np.arange(len(start) - 1, dtype=head.dtype), np.diff(start))
    begins = np.ones(len(head), bool)
    begins[1:] = (tail[1:] != tail[:-1]) | (head[1:] != head[:-1])
    if begins.all():
        return start, head, values
    first = np.flatnonzero(begins)
    offset = np.zeros(len(head) + 1, start.dtype)
    offset[1:] = np.cumsum(begins)
    added = values.added_up(first, lambda k: f"entry ({tail[first[k]]}, {head[first[k]]})")
    return offset[start], head[first], added


def _from_arrays(
    tail: Any, head: Any, capacity: Any, num_vertices: int | None, name: Any = None
) -> tuple[np.ndarray, np.ndarray, Capacities, int]:
    tails, heads = as_ids(tail, "tail"), as_ids(head, "head")
    raw = np.asarray(unmasked(capacity, "capacity"))
    if raw.ndim != 1:
        raise ValueError(f"capacity must have one dimension, not {raw.ndim}")
    if not len(tails) == len(heads) == len(raw):
        raise ValueError(f"{len(tails)} tails, {len(heads)} heads and {len(raw)} capacities: lengths differ")
    values = as_capacities(raw, name or (lambda k: f"arc {k}"))
    if num_vertices is None:
        n = max((int(ids.max()) + 1 for ids in (tails, heads) if len(ids)), default=0)
    else:
        n = checked_extent(num_vertices)
    require_room(n, len(tails), "num_vertices" if num_vertices is not None else "tail, head")
    for what, ids in (("tail", tails), ("head", heads)):
        if len(ids) and (ids.min() < 0 or ids.max() >= n):
            wrong = np.flatnonzero((ids < 0) | (ids >= n))
            raise ValueError(f"{what}: vertex {ids[wrong[0]]} of arc {wrong[0]} is out of range [0, {n})")
    index = index_type(n, len(tails))
    tails, heads = (np.array(ids, index) for ids in (tails, heads))
    return tails, heads, values, n


def checked_extent(num_vertices: Any) -> int:
    """The number of vertices, or an error that names the argument."""
    try:
        n = operator.index(num_vertices)
    except TypeError:
        raise TypeError(f"num_vertices must be an integer, not {num_vertices!r}") from None
    if n < 0:
        raise ValueError(f"num_vertices must not be negative, got {n}")
    return n
