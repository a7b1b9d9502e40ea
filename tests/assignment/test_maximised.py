"""Costs that are maximised are read with the other sign: every step is that of the negated costs."""

import numpy as np
import pytest

import konig

SHAPES = [(1, 1), (7, 7), (9, 30), (30, 9), (40, 40), (50, 55), (63, 64), (64, 65), (100, 110), (150, 150)]
LARGE = [(620, 700), (640, 640), (700, 610), (650, 1500)]


def costs_of(rng, shape, dtype):
    if np.dtype(dtype).kind == "f":
        return rng.normal(size=shape).astype(dtype)
    return rng.integers(-3 * shape[1], 3 * shape[1], shape).astype(dtype)


def assert_the_same(C, **how):
    most = konig.linear_assignment(C, maximize=True, **how)
    most.verify(C)
    least = konig.linear_assignment(-C, **how)
    assert most.cost == -least.cost
    assert most.col_ind.tolist() == least.col_ind.tolist()
    assert most.col_dual.tolist() == (0 - least.col_dual).tolist()
    assert most.row_dual.tolist() == (0 - least.row_dual).tolist()
    counts = {key: value for key, value in most.stats.items() if key != "seconds"}
    assert counts == {key: value for key, value in least.stats.items() if key != "seconds"}


@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "i8"])
@pytest.mark.parametrize("shape", SHAPES + LARGE)
def test_all_steps_are_those_of_the_negated_costs(shape, dtype):
    C = costs_of(np.random.default_rng(shape), shape, dtype)
    assert_the_same(C)
    assert_the_same(np.asfortranarray(C))
    for method in ("jv", "auction", "core"):
        assert_the_same(C, method=method, threads=1)


@pytest.mark.parametrize("shape", [(12, 12), (40, 60), (120, 130), (640, 640), (610, 700)])
def test_forbidden_pairs_and_a_common_cost(shape):
    rng = np.random.default_rng(shape)
    C = rng.random(shape)
    C[rng.random(shape) < 0.3] = -np.inf
    assert_the_same(C)
    C = np.where(rng.random(shape) < 5 / shape[1], rng.random(shape), 0.0)
    assert_the_same(C)
    assert_the_same((C * 100).astype(np.int32))


@pytest.mark.parametrize("shape", [(5, 5), (20, 30), (70, 80), (620, 640), (640, 640)])
def test_the_least_integer_of_32_bits_is_a_cost_like_others(shape):
    rng = np.random.default_rng(shape)
    C = rng.integers(-(2**31), 2**31, shape, dtype=np.int64).astype(np.int32)
    C[rng.random(shape) < 0.2] = -(2**31)
    C[0, :] = C[:, 0] = -(2**31)  # so that some row has to take one
    a = konig.linear_assignment(C, maximize=True)
    a.verify(C)
    assert a.cost == konig.linear_assignment(C.astype(np.int64), maximize=True).cost
