"""No flow goes around in a circle, however large the capacities on it are."""

import numpy as np
import pytest
import scipy.sparse as sp
from cases.networks import awkward_networks, circulates, random_network

import konig
from konig.flow.circulations import cancel_on_few, possibly_on_cycles, without_circulation
from konig.flow.inputs import as_network
from konig.machine import on_threads

METHODS = [method.name for method in konig.methods("flow")]


def large_cycles(rng):
    """Few units in and out, and much room to go round in between."""
    n = int(rng.integers(4, 30))
    arcs = 6 * n
    tail, head = rng.integers(0, n, (2, arcs))
    capacity = np.where(rng.random(arcs) < 0.2, rng.integers(0, 5, arcs), 10**9)
    terminal = (tail == 0) | (head == n - 1)
    capacity[terminal] = rng.integers(0, 4, terminal.sum())
    return (tail, head, capacity), n


@pytest.mark.parametrize("undirected", [False, True])
@pytest.mark.parametrize("method", METHODS)
def test_networks_with_large_cycles(method, undirected):
    rng = np.random.default_rng(3)
    for _ in range(30):
        arcs, n = large_cycles(rng)
        order = rng.permutation(len(arcs[0]))
        for listed in (arcs, tuple(part[order] for part in arcs)):
            f = konig.maximum_flow(listed, 0, n - 1, num_vertices=n, method=method, undirected=undirected)
            f.verify(listed, 0, n - 1)
            assert not circulates(*listed[:2], f.flow, f.network.role)
            assert np.abs(f.flow).max() <= f.value


@pytest.mark.parametrize("method", METHODS)
def test_awkward_and_random_networks(method):
    rng = np.random.default_rng(4)
    for net in [*awkward_networks().values(), *(random_network(rng) for _ in range(60))]:
        f = konig.maximum_flow(net.arcs, net.source, net.sink, num_vertices=net.num_vertices, method=method)
        assert not circulates(net.tail, net.head, f.flow, f.network.role)


def test_a_matrix_and_a_start_that_circulates():
    capacity = sp.csr_array(np.array([[0, 1, 0, 0], [0, 0, 9, 0], [0, 9, 0, 2], [0, 0, 0, 0]]))
    f = konig.maximum_flow(capacity, 0, 3)
    assert f.flow.toarray()[1, 2] == f.value == 1
    arcs = np.array([0, 1, 2, 3, 3]), np.array([1, 2, 3, 1, 4]), np.array([1, 9, 9, 9, 1])
    for method in METHODS:
        warm = konig.maximum_flow(arcs, 0, 4, method=method, initial=[1, 8, 8, 7, 1])
        assert warm.flow.tolist() == [1, 1, 1, 0, 1], method


@pytest.mark.parametrize("method", METHODS)
def test_infinite_capacities_on_a_cycle(method):
    rng = np.random.default_rng(5)
    for _ in range(30):
        (tail, head, capacity), n = large_cycles(rng)
        arcs = tail, head, np.where(capacity == 10**9, np.inf, capacity / 10)
        f = konig.maximum_flow(arcs, 0, n - 1, num_vertices=n, method=method)
        f.verify(arcs, 0, n - 1)
        assert f.flow.max() <= f.value


@pytest.mark.parametrize("method", ["bk", "sync-pr", "hl-pr"])
@pytest.mark.parametrize(("shape", "connectivity"), [((7, 8), 4), ((6, 5), 8), ((3, 4, 5), 6)])
def test_grids(shape, connectivity, method):
    rng = np.random.default_rng(6)
    for _ in range(20):
        links = np.where(rng.random((2, *shape)) < 0.2, rng.integers(0, 9, (2, *shape)), 0)
        between = np.where(rng.random((connectivity, *shape)) < 0.3, 1, 10**9)
        c = konig.grid_cut(*links, between, connectivity=connectivity, method=method)
        c.verify(*links, between)
        tail, head, _ = c.grid.arcs()
        role = np.zeros(c.cut.size + 2, np.uint8)
        role[-2:] = 1, 2
        assert not circulates(tail, head, c.grid.to_arcs(c.source_flow, c.sink_flow, c.flow), role)


@pytest.mark.parametrize("team", ["threads", "shuffled"])
def test_flow_on_a_device_comes_off_circles_too(team):
    machine = on_threads({"team": team}, threads=2, seed=5)
    rng = np.random.default_rng(7)
    for _ in range(40):
        arcs, n = large_cycles(rng)
        flow = konig.maximum_flow(arcs, 0, n - 1, num_vertices=n).flow
        ways = (arcs[0][:3], arcs[1][:3]), (arcs[1][:3], arcs[0][:3])
        tail, head = (np.concatenate([arcs[k], ways[0][k], ways[1][k]]) for k in (0, 1))
        network = as_network((tail, head, np.full(len(tail), 9)), 0, n - 1, num_vertices=n)
        found = np.r_[flow, np.full(6, 5)]
        arcs_to_see = possibly_on_cycles(machine, network, found)
        assert (np.diff(arcs_to_see) > 0).all()
        part = as_network(
            (tail[arcs_to_see], head[arcs_to_see], found[arcs_to_see]), 0, n - 1, num_vertices=n
        )
        few = found[arcs_to_see]
        cancel_on_few(tail[arcs_to_see], head[arcs_to_see], network.role, False, few)
        assert few.tolist() == without_circulation(part, found[arcs_to_see]).tolist()
        found[arcs_to_see] = few
        assert not circulates(tail, head, found, network.role)
        leaves = found[tail == 0].sum() - found[head == 0].sum()
        assert leaves == flow[arcs[0] == 0].sum() - flow[arcs[1] == 0].sum()


@pytest.mark.parametrize("team", ["threads", "shuffled"])
def test_only_arcs_on_cycles_and_between_them_are_looked_at(team):
    # A long path into a cycle, from there to another one, and out again; beside it a path without any, and a
    # fan whose list is long.
    machine = on_threads({"team": team}, threads=2, seed=5)
    rng, length, fan = np.random.default_rng(8), 3000, 500
    path = np.arange(length)
    fork, join = length + np.arange(fan), length + fan
    n = join + 2
    tails = [path[:-1], [1000, 2000, 1], np.full(fan, length - 1), fork, [join]]
    heads = [path[1:], [500, 1500, 4], fork, np.full(fan, join), [join + 1]]
    tail, head = (np.concatenate(part) for part in (tails, heads))
    order = rng.permutation(len(tail))
    network = as_network((tail[order], head[order], np.full(len(tail), 9)), 0, n - 1, num_vertices=n)
    found = possibly_on_cycles(machine, network, np.ones(len(tail), np.int64))
    assert sorted(tail[order[found]]) == sorted([*range(500, 2000), 1000, 2000])
    without = np.ones(len(tail), np.int64)
    without[np.isin(order, [length - 1, length])] = 0  # the arcs that lead back
    assert len(possibly_on_cycles(machine, network, without)) == 0


@pytest.mark.parametrize("team", ["threads", "shuffled"])
def test_many_short_cycles_are_cancelled_where_the_flow_is(team):
    # Squares in a row, around each of which five units go, and one passes from each to the next.
    machine = on_threads({"team": team}, threads=2, seed=5)
    squares = 6000
    corner = 4 * np.arange(squares)
    n = 4 * squares + 2
    rings = [(corner + k, corner + (k + 1) % 4) for k in range(4)]
    ways = [(corner[:-1] + 2, corner[1:]), ([n - 2, corner[-1] + 2], [0, n - 1])]
    tail, head = (np.concatenate(part) for part in zip(*rings, *ways, strict=True))
    flow = np.concatenate([np.full(2 * squares, 6), np.full(2 * squares, 5), np.ones(squares + 1, np.int64)])
    turned = np.random.default_rng(9).random(len(tail)) < 0.5
    tail, head = np.where(turned, head, tail), np.where(turned, tail, head)
    network = as_network((tail, head, np.full(len(tail), 9)), n - 2, n - 1, num_vertices=n, undirected=True)
    found = np.where(turned, -flow, flow)
    assert len(possibly_on_cycles(machine, network, found)) == 0
    carried = np.abs(found)
    assert carried.max() == 1
    assert carried.sum() == 2 * squares + squares + 1
