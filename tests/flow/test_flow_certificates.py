"""A corrupted answer is refused, whatever was corrupted."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from corruption import changed, refused

import konig
from konig.flow.proof import check_cut, check_flow

ARCS = (np.array([0, 0, 1, 2, 1, 3]), np.array([1, 2, 2, 1, 3, 1]), np.array([4, 2, 3, 5, 5, 4]))
F = konig.maximum_flow(ARCS, 0, 3)


def verify(**changes):
    replace(F, **changes).verify(ARCS, 0, 3)


def test_the_answer_itself_passes():
    verify()
    assert F.value == 5


@pytest.mark.parametrize(
    ("flow", "message"),
    [
        ([5, 1, 0, 1, 6, 0], r"arc 0 .* carries 5"),
        ([4, -1, 0, 1, 5, 0], r"arc 1 .* carries -1"),
        ([4, 2, 0, 1, 5, 0], "vertex 2 sends -1 more than it receives"),
        ([4, 1, 1, 2, 5, 0], "vertices 1 and 2 carry flow both ways"),
        ([3, 1, 0, 1, 4, 0], "value 4 but the cut has capacity 5"),
    ],
)
def test_wrong_flows(flow, message):
    with refused(message):
        verify(flow=np.array(flow))


def test_wrong_cuts_and_values():
    with refused("source 0 is on the sink side"):
        verify(cut=changed(F.cut, 0, False))
    with refused("sink 3 is on the source side"):
        verify(cut=changed(F.cut, 3, True))
    with refused("has capacity"):
        verify(cut=np.array([True, False, False, False]))
    with refused("is int64 of shape"):
        verify(cut=F.cut.astype(int))
    with refused("claims value 6"):
        verify(value=6)


def test_another_network():
    with refused("arcs"):
        F.verify(tuple(array[:5] for array in ARCS), 0, 3)
    with refused("for a matrix"):
        F.verify(sp.coo_array((ARCS[2], ARCS[:2]), shape=(4, 4)), 0, 3)
    with refused("carries"):
        F.verify((*ARCS[:2], ARCS[2] // 2), 0, 3)
    matrix = sp.coo_array((ARCS[2], ARCS[:2]), shape=(4, 4)).tocsr()
    with refused("for 4 vertices and 6 arcs, the network has 4 and 7"):
        konig.maximum_flow(matrix, 0, 3).verify(matrix + sp.coo_array(([1], ([2], [3])), (4, 4)), 0, 3)
    with refused("entries of the flow are not those"):
        konig.maximum_flow(matrix, 0, 3).verify(matrix.T, 0, 3)
    with refused("5 vertices|4 vertices"):
        konig.maximum_flow(matrix, 0, 3).verify(sp.csr_array((5, 5)), 0, 3)


def test_loops_carry_nothing():
    tail, head, capacity = (np.array(a) for a in ([0, 0], [0, 1], [3, 2]))
    role = np.array([1, 2], np.uint8)
    assert check_flow(tail, head, capacity, np.array([0, 2]), role) == 2
    with refused("is a loop"):
        check_flow(tail, head, capacity, np.array([1, 2]), role)


def test_sums_do_not_wrap_around():
    big = np.full(4, 2**62)
    tail, head = np.array([0, 0, 0, 0]), np.array([1, 1, 1, 1])
    role = np.array([1, 0, 2], np.uint8)
    with refused("vertex 1 sends -18446744073709551616 more"):
        check_flow(tail, head, big, big, role)
    cut = np.array([True, False, False])
    assert check_cut(tail, head, big, cut, role) == 2**64
