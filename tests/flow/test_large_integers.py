"""Integers up to 2**63 - 1, against exact arithmetic: right, or refused because the value is above 2**62."""

import numpy as np
import pytest
from cases.networks import circulates
from fuzz.flow.network import exact_value

import konig
from konig.flow.grid import as_grid

METHODS = [method.name for method in konig.methods("flow")]
LARGEST = 2**63 - 1


def random_integers(rng):
    n = int(rng.integers(2, 12))
    m = int(rng.integers(0, 5 * n))
    tail, head = rng.integers(0, n, (2, m))
    if rng.random() < 0.3:
        tail, head = np.r_[tail, head], np.r_[head, tail]
    near = np.array([0, 1, 2**31 - 1, 2**32, 2**61, 2**62 - 1, 2**62, 2**62 + 1, LARGEST - 1, LARGEST])
    capacity = near[rng.integers(0, rng.integers(2, len(near) + 1), len(tail))]
    small = rng.random(len(tail)) < rng.choice([0, 0.3, 0.7])
    capacity[small] = rng.integers(0, 100, small.sum())
    order = rng.permutation(n)
    split = int(rng.integers(1, n))
    few = order[: min(split, 3)], order[split : split + 3]
    ends = [part.tolist() if rng.random() < 0.5 else int(part[0]) for part in few]
    return (tail, head, capacity), *ends, n


def check(rng, method, cases):
    refusals = 0
    for _ in range(cases):
        arcs, source, sink, n = random_integers(rng)
        options = {"num_vertices": n, "undirected": bool(rng.random() < 0.3), "method": method}
        best = exact_value(*arcs, source, sink, n, options["undirected"])
        if best > 2**62:
            refusals += 1
            with pytest.raises(ValueError, match=r"value of the flow is above 2\*\*62"):
                konig.maximum_flow(arcs, source, sink, **options)
            continue
        f = konig.maximum_flow(arcs, source, sink, **options)
        f.verify(arcs, source, sink)
        assert (f.value, f.gap) == (best, 0)
        assert not circulates(*arcs[:2], f.flow, f.network.role)
    assert refusals > 0


@pytest.mark.parametrize("method", METHODS)
def test_random_networks(method):
    check(np.random.default_rng(40), method, 100)


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS)
def test_many_random_networks(method):
    check(np.random.default_rng(41), method, 3000)


@pytest.mark.parametrize("method", ["auto", "sync-pr", "dinic"])
def test_random_grids(method):
    rng = np.random.default_rng(42)
    near = np.array([0, 1, 7, 2**61, 2**62 - 1, 2**62, LARGEST])
    for _ in range(60):
        shape = tuple(rng.integers(1, 4, 2))
        parts = [near[rng.integers(0, rng.integers(2, 8), s)] for s in (shape, shape, (4, *shape))]
        n = int(np.prod(shape))
        grid = as_grid(*parts, None)
        best = exact_value(*grid.arcs(), n, n + 1, n + 2)
        if best > 2**62:
            with pytest.raises(ValueError, match=r"above 2\*\*62"):
                konig.grid_cut(*parts, method=method)
            continue
        c = konig.grid_cut(*parts, method=method)
        c.verify(*parts)
        assert c.value == best
