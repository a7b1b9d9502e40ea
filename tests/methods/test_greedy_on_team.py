"""The greedy start as a team program: a matching, maximal, on any number of workers."""

import numpy as np
import pytest
import scipy.sparse as sp

import konig
from konig import _native, certificates
from konig.graph import as_graph

TEAMS = [
    {"threads": 1, "team": "threads", "seed": 0},
    {"threads": 2, "team": "threads", "seed": 0},
    {"threads": 4, "team": "threads", "seed": 0},
    *({"threads": 1, "team": "shuffled", "seed": seed} for seed in range(5)),
]


def matrices():
    rng = np.random.default_rng(3)
    yield sp.csc_array((0, 0))
    yield sp.csc_array((0, 4))
    yield sp.csc_array((4, 0))
    yield sp.csc_array((3, 5))
    yield sp.csc_array(np.ones((7, 4)))
    yield sp.csc_array(np.ones((1, 9)))
    for _ in range(20):
        shape = tuple(int(extent) for extent in rng.integers(1, 400, 2))
        yield sp.random_array(shape, density=rng.uniform(0, 4) / max(shape), rng=rng, format="csc")


def greedy(graph, knobs, solver="greedy_on_team", initial=None):
    col_of_row = np.full(graph.rows, -1, graph.id_dtype)
    row_of_col = np.full(graph.cols, -1, graph.id_dtype)
    for row, col in initial or ():
        col_of_row[row], row_of_col[col] = col, row
    lists = graph.of_col
    counted = _native.solve(
        solver, None, None, lists.start, lists.neighbour, col_of_row, row_of_col, knobs, None
    )
    return col_of_row, row_of_col, counted


def check(graph, col_of_row, row_of_col):
    rows, cols = graph.edges()
    certificates.check_matching(rows, cols, col_of_row, row_of_col)
    assert not np.any((col_of_row[rows] < 0) & (row_of_col[cols] < 0))  # maximal


@pytest.mark.parametrize("knobs", TEAMS, ids=str)
def test_a_maximal_matching(knobs):
    for A in matrices():
        graph = as_graph(A)
        col_of_row, row_of_col, counted = greedy(graph, knobs)
        check(graph, col_of_row, row_of_col)
        assert counted["start_arc_scans"] <= A.nnz


def test_one_worker_finds_what_the_sequential_start_finds():
    for A in matrices():
        graph = as_graph(A)
        one, sequential = greedy(graph, TEAMS[0]), greedy(graph, {}, "simple_greedy")
        assert np.array_equal(one[0], sequential[0])
        assert one[2] == sequential[2]


@pytest.mark.parametrize("knobs", TEAMS, ids=str)
def test_a_matching_handed_in_is_kept(knobs):
    graph = as_graph(sp.csc_array(np.ones((6, 6))))
    col_of_row, row_of_col, _ = greedy(graph, knobs, initial=[(0, 5), (3, 2)])
    check(graph, col_of_row, row_of_col)
    assert (col_of_row[0], col_of_row[3]) == (5, 2)


@pytest.mark.parametrize("knobs", TEAMS[:4], ids=str)
def test_a_list_longer_than_a_superstep_allows_is_scanned_to_its_end(knobs):
    rows = 100_000
    rows_taken = np.arange(rows - 1)
    # The last column sees every row; all but the last row are taken by a column of their own.
    A = sp.coo_array(
        (
            np.ones(2 * rows - 1, bool),
            (np.r_[rows_taken, np.arange(rows)], np.r_[rows_taken, np.full(rows, rows - 1)]),
        ),
        shape=(rows, rows),
    ).tocsc()
    graph = as_graph(A)
    col_of_row, row_of_col, _ = greedy(graph, knobs)
    check(graph, col_of_row, row_of_col)
    initial = [(int(row), int(row)) for row in rows_taken]
    col_of_row, row_of_col, counted = greedy(graph, knobs, initial=initial)
    assert row_of_col[-1] == rows - 1
    assert counted["start_arc_scans"] == rows


def test_methods_on_a_team_start_with_it():
    A = sp.csc_array(np.ones((30, 30)))
    for team in ({"threads": 2}, {"team": "shuffled", "seed": 1}):
        m = konig.maximum_matching(A, method="apfb-gpubfs-wr-ct", init="sgm", **team)
        m.verify(A)
        assert m.stats["start_size"] == 30
        assert m.stats["iterations"] == 0
