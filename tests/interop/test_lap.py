"""The drop-in for lap's lapjv."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from konig.interop.lap import lapjv


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


def test_forbidden_pairs_stay_unassigned():
    total, x, y = lapjv(np.array([[np.inf, 1.0], [np.inf, 2.0]]))
    assert (total, x.tolist(), y.tolist()) == (1.0, [1, -1], [-1, 0])
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
    np.testing.assert_array_equal(x, lapjv(C / 2**64)[1])
