"""Push-relabel: right on awkward inputs under every knob; each variant counts what only it would count."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import scipy.sparse as sp
from cases.matrices import awkward_matrices, wide_and_tall
from scipy.sparse.csgraph import maximum_bipartite_matching

import konig

METHODS = ("pr", "pr-fair", "pr-fair-spread")


def pattern(entries, shape):
    rows, cols = zip(*entries, strict=True) if entries else ((), ())
    return sp.csr_array((np.ones(len(rows)), (list(rows), list(cols))), shape=shape)


def uniform(m, n, per_col, seed):
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, m, n * per_col, dtype=np.int32)
    cols = np.repeat(np.arange(n, dtype=np.int32), per_col)
    return sp.csr_array((np.ones(len(rows)), (rows, cols)), shape=(m, n))


def long_chain(n):
    """Greedy leaves the last column out; the one augmenting path visits every row and column."""
    entries = [(j, j) for j in range(n)] + [(j + 1, j) for j in range(n)] + [(0, n)]
    return pattern(entries, (n + 1, n + 1))


def size_by_scipy(A):
    if 0 in A.shape:
        return 0
    return int(np.count_nonzero(maximum_bipartite_matching(sp.csr_matrix(A), perm_type="column") >= 0))


def permuted(A, seed):
    rng = np.random.default_rng(seed)
    return A[rng.permutation(A.shape[0])][:, rng.permutation(A.shape[1])]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", awkward_matrices())
def test_every_setting_on_awkward_inputs(method, name):
    A = awkward_matrices()[name]
    expected = size_by_scipy(A)
    grid = product(
        ("none", "sgm", "ksm"), ("fifo", "lifo", "lowest"), (False, True), (1, 1.5, 2, 4, 8, 1e-6, 1e6)
    )
    for init, order, gap, relabel in grid:
        m = konig.maximum_matching(A, method=method, init=init, order=order, gap=gap, relabel=relabel)
        m.verify(A)
        assert m.size == expected
        assert m.stats["retired"] == A.shape[1] - expected


@pytest.mark.parametrize("method", METHODS)
def test_random_sizes_agree_with_scipy(method):
    rng = np.random.default_rng(7)
    for seed in range(150):
        m, n = rng.integers(1, 120, 2)
        A = permuted(uniform(m, n, int(rng.integers(1, 5)), seed), seed)
        found = konig.maximum_matching(A, method=method)
        found.verify(A)
        assert found.size == size_by_scipy(A)


@pytest.mark.parametrize("method", METHODS)
def test_duplicate_entries_change_nothing(method):
    A = uniform(50, 50, 2, 9).tocoo()
    twice = sp.coo_array(
        (np.ones(2 * A.nnz), (np.tile(A.coords[0], 2), np.tile(A.coords[1], 2))), shape=A.shape
    )
    found = konig.maximum_matching(twice, method=method)
    found.verify(A)
    assert found.size == size_by_scipy(A.tocsr())


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("ids", "offsets"), [("int32", "int64"), ("int64", "int64"), ("int64", "int32")])
def test_index_types_give_the_same_pairs_and_counts(method, ids, offsets):
    A = uniform(200, 220, 3, 5)
    other = sp.csr_matrix(A.shape)
    other.data = A.data
    other.indices, other.indptr = A.indices.astype(ids), A.indptr.astype(offsets)
    narrow = konig.maximum_matching(A, method=method)
    wide = konig.maximum_matching(other, method=method)
    wide.verify(A)
    assert wide.col_of_row.dtype == ids
    assert wide.col_of_row.tolist() == narrow.col_of_row.tolist()
    for key in ("search_arc_scans", "relabel_arc_scans", "all_double_pushes"):
        assert wide.stats[key] == narrow.stats[key]


@pytest.mark.parametrize("method", METHODS)
def test_warm_start_from_a_maximum_matching_moves_nothing(method):
    A = uniform(300, 300, 3, 6)
    first = konig.maximum_matching(A, method="hk")
    again = konig.maximum_matching(A, method=method, initial=first)
    assert again.col_of_row.tolist() == first.col_of_row.tolist()
    assert again.stats["all_double_pushes"] == again.stats["search_arc_scans"] == 0


@pytest.mark.parametrize("method", METHODS)
def test_warm_start_from_part_of_a_matching_keeps_its_rows(method):
    A = uniform(300, 300, 3, 6)
    start = konig.maximum_matching(A, method="hk").col_of_row.copy()
    start[::3] = -1
    found = konig.maximum_matching(A, method=method, initial=start, init="none")
    found.verify(A)
    assert np.all(found.col_of_row[start >= 0] >= 0)


def test_defaults_are_the_papers():
    found = {m.name: {knob.name: knob.default for knob in m.options} for m in konig.methods("matching")}
    assert [found[name]["relabel"] for name in METHODS] == [4, 2, 1]
    assert all(found[name]["init"] == "sgm" and found[name]["order"] == "fifo" for name in METHODS)
    assert not any(found[name]["gap"] for name in METHODS)
    assert "fairness" not in found["pr"]


@pytest.mark.parametrize("method", METHODS)
def test_a_higher_frequency_relabels_more_often(method):
    A = uniform(3000, 3000, 3, 8)
    counts = [konig.maximum_matching(A, method=method, relabel=rf).stats for rf in (1, 2, 4, 8)]
    relabels = [c["global_relabels"] for c in counts]
    assert relabels == sorted(relabels)
    assert relabels[-1] > relabels[0] >= 1
    for c, rf in zip(counts, (1, 2, 4, 8), strict=True):
        interval = sum(A.shape) / rf
        assert (c["global_relabels"] - 1) * interval <= c["double_pushes"] <= c["global_relabels"] * interval


def test_each_order_pushes_differently():
    A = uniform(400, 400, 3, 10)
    pushes = {
        order: konig.maximum_matching(A, method="pr", order=order).stats["all_double_pushes"]
        for order in ("fifo", "lifo", "lowest")
    }
    assert len(set(pushes.values())) == 3


def test_labels_are_exact_at_the_start_so_a_chain_takes_one_push_a_column():
    n = 50
    stats = konig.maximum_matching(long_chain(n), method="pr").stats
    assert stats["all_double_pushes"] == n
    assert stats["double_pushes"] == 0  # every first edge is admissible
    assert stats["global_relabels"] == 1
    assert stats["relabel_arc_scans"] == 2 * n + 1


def crowded_hubs(hubs, cols):
    """Columns that meet all hubs and then a row of their own, and as many columns as hubs with hubs alone."""
    entries = [(hub, col) for col in range(cols + hubs) for hub in range(hubs)]
    return pattern(entries + [(hubs + col, col) for col in range(cols)], (hubs + cols, cols + hubs))


def test_fairness_finds_the_far_end_on_a_columns_second_visit():
    hubs = 10
    A = crowded_hubs(hubs, 25)
    plain, fair = (
        konig.maximum_matching(A, method=method, init="none", relabel=1).stats for method in ("pr", "pr-fair")
    )
    assert plain["all_double_pushes"] == fair["all_double_pushes"] == hubs
    # Each column that lost its hub goes past all hubs again, or comes from the other end.
    assert plain["search_arc_scans"] - fair["search_arc_scans"] == hubs * hubs


def test_fairness_by_visit_turns_between_columns():
    A = crowded_hubs(10, 25)
    scans = {
        turn: konig.maximum_matching(A, method="pr-fair", init="none", relabel=1, fairness=turn).stats[
            "search_arc_scans"
        ]
        for turn in ("column", "visit", "relabel")
    }
    plain = konig.maximum_matching(A, method="pr", init="none", relabel=1).stats["search_arc_scans"]
    assert scans["visit"] < scans["column"] < plain
    assert scans["relabel"] == plain  # one global relabelling, so no turn yet


def evicted_star(rivals):
    """The last column meets every row; the others, visited after it, evict it from the ends in turn."""
    rows = rivals + 1
    from_both_ends = [i // 2 if i % 2 == 0 else rows - 1 - i // 2 for i in range(rivals)]
    entries = [(row, rivals - 1 - i) for i, row in enumerate(from_both_ends)]
    return pattern(entries + [(row, rivals) for row in range(rows)], (rows, rows))


def test_spread_goes_on_where_a_column_left_off():
    rivals = 20
    A = evicted_star(rivals)
    fair, spread = (
        konig.maximum_matching(A, method=method, init="none", order="lifo", relabel=1).stats
        for method in ("pr-fair", "pr-fair-spread")
    )
    assert fair["all_double_pushes"] == spread["all_double_pushes"] == rivals
    assert spread["search_arc_scans"] == rivals + (rivals + 1)  # one look a visit
    assert fair["search_arc_scans"] == rivals + sum(visit // 2 + 1 for visit in range(rivals + 1))


def test_spread_skips_entries_that_cannot_be_lower():
    A = sp.csr_array(np.ones((40, 60)))
    fair, spread = (
        konig.maximum_matching(A, method=method, init="none", relabel=0.01).stats
        for method in ("pr-fair", "pr-fair-spread")
    )
    assert fair["all_double_pushes"] == spread["all_double_pushes"]
    assert spread["search_arc_scans"] < 0.9 * fair["search_arc_scans"]


def test_gap_relabelling_retires_a_block_out_of_reach_early():
    A = wide_and_tall(12)
    plain, gap = (
        konig.maximum_matching(A, method="pr", init="none", relabel=1e-6, gap=g).stats for g in (False, True)
    )
    assert plain["gap_relabels"] == 0 < gap["gap_relabels"]
    assert gap["all_double_pushes"] < plain["all_double_pushes"]


def test_gap_relabelling_finds_no_gap_where_the_start_is_maximum():
    stats = konig.maximum_matching(sp.eye_array(20, format="csr"), method="pr", gap=True).stats
    assert stats["gap_relabels"] == 0


def test_memory_is_counted_in_integers_per_vertex():
    A = uniform(100, 50, 3, 11)
    m, n = A.shape
    held = {
        method: konig.maximum_matching(A, method=method, init="none").stats["memory_integers_per_vertex"]
        for method in METHODS
    }
    assert held["pr"] == pytest.approx((2 * m + 2 * n) / (m + n))  # the paper's 2m + 2n
    assert held["pr-fair"] == pytest.approx((2 * m + 2 * n + n / 4) / (m + n))
    assert held["pr-fair-spread"] == pytest.approx((2 * m + 4 * n + n / 4) / (m + n))


def test_fairness_is_no_knob_of_pr():
    with pytest.raises(TypeError, match="fairness"):
        konig.maximum_matching(sp.eye_array(2, format="csr"), method="pr", fairness="column")
