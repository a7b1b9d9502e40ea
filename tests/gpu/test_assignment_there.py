"""Assignments on a GPU with the host in its place: the way of costs, answers and proofs."""

import ctypes
import math
from types import SimpleNamespace

import numpy as np
import pytest
from host_memory import HostCupy, HostKernel, OnHost, at, host_driver

import konig
from konig import _native, programs
from konig.assignment import first_launch, problem
from konig.assignment import gpu as device_assignment
from konig.assignment.cpu import How, required
from konig.assignment.first_launch import FirstLaunch
from konig.assignment.gpu import checked_extent, real_costs_there
from konig.assignment.lines import HostLines
from konig.assignment.result import Assignment
from konig.gpu import commands, compile, sums
from konig.gpu import program as device_program
from konig.gpu.commands import Commands
from konig.registry import find

NUMBERS = {"int": np.int32, "long long": np.int64, "float": np.float32, "double": np.float64}


class Kernel(OnHost):
    """A kernel of konig/kernels as the host computes it; ``types`` are those of its arguments."""

    def __init__(self, work, types, dtype):
        super().__init__()
        self.work, self.types, self.dtype, self.launches = work, types, dtype, 0

    def run(self, blocks, threads, places):
        assert threads % 32 == 0
        self.launches += 1
        arguments = [at(places[k], dtype, 1)[0] for k, dtype in enumerate(self.types)]
        self.work(self.dtype, blocks, *(a.item() for a in arguments))


def cost_extent(dtype, blocks, cost, count, maximize, found):
    C, words = at(cost, dtype, count), at(found, np.uint64, 4)
    assert (words == 2**64 - 1).all()
    if C.dtype.kind == "f":
        wide, forbidding = C.astype(np.float64), -np.inf if maximize else np.inf
        finite, bad = np.isfinite(wide), ~(np.isfinite(wide) | (wide == forbidding))
        bits = wide.view(np.uint64)
        keys = np.where(bits >> np.uint64(63), ~bits, bits | np.uint64(1 << 63))
    else:
        ends = np.iinfo(np.int64)
        wide = C.astype(np.int64)
        finite, bad = np.ones(count, bool), (wide <= ends.min + maximize) | (wide == ends.max)
        keys = wide.view(np.uint64) ^ np.uint64(1 << 63)
    if finite.any():
        words[:2] = keys[finite].min(), ~keys[finite].max()
    words[2] = 0 if (~finite & ~bad).any() else words[2]
    words[3] = 0 if bad.any() else words[3]


def is_there(status):
    return not status or at(status, np.int64, 1)[0] == 1


def pair_costs(dtype, blocks, cost, rows, cols, col_of_row, found, status):
    if not is_there(status):
        return
    pairs = np.arange(rows) * cols + at(col_of_row, np.int32, rows)
    at(found, dtype, rows)[:] = at(cost, dtype, int(pairs.max()) + 1)[pairs]


def real_col_duals(dtype, blocks, dual, cols, is_square, sign, first, second, found, status):
    if not is_there(status):
        return
    duals = at(dual, np.int64, cols)
    middle = (int(duals.min()) + int(duals.max())) >> 1 if is_square else 0
    at(found, np.float64, cols)[:] = sign * ((duals - middle).astype(np.float64) / first / second)


def lowest_slacks(dtype, rows, cost, cols, sign, col_dual, lowest, col_of_row, paid, status):
    if not is_there(status):
        return
    C = at(cost, dtype, rows * cols).reshape(rows, cols)
    duals, found = at(col_dual, np.float64, cols), at(lowest, np.float64, rows)
    _native.lowest_below(C, sign < 0, 1, duals, found)
    if paid:
        pair_costs(dtype, rows, cost, rows, cols, col_of_row, paid, 0)


def whole_sum(dtype, blocks, numbers, count, found):
    given, words = at(numbers, dtype, count), at(found, np.int64, 2)
    words += (given >> 31).sum(), (given & 0x7FFFFFFF).sum()


def pairs_within(dtype, asked, cost, cols, sign, col_dual, row_of, bound, first, room, count, col, cost_of):
    duals = at(col_dual, np.float64, cols)
    for k, (row, most) in enumerate(
        zip(at(row_of, np.int64, asked), at(bound, np.float64, asked), strict=True)
    ):
        line = sign * at(cost + int(row) * cols * np.dtype(dtype).itemsize, dtype, cols).astype(np.float64)
        found = np.flatnonzero(line - duals <= most)
        listed = found if first else found[:room]
        begin = int(at(first, np.int64, asked)[k]) if first else k * room
        at(col + 4 * begin, np.int32, len(listed))[:] = listed
        at(cost_of + 8 * begin, np.float64, len(listed))[:] = line[listed]
        if not first:
            at(count, np.int32, asked)[k] = len(found)


WHOLE, REAL = np.int64, np.float64
WORK = {
    "cost_extent": (cost_extent, 4 * [WHOLE]),
    "pair_costs": (pair_costs, 6 * [WHOLE]),
    "real_col_duals": (real_col_duals, [WHOLE, WHOLE, WHOLE, REAL, REAL, REAL, WHOLE, WHOLE]),
    "lowest_slacks": (lowest_slacks, [WHOLE, WHOLE, REAL, *5 * [WHOLE]]),
    "whole_sum": (whole_sum, 3 * [WHOLE]),
    "pairs_within": (pairs_within, [WHOLE, WHOLE, REAL, *4 * [WHOLE], np.int32, *3 * [WHOLE]]),
}


@pytest.fixture
def launched(monkeypatch):
    """The kernels that were asked for by name, as the host runs them."""
    asked = {}

    def version_of(cupy, unit, hurry=True):
        if unit.cooperative:
            (kernel,) = (HostKernel(p) for p in programs.every() if unit.code == device_program.source(p))
            asked[kernel.program.name] = kernel
            return compile.Version(kernel)
        types = "-DKONIG_COST=", "-DKONIG_WHOLE="
        (given,) = (option for option in unit.more_options if option.startswith(types))
        dtype = NUMBERS[given.partition("=")[2]]

        def get_function(name):
            asked[name] = Kernel(*WORK[name], dtype)
            return asked[name]

        return compile.Version(SimpleNamespace(get_function=get_function))

    def lines(cupy, C, maximize):
        return SimpleNamespace(transposed=lambda: HostCupy.ascontiguousarray(C.T))

    def without(self, bound):
        return HostCupy.asarray(host_without(self, bound))

    host_without = HostLines.without
    monkeypatch.setattr(HostLines, "without", without)
    monkeypatch.setattr(problem, "DeviceLines", lines)
    monkeypatch.setattr(commands, "driver", host_driver)
    monkeypatch.setattr(device_assignment, "driver", host_driver)
    monkeypatch.setattr(first_launch, "driver", host_driver)
    monkeypatch.setattr(first_launch, "_ready", {})
    monkeypatch.setattr(device_program, "_kernels", {})
    monkeypatch.setattr(compile, "_functions", {})
    monkeypatch.setattr(compile, "version_of", version_of)
    monkeypatch.setattr(device_assignment, "begin", lambda cupy, unit: None)
    monkeypatch.setattr(device_assignment, "processors", lambda cupy: 2)
    monkeypatch.setattr(sums, "processors", lambda cupy: 2)
    monkeypatch.setattr(device_program.device, "processors", lambda cupy: 2)
    monkeypatch.setattr(device_program.device, "clock_ticks", lambda cupy: 1.0)
    monkeypatch.setattr(device_program.device, "resident_blocks", lambda cupy, kernel, threads: 2)
    return asked


def solved_there(C, maximize=False, name="core-paths", report=None):
    """The answer, with its arrays as the host's."""
    method = find(name, "assignment")
    how = How(method, method.settings({}), maximize, report=report)
    there = HostCupy.asarray(C)
    solved = required(
        device_assignment.solve(HostCupy, there, how, checked_extent(HostCupy, there, maximize), None, {})
    )
    names = "row_ind", "col_ind", "cost", "gap", "row_dual", "col_dual", "stats"
    answer = {name: np.array(getattr(solved, name)) for name in names[:2] + names[4:6]}
    return Assignment(
        **answer,
        cost=solved.cost,
        gap=solved.gap,
        method=name,
        device="cuda:0",
        stats=solved.stats,
        maximize=maximize,
    )


def costs(kind, rows, cols, seed):
    draw = np.random.default_rng(seed)
    if kind == "points":
        x, y = draw.random((rows, 2)), draw.random((cols, 2))
        return np.linalg.norm(x[:, None] - y[None], axis=2)
    if kind == "ties":
        return draw.integers(0, 4, (rows, cols)).astype(np.float64) / 3
    if kind == "scales":
        return np.exp(draw.normal(0, 12, (rows, cols)))
    return draw.integers(-(10**6), 10**6, (rows, cols))


@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("shape", [(1, 1), (60, 60), (40, 70), (70, 40)])
@pytest.mark.parametrize(
    ("kind", "dtype"),
    [
        ("whole", np.int32),
        ("whole", np.int64),
        ("points", np.float64),
        ("points", np.float32),
        ("ties", np.float64),
        ("scales", np.float64),
    ],
)
def test_an_answer_from_there_is_proved_and_costs_what_the_host_finds(launched, kind, dtype, shape, maximize):
    C = costs(kind, *shape, seed=5).astype(dtype)
    before = C.copy()
    answer = solved_there(C, maximize)
    answer.verify(C)
    assert answer.cost == konig.linear_assignment(C, maximize=maximize).cost
    np.testing.assert_array_equal(C, before)
    assert launched["assignment/core_paths"].launches > 0


@pytest.mark.parametrize("shape", [(60, 60), (40, 70), (70, 40)])
@pytest.mark.parametrize(
    ("kind", "dtype"),
    [("whole", np.int32), ("whole", np.int64), ("points", np.float32), ("ties", np.float64)],
)
def test_a_solve_goes_on_from_its_first_launch(launched, monkeypatch, kind, dtype, shape):
    workspaces = []
    run = HostKernel.run

    def late(self, blocks, threads, places):
        workspaces.append(ctypes.string_at(places[0], self.program.workspace_bytes))
        if len(workspaces) > 1:  # the first launch ends before it has begun
            run(self, blocks, threads, places)

    monkeypatch.setattr(HostKernel, "run", late)
    C = costs(kind, *shape, seed=5).astype(dtype)
    answer = solved_there(C)
    answer.verify(C)
    assert answer.cost == konig.linear_assignment(C).cost
    first, second = workspaces[:2]
    assert first == second


@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("shape", [(60, 60), (40, 70), (70, 40)])
@pytest.mark.parametrize("kind", ["whole", "points", "ties", "scales"])
def test_an_answer_of_the_first_launch_is_that_of_python(launched, monkeypatch, kind, shape, maximize):
    C = costs(kind, *shape, seed=9)
    answer = solved_there(C, maximize)
    monkeypatch.setattr(FirstLaunch, "solved", lambda first: None)
    again = solved_there(C, maximize)
    again.verify(C)
    for name in ("row_ind", "col_ind", "cost", "gap", "row_dual", "col_dual"):
        np.testing.assert_array_equal(getattr(again, name), getattr(answer, name))
    seconds = answer.stats["seconds"].keys()
    assert again.stats["seconds"].keys() == seconds
    assert {**again.stats, "seconds": 0} == {**answer.stats, "seconds": 0}
    assert isinstance(answer.gap, type(answer.cost))


@pytest.mark.parametrize("ends_at_once", [True, False])
def test_every_launch_reports_once(launched, monkeypatch, ends_at_once):
    reports, runs = [], []
    run = HostKernel.run

    def late(self, blocks, threads, places):
        runs.append(places)
        if ends_at_once or len(runs) > 1:  # else the first launch ends before it has begun
            run(self, blocks, threads, places)

    monkeypatch.setattr(HostKernel, "run", late)
    solved_there(costs("whole", 60, 60, 3), report=lambda done, total: reports.append((done, total)))
    assert len(reports) == len(runs) == (1 if ends_at_once else 2)
    assert reports[-1] == (60, 60)


def test_what_one_launch_does_not_solve_is_solved_all_the_same(launched):
    x = np.arange(1.0, 81.0)
    gate = np.where(np.random.default_rng(4).random((60, 60)) < 0.3, 1e15, costs("points", 60, 60, 4))
    for C in (np.outer(x, x), np.outer(x[:20], x), gate, np.full((30, 30), 7.0), np.ones((3, 5), np.int64)):
        for turned in (C, np.asfortranarray(C), C.T):
            answer = solved_there(turned)
            answer.verify(turned)
    with pytest.raises(konig.InfeasibleError):
        solved_there(np.where(np.arange(5) < 4, np.inf, np.ones((5, 5))))


@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
def test_the_longer_side_of_a_long_answer_stays_there(launched, monkeypatch, dtype, turned, maximize):
    draw = np.random.default_rng(3)
    C = draw.integers(-1000, 1000, (3, 400_000)).astype(dtype)
    C = C.T if turned else C
    answer = solved_there(C, maximize)
    answer.verify(C)
    assert answer.stats["launches"] == 1
    assert ("whole_sum" in launched) == (not maximize)
    monkeypatch.setattr(FirstLaunch, "solved", lambda first: None)
    again = solved_there(C, maximize)
    for name in ("row_ind", "col_ind", "cost", "gap", "row_dual", "col_dual"):
        np.testing.assert_array_equal(getattr(again, name), getattr(answer, name))


def test_a_long_answer_that_is_not_proved_at_once_comes_to_the_host(launched):
    draw = np.random.default_rng(0)
    near, far = 0.5 + 1e-4 * draw.random((30, 2)), draw.random((210_000, 2))  # all want the same columns
    C = np.linalg.norm(near[:, None] - far[None], axis=2)
    answer = solved_there(C)
    answer.verify(C)
    assert launched["pairs_within"].launches > 0
    assert answer.stats["exact_solves"] == 0


def test_a_launch_that_does_not_end_the_solve_brings_no_answer(launched, monkeypatch):
    monkeypatch.setattr("konig.assignment.programs.EDGES_PER_ROW", 1)  # so that the first launch needs room
    C = np.multiply.outer(np.arange(20), np.arange(20)).astype(np.int32) // 7
    answer = solved_there(C, name="hungarian-classical")
    answer.verify(C)
    assert launched["papers/hungarian/classical"].launches > 1
    assert launched["pair_costs"].launches == launched["papers/hungarian/classical"].launches


def test_a_proof_asks_little_of_the_gpu(launched):
    C = costs("points", 80, 80, seed=1)
    answer = solved_there(C)
    asked = {name: kernel.launches for name, kernel in launched.items()}
    assert asked.pop("assignment/core_paths") == answer.stats["launches"]
    # What the pairs cost comes with the lowest slacks.
    expected = {"cost_extent": 1, "real_col_duals": 1, "lowest_slacks": 2, "pairs_within": 1, "pair_costs": 0}
    assert asked == expected


def test_a_proof_lists_no_pairs_that_tie(launched):
    draw = np.random.default_rng(7)
    C = np.where(draw.random((60, 900)) < 0.002, draw.random((60, 900)), 1.0)  # as boxes that seldom overlap
    answer = solved_there(C)
    answer.verify(C)
    assert answer.stats["exact_solves"] == 0
    # Too many to be fetched at once; then those that undercut.
    assert 2 <= launched["pairs_within"].launches <= 8


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
def test_the_extent_of_costs_is_read_from_keys(launched, dtype):
    for given in ([[3, -7], [0, 5]], [[-3, -7], [-1, -5]], [[2, 2], [2, 2]], [[0, 0], [1, 0]]):
        C = np.array(given, dtype)
        assert checked_extent(HostCupy, HostCupy.asarray(C), False) == (C.min(), C.max(), False)


def test_forbidden_pairs_are_told_from_bad_costs(launched):
    C = np.array([[1.5, math.inf], [-2.5, 0.0]])
    assert checked_extent(HostCupy, HostCupy.asarray(C), False) == (-2.5, 1.5, True)
    assert checked_extent(HostCupy, HostCupy.asarray(np.full((2, 2), math.inf)), False) == (0, 0, True)
    kernel = Kernel(*WORK["cost_extent"], np.float64)
    for bad, maximize in ((math.nan, 0), (-math.inf, 0), (math.inf, 1)):
        words = np.full(4, 2**64 - 1, np.uint64)
        there = np.array([1.0, bad])
        kernel.work(np.float64, 1, there.ctypes.data, 2, maximize, words.ctypes.data)
        assert words[3] == 0


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("maximize", [False, True])
def test_lists_of_pairs_are_those_of_the_host(launched, dtype, maximize):
    draw = np.random.default_rng(3)
    C = draw.integers(0, 9, (20, 50)).astype(dtype)
    there = real_costs_there(HostCupy, HostCupy.asarray(C), maximize)
    duals = draw.random(50)
    rows = np.array([3, 19, 0], np.int32)
    for reach in (-100.0, 1.0, 4.0, 100.0):  # none, some, more than a short list has room for, all
        bound = np.full(3, reach)
        start, col, cost = there.find_pairs(rows, duals, bound, 0)
        expected = _native.pairs_within(C, maximize, rows, duals, bound, 0)
        np.testing.assert_array_equal(start, expected[0])
        for k in range(3):
            here = slice(start[k], start[k + 1])
            assert sorted(zip(col[here], cost[here], strict=True)) == sorted(
                zip(expected[1][here], expected[2][here], strict=True)
            )
    assert there.find_pairs(rows, duals, np.full(3, 100.0), 149) is None
    assert there.find_pairs(rows, duals, np.full(3, 100.0), 150) is not None
    assert there.find_pairs(rows[:0], duals, np.zeros(0), 0)[0].tolist() == [0]


def test_what_is_known_is_not_asked_again(launched):
    C = np.random.default_rng(2).random((10, 12))
    there = real_costs_there(HostCupy, HostCupy.asarray(C), True)
    pairs = np.arange(10, dtype=np.int32)
    there.know_costs(pairs, C[np.arange(10), pairs])
    cost, lowest = np.empty(10), np.empty(10)
    there.find_costs(pairs, cost)
    np.testing.assert_array_equal(cost, -C[np.arange(10), pairs])
    assert launched["pair_costs"].launches == 0
    there.find_costs(pairs + np.int32(1), cost)
    np.testing.assert_array_equal(cost, -C[np.arange(10), pairs + 1])
    assert launched["pair_costs"].launches == 1
    there.know_lowest(np.zeros(12), np.full(10, 7.0))
    there.find_lowest(np.zeros(12), lowest)
    assert lowest.tolist() == [7.0] * 10
    there.find_lowest(np.ones(12), lowest)
    np.testing.assert_allclose(lowest, (-C).min(axis=1) - 1)


def test_a_command_that_fails_is_an_error(launched):
    sent = Commands(HostCupy)
    sent.launch((123456789, False), 1, 32)
    with pytest.raises(RuntimeError, match="CUDA cannot launch: the stand-in of a GPU failed: KeyError"):
        sent.send()


def test_commands_are_carried_out_in_their_order(launched):
    there, here = HostCupy.empty(16, np.uint8), np.zeros(16, np.uint8)
    sent = Commands(HostCupy)
    sent.fill(there.data.ptr, 16, 3)
    sent.write(there.data.ptr + 4, np.arange(2, dtype=np.uint16))
    sent.fill(there.data.ptr + 15, 1, 9)
    sent.read(there.data.ptr, here)
    sent.fill(there.data.ptr, 16, 0)
    sent.send()
    assert here.tolist() == [3] * 4 + [0, 0, 1, 0] + [3] * 7 + [9]
    assert not there.any()


def test_a_driver_names_the_call_that_it_lacks():
    with pytest.raises(ValueError, match="cuMemsetD8Async is missing"):
        _native.Driver(
            {"cuStreamSynchronize": ctypes.cast(ctypes.pythonapi.Py_IncRef, ctypes.c_void_p).value}
        )
    with pytest.raises(RuntimeError, match="driver cannot be loaded"):
        _native.Driver("no-such-library.so")


def test_more_memory_that_there_is_not_leaves_the_next_question_whole(launched, monkeypatch):
    C = np.ones((20, 50))  # ties: more pairs than short lists have room for
    there = real_costs_there(HostCupy, HostCupy.asarray(C), False)
    every = np.arange(20, dtype=np.int32), np.zeros(50), np.ones(20), 0

    def full(size, dtype):
        raise MemoryError(f"no {size} bytes")

    with monkeypatch.context() as lacking:
        lacking.setattr(HostCupy, "empty", staticmethod(full))
        for _ in range(2):
            with pytest.raises(MemoryError, match="no 12160 bytes"):
                there.find_pairs(*every)
    start, _, _ = there.find_pairs(*every)
    assert start[-1] == C.size
