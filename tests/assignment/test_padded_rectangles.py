"""Rectangles whose rows rank the columns alike are solved as the square that they are padded to."""

import numpy as np
import pytest

import konig
from konig.assignment.auto import PADDED_COLS

ROWS, COLS = 150, 180


def alike(rng, rows, cols, kind):
    """Costs that make all rows want the same columns."""
    if kind == "prices":
        return 5 * rng.random(cols) + rng.random((rows, cols)) + rng.random((rows, 1))
    if kind == "products":
        return rng.random((rows, 1)) * rng.random(cols)
    if kind == "integers":
        return rng.integers(0, 1000, cols) + rng.integers(0, 100, (rows, cols))
    return rng.random((rows, 4)) @ rng.random((4, cols))  # of low rank


KINDS = "prices", "products", "integers", "low rank"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("stored", [np.float64, np.float32, np.int64, np.int32])
def test_the_answer_is_that_of_paths_alone(kind, maximize, stored):
    rng = np.random.default_rng(1)
    for rows, cols in ((ROWS, COLS), (COLS, ROWS), (ROWS, ROWS + 1), (ROWS, PADDED_COLS * ROWS)):
        C = alike(rng, rows, cols, kind)
        C = (C * 1000).astype(stored) if np.issubdtype(stored, np.integer) else C.astype(stored)
        a, jv = (konig.linear_assignment(C, maximize=maximize, method=method) for method in ("auto", "jv"))
        a.verify(C)
        assert a.cost == pytest.approx(jv.cost, rel=1e-12)
        longer = a.col_dual if cols > rows else a.row_dual
        assigned = a.col_ind if cols > rows else a.row_ind
        assert not np.delete(longer, assigned).any()
        assert (longer * (1 if maximize else -1) >= 0).all()


@pytest.mark.parametrize("kind", KINDS)
def test_it_spares_most_scans(kind):
    C = alike(np.random.default_rng(2), 3 * ROWS, 3 * ROWS + 20, kind)
    scans = [konig.linear_assignment(C, method=method).stats["row_scans"] for method in ("auto", "jv")]
    assert 3 * scans[0] < 2 * scans[1]


def test_uniform_costs_are_not_padded():
    C = np.random.default_rng(3).random((ROWS, COLS))
    a, jv = (konig.linear_assignment(C, method=method) for method in ("auto", "jv"))
    assert a.stats["row_scans"] == jv.stats["row_scans"]


def test_an_auction_is_held_on_a_rectangle():
    rng = np.random.default_rng(4)
    for rows, cols in ((ROWS, COLS), (COLS, ROWS)):
        C = alike(rng, rows, cols, "products")
        a = konig.linear_assignment(C, method="auction")
        a.verify(C)
        assert a.stats["bids"] > ROWS
    wide = alike(rng, ROWS, (PADDED_COLS + 1) * ROWS, "products")
    assert konig.linear_assignment(wide, method="auction").stats["bids"] == 0


def test_forbidden_pairs_stay_forbidden():
    rng = np.random.default_rng(5)
    for share in (0.1, 0.6, 0.9):
        C = alike(rng, ROWS, COLS, "prices")
        C[rng.random(C.shape) < share] = np.inf
        C[np.arange(ROWS), rng.permutation(COLS)[:ROWS]] = 9.0
        for costs in (C, np.ascontiguousarray(C.T)):
            for method in ("auto", "auction"):
                a = konig.linear_assignment(costs, method=method)
                a.verify(costs)
                assert a.cost == pytest.approx(konig.linear_assignment(costs, method="jv").cost, rel=1e-12)


@pytest.mark.parametrize("method", ["auto", "auction"])
def test_columns_that_no_row_may_have_are_left(method):
    C = alike(np.random.default_rng(6), ROWS, COLS, "prices")
    C[:, ::7] = np.inf
    a = konig.linear_assignment(C, method=method)
    a.verify(C)
    C[:, : COLS - ROWS + 1] = np.inf
    with pytest.raises(konig.InfeasibleError) as refused:
        konig.linear_assignment(C, method=method)
    allowed = np.isfinite(C[refused.value.rows]).any(axis=0)
    assert allowed.sum() < len(refused.value.rows)


def test_integers_that_a_square_would_not_hold_are_solved():
    rng = np.random.default_rng(7)
    for largest in (2**20, 2**31, 2**50, 2**58):
        C = alike(rng, ROWS, COLS, "products")
        C = (C * largest).astype(np.int64)
        for method in ("auto", "auction"):
            a = konig.linear_assignment(C, method=method)
            a.verify(C)
            assert a.gap == 0


def test_a_large_one_goes_on_after_a_core():
    rng = np.random.default_rng(8)
    C = alike(rng, 1310, 1400, "prices")
    a = konig.linear_assignment(C)
    a.verify(C)
    assert a.method == "core"
    assert a.stats["whole_solves"] == 1
    assert a.stats["paths"] < 1310
