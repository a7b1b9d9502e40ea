"""A network whose vertices take more memory than there is, is refused before any is taken."""

import numpy as np
import pytest
import scipy.sparse as sp

import konig
from konig import memory

HUGE = 2**40
ARCS = (np.array([0, 0, 1, 1, 2]), np.array([1, 2, 2, 3, 3]), np.array([4, 2, 3, 1, 6]))
METHODS = [method.name for method in konig.methods("flow")]


@pytest.fixture
def little_memory(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 1 << 34)


@pytest.mark.parametrize("method", METHODS)
def test_more_vertices_than_memory(method, little_memory):
    with pytest.raises(MemoryError, match=r"num_vertices: not enough .* 2,147,483,648 vertices"):
        konig.maximum_flow(ARCS, 0, 3, num_vertices=2**31, method=method)
    far = np.array([0, 2**31 - 5]), np.array([2**31 - 5, 1]), np.array([1, 1])
    with pytest.raises(MemoryError, match=r"tail, head: not enough .* 2,147,483,644 vertices"):
        konig.maximum_flow(far, 0, 1, method=method)
    matrix = sp.coo_array((ARCS[2], ARCS[:2]), shape=(HUGE, HUGE))
    with pytest.raises(MemoryError, match=r"capacity: not enough .* 1,099,511,627,776 vertices and 5 arcs"):
        konig.maximum_flow(matrix, 0, 3, method=method)


def test_narrow_ids_and_terminals_far_away(little_memory):
    ids = tuple(part.astype(np.int32) for part in ARCS[:2])
    for source in (0, [0], 2**31 - 2):
        with pytest.raises(MemoryError, match="num_vertices"):
            konig.maximum_flow((*ids, ARCS[2]), source, 3, num_vertices=2**31 - 1)
    with pytest.raises(MemoryError, match="num_vertices"):
        konig.maximum_flow(ARCS, 0, 3).verify(ARCS, 0, 3, num_vertices=2**31)


def test_what_fits_is_solved(little_memory):
    assert konig.maximum_flow(ARCS, 0, 3, num_vertices=5_000_000).value == 6
