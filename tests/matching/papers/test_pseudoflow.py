"""The pseudoflow methods: right on everything, and each one what its name says."""

import numpy as np
import pytest
import scipy.sparse as sp
from cases.matrices import awkward_matrices
from scipy.sparse.csgraph import maximum_bipartite_matching, structural_rank

import konig

TREES = ("hi-wave", "hi-fifo", "lo-lifo", "lo-fifo")
FREE = ("lo-free", "hi-free")
METHODS = TREES + FREE
VARIANTS = [(name, {}) for name in METHODS] + [(name, {"bucket": "fifo"}) for name in FREE]


def solve(A, method, **options):
    found = konig.maximum_matching(A, method=method, **options)
    found.verify(A)
    return found


def pattern(rows, cols, shape):
    return sp.csr_array((np.ones(len(rows), np.int8), (rows, cols)), shape=shape)


def random_pattern(rng, rows, cols, entries):
    return pattern(rng.integers(0, rows, entries), rng.integers(0, cols, entries), (rows, cols))


def permuted(A, rng):
    return sp.csr_array(A[rng.permutation(A.shape[0])][:, rng.permutation(A.shape[1])])


@pytest.mark.parametrize(("method", "knobs"), VARIANTS)
def test_thousands_of_small_instances(method, knobs):
    rng = np.random.default_rng(20)
    for trial in range(1500):
        rows, cols = rng.integers(1, 15, 2)
        A = sp.csr_array((rng.random((rows, cols)) < rng.random() * 0.5).astype(np.int8))
        found = solve(A, method, init=("none", "sgm", "ksm")[trial % 3], **knobs)
        assert found.size == np.count_nonzero(maximum_bipartite_matching(A) >= 0)


@pytest.mark.parametrize(("method", "knobs"), VARIANTS)
@pytest.mark.parametrize("shape", [(400, 400), (250, 600), (600, 250)])
def test_sparse_instances_at_every_density(method, knobs, shape):
    rng = np.random.default_rng(21)
    for degree in (1, 2, 3, 5, 10):
        A = random_pattern(rng, *shape, degree * max(shape))
        assert solve(A, method, **knobs).size == np.count_nonzero(maximum_bipartite_matching(A) >= 0)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("shape", [(0, 0), (0, 5), (5, 0), (4, 6)])
def test_no_entries(method, shape):
    assert solve(sp.csr_array(shape, dtype=np.int8), method).size == 0


@pytest.mark.parametrize("init", ["none", "sgm", "ksm"])
@pytest.mark.parametrize(("method", "knobs"), VARIANTS)
def test_awkward_matrices(method, knobs, init):
    rng = np.random.default_rng(22)
    for name, A in awkward_matrices().items():
        size = structural_rank(sp.csr_array(A))
        for B in (A, sp.csr_array(A.T), permuted(sp.csr_array(A), rng)):
            assert solve(B, method, init=init, **knobs).size == size, name


@pytest.mark.parametrize("method", METHODS)
def test_duplicates_count_once(method):
    rows, cols = np.array([0, 0, 0, 1, 1, 2]), np.array([0, 0, 1, 0, 0, 1])
    found = konig.maximum_matching((np.r_[rows, rows], np.r_[cols, cols]), shape=(3, 3), method=method)
    assert found.size == 2


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("indices", "indptr"), [(np.int32, np.int32), (np.int32, np.int64), (np.int64, np.int64)]
)
def test_every_index_type_counts_the_same(method, indices, indptr):
    A = random_pattern(np.random.default_rng(23), 500, 480, 1500)
    expected = solve(A, method)
    B = A.copy()
    B.indices, B.indptr = A.indices.astype(indices), A.indptr.astype(indptr)
    found = solve(B, method)
    assert found.size == expected.size
    for key in ("search_arc_scans", "other_operations", "largest_tree"):
        assert found.stats[key] == expected.stats[key]


@pytest.mark.parametrize(("method", "knobs"), VARIANTS)
def test_warm_starts(method, knobs):
    rng = np.random.default_rng(24)
    A = random_pattern(rng, 400, 400, 1100)
    best = solve(A, "hk")
    warm = solve(A, method, initial=best, init="none", **knobs)
    assert warm.size == best.size
    partial = np.where(rng.random(400) < 0.5, best.col_of_row, -1)
    assert solve(A, method, initial=partial, init="none", **knobs).size == best.size


@pytest.mark.parametrize("method", METHODS)
def test_nothing_is_done_when_every_row_is_matched(method):
    stats = solve(sp.eye_array(50, 70, format="csr"), method).stats
    assert stats["other_operations"] == stats["search_arc_scans"] == 0


# What tells the variants apart. Row 0 and six columns that meet nothing else; row 1 stays unmatched.
STAR = pattern(np.zeros(6, int), np.arange(6), (2, 6))


@pytest.mark.parametrize(
    ("method", "last_to_come"), [("hi-wave", 4), ("hi-fifo", 5), ("lo-lifo", 0), ("lo-fifo", 1)]
)
def test_order_decides_who_comes_to_a_row(method, last_to_come):
    """The first column served takes the row; a tree keeps the column that came last. Highest label first, a
    stack relabels the second column served and lets it come at once, after which the tree retires; a queue
    lets all others come before the tree is served. Lowest first, all others are relabelled before one comes:
    the last of them from a stack, the first of them from a queue."""
    assert solve(STAR, method, init="none").col_of_row[0] == last_to_come


def test_lowest_first_ends_at_a_gap_where_highest_first_retires_one_column_after_the_other():
    assert solve(STAR, "lo-free", init="none").stats["splits"] == 0
    assert solve(STAR, "hi-free", init="none").stats["splits"] == 1


def test_only_highest_label_first_merges_with_trees_that_have_excess():
    """Served lowest first, all rows one label lower are in weak trees; in a queue served highest first the
    other columns of the star come while its row waits."""
    A = random_pattern(np.random.default_rng(25), 2000, 2000, 6000)
    for name, knobs in VARIANTS:
        if name.startswith("lo"):
            assert solve(A, name, init="none", **knobs).stats["strong_mergers"] == 0
    assert solve(STAR, "hi-fifo", init="none").stats["strong_mergers"] == 4
    assert solve(A, "hi-fifo", init="none").stats["strong_mergers"] > 0
    assert solve(A, "hi-free", init="none", bucket="fifo").stats["strong_mergers"] > 0


def test_free_arcs_keep_no_trees():
    A = random_pattern(np.random.default_rng(26), 2000, 2000, 6000)
    stats = {method: solve(A, method).stats for method in METHODS}
    size = solve(A, "hk").size
    for method in TREES:
        assert stats[method]["largest_tree"] > 3
        # a merger turns a whole path around
        assert stats[method]["pushes"] > 2 * stats[method]["mergers"]
    for method in FREE:
        assert stats[method]["largest_tree"] == 3
        # every other push takes an unmatched row
        gained = size - stats[method]["start_size"]
        assert stats[method]["pushes"] == stats[method]["mergers"] + gained
        assert stats[method]["memory_integers_per_vertex"] < stats["lo-lifo"]["memory_integers_per_vertex"]


def test_counts_tell_every_variant_from_every_other():
    A = random_pattern(np.random.default_rng(27), 3000, 3000, 9000)
    keys = ("search_arc_scans", "pushes", "mergers", "splits", "relabels")
    counts = [tuple(solve(A, name, **knobs).stats[key] for key in keys) for name, knobs in VARIANTS]
    assert len(set(counts)) == len(VARIANTS)
    for name in METHODS:
        stats = solve(A, name).stats
        assert stats["other_operations"] == sum(stats[key] for key in keys[1:])
