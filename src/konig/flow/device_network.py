"""Networks on a GPU: arcs that are checked where they live, and stay there.

Written for ``xp``, which is CuPy; NumPy serves as well, so tests need no GPU.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from konig import _native
from konig.flow.capacities import LARGEST, Capacities, Scale, as_capacities
from konig.flow.inputs import FlowNetwork, as_network, checked_extent, roles
from konig.interop.arrays import to_numpy
from konig.memory import require_bytes

ROUNDS = 16  # of taking vertices off a flow; what is left of most flows is then little


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

    def ends_as_given(self) -> tuple[Any, Any]:
        return self.tail, self.head

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
