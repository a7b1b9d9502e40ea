"""The residual network of a flow problem in the layouts of the parallel push-relabel methods.

The layouts are those of ``konig/flow/residual.h``. Everything here is written for ``xp``, NumPy or CuPy, so a
network on a GPU gets its layout and gives its flow there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

CSR_LIMIT = 20_000  # arcs: every step on the layout `csr` looks at all of them
KEY_LIMIT = 2**62


@dataclass(frozen=True)
class Residual:
    """A layout's arrays, as the solvers take them, and where the given arcs are in it.

    ``arrays`` holds start, head, tail, in_start, in_tail, in_arc, forward and backward; None where the layout
    has no such array. ``order`` sorts the given arcs by (tail, head); ``begins`` says of each sorted arc where
    its group of parallel arcs begins; ``place`` is, for ``bcsr``, the place of its residual capacity.
    """

    xp: Any
    layout: str
    vertices: int
    arrays: tuple[Any, ...]
    tail: Any
    head: Any
    capacity: Any
    order: Any
    begins: Any
    place: Any = None
    merged: Any = None

    @property
    def places(self) -> int:
        """The places of all vertices together."""
        head, in_tail = self.arrays[1], self.arrays[4]
        return len(head) + (0 if in_tail is None else len(in_tail))

    def flow(self) -> Any:
        """The flow on each given arc, never both ways between two vertices, after a solve."""
        xp = self.xp
        sorted_flow = self._sorted_flow()
        flow = xp.zeros(len(self.tail), np.int64)
        flow[self.order] = sorted_flow
        return flow

    def _sorted_flow(self) -> Any:
        xp, capacity = self.xp, self.capacity[self.order]
        if self.layout != "bcsr":
            return _one_way(xp, self.tail[self.order], self.head[self.order], self.arrays[7], self.vertices)
        left = self.arrays[6][self.place]
        # A residual capacity above the capacity, whatever its sign bit says, is flow the other way.
        used = xp.where((left >= 0) & (left < self.merged), self.merged - left, 0)
        return _spread(xp, used, capacity, self.begins)


def residual(xp: Any, layout: str, vertices: int, tail: Any, head: Any, capacity: Any) -> Residual:
    """The residual network of arcs without flow.

    Loops and arcs of no capacity are left out. The capacities between two vertices, one way, add up to at
    most 2^62.
    """
    used = (tail != head) & (capacity > 0)
    wide = max(vertices, 2 * len(tail)) >= np.iinfo(np.int32).max
    ids: Any = np.int64 if wide else np.int32
    kept = xp.flatnonzero(used)
    order = kept[_sorted_by(xp, tail[kept], head[kept], vertices)]
    tail_sorted, head_sorted = tail[order].astype(ids), head[order].astype(ids)
    begins = _group_begins(xp, tail_sorted, head_sorted)
    parts = vertices, tail_sorted, head_sorted, capacity[order], ids
    place = merged = None
    if layout == "bcsr":
        arrays, place, merged = _bcsr(xp, *parts, begins)
    else:
        arrays = _csr(xp, *parts, with_entering=layout == "rcsr")
    return Residual(
        xp, layout, vertices, arrays, tail, head, capacity, order, begins, place=place, merged=merged
    )


def _csr(
    xp: Any, vertices: int, tail: Any, head: Any, capacity: Any, ids: Any, with_entering: bool
) -> tuple[Any, ...]:
    start = _starts(xp, tail, vertices, ids)
    forward, backward = xp.array(capacity, np.int64), xp.zeros(len(capacity), np.int64)
    if not with_entering:
        return start, head, tail, None, None, None, forward, backward
    by_head = xp.argsort(head, kind="stable")
    in_start = _starts(xp, head[by_head], vertices, ids)
    return start, head, None, in_start, tail[by_head], by_head.astype(ids), forward, backward


def _bcsr(
    xp: Any, vertices: int, tail: Any, head: Any, capacity: Any, ids: Any, begins: Any
) -> tuple[tuple[Any, ...], Any, Any]:
    first = xp.flatnonzero(begins == xp.arange(len(begins)))
    merged = _group_sums(xp, capacity, first)
    pair_tail, pair_head = tail[first], head[first]
    # Both directions of every pair, those of the arcs first among equals.
    owner, other = xp.concatenate((pair_tail, pair_head)), xp.concatenate((pair_head, pair_tail))
    order = _sorted_by(xp, owner, other, vertices)
    owner, other = owner[order], other[order]
    is_first = _group_begins(xp, owner, other) == xp.arange(len(owner))
    slot_of = xp.cumsum(is_first) - 1
    slot_of_pair = xp.zeros(len(order), np.int64)
    slot_of_pair[order] = slot_of
    slot_of_pair = slot_of_pair[: len(first)]
    slots = xp.flatnonzero(is_first)
    owner, other = owner[slots], other[slots]
    forward = xp.zeros(len(slots), np.int64)
    forward[slot_of_pair] = merged
    group = xp.searchsorted(first, begins)
    start = _starts(xp, owner, vertices, ids)
    arrays = start, xp.ascontiguousarray(other), None, None, None, None, forward, None
    return arrays, slot_of_pair[group], merged[group]


def _one_way(xp: Any, tail: Any, head: Any, flow: Any, vertices: int) -> Any:
    """The flow without what goes both ways between two vertices; the arcs are sorted."""
    low, high = xp.minimum(tail, head), xp.maximum(tail, head)
    order = _sorted_by(xp, low, high, vertices)  # stable: one direction of a pair, then the other
    begins = _group_begins(xp, low[order], high[order])
    first = xp.flatnonzero(begins == xp.arange(len(begins)))
    if len(first) == len(order):
        return flow.copy()
    group = xp.searchsorted(first, begins)
    sorted_flow = flow[order]
    up = tail[order] < head[order]
    both = xp.minimum(
        _group_sums(xp, xp.where(up, sorted_flow, 0), first), _group_sums(xp, xp.where(up, 0, sorted_flow), first)
    )
    lost = sorted_flow
    for way in (up, ~up):
        lost = lost - _spread(xp, both[group], xp.where(way, sorted_flow, 0), begins)
    one_way = xp.zeros(len(flow), np.int64)
    one_way[order] = lost
    return one_way


def _spread(xp: Any, amount: Any, limit: Any, begins: Any) -> Any:
    """The amount of each group dealt out to its members in order, none beyond its limit."""
    before = xp.cumsum(limit) - limit  # differences are right even where the sums wrap around
    before -= before[begins]
    return xp.clip(amount - before, 0, limit)


def _group_sums(xp: Any, values: Any, first: Any) -> Any:
    sums = xp.zeros(len(values) + 1, np.int64)
    sums[1:] = xp.cumsum(values)
    ends = xp.concatenate((first[1:], xp.full(1, len(values), first.dtype))) if len(first) else first
    return sums[ends] - sums[first]


def _group_begins(xp: Any, first: Any, second: Any) -> Any:
    """Of sorted pairs: the position at which the run of equal ones begins."""
    positions = xp.arange(len(first))
    if len(first) == 0:
        return positions
    same = xp.zeros(len(first), bool)
    same[1:] = (first[1:] == first[:-1]) & (second[1:] == second[:-1])
    # An ascending maximum, as a cumulative sum of steps: CuPy has no maximum.accumulate.
    starts = positions[~same]
    return starts[xp.cumsum(~same) - 1]


def _sorted_by(xp: Any, major: Any, minor: Any, vertices: int) -> Any:
    """What sorts pairs; equal ones stay in order."""
    if vertices * vertices < KEY_LIMIT:
        keys = major.astype(np.int64)
        keys *= vertices
        keys += minor
        return xp.argsort(keys, kind="stable")
    order = xp.argsort(minor, kind="stable")
    return order[xp.argsort(major[order], kind="stable")]


def _starts(xp: Any, owners: Any, vertices: int, ids: Any) -> Any:
    return xp.searchsorted(owners, xp.arange(vertices + 1, dtype=owners.dtype)).astype(ids)
