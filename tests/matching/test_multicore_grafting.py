"""p-ms-bfs-graft, the starts on threads, and auto on several threads."""

import numpy as np
import pytest
import scipy.sparse as sp
from around_a_solve import Enough, EnoughError, by_two_threads, forks, in_a_forked_child, seconds_to_stop
from cases.data import needs_data, real_matrices
from cases.matrices import awkward_matrices, crowded

import konig
from konig import _native, io
from konig.lab import generators
from konig.matching import auto
from konig.matching.auto import ENTRIES_FOR_THREADS, ENTRIES_PER_WORKER, FEWEST_THREADS, workers_for_auto
from konig.matching.inputs import as_graph
from konig.matching.proof import check_matching

every_team = pytest.mark.parametrize("threads", [1, 2, 4])
every_local = pytest.mark.parametrize("local", [False, True], ids=["global", "local"])

COUNTED = (
    "phases",
    "levels",
    "grafts",
    "bfs_arc_scans",
    "graft_arc_scans",
    "paths",
    "augmentations",
    "longest_path",
)


def solve(A, threads=2, **knobs):
    return konig.maximum_matching(A, method="p-ms-bfs-graft", threads=threads, **knobs)


@every_team
@every_local
@pytest.mark.parametrize("init", ["none", "sgm", "ksm"])
def test_awkward_matrices_are_solved_and_proved(init, local, threads):
    for name, A in awkward_matrices().items():
        expected = konig.maximum_matching(A, method="hk").size
        for B in (A, sp.csr_array(A.T)):
            m = solve(B, threads, init=init, local=local)
            m.verify(B)
            assert m.size == expected, name
            assert m.method == "p-ms-bfs-graft"


@every_team
@every_local
def test_random_matrices_are_solved_and_proved(local, threads):
    rng = np.random.default_rng(threads)
    for seed in range(60):
        rows, cols = (int(x) for x in rng.integers(1, 300, 2))
        A = generators.sprand(rows, cols, min(float(rng.uniform(0, 4)), cols), seed=seed)
        solve(A, threads, init="none", local=local).verify(A)


@needs_data
@every_team
@pytest.mark.parametrize("method", ["p-ms-bfs-graft", "auto"])
def test_real_matrices_have_the_known_rank(method, threads):
    for real in [m for m in real_matrices() if m.entries < 300_000]:
        A = io.read(real.path)
        m = konig.maximum_matching(A, method=method, threads=threads)
        m.verify(A)
        assert m.size == real.answer, real.path.name


@pytest.mark.parametrize("init", ["none", "sgm", "ksm"])
def test_one_worker_repeats_the_sequential_method(init):
    for seed in range(20):
        A = generators.sprand(900, 850 + 10 * seed, 2.6, seed=seed)
        one = solve(A, 1, init=init, bottom_up=False)
        model = konig.maximum_matching(A, method="ms-bfs-graft", init=init)
        assert {key: one.stats[key] for key in COUNTED} == {key: model.stats[key] for key in COUNTED}
        np.testing.assert_array_equal(one.col_of_row, model.col_of_row)
        assert one.stats["claims_lost"] == 0


@every_team
def test_surviving_trees_take_over_rows(threads):
    A = generators.kronecker(12, 8, seed=3)
    m = solve(A, threads, init="sgm")
    m.verify(A)
    assert m.stats["grafts"] > 0
    assert m.stats["graft_arc_scans"] > 0
    assert m.stats["phases"] == len(m.stats["levels"])
    assert m.stats["workers"] == threads
    assert m.stats["start_size"] + m.stats["paths"] == m.size
    # Starting over each time, as p-dbfs does, looks at more.
    assert (
        m.stats["bfs_arc_scans"]
        < konig.maximum_matching(A, method="p-dbfs", init="sgm", threads=1).stats["search_arc_scans"]
    )


@every_team
def test_unvisited_rows_look_for_wide_levels(threads):
    A = generators.sprand(20_000, degree=6.0, seed=1)
    up = solve(A, threads, init="sgm")
    up.verify(A)
    down = solve(A, threads, init="sgm", bottom_up=False)
    assert up.stats["bottom_up_levels"] > 0 == down.stats["bottom_up_levels"]
    if threads == 1:  # which tree wins a row, and with it the number of scans, is a race otherwise
        assert up.stats["bfs_arc_scans"] < down.stats["bfs_arc_scans"]


@every_team
def test_local_searches_find_what_is_close_by(threads):
    A = generators.delaunay(20_000, seed=2)
    m = solve(A, threads, init="sgm", local=True)
    m.verify(A)
    assert m.stats["local_paths"] > 0.9 * m.stats["paths"]
    far = solve(A, threads, init="sgm", local=False)
    assert far.stats["local_paths"] == far.stats["local_arc_scans"] == 0


@every_local
def test_two_hundred_races_end_the_same(local):
    A = crowded(400, 11)
    expected = konig.maximum_matching(A, method="hk").size
    for _ in range(200):
        m = solve(A, 4, init="none", local=local)
        assert m.size == expected
        m.verify(A)


@every_team
def test_a_path_through_a_hundred_thousand_columns(threads):
    length = 100_000
    A = sp.diags_array([np.ones(length), np.ones(length - 1)], offsets=[0, 1], shape=(length, length)).tocsc()
    m = solve(A, threads, init="none", initial=np.append(np.arange(1, length), -1))
    m.verify(A)
    assert m.stats["longest_path"] == 2 * length - 1
    assert m.stats["augmentations"] == length - 1


@pytest.mark.parametrize(
    ("ids", "offsets"), [(np.int32, np.int32), (np.int32, np.int64), (np.int64, np.int64)]
)
@pytest.mark.parametrize("init", ["none", "sgm", "ksm"])
def test_index_types(init, ids, offsets):
    A = crowded(300, 5)
    A.indices, A.indptr = A.indices.astype(ids), A.indptr.astype(offsets)
    m = solve(A, 2, init=init)
    m.verify(A)
    assert m.col_of_row.dtype == ids


@every_team
def test_a_warm_start_leaves_only_what_is_missing(threads):
    A = crowded(300, 8)
    best = konig.maximum_matching(A)
    for init in ("none", "sgm", "ksm"):
        again = solve(A, threads, init=init, initial=best)
        assert again.stats["paths"] == 0
        np.testing.assert_array_equal(again.col_of_row, best.col_of_row)
    broken = best.col_of_row.copy()
    broken[::7] = -1
    repaired = solve(A, threads, init="none", initial=broken)
    repaired.verify(A)
    assert repaired.stats["paths"] == best.size - np.count_nonzero(broken >= 0)


# The starts.


def start(solver, A, knobs):
    graph = as_graph(A)
    mates = np.full(graph.rows, -1, graph.id_dtype), np.full(graph.cols, -1, graph.id_dtype)
    lists = (graph.of_row.start, graph.of_row.neighbour, graph.of_col.start, graph.of_col.neighbour)
    return graph, *mates, _native.solve(solver, *lists, *mates, knobs, None)


@every_team
@pytest.mark.parametrize("solver", ["greedy", "karp_sipser"])
def test_a_start_is_a_maximal_matching(solver, threads):
    matrices = [*awkward_matrices().values(), crowded(500, 1), generators.sprand(3000, degree=2.5, seed=4)]
    for A in [*matrices, generators.grid(60, 60), generators.road_grid(80, seed=1)]:
        graph, col_of_row, row_of_col, counted = start(solver, A, {"threads": threads, "max_waiting": 4})
        rows, cols = graph.edges()
        check_matching(rows, cols, col_of_row, row_of_col)
        assert not np.any((col_of_row[rows] < 0) & (row_of_col[cols] < 0))
        assert counted["start_size"] == np.count_nonzero(col_of_row >= 0)


def test_one_worker_takes_the_first_unmatched_row_of_each_column():
    for A in [crowded(300, 2), generators.sprand(2000, degree=3.0, seed=1), generators.grid(30, 30)]:
        graph, col_of_row, _, _ = start("greedy", A, {"threads": 1})
        expected = np.full(graph.rows, -1)
        lists = graph.of_col
        for col in range(graph.cols):
            rows = lists.neighbour[lists.start[col] : lists.start[col + 1]]
            unmatched = rows[expected[rows] < 0]
            expected[unmatched[:1]] = col
        np.testing.assert_array_equal(col_of_row, expected)


def test_free_choices_ahead_of_waiting_vertices_cost_next_to_nothing():
    for A in [crowded(300, 2), generators.sprand(2000, degree=3.0, seed=1), generators.grid(30, 30)]:
        textbook, ahead = (
            start("karp_sipser", A, {"threads": 1, "max_waiting": waiting})[3]["start_size"]
            for waiting in (0, 4)
        )
        assert abs(ahead - textbook) <= A.shape[0] // 50


@every_team
def test_karp_sipser_solves_a_tree(threads):
    # Every choice is forced: there is always a vertex with one unmatched neighbour.
    rng = np.random.default_rng(5)
    n = 20_000
    parent = (rng.random(2 * n - 1) * np.arange(1, 2 * n)).astype(int)  # of vertex 1, 2, ...
    depth = np.zeros(2 * n, int)
    for vertex, above in enumerate(parent, 1):
        depth[vertex] = depth[above] + 1
    ends = np.stack([np.arange(1, 2 * n), parent])
    odd = depth[ends[0]] % 2 == 1
    rows, cols = np.where(odd, ends[0], ends[1]), np.where(odd, ends[1], ends[0])
    A = sp.coo_array((np.ones(2 * n - 1), (rows, cols)), shape=(2 * n, 2 * n)).tocsr()
    counted = start("karp_sipser", A, {"threads": threads, "max_waiting": 4})[3]
    assert counted["start_size"] == konig.maximum_matching(A, method="hk").size
    assert np.count_nonzero(start("greedy", A, {"threads": threads})[1] >= 0) < counted["start_size"]


@pytest.mark.parametrize("threads", [2, 4, 16])
def test_greedy_on_threads_keeps_the_worth_of_a_natural_order(threads):
    A = generators.delaunay(1 << 15, seed=1)
    sequential = start("greedy", A, {"threads": 1})[1]
    shared = start("greedy", A, {"threads": threads})[3]["start_size"]
    assert shared > 0.995 * np.count_nonzero(sequential >= 0)


@pytest.mark.parametrize("method", ["p-hk", "p-pfp", "p-dbfs", "apfb-gpubfs-wr-ct", "g-pr-shr", "ms-bfs"])
def test_methods_on_threads_start_on_threads(method):
    A = generators.sprand(3000, degree=4.0, seed=2)
    one = konig.maximum_matching(A, method=method, init="ksm", threads=1)
    two = konig.maximum_matching(A, method=method, init="ksm", threads=2)
    two.verify(A)
    assert "start_claims_lost" in two.stats
    assert "start_claims_lost" not in one.stats


# Lists by several threads.


@pytest.mark.parametrize("threads", [2, 3, 8])
@pytest.mark.parametrize(("ids", "offsets"), [(np.int32, np.int32), (np.int64, np.int64)])
def test_lists_made_by_several_threads_are_those_of_one(threads, ids, offsets):
    rng = np.random.default_rng(threads)
    for majors, minors, pairs in [(0, 0, 0), (5, 3, 0), (1, 1, 9), (7, 90_000, 4000), (90_000, 7, 50_000)]:
        major = rng.integers(0, majors, pairs).astype(ids) if pairs else np.zeros(0, ids)
        minor = rng.integers(0, minors, pairs).astype(ids) if pairs else np.zeros(0, ids)
        lists = {}
        for workers in (1, threads):
            begin, neighbour = np.zeros(majors + 1, offsets), np.empty(pairs, ids)
            _native.compress_pairs(major, minor, begin, neighbour, workers)
            other_begin, other = np.zeros(minors + 1, offsets), np.empty(pairs, ids)
            _native.transpose(begin, neighbour, other_begin, other, workers)
            lists[workers] = (begin, neighbour, other_begin, other)
        for one, several in zip(lists[1], lists[threads], strict=True):
            np.testing.assert_array_equal(one, several)


@pytest.mark.parametrize("threads", [2, 5])
def test_checks_by_several_threads_find_the_first_place(threads):
    values = np.arange(100_000, dtype=np.int32) % 50
    assert _native.first_out_of_range(values, 50, threads) == -1
    for bad in ([99_999], [40_000, 70_000], [0], [50_000, 50_001]):
        wrong = values.copy()
        wrong[bad] = -3
        assert _native.first_out_of_range(wrong, 50, threads) == bad[0]
    offsets = np.arange(100_001)
    assert _native.first_decrease(offsets, threads) == -1
    for fall in (1, 20_000, 20_001, 40_000, 50_000, 50_001, 100_000):
        wrong = offsets.copy()
        wrong[fall:] -= 5
        assert _native.first_decrease(wrong, threads) == fall


# auto.


@pytest.fixture
def two_threads_are_enough(monkeypatch):
    monkeypatch.setattr(auto, "FEWEST_THREADS", 2)


def test_auto_takes_several_threads_for_large_matrices_only():
    assert workers_for_auto(ENTRIES_FOR_THREADS - 1, 16) == 1
    assert workers_for_auto(100 * ENTRIES_PER_WORKER, 1) == 1
    assert workers_for_auto(100 * ENTRIES_PER_WORKER, 16) == 16
    assert 1 < workers_for_auto(8 * ENTRIES_PER_WORKER, 16) < 16
    assert workers_for_auto(100 * ENTRIES_PER_WORKER, FEWEST_THREADS) == FEWEST_THREADS
    assert workers_for_auto(100 * ENTRIES_PER_WORKER, FEWEST_THREADS - 1) == 1
    small = generators.sprand(1000, degree=3.0, seed=1)
    m = konig.maximum_matching(small, threads=8)
    assert m.method != "p-ms-bfs-graft"


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_auto_on_large_matrices(threads, two_threads_are_enough, monkeypatch):
    monkeypatch.setattr(auto, "ENTRIES_FOR_THREADS", 200_000)
    for A, is_random in [
        (generators.sprand(80_000, degree=4.0, seed=1), True),
        (generators.permute(generators.delaunay(60_000, seed=1), seed=2), False),
        (generators.delaunay(60_000, seed=1), False),
        (generators.kronecker(14, 16, seed=1), False),
        (generators.sprand(30_000, 90_000, 8.0, seed=3), False),
    ]:
        for B in (A, A.tocsc(), A.tocoo()):
            m = konig.maximum_matching(B, threads=threads)
            m.verify(B)
            # On threads a few random graphs take more scans than grafting gets: push-relabel goes on then.
            gave_up = threads > 1 and m.stats.get("given_up_arc_scans", 0) > 0
            assert (m.method == "p-ms-bfs-graft" or gave_up) == (is_random and threads > 1)
            assert not is_random or m.stats["init"] == "ksm"
            assert set(m.stats["seconds"]) == {"convert", "transpose", "start", "main", "total"}
            if m.method == "p-ms-bfs-graft":
                assert m.stats["workers"] == threads
        warm = konig.maximum_matching(A, threads=threads, initial=m)
        np.testing.assert_array_equal(warm.col_of_row, m.col_of_row)


@every_team
@pytest.mark.parametrize(("groups", "workers"), [(32, 16), (10, 4), (10, 16), (3, 16)])
def test_stretches_of_a_narrow_graph_leave_little_at_their_seams(groups, workers, threads):
    # The last row comes first, so that the diagonal is no way out. Stretches that took each other's rows
    # would leave a column in thirty unmatched, with paths as long as a group.
    n = 960 * groups
    A = generators.hilo(n, groups, 5)[np.roll(np.arange(n), -1)]
    start_size = start("greedy", A, {"threads": workers})[3]["start_size"]
    assert n - start_size <= 2 * workers
    m = solve(A, threads=threads)
    m.verify(A)
    assert m.size == n


def test_auto_on_one_thread_is_what_it_was():
    A = generators.sprand(80_000, degree=4.0, seed=1)
    m, again = (konig.maximum_matching(A, threads=1) for _ in range(2))
    np.testing.assert_array_equal(m.col_of_row, again.col_of_row)
    model = konig.maximum_matching(A.T.tocsc(), method="ms-bfs-graft", init="ksm")
    assert m.size == model.size


# The process around a solve.


@pytest.mark.parametrize("method", ["p-ms-bfs-graft", "auto"])
def test_progress_may_end_the_solve(method):
    A = generators.sprand(1_000_000, degree=3.0, seed=1)

    def solve_until_enough():
        while True:
            konig.maximum_matching(A, method=method, threads=2, progress=Enough(1))

    with pytest.raises(EnoughError):
        solve_until_enough()
    konig.maximum_matching(np.eye(3), method=method, threads=2).verify(np.eye(3))


INTERRUPTED = """
import time
import numpy as np, konig
from konig.lab import generators
A = generators.sprand(400_000, degree=3.0, seed=1)
print("ready", flush=True)
try:
    while True:
        konig.maximum_matching(A, method="{method}", threads={threads})
except KeyboardInterrupt:
    print(time.monotonic(), flush=True)
    konig.maximum_matching(np.eye(50), method="{method}", threads={threads}).verify(np.eye(50))
    print("usable", flush=True)
"""


@pytest.mark.parametrize("method", ["p-ms-bfs-graft", "auto"])
@pytest.mark.parametrize("threads", [1, 4])
def test_an_interrupt_ends_the_solve_and_leaves_the_process_usable(method, threads):
    code = INTERRUPTED.format(method=method, threads=threads)
    assert seconds_to_stop(code, 0.5) < 0.5


@forks
def test_a_forked_child_can_solve():
    A = generators.sprand(60_000, degree=4.0, seed=9)
    expected = konig.maximum_matching(A, threads=4).size
    assert in_a_forked_child(lambda: konig.maximum_matching(A, threads=4).size == expected)


def test_two_python_threads_can_solve_at_once():
    A = generators.sprand(60_000, degree=4.0, seed=4)
    expected = konig.maximum_matching(A, method="hk").size
    assert set(by_two_threads(lambda: konig.maximum_matching(A, threads=2).size, 5)) == {expected}
