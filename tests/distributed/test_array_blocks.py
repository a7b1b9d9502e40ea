"""Blocks as arrays of a library, as ranks on GPUs have them; here of NumPy, which needs no GPU."""

from contextlib import nullcontext
from fractions import Fraction

import numpy as np
import pytest
from cases.costs import DTYPES, awkward_costs
from distributed.simulated import on_ranks
from distributed.test_assignment import KINDS, costs_of, same_as_alone, solved, split

import konig
import konig.distributed as kd
from konig.assignment.inputs import dense_costs
from konig.distributed import array_costs, assignment, core
from konig.distributed.array_costs import ArrayCosts, best_of_rows, rounding_error

METHODS = ("core", "hungarian-classical", "hungarian-tree")
EVERY_METHOD = pytest.mark.parametrize("method", METHODS)


class NumpyGpu(nullcontext):
    """Stands where konig.gpu.device.Gpu does."""

    cupy = np

    def __str__(self):
        return "cuda:0"


@pytest.fixture
def on_arrays(monkeypatch):
    """device="cuda" without a GPU; chunks of a few rows."""
    monkeypatch.setattr(assignment, "_gpu", lambda device, *_: NumpyGpu() if device == "cuda" else None)
    monkeypatch.setattr(assignment, "_rows_there", lambda gpu, rows, *_: dense_costs(rows))
    monkeypatch.setattr(array_costs, "CHUNK", 64)


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("kind", KINDS)
@EVERY_METHOD
def test_answers_are_those_of_the_ordinary_call(method, kind, size, on_arrays):
    if method != "core" and kind == "wide":
        pytest.skip("sums that might not fit are refused")
    rng = np.random.default_rng(size)
    for draw in range(8):
        rows, cols = rng.integers(0, 30, 2) if draw % 2 else rng.integers(0, 30, 1).repeat(2)
        C = costs_of(kind, rng, rows, cols)
        maximize = draw % 3 == 0
        C = -C if maximize else C
        same_as_alone(C, split(rng, rows, size), maximize, method=method, device="cuda")


@EVERY_METHOD
def test_awkward_costs(method, on_arrays):
    for name, C in awkward_costs():
        if name == "both ends of 62 bits" and method != "core":
            continue
        C = C[:25, :25] if name in ("Machol-Wien", "rank one") else C
        blocks = split(np.random.default_rng(1), len(C), 2)
        if C.dtype.kind == "f" and abs(C).max(initial=0.0) > 1e300:  # costs of answers are infinite
            for answer in solved(C, blocks, method=method, device="cuda"):
                assert answer.device == "cuda:0"
        else:
            same_as_alone(C, blocks, method=method, device="cuda")


@pytest.mark.parametrize("bids", [False, True])
@pytest.mark.parametrize("kind", ["uniform", "tied", "real", "alike", "far-apart"])
def test_cores_that_are_far_from_the_whole_matrix(kind, bids, on_arrays, monkeypatch):
    if bids:
        monkeypatch.setattr(core, "FEWEST_BIDDERS", 0)
        monkeypatch.setattr(core, "FEWEST_FREE", 0)
    rng = np.random.default_rng(7)
    C = costs_of(kind, rng, 150, 150)
    for part in (C, C[:, :90], C[:90]):
        same_as_alone(part, split(rng, len(part), 3), device="cuda")


@EVERY_METHOD
def test_a_rank_on_the_host_and_one_on_a_gpu(method, on_arrays):
    C = np.random.default_rng(2).integers(0, 300, (40, 40))

    def program(comm):
        part = C[20 * comm.rank : 20 * comm.rank + 20]
        a = kd.linear_assignment(part, comm, method=method, device="cuda" if comm.rank else "cpu")
        a.verify(part)
        return a.cost, a.device

    (cost, here), (other, there) = on_ranks(2, program)
    assert cost == other == konig.linear_assignment(C).cost
    assert (here, there) == ("cpu", "cuda:0")


@pytest.mark.parametrize("bad", [np.nan, -np.inf])
@EVERY_METHOD
def test_bad_costs_are_named(method, bad, on_arrays):
    C = np.ones((6, 40))
    C[4, 7] = bad
    errors = on_ranks(2, lambda comm: kd.linear_assignment(C[3 * comm.rank :][:3], comm, device="cuda"))
    for error in errors:
        assert isinstance(error, ValueError)
        assert str(error).startswith("rank 1: C[4, 7] ")


@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
def test_lists_have_the_smallest_costs_of_each_row(dtype, maximize):
    rng = np.random.default_rng(3)
    C = rng.integers(-1000, 1000, (50, 700)).astype(dtype)
    largest, lists = ArrayCosts(np, C, maximize).choose(0)
    assert largest == abs(C.astype(float)).max()
    signed = -C if maximize else C
    for i in range(50):
        cols, costs = (part[lists.start[i] : lists.start[i + 1]] for part in (lists.col, lists.cost))
        assert 16 <= len(cols) <= array_costs.MOST_LISTED
        assert len(set(cols.tolist())) == len(cols)
        np.testing.assert_array_equal(costs, signed[i, cols])
        np.testing.assert_array_equal(np.sort(costs), np.sort(signed[i])[: len(costs)])


def test_of_ties_rows_list_different_columns():
    _, lists = ArrayCosts(np, np.zeros((200, 5000), np.int32), False).choose(0)
    assert np.diff(lists.start).max() <= array_costs.MOST_LISTED
    assert np.diff(lists.start).min() >= 8
    assert np.bincount(lists.col).max() < 30


@pytest.mark.parametrize("kind", KINDS)
def test_entries_undercut_duals_exactly(kind):
    rng = np.random.default_rng(5)
    found = 0
    for draw in range(9):
        C = costs_of(kind, rng, 12, 30)
        maximize = bool(draw % 2)
        C = -C if maximize else C
        costs = ArrayCosts(np, C, maximize)
        costs.choose(0)
        costs.outside[:] = -(2**61) if C.dtype.kind == "i" else -np.inf  # as if none had been listed
        signed = -C if maximize else C
        finite = np.where(np.isfinite(signed), signed, 0)
        # Duals that many entries undercut by nothing, or by next to nothing.
        col_dual = finite[0].astype(costs.dual_type)
        row_dual = (finite[:, 0] - col_dual[0]).astype(costs.dual_type) + (draw % 3 - 1)
        lists = costs.undercutting(row_dual, col_dual, 30)
        row = np.repeat(np.arange(12), np.diff(lists.start))
        expected = [
            (i, j)
            for i, j in np.argwhere(np.isfinite(signed)).tolist()
            if Fraction(signed[i, j].item()) < Fraction(row_dual[i].item()) + Fraction(col_dual[j].item())
        ]
        assert list(zip(row.tolist(), lists.col.tolist(), strict=True)) == expected
        np.testing.assert_array_equal(lists.cost, signed[row, lists.col])
        found += len(expected)
    assert found > 50


def test_of_too_many_undercutting_entries_the_best_are_listed():
    C = np.arange(4000, dtype=np.int64)[None, ::-1].repeat(3, 0)
    costs = ArrayCosts(np, C, False)
    costs.choose(0)
    lists = costs.undercutting(np.full(3, 3900), np.zeros(4000, np.int64), 8)
    np.testing.assert_array_equal(np.sort(lists.cost.reshape(3, 8), axis=1), np.arange(8)[None].repeat(3, 0))


def test_the_best_of_rows():
    row, key = np.array([0, 0, 0, 2, 2]), np.array([3, 1, 2, 5, 4])
    assert best_of_rows(row, key, 2).tolist() == [1, 2, 3, 4]
    assert best_of_rows(row[:0], key[:0], 2).tolist() == []


def test_rounding_errors():
    assert rounding_error(np.array([1.0]), np.array([2.0**-60])) == 2.0**-60
    assert rounding_error(np.array([2.0**-60]), np.array([-1.0])) == 2.0**-60
