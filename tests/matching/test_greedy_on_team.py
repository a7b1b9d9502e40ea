"""The greedy start as a team program: a matching, maximal, on any number of workers."""

import numpy as np
import pytest
import scipy.sparse as sp
from cases.matrices import awkward_matrices
from start_cases import TEAM_KNOBS, is_maximal, started

import konig


def greedy(A, knobs, solver="matching/greedy", initial=()):
    col_of_row, row_of_col, counted = started(solver, A, knobs, initial)
    assert is_maximal(A, col_of_row, row_of_col)
    return col_of_row, row_of_col, counted


@pytest.mark.parametrize("knobs", TEAM_KNOBS, ids=str)
def test_a_maximal_matching(knobs):
    for A in awkward_matrices().values():
        assert greedy(A, knobs)[2]["start_arc_scans"] <= A.nnz


def test_one_worker_finds_what_the_sequential_start_finds():
    for A in awkward_matrices().values():
        one, sequential = greedy(A, TEAM_KNOBS[0]), greedy(A, {"threads": 1}, "greedy")
        assert np.array_equal(one[0], sequential[0])
        assert one[2]["start_arc_scans"] == sequential[2]["start_arc_scans"]


@pytest.mark.parametrize("knobs", TEAM_KNOBS, ids=str)
def test_a_matching_handed_in_is_kept(knobs):
    col_of_row = greedy(sp.csc_array(np.ones((6, 6))), knobs, initial=[(0, 5), (3, 2)])[0]
    assert (col_of_row[0], col_of_row[3]) == (5, 2)


@pytest.mark.parametrize("knobs", TEAM_KNOBS[:4], ids=str)
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
    greedy(A, knobs)
    initial = [(int(row), int(row)) for row in rows_taken]
    _, row_of_col, counted = greedy(A, knobs, initial=initial)
    assert row_of_col[-1] == rows - 1
    assert counted["start_arc_scans"] == rows


def test_methods_on_a_team_start_with_it():
    A = sp.csc_array(np.ones((30, 30)))
    for team in ({"threads": 2}, {"_team": "shuffled", "seed": 1}):
        m = konig.maximum_matching(A, method="apfb-gpubfs-wr-ct", init="sgm", **team)
        m.verify(A)
        assert m.stats["start_size"] == 30
        assert m.stats["iterations"] == 0
