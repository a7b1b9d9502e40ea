"""What auto runs on one thread: each step ends what it is for, within its budget, and proves it."""

import numpy as np
import pytest
import scipy.sparse as sp

import konig
from konig.lab import generators
from konig.lab.generators.pattern import renumber
from konig.lab.wild import Request, draw


def solve(A, **options):
    """The answer for every orientation, checked; the one for the rows."""
    for B in (A.tocsc(), A.tocoo()):
        konig.maximum_matching(B, threads=1, **options).verify(A)
    m = konig.maximum_matching(A.tocsr(), threads=1, **options)
    m.verify(A)
    assert len(m.cover) == m.size
    return m


def searched(m):
    """Entries that the searches scanned."""
    return sum(m.stats[key] for key in ("bounded_arc_scans", "search_arc_scans", "lookahead_arc_scans"))


def test_a_greedy_start_that_is_maximum_ends_the_run():
    wide = sp.csr_array(np.ones((3, 9)))
    empty_rows = sp.csr_array(np.diag([1, 0, 1, 0, 1]))
    for A in (sp.eye_array(1000, format="csr"), wide, wide.T, empty_rows, sp.csr_array((4, 5))):
        m = solve(A)
        assert (m.method, m.size, searched(m)) == ("bfs", m.stats["start_size"], 0)


def test_a_full_side_ends_the_greedy_start():
    # Of a thousand rows that all list three columns the first three take them, and no other is scanned.
    assert solve(sp.csr_array(np.ones((1000, 3)))).stats["start_arc_scans"] <= 6


def test_what_greedy_misses_in_a_mesh_is_found_close_by():
    A = generators.delaunay(20_000, seed=1)
    m = solve(A)
    assert m.method == "bfs"
    assert m.size - m.stats["start_size"] > 100
    assert searched(m) < A.nnz / 2


def test_permuted_rows_of_a_mesh_are_matched_by_depth_first_phases():
    A = generators.permute(generators.delaunay(20_000, seed=1), cols=False, seed=2)
    m = solve(A)
    assert (m.method, m.stats["init"]) == ("pfp", "sgm")
    assert 1 <= m.stats["phases"] <= 4
    assert searched(m) < 6 * A.nnz


@pytest.mark.parametrize("flip", [0.0, 0.5, 0.9])
def test_lists_of_a_mesh_that_lead_one_way_take_no_more_than_sorted_ones(flip):
    mesh = generators.generate("triangulated_grid", 1, nx=150, flip=flip)
    for kept in (renumber(mesh, seed=2), renumber(mesh, seed=3)):
        m = konig.maximum_matching(kept, threads=1)
        m.verify(kept)
        assert (m.method, m.stats["init"]) == ("pfp", "sgm")
        assert searched(m) < 6 * kept.nnz


@pytest.mark.parametrize("degree", [3.0, 5.0])
def test_sparse_random_graphs_go_to_karp_sipser_at_once(degree):
    A = generators.sprand(20_000, degree=degree, seed=1)
    m = solve(A)
    assert (m.method, m.stats["init"], m.stats["given_up_arc_scans"]) == ("ms-bfs-graft", "ksm", 0)


def test_dense_random_graphs_parts_and_hubs_do_not():
    # Few searches promise little; searches in small parts run dry; and around hubs a path is close by.
    dense = generators.sprand(10_000, degree=30.0, seed=1)
    parts = sp.block_diag([generators.sprand(30, degree=3.0, seed=k) for k in range(300)], format="csr")
    for A in (dense, parts, generators.kronecker(12, 8, seed=1)):
        m = solve(A)
        assert m.stats["init"] == "sgm"
        assert searched(m) < 2 * A.nnz


def test_searches_that_are_too_long_give_way_to_karp_sipser():
    A = generators.permute(generators.hilo(4000, 20, 6), seed=1)
    m = solve(A)
    assert (m.method, m.stats["init"], m.size) == ("ms-bfs-graft", "ksm", 4000)
    assert m.stats["given_up_arc_scans"] < 12 * A.nnz


def test_graphs_that_spread_once_near_paths_are_taken_go_to_karp_sipser():
    # [[chain, B'], [B, 0]]: greedy matches the chain with itself, and the constraints with nothing.
    n, constraints = 40_000, 23_000
    chain = sp.diags_array([1.0] * 3, offsets=[0, 1, -1], shape=(n, n))
    rows = np.repeat(np.arange(constraints), 3)
    cols = np.random.default_rng(1).integers(0, n, len(rows))
    B = sp.csr_array((np.ones(len(rows)), (rows, cols)), shape=(constraints, n))
    A = sp.csr_array(sp.block_array([[chain, B.T], [B, None]]))
    m = solve(A)
    assert (m.method, m.stats["init"]) == ("ms-bfs-graft", "ksm")
    assert 0 < m.stats["given_up_arc_scans"] < 2 * A.nnz


def drawn(seed, number, most=2_000_000):
    return draw(Request("matching", seed=seed, number=number, least=1000, most=most)).data


@pytest.mark.parametrize("turn", [False, True])
def test_in_karp_sipser_the_side_in_order_chooses(turn):
    # A honeycomb with permuted rows: choices in their order leave 300 pairs, choices by columns none.
    A = drawn(77001, 38)
    m = solve(A.T.tocsr() if turn else A)
    assert (m.method, m.stats["init"]) == ("ms-bfs-graft", "ksm")
    assert m.stats["start_size"] == m.size


def test_a_start_that_is_maximum_is_proved_by_searches_though_they_spread():
    # 716 rows are left that share the columns of others, and nothing unmatched is in reach of them.
    A = drawn(610233, 74, most=400_000)
    m = solve(A)
    assert (m.size, m.stats["init"]) == (m.stats["start_size"], "sgm")
    assert searched(m) < 4 * A.nnz


def test_few_roots_among_many_unmatched_are_searched_from_though_the_graph_spreads():
    # A fifth of the rows is empty, so that columns are left over: from any root one is near by.
    rng = np.random.default_rng(1)
    n, degree = 30_000, 6
    rows = np.repeat(np.flatnonzero(rng.random(n) > 0.2), degree)
    cols = rng.integers(0, n, len(rows))
    m = solve(sp.csr_array((np.ones(len(rows)), (rows, cols)), shape=(n, n)))
    assert (m.method, m.stats["init"]) == ("bfs", "sgm")
    assert m.size - m.stats["start_size"] > 500
    assert searched(m) < len(rows) / 4


def test_searches_given_up_count_against_the_budget():
    # Many columns around hubs: 538 of 1,762 searches reach the bound, and would scan seven times the entries.
    A = drawn(40417, 5)
    m = solve(A)
    assert m.stats["init"] == "sgm"
    assert searched(m) < 3 * A.nnz


def test_push_relabel_ends_what_grafting_scans_too_often():
    # A triangle with gaps on its diagonal: paths are long, and trees grow and die many times.
    rng = np.random.default_rng(5)
    n, entries = 12_000, 72_000
    rows = rng.integers(0, n, entries)
    cols = np.minimum(rows + np.exp(rng.uniform(0, np.log(n), entries)).astype(int), n - 1)
    diagonal = np.flatnonzero(rng.random(n) < 0.99)
    pairs = np.r_[rows, diagonal], np.r_[cols, diagonal]
    A = generators.permute(sp.coo_array((np.ones(len(pairs[0])), pairs), (n, n)).tocsr(), seed=1)
    m = solve(A)
    assert (m.method, m.stats["init"]) == ("pr", "ksm")
    model = konig.maximum_matching(A, method="ms-bfs-graft", init="ksm")
    assert model.stats["bfs_arc_scans"] > 1.5 * m.stats["bfs_arc_scans"]
    assert m.size == model.size


def test_push_relabel_takes_over_before_grafting_scans_all_entries_again_and_again():
    # Points that dominate each other: dense, and each phase finds few of the paths that Karp-Sipser missed.
    points = np.random.default_rng(1).random((800, 2))
    A = sp.csr_array((points[:, None, :] < points[None, :, :]).all(axis=2).astype(np.int8))
    m = solve(A)
    assert (m.method, m.stats["init"]) == ("pr", "ksm")
    assert m.stats["bfs_arc_scans"] + m.stats["graft_arc_scans"] < 2.5 * A.nnz
    assert m.stats["search_arc_scans"] + m.stats["relabel_arc_scans"] < 4 * A.nnz


def test_a_matching_that_was_given_is_kept_where_karp_sipser_would_start_afresh():
    A = generators.permute(generators.hilo(4000, 20, 6), seed=1)
    initial = np.full(4000, -1)
    initial[0] = A.indices[0]
    m = solve(A, initial=initial)
    assert m.method in ("ms-bfs-graft", "pr")
    assert (m.stats["init"], m.size) == ("sgm", 4000)


def test_searches_begin_on_the_side_with_fewer_unmatched():
    # Two thirds of the rows stay unmatched. From the columns, which are the shorter side, few searches are
    # left; the rows would have all their entries scanned.
    rng = np.random.default_rng(3)
    rows, cols = 30_000, 10_000
    pairs = np.arange(rows).repeat(2), rng.integers(0, cols, 2 * rows)
    A = sp.coo_array((np.ones(2 * rows), pairs), (rows, cols)).tocsr()
    m = konig.maximum_matching(A, threads=1)
    m.verify(A)
    assert m.size < cols
    assert m.stats["seconds"]["transpose"] > 0
    assert searched(m) < A.nnz / 2


@pytest.mark.parametrize("turn", [False, True])
def test_roots_that_stay_unmatched_are_searched_from_once(turn):
    # A quarter of the columns serves half of the rows: a quarter of the rows is left, in one large part.
    rng = np.random.default_rng(1)
    n, entries = 20_000, 120_000
    rows = rng.integers(0, n, entries)
    cols = (rng.random(entries) * np.where(rows < n // 2, n // 4, n)).astype(int)
    A = sp.coo_array((np.ones(entries), (rows, cols)), (n, n)).tocsr()
    A = A.T.tocsr() if turn else A
    m = solve(A)
    assert m.size < 0.9 * n
    assert sum(scans for count, scans in m.stats.items() if count.endswith("arc_scans")) < 5 * A.nnz


def test_a_cover_is_found_without_the_graph():
    A = generators.sprand(3000, degree=2.0, seed=5)
    m = solve(A)
    assert m.size < 3000
    assert m.graph.marks.nbytes == 3000  # a byte for each vertex of a side, not the lists
