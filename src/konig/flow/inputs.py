"""The container that flow solvers read: the arcs of a network, and the part that each vertex plays.

Arcs are checked where they live, and stay there: arrays are those of ``xp``, NumPy or CuPy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from konig import _native
from konig.arguments import checked_flag, how_to_read, integer
from konig.exact_reals import whole_sum
from konig.flow.capacities import (
    TOO_LARGE,
    Capacities,
    Scale,
    as_capacities,
    bound_of_links,
    scaled_down,
)
from konig.index_arrays import (
    array_module,
    as_array,
    as_ids,
    check_listed_integers,
    check_sparse,
    owners,
    refuse_wide_integers,
    storable,
    unmasked,
)
from konig.interop.arrays import to_cupy, to_numpy
from konig.interop.networks import is_arcs, network_on_host
from konig.memory import require_bytes

INT32_MAX = np.iinfo(np.int32).max
SOURCE, SINK = 1, 2


@dataclass(frozen=True, eq=False)
class FlowNetwork:
    """Arcs and their capacities in arrays of their own, NumPy's or CuPy's.

    Given arrays keep the caller's order. Arcs of a matrix are sorted by tail and head: arcs ``start[u]`` to
    ``start[u + 1]`` leave vertex u, and tails may be left out. Vertices are int32 where they and twice the
    number of arcs fit, else int64. ``role``, on the host, is 1 at sources, 2 at sinks and 0 elsewhere.
    ``capacity`` is in units of ``scale``; unbounded ones are the largest int64.
    """

    given_tail: Any
    head: Any
    start: Any
    capacities: Capacities
    role: np.ndarray
    undirected: bool = False

    @property
    def xp(self) -> Any:
        return array_module(self.head)

    @property
    def scale(self) -> Scale:
        return self.capacities.scale

    @cached_property
    def tail(self) -> Any:
        if self.given_tail is not None:
            return self.given_tail
        return owners(self.start, len(self.head), self.head.dtype)

    @property
    def capacity(self) -> Any:
        return self.xp.asarray(self.capacities.units)

    @property
    def arcs(self) -> tuple[Any, Any, Any]:
        return self.tail, self.head, self.capacity

    @property
    def shape(self) -> tuple[int, int] | None:
        """That of a matrix; None for arcs given as arrays."""
        return None if self.start is None else (self.num_vertices, self.num_vertices)

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
        """The network with NumPy's arrays: itself, or a copy that is made on first use and kept."""
        return self if self.xp is np else self._host

    @cached_property
    def _host(self) -> FlowNetwork:
        start = None if self.start is None else to_numpy(self.start)
        capacities = replace(self.capacities, given=to_numpy(self.capacities.given))
        arcs = to_numpy(self.tail), to_numpy(self.head), start, capacities
        return FlowNetwork(*arcs, self.role, self.undirected)


def as_network(
    capacity: Any,
    source: Any,
    sink: Any,
    *,
    num_vertices: int | None = None,
    undirected: bool = False,
    cupy: Any = None,
) -> FlowNetwork:
    """The network of whatever the caller calls capacities; errors name the argument and the place.

    See `konig.maximum_flow` for what is accepted. The network is on the host, where an input that lives
    on a GPU is copied to; arcs are on the current device if ``cupy`` is given, but for matrices.
    """
    undirected = checked_flag("undirected", undirected)
    on_device = cupy is not None and is_arcs(capacity)
    if not on_device:
        capacity = network_on_host(capacity)
    if is_arcs(capacity):
        xp = cupy if on_device else np
        if on_device:
            capacity = tuple(to_cupy(cupy, part, "capacity") for part in capacity)
        tail, head, amounts = capacity
        tail, head, values, n = _from_arrays(xp, tail, head, amounts, num_vertices)
        start = None
    elif num_vertices is not None:
        raise TypeError("num_vertices is only for (tail, head, capacity) arrays; a matrix has a shape")
    else:
        tail = None
        start, head, values = _from_matrix(capacity)
        n = len(start) - 1
    return FlowNetwork(tail, head, start, values, roles(n, source, sink), undirected)


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


def terminals(role: np.ndarray) -> tuple[int, int]:
    """The first source and the first sink, which stand for all."""
    return int(np.argmax(role == SOURCE)), int(np.argmax(role == SINK))


def _terminals(name: str, given: Any, num_vertices: int) -> np.ndarray:
    ids = as_array(given, name, "a vertex or a list of vertices")
    check_listed_integers(given, name, ids.dtype)
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


def _require_room(xp: Any, num_vertices: int, arcs: int, argument: str) -> None:
    """Raise MemoryError if the host has not the memory that a solve would take there."""
    if xp is np:
        wide = index_type(num_vertices, arcs) == np.int64
        per_vertex, per_arc = (200, 100) if wide else (120, 60)  # bytes, a little more than any method takes
    else:
        per_vertex, per_arc = 2, 0  # their roles
    what = f"{num_vertices:,} vertices and {arcs:,} arcs"
    require_bytes(per_vertex * num_vertices + per_arc * arcs, what, argument)


def _from_matrix(matrix: Any) -> tuple[np.ndarray, np.ndarray, Capacities]:
    """Where the lists of vertices begin, the heads, and the capacities."""
    if isinstance(matrix, list):
        matrix = as_array(
            matrix,
            "capacity",
            "rows of equal length if it is a list; arcs are a tuple (tail, head, capacity)",
        )
    if isinstance(matrix, np.ndarray):
        if matrix.ndim != 2:
            raise ValueError(f"capacity must have two dimensions, not {matrix.ndim}")
        if matrix.dtype.kind not in "biuf":
            raise TypeError(f"capacity must hold real numbers, not {matrix.dtype}")
        matrix = sp.csr_array(storable(unmasked(matrix, "capacity")))
    if not sp.issparse(matrix):
        raise TypeError(
            "capacity must be a scipy.sparse matrix, a square array or arrays (tail, head, capacity), "
            f"not {type(matrix).__name__}{how_to_read(matrix)}"
        )
    n = _checked_square(matrix.shape)
    _require_room(np, n, int(matrix.nnz), "capacity")
    check_sparse(matrix, "capacity")
    if matrix.format == "csr":
        index = index_type(n, len(matrix.indices))
        start: np.ndarray = np.array(matrix.indptr, index)
        head: np.ndarray = np.array(matrix.indices[: start[-1]], index)
        if _native.sorted_lists(start, head):
            values = as_capacities(matrix.data[: len(head)], lambda k: _entry(start, head, k))
            return start, head, values
    entries = storable(matrix).tocoo()
    parts = entries.row, entries.col, entries.data
    tail, head, values, _ = _from_arrays(
        np, *parts, n, lambda k: f"entry ({entries.row[k]}, {entries.col[k]})"
    )
    start, order = sorted_order(tail, head, n)
    values = replace(values, given=values.given[order])
    return _added_up(start, head[order], values)


def _checked_square(shape: tuple[int, ...]) -> int:
    """The number of rows, and of columns."""
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ValueError(
            f"capacity must be square, a row and a column for each vertex, not {shape}; "
            "arcs are a tuple (tail, head, capacity)"
        )
    return int(shape[0])


def _entry(start: np.ndarray, head: np.ndarray, position: int) -> str:
    return f"entry ({int(np.searchsorted(start, position, 'right')) - 1}, {head[position]})"


def _added_up(
    start: np.ndarray, head: np.ndarray, values: Capacities
) -> tuple[np.ndarray, np.ndarray, Capacities]:
    """Duplicate entries of a matrix as one, with the sum of their capacities."""
    tail = owners(start, len(head), head.dtype)
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
    xp: Any,
    tail: Any,
    head: Any,
    capacity: Any,
    num_vertices: int | None,
    name: Callable[[int], str] = "arc {}".format,
) -> tuple[Any, Any, Capacities, int]:
    """Tails, heads and capacities of arcs in arrays of ``xp``, every value checked, and how many vertices."""
    tails, heads = as_ids(tail, "tail", xp), as_ids(head, "head", xp)
    amounts = xp.asarray(unmasked(capacity, "capacity"))
    refuse_wide_integers(amounts, "capacity")
    if amounts.ndim != 1:
        raise ValueError(f"capacity must have one dimension, not {amounts.ndim}")
    if not len(tails) == len(heads) == len(amounts):
        raise ValueError(
            f"{len(tails)} tails, {len(heads)} heads and {len(amounts)} capacities: lengths differ"
        )
    values = as_capacities(amounts, name)
    if num_vertices is None:
        n = max((int(ids.max()) + 1 for ids in (tails, heads) if len(ids)), default=0)
    else:
        n = integer("num_vertices", num_vertices, most=None)
    _require_room(xp, n, len(tails), "num_vertices" if num_vertices is not None else "tail, head")
    for what, ids in (("tail", tails), ("head", heads)):
        if len(ids) and (int(ids.min()) < 0 or int(ids.max()) >= n):
            wrong = int(xp.flatnonzero((ids < 0) | (ids >= n))[0])
            raise ValueError(f"{what}: vertex {ids[wrong]} of arc {wrong} is out of range [0, {n})")
    index = index_type(n, len(tails))
    return xp.array(tails, index), xp.array(heads, index), values, n


def network_bound(network: FlowNetwork) -> Fraction:
    """No flow of a network on the host is larger, unless arcs without bound lead from a source to a sink."""
    n, role = len(network.role), network.role
    amounts, exponent = scaled_down(network.capacities.given)
    tail, head = network.tail, network.head
    if network.undirected:
        tail, head = np.concatenate((tail, head)), np.concatenate((head, tail))
        amounts = np.concatenate((amounts, amounts))
    own, other = role[tail], role[head]
    from_source = np.flatnonzero((own == SOURCE) & (other != SOURCE))
    to_sink = np.flatnonzero((other == SINK) & (own != SINK))
    supply, demand = (
        np.bincount(end[arcs], amounts[arcs], n) for end, arcs in ((head, from_source), (tail, to_sink))
    )
    onward, inward = np.where(other == SOURCE, 0.0, amounts), np.where(own == SINK, 0.0, amounts)
    leaving, entering = (
        np.bincount(end, passed, n).astype(np.float64) for end, passed in ((tail, onward), (head, inward))
    )
    leaving[role == SINK] = np.inf
    entering[role == SOURCE] = np.inf
    return bound_of_links(((supply, leaving), (demand, entering)), amounts, exponent)


@dataclass(frozen=True, eq=False)
class TwoTerminals:
    """Directed arcs from one source to one sink; no arc need carry more than ``bound``.

    ``doubled`` says that the second half of the arcs are the first half in the other direction.
    """

    xp: Any
    vertices: int
    tail: Any
    head: Any
    capacity: Any
    source: int
    sink: int
    bound: int
    role: Any
    doubled: bool

    @property
    def virtual(self) -> bool:
        """Whether there is a virtual source in front of the other one."""
        return self.vertices > len(self.role)

    def arcs_and_roles(self) -> tuple[tuple[Any, Any, Any], Any]:
        """The arcs of this network, and the part that each vertex plays in it."""
        role = self.xp.zeros(self.vertices, np.uint8)
        role[self.source], role[self.sink] = SOURCE, SINK
        return (self.tail, self.head, self.capacity), role

    def given_flow(self, flow: Any) -> Any:
        """A flow on the given arcs, moved to the arcs here; None if a virtual source has to feed it."""
        if flow is None or self.virtual:
            return None
        xp = self.xp
        return xp.concatenate((xp.maximum(flow, 0), xp.maximum(-flow, 0))) if self.doubled else flow

    def answer(self, value: int, flow: Any, source_side: Any) -> tuple[int | None, Any, Any]:
        """Value (None if it is too large), flow and source side in terms of the network given."""
        arcs = len(flow) - self.virtual
        flow = flow[:arcs]
        if self.doubled:
            flow = flow[: arcs // 2] - flow[arcs // 2 :]
        side = source_side[: len(self.role)] != 0
        side = (side | (self.role == SOURCE)) & (self.role != SINK)
        return (None if value >= TOO_LARGE else value), flow, side


def two_terminals(xp: Any, tail: Any, head: Any, capacity: Any, role: Any, undirected: bool) -> TwoTerminals:
    """The same network with one of each terminal: sources become one vertex, and so do sinks.

    The capacity that leaves the source may not exceed TOO_LARGE. Where it does, a virtual source feeds it
    through one arc of that capacity.
    """
    vertices = len(role)
    source, sink = (int(xp.flatnonzero(role == part)[0]) for part in (SOURCE, SINK))
    ends = []
    for end in (tail, head):
        ends.append(xp.where(role[end] == SOURCE, source, xp.where(role[end] == SINK, sink, end)))
    if undirected:
        ends = [xp.concatenate(ends), xp.concatenate(ends[::-1])]
        capacity = xp.concatenate((capacity, capacity))
    tail, head = ends
    no_loop = tail != head
    leaves, enters = no_loop & (tail == source), no_loop & (head == sink)
    bound = min(whole_sum(capacity[leaves]), whole_sum(capacity[enters]), TOO_LARGE - 1) + 1
    capacity = xp.minimum(capacity, bound)
    if whole_sum(capacity[leaves]) > TOO_LARGE:
        tail = xp.concatenate((tail, xp.full(1, vertices, tail.dtype)))
        head = xp.concatenate((head, xp.full(1, source, head.dtype)))
        capacity = xp.concatenate((capacity, xp.full(1, TOO_LARGE, np.int64)))
        source, vertices = vertices, vertices + 1
    return TwoTerminals(xp, vertices, tail, head, capacity, source, sink, bound, role, undirected)
