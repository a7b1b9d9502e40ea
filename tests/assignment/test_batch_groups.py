"""Batches as groups solve them on a GPU, by the group of one worker: proved, paused, ragged, refused."""

import numpy as np
import pytest
from cases.costs import DTYPES, awkward_costs, ragged

import konig
from konig.assignment import batch as batches
from konig.assignment.batch import all_counts, solve_rest
from konig.assignment.cpu import How
from konig.assignment.methods import ADAPTIVE
from konig.assignment.result import AssignmentBatch
from konig.programs import header_word, run_on_team

THREAD = {"threads": 1, "team": "threads", "seed": 0}
THREADS = {"threads": 3, "team": "threads", "seed": 0}
SHUFFLED = {"threads": 1, "team": "shuffled", "seed": 7}  # pauses at random searches


def word(name):
    return header_word(batches.PROGRAM, name)


def on_group(C, *, maximize=False, row_counts=None, col_counts=None, team=THREAD, order=None):
    """What groups leave, with outcomes as on a GPU."""
    batch = batches.Batch(np, C, maximize, row_counts, col_counts)
    ended = run_on_team(batch.task(order), team, None)
    assert ended.status == "finished"
    return batch.solved(batch.outcome, ended.words["first_bad"], ended.statistics)


def solve(C, *, maximize=False, row_counts=None, col_counts=None, **options):
    """The answers, each of them proved; problems without one go the way that a GPU's would go."""
    found = on_group(C, maximize=maximize, row_counts=row_counts, col_counts=col_counts, **options)
    left = found.outcomes.copy()
    solve_rest(C, found, How(ADAPTIVE, {}, maximize), row_counts, col_counts, None)
    counts = all_counts(C.shape, row_counts, col_counts)
    answers = (found.row_ind, found.col_ind, found.cost, found.gap, found.row_dual, found.col_dual)
    batch = AssignmentBatch(*answers, "crew-paths", "cpu", found.stats, *counts, maximize)
    batch.verify(C)
    return batch, left


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("team", [THREAD, THREADS, SHUFFLED])
def test_random_batches_cost_what_the_cpu_says(dtype, maximize, team):
    rng = np.random.default_rng(1)
    for shape in [
        (20, 7, 7),
        (20, 5, 9),
        (20, 9, 5),
        (3, 40, 40),
        (2, 1, 30),
        (0, 3, 3),
        (4, 0, 3),
        (5, 2, 0),
    ]:
        for spread in (2, 50, 10_000):
            C = rng.integers(-spread, spread, shape).astype(dtype)
            batch, left = solve(C, maximize=maximize, team=team)
            assert not left.any()
            assert batch.cost.tolist() == konig.linear_assignment(C, maximize=maximize).cost.tolist()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_real_costs(dtype):
    rng = np.random.default_rng(2)
    for scale, offset in ((1, 0), (1e-30, 0), (1e30, 0), (1, 1e6), (1e-3, -1e4)):
        C = (rng.normal(size=(12, 15, 15)) * scale + offset).astype(dtype)
        batch, left = solve(C, team=SHUFFLED)
        assert not left.any()
        same = konig.linear_assignment(C).cost
        assert np.allclose(batch.cost, same, rtol=1e-12, atol=0)


def test_a_solve_that_pauses_gives_the_same_answer():
    C = np.random.default_rng(3).random((12, 60, 60))
    whole, shared = on_group(C), on_group(C, team=THREADS)
    parts = on_group(C, team=SHUFFLED, order=np.roll(np.arange(12, dtype=np.int32), 5))
    assert whole.stats["launches"] == 1
    assert parts.stats["launches"] > 4
    for other in (shared, parts):
        for name in ("row_ind", "col_ind", "cost", "row_dual", "col_dual"):
            assert getattr(whole, name).tolist() == getattr(other, name).tolist(), name
        for name in ("greedy_assignments", "searches", "steps"):
            assert whole.stats[name] == other.stats[name] > 0


def test_problems_that_are_not_dealt_are_left():
    C = np.random.default_rng(8).random((4, 6, 5))
    found = on_group(C, order=np.array([3, 1], np.int32))
    assert found.outcomes.tolist() == [
        word("untouched"),
        0,
        word("untouched"),
        0,
    ]


@pytest.mark.parametrize("dtype", DTYPES)
def test_ragged_batches_look_at_nothing_beyond_their_counts(dtype):
    C, rows, cols = ragged((60, 8, 11), dtype, seed=4)
    for team in (THREAD, SHUFFLED):
        batch, _ = solve(C, row_counts=rows, col_counts=cols, team=team)
        same = konig.linear_assignment(C, row_counts=rows, col_counts=cols)
        assert batch.cost.tolist() == same.cost.tolist()


def test_forbidden_pairs_and_infeasible_problems():
    rng = np.random.default_rng(5)
    C = rng.random((200, 6, 7)).astype(np.float32)
    C[rng.random(C.shape) < 0.5] = np.inf
    found = on_group(C)
    infeasible = 0
    for b, costs in enumerate(C):
        try:
            assert abs(konig.linear_assignment(costs).cost - found.cost[b]) < 1e-6
            assert found.outcomes[b] == 0
        except konig.InfeasibleError:
            infeasible += 1
            assert found.outcomes[b] == word("infeasible")
    assert 10 < infeasible < 190
    with pytest.raises(konig.InfeasibleError, match=r"problem \d+: "):
        solve(C)


def test_bad_costs_are_named_with_their_problem():
    C = np.zeros((3, 4, 5))
    C[1, 2, 3] = np.nan
    C[2, 0, 0] = -np.inf
    with pytest.raises(ValueError, match=r"C\[1, 2, 3\] is NaN"):
        solve(C)
    C[1, 2, 3] = np.inf
    with pytest.raises(ValueError, match=r"C\[2, 0, 0\] = -inf"):
        solve(C)
    with pytest.raises(ValueError, match=r"C\[1, 2, 3\] = inf"):
        solve(C, maximize=True)
    C = np.zeros((2, 5, 4), np.int64)
    C[1, 4, 2] = np.iinfo(np.int64).min
    with pytest.raises(ValueError, match=r"C\[1, 4, 2\] = -9223372036854775808"):
        solve(C)


def test_integers_beyond_the_reach_of_a_group_are_left_to_the_host():
    C = np.array([[[0, 2**60], [2**60, 5]], [[1, 2], [3, 5]]])
    found = on_group(C)
    assert found.outcomes.tolist() == [word("out of reach"), 0]
    batch, _ = solve(C)
    assert batch.cost.tolist() == [5, 5]
    C = np.full((2, 4, 4), 2**62)
    assert on_group(C).outcomes.tolist() == [word("total too large")] * 2
    with pytest.raises(OverflowError, match="problem 0"):
        solve(C)


def test_awkward_costs():
    for name, C in awkward_costs():
        for costs in (C, C.T):
            given = np.ascontiguousarray(costs)[None]
            if given.dtype not in DTYPES:
                continue
            if abs(konig.linear_assignment(costs).cost) >= 2**63 and given.dtype.kind == "i":
                assert on_group(given).outcomes.any(), name
                continue
            batch, _ = solve(given)
            assert len(batch[0].row_ind) == min(C.shape), name
