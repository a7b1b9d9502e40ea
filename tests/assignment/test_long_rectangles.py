"""Rectangles far longer than wide: what is large or wrong in their last rows counts."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import konig

SHAPES = [(10, 3000), (3000, 10), (40, 500), (150, 170)]


@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("dtype", ["i4", "i8"])
@pytest.mark.parametrize("shape", SHAPES)
def test_large_integers_in_the_last_rows(shape, dtype, maximize):
    rng = np.random.default_rng(shape)
    for largest in (100, 2**28, 2**31 - 1, 2**50, 2**57, 2**62):
        if largest > np.iinfo(dtype).max:
            continue
        C = rng.integers(0, 1000, shape).astype(dtype)
        C[-3:] = rng.integers(-largest, largest, C[-3:].shape)
        a = konig.linear_assignment(C, maximize=maximize)
        a.verify(C)
        if largest < 2**40:
            rows, cols = linear_sum_assignment(C.astype(np.float64), maximize=maximize)
            assert a.cost == C[rows, cols].astype(object).sum()


@pytest.mark.parametrize("maximize", [False, True])
def test_an_end_of_64_bits_in_the_last_row_is_named(maximize):
    for end in (np.iinfo("i8").min, np.iinfo("i8").max):
        C = np.random.default_rng(0).integers(0, 1000, (20, 2000))
        C[19, 1234] = end
        with pytest.raises(ValueError, match=r"C\[19, 1234\]"):
            konig.linear_assignment(C, maximize=maximize)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_bad_real_in_the_last_row_is_named(shape):
    C = np.random.default_rng(0).random(shape)
    at = shape[0] - 1, shape[1] - 1
    for bad in (np.nan, -np.inf):
        C[at] = bad
        with pytest.raises(ValueError, match=rf"C\[{at[0]}, {at[1]}\]"):
            konig.linear_assignment(C)
    C[at] = 1e300
    konig.linear_assignment(C).verify(C)
    C[at] = np.inf
    konig.linear_assignment(C).verify(C)
