"""The containers that flow solvers read: the arcs of a network, and the part that each vertex plays.

A network on the host is a :class:`FlowNetwork`, one on a GPU a :class:`DeviceNetwork`, whose arcs are checked
where they live, and stay there. That is written for ``xp``, which is CuPy; NumPy serves as well, so tests
need no GPU.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp

from konig import _native
from konig.arguments import checked_flag
from konig.flow.capacities import (
    LARGEST,
    Capacities,
    Scale,
    as_capacities,
    bound_of_links,
    scaled_down,
)
from konig.index_arrays import as_ids, check_sparse, unmasked
from konig.interop.arrays import to_numpy
from konig.interop.networks import is_arcs, network_on_host
from konig.memory import require_bytes

INT32_MAX = np.iinfo(np.int32).max
SOURCE, SINK = 1, 2
ROUNDS = 16  # of taking vertices off a flow; what is left of most flows is then little


@dataclass(frozen=True, eq=False)
class SortedLists:
    """Arcs sorted by tail and head, as a matrix has them: those of vertex u are ``start[u]:start[u + 1]``."""

    start: np.ndarray
    head: np.ndarray


@dataclass(frozen=True, eq=False)
class ArcEnds:
    """The ends of arcs as they were given."""

    given: SortedLists | tuple[np.ndarray, np.ndarray]  # or tails and heads
    num_vertices: int

    @cached_property
    def tail(self) -> np.ndarray:
        """The tail of each arc."""
        if not isinstance(self.given, SortedLists):
            return self.given[0]
        start, head = self.given.start, self.given.head
        return np.repeat(np.arange(self.num_vertices, dtype=head.dtype), np.diff(start))


@dataclass(frozen=True, eq=False)
class FlowNetwork:
    """Arcs and their capacities, in the order of the input and in arrays of its own.

    Vertices are int32 where twice the number of arcs fits, else int64. ``role`` is 1 at sources, 2 at sinks
    and 0 elsewhere. ``shape`` is that of a sparse input, None for arcs given as arrays; ``start`` is where
    its rows begin. ``capacity`` is in units of ``capacities.unit``; unbounded ones are the largest int64.
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

    @property
    def start(self) -> Any:
        given = self.ends.given
        return given.start if isinstance(given, SortedLists) else None

    @property
    def tail(self) -> np.ndarray:
        return self.ends.tail

    @property
    def head(self) -> np.ndarray:
        given = self.ends.given
        return given.head if isinstance(given, SortedLists) else given[1]

    @property
    def capacity(self) -> Any:
        return self.capacities.units

    @property
    def arcs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return self.tail, self.head, self.capacity

    @property
    def num_vertices(self) -> int:
        return len(self.role)

    @property
    def num_arcs(self) -> int:
        return len(self.capacities.given)

    @property
    def sources(self) -> np.ndarray:
        return np.flatnonzero(self.role == SOURCE)

    @property
    def sinks(self) -> np.ndarray:
        return np.flatnonzero(self.role == SINK)

    def in_unit(self, exponent: int) -> FlowNetwork:
        """The same network with capacities in units of 2**exponent."""
        return replace(self, capacities=self.capacities.in_unit(exponent))

    def on_host(self) -> FlowNetwork:
        """The network with NumPy's arrays, which this one has."""
        return self

    def without_circulation(self, flow: np.ndarray) -> np.ndarray:
        """The flow of each arc, changed in place so that it goes around in no circle."""
        _native.cancel_circulations(self.tail, self.head, self.role, self.undirected, flow)
        return flow


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


def sorted_order(tails: np.ndarray, heads: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Where the list of each tail begins, and what sorts the arcs by tail and head, stably."""
    start: np.ndarray = np.zeros(n + 1, heads.dtype)
    order: np.ndarray = np.empty(len(tails), heads.dtype)
    _native.sort_arcs(tails, heads, start, order)
    return start, order


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
    start, order = sorted_order(tails, heads, n)
    values = replace(values, given=values.given[order])
    start, head, values = _added_up(start, heads[order], values)
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


@dataclass(frozen=True, eq=False)
class DeviceNetwork:
    """Arcs in the order given, in arrays of ``xp`` that are its own; real capacities are on the host.

    ``start`` holds the offsets of a matrix, whose arcs are sorted; None for arcs given as arrays.
    """

    xp: Any
    tail: Any
    head: Any
    capacities: Capacities
    role: np.ndarray
    undirected: bool
    start: Any = None

    @property
    def arcs(self) -> tuple[Any, Any, Any]:
        return self.tail, self.head, self.xp.asarray(self.capacities.units)

    @property
    def scale(self) -> Scale:
        return self.capacities.scale

    def in_unit(self, exponent: int) -> DeviceNetwork:
        """The same network with capacities in units of 2**exponent."""
        return replace(self, capacities=self.capacities.in_unit(exponent))

    def on_host(self) -> FlowNetwork:
        """The same network on the host: copied on first use and kept."""
        return self._host

    @cached_property
    def _host(self) -> FlowNetwork:
        tail, head = to_numpy(self.tail), to_numpy(self.head)
        given = to_numpy(self.capacities.given)
        n = len(self.role)
        ends = (np.flatnonzero(self.role == part) for part in (1, 2))
        numbers = np.arange(1, len(tail) + 1)  # of the arcs, to see how the host sorts them
        if self.start is None:
            network = as_network((tail, head, numbers), *ends, num_vertices=n, undirected=self.undirected)
        else:
            matrix = sp.csr_array((numbers, head, to_numpy(self.start)), shape=(n, n))
            network = as_network(matrix, *ends, undirected=self.undirected)
            given = given[network.capacity - 1]
        return replace(network, capacities=replace(self.capacities, given=given))

    def without_circulation(self, flow: Any) -> Any:
        """The flow without circulation: what may be on a cycle is looked at on the host."""
        arcs = possibly_on_cycles(self.xp, self.tail, self.head, flow, self.role)
        if len(arcs) == 0:
            return flow
        index: Any = np.int64 if self.tail.itemsize == 8 or self.head.itemsize == 8 else np.int32
        tail, head = (np.asarray(to_numpy(end[arcs]), index) for end in (self.tail, self.head))
        changed = to_numpy(flow[arcs])
        _native.cancel_circulations(tail, head, self.role, self.undirected, changed)
        flow[arcs] = self.xp.asarray(changed)
        return flow

    def as_given(self, flow: Any) -> Any:
        """Flow per arc as a sparse matrix where a matrix was given."""
        if self.start is None:
            return flow
        from cupyx.scipy import sparse

        n = len(self.role)
        flow = flow.astype(np.float64, copy=False)  # CuPy has no sparse matrices of integers
        return sparse.csr_matrix((flow, self.head, self.start), shape=(n, n))


def device_network(
    xp: Any,
    tail: Any,
    head: Any,
    capacity: Any,
    source: Any,
    sink: Any,
    num_vertices: int | None = None,
    undirected: bool = False,
    start: Any = None,
) -> DeviceNetwork:
    """The network of arrays of ``xp``, after a look at every value."""
    for name, ids in (("tail", tail), ("head", head)):
        if ids.ndim != 1:
            raise ValueError(f"{name} must have one dimension, not {ids.ndim}")
        if ids.dtype.kind not in "iu" and len(ids):
            raise TypeError(f"{name} must be integers, not {ids.dtype}")
    if capacity.ndim != 1:
        raise ValueError(f"capacity must have one dimension, not {capacity.ndim}")
    if not len(tail) == len(head) == len(capacity):
        raise ValueError(
            f"{len(tail)} tails, {len(head)} heads and {len(capacity)} capacities: lengths differ"
        )
    if num_vertices is None:
        n = max((int(ids.max()) + 1 for ids in (tail, head) if len(ids)), default=0)
    else:
        n = checked_extent(num_vertices)
    for name, ids in (("tail", tail), ("head", head)):
        if len(ids) and (int(ids.min()) < 0 or int(ids.max()) >= n):
            wrong = int(xp.flatnonzero((ids < 0) | (ids >= n))[0])
            raise ValueError(f"{name}: vertex {ids[wrong]} of arc {wrong} is out of range [0, {n})")
    require_bytes(2 * n, f"{n:,} vertices", "tail, head" if num_vertices is None else "num_vertices")
    wide = n > np.iinfo(np.int32).max
    tail, head = (ids.astype(np.int64 if wide or ids.itemsize == 8 else np.int32) for ids in (tail, head))
    capacities = device_capacities(xp, capacity)
    return DeviceNetwork(xp, tail, head, capacities, roles(n, source, sink), undirected, start)


def device_capacities(
    xp: Any, capacity: Any, argument: str = "capacity", name: Callable[[int], str] = "arc {}".format
) -> Capacities:
    """Whole numbers stay on the device, real ones come to the host to be scaled.

    ``name`` says where in ``argument`` a wrong one is.
    """
    if capacity.dtype.kind in "iu" and len(capacity):
        if int(capacity.min()) < 0:
            wrong = int(xp.flatnonzero(capacity < 0)[0])
            raise ValueError(f"{argument}: {name(wrong)} is negative: {capacity[wrong]}")
        if int(capacity.max()) > LARGEST:
            wrong = int(xp.flatnonzero(capacity > LARGEST)[0])
            raise ValueError(f"{argument}: {name(wrong)} is larger than 2**63 - 1: {capacity[wrong]}")
        return Capacities(capacity.astype(np.int64))
    return as_capacities(to_numpy(capacity), name, argument)


def possibly_on_cycles(xp: Any, tail: Any, head: Any, flow: Any, role: Any) -> Any:
    """Arcs with flow that are left when vertices that no flow enters, or leaves, are taken off repeatedly.

    All sources count as one vertex, and so do all sinks.
    """
    role = xp.asarray(role)
    arcs = xp.flatnonzero(flow)
    turned = flow[arcs] < 0
    ends = [xp.where(turned, head[arcs], tail[arcs]), xp.where(turned, tail[arcs], head[arcs])]
    for part in (1, 2):
        one = int(xp.flatnonzero(role == part)[0])
        ends = [xp.where(role[end] == part, one, end) for end in ends]
    for _ in range(ROUNDS):
        left, entered = (xp.zeros(len(role), bool) for _ in range(2))
        left[ends[0]] = entered[ends[1]] = True
        kept = entered[ends[0]] & left[ends[1]]
        if bool(kept.all()):
            break
        arcs, ends = arcs[kept], [end[kept] for end in ends]
    return arcs


def network_bound(network: FlowNetwork | DeviceNetwork) -> Fraction:
    """No flow of the network is larger, unless arcs without bound lead from a source to a sink."""
    xp, n = network.xp, len(network.role)
    scaled, exponent = scaled_down(network.capacities.given)
    amounts, role = xp.asarray(scaled), xp.asarray(network.role)
    tail, head = network.tail, network.head
    if network.undirected:
        tail, head = xp.concatenate((tail, head)), xp.concatenate((head, tail))
        amounts = xp.concatenate((amounts, amounts))
    own, other = role[tail], role[head]
    from_source = xp.flatnonzero((own == SOURCE) & (other != SOURCE))
    to_sink = xp.flatnonzero((other == SINK) & (own != SINK))
    supply, demand = (
        xp.bincount(end[arcs], amounts[arcs], n) for end, arcs in ((head, from_source), (tail, to_sink))
    )
    leaving, entering = (xp.bincount(end, amounts, n).astype(np.float64) for end in (tail, head))
    leaving[role == SINK] = np.inf
    entering[role == SOURCE] = np.inf
    return bound_of_links(((supply, leaving), (demand, entering)), amounts, exponent)
