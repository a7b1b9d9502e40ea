"""hungarian-classical and hungarian-tree on every CPU team, and what tells the two apart."""

import numpy as np
import pytest
from around_a_solve import seconds_to_stop
from cases.costs import DTYPES, awkward_costs, machol_wien
from cases.data import read_costs, real_costs
from team_cases import CALM_TEAMS, TEAMS

import konig
from konig.assignment import team
from konig.assignment.integers import VALUE_BITS, real_values
from konig.assignment.proof import check_hall_violator, dense_blocks
from konig.results import added_stats

CLASSICAL, TREE = "hungarian-classical", "hungarian-tree"
METHODS = [CLASSICAL, TREE]
REAL = real_costs()


def solve(C, method, **options):
    a = konig.linear_assignment(C, method=method, **options)
    a.verify(C)
    assert a.method == method
    assert a.device == "cpu"
    return a


def uniform(n, top, seed=1, dtype=np.int32):
    return np.random.default_rng(seed).integers(0, top, (n, n)).astype(dtype)


def random_costs(count, seed):
    """Ties, rectangles both ways, forbidden pairs, all types, both signs."""
    rng = np.random.default_rng(seed)
    for trial in range(count):
        dtype = np.dtype(DTYPES[trial % 4])
        shape = rng.integers(1, 30, 2) if trial % 3 else (rng.integers(1, 30),) * 2
        top = int(rng.choice([1, 2, 10, 1000, 10**6]))
        C = rng.integers(-top, top + 1, shape).astype(dtype)
        if dtype.kind == "f" and rng.random() < 0.5:
            C += rng.random(shape).astype(dtype)
        maximize = bool(rng.random() < 0.5)
        if dtype.kind == "f" and rng.random() < 0.5:
            C[rng.random(shape) < rng.random()] = -np.inf if maximize else np.inf
        yield C, maximize


@pytest.mark.parametrize("team", CALM_TEAMS, ids=str)
@pytest.mark.parametrize("method", METHODS)
def test_random_costs_on_every_team(method, team):
    infeasible = 0
    for C, maximize in random_costs(200, seed=3):
        try:
            solve(C, method, maximize=maximize, **team)
        except konig.InfeasibleError as error:
            infeasible += 1
            check_hall_violator(dense_blocks(C), C.shape, error.rows, error.cols)
    assert 5 < infeasible < 100


@pytest.mark.parametrize("team", CALM_TEAMS, ids=str)
@pytest.mark.parametrize("method", METHODS)
def test_awkward_costs_on_every_team(method, team):
    for name, C in awkward_costs():
        assert solve(C, method, **team).size == min(C.shape), name


@pytest.mark.skipif(not REAL, reason="the stored instances are not here")
@pytest.mark.parametrize("team", [TEAMS[0], TEAMS[1], TEAMS[3]], ids=str)
@pytest.mark.parametrize("method", METHODS)
def test_real_instances_on_every_team(method, team):
    for name, path, optimum in REAL:
        C = read_costs(path)
        assert solve(C.astype(np.int64), method, **team).cost == optimum, name
        assert solve(C, method, **team).cost == optimum, name


@pytest.mark.parametrize("method", METHODS)
def test_a_hundred_races_end_the_same(method):
    C = uniform(60, 20)
    assert len({solve(C, method, threads=4).cost for _ in range(100)}) == 1


@pytest.mark.parametrize("method", METHODS)
def test_one_worker_gives_the_same_answer_again(method):
    C = uniform(120, 100)
    first, second = solve(C, method, threads=1), solve(C, method, threads=1)
    np.testing.assert_array_equal(first.col_ind, second.col_ind)
    np.testing.assert_array_equal(first.col_dual, second.col_dual)


def test_duals_do_not_depend_on_who_comes_first():
    # What is reached before an update is what every largest assignment on zero slacks leaves within reach.
    rng = np.random.default_rng(4)
    for C in (uniform(90, 40), uniform(90, 900), rng.integers(0, 50, (40, 70)), rng.random((60, 60))):
        answers = [solve(C, method, **team) for method in METHODS for team in TEAMS]
        for a in answers[1:]:
            np.testing.assert_array_equal(a.col_dual, answers[0].col_dual)
            assert a.cost == pytest.approx(answers[0].cost, rel=1e-12)


# ---- counters ----


@pytest.mark.parametrize("team", TEAMS, ids=str)
@pytest.mark.parametrize("method", METHODS)
def test_assignments_add_up(method, team):
    for top in (10, 100, 10**6):
        C = uniform(150, top)
        stats = solve(C, method, **team).stats
        assert len(stats["assignments"]) == stats["iterations"]
        assert min(stats["assignments"], default=1) >= 1
        assert stats["greedy_assignments"] + sum(stats["assignments"]) == 150
        assert stats["greedy_assignments"] <= stats["initial_assignments"] <= 150
        assert (stats["initial_assignments"] == 150) == (stats["dual_updates"] == 0)


def test_the_initial_assignment_is_a_largest_one_on_zero_slacks():
    C = uniform(200, 200)
    slack = C - C.min(axis=1, keepdims=True)
    slack = slack - slack.min(axis=0)
    largest = konig.structural_rank(slack == 0)
    for method in METHODS:
        assert solve(C, method).stats["initial_assignments"] == largest


def test_both_variants_make_the_same_dual_updates():
    # They reach the same rows and columns before each update, whatever path they take there.
    for C in (uniform(120, 120), uniform(120, 1200), np.random.default_rng(2).random((100, 100))):
        counts = {solve(C, method, threads=1).stats["dual_updates"] for method in METHODS}
        assert len(counts) == 1


def test_only_the_classical_variant_compresses_and_only_after_an_update():
    C = uniform(150, 1500)
    stats = solve(C, CLASSICAL).stats
    assert stats["compressions"] == stats["dual_updates"] + 1
    assert stats["iterations"] > 1
    assert stats["edges_scanned"] > 0
    assert 150 <= stats["zero_edges"] < 150 * 150
    tree = solve(C, TREE).stats
    assert not {"compressions", "edges_scanned", "zero_edges"} & set(tree)


def test_the_tree_variant_reads_only_the_rows_it_reaches():
    # Classical: two reductions, a compression after each update, and the part that bounds theta.
    C = uniform(150, 10**6)
    n = C.size
    classical, tree = solve(C, CLASSICAL, threads=1).stats, solve(C, TREE, threads=1).stats
    updates = classical["dual_updates"]
    assert updates > 50
    assert classical["entries_read"] >= 2 * n + (updates + 1) * n
    assert tree["entries_read"] % 150 == 0
    assert tree["entries_read"] < 2 * n + (tree["iterations"] + 1) * n
    assert 3 * tree["entries_read"] < classical["entries_read"]


def test_without_an_update_the_classical_variant_reads_the_matrix_three_times():
    C = np.zeros((80, 80), np.int32)
    stats = solve(C, CLASSICAL, threads=1).stats
    assert stats["entries_read"] == 2 * C.size  # the greedy start finds everything
    assert stats["greedy_assignments"] == 80
    # One path through everything: the greedy start gives row i column i, and the last row wants column 0.
    C = np.ones((80, 80), np.int32)
    C[np.arange(79), np.arange(79)] = C[np.arange(79), np.arange(1, 80)] = C[79, 0] = 0
    stats = solve(C, CLASSICAL, threads=1).stats
    assert stats["entries_read"] == 3 * C.size
    assert stats["compressions"] == 1
    assert stats["zero_edges"] == 159
    assert stats["path_edges"] == 80
    assert stats["assignments"] == [1]


def test_room_for_edges_is_made_when_it_is_needed():
    # The first half takes the columns that the second half needs.
    C = np.zeros((90, 90), np.int64)
    C[45:, 45:] = 1
    stats = solve(C, CLASSICAL, threads=1).stats
    assert stats["greedy_assignments"] == 45
    assert stats["zero_edges"] == 90 * 90 - 45 * 45
    assert stats["launches"] > 1


def test_seconds_are_named_after_the_stages():
    C = uniform(150, 1500)
    shared = {"convert", "reduction", "greedy_start", "optimality_check", "forward_pass", "main"}
    shared |= {"reverse_pass", "augmentation", "dual_update"}
    for method, more in ((CLASSICAL, {"compression"}), (TREE, set())):
        seconds = solve(C, method).stats["seconds"]
        assert set(seconds) == shared | more
        stages = sum(seconds.values()) - seconds["main"] - seconds["convert"]
        assert 0 < stages <= seconds["main"]


# ---- options ----


@pytest.mark.parametrize("method", METHODS)
def test_a_warm_start_from_the_answers_duals_needs_no_update(method):
    for C in (uniform(90, 1000), uniform(90, 1000).astype(float) / 7, machol_wien(40)):
        for maximize in (False, True):
            a = solve(C, method, maximize=maximize)
            again = solve(C, method, maximize=maximize, initial=a)
            assert a.stats["dual_updates"] > 0
            if C.dtype.kind == "i":
                assert again.stats["dual_updates"] == 0
            else:
                assert again.stats["dual_updates"] < a.stats["dual_updates"]
            assert again.cost == a.cost


@pytest.mark.parametrize("method", METHODS)
def test_any_duals_are_a_warm_start(method):
    rng = np.random.default_rng(8)
    for scale in (1.0, 1e6, 1e18):
        for C in (uniform(30, 50), rng.random((30, 30)), rng.random((20, 30)), rng.integers(0, 9, (30, 20))):
            duals = tuple(scale * rng.normal(size=extent) for extent in C.shape)
            solve(C, method, initial=duals)


@pytest.mark.parametrize("method", METHODS)
def test_progress_is_reported(method):
    seen = []
    konig.linear_assignment(
        np.random.default_rng(1).random((400, 400)),
        method=method,
        threads=1,
        progress=lambda *s: seen.append(s),
    )
    assert all(0 <= done <= total <= 400 for done, total in seen)


def test_knobs_and_devices_are_checked():
    C = np.eye(3)
    with pytest.raises(TypeError, match="its knobs are: none"):
        konig.linear_assignment(C, method=TREE, relabel=1)
    with pytest.raises(ValueError, match="one of threads, shuffled"):
        konig.linear_assignment(C, method=TREE, _team="one")


def agrees_with_auto(C, method, maximize):
    """Whether there is an answer: where the duals do not fit, both say so."""
    try:
        a = solve(C, method, maximize=maximize)
    except OverflowError as error:
        assert "the duals of this assignment problem do not fit" in str(error)  # noqa: PT017
        with pytest.raises(OverflowError):
            konig.linear_assignment(C, maximize=maximize)
        return False
    assert a.cost == konig.linear_assignment(C, maximize=maximize).cost
    return True


@pytest.mark.parametrize("method", METHODS)
def test_squares_of_integers_far_apart_are_exact(method):
    rng, solved = np.random.default_rng(8), 0
    for trial in range(60):
        n = int(rng.integers(1, 40))
        bits = int(rng.integers(50, 63))
        C = rng.integers(-(2**bits), 2**bits, (n, n))
        C[rng.random((n, n)) < 0.3] //= 2 ** int(rng.integers(1, bits))
        if trial % 3 == 0:
            C = np.sort(C, axis=1)
        solved += agrees_with_auto(C, method, bool(trial % 2))
    assert solved > 30  # the others have duals that fit nowhere
    wide = np.array([[0, 2**62], [1, 2]])
    assert solve(wide, method).cost == 2
    assert solve(wide, method, maximize=True).cost == 2**62 + 1


@pytest.mark.parametrize("method", [*METHODS, "core-paths"])
@pytest.mark.parametrize("transposed", [False, True])
def test_duals_that_fit_are_found_where_others_do_not(method, transposed):
    top = 2**63 - 2
    C = np.array(
        [[1, top, 0, -top, -top], [0, 0, top, 1, 0], [top, 1, 0, 0, 0], [0, 1, 0, -top, -top]], np.int64
    )
    C = C.T.copy() if transposed else C
    assert solve(C, method, maximize=True).cost == 2 * top + 1
    assert solve(-C, method).cost == -(2 * top + 1)


@pytest.mark.parametrize("method", METHODS)
def test_rectangles_of_integers_far_apart_are_exact(method):
    rng, solved = np.random.default_rng(9), 0
    for trial in range(60):
        rows, cols = (int(side) for side in rng.integers(1, 30, 2))
        bits = int(rng.integers(50, 63))
        C = rng.integers(-(2**bits), 2**bits, (rows, cols))
        C[rng.random((rows, cols)) < 0.3] //= 2 ** int(rng.integers(1, bits))
        if trial % 3 == 0:
            C = np.sort(C, axis=1)
        if trial % 5 == 0:  # most rows want the same columns, which then have large duals
            C[:, : max(1, cols // 3)] -= 2 ** (bits - 1)
        solved += agrees_with_auto(C, method, bool(trial % 2))
    assert solved > 30  # the others have duals that fit nowhere
    C = np.array([[0, 2**62, 3], [1, 2, 4]])
    assert solve(C, method).cost == 2
    assert solve(C.T, method, maximize=True).cost == 2**62 + 4


INTERRUPTED = """
import time
import numpy as np, konig
C = np.random.default_rng(0).random((4000, 4000))
print("ready", flush=True)
try:
    konig.linear_assignment(C, method="{method}", threads=2)
except KeyboardInterrupt:
    print(time.monotonic(), flush=True)
    konig.linear_assignment(C[:50, :50], method="{method}").verify(C[:50, :50])
    print("usable", flush=True)
"""


@pytest.mark.parametrize("method", METHODS)
def test_an_interrupt_ends_the_solve_and_leaves_the_process_usable(method):
    code = INTERRUPTED.replace("{method}", method)
    assert seconds_to_stop(code, 0.5, after=1.0, patience=60) < 0.5


# ---- whole numbers for costs ----


RANGES = ((0.0, 1.0), (-1.0, 1.0), (1e15, 1e15 + 7), (-1.7e308, 1.7e308), (0.0, 5e-324))


def test_values_use_the_bits_that_sums_leave_over():
    for rows in (1, 2, 3, 1000, 40_000):
        for least, greatest in RANGES:
            for maximize in (False, True):
                values = real_values(least, greatest, rows, maximize)
                ends = [(x - values.base) * values.first * values.second for x in (least, greatest)]
                spread = abs(ends[1] - ends[0])
                assert spread * (2 * rows + 4) < 2.0**VALUE_BITS
                assert max(abs(end) for end in ends) * (2 * rows + 4) < 2.0**VALUE_BITS
                unit = 1 / abs(values.first) / values.second
                assert unit <= max(1, rows / 8) * np.spacing(max(abs(least), abs(greatest))) or unit == 5e-324


def test_integers_that_could_overflow_are_refused():
    C = np.zeros((2, 3), np.int64)
    team.require_close(C, (-5, 10))
    team.require_close(C, (0, 2**55))
    team.require_close(C.astype(float), (0, 2**56))
    with pytest.raises(OverflowError, match="64 bits"):
        team.require_close(C, (0, 2**56))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_a_warm_start_on_a_rectangle(method, dtype):
    rng = np.random.default_rng(12)
    less = 0
    for trial in range(40):
        shape = rng.integers(1, 30, 2)
        C = (rng.random(shape) * 1000).astype(dtype)
        maximize = bool(trial % 2)
        cold = solve(C, method, maximize=maximize)
        same = solve(C, method, maximize=maximize, initial=cold)
        assert same.cost == cold.cost
        less += same.stats["dual_updates"] < cold.stats["dual_updates"]
        wild = tuple(rng.normal(size=extent) * 500 for extent in shape)
        assert solve(C, method, maximize=maximize, initial=wild).cost == pytest.approx(cold.cost)
        near = C + rng.integers(0, 5, shape).astype(dtype)
        assert solve(near, method, maximize=maximize, initial=cold).cost == pytest.approx(
            solve(near, method, maximize=maximize).cost
        )
    assert less > 10


def test_a_rectangle_may_have_to_start_from_nothing(monkeypatch):
    monkeypatch.setattr(team, "MOST_STARTS", 1)
    C = np.array([[5, 1, 9, 2], [4, 1, 7, 3]])
    solve(C, TREE, initial=(np.zeros(2, int), np.array([-50, -60, -70, -80])))


def test_the_counts_of_two_solves_add_up_and_words_stay():
    first = {"phases": 2, "workers": 3, "headers": "abc", "seconds": {"main": 1.0}, "series": [4]}
    second = {
        "phases": 5,
        "workers": 3,
        "headers": "abc",
        "seconds": {"main": 0.5},
        "series": [6],
        "paths": 1,
    }
    assert added_stats(first, second) == {
        "phases": 7,
        "workers": 3,
        "headers": "abc",
        "seconds": {"main": 1.5},
        "series": [4, 6],
        "paths": 1,
    }


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("method", ["hungarian-tree", "hungarian-classical", "core-paths"])
def test_initial_duals_beyond_the_unit_of_the_costs_are_cut(method):
    C = np.array([[1.0, 2.0], [3.0, 4.0]])
    answer = konig.linear_assignment(C, method=method, device="cpu", initial=([0, 0], [1e300, 0]))
    assert answer.cost == 5
    answer.verify(C)
