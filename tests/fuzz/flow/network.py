"""A network in exact numbers, and its maximum flow by shortest augmenting paths in integers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ..exact import as_integers, power


@dataclass(frozen=True)
class Network:
    """Arcs as they were given. ``capacity`` keeps its type, and may be infinite."""

    num_vertices: int
    tail: np.ndarray
    head: np.ndarray
    capacity: np.ndarray
    sources: tuple[int, ...]
    sinks: tuple[int, ...]
    undirected: bool = False

    @property
    def whole(self) -> bool:
        return self.capacity.dtype.kind in "iub"

    @cached_property
    def infinite(self) -> np.ndarray:
        return np.zeros(len(self.tail), bool) if self.whole else np.isinf(self.capacity)

    @cached_property
    def exact(self) -> tuple[list[int | None], int]:
        """Capacities as integers times a power of two, None for infinity, and the exponent of that power."""
        (units,), exponent = as_integers(np.where(self.infinite, 0, self.capacity))
        listed = zip(units.tolist(), self.infinite.tolist(), strict=True)
        return [None if infinite else c for c, infinite in listed], exponent

    @cached_property
    def unit(self) -> Fraction:
        return power(self.exact[1])

    @cached_property
    def ends(self) -> list[tuple[int, int]]:
        """Tail and head of each arc."""
        return list(zip(self.tail.tolist(), self.head.tolist(), strict=True))

    @cached_property
    def finite_sum(self) -> int:
        return sum(c for c in self.exact[0] if c is not None)

    @cached_property
    def optimum(self) -> Fraction | None:
        """The value of a maximum flow; None where no flow is maximum."""
        beyond = self.finite_sum + 1
        arcs = zip(self.ends, self.exact[0], strict=True)
        listed = [(t, h, beyond if c is None else c) for (t, h), c in arcs]
        value = max_flow(self.num_vertices, listed, self.sources, self.sinks, self.undirected)
        return None if value > self.finite_sum else value * self.unit

    def cut_capacity(self, cut: Sequence[bool]) -> Fraction | None:
        """What leads from the side that is True to the other; None where that is infinite."""
        across = 0
        for (t, h), c in zip(self.ends, self.exact[0], strict=True):
            if (cut[t] and not cut[h]) or (self.undirected and cut[h] and not cut[t]):
                if c is None:
                    return None
                across += c
        return across * self.unit


def exact_value(
    tail: Any, head: Any, capacity: Any, sources: Any, sinks: Any, num_vertices: int, undirected: bool = False
) -> Fraction | float:
    """The value of a maximum flow; infinity if arcs without bound lead from a source to a sink."""
    ends = (tuple(np.atleast_1d(vertices).tolist()) for vertices in (sources, sinks))
    arcs = (np.asarray(part) for part in (tail, head, capacity))
    value = Network(num_vertices, *arcs, *ends, undirected).optimum
    return math.inf if value is None else value


def max_flow(
    num_vertices: int,
    arcs: Sequence[tuple[int, int, int]],
    sources: Sequence[int],
    sinks: Sequence[int],
    undirected: bool = False,
) -> int:
    """J. Edmonds and R. M. Karp 1972, in Python's integers.

    A virtual source and a virtual sink link the terminals by arcs that hold more than all others together.
    """
    s, t = num_vertices, num_vertices + 1
    lists: list[list[int]] = [[] for _ in range(num_vertices + 2)]
    heads: list[int] = []
    residual: list[int] = []

    def add(a: int, b: int, there: int, back: int) -> None:
        lists[a].append(len(heads))
        heads.append(b)
        residual.append(there)
        lists[b].append(len(heads))
        heads.append(a)
        residual.append(back)

    beyond = sum(c for _, _, c in arcs) + 1
    for a, b, c in arcs:
        if a != b:
            add(a, b, c, c if undirected else 0)
    for v in set(sources):
        add(s, v, beyond, 0)
    for v in set(sinks):
        add(v, t, beyond, 0)
    value = 0
    while True:
        arc_to: dict[int, int] = {s: -1}
        queue = [s]
        for v in queue:
            for e in lists[v]:
                if residual[e] and heads[e] not in arc_to:
                    arc_to[heads[e]] = e
                    queue.append(heads[e])
            if t in arc_to:
                break
        if t not in arc_to:
            return value
        path = []
        v = t
        while v != s:
            path.append(arc_to[v])
            v = heads[arc_to[v] ^ 1]
        step = min(residual[e] for e in path)
        for e in path:
            residual[e] -= step
            residual[e ^ 1] += step
        value += step


def min_cut_by_trial(network: Network) -> Fraction | None:
    """The least capacity of all cuts, by trying each: it judges the judge. None if all are infinite."""
    free = [v for v in range(network.num_vertices) if v not in network.sources + network.sinks]
    found: list[Any] = []
    for chosen in range(2 ** len(free)):
        side = {v for k, v in enumerate(free) if chosen >> k & 1} | set(network.sources)
        found.append(network.cut_capacity([v in side for v in range(network.num_vertices)]))
    return min((c for c in found if c is not None), default=None)
