"""What families of networks are made of: capacities, terminals, and arcs put together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from konig.io.entries import Network
from konig.lab.generators.draws import Ints
from konig.lab.generators.pattern import network
from konig.lab.wild.drawing import Chance

Arcs = tuple[Any, Any]  # tails and heads
# What no cut of finite arcs can reach, where capacities stay below a million.
AMPLE = 10**9


@dataclass(frozen=True, eq=False)
class Undirected(Network):
    """Arcs that carry flow either way, up to their capacity."""

    def directed(self) -> Network:
        """The same for libraries that know arcs of one direction."""
        tail, head = both_ways((self.tail, self.head))
        capacity = np.concatenate((self.capacity, self.capacity))
        return Network(tail, head, capacity, self.num_vertices, self.source, self.sink)


def capacities(c: Chance, count: int) -> Any:
    """Unit, few, many, skewed or real capacities."""
    kind, draws = c.pick("capacities", "unit", "few", "many", "many", "skewed", "two", "real"), c.draws()
    if kind == "unit":
        return np.ones(count, np.int64)
    if kind == "real":
        return draws.uniform(count) * c.log("largest", 0.1, 1e4)
    if kind == "skewed":
        return (1 / (1 - draws.uniform(count)) ** c.real("power", 0.5, 1.5)).clip(1, 10**5).astype(np.int64)
    if kind == "two":
        return np.where(draws.uniform(count) < c.real("low", 0.05, 0.95), 1, c.whole("high", 2, 10**4))
    return 1 + draws.integers(
        c.whole("largest", 2, 10) if kind == "few" else c.whole("largest", 50, 10**5), count
    )


def from_to(c: Chance, n: int, arcs: Arcs, source: int, sink: int) -> Network:
    tail, head = arcs
    return Network(tail, head, capacities(c, len(tail)), n, source, sink)


def with_terminals(
    c: Chance, n: int, arcs: Arcs, sources: Ints, sinks: Ints, ample: bool | None = None
) -> Network:
    """A super source and a super sink, tied by arcs that never matter or by some that do."""
    capacity = capacities(c, len(arcs[0]))
    if c.coin("ample") if ample is None else ample:
        bound = np.inf if c.coin("infinite", 0.2) and not np.isin(sources, sinks).any() else AMPLE
        return tied(n, arcs, capacity, sources, bound, sinks, bound)
    # As much as some arcs carry: neither side alone is the bottleneck.
    typical, draws = max(float(capacity.mean()), 0.5), c.draws()
    bounds = []
    for side, other in ((sources, sinks), (sinks, sources)):
        largest = typical * c.log("supply", 0.5, 8.0) * max(1.0, len(other) / len(side)) ** 0.5
        bounds.append(1 + draws.integers(max(round(2 * largest), 1), len(side)))
    return tied(n, arcs, capacity, sources, bounds[0], sinks, bounds[1])


def tied(n: int, arcs: Arcs, capacity: Any, sources: Any, supply: Any, sinks: Any, demand: Any) -> Network:
    return network(((*arcs, capacity), (n, sources, supply), (sinks, n + 1, demand)), n + 2, n, n + 1)


def leaning(n: int, arcs: Arcs, capacity: Any, lean: Ints) -> Network:
    """Every vertex is tied to the source or the sink, by as much as it leans to it."""
    to, back = np.flatnonzero(lean > 0), np.flatnonzero(lean < 0)
    return tied(n, arcs, capacity, to, lean[to], back, -lean[back])


def scattered(c: Chance, n: int) -> tuple[Ints, Ints]:
    """Disjoint sets of random vertices, one of them perhaps much larger."""
    share = [max(1, round(n * c.log(name, min(1 / n, 0.2), 0.3))) for name in ("sources", "sinks")]
    chosen = c.draws().permutation(n)[: sum(share)]
    return chosen[: share[0]], chosen[share[0] :]


def two_sided(c: Chance, n: int, arcs: Arcs) -> Network:
    """Terminals at both ends of the numbering, in which meshes have a place, or anywhere."""
    if c.coin("scattered"):
        return with_terminals(c, n, arcs, *scattered(c, n))
    many = c.whole("at_the_ends", 1, max(1, int(math.sqrt(n))))
    return with_terminals(c, n, arcs, np.arange(many), np.arange(n - many, n))


def joined(*parts: Arcs) -> Arcs:
    tails, heads = zip(*((np.ravel(tail), np.ravel(head)) for tail, head in parts), strict=True)
    return np.concatenate(tails), np.concatenate(heads)


def both_ways(arcs: Arcs) -> Arcs:
    return joined(arcs, arcs[::-1])
