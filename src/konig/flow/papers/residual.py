"""The residual network of a flow problem in the layouts of the parallel push-relabel methods.

The layouts are those of ``konig/papers/tlpns/residual.h``. Everything here is written for ``xp``, NumPy or
CuPy, so a network on a GPU gets its layout and gives its flow there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from konig.flow.capacities import LARGEST_FLOW, TOO_LARGE
from konig.flow.inputs import index_type, sorted_order

FORWARD, BACKWARD = 6, 7  # in Residual.arrays
_LOW = (1 << 31) - 1
KEY_LIMIT = 2**62


@dataclass(frozen=True, eq=False)
class Residual:
    """A layout's arrays, as the solvers take them, and where the given arcs are in it.

    ``arrays`` holds start, head, tail, in_start, in_tail, in_arc, forward and backward; None where the layout
    has no such array. ``order`` sorts the arcs in use by (tail, head); ``tail``, ``head`` and ``capacity``
    are those of the sorted arcs. For ``bcsr``, ``place`` is where the residual capacity of a sorted arc is,
    ``reverse`` where that of the other direction is, and ``merged`` the capacity that it had.
    """

    xp: Any
    layout: str
    vertices: int
    arrays: tuple[Any, ...]
    arcs: int
    order: Any
    tail: Any
    head: Any
    capacity: Any
    place: Any = None
    reverse: Any = None
    merged: Any = None

    @property
    def places(self) -> int:
        """The places of all vertices together."""
        head, in_tail = self.arrays[1], self.arrays[4]
        return len(head) + (0 if in_tail is None else len(in_tail))

    def send(self, flow: Any) -> None:
        """Put a flow of each given arc, within capacities, on a network without flow."""
        sent = flow[self.order]
        if self.layout == "bcsr":
            begins = group_begins(self.xp, self.tail, self.head)
            first = first_members(self.xp, begins)
            together = group_sums(self.xp, sent, begins)
            self.arrays[FORWARD][self.place[first]] -= together
            self.arrays[FORWARD][self.reverse[first]] += together
        else:
            self.arrays[FORWARD][:] -= sent
            self.arrays[BACKWARD][:] += sent

    def flow(self) -> Any:
        """The flow on each given arc after a solve; it may go both ways between two vertices."""
        flow = self.xp.zeros(self.arcs, np.int64)
        flow[self.order] = self._merged_flow() if self.layout == "bcsr" else self.arrays[BACKWARD]
        return flow

    def _merged_flow(self) -> Any:
        """What the places have lost, dealt out to parallel arcs."""
        left = self.arrays[FORWARD][self.place]
        # What is above the capacity came from the other side; 2^63 reads as negative.
        used = self.xp.where((left >= 0) & (left < self.merged), self.merged - left, 0)
        begins = group_begins(self.xp, self.tail, self.head)
        return spread(self.xp, used, self.capacity, begins)


def residual(
    xp: Any, layout: str, vertices: int, tail: Any, head: Any, capacity: Any, bound: int
) -> Residual:
    """The residual network of arcs without flow, none of which is to carry more than ``bound``.

    Loops and arcs of no capacity are left out.
    """
    arcs = len(tail)
    kept = xp.flatnonzero((tail != head) & (capacity > 0))
    ids = index_type(vertices, len(kept))
    order = kept[sorted_by(xp, tail[kept], head[kept], vertices)]
    tail, head = tail[order].astype(ids), head[order].astype(ids)
    capacity = xp.minimum(capacity[order], bound)
    place = reverse = merged = None
    if layout == "bcsr":
        arrays, place, reverse, merged = _bcsr(xp, vertices, tail, head, capacity, ids)
    else:
        arrays = _csr(xp, vertices, tail, head, capacity, ids, with_entering=layout == "rcsr")
    return Residual(xp, layout, vertices, arrays, arcs, order, tail, head, capacity, place, reverse, merged)


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
    xp: Any, vertices: int, tail: Any, head: Any, capacity: Any, ids: Any
) -> tuple[tuple[Any, ...], Any, Any, Any]:
    """The arrays; of each arc the place of its pair, that of the other way, and the merged capacity."""
    begins = group_begins(xp, tail, head)
    first = first_members(xp, begins)
    merged = group_sums(xp, capacity, begins)
    # Both directions of every pair; those that are one place stand side by side.
    owner = xp.concatenate((tail[first], head[first]))
    other = xp.concatenate((head[first], tail[first]))
    order = sorted_by(xp, owner, other, vertices)
    owner, other = owner[order], other[order]
    is_first = group_begins(xp, owner, other) == xp.arange(len(owner))
    place = xp.zeros(len(order), np.int64)
    place[order] = xp.cumsum(is_first) - 1
    place, reverse = place[: len(first)], place[len(first) :]
    owner, other = owner[is_first], other[is_first]
    forward = xp.zeros(len(other), np.int64)
    forward[place] = merged
    start = _starts(xp, owner, vertices, ids)
    group = xp.searchsorted(first, begins)
    arrays = (start, other, None, None, None, None, forward, None)
    return arrays, place[group], reverse[group], merged[group]


def _starts(xp: Any, owners: Any, vertices: int, ids: Any) -> Any:
    return xp.searchsorted(owners, xp.arange(vertices + 1, dtype=owners.dtype)).astype(ids)


# Arcs sorted by their ends stand in groups of parallel ones. A group is given by ``begins``, which says of
# each member where its group begins. Sums stop at a number beyond every flow.


def sorted_by(xp: Any, major: Any, minor: Any, vertices: int) -> Any:
    """What sorts pairs; equal ones stay in order."""
    if xp is np:
        return sorted_order(major, minor, vertices)[1]
    if vertices * vertices < KEY_LIMIT:
        keys = major.astype(np.int64)
        keys *= vertices
        keys += minor
        return xp.argsort(keys, kind="stable")
    order = xp.argsort(minor, kind="stable")
    return order[xp.argsort(major[order], kind="stable")]


def group_begins(xp: Any, first: Any, second: Any) -> Any:
    """Of sorted pairs: the position at which the run of equal ones begins."""
    positions = xp.arange(len(first))
    if len(first) == 0:
        return positions
    begins = xp.ones(len(first), bool)
    begins[1:] = (first[1:] != first[:-1]) | (second[1:] != second[:-1])
    return positions[begins][xp.cumsum(begins) - 1]


def first_members(xp: Any, begins: Any) -> Any:
    """Where the groups begin, each once."""
    return xp.flatnonzero(begins == xp.arange(len(begins)))


def sums_before(xp: Any, values: Any, begins: Any) -> Any:
    """The sum of the members of its group before each; where it is beyond every flow, some such number."""
    if len(values) == 0 or int(values.max()) <= LARGEST_FLOW // len(values):
        return _before(xp, values, begins)
    high, low = (_before(xp, part, begins) for part in (values >> 31, values & _LOW))
    high += low >> 31
    exact = high <= LARGEST_FLOW >> 31
    return xp.where(exact, (xp.where(exact, high, 0) << 31) + (low & _LOW), 2 * TOO_LARGE - 4)


def group_sums(xp: Any, values: Any, begins: Any) -> Any:
    """The sum of each group, one number a group; ``TOO_LARGE`` where it is more."""
    first = first_members(xp, begins)
    last = xp.concatenate((first[1:], xp.full(1, len(values), first.dtype)))[: len(first)] - 1
    before = xp.minimum(sums_before(xp, values, begins)[last], TOO_LARGE)
    return before + xp.minimum(values[last], TOO_LARGE - before)


def spread(xp: Any, amount: Any, limit: Any, begins: Any) -> Any:
    """The amount of each group, as every member has it, dealt out in order, to none beyond its limit."""
    return xp.minimum(xp.maximum(amount - sums_before(xp, limit, begins), 0), limit)


def _before(xp: Any, values: Any, begins: Any) -> Any:
    sums = xp.cumsum(values) - values
    return sums - sums[begins]
