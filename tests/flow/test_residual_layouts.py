"""The residual layouts of Hsieh, Lin and Kuo, the flow on them, and networks of several terminals."""

import numpy as np
import pytest
from cases.networks import BIG, random_network

from konig.flow.capacities import TOO_LARGE
from konig.flow.inputs import terminals
from konig.flow.papers import residual as layouts
from konig.flow.papers import tlpns
from konig.flow.papers.residual import residual
from konig.machine import on_threads
from konig.registry import find

PARALLEL = (
    np.array([0, 1, 0, 1, 2, 2, 0]),
    np.array([1, 2, 1, 0, 1, 2, 2]),
    np.array([3, 4, 5, 6, 7, 8, 0]),
)
TEAMS = [(1, "threads"), (3, "threads"), (4, "shuffled")]


def on_team(threads=1, team="threads"):
    return on_threads({"team": team}, threads, seed=5)


def laid_out(layout, arcs, role, undirected=False, team=TEAMS[0]):
    """The layout, and its arrays as far as they are used."""
    network = residual(on_team(*team), layout, arcs, role, terminals(role), undirected)
    lists = "start", "in_start"
    used = {
        name: part if part is None or name in lists else part[: network.length]
        for name, part in network.arrays.items()
    }
    return network, used


def roles(n, source, sink):
    role = np.zeros(n, np.uint8)
    role[source], role[sink] = 1, 2
    return role


def parallel(layout, **options):
    return laid_out(layout, PARALLEL, roles(3, 0, 2), **options)


@pytest.mark.parametrize("team", TEAMS, ids=str)
def test_rcsr_keeps_parallel_arcs_and_lists_entering_ones(team):
    network, used = parallel("rcsr", team=team)
    assert used["tail"] is None
    assert used["start"].tolist() == [0, 2, 4, 5]
    assert used["head"].tolist() == [1, 1, 0, 2, 1]
    assert used["forward"].tolist() == [3, 5, 5, 4, 5]  # the sink takes 4
    assert not used["backward"].any()
    assert used["in_start"].tolist() == [0, 1, 4, 5]
    assert used["in_tail"].tolist() == [1, 0, 0, 2, 1]
    assert used["in_arc"].tolist() == [2, 0, 1, 4, 3]
    assert (network.bound, network.places) == (5, 10)


def test_csr_is_rcsr_without_the_lists():
    (_, csr), (_, rcsr) = parallel("csr"), parallel("rcsr")
    assert [name for name, part in csr.items() if part is None] == ["in_start", "in_tail", "in_arc"]
    for name in ("start", "head", "forward", "backward"):
        assert np.array_equal(csr[name], rcsr[name])
    assert csr["tail"].tolist() == [0, 0, 1, 1, 2]


@pytest.mark.parametrize("team", TEAMS, ids=str)
def test_bcsr_has_one_sorted_place_for_each_ordered_pair(team):
    network, used = parallel("bcsr", team=team)
    assert used["start"].tolist() == [0, 1, 3, 4]
    assert used["head"].tolist() == [1, 0, 2, 1]
    assert used["forward"].tolist() == [5, 5, 4, 5]
    assert network.places == 4


@pytest.mark.parametrize("team", TEAMS, ids=str)
@pytest.mark.parametrize("undirected", [False, True])
@pytest.mark.parametrize("layout", ["csr", "rcsr", "bcsr"])
def test_lists_are_sorted_on_every_team(layout, undirected, team):
    rng = np.random.default_rng(7)
    n, m = 40, 600
    hub = rng.random(m) < 0.3  # one list is far longer than the others
    tail, head = np.where(hub, 1, rng.integers(0, n, m)), rng.integers(0, n, m)
    capacity = rng.integers(0, 9, m)
    network, used = laid_out(layout, (tail, head, capacity), roles(n, 0, n - 1), undirected, team)
    kept = (tail != head) & (capacity > 0)
    pairs = np.array([tail[kept], head[kept]])
    if undirected or layout == "bcsr":
        pairs = np.hstack([pairs, pairs[::-1]])
    pairs = pairs[:, np.lexsort(pairs[::-1])]
    if layout == "bcsr":
        pairs = np.unique(pairs, axis=1)
    assert network.length == pairs.shape[1]
    assert used["head"].tolist() == pairs[1].tolist()
    assert used["start"].tolist() == np.searchsorted(pairs[0], np.arange(n + 1)).tolist()
    if layout == "rcsr":
        entering = np.argsort(pairs[1], kind="stable")
        assert used["in_arc"].tolist() == entering.tolist()
        assert used["in_tail"].tolist() == pairs[0][entering].tolist()


@pytest.mark.parametrize("undirected", [False, True])
@pytest.mark.parametrize("layout", ["csr", "rcsr", "bcsr"])
def test_flow_that_is_sent_is_there(layout, undirected):
    network, _ = parallel(layout, undirected=undirected)
    sent = np.array([1, 2, 1, 0, 0, 0, 0])
    if undirected:
        sent[4] = -1
    excess = np.zeros(3, np.int64)
    network.send(sent, excess)
    assert excess.tolist() == [0, 0, 3 if undirected else 2]
    flow, side = network.answer(np.array([0, 1, 0], np.uint8))
    assert side.tolist() == [True, True, False]
    if layout == "bcsr" and undirected:  # 1 and 4 join the same vertices, either way
        assert (flow[1] - flow[4], flow[[0, 2]].sum() - flow[3]) == (3, 2)
    elif layout == "bcsr":
        assert (flow[1], flow[[0, 2]].sum()) == (2, 2)
    else:
        assert flow.tolist() == sent.tolist()


def test_parallel_arcs_share_no_more_than_they_have():
    arcs = np.array([0, 0, 1]), np.array([1, 1, 2]), np.array([BIG, BIG, BIG])
    network, used = laid_out("bcsr", arcs, roles(3, 0, 2))
    assert network.bound == TOO_LARGE == used["forward"].max()
    network.send(np.array([BIG, 0, BIG]), np.zeros(3, np.int64))
    flow, _ = network.answer(np.ones(3, np.uint8))
    assert sorted(flow[:2].tolist()) == [0, BIG]


@pytest.mark.parametrize("tiles", [False, True])
@pytest.mark.parametrize("layout", ["csr", "rcsr", "bcsr"])
def test_ids_of_64_bits(layout, tiles, monkeypatch):
    rng = np.random.default_rng(4)
    method = find(f"{'tlpns' if tiles else 'lock-free'}-{layout}", "flow")
    machine, settings = on_team(2), method.settings({})
    for _ in range(30):
        net = random_network(rng)
        role = roles(net.num_vertices, net.source, net.sink)
        values = []
        for ids in (np.int32, np.int64):
            monkeypatch.setattr(layouts, "index_type", lambda vertices, arcs, ids=ids: ids)
            network, _ = laid_out(layout, net.arcs, role)
            assert network.arrays["head"].dtype == ids
            excess = np.zeros(network.vertices, np.int64)
            values.append(tlpns.solve(machine, method, network, settings, None, excess)[0])
        assert values[0] == values[1]


@pytest.mark.parametrize("layout", ["csr", "rcsr", "bcsr"])
def test_what_leaves_the_source_fits_a_word(layout):
    fan_out = [(0, v, BIG) for v in range(1, 9)] + [(v, 9, 2) for v in range(1, 9)]
    arcs = tuple(np.array(part) for part in zip(*fan_out, strict=True))
    plain, used = laid_out(layout, arcs, roles(10, 0, 9))
    assert (plain.source, plain.vertices, plain.fed) == (0, 10, False)
    assert plain.bound == 17
    assert used["forward"].max() == 17  # no arc needs more: the sink takes 16
    wide = [(0, v, BIG) for v in range(1, 9)] + [(v, 9, BIG) for v in range(1, 9)]
    arcs = tuple(np.array(part) for part in zip(*wide, strict=True))
    fed, used = laid_out(layout, arcs, roles(10, 0, 9))
    assert (fed.source, fed.vertices, fed.fed) == (10, 11, True)
    first = used["start"][10]
    assert (used["head"][first], used["forward"][first]) == (0, TOO_LARGE)


@pytest.mark.parametrize("layout", ["csr", "rcsr", "bcsr"])
def test_there_may_be_no_arcs(layout):
    none = np.zeros(0, np.int64)
    network, used = laid_out(layout, (none, none, none), roles(500, 0, 499))
    assert (network.length, used["start"].any()) == (0, False)
    flow, side = network.answer(np.ones(500, np.uint8))
    assert (len(flow), side.sum()) == (0, 499)


def test_terminals_are_one_vertex_each():
    arcs = np.array([0, 1, 2, 2, 0]), np.array([2, 2, 3, 4, 1]), np.array([1, 2, 3, 4, 5])
    role = np.array([1, 1, 0, 2, 2], np.uint8)
    network, used = laid_out("rcsr", arcs, role)
    assert (network.source, network.sink) == (0, 3)
    assert used["start"].tolist() == [0, 2, 2, 4, 4, 4]
    assert used["head"].tolist() == [2, 2, 3, 3]
    _, side = network.answer(np.array([1, 0, 0, 0, 1], np.uint8))
    assert side.tolist() == [True, True, False, False, False]
