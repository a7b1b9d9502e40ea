"""Rectangles: what is wrong with their costs is named, and rounding gives no dual the wrong sign."""

import numpy as np
import pytest

import konig

SHAPES = [
    (1, 8),
    (1, 40),
    (3, 20),
    (20, 40),
    (20, 64),
    (20, 65),
    (20, 117),
    (7, 200),
    (40, 41),
    (70, 90),
    (3, 700),
]


@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_bad_real_is_named_wherever_it_is(shape, dtype, maximize):
    wrong = np.inf if maximize else -np.inf
    for seed in range(60):
        rng = np.random.default_rng(seed)
        C = rng.random(shape).astype(dtype)
        where = int(rng.integers(shape[0])), int(rng.integers(shape[1]))
        if seed % 4 == 1:  # legal ones beside it, after it
            C.ravel()[where[0] * shape[1] + where[1] + 1 :: 5] = -wrong
        C[where] = np.nan if seed % 2 else wrong
        for A, (row, col) in ((C, where), (np.ascontiguousarray(C.T), where[::-1])):
            with pytest.raises(ValueError, match=rf"C\[{row}, {col}\] (is NaN|= -?inf)"):
                konig.linear_assignment(A, maximize=maximize)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_bad_reals_all_over_a_rectangle_are_harmless(dtype):
    for seed in range(300):
        rng = np.random.default_rng(seed)
        shape = (int(rng.integers(1, 30)), int(rng.integers(30, 150)))
        C = rng.random(shape).astype(dtype)
        C[rng.random(shape) < rng.random()] = np.nan
        C[rng.random(shape) < 0.1] = -np.inf
        C[0, 0] = np.nan
        with pytest.raises(ValueError, match=r"C\[0, 0\] is NaN"):
            konig.linear_assignment(C)


@pytest.mark.parametrize("method", ["auto", "jv", "auction", "core"])
@pytest.mark.parametrize("shape", [(3, 4), (30, 40), (66, 70), (100, 110)])
def test_rounding_gives_no_dual_the_wrong_sign(shape, method):
    """Decimals with few digits tie but for rounding, and lengths of paths may then fall."""
    for seed in range(400 if shape == (3, 4) else 40):
        C = np.random.default_rng(seed).random(shape).round(2)
        C[:, ::7] = C[:, ::7].round(1)
        for maximize in (False, True):
            konig.linear_assignment(C, method=method, maximize=maximize).verify(C)


def test_the_smallest_case_of_it():
    C = np.array([[1.0, 1.0, 0.93, 1.0], [2.15, 1.25, 0.32, 1.0], [-1.49, 0.22, -1.51, 1.0]])
    konig.linear_assignment(C).verify(C)
    konig.linear_assignment(-C, maximize=True).verify(-C)


@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (3, 1), (20, 30)])
def test_the_last_integer_but_one_is_refused_where_its_sign_changes(shape):
    C = np.full(shape, -(2**63) + 1)
    with pytest.raises(ValueError, match=r"C\[0, 0\] = -9223372036854775807: .* from -2\*\*63 \+ 2"):
        konig.linear_assignment(C, maximize=True)
    C[0, 0] += 1
    if C.size == 1:
        assert konig.linear_assignment(C, maximize=True).cost == -(2**63) + 2
