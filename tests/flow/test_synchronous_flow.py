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
from konig.flow import paired_flow, pairing
from konig.flow.inputs import as_network
from konig.flow.paired_arcs import columns, paired_arcs
from konig.flow.two_terminals import two_terminals

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


def test_what_is_stranded_goes_back():
    n = 30
    f = solve(stranding(n), threads=1)
    assert f.value == 3
    assert f.stats["stranded"] >= 1
    assert f.stats["second_relabels"] >= 2
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


# ---- pairs of neighbours ----


def capacities_of_pairs(pairs):
    owner = np.repeat(np.arange(pairs.vertices), np.diff(pairs.start))
    other, mate, out, back = (np.asarray(part) for part in columns(pairs.slots))
    assert (owner[mate] == other).all()
    assert (mate[mate] == np.arange(len(mate))).all()
    assert (out[mate] == back).all()
    return sorted(zip(owner.tolist(), other.tolist(), out.tolist(), strict=True))


@pytest.mark.parametrize("undirected", [False, True])
def test_both_ways_to_pair_arcs_agree(undirected):
    rng = np.random.default_rng(44)
    compared = 0
    for net in [both_ways(9), *(random_network(rng) for _ in range(60))]:
        given = as_network(
            net.arcs, net.source, net.sink, num_vertices=net.num_vertices, undirected=undirected
        )
        arcs = given.tail, given.head, given.capacity
        workers = {"threads": 2, "team": "threads", "seed": 0}
        quick = pairing.on_team(*arcs, given.role, undirected, **workers)
        if quick is None:  # sums of capacities that are too large for it
            continue
        compared += 1
        slow = paired_arcs(two_terminals(np, *arcs, given.role, undirected))
        if isinstance(net.source, int) and isinstance(net.sink, int):
            merged = [{pair[:2] for pair in capacities_of_pairs(layout.pairs)} for layout in (quick, slow)]
            assert merged[0] == merged[1]
            assert quick.pairs.longest == slow.pairs.longest
        assert quick.straight == slow.straight
    assert compared > 30


def test_networks_that_are_too_large_for_the_quick_way_take_the_other(monkeypatch):
    net = racy(5, 9, 2)
    expected = solve(net).value
    seen = []
    original = paired_flow.paired_arcs
    monkeypatch.setattr(paired_flow, "paired_arcs", lambda *problem: seen.append(1) or original(*problem))
    assert solve(net).value == expected
    assert not seen
    huge = network([(0, 1, BIG), (1, 2, BIG), (2, 1, BIG), (2, 3, BIG)], 0, 3, 4)
    assert solve(huge).value == BIG
    assert seen
    monkeypatch.setattr(pairing, "INT32_MAX", 10)
    seen.clear()
    assert solve(net).value == expected
    assert seen


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
