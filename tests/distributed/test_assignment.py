"""Assignment over ranks: the answers of the ordinary call, with their proofs, however rows are split."""

from contextlib import suppress
from functools import partial

import numpy as np
import pytest
from distributed.simulated import SimulatedComm, on_ranks

import konig
import konig.distributed as kd
from konig.assignment.proof import check_hall_violator, dense_blocks
from konig.distributed import core
from konig.distributed.comm import SoloComm
from konig.distributed.core import FINE, CoreSolved, WholeCore

INF = np.inf


def split(rng, rows, size):
    """Blocks of any sizes, also none, in any order: (first, last) of each rank."""
    ends = np.sort(rng.integers(0, rows + 1, size - 1))
    blocks = list(zip([0, *ends], [*ends, rows], strict=True))
    return [blocks[k] for k in rng.permutation(size)]


def solved(C, blocks, seed=0, late=0.0, **arguments):
    """What each rank gets, proved there and as a whole; or the error that all ranks raise."""

    def program(comm):
        first, last = blocks[comm.rank]
        part = C[first:last]
        answer = kd.linear_assignment(part, comm, first_row=int(first), **arguments)
        answer.verify(part)
        whole = answer.gather()
        if comm.rank == 0:
            whole.verify(C)
        else:
            assert whole is None
        return answer

    return on_ranks(len(blocks), program, seed, late)


def same_as_alone(C, blocks, maximize=False, **arguments):
    """Check all ranks' answers against the ordinary call's."""
    outcomes = solved(C, blocks, maximize=maximize, **arguments)
    try:
        expected = konig.linear_assignment(C, maximize=maximize)
    except konig.InfeasibleError:
        for error in outcomes:
            assert isinstance(error, konig.InfeasibleError), error
            check_hall_violator(dense_blocks(C), C.shape, error.rows, error.cols)
        return
    for answer in outcomes:
        if isinstance(answer, BaseException):
            raise answer
        if C.dtype.kind == "f":
            assert abs(answer.cost - expected.cost) <= answer.gap + expected.gap + 1e-15 * abs(expected.cost)
        else:
            assert answer.cost == expected.cost
            assert answer.gap == 0


def costs_of(kind, rng, rows, cols):
    if kind == "uniform":
        return rng.integers(0, 10 * max(rows, 1), (rows, cols)).astype(np.int32)
    if kind == "tied":
        return rng.integers(0, 3, (rows, cols))
    if kind == "real":
        return rng.normal(size=(rows, cols))
    if kind == "float32":
        return rng.random((rows, cols), np.float32)
    if kind == "alike":
        return np.outer(np.arange(rows) + 1, np.arange(cols) + 1)
    if kind == "sums":
        return rng.random((rows, 1)) + rng.random((1, cols))
    if kind == "wide":
        return rng.integers(-(2**62), 2**62, (rows, cols))
    if kind == "far-apart":
        return rng.normal(size=(rows, cols)) * 10.0 ** rng.integers(-20, 20, (rows, cols))
    return np.where(rng.random((rows, cols)) < 0.3, rng.random((rows, cols)), INF)


KINDS = ("uniform", "tied", "real", "float32", "alike", "sums", "wide", "far-apart", "forbidden")


@pytest.mark.parametrize("size", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", KINDS)
def test_answers_are_those_of_the_ordinary_call(kind, size):
    rng = np.random.default_rng(size)
    for draw in range(12):
        rows, cols = rng.integers(0, 30, 2) if draw % 2 else rng.integers(0, 30, 1).repeat(2)
        C = costs_of(kind, rng, rows, cols)
        maximize = draw % 3 == 0
        C = -C if maximize else C
        same_as_alone(C, split(rng, rows, size), maximize)


@pytest.mark.parametrize("bids", [False, True])
@pytest.mark.parametrize("kind", ["uniform", "tied", "real", "alike", "far-apart"])
def test_cores_that_are_far_from_the_whole_matrix(kind, bids, monkeypatch):
    if bids:
        monkeypatch.setattr(core, "FEWEST_BIDDERS", 0)
        monkeypatch.setattr(core, "FEWEST_FREE", 0)
    rng = np.random.default_rng(7)
    C = costs_of(kind, rng, 150, 150)
    same_as_alone(C, split(rng, 150, 3))
    same_as_alone(C[:, :90], split(rng, 150, 3))
    same_as_alone(C[:90], split(rng, 90, 3))


def test_the_least_int32_can_be_maximised():
    C = np.full((4, 4), -(2**31), np.int32) + np.eye(4, dtype=np.int32)
    same_as_alone(C, [(0, 1), (1, 4)], maximize=True)


def test_late_ranks_change_nothing():
    rng = np.random.default_rng(3)
    C = costs_of("real", rng, 20, 20)
    blocks = split(rng, 20, 3)
    answers = [solved(C, blocks, seed, late=0.002) for seed in (1, 2)]
    for one, other in zip(*answers, strict=True):
        assert (one.col_ind == other.col_ind).all()
        assert (one.row_dual == other.row_dual).all()


def refused(parts, kind, match, **arguments):
    """Check that all ranks raise the same error."""
    outcomes = on_ranks(len(parts), lambda comm: kd.linear_assignment(parts[comm.rank], comm, **arguments))
    assert {type(error) for error in outcomes} == {kind}, outcomes
    assert len({str(error) for error in outcomes}) == 1
    assert match in str(outcomes[0])


def test_bad_input_of_one_rank_is_an_error_of_all():
    good, bad = np.ones((2, 3)), np.ones((2, 3))
    bad[1, 2] = np.nan
    refused([good, bad, good], ValueError, "rank 1: C[3, 2] is NaN")
    refused([good, -np.inf * good], ValueError, "rank 1: C[2, 0] = -inf")
    refused([good, good[:, :2]], ValueError, "rank 1 has 2 columns of float64, rank 0 has 3 of float64")
    refused([good, good.astype(np.float32)], ValueError, "rank 1 has 3 columns of float32")
    refused([good, good[0]], ValueError, "rank 1: local_rows must have two dimensions")
    refused([good, "costs"], TypeError, "rank 1: local_rows")
    refused([good, good], ValueError, "row 0 is in the block of rank 1 and in another", first_row=0)


def test_arguments_are_the_same_on_all_ranks():
    C = np.ones((2, 4))
    outcomes = on_ranks(2, lambda comm: kd.linear_assignment(C, comm, maximize=comm.rank == 1))
    assert {str(error) for error in outcomes} == {"maximize: rank 1 gives True, rank 0 False"}
    refused([C, C], ValueError, "method must be one of", method="best")
    refused([C, C], ValueError, "device='tpu': expected", device="tpu")


class FaultError(Exception):
    """What the rank that fails raises."""


class FailingComm(SimulatedComm):
    """A rank that raises where it would take part in its n-th operation, once."""

    def _exchange(self, name, values):
        if self.operations == self.fails_at:
            self.fails_at = None
            raise FaultError(f"before operation {self.operations}")
        return super()._exchange(name, values)


@pytest.mark.parametrize("kind", ["alike", "forbidden", "uniform"])
def test_a_rank_that_fails_at_any_step_leaves_nobody_waiting(kind, monkeypatch):
    """Operations come in pairs, an agreement and what it is about: a rank fails between two pairs."""
    if kind == "uniform":
        monkeypatch.setattr(core, "FEWEST_BIDDERS", 0)
        monkeypatch.setattr(core, "FEWEST_FREE", 0)
    C = costs_of(kind, np.random.default_rng(5), 20, 20)
    parts = np.array_split(C, 3)
    counted = on_ranks(3, lambda comm: _operations(comm, parts))
    for step in range(0, counted[0], 2):
        outcomes = on_ranks(3, partial(_failing_at, step, parts))
        assert all(isinstance(error, FaultError | konig.InfeasibleError) for error in outcomes), (
            step,
            outcomes,
        )
        assert len({str(error) for error in outcomes}) == 1


def _operations(comm, parts):
    with suppress(konig.InfeasibleError):
        kd.linear_assignment(parts[comm.rank], comm)
    return comm.operations


def _failing_at(step, parts, comm):
    ours = FailingComm(comm.board, comm.rank, fails_at=step if comm.rank == 1 else None)
    return kd.linear_assignment(parts[comm.rank], ours)


@pytest.mark.parametrize("change", ["pair", "row_dual", "col_dual", "cost"])
def test_a_changed_answer_is_refused_on_all_ranks(change):
    C = np.random.default_rng(9).integers(0, 50, (12, 12))
    parts = np.array_split(C, 3)

    def program(comm):
        answer = kd.linear_assignment(parts[comm.rank], comm)
        if comm.rank == 1:
            fields = vars(answer)
            if change == "pair":
                fields["col_ind"] = answer.col_ind[::-1].copy()
            elif change == "cost":
                fields["cost"] += 1
            else:
                fields[change] = answer.__dict__[change] + 1
        answer.verify(parts[comm.rank])

    outcomes = on_ranks(3, program)
    assert all(isinstance(error, konig.CertificateError) for error in outcomes), outcomes


def test_a_rank_alone_needs_no_others():
    C = np.array([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
    a = kd.linear_assignment(C)
    assert a.cost == 5
    assert a.row_ind.tolist() == [0, 1, 2]
    a.verify(C)
    assert repr(a) == "DistributedAssignment(size=3 of 3 x 3, cost=5, method='core', rank 0 of 1)"


def test_a_root_that_is_none_of_the_ranks_is_refused():
    def program(comm):
        return kd.linear_assignment(np.eye(2), comm, first_row=None, maximize=False).gather(root=7)

    assert all("root must be" in str(error) for error in on_ranks(2, program))
    outcomes = on_ranks(2, lambda comm: kd.linear_assignment(np.eye(2), comm).gather(root=comm.rank))
    assert {str(error) for error in outcomes} == {"root: rank 1 gives 1, rank 0 0"}


def test_nothing_costs_minus_zero():
    assert str(kd.linear_assignment(np.zeros((2, 2)), SoloComm(), maximize=True).cost) == "0.0"


def test_the_widest_integers_have_a_sparse_core_too():
    C = costs_of("wide", np.random.default_rng(4), 120, 120)
    (answer,) = solved(C, [(0, 120)])
    assert answer.cost == konig.linear_assignment(C).cost
    assert answer.stats["core_entries"] < C.size // 2
    same_as_alone(-C, [(0, 50), (50, 120)], maximize=True)


def test_progress_is_told_on_rank_0():
    C = np.random.default_rng(6).random((40, 40))
    parts, told = np.array_split(C, 2), [[], []]
    on_ranks(
        2,
        lambda comm: kd.linear_assignment(
            parts[comm.rank], comm, progress=lambda *at: told[comm.rank].append(at)
        ),
    )
    assert not told[1]


@pytest.mark.parametrize("method", ["core", "hungarian-classical", "hungarian-tree"])
def test_nobody_writes_to_an_answer_and_it_keeps_nothing_of_the_costs(method):
    C = np.random.default_rng(8).random((30, 30))
    C[C < 0.7] += 1e12  # a gate
    given = C.copy()
    answer = kd.linear_assignment(given, SoloComm(), method=method)
    given[:] = 0
    answer.verify(C)
    assert answer.cost == konig.linear_assignment(C).cost
    for name in ("row_ind", "col_ind", "row_dual", "col_dual"):
        assert not getattr(answer, name).flags.writeable


def entries_of(C, chosen):
    row, col = np.nonzero(chosen)
    return np.bincount(row, minlength=len(C)), col.astype(np.int32), C[row, col]


def test_a_core_grows_and_keeps_what_is_assigned():
    rng = np.random.default_rng(4)
    assigned_again = 0
    for _ in range(30):
        n = int(rng.integers(2, 40))
        C = rng.integers(-50, 50, (n, n))
        there = rng.random((n, n)) < rng.random()
        root = WholeCore(rng.integers(-900, 900, n), None)
        root.add(*entries_of(C, there))
        found = root.solve(None)
        if isinstance(found, konig.InfeasibleError):
            check_hall_violator(dense_blocks(np.where(there, C, INF)), C.shape, found.rows, found.cols)
        else:
            assert found.cost == konig.linear_assignment(np.where(there, C, INF)).cost
            scans = found.stats["entry_scans"]
            before = root.col_of_row.copy()
            assert (root.row_dual[:, None] + root.col_dual <= C)[there].all()
            assert (root.row_dual + root.col_dual[before] == C[np.arange(n), before]).all()
            again = root.solve(None)
            assert (root.col_of_row == before).all()
            assert again.stats["entry_scans"] - scans == there.sum()  # one scan of each row, and no path
            assigned_again += 1
        root.add(*entries_of(C, ~there))
        found = root.solve(None)
        assert isinstance(found, CoreSolved)
        assert found.cost == konig.linear_assignment(C).cost
        assert (root.row_dual[:, None] + root.col_dual <= C).all()
    assert 5 < assigned_again < 30
    assert FINE > 1


@pytest.mark.parametrize("mean", [0.0, 1e-3, 1.0])
def test_withheld_entries_join_when_they_are_needed(mean, monkeypatch):
    """Even where the first core has next to nothing, or no full assignment."""
    monkeypatch.setattr(core, "FEWEST_BIDDERS", 0)
    withhold = core.Part._withhold

    def more(part, reduced):
        withhold(part, reduced)
        if mean < 1:
            part._unsent = reduced > mean * reduced.mean()

    monkeypatch.setattr(core.Part, "_withhold", more)
    rng = np.random.default_rng(6)
    for kind in ("uniform", "tied", "alike"):
        same_as_alone(costs_of(kind, rng, 90, 90), split(rng, 90, 3))
