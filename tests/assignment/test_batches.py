"""Batches: equal to the single solves, ragged, padded, refused where one problem is bad."""

from dataclasses import replace

import numpy as np
import pytest
from cases.costs import DTYPES, ragged

import konig

METHODS = ["auto", "jv", "auction", "core"]


def same(single, batch, b):
    assert single.cost == batch.cost[b]
    assert batch[b].row_ind.tolist() == single.row_ind.tolist()
    assert batch[b].col_ind.tolist() == single.col_ind.tolist()
    assert batch[b].row_dual.tolist() == single.row_dual.tolist()
    assert batch[b].col_dual.tolist() == single.col_dual.tolist()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "shape", [(40, 7, 7), (40, 5, 9), (40, 9, 5), (2, 70, 70), (0, 3, 3), (4, 0, 3), (5, 2, 0)]
)
def test_a_batch_equals_the_single_solves(dtype, shape):
    rng = np.random.default_rng(1)
    C = rng.integers(-9, 40, shape).astype(dtype)
    for maximize in (False, True):
        batch = konig.linear_assignment(C, maximize=maximize)
        batch.verify(C)
        assert len(batch) == shape[0]
        assert batch.row_ind.shape == (shape[0], min(shape[1:]))
        for b, costs in enumerate(C):
            same(konig.linear_assignment(costs, maximize=maximize), batch, b)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_every_method_and_any_number_of_threads(method, threads):
    rng = np.random.default_rng(2)
    C = rng.random((30, 33, 40))
    batch = konig.linear_assignment(C, method=method, threads=threads)
    batch.verify(C)
    for b, costs in enumerate(C):
        same(konig.linear_assignment(costs, method=method), batch, b)


@pytest.mark.parametrize("dtype", DTYPES)
def test_ragged_batches_look_at_nothing_beyond_their_counts(dtype):
    C, rows, cols = ragged((60, 8, 11), dtype, seed=3)
    batch = konig.linear_assignment(C, row_counts=rows, col_counts=cols)
    batch.verify(C)
    for b in range(60):
        same(konig.linear_assignment(C[b, : rows[b], : cols[b]]), batch, b)
        assert (batch.row_ind[b, min(rows[b], cols[b]) :] == -1).all()
        assert (batch.col_dual[b, cols[b] :] == 0).all()


def test_a_batch_keeps_its_counts_when_the_caller_changes_his():
    C = np.random.default_rng(7).random((3, 4, 5))
    rows, cols = np.array([4, 2, 3]), np.array([5, 5, 1])
    batch = konig.linear_assignment(C, row_counts=rows, col_counts=cols)
    rows[:] = cols[:] = 1
    assert (batch.row_counts.tolist(), batch.col_counts.tolist()) == ([4, 2, 3], [5, 5, 1])
    batch.verify(C)


def test_a_corrupted_batch_is_refused():
    C = np.random.default_rng(4).random((5, 4, 6))
    batch = konig.linear_assignment(C, row_counts=[4, 3, 4, 2, 4])
    batch.verify(C)
    wrong = np.array(batch.row_dual)
    wrong[3, 0] += 1
    with pytest.raises(konig.CertificateError, match=r"problem 3: .*the duals exceed it"):
        replace(batch, row_dual=wrong).verify(C)
    wrong = np.array(batch.col_ind)
    wrong[3, 3] = 5
    with pytest.raises(konig.CertificateError, match="col_ind of problem 3 is not padded"):
        replace(batch, col_ind=wrong).verify(C)
    with pytest.raises(konig.CertificateError, match="shape"):
        batch.verify(C[:4])


def test_problems_of_a_batch_are_asked_for_one_at_a_time():
    batch = konig.linear_assignment(np.arange(12).reshape(3, 2, 2))
    assert batch[-1].cost == batch[np.int64(2)].cost
    for number in (3, -4):
        with pytest.raises(IndexError, match=f"problem {number} is not among the 3"):
            batch[number]
    for several in (slice(0, 2), "0", 1.0):
        with pytest.raises(TypeError, match="one problem at a time"):
            batch[several]
    assert len(list(batch)) == 3


def test_infeasible_problems_of_a_batch():
    C = np.random.default_rng(5).random((6, 4, 4)).astype(np.float32)
    C[2, :2, 1:] = np.inf
    C[4, :, 3] = np.inf
    with pytest.raises(konig.InfeasibleError, match="problem 2: ") as caught:
        konig.linear_assignment(C)
    assert caught.value.problem == 2
    assert caught.value.rows.tolist() == [0, 1]
    batch = konig.linear_assignment(C, full=False)
    batch.verify(C)
    assert sorted(batch.covers) == [2, 4]
    assert [len(a.row_ind) for a in batch] == [4, 4, 3, 4, 3, 4]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"row_counts": [1, 2]}, "row_counts must be 3 integers"),
        ({"row_counts": [1, 2, 2.5]}, "row_counts must be 3 integers"),
        ({"row_counts": [1, 2, 2**70]}, rf"row_counts\[2\] = {2**70} does not fit into 64 bits"),
        ({"col_counts": [1, 5, 2]}, r"col_counts\[1\] = 5 is not in \[0, 4\]"),
        ({"row_counts": [-1, 2, 2]}, r"row_counts\[0\] = -1"),
        ({"initial": (np.zeros(4), np.zeros(4))}, "initial is for a single problem"),
    ],
)
def test_bad_arguments_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        konig.linear_assignment(np.zeros((3, 4, 4)), **options)


def test_bad_costs_are_named_with_their_problem():
    C = np.zeros((3, 4, 4))
    C[1, 2, 3] = np.nan
    C[2, 0, 0] = -np.inf
    with pytest.raises(ValueError, match=r"C\[1, 2, 3\] is NaN"):
        konig.linear_assignment(C)
    with pytest.raises(ValueError, match=r"C\[2, 0, 0\] = -inf"):
        konig.linear_assignment(C, row_counts=[4, 2, 4])
    with pytest.raises(ValueError, match="are for a batch"):
        konig.linear_assignment(C[0], row_counts=[4])


def test_a_cost_beyond_64_bits_is_an_error_in_a_batch_only():
    C = np.full((2, 4, 4), 2**62)
    with pytest.raises(OverflowError, match="problem 0"):
        konig.linear_assignment(C)
    assert konig.linear_assignment(C[0]).cost == 2**64


def test_the_method_for_batches_on_a_gpu_is_listed_and_takes_nothing_else():
    assert "crew-paths" in [method.name for method in konig.methods("assignment")]
    with pytest.raises(ValueError, match="'crew-paths' takes batches only"):
        konig.linear_assignment(np.eye(3), method="crew-paths")
    with pytest.raises(ValueError, match="runs on cuda only"):
        konig.linear_assignment(np.zeros((2, 3, 3)), method="crew-paths", device="cpu")
