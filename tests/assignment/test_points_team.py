"""core-paths between points on CPU threads: the program of the GPU, with the answers of the trees."""

import numpy as np
import pytest

import konig
from konig.assignment.points import team
from konig.assignment.points.metrics import NAMES, prepared, tile
from konig.machine import on_threads

SHAPES = [(1, 1, 1), (1, 7, 2), (5, 9, 2), (60, 60, 2), (40, 90, 4), (150, 150, 3), (200, 200, 1)]


def solve(x, y, metric, kind="threads"):
    return team.solve(on_threads({"team": kind}, threads=2, seed=5), x, y, metric, None, 1)


@pytest.mark.parametrize("metric", NAMES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", ["threads", "shuffled"])
def test_answers_are_those_of_the_trees(metric, shape, kind):
    rows, cols, dimension = shape
    rng = np.random.default_rng(rows)
    x, y = prepared(rng.normal(size=(rows, dimension)), rng.normal(size=(cols, dimension)), metric)
    found, expected = solve(x, y, metric, kind), konig.point_assignment(x, y, metric)
    assert sorted(set(found.col_ind.tolist())) == sorted(found.col_ind.tolist())
    assert abs(found.cost - expected.cost) <= found.gap + expected.gap + 4 * np.spacing(expected.cost)
    assert found.gap <= 1e-12 * expected.cost + 1e-300


@pytest.mark.parametrize(
    "points",
    [
        lambda rng: (np.zeros((30, 2)), np.zeros((30, 2))),
        lambda rng: (rng.integers(0, 4, (80, 2)).astype(float), rng.integers(0, 4, (80, 2)).astype(float)),
        lambda rng: (rng.random((60, 2)) * 1e-9, 1e6 + rng.random((60, 2))),
        lambda rng: (rng.random((50, 2)), rng.random((70, 2)) * 1e8),
    ],
    ids=["one place", "ties", "far apart", "scales"],
)
def test_awkward_points(points):
    x, y = prepared(*points(np.random.default_rng(1)), "euclidean")
    found = solve(x, y, "euclidean")
    konig.assignment.points.PointAssignment(
        found.row_ind,
        found.col_ind,
        found.cost,
        found.gap,
        found.row_dual,
        found.col_dual,
        "core-paths",
        "cpu",
        {},
    ).verify(x, y)


@pytest.mark.parametrize("metric", NAMES)
def test_no_cost_is_above_the_bound(metric):
    rng = np.random.default_rng(2)
    for _ in range(20):
        x, y = prepared(
            rng.normal(size=(6, 3)) * 10.0 ** rng.integers(-5, 5), rng.normal(size=(9, 3)), metric
        )

        assert tile(x, y, metric).max() <= team.greatest_cost(x, y, metric)


@pytest.mark.parametrize("shape", [(400, 400, 2), (360, 450, 3), (500, 500, 9)])
@pytest.mark.parametrize("metric", ["sqeuclidean", "euclidean", "cosine"])
def test_coarser_problems_go_to_the_team_as_well(monkeypatch, metric, shape):
    rows, cols, dimension = shape
    rng = np.random.default_rng(cols)
    x, y = prepared(rng.normal(size=(rows, dimension)), 1 + rng.normal(size=(cols, dimension)), metric)
    started = []
    monkeypatch.setattr(team, "LEAST_ROWS", 80)
    monkeypatch.setattr(team, "Start", lambda *of, make=team.Start: started.append(len(of[0])) or make(*of))
    found, expected = solve(x, y, metric), konig.point_assignment(x, y, metric)
    assert abs(found.cost - expected.cost) <= found.gap + expected.gap + 4 * np.spacing(expected.cost)
    assert started == ([] if dimension > 8 else [-(-cols // 4), cols])
    assert "start" in found.stats["seconds"]


def test_sums_that_do_not_fit_begin_again_without_given_duals(monkeypatch):
    rng = np.random.default_rng(3)
    x, y = rng.random((200, 2)), rng.random((200, 2))
    monkeypatch.setattr(team, "MOST_SCALES", 1)
    misleading = team.Start(np.where(np.arange(200) < 100, 1e9, 0.0), 1e-9)
    monkeypatch.setattr(team, "_coarse_start", lambda *_: misleading)
    found, expected = solve(x, y, "euclidean"), konig.point_assignment(x, y)
    assert abs(found.cost - expected.cost) <= found.gap + expected.gap + 4 * np.spacing(expected.cost)
