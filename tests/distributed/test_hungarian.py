"""hungarian-classical and hungarian-tree over ranks: the answers of one machine, from parts of the matrix."""

import os
import signal

import numpy as np
import pytest
from cases.costs import DTYPES, awkward_costs, chain
from distributed.simulated import on_ranks

import konig
from konig.assignment.proof import check_hall_violator, dense_blocks
from konig.distributed.comm import SoloComm
from konig.distributed.hungarian import solve_classical, solve_tree
from konig.distributed.local import LocalAnswer
from konig.distributed.ranks import Ranks
from konig.distributed.rows import Rows, agreed_rows

METHODS = {"hungarian-classical": solve_classical, "hungarian-tree": solve_tree}
EVERY_METHOD = pytest.mark.parametrize("method", METHODS)


class RecordingRanks(Ranks):
    """Counts operations; before that of number ``fails_at`` the rank raises."""

    def __init__(self, comm, fails_at=None):
        super().__init__(comm)
        self.operations, self.fails_at = 0, fails_at

    def _before(self, *arrays):
        if self.operations == self.fails_at:
            raise OSError("the disk is full")
        self.operations += 1
        super()._before(*arrays)


def solve_part(method, ranks, C, first, count, maximize=False, threads=1):
    """What this rank finds where its block begins at ``first`` and has ``count`` rows."""
    rows = agreed_rows(ranks, count, first)
    return METHODS[method](ranks, rows, np.ascontiguousarray(C[first : first + count]), maximize, threads)


def found_on(method, C, blocks, maximize=False, threads=1, seed=0, late=0.0, fails=(None, None)):
    """What each rank finds, or the error that it ends with, where ranks have (first row, count)."""

    def program(comm):
        ranks = RecordingRanks(comm, fails[1] if comm.rank == fails[0] else None)
        with ranks.together():
            found = solve_part(method, ranks, C, *blocks[comm.rank], maximize, threads)
            return found, ranks.operations

    return on_ranks(len(blocks), program, seed=seed, late=late)


def counted(answer):
    """What is the same on all ranks."""
    return {name: value for name, value in answer.stats.items() if name not in ("seconds", "bytes_sent")}


def joined(method, C, blocks, answers, maximize):
    """The parts of all ranks as the answer to the whole problem."""
    rows = Rows(*np.array(blocks).T, 0)
    pairs = rows.joined([answer.col_of_row for answer in answers])
    row_dual = rows.joined([answer.row_dual for answer in answers])
    first = answers[0]
    for other in answers[1:]:
        np.testing.assert_array_equal(other.col_dual, first.col_dual)
        assert (other.cost, other.gap, counted(other)) == (first.cost, first.gap, counted(first))
        assert other.stats["seconds"].keys() == first.stats["seconds"].keys()
    row_ind = np.flatnonzero(pairs >= 0)
    numbers = first.cost, first.gap, row_dual, first.col_dual
    return konig.Assignment(row_ind, pairs[row_ind], *numbers, method, "cpu", first.stats, maximize)


def solve(method, C, blocks, maximize=False, **options):
    """A proved answer to the whole problem; an error if all ranks have found the same one."""
    outcomes = found_on(method, C, blocks, maximize, **options)
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
    found = [answer for answer, _ in outcomes]
    if not isinstance(found[0], LocalAnswer):
        assert len({str(error) for error in found}) == 1
        raise found[0]
    a = joined(method, C, blocks, found, maximize)
    a.verify(C)
    return a


def random_blocks(rng, rows, size):
    """Blocks of any sizes, some of them empty, in any order."""
    ends = np.sort(rng.integers(0, rows + 1, size - 1))
    first = np.concatenate([[0], ends])
    count = np.diff(np.concatenate([first, [rows]]))
    order = rng.permutation(size)
    return list(zip(first[order].tolist(), count[order].tolist(), strict=True))


def random_costs(count, seed):
    """Ties, rectangles both ways, forbidden pairs, all types, both signs."""
    rng = np.random.default_rng(seed)
    for trial in range(count):
        dtype = np.dtype(DTYPES[trial % 4])
        shape = rng.integers(0, 24, 2) if trial % 3 else (rng.integers(1, 24),) * 2
        top = int(rng.choice([1, 2, 10, 1000, 10**6]))
        C = rng.integers(-top, top + 1, shape).astype(dtype)
        if dtype.kind == "f" and rng.random() < 0.5:
            C += rng.random(shape).astype(dtype)
        maximize = bool(rng.random() < 0.5)
        if dtype.kind == "f" and rng.random() < 0.7:
            C[rng.random(shape) < rng.random()] = -np.inf if maximize else np.inf
        yield C, maximize, rng


def even_blocks(rows, size):
    return [(rank * rows // size, (rank + 1) * rows // size - rank * rows // size) for rank in range(size)]


@pytest.mark.parametrize("size", [1, 2, 3, 4])
@EVERY_METHOD
def test_random_costs_in_random_blocks(method, size):
    infeasible = 0
    for trial, (C, maximize, rng) in enumerate(random_costs(80, seed=size)):
        blocks = random_blocks(rng, len(C), size)
        late = 0.0002 if trial % 10 == 0 else 0.0
        try:
            cost = konig.linear_assignment(C, maximize=maximize).cost
        except konig.InfeasibleError:
            infeasible += 1
            with pytest.raises(konig.InfeasibleError) as refused:
                solve(method, C, blocks, maximize, seed=trial, late=late)
            check_hall_violator(dense_blocks(C), C.shape, refused.value.rows, refused.value.cols)
        else:
            a = solve(method, C, blocks, maximize, seed=trial, late=late)
            assert a.cost == pytest.approx(cost, rel=1e-12)
            assert a.row_dual.dtype == a.col_dual.dtype == (np.int64 if C.dtype.kind == "i" else np.float64)
    assert 3 < infeasible < 40


@EVERY_METHOD
def test_awkward_costs(method):
    for name, C in awkward_costs():
        if name == "both ends of 62 bits":
            continue  # refused, see below
        if name in ("Machol-Wien", "rank one"):
            C = C[:25, :25]  # an update for every other pair
        a = solve(method, C, even_blocks(len(C), 3))
        assert a.cost == pytest.approx(konig.linear_assignment(C).cost, rel=1e-12), name


@EVERY_METHOD
def test_costs_too_far_apart_are_refused_on_all_ranks(method):
    C = np.array([[2**62, -(2**62)], [0, 1]])
    for found, _ in found_on(method, C, even_blocks(2, 2)):
        assert isinstance(found, OverflowError)
        assert "method='core'" in str(found)


@EVERY_METHOD
def test_duals_that_do_not_fit_are_refused_on_all_ranks(method):
    C = chain(40, 1e307)
    outcomes = found_on(method, C, even_blocks(40, 2))
    assert all(isinstance(found, OverflowError) for found, _ in outcomes)


@EVERY_METHOD
def test_a_few_dear_pairs_do_not_take_the_bits_of_the_others(method):
    rng = np.random.default_rng(3)
    for shape in ((30, 30), (20, 35), (35, 20)):
        C = np.where(rng.random(shape) < 0.1, 1e15, rng.random(shape))
        a = solve(method, C, even_blocks(shape[0], 3))
        assert a.cost == pytest.approx(konig.linear_assignment(C).cost, rel=1e-12)


@EVERY_METHOD
def test_one_rank_needs_no_others(method):
    C = np.random.default_rng(5).integers(0, 90, (30, 30))
    ranks = Ranks(SoloComm())
    found = solve_part(method, ranks, C, 0, 30)
    assert found.cost == konig.linear_assignment(C).cost
    assert found.stats["bytes_sent"] == 0


@EVERY_METHOD
def test_more_threads_and_wider_blocks_find_the_same(method):
    C = np.random.default_rng(6).integers(0, 10**5, (300, 2500)).astype(np.int32)
    for costs in (C, np.ascontiguousarray(C.T)):
        one, four = (solve(method, costs, even_blocks(len(costs), 2), threads=t) for t in (1, 4))
        assert one.cost == four.cost == konig.linear_assignment(C).cost
        np.testing.assert_array_equal(one.col_dual, four.col_dual)


@EVERY_METHOD
def test_costs_are_dealt_out_in_several_messages(method, monkeypatch):
    monkeypatch.setattr("konig.distributed.split.MESSAGE_BYTES", 1000)
    C = np.random.default_rng(6).integers(0, 1000, (60, 40))
    for costs in (C, C.T):
        blocks = [(20, len(costs) - 20), (0, 3), (3, 17)]
        assert solve(method, costs, blocks).cost == konig.linear_assignment(C).cost


# ---- counters


def uniform(n, top, seed=1):
    return np.random.default_rng(seed).integers(0, top, (n, n)).astype(np.int32)


@pytest.mark.parametrize("size", [1, 3])
@EVERY_METHOD
def test_counters_are_those_of_one_machine(method, size):
    # What is reached before an update is what every largest assignment on zero slacks leaves within reach.
    for top in (10, 150, 1500, 10**6):
        C = uniform(150, top)
        there = konig.linear_assignment(C, method=method, threads=1)
        a = solve(method, C, even_blocks(150, size))
        np.testing.assert_array_equal(a.col_dual, there.col_dual)
        for name in ("initial_assignments", "dual_updates", "compressions"):
            assert a.stats.get(name) == there.stats.get(name), name
        assert a.stats["greedy_assignments"] + sum(a.stats["assignments"]) == 150
        assert len(a.stats["assignments"]) == a.stats["iterations"]
        assert (a.stats["initial_assignments"] == 150) == (a.stats["dual_updates"] == 0)


def test_stages_are_those_of_one_machine():
    C = uniform(120, 1200)
    for method in METHODS:
        there = konig.linear_assignment(C, method=method, threads=1).stats["seconds"]
        here = solve(method, C, even_blocks(120, 2)).stats["seconds"]
        assert set(here) - {"split"} <= set(there) | {"optimality_check"}
        assert {"reduction", "forward_pass", "reverse_pass", "augmentation", "dual_update"} <= set(here)


def test_only_compressed_edges_and_covers_travel_to_and_from_the_root():
    C = uniform(200, 2000)
    stats = solve("hungarian-classical", C, even_blocks(200, 2)).stats
    rounds = stats["compressions"]
    of_the_root = rounds * (400 // 8 + 8 + 4 * 100) + 4 * 4 * 200 * rounds
    assert stats["bytes_sent"] < of_the_root + 200 * 50
    assert stats["bytes_sent"] < C.nbytes


def test_the_tree_variant_deals_out_the_matrix_once_and_then_sends_what_it_reaches():
    C = uniform(200, 2000)
    stats = solve("hungarian-tree", C, even_blocks(200, 2)).stats
    messages = stats["levels"] + stats["dual_updates"]
    reached = 8 * 200 * (stats["iterations"] + 1)
    assert C.nbytes // 2 < stats["bytes_sent"] < C.nbytes // 2 + 8 * messages + reached + 200 * 100


# ---- ranks that fail


@pytest.mark.parametrize("kind", ["square integers", "tall reals", "infeasible"])
@EVERY_METHOD
def test_a_rank_that_fails_at_any_step_ends_all(method, kind):
    rng = np.random.default_rng(7)
    C = {
        "square integers": rng.integers(0, 30, (8, 8)),
        "tall reals": np.round(rng.random((9, 6)), 1) + rng.random((9, 6)) * 1e-17,
        "infeasible": np.where(
            np.arange(6)[:, None] < 3, np.array([1.0, 2, np.inf, np.inf, np.inf, np.inf]), 5
        ),
    }[kind]
    blocks = even_blocks(len(C), 3)
    steps = found_on(method, C, blocks)[0][1]
    assert steps > 5
    for step in range(steps):
        for failing in (0, 2):
            outcomes = found_on(method, C, blocks, seed=step, fails=(failing, step))
            assert {(type(error), str(error)) for error in outcomes} == {
                (OSError, f"rank {failing}: the disk is full")
            }


@EVERY_METHOD
def test_a_bad_cost_is_refused_on_all_ranks_with_its_place(method):
    C = np.ones((6, 5))
    C[4, 2] = np.nan
    for error in found_on(method, C, even_blocks(6, 3)):
        assert isinstance(error, ValueError)
        assert str(error) == "rank 2: C[4, 2] is NaN; costs must be numbers"


@EVERY_METHOD
def test_an_interrupt_ends_a_solve(method, monkeypatch):
    ranks = Ranks(SoloComm())
    C = uniform(200, 10**6)
    comm_call = SoloComm.bcast

    def interrupted(comm, values, root):
        os.kill(os.getpid(), signal.SIGINT)
        return comm_call(comm, values, root)

    monkeypatch.setattr(SoloComm, "bcast", interrupted)
    with pytest.raises(KeyboardInterrupt), ranks.together():
        solve_part(method, ranks, C, 0, 200)
