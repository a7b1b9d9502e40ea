"""Tall matrices, and wide ones stored by columns: rows of the transpose are turned when they are read."""

import numpy as np
import pytest

import konig


def uniform(rng, shape):
    return rng.random(shape)


def integers(rng, shape):
    return rng.integers(-(10**6), 10**6, shape)


def narrow(rng, shape):
    return rng.integers(0, 30, shape).astype(np.int16)


def crowded(rng, shape):
    """Most columns want the same rows: all are turned."""
    return rng.random(shape) + 3 * rng.random((shape[0], 1))


def gated(rng, shape):
    C = rng.random(shape)
    C[rng.random(shape) < 0.5] = np.inf
    C[rng.permutation(shape[0])[: shape[1]], np.arange(shape[1])] = 2.0
    return C


def many_scales(rng, shape):
    return 10.0 ** (12 * rng.random((1, shape[1]))) * rng.random(shape).round(2)


def huge(rng, shape):
    return rng.random(shape) * 2.0**1000


def wide_integers(rng, shape):
    return rng.integers(-(2**60), 2**60, shape)


KINDS = [uniform, integers, narrow, crowded, gated, many_scales, huge, wide_integers]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("maximize", [False, True])
def test_a_tall_matrix_is_solved_as_its_transpose(kind, maximize):
    rng = np.random.default_rng(3)
    for _ in range(30):
        cols = int(rng.integers(3, 60))
        rows = int(cols * rng.choice([1.1, 3, 8, 20])) + 1
        C = kind(rng, (rows, cols))
        C = -C if maximize else C
        wide = konig.linear_assignment(np.ascontiguousarray(C.T), maximize=maximize)
        for given in (C, np.asfortranarray(C.T)):
            before = given.copy()
            a = konig.linear_assignment(given, maximize=maximize)
            a.verify(before)
            assert (given == before).all()
            assert a.cost == pytest.approx(wide.cost, rel=1e-12)
            assert len(a.row_ind) == cols


def test_rows_that_keep_their_smallest_cost_are_not_scanned():
    C = np.random.default_rng(4).random((2000, 60))
    a = konig.linear_assignment(C)
    a.verify(C)
    assert a.stats["row_scans"] < 60 + 15


@pytest.mark.parametrize("bad", [np.nan, -np.inf])
def test_a_bad_cost_is_named_by_its_place_in_the_array(bad):
    C = np.random.default_rng(5).random((300, 20))
    C[217, 11] = bad
    with pytest.raises(ValueError, match=r"217.*11"):
        konig.linear_assignment(C)


def test_columns_with_too_few_rows_are_a_hall_violator():
    C = np.random.default_rng(6).random((300, 20))
    C[:, 3:6] = np.inf
    C[7, 3:6] = 1.0
    with pytest.raises(konig.InfeasibleError) as refused:
        konig.linear_assignment(C)
    cols = refused.value.cols
    assert np.isfinite(C[:, cols]).any(axis=1).sum() < len(cols)
