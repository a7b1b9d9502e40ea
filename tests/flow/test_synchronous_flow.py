"""Synchronous push-relabel on the CPU teams: its answers, its counts, its two ways to pair arcs."""

import math

import numpy as np
import pytest
from around_a_solve import Enough, EnoughError
from cases.networks import (
    BIG,
    awkward_networks,
    both_ways,
    chain,
    hub,
    network,
    racy,
    random_network,
    reversed_ids,
    stranding,
)
from team_cases import CALM_TEAMS

import konig
from konig.flow import residual
from konig.flow.inputs import as_network
from konig.flow.residual import build, columns
from konig.machine import on_threads

METHOD = "sync-pr"
KNOBS = [{"k": 0.0, "least": 1}, {"k": 4.0}, {"rises": 1}, {"rises": 9, "least": 30}]


def solve(net, undirected=False, **options):
    options = {"method": METHOD, "num_vertices": net.num_vertices, "undirected": undirected, **options}
    arcs = net.tail, net.head, net.capacity
    f = konig.maximum_flow(arcs, net.source, net.sink, **options)
    f.verify(arcs, net.source, net.sink)
    return f


@pytest.mark.parametrize("team", CALM_TEAMS, ids=str)
@pytest.mark.parametrize("undirected", [False, True])
def test_answers_carry_their_certificate(team, undirected):
    rng = np.random.default_rng(41)
    for net in [*awkward_networks().values(), *(random_network(rng) for _ in range(80))]:
        if undirected and (net.capacity > BIG // 4).any():
            continue  # their value may be above 2**62
        f = solve(net, undirected, **team)
        assert (f.device, f.method) == ("cpu", METHOD)


@pytest.mark.parametrize("knobs", KNOBS, ids=str)
def test_all_knobs(knobs):
    rng = np.random.default_rng(42)
    for case in range(40):
        net = random_network(rng)
        expected = solve(net, method="hl-pr").value
        for team in ({"threads": 2}, {"_team": "shuffled", "seed": case}):
            f = solve(net, **knobs, **team)
            assert f.value == expected
            series = [f.stats[name] for name in ("relabel_levels", "relabel_interval", "relabel_active")]
            assert {len(entries) for entries in series} == {f.stats["global_relabels"]}


@pytest.mark.parametrize("undirected", [False, True])
def test_warm_starts(undirected):
    rng = np.random.default_rng(43)
    for _ in range(80):
        net = random_network(rng)
        f = solve(net, undirected, threads=2)
        again = solve(net, undirected, initial=f, threads=2)
        assert again.value == again.stats["start_value"] == f.value
        less = network(
            list(zip(net.tail.tolist(), net.head.tolist(), (net.capacity // 2).tolist(), strict=True)),
            net.source,
            net.sink,
            net.num_vertices,
        )
        assert solve(less, undirected, initial=f).value == solve(less, undirected, method="hl-pr").value


def test_two_hundred_races_end_the_same():
    net = racy(4, 12, 5)
    expected = solve(net, method="hl-pr").value
    for _ in range(200):
        assert solve(net, threads=4).value == expected


def test_sums_beyond_32_bits_are_exact():
    for capacity in (2**20, 2**31 - 1, 2**40, BIG // 4):
        arcs = [(0, 1, capacity), (0, 2, capacity), (1, 3, capacity), (2, 3, capacity), (3, 4, 2 * capacity)]
        assert solve(network(arcs, 0, 4, 5)).value == 2 * capacity
        # Both directions of a pair may be as large.
        arcs = [(0, 1, capacity), (1, 2, capacity), (2, 1, capacity), (2, 3, capacity)]
        assert solve(network(arcs, 0, 3, 4)).value == capacity


# ---- what tells it from the other methods ----


def test_a_vertex_pushes_along_all_its_arcs_at_once():
    leaves = 40
    arcs = [(0, 1, leaves), *((1, 2 + k, 1) for k in range(leaves))]
    arcs += [(2 + k, 2 + leaves, 1) for k in range(leaves)]
    net = network(arcs, 0, 2 + leaves, 3 + leaves)
    assert solve(net, threads=1).stats["push_steps"] == 2
    assert solve(net, method="tlpns-rcsr", threads=1).stats["cycles"] >= leaves


def test_what_is_pushed_moves_one_vertex_in_a_superstep():
    n = 50
    for net in (chain(n), reversed_ids(chain(n))):
        for threads in (1, 2):
            stats = solve(net, threads=threads, k=9.0).stats
            assert stats["push_steps"] == n - 1  # the source's arc is full from the start
            assert stats["relabel_levels"][0] == n


def test_the_terminals_have_no_lists():
    # A super source and a super sink with thousands of arcs cost nothing: nothing is scanned for them.
    n = 3000
    arcs = [(n, v, 2) for v in range(n)] + [(v, n + 1, 1) for v in range(n)]
    stats = solve(network(arcs, n, n + 1, n + 2)).stats
    assert stats["slots_scanned"] == stats["search_scanned"] == 0


def test_intervals_follow_from_the_rule():
    net = racy(8, 10, 3)
    stats = solve(net, threads=1, k=0.3, least=2).stats
    assert stats["relabel_interval"] == [max(2, math.floor(0.3 * n)) for n in stats["relabel_levels"]]
    assert stats["global_relabels"] > 2


@pytest.mark.parametrize("threads", [1, 2])
def test_the_way_back_is_searched_as_far_as_there_is_excess(threads):
    # A chain with a bottleneck near each end: what is too much for the first one is stranded near the source,
    # from which a search would go on to the second one.
    n = 4000
    capacity = [3, 3, 3, 1, *[5] * (n - 8), 1, 5, 5, 5]
    chained = network([(v, v + 1, c) for v, c in enumerate(capacity)], 0, n, n + 1)
    stats = solve(chained, threads=threads).stats
    assert stats["stranded"] >= 1
    assert stats["second_relabels"] == 1  # that no excess is left takes no search to see
    assert stats["second_levels"] < n / 2


def test_what_is_stranded_goes_back():
    n = 30
    f = solve(stranding(n), threads=1)
    assert f.value == 3
    assert f.stats["stranded"] >= 1
    assert f.stats["second_relabels"] >= 1
    assert f.cut.tolist() == [True] * (n // 2 + 1) + [False] * (n - n // 2)
    assert solve(chain(n), threads=1).stats["second_relabels"] == 0


def test_few_active_vertices_are_left_to_one_worker():
    stats = solve(chain(200), threads=2, k=9.0).stats
    assert stats["lone_steps"] == stats["push_steps"]
    assert stats["supersteps"] < 20
    wide = racy(4, 600, 1)
    stats = solve(wide, threads=2).stats
    assert stats["lone_steps"] < stats["push_steps"]


def test_long_lists():
    assert solve(hub(40_000), threads=2).value == 1


# ---- the residual network ----


def slots_of(built):
    """Owner, other end and residual capacity of each slot."""
    network = built.residual
    owner = np.repeat(np.arange(network.vertices), np.diff(network.start))
    other, reverse, out, back = (np.asarray(part) for part in columns(network.slots))
    assert (owner[reverse] == other).all()
    assert (reverse[reverse] == np.arange(len(reverse))).all()
    assert (out[reverse] == back).all()
    assert np.diff(network.start).max(initial=0) == network.longest
    return sorted(zip(owner.tolist(), other.tolist(), out.tolist(), strict=True))


def added_up(net, undirected, bound):
    """The same by a dictionary of the inner arcs: sums stop at the bound."""
    sums: dict[tuple[int, int], int] = {}
    terminals = {*np.atleast_1d(net.source).tolist(), *np.atleast_1d(net.sink).tolist()}
    for u, v, amount in zip(net.tail.tolist(), net.head.tolist(), net.capacity.tolist(), strict=True):
        if u == v or amount == 0 or u in terminals or v in terminals:
            continue
        for ends, more in (((u, v), amount), ((v, u), amount if undirected else 0)):
            sums[ends] = min(sums.get(ends, 0) + more, bound)
    return sorted((u, v, amount) for (u, v), amount in sums.items())


@pytest.mark.parametrize("team", [*CALM_TEAMS, {"wide": True}], ids=str)
@pytest.mark.parametrize("undirected", [False, True])
def test_neighbours_share_slots_with_the_capacity_of_all_arcs_between_them(undirected, team, monkeypatch):
    rng = np.random.default_rng(44)
    if team.pop("wide", False):
        monkeypatch.setattr(residual, "INT32_MAX", 3)
    machine = on_threads({"team": team.get("_team", "threads")}, team.get("threads", 2), team.get("seed"))
    for net in [both_ways(9), *awkward_networks().values(), *(random_network(rng) for _ in range(60))]:
        given = as_network(
            net.arcs, net.source, net.sink, num_vertices=net.num_vertices, undirected=undirected
        )
        built = build(machine, given.arcs, given.role, undirected)
        slots = slots_of(built)
        if built.virtual is None:  # else sources and their arcs are inside too
            assert slots == added_up(net, undirected, built.bound)


@pytest.mark.parametrize("method", [METHOD, "async-pr"])
def test_ids_of_64_bits(method, monkeypatch):
    net = racy(5, 9, 2)
    expected = solve(net).value
    monkeypatch.setattr(residual, "INT32_MAX", 10)
    f = solve(net, method=method)
    assert f.value == expected
    assert solve(net, method=method, initial=f).stats["start_value"] == expected


@pytest.mark.parametrize("method", [METHOD, "async-pr"])
@pytest.mark.parametrize("undirected", [False, True])
def test_sources_that_could_give_more_than_any_flow_may_carry(method, undirected):
    # Each source has more than half of the largest flow to give, and all but the last lead to little.
    gives = BIG // 2 + 7
    for ways in (2, 3, 6):
        middle = [(0, v, gives) for v in range(1, ways + 1)]
        narrow = [(v, ways + 1, 5) for v in range(1, ways)] + [(ways, ways + 1, gives)]
        net = network(middle + narrow, 0, ways + 1, ways + 2)
        f = solve(net, undirected, method=method, threads=2)
        assert f.value == gives + 5 * (ways - 1)
        again = solve(net, undirected, method=method, initial=f)
        assert again.value == f.value
    with pytest.raises(ValueError, match=r"above 2\*\*62"):
        solve(network([(0, 1, BIG), (0, 2, BIG), (1, 3, BIG), (2, 3, BIG)], 0, 3, 4), method=method)


def test_a_start_of_parallel_arcs_beyond_every_flow():
    # Each of the arcs between 1 and 2 holds more than the value, and so may their flows together.
    net = network([(0, 1, 4), (1, 2, BIG), (1, 2, BIG), (2, 1, BIG), (2, 3, 9)], 0, 3, 4)
    start = np.array([4, 5, 7, 8, 4])
    f = konig.maximum_flow(net.arcs, 0, 3, method=METHOD, initial=start)
    f.verify(net.arcs, 0, 3)
    assert f.value == 4


# ---- manners ----


def test_bad_knobs_are_refused():
    for knobs, message in (
        ({"k": -1.0}, "at least 0"),
        ({"least": 0}, "at least 1"),
        ({"rises": 0}, "at least 1"),
    ):
        with pytest.raises(ValueError, match=message):
            solve(chain(3), **knobs)


def test_progress_is_reported():
    report = Enough(2)

    with pytest.raises(EnoughError):
        solve(racy(300, 200, 1), threads=2, progress=report, k=0.0, least=1)
    assert all(0 <= done <= total for done, total in report.seen)


def test_the_side_that_gives_less_is_the_source():
    # A grid from its border to its middle: the border could give far more than the middle takes. What cannot
    # arrive would have to go back all the way, and the reversed network would take a fraction of the steps.
    cells = np.arange(60 * 60).reshape(60, 60)
    steps = [(cells[:, :-1], cells[:, 1:]), (cells[:-1], cells[1:])]
    ends = [(a.ravel(), b.ravel()) for pair in steps for a, b in (pair, pair[::-1])]
    tail, head = (np.concatenate(part) for part in zip(*ends, strict=True))
    border, middle = cells[0], cells[30, 28:32]
    tail = np.concatenate([tail, np.full(60, 3600), middle])
    head = np.concatenate([head, border, np.full(4, 3601)])
    capacity = np.concatenate([np.ones(len(tail) - 64, np.int64), np.full(64, 10**9)])
    there = konig.maximum_flow((tail, head, capacity), 3600, 3601, method="sync-pr", threads=1)
    back = konig.maximum_flow((head, tail, capacity), 3601, 3600, method="sync-pr", threads=1)
    for f, arcs, ends in ((there, (tail, head), (3600, 3601)), (back, (head, tail), (3601, 3600))):
        f.verify((*arcs, capacity), *ends)
    counts = "push_steps", "search_levels", "pushes", "stranded"
    assert [there.stats[name] for name in counts] == [back.stats[name] for name in counts]
    assert there.stats["second_steps"] <= 10


@pytest.mark.parametrize("scale", [1, 2**35, 2**45, 2**57])
def test_ample_links_are_cut_to_what_can_pass(scale):
    # Vertices 1 and 2 get far more than they can pass on, 3 and 4 could give far more than comes: the cut
    # must not cross those links, whichever side they are on.
    tail, head = np.array([0, 0, 1, 1, 2, 3, 4, 1]), np.array([1, 2, 3, 4, 4, 5, 5, 2])
    capacity = np.array([7, 9, 1, 1, 1, 8, 6, 1]) * scale
    capacity[[0, 1, 5, 6]] *= 4
    for ends in ((tail, head, 0, 5), (head, tail, 5, 0)):
        for method in ("sync-pr", "async-pr"):
            f = konig.maximum_flow((*ends[:2], capacity), *ends[2:], method=method, threads=2)
            assert f.value == 3 * scale
            f.verify((*ends[:2], capacity), *ends[2:])
