"""Warm starts of dense problems on the CPU: good duals are kept, and those of another problem are dropped."""

import numpy as np
import pytest

import konig


def costs(kind, rows, cols, seed):
    draw = np.random.default_rng(seed)
    if kind == "distances":
        x, y = draw.random((rows, 2)), draw.random((cols, 2))
        return np.linalg.norm(x[:, None] - y[None], axis=2)
    return draw.integers(0, 10**6, (rows, cols)) if kind == "whole" else draw.random((rows, cols))


@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("shape", [(400, 400), (300, 320), (320, 300), (1400, 1400)], ids=str)
@pytest.mark.parametrize("kind", ["whole", "reals", "distances"])
def test_whatever_the_duals_the_answer_is_optimal(kind, shape, maximize):
    C, other = costs(kind, *shape, seed=1), costs(kind, *shape, seed=2)
    cold = konig.linear_assignment(C, maximize=maximize)
    draw = np.random.default_rng(3)
    half = np.where(np.arange(shape[0])[:, None] % 2 == 0, C, other)
    starts = [
        cold,
        konig.linear_assignment(half, maximize=maximize),
        konig.linear_assignment(other, maximize=maximize),
        tuple((draw.random(extent) * C.max()).astype(C.dtype) for extent in shape),
    ]
    for start in starts:
        again = konig.linear_assignment(C, maximize=maximize, initial=start)
        again.verify(C)
        assert again.cost == pytest.approx(cold.cost, rel=1e-12)


def test_random_duals_are_dropped_and_those_of_a_similar_problem_are_not():
    C = costs("whole", 600, 600, seed=4)
    draw = np.random.default_rng(5)
    random = tuple(draw.integers(0, 10**6, 600) for _ in range(2))
    cold = konig.linear_assignment(C)
    dropped = konig.linear_assignment(C, initial=random)
    assert dropped.stats["starts_dropped"] == 1
    assert dropped.stats["row_scans"] < 4 * cold.stats["row_scans"] + 4 * 600
    similar = C + draw.integers(-5000, 5000, C.shape)
    kept = konig.linear_assignment(similar, initial=cold)
    kept.verify(similar)
    assert "starts_dropped" not in kept.stats


@pytest.mark.parametrize("end", [48, 60, 62])
def test_duals_that_sums_have_no_room_for_are_dropped(end):
    C = costs("whole", 200, 210, seed=8)
    cold = konig.linear_assignment(C)
    row_dual, col_dual = cold.row_dual.copy(), cold.col_dual.copy()
    col_dual[5] = 2**end
    row_dual[7] = -(2**end)
    again = konig.linear_assignment(C, initial=(row_dual, col_dual))
    again.verify(C)
    assert again.cost == cold.cost
    if end > 50:
        assert again.stats["starts_dropped"] == 1


@pytest.mark.parametrize("method", ["jv", "core"])
def test_an_infeasible_problem_is_refused_from_any_duals(method):
    C = costs("reals", 50, 50, seed=6)
    C[:3] = np.inf
    C[:3, 7:9] = 1.0
    start = np.random.default_rng(7).random((2, 50))
    with pytest.raises(konig.InfeasibleError) as refused:
        konig.linear_assignment(C, method=method, initial=tuple(start))
    assert sorted(refused.value.rows) == [0, 1, 2] or len(refused.value.cols)
