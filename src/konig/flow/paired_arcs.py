"""The layout of push-relabel over pairs of neighbours, with terminals as numbers of each vertex.

The layout is that of ``konig/flow/slot.h``. Everything here is written for ``xp``, NumPy or
CuPy, so a network on a GPU gets its layout and gives its flow there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from konig.flow.group_sums import TOO_LARGE, first_members, group_begins, group_sums, sorted_by, spread, total
from konig.flow.preflow import preflow
from konig.flow.two_terminals import TwoTerminals

INT32_MAX = np.iinfo(np.int32).max


@dataclass(frozen=True, eq=False)
class Pairs:
    """A residual network as the solver takes it, and works on it in place.

    ``slots`` holds the neighbours of all vertices: the other end, the slot of the other direction, the
    residual capacity there and back. ``start`` says where those of a vertex begin. ``to_sink`` and
    ``to_source`` are what a vertex may still send to the sink, and back to the source; ``excess`` is what it
    holds; ``longest`` is the number of slots of the vertex that has most.
    """

    start: Any
    slots: Any
    to_sink: Any
    to_source: Any
    excess: Any
    longest: int

    @property
    def vertices(self) -> int:
        return len(self.excess)


def widths(vertices: int, pairs: int, most: int, totals: tuple[int, ...]) -> tuple[Any, Any]:
    """The types of ids and amounts: 32 bits where all ids, residual capacities and sums of excess fit.

    ``most`` is the largest capacity, ``totals`` are sums that the excess of a vertex may reach.
    """
    if max(vertices, 2 * pairs) >= INT32_MAX - 1:
        return np.int64, np.int64
    return np.int32, np.int64 if max(2 * most, *totals) > INT32_MAX else np.int32


def empty_slots(xp: Any, count: int, ids: Any, amounts: Any) -> Any:
    """Slots all zero: four words each, or three of which the first holds two ids."""
    return xp.zeros((count, 4 if ids == amounts else 3), amounts)


@dataclass(frozen=True, eq=False)
class PairedArcs:
    """The pairs of a network, and where its arcs are in them."""

    xp: Any
    problem: TwoTerminals
    pairs: Pairs
    straight: int  # what goes from the source to the sink at once
    _inner: Any  # arcs between other vertices than the terminals, sorted by pair
    _group: Any  # of each of them the pair; None if it is its position
    _at: Any  # of each pair its slot at the end of smaller number
    _up: Any  # of each pair its capacity from there
    _demand: Any  # of each vertex the capacity to the sink

    @property
    def bound(self) -> int:
        """More than the flow can bring."""
        return self.problem.bound

    def answer(self, source_side: Any) -> tuple[int | None, Any, Any]:
        """Value, flow and source side in terms of the network given, after a solve."""
        source_side[self.problem.source], source_side[self.problem.sink] = 1, 0
        return self.problem.answer(self.value(), self.flow(), source_side)

    def value(self) -> int:
        """What reaches the sink."""
        return self.straight + total(self._demand - self.pairs.to_sink)

    def flow(self) -> Any:
        """The flow on each arc of the problem, never both ways between two vertices, after a solve."""
        xp, problem = self.xp, self.problem
        flow = xp.zeros(len(problem.tail), np.int64)
        flow[self._inner] = self._between()
        tail, head, capacity = problem.tail, problem.head, problem.capacity
        leaves, enters = tail == problem.source, head == problem.sink
        sent = (
            (leaves & ~enters, head, self.pairs.to_source.astype(np.int64)),
            (enters & ~leaves, tail, self._demand - self.pairs.to_sink),
        )
        for arcs, end, amounts in sent:
            chosen = xp.flatnonzero(arcs)
            flow[chosen] = _dealt_out(xp, end[chosen], amounts, capacity[chosen])
        straight = leaves & enters
        flow[straight] = capacity[straight]
        return flow

    def _between(self) -> Any:
        xp, problem = self.xp, self.problem
        net = self._up - columns(self.pairs.slots)[2][self._at]  # from the smaller number to the larger
        inner = self._inner
        upward = problem.tail[inner] < problem.head[inner]
        if self._group is None:
            return xp.where(upward, xp.maximum(net, 0), xp.maximum(-net, 0))
        capacity = problem.capacity[inner]
        begins = xp.flatnonzero(first_of_runs(xp, self._group))[self._group]
        ways = (xp.maximum(net, 0), upward), (xp.maximum(-net, 0), ~upward)
        return sum(
            spread(xp, amount[self._group], xp.where(way, capacity, 0), begins) for amount, way in ways
        )


def columns(slots: Any) -> tuple[Any, Any, Any, Any]:
    """The parts of the slots as views: other end, mate, residual capacity out and in."""
    if slots.shape[-1] == 4:
        return slots[..., 0], slots[..., 1], slots[..., 2], slots[..., 3]
    ids = slots.view(np.int32)
    return ids[..., 0], ids[..., 1], slots[..., 1], slots[..., 2]


def first_of_runs(xp: Any, sorted_values: Any) -> Any:
    first = xp.ones(len(sorted_values), bool)
    first[1:] = sorted_values[1:] != sorted_values[:-1]
    return first


def paired_arcs(problem: TwoTerminals, start: Any = None) -> PairedArcs:
    """The layout of a problem, with a flow of each arc on it if one is given.

    Arcs into the source and out of the sink are left out, as loops are: some maximum flow uses none of them.
    """
    xp, n = problem.xp, problem.vertices
    tail, head, capacity = problem.tail, problem.head, xp.minimum(problem.capacity, problem.bound)
    leaves, enters = tail == problem.source, head == problem.sink
    useful = (tail != head) & (head != problem.source) & (tail != problem.sink) & (capacity > 0)
    flow = excess = None
    if start is not None:
        flow, excess = preflow(problem, xp.where(useful, start, 0))
    supply = _sums(xp, head, capacity, useful & leaves & ~enters, n)
    demand = _sums(xp, tail, capacity, useful & enters & ~leaves, n)
    straight = total(capacity[useful & leaves & enters])
    inner = xp.flatnonzero(useful & ~leaves & ~enters)
    # A flow to start from may go around in circles and be more than the bound on parallel arcs together.
    most = problem.bound if flow is None else TOO_LARGE
    order, group, low, high, up, down = _pairs(xp, n, tail[inner], head[inner], capacity[inner], most)
    inner = inner[order]
    sent_up = None
    if flow is not None and excess is not None:
        # The source's arcs are full from the start; the warm flow on all others stays.
        leaving = _sums(xp, head, flow, useful & leaves & ~enters, n)
        arrived = _sums(xp, tail, flow, useful & enters & ~leaves, n)
        excess = excess + supply - leaving
        excess[problem.source] = excess[problem.sink] = 0
        upward = tail[inner] < head[inner]
        signed = xp.where(upward, flow[inner], -flow[inner])
        sent_up = signed if group is None else _signed_sums(xp, signed, group)
        rest = demand - arrived
    else:
        excess, rest = supply, demand
    # What a vertex can pass from the source to the sink by itself.
    at_once = xp.minimum(excess, rest)
    excess, rest = excess - at_once, rest - at_once
    widest = max((int(part.max()) for part in (up, down) if len(part)), default=0)
    ids, amounts = widths(n, len(low), widest, (total(supply), total(excess), total(demand)))
    starts, at_low, at_high, longest = _places(xp, n, low, high, ids)
    slots = empty_slots(xp, 2 * len(low), ids, amounts)
    out, back = (up, down) if sent_up is None else (up - sent_up, down + sent_up)
    parts = columns(slots)
    for at, values in ((at_low, (high, at_high, out, back)), (at_high, (low, at_low, back, out))):
        for part, value in zip(parts, values, strict=True):
            part[at] = value
    to_sink, to_source, held = (part.astype(amounts) for part in (rest, supply, excess))
    pairs = Pairs(starts, slots, to_sink, to_source, held, longest)
    return PairedArcs(xp, problem, pairs, straight, inner, group, at_low, up, demand)


def _pairs(
    xp: Any, n: int, tail: Any, head: Any, capacity: Any, most: int
) -> tuple[Any, Any, Any, Any, Any, Any]:
    """Neighbours, each pair once: what sorts the arcs, the pair of each, its ends, its capacities both ways.

    No capacity is above ``most``.

    The pair of an arc is None where that is its position.
    """
    low, high = xp.minimum(tail, head), xp.maximum(tail, head)
    order = sorted_by(xp, low, high, n)
    low, high, capacity, upward = low[order], high[order], capacity[order], (tail < head)[order]
    ways = [xp.where(way, capacity, 0) for way in (upward, ~upward)]
    if len(order) == 0:
        return order, None, low, high, *ways
    first = first_of_runs(xp, low) | first_of_runs(xp, high)
    if bool(first.all()):
        return order, None, low, high, *ways
    group = xp.cumsum(first) - 1
    begins = xp.flatnonzero(first)
    members = begins[group]
    up, down = (xp.minimum(group_sums(xp, way, members), most) for way in ways)
    return order, group, low[begins], high[begins], up, down


def _places(xp: Any, n: int, low: Any, high: Any, ids: Any) -> tuple[Any, Any, Any, int]:
    """Where the lists of vertices begin, the slots of each pair at its two ends, and the longest list.

    A vertex has first the neighbours of larger number, then those of smaller number.
    """
    above, below = (xp.bincount(end, minlength=n) for end in (low, high))
    start = xp.zeros(n + 1, np.int64)
    degree = above + below
    start[1:] = xp.cumsum(degree)
    before = [xp.cumsum(count) - count for count in (above, below)]
    position = xp.arange(len(low))
    at_low = start[low] + position - before[0][low]
    by_high = xp.argsort(high, kind="stable")
    owners = high[by_high]
    at_high = xp.empty(len(low), np.int64)
    at_high[by_high] = start[owners] + above[owners] + position - before[1][owners]
    return start.astype(ids), at_low, at_high, int(degree.max())


def _sums(xp: Any, end: Any, values: Any, chosen: Any, n: int) -> Any:
    """For each vertex the sum over the chosen arcs that end there."""
    sums = xp.zeros(n, np.int64)
    arcs = xp.flatnonzero(chosen)
    owners, values = end[arcs], values[arcs]
    if len(arcs) == 0:
        return sums
    order = _order_if_repeated(xp, owners, n)
    if order is None:
        sums[owners] = values
        return sums
    owners = owners[order]
    begins = group_begins(xp, owners, owners)
    sums[owners[first_members(xp, begins)]] = xp.minimum(group_sums(xp, values[order], begins), TOO_LARGE)
    return sums


def _order_if_repeated(xp: Any, owners: Any, n: int) -> Any:
    """What sorts the owners; None if no two are the same."""
    seen = xp.full(n, -1, np.int64)
    position = xp.arange(len(owners))
    seen[owners] = position
    return None if bool((seen[owners] == position).all()) else xp.argsort(owners, kind="stable")


def _dealt_out(xp: Any, owners: Any, amounts: Any, capacity: Any) -> Any:
    """The amount of each owner, dealt out to its arcs in order, to none beyond its capacity."""
    order = _order_if_repeated(xp, owners, len(amounts))
    if order is None:
        return amounts[owners]
    owners = owners[order]
    dealt = xp.empty(len(owners), np.int64)
    dealt[order] = spread(xp, amounts[owners], capacity[order], group_begins(xp, owners, owners))
    return dealt


def _signed_sums(xp: Any, values: Any, group: Any) -> Any:
    """Sums of the values of each pair, which stand together; the sums fit a word."""
    upto = xp.cumsum(values)
    last = xp.flatnonzero(xp.concatenate((group[1:] != group[:-1], xp.ones(1, bool))))
    sums = upto[last]
    sums[1:] -= upto[last[:-1]]
    return sums
