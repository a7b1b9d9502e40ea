"""core-paths on every CPU team, and what its counters promise."""

import numpy as np
import pytest
from around_a_solve import seconds_to_stop
from assignment.test_hungarian import INTERRUPTED, random_costs, uniform
from cases.costs import awkward_costs, machol_wien
from cases.data import read_costs, real_costs
from team_cases import CALM_TEAMS, TEAMS

import konig
from konig.assignment import team
from konig.assignment.proof import check_hall_violator, dense_blocks

METHOD = "core-paths"
REAL = real_costs()


def solve(C, **options):
    a = konig.linear_assignment(C, method=METHOD, **options)
    a.verify(C)
    assert (a.method, a.device) == (METHOD, "cpu")
    assert a.stats.get("stalled", 0) == 0
    return a


def euclidean(n, m, seed=1):
    rng = np.random.default_rng(seed)
    return np.linalg.norm(rng.random((n, 1, 2)) - rng.random((1, m, 2)), axis=2)


@pytest.mark.parametrize("team", CALM_TEAMS, ids=str)
def test_random_costs_on_every_team(team):
    infeasible = 0
    for C, maximize in random_costs(250, seed=3):
        try:
            solve(C, maximize=maximize, **team)
        except konig.InfeasibleError as error:
            infeasible += 1
            check_hall_violator(dense_blocks(C), C.shape, error.rows, error.cols)
    assert 5 < infeasible < 100


@pytest.mark.parametrize("team", CALM_TEAMS, ids=str)
def test_awkward_costs_on_every_team(team):
    for name, C in awkward_costs():
        if name != "both ends of 62 bits":
            assert solve(C, **team).size == min(C.shape), name


@pytest.mark.skipif(not REAL, reason="the stored instances are not here")
@pytest.mark.parametrize("team", [TEAMS[0], TEAMS[1], TEAMS[3]], ids=str)
def test_real_instances_on_every_team(team):
    for name, path, optimum in REAL:
        C = read_costs(path)
        assert solve(C.astype(np.int64), **team).cost == optimum, name
        assert solve(C, **team).cost == optimum, name


@pytest.mark.parametrize("team", [TEAMS[0], TEAMS[1], TEAMS[3]], ids=str)
def test_costs_that_are_larger_than_a_core(team):
    rng = np.random.default_rng(6)
    for C in (
        uniform(300, 30),
        uniform(300, 300),
        uniform(300, 10**6, dtype=np.int64),
        rng.random((400, 400), np.float32),
        rng.random((250, 300)),
        rng.random((300, 120), np.float32),
        euclidean(300, 300),
        euclidean(280, 300),
        np.where(rng.random((300, 300)) < 0.02, 1, 1000),
        np.where(rng.random((300, 300)) < 0.05, rng.random((300, 300)), np.inf) + np.diag(np.zeros(300)),
        rng.integers(0, 100, (300, 1)) + rng.integers(0, 10**6, (1, 300)) + rng.integers(0, 9, (300, 300)),
    ):
        cost = konig.linear_assignment(C, method="jv").cost
        assert solve(C, **team).cost == pytest.approx(cost, rel=1e-12)


def test_costs_that_all_rows_rank_alike_start_from_a_coarser_scale():
    C = machol_wien(120).astype(float)
    C[0, -1] = np.inf  # without a forbidden pair duals by order or of a sample come first
    a = solve(C, threads=1)
    assert a.cost == konig.linear_assignment(C, method="auction").cost
    assert a.stats["coarser_starts"] > 0
    assert solve(uniform(200, 200)).stats["coarser_starts"] == 0


def test_a_row_that_reaches_no_free_column_gets_more_columns():
    # All rows of the first half have their small costs in the same few columns.
    rng = np.random.default_rng(2)
    C = rng.integers(100, 200, (200, 260)).astype(float)
    C[:100, :40] = rng.integers(0, 10, (100, 40))
    C[0, -1] = np.inf  # without a forbidden pair it would start from a square
    stats = solve(C, threads=1).stats
    assert stats["extensions"] + stats["coarser_starts"] > 0


def test_a_violator_of_the_core_alone_is_not_taken_for_one_of_the_matrix():
    # Rows 0..59 have finite costs in 59 columns only, and 100 other rows have all.
    rng = np.random.default_rng(4)
    C = rng.random((160, 160))
    C[:60, 59:] = np.inf
    with pytest.raises(konig.InfeasibleError) as refused:
        konig.linear_assignment(C, method=METHOD)
    check_hall_violator(dense_blocks(C), C.shape, refused.value.rows, refused.value.cols)
    C[0, 159] = 1e6
    solve(C)


@pytest.mark.parametrize("threads", [2, pytest.param(4, marks=pytest.mark.long)])
def test_two_hundred_races_end_the_same(threads):
    C = uniform(150, 60)
    assert len({solve(C, threads=threads).cost for _ in range(200)}) == 1


def test_one_worker_gives_the_same_answer_again():
    C = uniform(220, 100)
    first, second = solve(C, threads=1), solve(C, threads=1)
    np.testing.assert_array_equal(first.col_ind, second.col_ind)
    np.testing.assert_array_equal(first.col_dual, second.col_dual)


# ---- counters ----


def test_the_core_is_a_small_part_and_prices_complete_it():
    C = np.random.default_rng(1).random((700, 700), np.float32)
    stats = solve(C, threads=1).stats
    assert 20 * 700 < stats["core_entries"] < 50 * 700
    assert stats["pricing_rounds"] >= 1
    assert stats["extensions"] == 0  # every search looks at whole lists
    assert stats["selections"] == 1  # the lists of the first scale last
    assert stats["paths"] <= stats["path_edges"]
    # A superstep of a search has 16 looks, or 2 that see whether it has ended.
    assert stats["sweeps"] % 2 == 0
    assert stats["supersteps"] >= stats["sweeps"] // 16 + 2 * stats["phases"]


def test_the_end_of_a_short_search_is_seen_by_few_looks():
    # Ties: searches of a few levels, each of which ends in its second superstep.
    stats = solve(np.random.default_rng(1).integers(0, 3, (500, 500)), threads=1).stats
    assert stats["phases"] > 2
    assert stats["sweeps"] < 2 * 16 * stats["phases"]


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_rows_that_are_fewer_than_the_workers_are_swept_in_parts(dtype):
    draw = np.random.default_rng(4)
    for rows, cols, threads in ((1, 300, 4), (3, 500, 16), (2, 40, 7)):
        for C in (draw.integers(0, 3, (rows, cols)), draw.integers(0, 10**6, (rows, cols))):
            answer = solve(C.astype(dtype), threads=threads)
            answer.verify(C.astype(dtype))
            # The short lists of so few rows hold what the longer ones of one worker do.
            assert answer.stats["pricing_rounds"] <= 3


def to_a_corner(n, seed=1):
    """Distances to points that crowd in a corner: paths are long."""
    rng = np.random.default_rng(seed)
    return np.linalg.norm(rng.random((n, 1, 2)) - rng.random((n, 2)) ** 1.5, axis=2)


def test_coarse_scales_are_for_rows_that_want_the_same_columns():
    rng = np.random.default_rng(2)
    assert solve(rng.random((400, 400)), threads=1).stats["coarse_scales"] == 0
    assert solve(rng.random((200, 500)), threads=1).stats["coarse_scales"] == 0
    assert solve(rng.random(120) + rng.random((120, 1)) * rng.random(120), threads=1).stats["coarse_scales"]


def kernel(n, seed=3, width=0.0005):
    """One less a Gaussian kernel: near points matter, and most pairs cost about the same."""
    rng = np.random.default_rng(seed)
    return 1.0 - np.exp(-((rng.random((n, 1, 2)) - rng.random((n, 2))) ** 2).sum(axis=2) / width)


def test_columns_that_many_rows_undercut_are_repaired_themselves():
    # Rows that repair what they undercut give up their pairs: 800 paths here, and 270 by columns.
    C = kernel(500)
    stats = solve(C, threads=1).stats
    assert stats["pricing_rounds"] > 2
    assert stats["paths"] < 600


def test_a_core_that_is_hard_to_solve_is_priced_before_it_is_solved():
    stats = solve(kernel(700), threads=1).stats
    assert stats["coarse_scales"] == 0
    assert stats["supersteps"] < 600


@pytest.mark.parametrize("team", CALM_TEAMS, ids=str)
def test_columns_are_repaired_on_every_team(team):
    for C in (kernel(150), kernel(150).astype(np.float32), (1000 * kernel(150)).astype(np.int64)):
        assert solve(C, **team).cost == pytest.approx(konig.linear_assignment(C, method="jv").cost, rel=1e-12)


def test_searches_that_take_many_phases_are_left_for_coarse_scales():
    stats = solve(to_a_corner(700), threads=1).stats
    assert stats["coarse_scales"] >= 4
    assert stats["phases"] < 400


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("dtype", [np.int64, np.float32])
def test_padding_is_set_aside(monkeypatch, dtype, maximize, axis):
    set_aside = []
    for name in ("constant_rows", "constant_cols"):
        found = getattr(team, name)
        monkeypatch.setattr(team, name, lambda of, f=found: set_aside.append(f(of)) or set_aside[-1])
    rng = np.random.default_rng(3)
    C = rng.integers(0, 10**4, (700, 700)).astype(dtype)
    padding = np.sort(rng.permutation(700)[:200])
    C[padding] = 5000
    C = np.moveaxis(C, 0, axis)
    a = solve(C, threads=1, maximize=maximize)
    assert (
        [lines.tolist() for lines in set_aside] == [padding.tolist()] if axis == 0 else [[], padding.tolist()]
    )
    assert a.cost == konig.linear_assignment(C, method="jv", maximize=maximize).cost
    assert a.stats["phases"] < 100


def test_lists_that_lacked_something_are_made_anew_at_each_scale():
    stats = solve(to_a_corner(700), threads=1).stats
    assert stats["selections"] > stats["coarse_scales"] >= 4


def test_on_a_rectangle_searches_are_inward():
    # No dual of a column that is left over may fall.
    C = np.random.default_rng(1).random((300, 360), np.float32)
    a = solve(C, threads=1)
    assert a.stats["supersteps"] >= a.stats["sweeps"] // 4 + 3 * a.stats["phases"]
    left_over = np.setdiff1d(np.arange(360), a.col_ind)
    assert (a.col_dual[left_over] == 0).all()


def test_searches_come_to_columns_that_are_far_from_all_rows():
    # Many columns are no row's choice. If they were in the one list of the row that holds them, searches
    # would leave their duals behind, and nearly all rows would undercut them: a core twice as large.
    stats = solve(to_a_corner(1500).astype(np.float32), threads=1).stats
    assert stats["core_entries"] < 50 * 1500
    assert stats["phases"] < 600


def test_a_phase_augments_many_paths():
    stats = solve(uniform(500, 5000), threads=1).stats
    assert stats["paths"] > 4 * stats["phases"]


def test_small_ranges_need_one_scale():
    assert solve(np.zeros((90, 90)), threads=1).stats["selections"] == 1
    assert solve(uniform(300, 10), threads=1).stats["selections"] == 1


def test_room_for_lists_is_made_when_it_is_needed():
    # All rows rank the columns alike, on a rectangle columns choose no rows, and a warm start does not begin
    # at a coarser scale.
    C = np.tile(1000 * np.arange(255), (250, 1)) + np.random.default_rng(3).integers(0, 9, (250, 255))
    stats = solve(C, threads=1, initial=(np.zeros(250), np.zeros(255))).stats
    assert stats["extensions"] > 10
    assert stats["core_entries"] > 80 * 250
    assert stats["launches"] > 1


def test_seconds_are_named_after_the_stages():
    seconds = solve(uniform(200, 2000)).stats["seconds"]
    stages = {"reduction", "selection", "settling", "search", "augmentation", "pricing"}
    assert set(seconds) - {"extension"} == stages | {"convert", "main"}
    assert 0 < sum(seconds[stage] for stage in stages) <= seconds["main"]


# ---- options ----


def test_a_warm_start_from_the_answers_duals_needs_no_scales():
    for C in (uniform(150, 1000), uniform(150, 1000) / 7):
        a = solve(C)
        again = solve(C, initial=a)
        assert again.cost == a.cost
        assert again.stats["selections"] == 1
        assert again.stats["paths"] < a.stats["paths"]


def test_any_duals_are_a_warm_start():
    rng = np.random.default_rng(8)
    for scale in (1.0, 1e6, 1e18):
        for C in (uniform(90, 50), rng.random((90, 90)), rng.random((60, 90)), rng.integers(0, 9, (90, 60))):
            solve(C, initial=tuple(scale * rng.normal(size=extent) for extent in C.shape))


@pytest.mark.parametrize("shape", [(16, 16), (12, 16), (16, 12)], ids=str)
def test_a_range_that_leaves_no_bit_for_a_warm_start_is_solved_without_it(shape):
    top = 12 * 10**15
    C = np.random.default_rng(10).integers(0, top, shape)
    C.flat[:2] = 0, top
    cold = solve(C)
    assert solve(C, initial=cold).cost == cold.cost


def test_the_cheapest_of_the_largest_assignments():
    rng = np.random.default_rng(9)
    C = np.where(rng.random((80, 90)) < 0.02, rng.random((80, 90)), np.inf)
    a = konig.linear_assignment(C, method=METHOD, full=False)
    a.verify(C)
    b = konig.linear_assignment(C, method="jv", full=False)
    assert (a.size, a.cost) == (b.size, pytest.approx(b.cost, rel=1e-12))


def test_progress_is_reported():
    seen = []
    C = np.random.default_rng(1).random((600, 600))
    konig.linear_assignment(C, method=METHOD, threads=1, progress=lambda *s: seen.append(s))
    assert all(0 <= done <= total <= 600 for done, total in seen)


def test_an_interrupt_ends_the_solve_and_leaves_the_process_usable():
    slow = "np.sqrt(np.abs(np.subtract.outer(*np.random.default_rng(0).random((2, 4000)))))"  # many phases
    code = INTERRUPTED.replace("{method}", METHOD).replace(
        "np.random.default_rng(0).random((4000, 4000))", slow
    )
    assert seconds_to_stop(code, 0.5, after=1.0, patience=60) < 0.5
