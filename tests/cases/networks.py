"""Networks that flow code gets wrong."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

BIG = 1 << 62


@dataclass(frozen=True)
class Network:
    """Arcs as arrays, and the terminals."""

    tail: np.ndarray
    head: np.ndarray
    capacity: np.ndarray
    source: int | list[int]
    sink: int | list[int]
    num_vertices: int

    @property
    def arcs(self):
        return self.tail, self.head, self.capacity


def network(arcs, source, sink, num_vertices, dtype=np.int64):
    tail, head, capacity = zip(*arcs, strict=True) if arcs else ((), (), ())
    ids = np.array(tail, np.int64), np.array(head, np.int64)
    return Network(*ids, np.array(capacity, dtype), source, sink, num_vertices)


def awkward_networks() -> dict[str, Network]:
    """Small networks, each of a kind that has broken some flow code."""
    chain = [(v, v + 1, 3) for v in range(400)]
    both_ways = [(v, v + 1, 3) for v in range(60)] + [(v + 1, v, 5) for v in range(60)]
    star = [(0, v, v) for v in range(1, 30)] + [(v, 30, 30 - v) for v in range(1, 30)]
    mesh = [
        (r * 9 + c, (r + 1) * 9 + (c + d) % 9, 1 + (r * c) % 4)
        for r in range(9)
        for c in range(9)
        for d in (0, 1)
    ]
    return {
        "no arcs": network([], 0, 1, 2),
        "only a direct arc": network([(0, 1, 7)], 0, 1, 2),
        "parallel direct arcs": network([(0, 1, 7), (0, 1, 4), (1, 0, 9)], 0, 1, 2),
        "disconnected sink": network([(0, 1, 5), (1, 2, 5), (3, 4, 5)], 0, 4, 5),
        "disconnected source": network([(1, 2, 5), (2, 4, 5)], 0, 4, 5),
        "zero capacities": network([(0, 1, 0), (1, 2, 0), (0, 2, 0)], 0, 2, 3),
        "only into the source and out of the sink": network([(1, 0, 5), (2, 1, 5), (2, 0, 3)], 0, 2, 3),
        "loops": network([(0, 0, 9), (0, 1, 4), (1, 1, 8), (1, 2, 3), (2, 2, 1)], 0, 2, 3),
        "chain": network(chain, 0, 400, 401),
        "chain backwards": network([(401 - v, 400 - v, c) for v, _, c in chain], 401, 1, 402),
        "chain with both directions": network(both_ways, 0, 60, 61),
        "star": network(star, 0, 30, 31),
        "mesh": network(mesh, list(range(9)), list(range(81, 90)), 90),
        "antiparallel pairs": network(
            [(0, 1, 5), (1, 0, 5), (1, 2, 3), (2, 1, 4), (0, 2, 1), (2, 0, 8)], 0, 2, 3
        ),
        "parallel arcs": network([(0, 1, 2), (0, 1, 3), (1, 2, 1), (1, 2, 0), (1, 2, 9), (2, 1, 2)], 0, 2, 3),
        "a flow of 2**62": network([(0, 1, BIG), (1, 2, BIG), (2, 3, BIG), (3, 2, BIG)], 0, 3, 4),
        "a flow of 2**62 between inner vertices": network(
            [(v, v + 1, BIG) for v in range(5)] + [(v + 1, v, BIG) for v in range(5)], 0, 5, 6
        ),
        "a flow of 2**62 in two parts": network(
            [(0, 1, BIG // 2), (0, 2, BIG // 2), (1, 3, BIG), (2, 3, BIG), (1, 2, BIG), (2, 1, BIG)], 0, 3, 4
        ),
        "sources that offer too much": network(
            [(0, v, BIG) for v in range(1, 20)] + [(v, 20, BIG) for v in range(1, 20)] + [(20, 21, 5)],
            0,
            21,
            22,
        ),
        "sinks that take too much": network(
            [(0, 1, 5)] + [(1, v, BIG) for v in range(2, 20)] + [(v, 20, BIG) for v in range(2, 20)],
            0,
            20,
            21,
        ),
        "large capacities that strand": network(
            [(0, 1, BIG), (0, 2, BIG), (1, 3, BIG), (3, 4, 1), (2, 4, BIG - 1), (1, 2, BIG), (3, 1, BIG)],
            0,
            4,
            5,
        ),
        "2**62 both ways that comes back": network(
            [(0, 1, BIG), (1, 2, BIG), (2, 1, BIG), (2, 3, 5), (4, 3, BIG)], 0, 3, 5
        ),
        "the largest integers": network(
            [(0, 1, 2**63 - 1), (1, 2, 2**63 - 1), (2, 3, 11), (1, 3, 4)], 0, 3, 4
        ),
        "several sources and sinks": network(
            [(0, 2, 3), (1, 2, 4), (2, 3, 5), (3, 4, 2), (3, 5, 9), (0, 1, 7), (4, 5, 7), (1, 4, 1)],
            [0, 1],
            [4, 5],
            6,
        ),
        "two ways around": network(
            [(0, 1, 10), (0, 2, 10), (1, 2, 1), (1, 3, 10), (2, 3, 10), (3, 1, 4)], 0, 3, 4
        ),
    }


def random_network(rng: np.random.Generator) -> Network:
    """Of a random kind: capacities from 0 to 2**56, loops, parallel and antiparallel arcs."""
    n = int(rng.integers(2, 40))
    arcs = int(rng.integers(0, 5 * n))
    tail, head = rng.integers(0, n, arcs), rng.integers(0, n, arcs)
    if rng.random() < 0.3:  # layers: long paths
        head = np.minimum(tail + rng.integers(1, 4, arcs), n - 1)
    if rng.random() < 0.3:  # antiparallel pairs
        tail, head = np.r_[tail, head], np.r_[head, tail]
    kind = rng.integers(0, 5)
    largest = (2, 10, 10_000, 1 << 40, 1 << 56)[kind]
    capacity = rng.integers(0, largest, len(tail))
    if kind == 3:
        capacity[rng.random(len(tail)) < 0.2] = BIG // 64
    order = rng.permutation(n)
    if n > 5 and rng.random() < 0.3:
        return Network(tail, head, capacity, order[:2].tolist(), order[2:5].tolist(), n)
    return Network(tail, head, capacity, int(order[0]), int(order[1]), n)


def chain(n, capacity=3):
    """A path of n arcs from 0 to n."""
    return network([(v, v + 1, capacity) for v in range(n)], 0, n, n + 1)


def racy(layers, width, seed):
    """Layers in which many vertices push to few: neighbours rise and push at the same time."""
    rng = np.random.default_rng(seed)
    inner = layers * width
    ids = np.arange(inner).reshape(layers, width)
    arcs = [(inner, int(v), int(rng.integers(1, 40))) for v in ids[0]]
    arcs += [(int(v), inner + 1, int(rng.integers(1, 40))) for v in ids[-1]]
    for above, below in pairwise(ids):
        for v in above:
            for w in rng.choice(below[: width // 2], 3):
                arcs.append((int(v), int(w), int(rng.integers(0, 20))))
                arcs.append((int(w), int(v), int(rng.integers(0, 5))))
            arcs.append((int(v), int(rng.choice(below)), int(rng.integers(0, 9))))
    return network(arcs, inner, inner + 1, inner + 2)


def stranding(n):
    """A chain whose middle arc is narrow: most of what the source sends has to come back."""
    arcs = [(v, v + 1, 100 if v != n // 2 else 3) for v in range(n)]
    return network(arcs, 0, n, n + 1)


def hub(leaves):
    """A vertex with very many neighbours, one of which leads to the sink."""
    arcs = [(0, 1, 5), *((1, 2 + k, 1) for k in range(leaves)), (1 + leaves, 2 + leaves, 1)]
    return network(arcs, 0, 2 + leaves, 3 + leaves)


def both_ways(n):
    """A path with parallel arcs forwards and arcs back: five arcs between two neighbours."""
    arcs = [(v, v + 1, 1 + k) for v in range(n) for k in range(3)]
    arcs += [(v + 1, v, 1) for v in range(n) for _ in range(2)]
    return network(arcs, 0, n, n + 1)


def reversed_ids(net: Network) -> Network:
    last = net.num_vertices - 1
    return Network(
        last - net.tail, last - net.head, net.capacity, last - net.source, last - net.sink, net.num_vertices
    )


def circulates(tail, head, flow, role):
    """Whether arcs with flow form a directed cycle, all sources being one vertex and all sinks another."""
    vertex = np.arange(len(role))
    for part in (1, 2):
        vertex[role == part] = np.flatnonzero(role == part)[0]
    used = np.flatnonzero(flow != 0)
    ends = vertex[np.asarray(tail)[used]], vertex[np.asarray(head)[used]]
    forward = np.asarray(flow)[used] > 0
    u, v = np.where(forward, *ends), np.where(forward, *ends[::-1])
    if (u == v).any():
        return True
    graph = coo_array((np.ones(len(u)), (u, v)), shape=(len(role), len(role)))
    return connected_components(graph, connection="strong", return_labels=False) < len(role)
