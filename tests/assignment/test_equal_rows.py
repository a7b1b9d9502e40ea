"""Dense costs with rows that are alike: a search scans one row of each kind."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import konig

MAKERS = {
    "float64": lambda rng, shape: rng.random(shape),
    "float32": lambda rng, shape: rng.random(shape).astype(np.float32),
    "int32": lambda rng, shape: rng.integers(-100, 100, shape, dtype=np.int32),
    "int64": lambda rng, shape: rng.integers(0, 10**12, shape),
    "tied": lambda rng, shape: rng.integers(0, 4, shape),
}


def copies(rng, kind, kinds, rows, cols):
    return MAKERS[kind](rng, (kinds, cols))[rng.integers(0, kinds, rows)]


def checked(C, maximize=False):
    a = konig.linear_assignment(C, maximize=maximize)
    a.verify(C)
    best = C[linear_sum_assignment(C.astype(float), maximize=maximize)].tolist()
    assert a.cost == pytest.approx(sum(best), rel=1e-12)
    return a


@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("shape", [(160, 160), (150, 333), (300, 140)])
@pytest.mark.parametrize("kind", MAKERS)
def test_copies_of_a_few_rows(kind, shape, maximize):
    rng = np.random.default_rng(7)
    for kinds in (1, 2, 9, 100):
        C = copies(rng, kind, kinds, *shape)
        checked(C, maximize)
        checked(np.ascontiguousarray(copies(rng, kind, kinds, *shape[::-1]).T), maximize)


@pytest.mark.parametrize("kind", ["float64", "int64"])
def test_some_rows_are_alike_and_others_are_not(kind):
    rng = np.random.default_rng(8)
    for share in (0.1, 0.3, 0.8):
        C = MAKERS[kind](rng, (200, 200))
        alike = rng.random(200) < share
        C[alike] = copies(rng, kind, 5, alike.sum(), 200)
        near = C.copy()
        near[alike, rng.integers(0, 200, alike.sum())] += 1  # alike but for one entry
        checked(C)
        checked(near)


def test_one_row_of_each_kind_is_scanned():
    rng = np.random.default_rng(9)
    C = copies(rng, "float64", 4, 300, 400)
    a = checked(C)
    noisy = checked(C + 1e-9 * rng.random(C.shape))
    assert a.stats["paths"] > 100
    assert 4 * a.stats["row_scans"] < noisy.stats["row_scans"]


def test_copies_of_rows_that_have_too_few_columns():
    rng = np.random.default_rng(10)
    C = copies(rng, "float64", 6, 200, 200)
    C[:150, 100:] = np.inf
    with pytest.raises(konig.InfeasibleError) as caught:
        konig.linear_assignment(C)
    allowed = np.isfinite(C[caught.value.rows]).any(axis=0)
    assert set(np.flatnonzero(allowed)) <= set(caught.value.cols)
    assert len(caught.value.cols) < len(caught.value.rows)
