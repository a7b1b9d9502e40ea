"""Multi-source search with atomic claims, on every CPU team."""

import numpy as np
import pytest
import scipy.sparse as sp
from cases.matrices import awkward_matrices, crowded, path
from team_cases import TEAMS

import konig
from konig.lab import generators
from konig.lab.bench.suites import by_entries
from konig.matching import programs, starting_point
from konig.matching.auto import most_steps
from konig.matching.inputs import Partial, as_graph
from konig.matching.proof import check_matching
from konig.programs import run_on_team


def solve(A, **options):
    m = konig.maximum_matching(A, method="ms-bfs", **options)
    m.verify(A)
    return m


@pytest.mark.parametrize("team", TEAMS, ids=str)
def test_awkward_matrices_on_every_team(team):
    for name, A in awkward_matrices().items():
        assert solve(A, **team).size == konig.structural_rank(A, method="hk"), name


def test_two_hundred_races_agree():
    A = crowded(200, 3)
    assert len({solve(A, threads=4).size for _ in range(200)}) == 1


@pytest.mark.parametrize("team", TEAMS, ids=str)
def test_long_lists_are_cut_into_pieces_and_searched_whole(team):
    # Column 0 lists every row; the only free row left for it after the start is past its first piece.
    n = 2000
    rows = np.r_[np.arange(n), np.arange(n - 1)]
    cols = np.r_[np.zeros(n, int), np.arange(1, n)]
    A = sp.coo_array((np.ones(len(rows)), (rows, cols)), shape=(n, n))
    initial = np.r_[np.arange(1, n), -1]
    m = solve(A, initial=initial, **team)
    assert m.size == n
    assert m.col_of_row[n - 1] == 0


def test_pairs_are_made_in_symmetric_patterns_with_triangles_alone():
    mesh = generators.delaunay(3000, seed=1)
    assert solve(mesh, threads=1).stats["symmetric"] == 2
    assert solve(generators.road_grid(50, 60, 0.65, seed=1), threads=1).stats["symmetric"] == 1
    assert solve(generators.permute(mesh, seed=1), threads=1).stats["symmetric"] == 0
    assert solve(generators.sprand(300, 200, 3.0), threads=1).stats["symmetric"] == 0


HILO = [(2, 1, 1), (1024, 32, 5), (3000, 1, 5), (3000, 2, 5), (3000, 10, 3), (4096, 256, 10), (6000, 1500, 5)]


@pytest.mark.parametrize("team", TEAMS, ids=str)
@pytest.mark.parametrize(("n", "groups", "degree"), HILO)
def test_a_full_diagonal_is_taken_before_anything_is_searched(n, groups, degree, team):
    # Their greedy matchings leave paths as long as a group: a superstep for each of very many levels.
    A = generators.hilo(n, groups, degree)
    for B in (A, sp.csr_array(A.T)):
        m = solve(B, **team)
        np.testing.assert_array_equal(m.col_of_row, np.arange(n))
        assert (m.stats["diagonal"], m.stats["start_size"], m.stats["levels"]) == (1, n, 0)


@pytest.mark.parametrize("team", TEAMS, ids=str)
def test_a_diagonal_with_holes_beside_the_sample_is_completed(team):
    n = 5000  # every fourth column is looked at
    A = sp.lil_array(generators.grid(50, 100))
    A.setdiag(1)
    for hole in range(1, n, 402):
        A[hole, hole] = 0
    A = sp.csc_array(A)
    A.eliminate_zeros()
    m = solve(A, **team)
    assert (m.stats["diagonal"], m.size) == (1, n)
    assert n - 13 <= m.stats["start_size"] <= n


def test_a_diagonal_deep_in_long_lists_is_no_hindrance():
    n = 300
    m = solve(np.triu(np.ones((n, n))), threads=2)
    assert (m.stats["diagonal"], m.size) == (0, n)  # the last columns list themselves after too many others
    m = solve(np.tril(np.ones((n, n))), threads=2)
    assert (m.stats["diagonal"], m.stats["start_size"]) == (1, n)


def test_a_matching_handed_in_comes_before_the_diagonal():
    A = sp.csc_array(generators.hilo(600, 6, 5))
    initial = np.full(600, -1)
    initial[99] = 98  # a pair beside the diagonal
    m = solve(A, initial=initial, threads=2)
    assert (m.stats["diagonal"], m.size) == (1, 600)
    assert m.stats["start_size"] < 600


def classes(entries):
    """One graph of each class of the benchmarks, as it is and, where that is another one, permuted."""
    return [
        pytest.param(instance, order, id=f"{instance.name}, {order}")
        for instance in by_entries(entries)
        for order in instance.orders
    ]


def made(instance, order):
    A = getattr(generators, instance.family)(**instance.params)
    return A if order == "none" else generators.permute(A, seed=1)


@pytest.mark.parametrize(("instance", "order"), classes(20_000))
def test_no_class_of_the_study_seems_to_have_a_diagonal(instance, order):
    assert solve(made(instance, order), threads=1).stats["diagonal"] == 0


def seems_narrow(A, levels=0):
    """Whether a search that is allowed so many levels, or as many as `auto` allows a GPU, gives up."""
    graph = as_graph(A)
    col_of_row, row_of_col = starting_point(None, graph)
    levels = levels or 16 * most_steps(graph.rows, graph.cols)
    knobs = {"counters": False, "most_steps": levels}
    task = programs.task("matching/ms_bfs", Partial(graph, col_of_row, row_of_col), knobs)
    status = run_on_team(task, {"threads": 1, "seed": 0, "team": "threads"}, None).status
    check_matching(*graph.edges(), col_of_row, row_of_col)
    if status == "maximum":
        assert np.count_nonzero(col_of_row >= 0) == konig.structural_rank(A)
    return status == "narrow"


def rolled_hilo(n, groups, degree):
    """A HiLo graph whose last row comes first: its diagonal is nearly full, and far from perfect."""
    return generators.hilo(n, groups, degree)[np.roll(np.arange(n), -1)]


@pytest.mark.parametrize(("n", "groups", "degree"), [(20_480, 32, 5), (20_480, 2, 5), (102_400, 32, 5)])
def test_a_long_and_narrow_graph_shows_in_the_first_phase(n, groups, degree):
    A = rolled_hilo(n, groups, degree)
    assert seems_narrow(A)
    assert seems_narrow(sp.csr_array(A.T))
    assert not seems_narrow(A, levels=n)


@pytest.mark.parametrize(("instance", "order"), classes(200_000))
def test_no_class_of_the_study_seems_narrow(instance, order):
    assert not seems_narrow(made(instance, order))


@pytest.mark.parametrize("order", ["natural", "permuted"])
def test_grids_and_random_graphs_do_not_seem_narrow(order):
    for A in (
        generators.grid(224, 224),
        generators.grid(8, 6250),
        generators.road_grid(277, 277, 0.65, seed=1),
        generators.rmat(scale=14),
        generators.rbg(n=40_960, groups=256, degree=5.0),
        *(generators.sprand(200_000 // d, degree=float(d), seed=1) for d in (4, 5, 8)),
    ):
        assert not seems_narrow(A if order == "natural" else generators.permute(A, seed=1))


def test_pairs_shorten_the_search_of_a_mesh():
    mesh = generators.delaunay(20_000, seed=1)
    paired = solve(mesh, threads=1).stats
    permuted = solve(generators.permute(mesh, seed=2), threads=1).stats
    assert 3 * paired["levels"] < permuted["levels"]
    assert 3 * paired["edges_scanned"] < permuted["edges_scanned"]


def test_a_long_path_is_flipped_in_several_supersteps():
    n = 20_000  # more than a walk's limit
    A, initial = path(n)
    m = solve(A, initial=initial, threads=2)
    assert m.size == n
    assert m.stats["path_edges"] == n
    assert m.stats["levels"] >= n // 8  # a worker searches up to eight levels by itself


def test_counters_can_be_left_out():
    A = generators.sprand(200, 200, 3.0)
    assert "edges_scanned" not in solve(A, counters=False).stats
    assert solve(A).stats["edges_scanned"] > 0


def test_one_worker_gives_the_same_answer_again():
    A = generators.sprand(500, 500, 3.0, seed=4)
    first, second = solve(A, threads=1), solve(A, threads=1)
    np.testing.assert_array_equal(first.col_of_row, second.col_of_row)


@pytest.mark.parametrize("ids", [np.int32, np.int64])
def test_index_types(ids):
    A = sp.csc_array(generators.sprand(300, 250, 2.0, seed=5))
    A.indices, A.indptr = A.indices.astype(ids), A.indptr.astype(np.int64)
    assert solve(A, threads=2).size == konig.structural_rank(A, method="hk")
