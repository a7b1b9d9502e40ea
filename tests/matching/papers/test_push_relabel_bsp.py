"""G-PR-First, G-PR-NoShr and G-PR-Shr on the CPU teams."""

import math

import numpy as np
import pytest
import scipy.sparse as sp
from around_a_solve import Enough, EnoughError, by_two_threads, seconds_to_stop
from cases.matrices import awkward_matrices, crowded, of_every_index_type, path
from team_cases import INTERRUPTED, TEAMS

import konig

METHODS = ["g-pr-first", "g-pr-noshr", "g-pr-shr"]
LISTED = ["g-pr-noshr", "g-pr-shr"]
RULES = [
    {},
    {"k": 0.0},
    {"k": 5.0, "gap": True},
    {"relabel": "fix", "k": 10.0},
    {"relabel": "fix", "k": 1e300, "gap": True},
    {"concurrent": True},
    {"concurrent": True, "gap": True, "relabel": "fix", "k": 1.0},
]
SERIES = ("relabel_levels", "relabel_interval", "active", "list_length")


def spaced(options):
    return "-".join(f"{name}={value}" for name, value in options.items()) or "defaults"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("team", TEAMS, ids=spaced)
def test_answers_carry_their_certificate(method, team):
    for name, A in awkward_matrices().items():
        for init in ("none", "sgm"):
            m = konig.maximum_matching(A, method=method, init=init, **team)
            m.verify(A)
            assert (m.device, m.method) == ("cpu", method), name
            assert m.stats["rescues"] == 0, name


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("rules", RULES, ids=spaced)
def test_all_rules(method, rules):
    for A in awkward_matrices().values():
        for team in ({"threads": 2}, {"_team": "shuffled", "seed": 4}):
            m = konig.maximum_matching(A, method=method, init="none", **rules, **team)
            m.verify(A)
            assert {len(m.stats[name]) for name in SERIES} == {m.stats["global_relabels"]}


@pytest.mark.parametrize("method", METHODS)
def test_all_index_types(method):
    A = crowded(120, 5)
    for B, ids in of_every_index_type(A):
        m = konig.maximum_matching(B, method=method, threads=2, gap=True, concurrent=True, k=0.1)
        m.verify(A)
        assert m.col_of_row.dtype == ids


@pytest.mark.parametrize("method", METHODS)
def test_two_hundred_races_end_the_same(method):
    A = crowded(400, 11)
    expected = konig.maximum_matching(A, method="hk").size
    conflicts = 0
    for turn in range(200):
        m = konig.maximum_matching(A, method=method, init="none", threads=4, concurrent=turn % 2 == 1)
        assert m.size == expected
        conflicts += m.stats["conflicts"]
    m.verify(A)
    if method != "g-pr-first":
        assert conflicts > 0  # or the instance has nothing to race for


def test_a_shuffled_solve_repeats_itself():
    A = crowded(150, 2)
    first, second = (
        konig.maximum_matching(A, method="g-pr-shr", init="none", _team="shuffled", seed=5) for _ in range(2)
    )
    assert np.array_equal(first.col_of_row, second.col_of_row)
    assert first.stats["launches"] == second.stats["launches"] > 1


@pytest.mark.parametrize("method", METHODS)
def test_warm_starts(method):
    A = crowded(300, 6)
    best = konig.maximum_matching(A)
    again = konig.maximum_matching(A, method=method, initial=best, threads=2)
    again.verify(A)
    again = konig.maximum_matching(A, method=method, init="none", initial=best, threads=2)
    assert np.array_equal(again.col_of_row, best.col_of_row)
    assert again.stats["pushes"] == 0
    short = best.col_of_row.copy()
    short[::7] = -1
    again = konig.maximum_matching(A, method=method, init="none", initial=short, threads=2)
    again.verify(A)
    assert again.size == best.size


@pytest.mark.parametrize("method", METHODS)
def test_one_long_path_is_pushed_down_step_by_step(method):
    n = 300
    A, initial = path(n)
    # Columns in reverse: g-pr-first pushes on in the same superstep where the next column is yet to come.
    A, initial = A[:, ::-1], np.where(initial < 0, -1, n - 1 - initial)
    m = konig.maximum_matching(A, method=method, init="none", initial=initial, threads=1)
    m.verify(A)
    assert m.stats["pushes"] == m.stats["iterations"] == n
    # The relabelling goes through all rows; the interval is longer than the path, so there is no other.
    assert list(m.stats["relabel_levels"]) == [2 * n]
    assert list(m.stats["relabel_interval"]) == [math.ceil(0.7 * 2 * n)]
    assert list(m.stats["active"]) == [1]
    # A start and n levels; n pushes and, with lists, n times the step before; one that finds nobody active;
    # the count of free rows and FIXMATCHING. With lists the first list takes a barrier more.
    supersteps = 1 + n + n + 1 + 2
    assert m.stats["supersteps"] == supersteps + (0 if method == "g-pr-first" else n + 1)


def test_lists_shrink_and_others_do_not():
    A = crowded(3000, 3)
    stats = {
        method: konig.maximum_matching(A, method=method, init="none", threads=2, k=0.1).stats
        for method in METHODS
    }
    assert set(stats["g-pr-first"]["list_length"]) == {3000}
    assert set(stats["g-pr-noshr"]["list_length"]) == {3000}
    lengths, active = stats["g-pr-shr"]["list_length"], stats["g-pr-shr"]["active"]
    assert lengths[0] == active[0] == 3000
    assert lengths[-1] < 512
    for before, length, columns in zip(lengths, lengths[1:], active[1:], strict=False):
        assert length == (columns if before >= 512 else before)
    assert max(stats["g-pr-noshr"]["active"][1:]) < 3000


def test_only_the_first_kernel_is_one_superstep_an_iteration():
    A = crowded(2000, 8)
    options = {"init": "none", "relabel": "fix", "k": 1e9, "threads": 1}
    stats = {method: konig.maximum_matching(A, method=method, **options).stats for method in METHODS}
    # Every superstep is an iteration, a level of one of the two relabellings, or one of a handful of others.
    levels = {method: sum(stats[method]["relabel_levels"]) // 2 for method in METHODS}
    assert (
        0 <= stats["g-pr-first"]["supersteps"] - stats["g-pr-first"]["iterations"] - levels["g-pr-first"] <= 6
    )
    for method in LISTED:
        assert stats[method]["supersteps"] >= 2 * stats[method]["iterations"] + levels[method]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("k", [0.1, 0.3, 0.7, 1.5])
@pytest.mark.parametrize("concurrent", [False, True])
def test_the_adaptive_interval_is_k_times_the_levels(method, k, concurrent):
    A = crowded(1000, 4)
    m = konig.maximum_matching(A, method=method, init="none", k=k, concurrent=concurrent, threads=1)
    assert m.stats["global_relabels"] > 1
    expected = [max(1, math.ceil(k * levels)) for levels in m.stats["relabel_levels"]]
    assert list(m.stats["relabel_interval"]) == expected


@pytest.mark.parametrize("method", METHODS)
def test_the_fixed_interval_is_fixed_and_kept(method):
    A = crowded(1000, 4)
    for k, interval in ((0.2, 1), (3.0, 3), (9.5, 10)):
        m = konig.maximum_matching(A, method=method, init="none", relabel="fix", k=k, threads=1)
        assert set(m.stats["relabel_interval"]) == {interval}
        # One at iteration 0, one every interval, and one or two to prove the answer.
        regular = -(-m.stats["iterations"] // interval)
        assert regular <= m.stats["global_relabels"] <= regular + 2


@pytest.mark.parametrize("method", METHODS)
def test_gaps_retire_rows_before_their_labels_have_climbed(method):
    # Rows of a block that has too few of them climb together; without gaps they have to climb to the limit.
    A = sp.block_diag([np.ones((20, 40)), np.eye(300), np.ones((2, 1))], format="csc")
    options = {"method": method, "init": "none", "relabel": "fix", "k": 1e6, "threads": 1}
    plain = konig.maximum_matching(A, **options)
    gap = konig.maximum_matching(A, gap=True, **options)
    plain.verify(A)
    gap.verify(A)
    assert plain.stats["gap_relabels"] == 0
    assert gap.stats["gap_relabels"] > 0
    assert gap.stats["pushes"] < plain.stats["pushes"] / 2


@pytest.mark.parametrize("method", METHODS)
def test_relabelling_beside_pushes_saves_supersteps(method):
    # A relabelling in every iteration: apart from the pushes its levels are supersteps of their own.
    A = crowded(1000, 4)
    options = {"method": method, "init": "none", "relabel": "fix", "k": 1.0, "threads": 1}
    apart = konig.maximum_matching(A, **options)
    beside = konig.maximum_matching(A, concurrent=True, **options)
    beside.verify(A)
    assert beside.stats["global_relabels"] > 2
    assert beside.stats["supersteps"] < apart.stats["supersteps"]
    # More than half of the levels cost no superstep: so many supersteps are not there.
    levels = sum(beside.stats["relabel_levels"]) // 2
    loop = beside.stats["iterations"] * (1 if method == "g-pr-first" else 2)
    assert beside.stats["supersteps"] < loop + levels / 2 + 20


def test_columns_out_of_reach_retire_and_stay():
    A = sp.csc_array(np.ones((3, 9)))
    for method in METHODS:
        m = konig.maximum_matching(A, method=method, threads=1)
        assert m.size == 3
        assert m.stats["global_relabels"] == 0  # no row is free: nothing to relabel, nobody to retire
        m = konig.maximum_matching(sp.block_diag([A, np.ones((2, 1))]), method=method, threads=1)
        assert m.size == 4
        assert m.stats["retired"] == 6
        assert m.stats["revived"] == 0


@pytest.mark.parametrize("method", METHODS)
def test_lists_longer_than_a_superstep_allows_are_resumed(method):
    # One column next to all rows, all but the last of which are taken and lead nowhere; and one row next to
    # many columns.
    n = 100_000  # three times the limit of a scan and a bit
    rows = np.r_[np.arange(n), np.arange(n - 1), np.full(n, n)]
    cols = np.r_[np.zeros(n, int), np.arange(1, n), np.arange(n, 2 * n)]
    A = sp.coo_array((np.ones(len(rows)), (rows, cols)), shape=(n + 1, 2 * n)).tocsc()
    initial = np.r_[np.arange(1, n), -1, -1]
    m = konig.maximum_matching(A, method=method, init="none", initial=initial, threads=2)
    m.verify(A)
    assert m.size == n + 1
    # Without the row of many columns: only the push of the column that sees all rows is cut, in four parts.
    short = konig.maximum_matching(A[:, :n], method=method, init="none", initial=initial, threads=2)
    assert short.size == n
    assert short.stats["pushes"] == 1
    assert short.stats["edges_scanned"] >= n
    assert list(short.stats["relabel_levels"]) == [2]
    # Two to relabel, four to push, one that finds nobody active, two to end; and two to make a list.
    assert short.stats["supersteps"] == (9 if method == "g-pr-first" else 11)


def test_counters_can_be_left_out():
    A = crowded(60, 1)
    m = konig.maximum_matching(A, method="g-pr-shr", counters=False, threads=2)
    m.verify(A)
    assert not {"edges_scanned", "pushes", "conflicts", "retired"} & m.stats.keys()


def test_bad_knobs_are_refused():
    A = np.eye(2)
    with pytest.raises(ValueError, match="adaptive, fix"):
        konig.maximum_matching(A, method="g-pr-shr", relabel="often")
    with pytest.raises(ValueError, match="at least 0"):
        konig.maximum_matching(A, method="g-pr-shr", k=-1.0)
    with pytest.raises(ValueError, match="at least 0"):
        konig.maximum_matching(A, method="g-pr-shr", k=float("nan"))


def test_progress_is_reported():
    A, initial = path(20_000)
    report = Enough(3)

    with pytest.raises(EnoughError):
        konig.maximum_matching(
            A, method="g-pr-first", init="none", initial=initial, threads=2, progress=report
        )
    assert report.seen[-1] == (19_999, 20_000)
    konig.maximum_matching(np.eye(3), method="g-pr-first", threads=2).verify(np.eye(3))


@pytest.mark.parametrize("options", [{"threads": 1}, {"threads": 4}, {"_team": "shuffled"}], ids=str)
def test_an_interrupt_ends_the_solve_and_leaves_the_process_usable(options):
    code = INTERRUPTED.replace("{options}", repr(options)).replace("{method}", "g-pr-shr")
    assert seconds_to_stop(code, 0.5) < 0.5


def test_two_python_threads_can_solve_at_once():
    A = crowded(300, 4)
    expected = konig.maximum_matching(A, method="hk").size
    options = {"method": "g-pr-shr", "init": "none", "threads": 2}
    assert set(by_two_threads(lambda: konig.maximum_matching(A, **options).size, 20)) == {expected}
