"""Rectangles that start from the square of their cheapest columns."""

from types import SimpleNamespace

import numpy as np
import pytest
from assignment.test_core_paths import solve

import konig
from konig.assignment import square_start, team
from konig.assignment.lines import lines_of
from konig.assignment.problem import DenseProblem


def sums_and_noise(rows, cols, noise, seed=1):
    rng = np.random.default_rng(seed)
    return rng.random((rows, 1)) + rng.random(cols) + noise * rng.random((rows, cols))


@pytest.fixture
def squares(monkeypatch):
    """The shapes of the rectangles whose columns were chosen."""
    asked = []
    chosen = square_start.cheapest_columns

    def cheapest_columns(costs, alike):
        asked.append(costs.shape)
        return chosen(costs, alike)

    monkeypatch.setattr(square_start, "cheapest_columns", cheapest_columns)
    return asked


def test_the_columns_that_some_row_or_all_of_them_want_most():
    C = np.array([[5, 0, 9, 6], [4, 9, 9, 3]])
    assert square_start.cheapest_columns(lines_of(C, False), False).tolist() == [1, 3]
    assert square_start.cheapest_columns(lines_of(-C, True), False).tolist() == [1, 3]
    assert square_start.cheapest_columns(lines_of(C, False), True).tolist() == [0, 1]
    assert square_start.cheapest_columns(lines_of(-C, True), True).tolist() == [0, 1]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("alike", [False, True])
def test_differences_beyond_float64(alike):
    C = np.array([[1.7e308, -1e308, -9e307, 1.7e308], [1.7e308, -1e308, -8e307, 1.7e308]])
    assert square_start.cheapest_columns(lines_of(C, False), alike).tolist() == [1, 2]


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("maximize", [False, True])
def test_reals_whose_rows_rank_columns_alike(squares, transposed, maximize):
    C = sums_and_noise(150, 400, 1e-3)
    C = C.T if transposed else C
    a = solve(C, maximize=maximize)
    assert squares == [(150, 400)]
    assert a.cost == pytest.approx(konig.linear_assignment(C, maximize=maximize, method="jv").cost, rel=1e-12)
    assert a.stats["phases"] < 2000  # several times as many without


def test_products_of_integers(squares):
    rng = np.random.default_rng(3)
    C = np.outer(rng.integers(1, 10**6, 120), rng.integers(1, 10**6, 300))
    assert solve(C).cost == konig.linear_assignment(C, method="jv").cost
    assert squares == [(120, 300)]


def test_columns_that_were_left_out_are_taken_where_they_are_cheaper(squares):
    # A third of the rows want what is dear to the others: the square has the wrong columns.
    C = np.round(1e6 * sums_and_noise(130, 390, 1e-2, seed=2)).astype(np.int64)
    C[::3] = C.max() - C[::3]
    assert solve(C).cost == konig.linear_assignment(C, method="jv").cost
    assert squares == [(130, 390)]


def test_costs_without_a_bit_for_duals_have_no_such_start(squares):
    C = np.round(2.0**50 * sums_and_noise(130, 300, 1e-3)).astype(np.int64)
    assert solve(C).cost == konig.linear_assignment(C, method="jv").cost
    assert not squares


def test_forbidden_pairs_have_no_such_start(squares):
    C = sums_and_noise(130, 300, 1e-3)
    C[5, 7] = np.inf
    assert solve(C).cost == pytest.approx(konig.linear_assignment(C, method="jv").cost, rel=1e-12)
    assert not squares


def test_a_device_without_room_for_the_square_solves_the_rectangle_alone(monkeypatch, squares):
    def require_free(xp, needed, what):
        assert needed > 40 * 40 * 8
        raise MemoryError

    monkeypatch.setattr(team, "require_free", require_free)
    problem = DenseProblem(np, sums_and_noise(40, 90, 1e-3), False, (0.0, 3.0))
    gpu = SimpleNamespace(gpu=True)
    assert team._begun_by_square(gpu, problem, None, None, None, True) is None
    assert not squares
    padded = np.random.default_rng(1).random((60, 60))
    padded[:10] = 0.5
    square = DenseProblem(np, padded, False, (0.0, 1.0))
    assert team._begun_by_rectangle(gpu, square, lines_of(padded, False), None, None) is None


def test_a_problem_that_drops_leftover_duals_has_no_pairs_any_more():
    C = np.random.default_rng(3).integers(0, 9, (3, 5))
    problem = DenseProblem(np, C, False, (0, 9))
    problem.begin_with(np.arange(3, dtype=np.int32), np.array([0, -1, 0, -2, 0]))
    assert problem.has_pairs
    assert problem.drop_leftover_duals(cold=False)
    assert not problem.has_pairs
    assert (problem.col_of_row == -1).all()
    assert problem.col_dual.tolist() == [0, -1, 0, 0, 0]
