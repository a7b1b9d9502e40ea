"""A network with one source and one sink, whose sums of excess fit a word, for solvers that know no other.

Written for ``xp``, NumPy or CuPy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from konig.exact_reals import whole_sum
from konig.flow.capacities import TOO_LARGE
from konig.flow.papers.residual import group_begins, spread

SOURCE, SINK = 1, 2
PATIENCE = 1000  # passes over all arcs to make a preflow of an earlier flow


@dataclass(frozen=True, eq=False)
class TwoTerminals:
    """Directed arcs from one source to one sink; no arc need carry more than ``bound``.

    ``turned`` says that all arcs are turned around, with the terminals exchanged; ``doubled`` that the second
    half of the arcs are the first half in the other direction.
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
    turned: bool
    doubled: bool

    def given_flow(self, flow: Any) -> Any:
        """The flow of the arcs given, on the arcs of this network and within their capacities."""
        xp = self.xp
        if self.doubled:
            flow = xp.concatenate((xp.maximum(flow, 0), xp.maximum(-flow, 0)))
        if len(flow) < len(self.tail):  # the arc of a virtual source
            flow = xp.concatenate((flow, xp.zeros(1, np.int64)))
        flow = xp.minimum(flow, self.capacity)
        flow[self.tail == self.head] = 0
        return flow

    def answer(self, value: int, flow: Any, source_side: Any) -> tuple[int | None, Any, Any]:
        """Value (None if it is too large), flow and source side in terms of the network given."""
        arcs = len(flow) - (self.vertices > len(self.role))  # less the arc of a virtual source
        flow = flow[:arcs]
        if self.doubled:
            flow = flow[: arcs // 2] - flow[arcs // 2 :]
        side = source_side[: len(self.role)] != 0
        if self.turned:
            side = ~side
        side = (side | (self.role == SOURCE)) & (self.role != SINK)
        return (None if value >= TOO_LARGE else value), flow, side


def two_terminals(xp: Any, tail: Any, head: Any, capacity: Any, role: Any, undirected: bool) -> TwoTerminals:
    """The same network with one of each terminal: sources become one vertex, and so do sinks.

    What leaves the source is to fit a word. Where it does not, the network is turned around; where that does
    not help either, a virtual source in front of the source gives one unit more than the largest flow.
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
    own = tail != head
    leaves, enters = own & (tail == source), own & (head == sink)
    bound = min(whole_sum(capacity[leaves]), whole_sum(capacity[enters]), TOO_LARGE - 1) + 1
    capacity = xp.minimum(capacity, bound)
    turned = False
    if whole_sum(capacity[leaves]) > TOO_LARGE:
        if whole_sum(capacity[enters]) <= TOO_LARGE:
            tail, head, source, sink, turned = head, tail, sink, source, True
        else:
            tail = xp.concatenate((tail, xp.full(1, vertices, tail.dtype)))
            head = xp.concatenate((head, xp.full(1, source, head.dtype)))
            capacity = xp.concatenate((capacity, xp.full(1, TOO_LARGE, np.int64)))
            source, vertices = vertices, vertices + 1
    return TwoTerminals(xp, vertices, tail, head, capacity, source, sink, bound, role, turned, undirected)


def preflow(problem: TwoTerminals, flow: Any) -> tuple[Any, Any]:
    """The flow of each arc such that no vertex sends more than it receives, and what each vertex holds.

    Where a vertex sends more than it receives, its arcs carry less, in order; then their heads receive less,
    and so on downstream. That ends, for every pass makes the flow smaller; where it takes too many, or where
    the sums do not fit a word, the start is without flow.
    """
    xp = problem.xp
    nothing = xp.zeros(len(flow), np.int64), xp.zeros(problem.vertices, np.int64)
    if whole_sum(flow) >= TOO_LARGE or len(problem.role) < problem.vertices:
        return nothing
    by_tail, by_head = xp.argsort(problem.tail, kind="stable"), xp.argsort(problem.head, kind="stable")
    tails, heads = problem.tail[by_tail], problem.head[by_head]
    begins = group_begins(xp, tails, tails)
    for _ in range(PATIENCE):
        excess = _sums(xp, heads, flow[by_head], problem.vertices)
        excess -= _sums(xp, tails, flow[by_tail], problem.vertices)
        excess[problem.source] = 0
        lacking = xp.maximum(-excess, 0)
        if not bool(lacking.any()):
            return flow, excess
        flow[by_tail] -= spread(xp, lacking[tails], flow[by_tail], begins)
    return nothing


def _sums(xp: Any, owners: Any, values: Any, vertices: int) -> Any:
    """The sum of the values of each owner; owners are sorted."""
    upto = xp.zeros(len(values) + 1, np.int64)
    upto[1:] = xp.cumsum(values)
    start = xp.searchsorted(owners, xp.arange(vertices + 1, dtype=owners.dtype))
    return upto[start[1:]] - upto[start[:-1]]
