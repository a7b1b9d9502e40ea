"""Counts that an alias of another method would fail, and what ``auto`` takes for which costs."""

import numpy as np
import pytest
from cases.costs import machol_wien

import konig
from konig.assignment.auto import CORE_ROWS


def counts(C, method):
    a = konig.linear_assignment(C, method=method, threads=1)
    a.verify(C)
    return a.stats


def test_an_auction_spares_jv_most_of_its_scans_where_rows_compete():
    C = machol_wien(200)
    jv, auction = counts(C, "jv"), counts(C, "auction")
    assert jv["bids"] == 0
    assert auction["bids"] > 200
    assert 2 * auction["row_scans"] < jv["row_scans"]


def test_a_core_is_a_small_part_of_the_costs_and_grows_by_prices():
    rng = np.random.default_rng(1)
    C = rng.random((300, 300))
    uniform = counts(C, "core")
    assert uniform["whole_solves"] == 0
    assert 8 * 300 <= uniform["core_entries"] < 60 * 300
    points = rng.random((2, 300, 2))
    C = np.linalg.norm(points[0][:, None] - points[1][None], axis=2)
    assert counts(C, "core")["pricing_rounds"] > 1
    assert counts(machol_wien(300), "core")["whole_solves"] == 1


def test_a_core_does_not_depend_on_the_threads():
    C = np.random.default_rng(2).integers(0, 100, (900, 900))
    one, many = (konig.linear_assignment(C, method="core", threads=threads) for threads in (1, 4))
    assert (one.col_ind == many.col_ind).all()
    assert (one.col_dual == many.col_dual).all()
    assert one.stats["core_entries"] == many.stats["core_entries"]


def test_auto_says_what_ran():
    rng = np.random.default_rng(3)
    assert konig.linear_assignment(rng.random((50, 50))).method == "jv"
    assert konig.linear_assignment(machol_wien(100)).method == "auction"
    assert konig.linear_assignment(rng.random((CORE_ROWS, CORE_ROWS + 100))).method == "core"


def test_an_auction_ends_at_the_scale_of_what_differs_between_columns():
    rng = np.random.default_rng(4)
    n = 300
    C = 10 * rng.random((n, 1)) + 10 * rng.random(n) + 0.01 * rng.random((n, n))
    assert counts(C, "auto")["row_scans"] < 40 * n


def test_rows_start_where_few_of_them_have_the_minima_of_columns():
    rng = np.random.default_rng(5)
    n = 164
    points = rng.random((2, n, 8))
    apart = ((points[0][:, None] - points[1][None]) ** 2).sum(axis=2)
    kernel = 1 - np.exp(-apart / 0.03)  # nearly all costs are the same
    offsets = rng.integers(0, 10**5, (n, 1)) + rng.integers(0, 10**5, n) + rng.integers(0, 7, (n, n))
    for C in (kernel, offsets):
        assert counts(C, "auto")["row_scans"] < 9 * n
        assert counts(C, "auto")["bids"] == 0


def test_rows_start_before_an_auction_where_the_first_paths_are_long():
    n = 600
    C = -(np.random.default_rng(5).random((n, n)) ** -2.7)  # a few costs are far below all others
    auto = counts(C, "auto")
    assert auto["bids"] == 0
    assert auto["row_scans"] < 15 * n


def test_rows_take_free_columns_that_tie():
    C = np.random.default_rng(6).integers(0, 2, (300, 300))
    assert counts(C, "auto")["row_reductions"] < 30


@pytest.mark.parametrize("n", [60, 100, 300])
def test_columns_take_free_rows_that_tie(n):
    C = np.random.default_rng(7).integers(0, 3, (n, n))
    assert counts(C, "auto")["row_scans"] < 1.3 * n


def test_auto_turns_to_an_auction_where_the_first_paths_are_long():
    rng = np.random.default_rng(4)
    n = 300
    C = rng.standard_normal((n, 2)) @ rng.standard_normal((2, n)) + 0.01 * rng.standard_normal((n, n))
    jv, auto = counts(C, "jv"), counts(C, "auto")
    assert auto["bids"] > n
    assert auto["row_scans"] < jv["row_scans"]


def test_few_columns_get_no_auction():
    assert konig.linear_assignment(machol_wien(64)).method == "jv"
