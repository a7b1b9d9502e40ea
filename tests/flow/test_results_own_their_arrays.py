"""What the caller does to the arrays after a call changes no answer."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

import konig
from konig.flow.inputs import as_network

METHODS = ["auto", "hl-pr", "bk", "tlpns-rcsr", "sync-pr"]


def scribble(*arrays):
    for array in arrays:
        array[...] = np.arange(array.size).reshape(array.shape)[::-1] * 10**6


def check(answer, problem, expected):
    """Everything that an answer gives is what it was, and it can still be proved."""
    copied = pickle.loads(pickle.dumps(answer))
    for found in (answer, replace(answer, value=answer.value), copied):
        flow = found.flow.toarray() if sp.issparse(found.flow) else found.flow
        assert (flow == expected["flow"]).all()
        assert (found.cut == expected["cut"]).all()
        assert [part.tolist() for part in found.cut_edges] == expected["edges"]
        assert found.network.capacity.tolist() == expected["capacity"]
        found.verify(*problem)
    assert repr(answer) == repr(copied)


def seen(answer):
    flow = answer.flow.toarray() if sp.issparse(answer.flow) else answer.flow
    edges = [part.tolist() for part in answer.cut_edges]
    return {"flow": flow, "cut": answer.cut, "edges": edges, "capacity": answer.network.capacity.tolist()}


@pytest.mark.parametrize("capacity_type", [np.int64, np.int32, np.float64])
@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("method", METHODS)
def test_arcs(method, index, capacity_type):
    tail, head = np.array([0, 0, 1, 2, 1], index), np.array([1, 2, 3, 3, 2], index)
    capacity = np.array([5, 1, 2, 3, 1], capacity_type)
    kept = tail.copy(), head.copy(), capacity.copy()
    expected = seen(konig.maximum_flow(kept, 0, 3, method=method))
    f = konig.maximum_flow((tail, head, capacity), 0, 3, method=method)
    scribble(tail, head, capacity)
    check(f, (kept, 0, 3), expected)
    assert konig.maximum_flow(kept, 0, 3, method=method, initial=f).value == f.value


@pytest.mark.parametrize("capacity_type", [np.int64, np.float64])
@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("method", METHODS)
def test_matrices(method, index, capacity_type):
    dense = np.zeros((5, 5), capacity_type)
    dense[[0, 0, 1, 2, 1], [1, 2, 3, 3, 2]] = [5, 1, 2, 3, 1]
    kept = sp.csr_array(dense)
    expected = seen(konig.maximum_flow(kept, 0, 3, method=method))
    for change in ("scribble", "eliminate"):
        matrix = sp.csr_array(dense)
        matrix.indices, matrix.indptr = matrix.indices.astype(index), matrix.indptr.astype(index)
        f = konig.maximum_flow(matrix, 0, 3, method=method)
        if change == "scribble":
            scribble(matrix.indices, matrix.indptr, matrix.data)
        else:
            matrix.data[::2] = 0
            matrix.eliminate_zeros()
        check(f, (kept, 0, 3), expected)


@pytest.mark.parametrize("method", ["bk", "sync-pr", "hl-pr"])
@pytest.mark.parametrize("capacity_type", [np.int64, np.float64])
def test_grids(method, capacity_type):
    rng = np.random.default_rng(8)
    parts = [rng.integers(0, 9, shape).astype(capacity_type) for shape in ((4, 5), (4, 5), (4, 4, 5))]
    kept = [part.copy() for part in parts]
    expected = konig.grid_cut(*kept, method=method)
    c = konig.grid_cut(*parts, method=method)
    scribble(*parts)
    for found in (c, pickle.loads(pickle.dumps(c)), replace(c, value=c.value)):
        found.verify(*kept)
        assert (found.cut == expected.cut).all()
        assert (found.grid.arcs()[2] == expected.grid.arcs()[2]).all()


@pytest.mark.parametrize("capacity_type", [np.int64, np.float64])
def test_networks_own_their_arrays(capacity_type):
    tail, head = np.array([0, 1]), np.array([1, 2])
    capacity = np.array([3, 4], capacity_type)
    network = as_network((tail, head, capacity), 0, 2)
    scribble(tail, head, capacity)
    assert network.tail.tolist() == [0, 1]
    assert network.head.tolist() == [1, 2]
    assert network.capacities.given.tolist() == [3, 4]


def large_network(seed):
    rng = np.random.default_rng(seed)
    tail, head = rng.integers(0, 3000, (2, 60_000))
    return tail, head, rng.integers(1, 100, 60_000)


def test_memory_that_is_used_again_belongs_to_one_answer_only():
    arcs = large_network(1)
    f = konig.maximum_flow(arcs, 0, 2999)
    expected = seen(f)
    flow, before = f.flow[::2], f.flow[::2].copy()
    others = [konig.maximum_flow(large_network(seed), 0, 2999).flow for seed in (2, 3)]
    assert not any(np.shares_memory(f.flow, other) for other in others)
    check(f, (arcs, 0, 2999), expected)
    del f
    konig.maximum_flow(large_network(4), 0, 2999)
    assert (flow == before).all()


def test_a_second_call_takes_its_memory_from_the_first():
    resource = pytest.importorskip("resource")
    arcs, faults = large_network(5), []
    for _ in range(6):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        konig.maximum_flow(arcs, 0, 2999)
        faults.append(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
    assert min(faults[1:]) < 20
