"""Dinic's phases with searches from both terminals."""

import numpy as np
import pytest
from cases.networks import random_network

import konig


def chain_with_detours(lengths):
    """Disjoint paths of so many arcs from vertex 0 to vertex 1, each of capacity 1."""
    tail, head, vertices = [], [], 2
    for length in lengths:
        inner = list(range(vertices, vertices + length - 1))
        vertices += length - 1
        tail += [0, *inner]
        head += [*inner, 1]
    return np.array(tail), np.array(head), np.ones(len(tail), int)


def test_a_phase_finds_all_paths_of_one_length():
    """The arcs of terminals are numbers at vertices, and paths over one arc between these need no phase."""
    f = konig.maximum_flow(chain_with_detours([3, 3, 5, 5, 5, 9]), 0, 1, method="dinic-two-sided")
    assert f.value == 6
    assert f.stats["short_paths"] == 2
    assert f.stats["phases"] == 2
    assert f.stats["phase_paths"] == 4


def test_phases_on_random_networks_agree_with_push_relabel():
    rng = np.random.default_rng(8)
    for _ in range(60):
        net = random_network(rng)
        options = {"num_vertices": net.num_vertices}
        f = konig.maximum_flow(net.arcs, net.source, net.sink, method="dinic-two-sided", **options)
        f.verify(net.arcs, net.source, net.sink, **options)
        assert f.method == "dinic-two-sided"
        assert f.value == konig.maximum_flow(net.arcs, net.source, net.sink, method="hl-pr", **options).value


@pytest.mark.parametrize("turned", [False, True])
def test_the_side_that_ends_first_is_the_cut(turned):
    """A source that reaches three vertices only, before a large part that is never searched."""
    draws = np.random.default_rng(4)
    tail, head = draws.integers(10, 5_000, (2, 30_000))
    arcs = np.r_[[0, 2, 3, 4], tail, 4_998], np.r_[[2, 3, 4, 4_999], head, 1]
    if turned:
        arcs = arcs[::-1]
    capacity = np.r_[[9, 9, 9, 1], np.full(len(tail), 3), 7]
    source, sink = (1, 0) if turned else (0, 1)
    network = *arcs, capacity
    f = konig.maximum_flow(network, source, sink, method="dinic-two-sided")
    f.verify(network, source, sink)
    assert f.value == 1
    assert (~f.cut if turned else f.cut).sum() == 4
    assert f.stats["search_scans"] < 2_000


def test_a_walk_turns_back_where_the_phase_has_saturated_arcs():
    """Two supplies share an arc of capacity 1 that a walk takes first; the other way is found later."""
    tail = [0, 0, 2, 3, 3, 4, 5, 6, 7]
    head = [2, 3, 4, 4, 5, 6, 7, 1, 1]
    capacity = [1, 1, 1, 1, 1, 1, 1, 1, 1]
    f = konig.maximum_flow((tail, head, capacity), 0, 1, method="dinic-two-sided")
    f.verify((tail, head, capacity), 0, 1)
    assert f.value == 2
    assert f.stats["phases"] == 1


def test_what_a_source_cannot_pass_on_begins_no_search():
    # Spokes around a few hubs. All capacities are below 2**31, what the sources could give together is not.
    rng = np.random.default_rng(8)
    hubs, spokes = 4, 3000
    n = hubs + spokes
    spoke, hub = rng.integers(hubs, n, 4 * spokes), rng.integers(0, hubs, 4 * spokes)
    tail, head = np.r_[spoke, hub], np.r_[hub, spoke]
    capacity = rng.integers(1, 40, len(tail))
    ends = hubs + rng.permutation(spokes)
    sources, sinks = ends[:1000], ends[1000:1200]
    room = np.bincount(tail, capacity, n)[sources], np.bincount(head, capacity, n)[sinks]
    scans = []
    for supply, demand in ((room[0], room[1]), (np.full(1000, 10**9), np.full(200, 10**9))):
        tails = np.r_[tail, np.full(1000, n), sinks]
        heads = np.r_[head, sources, np.full(200, n + 1)]
        arcs = tails, heads, np.r_[capacity, supply, demand].astype(np.int64)
        flow = konig.maximum_flow(arcs, n, n + 1)
        flow.verify(arcs, n, n + 1)
        scans.append(flow.stats["search_scans"] + flow.stats["walk_steps"])
    assert scans[1] == scans[0] > 0


def test_walks_end_when_a_side_has_nothing_left():
    """A thousand ways, of which the first takes all that the source can give."""
    ways = np.arange(1000)
    first, second = 4 + ways, 4 + len(ways) + ways
    tail = np.r_[0, np.full(len(ways), 2), first, second, 3]
    head = np.r_[2, first, second, np.full(len(ways), 3), 1]
    capacity = np.r_[1, np.full(3 * len(ways), 1), 9]
    f = konig.maximum_flow((tail, head, capacity), 0, 1, method="dinic-two-sided")
    f.verify((tail, head, capacity), 0, 1)
    assert f.value == 1
    assert f.stats["bridges"] == 1
    assert f.stats["walk_steps"] < 20


def test_steps_are_limited_along_a_single_bridge_too():
    """A long ladder of random capacities: hundreds of paths lead over the one arc where searches meet."""
    draws, rungs = np.random.default_rng(3), 20_000
    left, right = 2 * np.arange(rungs), 2 * np.arange(rungs) + 1
    tail = np.concatenate([left[:-1], right[:-1], left, left[1:], right[1:], right])
    head = np.concatenate([left[1:], right[1:], right, left[:-1], right[:-1], left])
    order = draws.permutation(len(tail))
    arcs = tail[order], head[order], draws.integers(1, 10**6, len(tail))
    flow = konig.maximum_flow(arcs, 0, 2 * rungs - 1, undirected=True)
    flow.verify(arcs, 0, 2 * rungs - 1, undirected=True)
    assert flow.stats["walk_steps"] < 8 * (2 * rungs + 2 * len(tail))
