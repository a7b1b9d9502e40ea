"""Networks by topology and by capacities: what flow solvers get wrong."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from cases.networks import awkward_networks

from ..case import Draw
from .network import Network

Arcs = tuple[np.ndarray, np.ndarray]


def random_arcs(draw: Draw, n: int) -> Arcs:
    m = draw.randint(0, draw.some((n, 3 * n, 6 * n)))
    return draw.array.integers(0, n, m), draw.array.integers(0, n, m)


def complete(draw: Draw, n: int) -> Arcs:
    n = min(n, 30)
    tail, head = np.divmod(np.arange(n * n), n)
    keep = tail != head
    return tail[keep], head[keep]


def layers(draw: Draw, n: int) -> Arcs:
    width = draw.randint(1, max(1, n // 3))
    pairs = [(v, w) for v in range(n) for w in range(n) if w // width == v // width + 1 and draw.chance(0.6)]
    return _split(pairs)


def long_path(draw: Draw, n: int) -> Arcs:
    pairs = [(v, v + 1) for v in range(n - 1)] + [(v + 1, v) for v in range(n - 1) if draw.chance(0.4)]
    pairs += [(v, min(n - 1, v + draw.randint(2, 4))) for v in range(n - 2) if draw.chance(0.2)]
    return _split(pairs)


def lattice(draw: Draw, n: int) -> Arcs:
    """Pixels by rows, with arcs both ways between neighbours; the first and the last vertex are terminals."""
    width = draw.randint(1, max(1, int(n**0.5)))
    inner = range(1, n - 1)
    pairs = [(0, v) for v in inner if draw.chance(0.5)] + [(v, n - 1) for v in inner if draw.chance(0.5)]
    for v in inner:
        for step in (1, width):
            if v + step in inner:
                pairs += [(v, v + step), (v + step, v)]
    return _split(pairs)


def bipartite(draw: Draw, n: int) -> Arcs:
    half = max(1, (n - 2) // 2)
    pairs = [(0, v) for v in range(1, 1 + half)] + [(v, n - 1) for v in range(1 + half, n - 1)]
    pairs += [(v, w) for v in range(1, 1 + half) for w in range(1 + half, n - 1) if draw.chance(0.4)]
    return _split(pairs)


def star(draw: Draw, n: int) -> Arcs:
    hub = draw.randrange(n)
    pairs = [(v, hub) if draw.chance(0.5) else (hub, v) for v in range(n) if v != hub]
    return _split(pairs + [(draw.randrange(n), draw.randrange(n)) for _ in range(n // 2)])


def islands(draw: Draw, n: int) -> Arcs:
    """Two halves with hardly an arc between them."""
    tail, head = random_arcs(draw, n)
    keep = (tail < n // 2) == (head < n // 2)
    keep[: draw.randint(0, 2)] = True
    return tail[keep], head[keep]


def _split(pairs: list[tuple[int, int]]) -> Arcs:
    arcs = np.array(pairs, np.int64).reshape(-1, 2)
    return arcs[:, 0].copy(), arcs[:, 1].copy()


def small_whole(draw: Draw, m: int) -> np.ndarray:
    return draw.array.integers(0, draw.some((1, 3, 20, 1000)), m, endpoint=True)


def unit(draw: Draw, m: int) -> np.ndarray:
    return np.ones(m, np.int64)


def large_whole(draw: Draw, m: int) -> np.ndarray:
    return draw.array.integers(0, 10 ** draw.randint(3, 18), m)


def near_the_limit(draw: Draw, m: int) -> np.ndarray:
    """Values around 2**62, sums beyond 2**63."""
    way = draw.randrange(4)
    if way == 0:
        return 2**61 + draw.array.integers(-2, 3, m)
    if way == 1:
        return draw.array.choice(np.array([0, 1, 2**61, 2**62 - 1, 2**62, 2**63 - 1]), m)
    if way == 2:
        return 2**62 - draw.array.integers(0, 3, m)
    return draw.array.integers(2**60, 2**62, m)


def whole_of_every_type(draw: Draw, m: int) -> np.ndarray:
    kind = draw.some((np.int8, np.int16, np.int32, np.uint8, np.uint16, np.uint32, np.uint64, np.int64))
    return draw.array.integers(0, int(np.iinfo(kind).max), m, dtype=kind, endpoint=True)


def whole_big_m(draw: Draw, m: int) -> np.ndarray:
    return np.where(draw.array.random(m) < 0.4, 10 ** draw.randint(6, 18), draw.array.integers(0, 10, m))


def booleans(draw: Draw, m: int) -> np.ndarray:
    return draw.array.random(m) < 0.7


def tenths(draw: Draw, m: int) -> np.ndarray:
    return draw.array.choice(np.array([0.1, 0.2, 0.3, 0.7, 1.1]), m) * draw.some((1, 1, 3, 1e-3))


def real(draw: Draw, m: int) -> np.ndarray:
    return draw.array.random(m) * draw.some((1, 1e6, 1e-6))


def halves(draw: Draw, m: int) -> np.ndarray:
    return draw.array.integers(0, 40, m) / draw.some((1, 2, 64))


def narrow(draw: Draw, m: int) -> np.ndarray:
    return draw.array.random(m).astype(draw.some((np.float16, np.float32)))


def tiny_and_huge(draw: Draw, m: int) -> np.ndarray:
    spread = draw.some((3, 9, 20, 150))
    return 10.0 ** draw.array.uniform(-spread, spread, m)


def big_m(draw: Draw, m: int) -> np.ndarray:
    M = draw.some((1e6, 1e9, 1e15, 1e18, 1e30, 1e300))
    return np.where(draw.array.random(m) < 0.4, M, draw.array.random(m))


def denormal(draw: Draw, m: int) -> np.ndarray:
    return 5e-324 * draw.array.integers(0, 50, m)


def infinite(draw: Draw, m: int) -> np.ndarray:
    C = draw.some((halves, real, tenths, tiny_and_huge))(draw, m)
    C[draw.array.random(m) < draw.some((0.1, 0.3, 0.6))] = np.inf
    return C


def of_the_catalogue(draw: Draw, m: int) -> np.ndarray:
    """Numbers of the networks that all tests share."""
    return draw.array.choice(np.concatenate([net.capacity for net in awkward_networks().values()]), m)


TOPOLOGIES: dict[str, Callable[[Draw, int], Arcs]] = {
    f.__name__: f for f in (random_arcs, complete, layers, long_path, lattice, bipartite, star, islands)
}
CAPACITIES: dict[str, Callable[[Draw, int], np.ndarray]] = {
    f.__name__: f
    for f in (
        small_whole,
        unit,
        large_whole,
        near_the_limit,
        whole_of_every_type,
        whole_big_m,
        booleans,
        tenths,
        real,
        halves,
        narrow,
        tiny_and_huge,
        big_m,
        denormal,
        infinite,
        of_the_catalogue,
    )
}


def draw_network(
    draw: Draw, capacities: tuple[str, ...] = (), largest: int = 400
) -> tuple[str, str, Network]:
    """The names of the topology and of the family of capacities, and the network."""
    low, high = draw.some(((2, 6), (2, 12), (13, 40), (41, 120), (121, 400)), (45, 46, 6, 0.8, 0.15))
    n = draw.randint(min(low, largest), min(high, largest))
    topology = draw.some(tuple(TOPOLOGIES))
    name = draw.some(capacities or tuple(CAPACITIES))
    if name == "of_the_catalogue" and draw.chance(0.5):
        named = draw.some([net for net in awkward_networks().values() if net.num_vertices <= largest])
        ends = (tuple(np.atleast_1d(terminals).tolist()) for terminals in (named.source, named.sink))
        return name, name, Network(named.num_vertices, *named.arcs, *ends, undirected=draw.chance(0.15))
    tail, head = TOPOLOGIES[topology](draw, n)
    capacity = CAPACITIES[name](draw, len(tail))
    tail, head, capacity = _extras(draw, n, tail, head, capacity)
    if draw.chance(0.15):
        capacity = _infinite_cycle(draw, n, tail, head, capacity)
    sources, sinks = _terminals(draw, n)
    if draw.chance(0.5):
        new = draw.array.permutation(n)
        tail, head = new[tail], new[head]
        sources, sinks = tuple(int(new[v]) for v in sources), tuple(int(new[v]) for v in sinks)
        order = draw.array.permutation(len(tail))
        tail, head, capacity = tail[order], head[order], capacity[order]
    network = Network(n, tail, head, capacity, sources, sinks, undirected=draw.chance(0.15))
    return topology, name, network


def _extras(
    draw: Draw, n: int, tail: np.ndarray, head: np.ndarray, capacity: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Loops, parallel and antiparallel arcs beside the ones that are there."""
    if not len(tail) or draw.chance(0.5):
        return tail, head, capacity
    more = draw.array.integers(0, len(tail), draw.randint(1, max(1, len(tail) // 3)))
    way = draw.some(("parallel", "antiparallel", "loops"))
    tails, heads = tail[more], head[more]
    if way == "antiparallel":
        tails, heads = heads, tails
    elif way == "loops":
        heads = tails
    shuffled = capacity[draw.array.permutation(len(capacity))][: len(more)]
    return np.concatenate([tail, tails]), np.concatenate([head, heads]), np.concatenate([capacity, shuffled])


def _infinite_cycle(
    draw: Draw, n: int, tail: np.ndarray, head: np.ndarray, capacity: np.ndarray
) -> np.ndarray:
    """All arcs inside a set of vertices become infinite: circles without bound, mostly no such path."""
    if capacity.dtype.kind != "f":
        return capacity
    inside = np.zeros(n, bool)
    inside[draw.sample(range(n), draw.randint(1, max(1, n // 2)))] = True
    return np.where(inside[tail] & inside[head], np.inf, capacity).astype(capacity.dtype)


def _terminals(draw: Draw, n: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if draw.chance(0.8):
        return ((0,), (n - 1,)) if draw.chance(0.8) else ((n - 1,), (0,))
    chosen = draw.sample(range(n), draw.randint(2, min(n, 6)))
    cut = draw.randint(1, len(chosen) - 1)
    return tuple(chosen[:cut]), tuple(chosen[cut:])
