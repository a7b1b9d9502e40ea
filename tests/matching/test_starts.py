"""The matchings to start from: simple greedy and Karp-Sipser."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from cases.matrices import permuted_forests, permuted_path
from start_cases import TEXTBOOK, is_maximal, size, started

import konig
from konig.matching.methods import STARTS

every_start = pytest.mark.parametrize("start", ["sgm", "ksm"])


def sequential(start: str, A: sp.sparray, initial: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The partners after the start alone."""
    pairs = () if initial is None else [(row, col) for row, col in enumerate(initial) if col >= 0]
    return started(STARTS[start].solver, A, TEXTBOOK, pairs)[:2]


def sequential_size(start: str, A: sp.sparray) -> int:
    return size(sequential(start, A)[0])


@every_start
def test_starts_are_maximal_matchings(start):
    rng = np.random.default_rng(1)
    for _ in range(200):
        rows, cols = rng.integers(1, 30, 2)
        k = int(rng.integers(0, 80))
        A = sp.coo_array((np.ones(k), (rng.integers(0, rows, k), rng.integers(0, cols, k))), (rows, cols))
        assert is_maximal(A, *sequential(start, A))


@every_start
def test_a_warm_start_is_grown_not_replaced(start):
    rng = np.random.default_rng(2)
    A = sp.random_array((300, 320), density=0.01, rng=rng, format="csr")
    best = konig.maximum_matching(A)
    kept = best.col_of_row.copy()
    kept[rng.random(300) < 0.5] = -1
    col_of_row, row_of_col = sequential(start, A, kept)
    assert is_maximal(A, col_of_row, row_of_col)
    np.testing.assert_array_equal(col_of_row[kept >= 0], kept[kept >= 0])


@pytest.mark.parametrize("trees", [1, 20])
def test_karp_sipser_is_optimal_on_forests(trees):
    worse = 0
    for A in permuted_forests(40, trees, seed=3):
        best = konig.maximum_matching(A).size
        assert sequential_size("ksm", A) == best
        worse += sequential_size("sgm", A) < best
    assert worse > 0


def test_karp_sipser_is_optimal_on_paths_where_greedy_is_not():
    A = permuted_path(3000, seed=4)
    assert sequential_size("ksm", A) == 3000
    assert sequential_size("sgm", A) < 3000


def test_karp_sipser_beats_greedy_on_random_graphs():
    rng = np.random.default_rng(5)
    n = 3000
    for per_col in (2, 3, 4, 5, 8):
        A = sp.csc_array(
            (np.ones(per_col * n), (rng.integers(0, n, per_col * n), np.repeat(np.arange(n), per_col))),
            shape=(n, n),
        )
        assert sequential_size("ksm", A) > sequential_size("sgm", A)


def test_karp_sipser_scans_each_list_at_most_twice():
    A = sp.random_array((2000, 2000), density=0.002, rng=np.random.default_rng(6), format="csr")
    assert konig.maximum_matching(A, method="hk", init="ksm").stats["start_arc_scans"] <= 4 * A.nnz


@every_start
def test_duplicates_and_empty_sides(start):
    A = sp.coo_array((np.ones(6), ([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1])), shape=(3, 3))
    assert is_maximal(A, *sequential(start, A))
    for shape in ((0, 0), (0, 4), (4, 0)):
        assert sequential_size(start, sp.csr_array(shape)) == 0


@every_start
def test_the_size_of_the_start_is_reported(start):
    A = sp.random_array((200, 200), density=0.02, rng=np.random.default_rng(7), format="csr")
    assert konig.maximum_matching(A, method="hk", init=start).stats["start_size"] == sequential_size(start, A)
