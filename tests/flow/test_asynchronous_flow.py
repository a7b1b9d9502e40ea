"""Asynchronous push-relabel on the CPU teams: its answers, its counts, the waves that end it."""

import numpy as np
import pytest
from around_a_solve import Enough, EnoughError, seconds_to_stop
from cases.networks import BIG, awkward_networks, chain, hub, network, racy, random_network, stranding
from team_cases import CALM_TEAMS

import konig
from konig.lab.generators import generate


def solve(net, undirected=False, **options):
    options = {"method": "async-pr", "num_vertices": net.num_vertices, "undirected": undirected, **options}
    f = konig.maximum_flow(net.arcs, net.source, net.sink, **options)
    f.verify(net.arcs, net.source, net.sink)
    return f


@pytest.mark.parametrize("team", CALM_TEAMS, ids=str)
@pytest.mark.parametrize("undirected", [False, True])
def test_answers_carry_their_certificate(team, undirected):
    rng = np.random.default_rng(61)
    for net in [*awkward_networks().values(), *(random_network(rng) for _ in range(80))]:
        if undirected and (net.capacity > BIG // 4).any():
            continue  # their value may be above 2**62
        f = solve(net, undirected, **team)
        assert (f.device, f.method) == ("cpu", "async-pr")
        assert f.stats["handed_over"] == 0


@pytest.mark.parametrize(
    ("family", "params"),
    [
        ("washington_rlg", {"width": 40, "levels": 50}),
        ("genrmf", {"a": 6, "b": 20}),
        ("rmat_flow", {"scale": 9}),
        ("vision_blobs", {"height": 40, "blobs": 5}),
    ],
)
def test_generated_networks(family, params):
    net = generate(family, seed=3, **params)
    expected = solve(net, method="hl-pr")
    for team in ({"threads": 1}, {"threads": 2}, {"_team": "shuffled", "seed": 4}):
        assert solve(net, **team).value == expected.value


def test_the_cut_is_the_same_whatever_the_workers_do():
    rng = np.random.default_rng(62)
    for case in range(40):
        net = random_network(rng)
        cuts = [solve(net, method="sync-pr", threads=1).cut]
        cuts += [solve(net, threads=2).cut, solve(net, _team="shuffled", seed=case).cut]
        assert all(np.array_equal(cuts[0], cut) for cut in cuts[1:])


@pytest.mark.parametrize("undirected", [False, True])
def test_warm_starts(undirected):
    rng = np.random.default_rng(63)
    for _ in range(60):
        net = random_network(rng)
        f = solve(net, undirected, threads=2)
        again = solve(net, undirected, initial=f, threads=2)
        assert again.value == again.stats["start_value"] == f.value


def test_two_hundred_races_end_the_same():
    net = racy(4, 12, 5)
    expected = solve(net, method="hl-pr").value
    for _ in range(200):
        assert solve(net, threads=4).value == expected


def test_a_shuffled_solve_repeats_itself():
    net = racy(6, 20, 2)
    first, again, other = (solve(net, _team="shuffled", seed=seed).stats["visits"] for seed in (5, 5, 6))
    assert first == again != other


def test_sums_beyond_32_bits_are_exact():
    for capacity in (2**20, 2**31 - 1, 2**40, BIG // 4, BIG):
        arcs = [(0, 1, capacity), (1, 2, capacity), (2, 1, capacity), (2, 3, capacity)]
        assert solve(network(arcs, 0, 3, 4)).value == capacity


def test_what_takes_too_many_waves_is_left_to_supersteps():
    left = 0
    for case, net in enumerate([racy(20, 30, 1), stranding(60), chain(30)]):
        expected = solve(net, method="hl-pr").value
        for waves in (1, 2, 4):
            for team in ({"threads": 2}, {"_team": "shuffled", "seed": case}):
                f = solve(net, waves=waves, **team)
                assert f.value == expected
                assert f.stats["waves"] <= waves + 1  # the one for the cut
                assert ("push_steps" in f.stats) == bool(f.stats["handed_over"])
                left += f.stats["handed_over"]
    assert left > 10


# ---- what tells it from the other methods ----


def test_there_are_no_supersteps():
    # In supersteps what is pushed moves by one vertex; here by many before all meet.
    n = 200
    stats = solve(chain(n), threads=1).stats
    assert stats["supersteps"] < n // 4
    assert stats["pushes"] == n - 2  # the arcs of the terminals have no slots
    assert "push_steps" not in stats
    assert solve(chain(n), method="sync-pr", threads=1, k=9.0).stats["push_steps"] == n - 1


def test_what_is_stranded_goes_back_while_the_rest_goes_on():
    n = 30
    f = solve(stranding(n), threads=1)
    assert f.value == 3
    assert f.stats["stranded"] >= 1
    assert f.cut.tolist() == [True] * (n // 2 + 1) + [False] * (n - n // 2)
    assert solve(chain(n), threads=1).stats["stranded"] == 0


def test_the_way_back_may_be_longer_than_any_to_the_sink():
    n = 600
    arcs = [(v, v + 1, 7 if v < n - 1 else 0) for v in range(n)]
    f = solve(network(arcs, 0, n, n + 1), threads=2)
    assert f.value == 0
    assert f.stats["handed_over"] == 0
    assert f.stats["waves"] < 30


def test_each_wave_that_finds_something_is_followed_by_another():
    assert solve(chain(20), threads=1).stats["waves"] == 3  # labels, the rest, the cut
    assert solve(racy(20, 30, 1), threads=2).stats["waves"] > 3


def test_long_lists():
    assert solve(hub(3000), threads=2).value == 1


# ---- manners ----


def test_bad_knobs_are_refused():
    for knobs, message in (
        ({"stretch": 0.5}, "at least 1"),
        ({"blocks": -1}, "at least 0"),
        ({"waves": 0}, "at least 1"),
        ({"_team": "nobody"}, "threads"),
    ):
        with pytest.raises(ValueError, match=message):
            solve(chain(3), **knobs)


def test_progress_is_reported():
    report = Enough(2)
    with pytest.raises(EnoughError):
        solve(racy(300, 200, 1), threads=2, progress=report)
    assert all(0 <= done <= total for done, total in report.seen)


def test_progress_never_falls_when_supersteps_go_on():
    seen = []
    f = solve(racy(120, 200, 1), threads=2, waves=3, progress=lambda done, total: seen.append(done))
    assert f.stats["handed_over"] == 1
    assert seen == sorted(seen)
    assert all(done <= f.value for done in seen)


INTERRUPTED = """
import time
import numpy as np, konig
n = 2000  # every vertex has as many neighbours
tail, head = np.nonzero(~np.eye(n, dtype=bool))
arcs = tail, head, (tail * 7 + head * 13) % 97
print("ready", flush=True)
try:
    while True:
        konig.maximum_flow(arcs, 0, n - 1, method="async-pr")
except KeyboardInterrupt:
    print(time.monotonic(), flush=True)
    f = konig.maximum_flow(([0, 1], [1, 2], [4, 3]), 0, 2, method="async-pr")
    print("usable" if f.value == 3 else f.value, flush=True)
"""


def test_an_interrupt_ends_the_solve_and_leaves_the_process_usable():
    assert seconds_to_stop(INTERRUPTED, 0.5, after=1.5) < 0.5
