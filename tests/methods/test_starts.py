"""The matchings to start from: simple greedy and Karp-Sipser."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import konig
from konig import _native
from konig.certificates import check_matching
from konig.graph import as_graph
from konig.registry import STARTS

every_start = pytest.mark.parametrize("start", ["sgm", "ksm"])


def started(start: str, A: sp.sparray, initial: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The partners after the start alone."""
    graph = as_graph(A)
    col_of_row = (
        np.full(graph.rows, -1, graph.id_dtype) if initial is None else initial.astype(graph.id_dtype)
    )
    row_of_col = np.full(graph.cols, -1, graph.id_dtype)
    matched = np.flatnonzero(col_of_row >= 0)
    row_of_col[col_of_row[matched]] = matched
    lists = (graph.of_row.start, graph.of_row.neighbour, graph.of_col.start, graph.of_col.neighbour)
    solver, settings = STARTS[start].solver, dict(STARTS[start].settings)
    _native.solve(solver, *lists, col_of_row, row_of_col, settings, None)
    check_matching(*graph.edges(), col_of_row, row_of_col)
    return col_of_row, row_of_col


def is_maximal(A: sp.sparray, col_of_row: np.ndarray, row_of_col: np.ndarray) -> bool:
    rows, cols = as_graph(A).edges()
    return not ((col_of_row[rows] < 0) & (row_of_col[cols] < 0)).any()


def size(mates: tuple[np.ndarray, np.ndarray]) -> int:
    return int(np.count_nonzero(mates[0] >= 0))


def random_forest(vertices: int, rng: np.random.Generator, trees: int = 1) -> sp.csr_array:
    """A random recursive forest; a vertex is a row or a column by the parity of its depth."""
    parent = np.array([-1 if v < trees else rng.integers(0, v) for v in range(vertices)])
    depth = np.zeros(vertices, int)
    for v in range(trees, vertices):
        depth[v] = depth[parent[v]] + 1
    side = depth % 2
    place = np.where(side == 0, np.cumsum(side == 0), np.cumsum(side == 1)) - 1
    child = np.arange(trees, vertices)
    above = parent[trees:]
    rows = np.where(side[child] == 0, place[child], place[above])
    cols = np.where(side[child] == 1, place[child], place[above])
    return sp.csr_array((np.ones(len(child)), (rows, cols)), shape=((side == 0).sum(), (side == 1).sum()))


@every_start
def test_starts_are_maximal_matchings(start):
    rng = np.random.default_rng(1)
    for _ in range(200):
        rows, cols = rng.integers(1, 30, 2)
        k = int(rng.integers(0, 80))
        A = sp.coo_array((np.ones(k), (rng.integers(0, rows, k), rng.integers(0, cols, k))), (rows, cols))
        assert is_maximal(A, *started(start, A))


@every_start
def test_a_warm_start_is_grown_not_replaced(start):
    rng = np.random.default_rng(2)
    A = sp.random_array((300, 320), density=0.01, rng=rng, format="csr")
    best = konig.maximum_matching(A)
    kept = best.col_of_row.copy()
    kept[rng.random(300) < 0.5] = -1
    col_of_row, row_of_col = started(start, A, kept)
    assert is_maximal(A, col_of_row, row_of_col)
    np.testing.assert_array_equal(col_of_row[kept >= 0], kept[kept >= 0])


@pytest.mark.parametrize("trees", [1, 20])
def test_karp_sipser_is_optimal_on_forests(trees):
    rng = np.random.default_rng(3)
    worse = 0
    for _ in range(40):
        A = random_forest(int(rng.integers(2 * trees, 400)), rng, trees)
        A = A[rng.permutation(A.shape[0])][:, rng.permutation(A.shape[1])]
        best = konig.maximum_matching(A).size
        assert size(started("ksm", A)) == best
        worse += size(started("sgm", A)) < best
    assert worse > 0


def test_karp_sipser_is_optimal_on_paths_where_greedy_is_not():
    n = 3000
    rng = np.random.default_rng(4)
    A = sp.diags_array([np.ones(n), np.ones(n - 1)], offsets=[0, -1]).tocsr()
    A = A[rng.permutation(n)][:, rng.permutation(n)]
    assert size(started("ksm", A)) == n
    assert size(started("sgm", A)) < n


def test_karp_sipser_beats_greedy_on_random_graphs():
    rng = np.random.default_rng(5)
    n = 3000
    for per_col in (2, 3, 4, 5, 8):
        A = sp.csc_array(
            (np.ones(per_col * n), (rng.integers(0, n, per_col * n), np.repeat(np.arange(n), per_col))),
            shape=(n, n),
        )
        assert size(started("ksm", A)) > size(started("sgm", A))


def test_karp_sipser_scans_each_list_at_most_twice():
    A = sp.random_array((2000, 2000), density=0.002, rng=np.random.default_rng(6), format="csr")
    assert konig.maximum_matching(A, method="hk", init="ksm").stats["start_arc_scans"] <= 4 * A.nnz


@every_start
def test_duplicates_and_empty_sides(start):
    A = sp.coo_array((np.ones(6), ([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1])), shape=(3, 3))
    assert is_maximal(A, *started(start, A))
    for shape in ((0, 0), (0, 4), (4, 0)):
        assert size(started(start, sp.csr_array(shape))) == 0


@every_start
def test_the_size_of_the_start_is_reported(start):
    A = sp.random_array((200, 200), density=0.02, rng=np.random.default_rng(7), format="csr")
    assert konig.maximum_matching(A, method="hk", init=start).stats["start_size"] == size(started(start, A))
