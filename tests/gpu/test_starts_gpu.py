"""Matchings to start from, made on a GPU or handed in from anywhere."""

import numpy as np
import pytest
import scipy.sparse as sp
from cases.matrices import awkward_matrices, crowded, of_every_index_type, permuted_forests, permuted_path
from device_cases import SIZE, A, cupy, cupyx_sparse, matrix
from start_cases import TEXTBOOK, is_maximal, size
from start_cases import started as on_host

import konig
from konig.interop.arrays import HOST
from konig.lab import generators
from konig.matching import gpu as device
from konig.matching.inputs import Partial, as_graph
from konig.matching.methods import STARTS
from konig.matching.proof import check_matching
from konig.registry import named_methods

pytestmark = pytest.mark.gpu
on_every_start = pytest.mark.parametrize(
    "solver", [start.on_team for start in STARTS.values() if start.on_team]
)
METHODS = [
    method.name
    for method in named_methods("matching")
    if "cuda" in method.devices and not method.name.endswith("-csr")
]


def started(solver, B, initial=()):
    """The partners after the start alone, proved to be a maximal matching, and what it counted."""
    graph = as_graph(B)
    col_of_row = np.full(graph.rows, -1, graph.id_dtype)
    row_of_col = np.full(graph.cols, -1, graph.id_dtype)
    for row, col in initial:
        col_of_row[row], row_of_col[col] = col, row
    with device.MatchingGpu(None, HOST) as gpu:
        there = gpu._shipped(graph, {})
        mates = cupy.asarray(col_of_row), cupy.asarray(row_of_col)
        counted = gpu._start(solver, Partial(there, *mates))
    col_of_row, row_of_col = (mate.get() for mate in mates)
    check_matching(*graph.edges(), col_of_row, row_of_col)
    assert is_maximal(B, col_of_row, row_of_col)
    return col_of_row, row_of_col, counted


def karp_sipser(B, initial=()):
    col_of_row, row_of_col, counted = started("matching/karp_sipser", B, initial)
    assert counted["start_degree_one"] + counted["start_chosen"] == size(col_of_row) - len(initial)
    return col_of_row, row_of_col, counted


def test_row_lists_of_any_matrix():
    hub = sp.csc_array(np.ones((70_000, 1)))
    wide = sp.hstack([hub, sp.csc_array((70_000, 500)), hub], format="csc")
    for B in (
        *(case.tocsc() for case in awkward_matrices().values()),
        wide,
        wide.T.tocsc(),
        crowded(50_000, 3),
    ):
        graph = as_graph(B)
        with device.MatchingGpu(None, HOST) as gpu:
            there = gpu._shipped(graph, {})
            there.of_col  # noqa: B018 (made on first use)
            start, cols = (part.get() for part in device.row_lists(cupy, there).values())
        assert np.array_equal(start, graph.of_row.start)
        rows = np.repeat(np.arange(graph.rows), np.diff(start))
        order = np.lexsort((cols, rows))
        assert np.array_equal(cols[order], graph.of_row.neighbour)


@on_every_start
def test_maximal_matchings(solver):
    for B in (
        *(case.tocsc() for case in awkward_matrices().values()),
        matrix(40_000, 30_000, 1e-4, 6),
        matrix(1, 5000, 1.0),
        matrix(5000, 1, 1.0),
    ):
        counted = started(solver, B)[2]
        assert counted["start_arc_scans"] <= 4 * B.nnz


@on_every_start
def test_all_index_types(solver):
    B = crowded(3000, 5)
    for C, ids in of_every_index_type(B):
        assert started(solver, C)[0].dtype == ids


@on_every_start
def test_a_matching_handed_in_is_kept(solver):
    rng = np.random.default_rng(2)
    B = sp.random_array((3000, 3200), density=0.001, rng=rng, format="csr")
    kept = konig.maximum_matching(B).col_of_row.copy()
    kept[rng.random(3000) < 0.5] = -1
    pairs = [(row, int(col)) for row, col in enumerate(kept) if col >= 0]
    col_of_row = started(solver, B, pairs)[0]
    assert np.array_equal(col_of_row[kept >= 0], kept[kept >= 0])


@pytest.mark.parametrize("trees", [1, 20])
def test_karp_sipser_is_optimal_on_forests(trees):
    for B in permuted_forests(20, trees, seed=3):
        col_of_row, _, counted = karp_sipser(B)
        assert size(col_of_row) == konig.maximum_matching(B).size
        assert counted["start_chosen"] == 0


def test_karp_sipser_follows_a_long_path():
    n = 100_000
    col_of_row, _, counted = karp_sipser(permuted_path(n, seed=4))
    assert size(col_of_row) == counted["start_degree_one"] == n
    assert counted["start_supersteps"] < n / 20  # a block goes on by itself


def test_karp_sipser_is_nearly_as_large_as_the_sequential_one():
    for B in (
        generators.sprand(100_000, 100_000, 3.0, seed=1),
        generators.permute(generators.grid(300, 300), seed=1),
        generators.permute(generators.triangulated_grid(300, 300), seed=1),
        generators.kronecker(15, 16, seed=1),
    ):
        best = size(on_host("karp_sipser", B, TEXTBOOK)[0])
        greedy = size(started("matching/greedy", B)[0])
        mine = size(karp_sipser(B)[0])
        assert greedy < mine
        assert mine >= 0.985 * best


def test_karp_sipser_serves_hubs_in_pieces():
    n = 200_000
    hub, everyone = np.repeat([0, 1], n), np.tile(np.arange(n), 2)
    rows, cols = np.r_[hub, everyone, np.arange(2, n)], np.r_[everyone, hub, np.arange(2, n)]
    B = sp.coo_array((np.ones(len(rows), np.int8), (rows, cols)), shape=(n, n)).tocsc()
    assert size(karp_sipser(B)[0]) >= n - 2


def test_two_hundred_races_end_in_a_maximal_matching():
    B = crowded(2000, 11)
    expected = size(on_host("karp_sipser", B, TEXTBOOK)[0])
    for _ in range(200):
        assert size(karp_sipser(B)[0]) >= 0.97 * expected


@pytest.mark.parametrize("method", METHODS)
def test_every_method_starts_with_karp_sipser(method):
    B = crowded(1000, 3)
    m = konig.maximum_matching(B, method=method, init="ksm", device="cuda")
    m.verify(B)
    assert m.device.startswith("cuda:")
    assert m.stats["start_degree_one"] > 0
    assert m.stats["start_supersteps"] > 0


@pytest.mark.parametrize("init", ["none", "sgm", "ksm"])
def test_starts_of_a_matrix_on_the_device(init):
    B = cupyx_sparse.csc_matrix(A)
    m = konig.maximum_matching(B, method="apfb-gpubfs-wr-ct", init=init)
    m.verify(A)
    assert m.size == SIZE
    assert ("start_arc_scans" in m.stats) == (init != "none")
    if init != "none":
        assert SIZE / 2 <= m.stats["start_size"] <= SIZE


def test_a_long_list_takes_several_supersteps():
    rows = 200_000
    taken = np.arange(rows - 1)
    pairs = (np.r_[taken, np.arange(rows)], np.r_[taken, np.full(rows, rows - 1)])
    initial = np.r_[taken, -1]
    m = konig.maximum_matching(
        tuple(map(cupy.asarray, pairs)), initial=cupy.asarray(initial), method="apfb-gpubfs-wr-ct"
    )
    assert m.size == rows
    assert m.stats["start_arc_scans"] == rows
    assert m.stats["iterations"] == 0


def test_warm_starts_from_anywhere():
    B = cupyx_sparse.csc_matrix(A)
    m = konig.maximum_matching(B)
    host = konig.maximum_matching(A)
    for matrix_given in (A, B):
        for initial in (m, host, m.col_of_row, host.col_of_row, cupy.full(300, -1, np.int8)):
            again = konig.maximum_matching(matrix_given, method="apfb-gpubfs-ct", initial=initial)
            assert again.size == SIZE
            again.verify(A)
    bad = cupy.full(300, -1, np.int8)
    bad[17] = -5
    with pytest.raises(ValueError, match=r"initial: row 17 has partner -5, not in \[-1, 260\)"):
        konig.maximum_matching(B, initial=bad)
    with pytest.raises(ValueError, match="initial must be a Matching or 300 integers"):
        konig.maximum_matching(B, initial=cupy.zeros(4))
    twice = cupy.full(300, -1, np.int32)
    twice[[2, 3]] = 5
    with pytest.raises(ValueError, match=r"initial is not a matching of A: row \d claims column 5"):
        konig.maximum_matching(B, initial=twice)
    row = int(np.flatnonzero(A.toarray()[:, 0] == 0)[0])
    stranger = cupy.full(300, -1, np.int32)
    stranger[row] = 0
    with pytest.raises(ValueError, match=f"row {row} is matched to column 0, which is not an entry"):
        konig.maximum_matching(B, initial=stranger)
