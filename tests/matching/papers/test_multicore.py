"""p-hk, p-pfp and p-dbfs: the multicore methods of Azad et al. 2012."""

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
from cases.matrices import awkward_matrices, crowded, path, paths

import konig

METHODS = ("p-hk", "p-pfp", "p-dbfs")
VARIANTS = [("p-hk", {}), ("p-pfp", {}), ("p-pfp", {"lookahead": False}), ("p-dbfs", {})]
every_method = pytest.mark.parametrize("method", METHODS)
every_variant = pytest.mark.parametrize(
    ("method", "knobs"), VARIANTS, ids=lambda v: v if isinstance(v, str) else "-".join(v)
)
every_team = pytest.mark.parametrize("threads", [1, 2, 4])

COUNTED = {"phases", "search_arc_scans", "paths", "augmentations", "longest_path"}


def random_pattern(rows, cols, entries, seed):
    rng = np.random.default_rng(seed)
    at = (rng.integers(0, rows, entries), rng.integers(0, cols, entries))
    return sp.csc_array((np.ones(entries), at), shape=(rows, cols))


def counts(stats):
    return {key: stats[key] for key in COUNTED | {"levels", "bfs_arc_scans"} if key in stats}


@every_team
@every_variant
def test_awkward_matrices_are_solved_and_proved(method, knobs, threads):
    for name, A in awkward_matrices().items():
        expected = konig.maximum_matching(A, method="hk").size
        for init in ("none", "sgm"):
            for B in (A, sp.csr_array(A.T)):
                m = konig.maximum_matching(B, method=method, init=init, threads=threads, **knobs)
                m.verify(B)
                assert m.size == expected, name


@every_team
@every_variant
def test_random_matrices_are_solved_and_proved(method, knobs, threads):
    rng = np.random.default_rng(threads)
    for seed in range(60):
        rows, cols, entries = (int(x) for x in rng.integers((1, 1, 0), (100, 100, 300)))
        A = random_pattern(rows, cols, entries, seed)
        m = konig.maximum_matching(A, method=method, init="none", threads=threads, **knobs)
        m.verify(A)


@every_team
@every_variant
def test_levels_wide_enough_to_be_shared(method, knobs, threads):
    A = random_pattern(6000, 6000, 16_000, 5)
    m = konig.maximum_matching(A, method=method, init="none", threads=threads, **knobs)
    m.verify(A)
    assert m.stats["workers"] == threads
    assert m.stats["paths"] == m.size
    if threads == 1:
        assert m.stats["claims_lost"] == 0


@every_variant
def test_two_hundred_races_end_the_same(method, knobs):
    A = crowded(400, 11)
    expected = konig.maximum_matching(A, method="hk").size
    for _ in range(200):
        m = konig.maximum_matching(A, method=method, init="none", threads=4, **knobs)
        assert m.size == expected
        m.verify(A)


@every_team
@every_variant
def test_a_path_through_a_hundred_thousand_columns(method, knobs, threads):
    A, initial = path(100_000)
    m = konig.maximum_matching(A, method=method, init="none", initial=initial, threads=threads, **knobs)
    m.verify(A)
    assert m.size == 100_000
    assert m.stats["paths"] == m.stats["phases"] == 1
    assert m.stats["augmentations"] == 99_999
    assert m.stats["longest_path"] == 199_999


@every_method
@pytest.mark.parametrize(
    ("ids", "offsets"), [(np.int32, np.int32), (np.int32, np.int64), (np.int64, np.int64)]
)
def test_index_types(method, ids, offsets):
    A = crowded(300, 5)
    A.indices, A.indptr = A.indices.astype(ids), A.indptr.astype(offsets)
    m = konig.maximum_matching(A, method=method, init="none", threads=2)
    m.verify(A)
    assert m.col_of_row.dtype == ids


@every_team
@every_variant
def test_a_warm_start_leaves_only_what_is_missing(method, knobs, threads):
    A = crowded(300, 8)
    best = konig.maximum_matching(A)
    again = konig.maximum_matching(A, method=method, init="none", initial=best, threads=threads, **knobs)
    assert again.stats["paths"] == 0
    np.testing.assert_array_equal(again.col_of_row, best.col_of_row)
    broken = best.col_of_row.copy()
    broken[::7] = -1
    repaired = konig.maximum_matching(A, method=method, init="none", initial=broken, threads=threads, **knobs)
    repaired.verify(A)
    assert repaired.stats["paths"] == best.size - np.count_nonzero(broken >= 0)


@every_method
def test_the_start_is_greedy_unless_told_otherwise(method):
    A = crowded(200, 3)
    started = konig.maximum_matching(A, method=method, threads=1).stats["start_size"]
    assert started == konig.maximum_matching(A, method="hk", init="sgm").stats["start_size"]


# One worker does what the sequential method does, to the last entry looked at.


@pytest.mark.parametrize("init", ["none", "sgm"])
@pytest.mark.parametrize(
    ("method", "sequential", "knobs"),
    [("p-hk", "hk", {}), ("p-pfp", "pfp", {}), ("p-pfp", "pfp", {"lookahead": False})],
    ids=["p-hk", "p-pfp", "p-pfp without lookahead"],
)
def test_one_worker_repeats_the_sequential_method(method, sequential, knobs, init):
    for seed in range(30):
        A = random_pattern(250, 250, 800, seed)
        one = konig.maximum_matching(A, method=method, init=init, threads=1, **knobs)
        model = konig.maximum_matching(A, method=sequential, init=init, **knobs)
        assert counts(one.stats) == counts(model.stats)
        assert one.stats.get("lookahead_arc_scans") == model.stats.get("lookahead_arc_scans")
        np.testing.assert_array_equal(one.col_of_row, model.col_of_row)


def disjoint_trees(A):
    """The phases of p-dbfs with one worker, in plain Python: what it must count, and its matching."""
    lists = [A.indices[A.indptr[c] : A.indptr[c + 1]].tolist() for c in range(A.shape[1])]
    col_of_row, row_of_col = [-1] * A.shape[0], [-1] * A.shape[1]
    seen = dict.fromkeys(COUNTED, 0)

    def grow(root, closed):
        parent, queue = {root: -1}, [root]
        for col in queue:
            for row in lists[col]:
                seen["search_arc_scans"] += 1
                if row in closed:
                    continue
                closed.add(row)
                if col_of_row[row] < 0:
                    return flip(parent, col, row)
                parent[col_of_row[row]] = col
                queue.append(col_of_row[row])
        return False

    def flip(parent, col, row):
        columns = 0
        while col >= 0:
            row_of_col[col], row, taken = row, row_of_col[col], row
            col_of_row[taken] = col
            col, columns = parent[col], columns + 1
        seen["paths"] += 1
        seen["augmentations"] += columns - 1
        seen["longest_path"] = max(seen["longest_path"], 2 * columns - 1)
        return True

    found = True
    while found and seen["paths"] < min(A.shape):
        closed, found = set(), False
        for root in [col for col, row in enumerate(row_of_col) if row < 0]:
            if seen["paths"] < min(A.shape):
                found |= grow(root, closed)
        seen["phases"] += found
    return seen, col_of_row


def test_one_worker_grows_the_disjoint_trees_of_a_plain_model():
    for seed in range(30):
        A = random_pattern(200, 180 + seed, 600, seed)
        m = konig.maximum_matching(A, method="p-dbfs", init="none", threads=1)
        model, col_of_row = disjoint_trees(A)
        assert counts(m.stats) == model
        assert m.col_of_row.tolist() == col_of_row


# Counters that tell each method from the others.


@every_team
def test_levels_of_p_hk_increase_and_its_paths_are_shortest(threads):
    A = random_pattern(3000, 3000, 9000, 2)
    m = konig.maximum_matching(A, method="p-hk", init="none", threads=threads)
    levels = list(m.stats["levels"])
    assert levels[0] == 1
    assert levels == sorted(set(levels))  # a maximal set of shortest paths in each phase, races or not
    assert len(levels) == m.stats["phases"]
    assert m.stats["longest_path"] == 2 * levels[-1] - 1


@every_team
def test_p_hk_takes_a_phase_for_each_length(threads):
    A, initial = paths(30)
    options = {"init": "none", "initial": initial, "threads": threads}
    assert list(konig.maximum_matching(A, method="p-hk", **options).stats["levels"]) == list(range(1, 31))
    for method in ("p-pfp", "p-dbfs"):
        assert konig.maximum_matching(A, method=method, **options).stats["phases"] == 1


@every_team
def test_p_dbfs_takes_the_short_way_where_p_pfp_takes_the_long_one(threads):
    # One unmatched column sees first a chain of 50 columns, then a single one; an unmatched row ends each.
    length = 50
    chain = [(k, k) for k in range(length + 1)] + [(k, k + 1) for k in range(length)]
    short = [(length + 1, 0), (length + 1, length + 1), (length + 2, length + 1)]
    rows, cols = np.array(chain + short).T
    A = sp.csc_array((np.ones(len(rows)), (rows, cols)), shape=(length + 3, length + 2))
    initial = np.r_[np.arange(1, length + 1), -1, length + 1, -1]
    options = {"init": "none", "initial": initial, "threads": threads}
    longest = {m: konig.maximum_matching(A, method=m, **options).stats["longest_path"] for m in METHODS}
    assert longest == {"p-hk": 3, "p-pfp": 2 * length + 1, "p-dbfs": 3}


def test_p_pfp_turns_its_scans_and_looks_ahead():
    A = random_pattern(2000, 2000, 6000, 4)
    fair = konig.maximum_matching(A, method="p-pfp", threads=1).stats
    unfair = konig.maximum_matching(A, method="pf", init="sgm").stats
    assert fair["search_arc_scans"] != unfair["search_arc_scans"]
    assert 0 < fair["lookahead_arc_scans"] <= A.nnz  # each list is looked ahead at once in the whole run
    blind = konig.maximum_matching(A, method="p-pfp", threads=1, lookahead=False).stats
    assert blind["lookahead_arc_scans"] == 0
    assert blind["search_arc_scans"] > fair["search_arc_scans"]


@every_method
def test_a_full_side_ends_the_run(method):
    A = sp.csc_array(np.ones((3, 500)))
    m = konig.maximum_matching(A, method=method, init="none", threads=2)
    assert m.size == 3
    assert m.stats["search_arc_scans"] <= 750  # a few dozen unless a thread has to wait, and never all 1500


# The process around a solve.


@every_method
def test_progress_is_reported_and_may_end_the_solve(method):
    A = random_pattern(100_000, 100_000, 300_000, 1)
    report = Enough(2)

    def solve_until_enough():
        while True:
            konig.maximum_matching(A, method=method, init="none", threads=2, progress=report)

    with pytest.raises(EnoughError):
        solve_until_enough()
    assert all(0 <= done <= total == 100_000 for done, total in report.seen)
    konig.maximum_matching(np.eye(3), method=method, threads=2).verify(np.eye(3))


INTERRUPTED = """
import time
import numpy as np, scipy.sparse as sp, konig
n = 300_000
rng = np.random.default_rng(1)
A = sp.csc_array((np.ones(3 * n), (rng.integers(0, n, 3 * n), np.repeat(np.arange(n), 3))), shape=(n, n))
print("ready", flush=True)
try:
    while True:
        konig.maximum_matching(A, method="{method}", init="none", threads={threads})
except KeyboardInterrupt:
    print(time.monotonic(), flush=True)
    konig.maximum_matching(np.eye(50), method="{method}", threads={threads}).verify(np.eye(50))
    print("usable", flush=True)
"""


@every_method
@pytest.mark.parametrize("threads", [1, 4])
def test_an_interrupt_ends_the_solve_and_leaves_the_process_usable(method, threads):
    code = INTERRUPTED.format(method=method, threads=threads)
    assert seconds_to_stop(code, 0.5) < 0.5


@every_method
@forks
def test_a_forked_child_can_solve(method):
    A = crowded(200, 9)
    expected = konig.maximum_matching(A, method=method, threads=4).size
    assert in_a_forked_child(lambda: konig.maximum_matching(A, method=method, threads=4).size == expected)


@every_method
def test_two_python_threads_can_solve_at_once(method):
    A = crowded(300, 4)
    expected = konig.maximum_matching(A, method="hk").size
    options = {"method": method, "init": "none", "threads": 2}
    assert set(by_two_threads(lambda: konig.maximum_matching(A, **options).size, 20)) == {expected}
