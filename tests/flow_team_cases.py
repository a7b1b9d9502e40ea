"""What the tests of the flow methods on a team share, on CPU teams and on a GPU."""

from itertools import pairwise

import numpy as np
from flow_networks import Network, network

LAYOUTS = ("csr", "rcsr", "bcsr")
LOCK_FREE = [f"lock-free-{layout}" for layout in LAYOUTS]
TLPNS = [f"tlpns-{layout}" for layout in LAYOUTS]
METHODS = LOCK_FREE + TLPNS


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


# For seconds_to_stop, with the name of a method.
INTERRUPTED_ON_A_GPU = """
import time
import numpy as np, konig
n = 200_000
arcs = np.arange(n), np.arange(1, n + 1), np.full(n, 5)
konig.maximum_flow(([0, 1], [1, 2], [4, 3]), 0, 2, method="{method}", device="cuda")
print("ready", flush=True)
try:
    while True:
        konig.maximum_flow(arcs, 0, n, method="{method}", device="cuda")
except KeyboardInterrupt:
    print(time.monotonic(), flush=True)
    f = konig.maximum_flow(([0, 1], [1, 2], [4, 3]), 0, 2, method="{method}", device="cuda")
    print("usable" if f.value == 3 else f.value, flush=True)
"""
