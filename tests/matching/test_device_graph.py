"""What a GPU does to make a graph, done with NumPy: it must agree with the native loops."""

from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp

from konig.gpu import staging
from konig.interop.index_matrices import ArrayMatrix
from konig.lab import generators
from konig.matching import device_graph, programs
from konig.matching.device_graph import DeviceAdjacency, DeviceArrays, workspace_bytes
from konig.matching.inputs import HOST, BipartiteGraph, Partial, as_graph, from_arrays

DEVICE = DeviceArrays(np)


def random_matrices():
    rng = np.random.default_rng(8)
    for shape in ((0, 0), (0, 4), (4, 0), (3, 5)):
        yield sp.csr_array(shape, dtype=np.int8)
    for _ in range(25):
        shape = tuple(int(extent) for extent in rng.integers(1, 60, 2))
        A = sp.random_array(shape, density=rng.uniform(0, 0.2), rng=rng, format="csr")
        A.data[rng.random(A.nnz) < 0.3] = 0
        yield A


def pieces(A, drop=lambda A: A.data == 0):
    coo = A.tocoo()
    csc = A.tocsc()
    yield ArrayMatrix("csr", A.indptr, A.indices, A.shape, lambda: drop(A))
    yield ArrayMatrix("csc", csc.indptr, csc.indices, A.shape, lambda: drop(csc))
    yield ArrayMatrix("coo", coo.row, coo.col, A.shape, lambda: drop(coo))
    yield ArrayMatrix("coo", coo.row.astype(np.int64), coo.col.astype(np.uint8), A.shape, lambda: drop(coo))


@pytest.mark.parametrize("key_limit", [2**62, 0], ids=["keys", "two sorts"])
@pytest.mark.parametrize("drop_zeros", [False, True])
def test_the_same_lists_as_on_the_host(monkeypatch, key_limit, drop_zeros):
    monkeypatch.setattr(device_graph, "KEY_LIMIT", key_limit)
    for A in random_matrices():
        for matrix in pieces(A):
            host = from_arrays(matrix, drop_zeros, "A", HOST)
            there = from_arrays(matrix, drop_zeros, "A", DEVICE)
            assert isinstance(there.of_row, DeviceAdjacency)
            assert (there.rows, there.cols, there.nonzeros) == (host.rows, host.cols, host.nonzeros)
            assert there.id_dtype == host.id_dtype
            assert there.offset_dtype == host.offset_dtype
            for side in ("of_row", "of_col"):
                expected, lists = getattr(host, side), getattr(there, side)
                assert np.array_equal(lists.start, expected.start)
                assert lists.start.dtype == expected.start.dtype
                assert lists.neighbour.dtype == expected.neighbour.dtype
                for v in range(expected.vertices):
                    part = slice(expected.start[v], expected.start[v + 1])
                    assert np.array_equal(np.sort(lists.neighbour[part]), np.sort(expected.neighbour[part]))
            there_again = there.transposed().transposed().on_host()
            assert sorted(zip(*there_again.edges(), strict=True)) == sorted(zip(*host.edges(), strict=True))


def test_duplicates_stay_in_the_lists():
    pairs = ArrayMatrix("coo", np.array([1, 0, 1, 1]), np.array([0, 1, 0, 0]), None)
    graph = from_arrays(pairs, False, "A", DEVICE)
    assert (graph.rows, graph.cols) == (2, 2)
    assert graph.of_col.start.tolist() == [0, 3, 4]
    assert graph.of_col.neighbour.tolist() == [1, 1, 1, 0]


@pytest.mark.parametrize(
    "matrix",
    [
        ArrayMatrix("coo", np.array([0, 1]), np.array([0]), None),
        ArrayMatrix("coo", np.array([0, 5, 7]), np.array([0, 0, 0]), (5, 1)),
        ArrayMatrix("coo", np.array([0, 1]), np.array([0, -3]), (5, 1)),
        ArrayMatrix("coo", np.array([-1, -2]), np.array([0, 0]), None),
        ArrayMatrix("coo", np.array([0.5]), np.array([0]), None),
        ArrayMatrix("coo", np.array([[0]]), np.array([0]), None),
        ArrayMatrix("coo", np.array([0]), np.array([0]), (-1, 2)),
        ArrayMatrix("csr", np.array([0, 2]), np.array([0, 1]), (2, 2)),
        ArrayMatrix("csr", np.array([1, 2, 2]), np.array([0, 1]), (2, 2)),
        ArrayMatrix("csr", np.array([0, 2, 1]), np.array([0, 1]), (2, 2)),
        ArrayMatrix("csc", np.array([0, 1, 3]), np.array([0, 1]), (2, 2)),
        ArrayMatrix("csr", np.array([0, 0, 1, 3]), np.array([0, 1, 2]), (3, 2)),
        ArrayMatrix("csc", np.array([0, 0, 1, 3]), np.array([0, 1, -2]), (2, 3)),
        ArrayMatrix("csc", np.array([0, 1]), np.array([2**40]), (2, 1)),
        ArrayMatrix("csr", np.array([0, 1]), np.array([-1], np.int32), (1, 2**40)),
    ],
    ids=str,
)
def test_the_same_errors_as_on_the_host(matrix):
    with pytest.raises((ValueError, TypeError)) as host:
        from_arrays(matrix, False, "A", HOST)
    with pytest.raises(type(host.value)) as there:
        from_arrays(matrix, False, "A", DEVICE)
    assert str(there.value) == str(host.value)


def test_memory_is_asked_for_before_pairs_are_sorted():
    asked = []
    arrays = DeviceArrays(np, lambda *needs: asked.append(needs))
    from_arrays(ArrayMatrix("coo", np.array([1, 0]), np.array([0, 1]), (4, 3)), False, "A", arrays)
    ((needed, rows, cols, entries),) = asked
    assert (rows, cols, entries) == (4, 3, 2)
    assert needed == 2 * device_graph.SORTING_BYTES + (4 * 4 + 2 * 4) + (12 * 4 + 20 * 3) * 4


def test_too_little_memory_says_how_much_is_missing():
    runtime = SimpleNamespace(memGetInfo=lambda: (8_000_000_000, 10_000_000_000), getDevice=lambda: 3)
    pool = SimpleNamespace(free_bytes=lambda: 100_000_000)
    cupy = SimpleNamespace(cuda=SimpleNamespace(runtime=runtime), get_default_memory_pool=lambda: pool)
    with pytest.raises(MemoryError) as refused:
        staging.require_memory(cupy, 12_345_678_901, 50_000_000, 40_000_000, 10**9)
    assert str(refused.value) == (
        "device='cuda': 12.3 GB needed for a 50,000,000 x 40,000,000 matrix with 1,000,000,000 entries, "
        "8.1 GB free on cuda:3"
    )
    staging.require_memory(cupy, 8_100_000_000, 1, 1, 1)


def test_a_graph_that_came_from_the_host_remembers_it():
    host = as_graph(np.eye(3))
    there = from_arrays(next(pieces(sp.csr_array(np.eye(3)))), False, "A", DEVICE)
    shipped = BipartiteGraph(3, 3, there.of_row, host=host)
    assert shipped.on_host() is host
    assert as_graph(shipped) is host
    assert shipped.transposed().on_host().of_col is host.of_row


@pytest.mark.parametrize("solver", programs.PROGRAMS)
@pytest.mark.parametrize("offsets", [np.int32, np.int64])
@pytest.mark.parametrize("shape", [(2000, 2000), (50, 4000), (4000, 50)])
def test_the_memory_asked_for_covers_the_workspace_of_every_program(solver, offsets, shape):
    A = sp.csc_array(generators.sprand(*shape, 2.0, seed=1))
    A.indptr = A.indptr.astype(offsets)
    graph = as_graph(A)
    greatest = {
        "counters": True,
        "shortest_only": True,
        "with_roots": True,
        "width": "ct",
        "lists": True,
        "shrink": True,
        "gap": True,
        "concurrent": True,
        "relabel": "adaptive",
        "k": 0.7,
        "most_steps": 0,
    }
    mates = (np.full(extent, -1, graph.id_dtype) for extent in (graph.rows, graph.cols))
    task = programs.task(solver, Partial(graph, *mates), greatest)
    partners = (graph.rows + graph.cols) * graph.id_dtype.itemsize
    taken = partners + task.program.block(task.numbers)[0] - len(task.program.fresh_state)
    assert taken <= workspace_bytes(graph.rows, graph.cols, graph.nonzeros, graph.id_dtype.itemsize)
