"""Assignment between points on a GPU: what the CPU says, proved, and answers where the points are."""

import numpy as np
import pytest

import konig
from konig.assignment.points.metrics import NAMES

cupy = pytest.importorskip("cupy")

pytestmark = pytest.mark.gpu


@pytest.mark.parametrize("metric", NAMES)
@pytest.mark.parametrize("shape", [(1, 1, 1), (5, 9, 2), (9, 5, 2), (300, 300, 2), (200, 350, 5)])
def test_costs_are_those_of_the_cpu(metric, shape):
    rows, cols, dimension = shape
    rng = np.random.default_rng(rows)
    X, Y = rng.normal(size=(rows, dimension)), rng.normal(size=(cols, dimension))
    expected = konig.point_assignment(X, Y, metric)
    found = konig.point_assignment(cupy.asarray(X), cupy.asarray(Y), metric)
    assert found.device.startswith("cuda:")
    assert isinstance(found.col_ind, cupy.ndarray)
    assert isinstance(found.row_dual, cupy.ndarray)
    found.verify(X, Y)
    assert abs(found.cost - expected.cost) <= found.gap + expected.gap + 4 * np.spacing(expected.cost)


def test_points_of_the_host_are_solved_on_a_gpu_that_is_asked_for():
    rng = np.random.default_rng(3)
    X, Y = rng.random((100, 2)), rng.random((100, 2))
    found = konig.point_assignment(X, Y, device="cuda")
    assert found.device.startswith("cuda:")
    assert isinstance(found.col_ind, np.ndarray)
    found.verify(X, Y)


def test_no_points():
    found = konig.point_assignment(cupy.zeros((0, 2)), cupy.zeros((3, 2)))
    assert len(found.row_ind) == 0
    assert found.cost == 0


def test_equal_points_and_many_of_them():
    X = np.repeat(np.arange(50.0), 40)[:, None] * [1.0, 0.0]
    found = konig.point_assignment(cupy.asarray(X), cupy.asarray(X[::-1].copy()))
    found.verify(X, X[::-1].copy())
    assert found.cost == 0
