"""The drop-ins for the functions of lap and lapx."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from konig.interop.lap import (
    lapjv,
    lapjvx,
    lapjvx_batch,
    lapjvxa,
    lapjvxa_batch,
    lapmod,
    lapmod_batch,
)


def check(costs, limit, answer):
    """The answer is consistent, and optimal among all assignments, tried one by one."""
    total, x, y = answer
    rows, cols = costs.shape
    assert x.dtype == y.dtype == np.int32
    assert (len(x), len(y)) == (rows, cols)
    pairs = [(i, j) for i, j in enumerate(x) if j >= 0]
    assert sorted(pairs) == sorted((i, j) for j, i in enumerate(y) if i >= 0)
    assert total == pytest.approx(sum(costs[i, j] for i, j in pairs))
    assert all(costs[i, j] <= limit for i, j in pairs)
    short, long = (costs, cols) if rows <= cols else (costs.T, rows)
    best = min(
        sum(min(short[i, j], limit) for i, j in enumerate(chosen))
        for chosen in itertools.permutations(range(long), len(short))
    )
    if np.isfinite(best):
        left = 0 if limit == np.inf else limit * (len(short) - len(pairs))
        assert total + left == pytest.approx(best)


@pytest.mark.parametrize("shape", [(4, 4), (3, 5), (5, 3), (1, 4), (4, 1), (0, 3), (0, 0)])
@pytest.mark.parametrize("limit", [np.inf, 3.0, 6.5, 0.0, -1.0, 1e18])
def test_small_answers_are_the_best_of_all(shape, limit):
    rng = np.random.default_rng(3)
    for _ in range(20):
        costs = rng.integers(0, 10, shape).astype(float)
        check(costs, limit, lapjv(costs, extend_cost=True, cost_limit=limit))


def test_an_infeasible_problem_costs_infinity_and_is_full():
    total, x, y = lapjv(np.array([[np.inf, 1.0], [np.inf, 2.0]]))
    assert (total, x.tolist(), y.tolist()) == (np.inf, [1, 0], [1, 0])


def test_pairs_above_the_limit_stay_unassigned():
    gated = np.array([[np.inf, 1.0, np.inf], [np.inf, 2.0, 9.0]])
    total, x, y = lapjv(gated, cost_limit=5.0)
    assert (total, x.tolist(), y.tolist()) == (1.0, [1, -1], [-1, 0, -1])


def test_without_the_cost():
    x, y = lapjv(np.eye(3), return_cost=False)
    assert sorted(x) == sorted(y) == [0, 1, 2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"cost": np.ones(3)}, "2-dimensional array expected"),
        ({"cost": np.ones((2, 3))}, "Square cost array expected"),
        ({"cost": np.array([[np.nan]])}, "NaN"),
        ({"cost": np.array([[np.nan]]), "cost_limit": 1.0}, "NaN"),
        ({"cost": np.array([[-np.inf]])}, "forbidden by inf"),
        ({"cost": np.ones((2, 2)), "cost_limit": np.nan}, "cost_limit must be finite or inf"),
        ({"cost": np.ones((2, 2)), "cost_limit": -np.inf}, "cost_limit must be finite or inf"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        lapjv(**arguments)


@pytest.mark.parametrize("shape", [(30, 30), (20, 30), (30, 20)])
@pytest.mark.parametrize("limit", [np.inf, 0.05, 0.5])
def test_answers_are_those_of_lapx(shape, limit):
    lap = pytest.importorskip("lap")
    rng = np.random.default_rng(sum(shape))
    costs = rng.random(shape)
    ours = lapjv(costs, extend_cost=True, cost_limit=limit)
    theirs = lap.lapjv(costs, extend_cost=True, cost_limit=limit)
    assert ours[0] == pytest.approx(theirs[0])
    assert all((a == b).all() and a.dtype == b.dtype for a, b in zip(ours[1:], theirs[1:], strict=True))


@pytest.mark.parametrize("limit", [np.inf, 1.7e308])
def test_costs_whose_sums_are_beyond_float64_are_assigned(limit):
    C = np.finfo(float).max * (np.random.default_rng(13).random((6, 6)) - 1)
    total, x, _ = lapjv(C, cost_limit=limit)
    assert total == -np.inf
    np.testing.assert_array_equal(x, lapjv(C / 2.0**64)[1])


def same(ours, theirs):
    """Equal in value and type; `ours` may be a tuple of arrays, lists of arrays and a total."""
    if isinstance(theirs, tuple | list):
        assert type(ours) is type(theirs)
        assert len(ours) == len(theirs)
        for mine, other in zip(ours, theirs, strict=True):
            same(mine, other)
    elif isinstance(theirs, np.ndarray):
        assert ours.dtype == theirs.dtype
        np.testing.assert_allclose(ours, theirs, rtol=1e-14)
    else:
        assert ours == pytest.approx(theirs)


@pytest.mark.parametrize("shape", [(6, 6), (4, 7), (7, 4), (1, 1), (0, 3), (3, 0)])
@pytest.mark.parametrize("limit", [np.inf, 0.1, 0.5])
@pytest.mark.parametrize("return_cost", [True, False])
@pytest.mark.parametrize("function", [lapjv, lapjvx, lapjvxa, lapjvx_batch, lapjvxa_batch])
def test_results_are_those_of_lapx(function, shape, limit, return_cost):
    lap = pytest.importorskip("lap")
    theirs = getattr(lap, function.__name__)
    costs = np.random.default_rng(7).random((5, *shape))
    for given in [costs] if "batch" in function.__name__ else costs:
        same(function(given, True, limit, return_cost), theirs(given, True, limit, return_cost))


@pytest.mark.parametrize("shape", [(5, 5), (3, 6), (6, 3)])
def test_infeasible_results_are_those_of_lapx(shape):
    lap = pytest.importorskip("lap")
    rng = np.random.default_rng(11)
    costs = rng.random((40, *shape))
    costs[rng.random(costs.shape) < 0.6] = np.inf
    feasible = 0
    for cost in costs:
        ours, theirs = lapjv(cost, extend_cost=True), lap.lapjv(cost, extend_cost=True)
        assert ours[0] == pytest.approx(theirs[0])
        # Which forbidden pairs fill up is arbitrary; how many rows and columns have a partner is not.
        assert [(x >= 0).sum() for x in ours[1:]] == [(x >= 0).sum() for x in theirs[1:]]
        taken = ours[1][ours[1] >= 0]
        assert len(set(taken.tolist())) == len(taken)
        assert all(ours[2][j] == i for i, j in enumerate(ours[1]) if j >= 0)
        feasible += bool(np.isfinite(theirs[0]))
    assert 0 < feasible < len(costs)
    totals, rows, cols = lapjvx_batch(costs, extend_cost=True)
    np.testing.assert_allclose(totals, lap.lapjvx_batch(costs, extend_cost=True)[0])
    assert {len(row) for row in rows} == {len(col) for col in cols} == {min(shape)}


def sparse_problem(rng, n, density):
    mask = rng.random((n, n)) < density
    mask[0, 0] = True
    return n, rng.random(mask.sum()), np.concatenate([[0], np.cumsum(mask.sum(axis=1))]), np.nonzero(mask)[1]


@pytest.mark.parametrize("density", [0.9, 0.5, 0.15])
def test_sparse_results_are_those_of_lapx(density):
    lap = pytest.importorskip("lap")
    rng = np.random.default_rng(5)
    problems = [sparse_problem(rng, n, density) for n in (1, 2, 8, 8, 15, 30)]
    for problem in problems:
        ours, theirs = lapmod(*problem), lap.lapmod(*problem)
        if np.isfinite(theirs[0]):
            same(ours, theirs)
            same(lapmod(*problem, return_cost=False), theirs[1:])
        else:
            assert ours[0] == np.inf
            assert sorted(ours[1]) == sorted(ours[2]) == list(range(problem[0]))
    totals, x, y = lapmod_batch(problems)
    np.testing.assert_allclose(totals, lap.lapmod_batch(problems)[0])
    assert [len(each) for each in x] == [len(each) for each in y] == [problem[0] for problem in problems]


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        ((0, [1.0], [0, 1], [0]), "n must be positive"),
        ((2, [1.0], [0, 1], [0]), r"ii must have n \+ 1 = 3 entries"),
        ((1, [1.0, 2.0], [0, 2], [0]), "as many as each other"),
        ((1, [1.0], [0, 2], [0]), "end with len"),
        ((2, [1.0, 1.0], [0, 2, 2], [1, 0]), "kk must ascend in each row, and entry 1 does not"),
        ((2, [1.0, 1.0], [0, 2, 2], [0, 0]), "kk must ascend"),
        ((1, [1.0], [0, 1], [1]), r"range \[0, 1\)"),
        ((1, [np.nan], [0, 1], [0]), "cc must be finite, and entry 0 is not"),
        ((1, [1j], [0, 1], [0]), "cc must hold real numbers"),
        ((1, [[1.0]], [0, 1], [0]), "one dimension"),
        ((1, [], [0, 0], np.zeros(0, int)), "there is no entry in cc"),
    ],
)
def test_bad_sparse_problems_are_named(problem, message):
    with pytest.raises(ValueError, match=message):
        lapmod(*problem)


def test_bad_batches_are_named():
    with pytest.raises(ValueError, match="3-dimensional array expected"):
        lapjvx_batch(np.eye(2))
    with pytest.raises(ValueError, match="Square cost array expected"):
        lapjvxa_batch(np.ones((1, 2, 3)))
    with pytest.raises(ValueError, match="cost_limit must be finite or inf"):
        lapjvx_batch(np.ones((1, 2, 2)), cost_limit=np.nan)


def test_a_batch_whose_sums_are_beyond_float64():
    C = np.finfo(float).max * (np.random.default_rng(13).random((2, 6, 6)) - 1)
    totals, _, cols = lapjvx_batch(C, n_threads=1)
    assert totals.tolist() == [-np.inf, -np.inf]
    np.testing.assert_array_equal(cols[1], lapjv(C[1] / 2.0**64)[1])
