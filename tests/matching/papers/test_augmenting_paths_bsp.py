"""APFB and APsB with GPUBFS and GPUBFS-WR on the CPU teams."""

import numpy as np
import pytest
import scipy.sparse as sp
from around_a_solve import (
    Enough,
    EnoughError,
    by_two_threads,
    forks,
    in_a_forked_child,
    seconds_to_stop,
)
from cases.matrices import awkward_matrices, crowded, of_every_index_type, path, paths
from team_cases import INTERRUPTED, TEAMS

import konig

VARIANTS = [
    f"{search}-{kernel}-{width}"
    for search in ("apfb", "apsb")
    for kernel in ("gpubfs", "gpubfs-wr")
    for width in ("ct", "mt")
]


@pytest.mark.parametrize("method", VARIANTS)
@pytest.mark.parametrize("team", TEAMS, ids=lambda team: "-".join(f"{k}={v}" for k, v in team.items()))
def test_answers_carry_their_certificate(method, team):
    for name, A in awkward_matrices().items():
        for init in ("none", "sgm"):
            m = konig.maximum_matching(A, method=method, init=init, **team)
            m.verify(A)
            assert m.device == "cpu", name
            assert m.method == method


@pytest.mark.parametrize("method", VARIANTS)
def test_all_index_types(method):
    A = crowded(120, 5)
    for B, ids in of_every_index_type(A):
        m = konig.maximum_matching(B, method=method, threads=2)
        m.verify(A)
        assert m.col_of_row.dtype == ids


@pytest.mark.parametrize(
    "method", ["apfb-gpubfs-ct", pytest.param("apsb-gpubfs-wr-ct", marks=pytest.mark.long)]
)
def test_two_hundred_races_end_the_same(method):
    A = crowded(400, 11)
    expected = konig.maximum_matching(A, method="hk").size
    fixes = 0
    for _ in range(200):
        m = konig.maximum_matching(A, method=method, init="none", threads=4)
        assert m.size == expected
        fixes += m.stats["fixes"]
    m.verify(A)
    if method == "apfb-gpubfs-ct":
        assert fixes > 0  # or the instance has nothing to race for


def test_a_shuffled_solve_repeats_itself():
    A = crowded(150, 2)
    first, second = (
        konig.maximum_matching(A, method="apfb-gpubfs-ct", init="none", _team="shuffled", seed=5)
        for _ in range(2)
    )
    assert np.array_equal(first.col_of_row, second.col_of_row)
    assert first.stats["launches"] == second.stats["launches"] > 1


@pytest.mark.parametrize("method", VARIANTS)
def test_one_long_path_takes_a_level_for_each_column(method):
    A, initial = path(300)
    m = konig.maximum_matching(A, method=method, init="none", initial=initial, threads=2)
    m.verify(A)
    assert m.size == 300
    # 300 levels to the far end; then no column is unmatched and no other search is needed.
    assert list(m.stats["bfs_levels"]) == [300]
    assert m.stats["iterations"] == 1
    assert m.stats["alternations"] == 300
    assert m.stats["edges_scanned"] == A.nnz


def test_walks_longer_than_a_superstep_allows_are_resumed():
    n = 10_000  # more than twice the limit of a walk
    A, initial = path(n)
    m = konig.maximum_matching(A, method="apfb-gpubfs-ct", init="none", initial=initial, threads=2)
    m.verify(A)
    assert m.size == n
    assert m.stats["alternations"] == n
    # prepare, the levels, three supersteps for the walk, fix, prepare
    assert m.stats["supersteps"] == 1 + n + 3 + 1 + 1


def test_lists_longer_than_a_superstep_allows_are_resumed():
    rows = 100_000  # three times the limit of a scan and a bit
    A = sp.csc_array((np.ones(rows), (np.arange(rows), np.zeros(rows, int))), shape=(rows, 2))
    initial = np.full(rows, -1)
    m = konig.maximum_matching(A, method="apfb-gpubfs-ct", init="none", initial=initial, threads=2)
    m.verify(A)
    assert m.size == 1
    assert list(m.stats["bfs_levels"]) == [1, 1]
    assert m.stats["edges_scanned"] == rows
    assert m.stats["walks"] == rows


@pytest.mark.parametrize("team", [{"threads": 2}, {"_team": "shuffled", "seed": 0}], ids=str)
def test_shortest_paths_take_an_iteration_for_each_length(team):
    A, initial = paths(40)
    m = konig.maximum_matching(A, method="apsb-gpubfs-ct", init="none", initial=initial, **team)
    m.verify(A)
    assert list(m.stats["bfs_levels"]) == list(range(1, 41))
    assert m.stats["iterations"] == 40


def test_shortest_paths_stop_at_the_first_level_that_finds_one():
    # One path of a single edge and one that needs 20 levels.
    long, initial = path(20)
    A = sp.block_diag([np.ones((1, 1)), long], format="csc")
    start = np.r_[-1, initial + 1]
    start[-1] = -1
    options = {"init": "none", "initial": start, "threads": 2}
    full = konig.maximum_matching(A, method="apfb-gpubfs-ct", **options)
    shortest = konig.maximum_matching(A, method="apsb-gpubfs-ct", **options)
    assert list(full.stats["bfs_levels"]) == [20]
    assert list(shortest.stats["bfs_levels"]) == [1, 20]


@pytest.mark.parametrize("search", ["apfb", "apsb"])
def test_roots_never_cost_edges_and_save_some(search):
    # A root next to an unmatched row and to a long chain: without roots the chain is searched in vain.
    chain_rows = 50
    rows = [0, *range(1, chain_rows + 1), *range(1, chain_rows + 1)]
    cols = [0, *range(chain_rows), *range(1, chain_rows + 1)]
    A = sp.coo_array((np.ones(len(rows)), (rows, cols)), shape=(chain_rows + 1, chain_rows + 1)).tocsc()
    initial = np.r_[-1, np.arange(1, chain_rows + 1)]
    options = {"init": "none", "initial": initial, "threads": 1}
    plain = konig.maximum_matching(A, method=f"{search}-gpubfs-ct", **options)
    rooted = konig.maximum_matching(A, method=f"{search}-gpubfs-wr-ct", **options)
    assert plain.size == rooted.size == chain_rows + 1
    if search == "apfb":
        assert rooted.stats["edges_scanned"] < plain.stats["edges_scanned"]
    else:
        assert rooted.stats["edges_scanned"] <= plain.stats["edges_scanned"]


def test_apsb_with_roots_starts_one_walk_for_each_root():
    # One unmatched column that sees five unmatched rows: plain walks start from all of them.
    A = sp.csc_array(np.ones((5, 1)))
    options = {"init": "none", "threads": 1}
    assert konig.maximum_matching(A, method="apsb-gpubfs-ct", **options).stats["walks"] == 5
    assert konig.maximum_matching(A, method="apfb-gpubfs-wr-ct", **options).stats["walks"] == 5
    assert konig.maximum_matching(A, method="apsb-gpubfs-wr-ct", **options).stats["walks"] == 1


def test_one_worker_for_each_column_is_not_more_than_there_are_columns():
    A = sp.csc_array(np.ones((5, 2)))
    assert konig.maximum_matching(A, method="apfb-gpubfs-ct", threads=4).stats["workers"] == 4
    assert konig.maximum_matching(A, method="apfb-gpubfs-mt", threads=4).stats["workers"] == 2


def test_counters_can_be_left_out():
    A = crowded(60, 1)
    m = konig.maximum_matching(A, method="apfb-gpubfs-ct", counters=False, threads=2)
    m.verify(A)
    assert not {"edges_scanned", "walks", "alternations", "fixes"} & m.stats.keys()
    assert m.stats["iterations"] == len(m.stats["bfs_levels"])


def test_names_of_the_other_paper():
    A = np.ones((3, 3))
    assert konig.maximum_matching(A, method="g-hk").method == "apsb-gpubfs-wr-ct"
    assert konig.maximum_matching(A, method="g-hkdw").method == "apfb-gpubfs-wr-ct"


def test_progress_is_reported():
    A, initial = path(80_000)  # some fifty launches
    report = Enough(3)

    with pytest.raises(EnoughError):
        konig.maximum_matching(
            A, method="apfb-gpubfs-ct", init="none", initial=initial, threads=2, progress=report
        )
    assert report.seen[-1] == (79_999, 80_000)
    konig.maximum_matching(np.eye(3), method="apfb-gpubfs-ct", threads=2).verify(np.eye(3))


@pytest.mark.parametrize("options", [{"threads": 1}, {"threads": 4}, {"_team": "shuffled"}], ids=str)
def test_an_interrupt_ends_the_solve_and_leaves_the_process_usable(options):
    code = INTERRUPTED.replace("{options}", repr(options)).replace("{method}", "apfb-gpubfs-ct")
    assert seconds_to_stop(code, 0.2) < 0.2


@forks
def test_a_forked_child_can_solve():
    A = crowded(200, 9)
    expected = konig.maximum_matching(A, method="apfb-gpubfs-ct", threads=4).size
    assert in_a_forked_child(
        lambda: konig.maximum_matching(A, method="apfb-gpubfs-ct", threads=4).size == expected
    )


def test_two_python_threads_can_solve_at_once():
    A = crowded(300, 4)
    expected = konig.maximum_matching(A, method="hk").size
    options = {"method": "apfb-gpubfs-wr-ct", "init": "none", "threads": 2}
    assert set(by_two_threads(lambda: konig.maximum_matching(A, **options).size, 20)) == {expected}
