"""The extent of costs on a GPU: one read finds their range, what is forbidden and what is bad."""

import numpy as np
import pytest
from cases.costs import DTYPES

import konig
from konig.assignment.gpu import checked_extent

cupy = pytest.importorskip("cupy")

pytestmark = pytest.mark.gpu


def layouts(C):
    there = cupy.asarray(C)
    yield there
    yield cupy.asfortranarray(there)
    yield cupy.asarray(np.repeat(C, 2, axis=1))[:, ::2]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(1, 1), (3, 700), (300, 200), (1500, 1500)])
def test_it_is_the_range_of_all_layouts(dtype, shape):
    C = (np.random.default_rng(shape).integers(-1000, 1000, shape) * 7).astype(dtype)
    for costs in layouts(C):
        assert checked_extent(cupy, costs, False) == (C.min(), C.max(), False)


@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_forbidden_pairs_are_seen_and_left_out_of_the_range(dtype, maximize):
    C = np.random.default_rng(0).random((400, 300)).astype(dtype)
    least, greatest = C[1:].min(), C[1:].max()
    C[0] = -np.inf if maximize else np.inf
    for costs in layouts(C):
        assert checked_extent(cupy, costs, maximize) == (least, greatest, True)
    C[:] = C[0, 0]
    assert checked_extent(cupy, cupy.asarray(C), maximize) == (0, 0, True)


@pytest.mark.parametrize(
    ("dtype", "bad", "maximize"),
    [
        (np.float32, np.nan, False),
        (np.float64, np.nan, True),
        (np.float64, -np.inf, False),
        (np.float32, np.inf, True),
        (np.int64, np.iinfo(np.int64).min, False),
        (np.int64, np.iinfo(np.int64).min + 1, True),
        (np.int64, np.iinfo(np.int64).max, False),
    ],
)
def test_the_first_bad_cost_is_named(dtype, bad, maximize):
    C = np.random.default_rng(0).integers(0, 100, (300, 200)).astype(dtype)
    C[120, 7] = C[299, 199] = bad
    for costs in layouts(C):
        with pytest.raises(ValueError, match=r"^C\[120, 7\]"):
            konig.linear_assignment(costs, maximize=maximize)
    with pytest.raises(ValueError, match=r"^C\[120, 7\]"):
        konig.linear_assignment(C, maximize=maximize, device="cuda")


def test_one_small_copy_finds_it(copies):
    C = cupy.zeros((2000, 2000))
    checked_extent(cupy, C, False)
    assert copies == [32]
