"""Squares whose rows want few columns, while their columns want many rows: the transpose is solved."""

import numpy as np
import pytest

import konig
from konig.assignment.auto import CORE_ROWS


def scaled(rng, n):
    """Columns of different units."""
    return rng.random((n, n)) * 10 ** rng.uniform(0, 7, n)


def padded(rng, n):
    """A rectangle made square by columns of one cost."""
    C = rng.integers(1, 10_000, (n, n))
    C[:, : n // 3] = 0
    return C


def padded_dearly(rng, n):
    """The same by columns that cost more than all others, for which rows are better off with others."""
    C = rng.random((n, n))
    C[:, n // 2 :] = 1e3
    return C


def shared(rng, n):
    """Rows rank the columns, and most agree about the best ones."""
    liked = rng.random((n, n)) + 1.2 * rng.random(n)
    return liked.argsort(axis=1).argsort(axis=1)


KINDS = [scaled, padded, padded_dearly, shared]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("maximize", [False, True])
def test_columns_that_crowd_take_the_scans_of_rows_that_do(kind, maximize):
    n = 300
    C = kind(np.random.default_rng(1), n)
    C = -C if maximize else C
    a = konig.linear_assignment(C, maximize=maximize, threads=1)
    a.verify(C)
    by_rows = np.ascontiguousarray(C.T)
    b = konig.linear_assignment(by_rows, maximize=maximize, threads=1)
    assert a.cost == pytest.approx(b.cost, rel=1e-12)
    assert a.stats["bids"] == b.stats["bids"]
    assert a.stats["row_scans"] < b.stats["row_scans"] + 4 * n


@pytest.mark.parametrize("kind", KINDS)
def test_columns_that_crowd_need_no_core(kind):
    C = kind(np.random.default_rng(2), CORE_ROWS + 20)
    for costs in (C, np.asfortranarray(C)):
        a = konig.linear_assignment(costs, threads=1)
        a.verify(C)
        assert a.method == "core"
        assert a.stats["core_entries"] == 0


def as_given(C):
    return C


def narrow(C):
    return C.astype(np.float32)


def huge(C):
    return C * 2.0**980


def wide_integers(C):
    return (C * 2.0**33).astype(np.int64)


def gated(C):
    C = C.astype(np.float64)
    C[np.random.default_rng(3).random(C.shape) < 0.3] = np.inf
    np.fill_diagonal(C, C[np.isfinite(C)].max())
    return C


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("change", [as_given, narrow, huge, wide_integers, gated])
def test_a_square_and_its_transpose_cost_the_same(kind, change):
    rng = np.random.default_rng(4)
    for n in (40, 128, 129, 200):
        C = change(kind(rng, n))
        before = C.copy()
        a = konig.linear_assignment(C)
        a.verify(before)
        assert (before == C).all()
        assert (a.row_ind == np.arange(n)).all()
        b = konig.linear_assignment(np.ascontiguousarray(C.T), threads=1)
        b.verify(before.T)
        assert a.cost == pytest.approx(b.cost, rel=1e-12)


@pytest.mark.parametrize("rows", [True, False])
def test_hall_violators_are_those_of_the_matrix(rows):
    n = 300
    C = scaled(np.random.default_rng(5), n)
    few = C[10:14] if rows else C[:, 10:14]
    few[...] = np.inf
    (few if rows else few.T)[:, 7:10] = 1.0
    with pytest.raises(konig.InfeasibleError) as refused:
        konig.linear_assignment(C)
    allowed = np.isfinite(C)
    found = refused.value
    if len(found.rows) > len(found.cols):
        assert allowed[found.rows].any(axis=0).sum() <= len(found.cols)
    else:
        assert allowed[:, found.cols].any(axis=1).sum() <= len(found.rows)
        assert len(found.cols) > len(found.rows)


def test_rows_that_want_few_columns_try_no_core():
    """|x - y| to maximise: each row wants one of the two ends, and a few paths are left."""
    for seed in range(1, 5):
        x, y = np.random.default_rng(seed).integers(0, 256, (2, CORE_ROWS + 70))
        C = np.abs(x[:, None] - y)
        a, jv = (
            konig.linear_assignment(C, maximize=True, method=method, threads=1) for method in ("auto", "jv")
        )
        a.verify(C)
        assert a.stats["bids"] == 0
        assert a.stats["paths"] == jv.stats["paths"]
