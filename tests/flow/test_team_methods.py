"""Lock-free push-relabel and TLPNS on the CPU teams, in all layouts."""

import math
from itertools import cycle

import numpy as np
import pytest
from around_a_solve import Enough, EnoughError, by_two_threads, seconds_to_stop
from cases.networks import (
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
from flow_team_cases import LOCK_FREE, METHODS, TLPNS
from team_cases import CALM_TEAMS

import konig
from konig.flow.papers import tlpns

RULES = [
    {"k": 0.0},
    {"k": 4.0},
    {"relabel": "vertices", "k": 1.0},
    {"relabel": "fix", "k": 3.0},
    {"profile": True},
]


def solve(net, method, **options):
    f = konig.maximum_flow(
        net.arcs, net.source, net.sink, num_vertices=net.num_vertices, method=method, **options
    )
    f.verify(net.arcs, net.source, net.sink)
    return f


@pytest.mark.parametrize("team", CALM_TEAMS, ids=str)
@pytest.mark.parametrize("method", METHODS)
def test_answers_carry_their_certificate(method, team):
    rng = np.random.default_rng(11)
    networks = [*awkward_networks().values(), *(random_network(rng) for _ in range(60))]
    for net in networks:
        f = solve(net, method, **team)
        assert (f.device, f.method) == ("cpu", method)
        assert f.stats["careful_cycles"] == 0  # races do not last


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_all_rules(method, rules):
    rng = np.random.default_rng(12)
    for case in range(40):
        net = random_network(rng)
        for team in ({"threads": 2}, {"_team": "shuffled", "seed": case}):
            stats = solve(net, method, **rules, **team).stats
            series = (stats["relabel_levels"], stats["relabel_interval"], stats["relabel_active"])
            assert {len(entries) for entries in series} == {stats["global_relabels"]}


@pytest.mark.parametrize("tile", ["degree", 1, "2", 8, 32])
@pytest.mark.parametrize("method", TLPNS)
def test_all_tiles(method, tile):
    rng = np.random.default_rng(13)
    for _ in range(30):
        solve(random_network(rng), method, tile=tile, threads=2)


@pytest.mark.parametrize("threads", [2, pytest.param(4, marks=pytest.mark.long)])
@pytest.mark.parametrize("method", METHODS)
def test_two_hundred_races_end_the_same(method, threads):
    net = racy(4, 12, 5)
    expected = solve(net, "hl-pr").value
    assert expected > 0
    for _ in range(200):
        assert solve(net, method, threads=threads).value == expected


@pytest.mark.parametrize("method", ["lock-free-rcsr", "tlpns-bcsr"])
def test_a_shuffled_solve_repeats_itself(method):
    net = racy(6, 12, 6)
    first, second = (solve(net, method, _team="shuffled", seed=9) for _ in range(2))
    assert np.array_equal(first.flow, second.flow)
    assert first.stats["launches"] == second.stats["launches"] > 1


# ---- what tells one method from another ----


def test_only_tiles_work_on_a_queue():
    # One worker visits vertices in order, so on a chain in that order a flow passes all of them in one cycle;
    # what was queued at the beginning of a cycle moves one step.
    n = 50
    for method in LOCK_FREE:
        assert solve(chain(n), method, threads=1, k=9.0).stats["pushes"] == n - 1
        assert "tiles" not in solve(chain(n), method, threads=1).stats
    for method in TLPNS:
        for net in (chain(n), reversed_ids(chain(n))):
            stats = solve(net, method, threads=1, k=9.0).stats
            assert stats["cycles"] == stats["active"] == stats["pushes"] == n - 1
            assert stats["tiles"] == [n - 1, 0, 0]


def test_only_tiles_leave_the_cycles_early():
    n = 50
    for method in LOCK_FREE:
        stats = solve(chain(n), method, threads=1, relabel="fix", k=40.0).stats
        assert (stats["cycles"], stats["idle_cycles"]) == (40, 39)
        stats = solve(chain(n), method, threads=1, relabel="vertices", k=2.0).stats
        assert (stats["cycles"], stats["idle_cycles"]) == (2 * (n + 1), 2 * (n + 1) - 1)
    for method in TLPNS:
        stats = solve(chain(n), method, threads=1, relabel="vertices", k=2.0).stats
        assert (stats["cycles"], stats["idle_cycles"]) == (n - 1, 0)


def test_layouts_look_at_as_many_places_as_they_have():
    # Five arcs between two neighbours, three forwards and two back; the ends of the path are not scanned.
    n = 20
    net = both_ways(n)
    arcs = len(net.tail)
    for family in ("lock-free", "tlpns"):
        stats = {
            layout: solve(net, f"{family}-{layout}", threads=1).stats for layout in ("csr", "rcsr", "bcsr")
        }
        for layout, places in (("csr", 5 + arcs), ("rcsr", 10), ("bcsr", 2)):
            assert stats[layout]["places_scanned"] == stats[layout]["active"] * places
        # A relabelling looks at the lists of all vertices that it reaches, or at all arcs on each level.
        levels = sum(stats["csr"]["relabel_levels"])
        assert stats["csr"]["search_scanned"] == levels * arcs
        assert stats["rcsr"]["search_scanned"] < stats["csr"]["search_scanned"]


def test_only_bcsr_searches_for_back_edges():
    net = racy(5, 10, 2)
    for method in METHODS:
        probes = solve(net, method, threads=1).stats["back_edge_probes"]
        assert (probes > 0) == method.endswith("bcsr")


def test_tiles_by_degree_are_told_apart():
    # A vertex with two neighbours, one with ten and one with a hundred.
    arcs = [(0, 1, 9), (0, 2, 9), (0, 3, 9)]
    first = 4
    for vertex, leaves in ((1, 1), (2, 9), (3, 99)):
        arcs += [(vertex, first + k, 1) for k in range(leaves)]
        first += leaves
    arcs += [(leaf, first, 1) for leaf in range(4, first)]

    net = network(arcs, 0, first, first + 1)
    by_degree = solve(net, "tlpns-rcsr", threads=1, tile="degree").stats
    assert all(by_degree["tiles"])
    assert sum(by_degree["tiles"]) == by_degree["active"]
    fixed = solve(net, "tlpns-rcsr", threads=1, tile=8).stats
    assert fixed["tiles"] == [fixed["active"], 0, 0]


# ---- relabelling, the second phase, long lists ----


@pytest.mark.parametrize("method", ["lock-free-rcsr", "tlpns-bcsr"])
def test_intervals_follow_from_the_rule(method):
    net = racy(8, 10, 3)
    n = net.num_vertices
    stats = solve(net, method, threads=1, k=0.3).stats
    assert stats["relabel_interval"] == [
        max(1, math.ceil(0.3 * levels)) for levels in stats["relabel_levels"]
    ]
    assert stats["global_relabels"] > 2
    assert set(solve(net, method, relabel="vertices", k=0.5).stats["relabel_interval"]) == {math.ceil(n / 2)}
    assert set(solve(net, method, relabel="fix", k=7.0).stats["relabel_interval"]) == {7}


@pytest.mark.parametrize("method", METHODS)
def test_what_is_stranded_goes_back(method):
    n = 30
    f = solve(stranding(n), method, threads=1)
    assert f.value == 3
    assert f.stats["stranded"] == 1
    assert f.stats["second_cycles"] > 0
    assert f.stats["second_relabels"] >= 2
    assert f.cut.tolist() == [True] * (n // 2 + 1) + [False] * (n - n // 2)
    assert solve(chain(n), method, threads=1).stats["second_relabels"] == 0


@pytest.mark.parametrize("method", [m for m in METHODS if not m.endswith("-csr")])
def test_lists_longer_than_a_superstep_allows_are_resumed(method):
    net = hub(40_000)
    f = solve(net, method, threads=2)
    assert f.value == 1


def test_plain_csr_is_for_small_networks():
    limit = tlpns.CSR_LIMIT
    net = hub(limit)
    with pytest.raises(ValueError, match=rf"'tlpns-csr' .* at most {limit} arcs, but there are {limit + 2}"):
        solve(net, "tlpns-csr")
    A = np.ones((3, limit))
    with pytest.raises(ValueError, match="'flow-lock-free-rcsr' has lists of entering arcs"):
        konig.maximum_matching(A, method="flow-lock-free-csr")


# ---- the figures of the paper ----


@pytest.mark.parametrize("method", METHODS)
def test_the_profile(method):
    net = racy(10, 20, 4)
    f = solve(net, method, threads=2, profile=True)
    assert f.stats.keys() - solve(net, method, threads=2).stats.keys() == {"profile"}
    profile = f.stats["profile"]
    assert len(profile["workload"]) == f.stats["workers"] == 2
    workers = 2 * profile["measured"]
    assert 0 < profile["mhns"] < workers
    assert 0 < profile["bes"] < workers
    assert profile["mhns"] + profile["bes"] + profile["others"] == pytest.approx(workers)
    assert 0 < sum(profile["workload"]) <= workers * 1.01
    # The busiest worker of a cycle does at least its share and at most everything.
    places, moves = f.stats["places_scanned"], f.stats["pushes"] + f.stats["relabels"]
    assert places / 2 <= profile["critical_places"] <= places
    assert 0 < profile["critical_moves"] <= moves
    expected = (
        profile["per_place"] * profile["critical_places"]
        + profile["per_move"] * profile["critical_moves"]
        + profile["per_barrier"] * f.stats["cycles"] * (2 if method in TLPNS else 1)
    )
    assert profile["modelled"] == pytest.approx(expected)


def test_one_worker_is_the_busiest():
    f = solve(racy(6, 10, 8), "tlpns-rcsr", threads=1, profile=True)
    assert f.stats["profile"]["critical_places"] == f.stats["places_scanned"]
    assert f.stats["profile"]["critical_moves"] == f.stats["pushes"] + f.stats["relabels"]


# ---- manners ----


def test_bad_knobs_are_refused():
    net = chain(3)
    with pytest.raises(ValueError, match="degree, 1, 2, 4, 8, 16, 32"):
        solve(net, "tlpns-rcsr", tile=3)
    with pytest.raises(TypeError, match="no knob 'tile'"):
        solve(net, "lock-free-rcsr", tile=8)
    with pytest.raises(ValueError, match="at least 0"):
        solve(net, "tlpns-rcsr", k=-1.0)
    with pytest.raises(ValueError, match="adaptive, vertices, fix"):
        solve(net, "tlpns-rcsr", relabel="often")


def test_progress_is_reported():
    net = racy(300, 100, 1)
    report = Enough(2)

    with pytest.raises(EnoughError):
        solve(net, "tlpns-rcsr", threads=2, progress=report, relabel="fix", k=1.0)
    assert all(0 <= done <= total for done, total in report.seen)
    solve(chain(9), "tlpns-rcsr", threads=2)


INTERRUPTED = """
import sys, time
import numpy as np, konig
n = 400_000
tail, head = np.arange(n), np.arange(1, n + 1)
print("ready", flush=True)
try:
    konig.maximum_flow((tail, head, np.full(n, 5)), 0, n, method="tlpns-rcsr", **{options})
except KeyboardInterrupt:
    print(time.monotonic(), flush=True)
    f = konig.maximum_flow(([0, 1], [1, 2], [4, 3]), 0, 2, method="tlpns-rcsr", threads=4)
    print("usable" if f.value == 3 else f.value, flush=True)
"""


@pytest.mark.parametrize("options", [{"threads": 1}, {"threads": 4}, {"_team": "shuffled"}], ids=str)
def test_an_interrupt_ends_the_solve_and_leaves_the_process_usable(options):
    code = INTERRUPTED.replace("{options}", repr(options))
    assert seconds_to_stop(code, 0.5, after=1.0) < 0.5


def test_two_python_threads_can_solve_at_once():
    net = racy(8, 12, 4)
    expected = solve(net, "hl-pr").value
    methods = cycle(("lock-free-bcsr", "tlpns-rcsr"))
    assert set(by_two_threads(lambda: solve(net, next(methods), threads=2).value, 20)) == {expected}
