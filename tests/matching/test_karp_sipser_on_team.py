"""Karp-Sipser as a team program: maximal anywhere, optimal on forests, as good as the sequential one."""

import numpy as np
import pytest
import scipy.sparse as sp
from cases.matrices import awkward_matrices, crowded, of_every_index_type, permuted_forests, permuted_path
from start_cases import TEAM_KNOBS, TEXTBOOK, is_maximal, size, started

import konig
from konig.lab import generators

on_every_team = pytest.mark.parametrize("knobs", TEAM_KNOBS, ids=str)


def karp_sipser(A, knobs, initial=()):
    col_of_row, row_of_col, counted = started("matching/karp_sipser", A, knobs, initial)
    assert is_maximal(A, col_of_row, row_of_col)
    assert counted["start_degree_one"] + counted["start_chosen"] == size(col_of_row) - len(initial)
    return col_of_row, row_of_col, counted


def sequential_size(A):
    return size(started("karp_sipser", A, TEXTBOOK)[0])


@on_every_team
def test_a_maximal_matching(knobs):
    for A in awkward_matrices().values():
        counted = karp_sipser(A, knobs)[2]
        assert counted["start_arc_scans"] <= 4 * A.nnz
        assert (counted["start_sweeps"] == 0) == (counted["start_chosen"] == 0)


@on_every_team
def test_all_index_types(knobs):
    A = crowded(300, 5)
    for B, ids in of_every_index_type(A):
        assert karp_sipser(B, knobs)[0].dtype == ids


@on_every_team
@pytest.mark.parametrize("trees", [1, 20])
def test_optimal_on_forests_without_a_choice(knobs, trees):
    for A in permuted_forests(20, trees, seed=3):
        col_of_row, _, counted = karp_sipser(A, knobs)
        assert size(col_of_row) == konig.maximum_matching(A).size
        assert counted["start_chosen"] == 0


@on_every_team
def test_a_long_path_is_followed_from_both_ends(knobs):
    n = 20_000
    col_of_row, _, counted = karp_sipser(permuted_path(n, seed=4), knobs)
    assert size(col_of_row) == counted["start_degree_one"] == n
    # A block goes on by itself: many vertices of the path a superstep.
    assert counted["start_supersteps"] < (n / 10 if knobs["team"] == "threads" else n)


@on_every_team
def test_choices_on_a_cycle_cost_at_most_a_pair_for_two(knobs):
    n = 500
    A = sp.diags_array([np.ones(n), np.ones(n - 1), np.ones(1)], offsets=[0, -1, n - 1]).tocsc()
    col_of_row, _, counted = karp_sipser(A, knobs)
    assert 1 <= counted["start_chosen"] < n / 4
    assert size(col_of_row) >= n - counted["start_chosen"] / 2


@on_every_team
def test_nearly_as_large_as_the_sequential_one(knobs):
    for A in (
        generators.sprand(4000, 4000, 3.0, seed=1),
        generators.permute(generators.grid(70, 70), seed=1),
        generators.permute(generators.triangulated_grid(60, 60), seed=1),
        generators.kronecker(11, 8, seed=1),
    ):
        best = sequential_size(A)
        assert size(karp_sipser(A, knobs)[0]) >= 0.985 * best


@on_every_team
def test_larger_than_the_greedy_start(knobs):
    for degree in (2.0, 3.0, 5.0, 8.0):
        A = generators.sprand(3000, 3000, degree, seed=5)
        greedy = size(started("matching/greedy", A, knobs)[0])
        assert size(karp_sipser(A, knobs)[0]) > 1.005 * greedy


@on_every_team
def test_a_matching_handed_in_is_kept(knobs):
    rng = np.random.default_rng(2)
    A = sp.random_array((300, 320), density=0.01, rng=rng, format="csr")
    kept = konig.maximum_matching(A).col_of_row.copy()
    kept[rng.random(300) < 0.5] = -1
    pairs = [(row, int(col)) for row, col in enumerate(kept) if col >= 0]
    col_of_row = karp_sipser(A, knobs, pairs)[0]
    assert np.array_equal(col_of_row[kept >= 0], kept[kept >= 0])
    # And one that leaves a list of many entries with a single unmatched row.
    n = 1000
    star = sp.csc_array(np.ones((n, 1)))
    star = sp.hstack([star, sp.eye_array(n, format="csc")[:, :-1]], format="csc")
    col_of_row, _, counted = karp_sipser(star, knobs, [(row, row + 1) for row in range(n - 1)])
    assert col_of_row[-1] == 0
    assert counted["start_degree_one"] == 1


@on_every_team
def test_hubs_are_served_in_pieces(knobs):
    n = 40_000
    # Two columns that see every row, and two rows that see every column; the rest is a matching.
    hub_rows, hub_cols = np.repeat([0, 1], n), np.tile(np.arange(n), 2)
    rows = np.r_[hub_rows, hub_cols, np.arange(2, n)]
    cols = np.r_[hub_cols, hub_rows, np.arange(2, n)]
    A = sp.coo_array((np.ones(len(rows), np.int8), (rows, cols)), shape=(n, n)).tocsc()
    A = A[np.random.default_rng(1).permutation(n)]
    col_of_row, _, counted = karp_sipser(A, knobs)
    assert size(col_of_row) >= n - 2
    assert counted["start_arc_scans"] <= 4 * A.nnz


def test_two_hundred_races_end_in_a_maximal_matching():
    A = crowded(400, 11)
    expected = sequential_size(A)
    lost = 0
    for _ in range(200):
        col_of_row, _, counted = karp_sipser(A, {"threads": 4, "team": "threads", "seed": 0})
        assert size(col_of_row) >= 0.97 * expected
        lost += counted["start_claims_lost"]
    assert lost > 0


def test_methods_on_the_shuffled_team_start_with_it_and_those_on_threads_with_a_faster_one():
    A = crowded(300, 2)
    shuffled = konig.maximum_matching(A, method="ms-bfs", init="ksm", _team="shuffled", seed=3)
    shuffled.verify(A)
    assert shuffled.stats["start_degree_one"] > 0
    threads = konig.maximum_matching(A, method="ms-bfs", init="ksm", threads=2)
    threads.verify(A)
    assert "start_degree_one" not in threads.stats
    assert "start_claims_lost" in threads.stats
