"""One search per unmatched column: what depth first and breadth first find, and what failure costs."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import shortest_path

import konig


def from_lists(rows: int, lists: list[list[int]]) -> sp.csc_array:
    """A matrix whose columns hold these rows, scanned in this order."""
    start = np.cumsum([0, *map(len, lists)])
    return sp.csc_array((np.ones(start[-1]), np.concatenate(lists).astype(int), start), (rows, len(lists)))


LENGTH = 500


def test_depth_first_takes_the_long_way_and_breadth_first_the_short_one():
    # Column 0 leads into a chain that ends at an unmatched row, and to a column with another one.
    short, near, far = LENGTH, LENGTH + 1, LENGTH + 2
    chain = [[i, i + 1 if i + 1 < LENGTH else far] for i in range(LENGTH)]
    A = from_lists(LENGTH + 3, [[0, short], *chain, [short, near]])
    initial = np.array([*range(1, LENGTH + 1), LENGTH + 1, -1, -1])
    deep, broad = (
        konig.maximum_matching(A, method=m, init="none", initial=initial).stats for m in ("dfs", "bfs")
    )
    assert (deep["longest_path"], deep["augmentations"]) == (2 * LENGTH + 1, LENGTH)
    assert (broad["longest_path"], broad["augmentations"]) == (3, 1)


def test_breadth_first_paths_are_shortest():
    rng = np.random.default_rng(9)
    lengths = set()
    for _ in range(60):
        n = 60
        noise = sp.csc_array((np.ones(90), (rng.integers(0, n, 90), rng.integers(0, n, 90))), shape=(n, n))
        A = (sp.eye_array(n, format="csc") + noise).tolil()
        A[0, 0] = 0  # the pair that is taken apart is no longer an entry
        A = A.tocsc()
        A.eliminate_zeros()
        initial = np.array([-1, *range(1, n)])
        found = konig.maximum_matching(A, method="bfs", init="none", initial=initial)
        found.verify(A)
        # The matching is the identity, so column j leads to column i through the entry (i, j).
        steps = shortest_path(A.T.tocsr(), unweighted=True, indices=0)
        ends = A.tocsr().indices[A.tocsr().indptr[0] : A.tocsr().indptr[1]]
        nearest = steps[ends].min() if len(ends) else np.inf
        assert found.stats["paths"] == np.isfinite(nearest)
        if np.isfinite(nearest):
            assert found.stats["longest_path"] == 2 * nearest + 1
            lengths.add(found.stats["longest_path"])
    assert len(lengths) > 3


def test_lookahead_of_depth_first_sees_the_unmatched_row_behind_a_chain():
    A = from_lists(LENGTH + 1, [[0, LENGTH], *([i, (i + 1) % LENGTH] for i in range(LENGTH))])
    initial = np.array([*range(1, LENGTH + 1), -1])
    seen, missed = (
        konig.maximum_matching(A, method="dfs", init="none", initial=initial, lookahead=on).stats
        for on in (True, False)
    )
    assert (seen["search_arc_scans"], seen["lookahead_arc_scans"]) == (0, 2)
    assert (missed["search_arc_scans"], missed["lookahead_arc_scans"]) == (2 * LENGTH + 2, 0)


@pytest.mark.parametrize("method", ["dfs", "bfs"])
def test_what_a_failed_search_visited_is_not_searched_again(method):
    # Columns of the dense block, which has too few rows, take turns with columns that have a path.
    block, turns = list(range(40)), 300
    roots = [column for i in range(turns) for column in (block, [40 + 2 * i])]
    matched = [block] * 40 + [[40 + 2 * i, 41 + 2 * i] for i in range(turns)]
    A = from_lists(40 + 2 * turns, roots + matched)
    initial = np.full(A.shape[0], -1)
    initial[[*block, *range(40, A.shape[0], 2)]] = np.arange(2 * turns, A.shape[1])
    stats = konig.maximum_matching(A, method=method, init="none", initial=initial).stats
    assert (stats["paths"], stats["failed_searches"], stats["longest_path"]) == (turns, turns, 3)
    assert stats["search_arc_scans"] <= A.nnz


@pytest.mark.parametrize("method", ["dfs", "bfs"])
def test_failures_between_successes_close_nothing_that_is_still_of_use(method):
    rng = np.random.default_rng(13)
    mixed = 0
    for _ in range(200):
        A = sp.csc_array((np.ones(80), (rng.integers(0, 40, 80), rng.integers(0, 45, 80))), shape=(40, 45))
        found = konig.maximum_matching(A, method=method, init="sgm")
        found.verify(A)
        mixed += found.stats["failed_searches"] > 0 and found.stats["paths"] > 0
        assert found.stats["searches"] == found.stats["failed_searches"] + found.stats["paths"]
    assert mixed > 100


def test_wide_matrices_end_when_all_rows_are_matched():
    for method in ("dfs", "bfs"):
        stats = konig.maximum_matching(sp.csc_array(np.ones((20, 5000))), method=method).stats
        assert (stats["searches"], stats["search_arc_scans"]) == (0, 0)


@pytest.mark.parametrize(("method", "per_row", "per_col"), [("dfs", 1, 3), ("bfs", 1, 2)])
def test_memory(method, per_row, per_col):
    A = sp.csc_array(np.ones((300, 200)))
    used = konig.maximum_matching(A, method=method).stats["memory_integers_per_vertex"]
    assert used == pytest.approx((per_row * 300 + per_col * 200) / 500)
