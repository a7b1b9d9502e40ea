"""Batches of dense assignment problems: check, solve on a GPU, gather.

A warp or a block of the GPU solves each problem. The launches are ordinary ones, of about 50 ms at most:
groups take problems from a common counter, and one that runs out of time leaves its problem so that the next
launch goes on with it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from konig import programs
from konig.assignment import cpu as cpu_assignment
from konig.assignment import gpu as cuda_assignment
from konig.assignment import inputs as costs
from konig.assignment import unassigned
from konig.assignment.cpu import BatchSolved, Found, How, Refusal, Solved, required
from konig.assignment.unassigned import Alone
from konig.errors import InfeasibleError
from konig.gpu import staging
from konig.gpu.compile import headers_digest
from konig.gpu.program import DeviceSolve
from konig.index_arrays import as_array, check_listed_integers
from konig.interop import arrays
from konig.matching.result import VertexCover
from konig.programs import Group, Outcome, Task
from konig.progress import Report
from konig.registry import find

Partial = Callable[[Any], tuple[Solved, VertexCover]]
PROGRAM = "assignment/batch"
COUNTS = ("greedy_assignments", "searches", "steps", "launches")

# A problem is solved by the first group that holds its longer side. Larger problems are solved alone. What a
# search waits for is memory: a thread for each column asks for a row at once.
GROUPS = (Group(32, 2, 4), Group(32, 4, 4), Group(320, 1), Group(512, 1), Group(256, 4), Group(512, 4))


def solve_rest(
    C: Any,
    solved: BatchSolved,
    how: How,
    row_counts: np.ndarray | None,
    col_counts: np.ndarray | None,
    partial: Partial | None,
    alone: Alone | None = None,
) -> dict[int, VertexCover]:
    """What became of the problems that were not solved: errors, or answers found alone on the host.

    ``C`` and the answers may be on a GPU.
    """
    if solved.first_bad >= 0:
        where = np.unravel_index(solved.first_bad, C.shape)
        costs.refuse(arrays.to_numpy(C[where])[()], where, how.maximize)
    covers: dict[int, VertexCover] = {}
    for b in map(int, np.flatnonzero(solved.outcomes)):
        problem = problem_of(C, b, row_counts, col_counts)
        found: Found
        if alone is None:
            found = cpu_assignment.solve(problem, how)
        else:
            found = unassigned.solve(problem, alone.of_problem(b, *problem.shape), how)
        if isinstance(found, InfeasibleError):
            if partial is None:
                raise InfeasibleError(found.rows, found.cols, b)
            found, covers[b] = partial(problem)
        found = required(found)
        if problem.dtype.kind == "i" and abs(found.cost) > np.iinfo(np.int64).max:
            raise OverflowError(f"the cost of problem {b} does not fit into 64 bits; solve it alone")
        _write(solved, b, found)
    return covers


def problem_of(C: Any, b: int, row_counts: np.ndarray | None, col_counts: np.ndarray | None) -> np.ndarray:
    rows = C.shape[1] if row_counts is None else int(row_counts[b])
    cols = C.shape[2] if col_counts is None else int(col_counts[b])
    return np.ascontiguousarray(arrays.to_numpy(C[b, :rows, :cols]))


def _write(solved: BatchSolved, b: int, found: Solved) -> None:
    for padded, values, padding in (
        (solved.row_ind, found.row_ind, -1),
        (solved.col_ind, found.col_ind, -1),
        (solved.row_dual, found.row_dual, 0),
        (solved.col_dual, found.col_dual, 0),
    ):
        padded[b] = padding
        there = (
            values
            if isinstance(padded, np.ndarray)
            else arrays.cupy_for("an answer on a GPU").asarray(values)
        )
        padded[b, : len(values)] = there
    solved.cost[b], solved.gap[b] = found.cost, found.gap


def checked_counts(name: str, given: Any, problems: int, extent: int) -> np.ndarray | None:
    """How many rows (or columns) each problem has, or None where all have all."""
    if given is None:
        return None
    counts = as_array(given, name)
    check_listed_integers(given, name, counts.dtype)
    if counts.shape != (problems,) or counts.dtype.kind not in "iu":
        raise ValueError(
            f"{name} must be {problems} integers, one a problem, not {counts.dtype} of shape {counts.shape}"
        )
    wrong = np.flatnonzero((counts < 0) | (counts > extent))
    if len(wrong):
        raise ValueError(f"{name}[{wrong[0]}] = {counts[wrong[0]]} is not in [0, {extent}]")
    return np.array(counts, np.int64)  # a copy, which the answer keeps


def all_counts(
    shape: tuple[int, ...], row_counts: np.ndarray | None, col_counts: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """The rows and columns of every problem."""
    problems, rows, cols = shape
    return (
        np.full(problems, rows) if row_counts is None else row_counts,
        np.full(problems, cols) if col_counts is None else col_counts,
    )


def device_costs(gpu: Any, C: Any, place: arrays.Place, seconds: dict[str, float]) -> Any:
    """The costs of a batch on the current device; in place if they are there."""

    def require(shape: tuple[int, int, int], itemsize: int, copied: int) -> None:
        problems, rows, cols = shape
        answers = problems * (8 * (rows + cols) + 16 * min(rows, cols) + 64)
        needed = copied + problems * rows * cols * itemsize + answers
        staging.require_free(gpu.cupy, needed, f"{problems:,} problems of {rows:,} x {cols:,}")

    return gpu.cupy.ascontiguousarray(cuda_assignment.costs_there(gpu, C, place, 3, require, seconds))


def solve_batch(
    cupy: Any,
    C: Any,
    maximize: bool,
    row_counts: np.ndarray | None,
    col_counts: np.ndarray | None,
    report: Report | None,
    seconds: dict[str, float],
) -> BatchSolved:
    """Optimal full assignments of all problems that have one; the answers' arrays stay on the device.

    Outcomes are on the host, 0 where a problem is solved. The costs are checked on the way.
    """
    batch = Batch(cupy, C, maximize, row_counts, col_counts)
    total, finished, ended = len(C), 0, []

    def reported(done: int, _: int) -> None:
        assert report is not None
        report(finished + done, total)

    for group, numbers in batch.dealt():
        task = batch.task(numbers, group)
        ended.append(DeviceSolve(cupy, task, seconds).run(task, reported if report else None))
        finished += int(task.numbers["problems"])
    outcomes = batch.outcome.get()
    alone = batch.too_large()
    bad = [outcome.words["first_bad"] for outcome in ended]
    bad += [batch.solve_alone(b, outcomes, seconds) for b in alone]
    stats = {"problems": total, **counted(ended), "solved_alone": len(alone), "headers": headers_digest()}
    return batch.solved(outcomes, min((place for place in bad if place >= 0), default=-1), stats)


def counted(ended: list[Outcome]) -> dict[str, int]:
    """What the launches for all groups counted."""
    return {name: sum(outcome.statistics[name] for outcome in ended) for name in COUNTS}


class Batch:
    """A batch where its costs are, and room for its answers; ``xp`` is NumPy or CuPy."""

    def __init__(
        self, xp: Any, C: Any, maximize: bool, row_counts: np.ndarray | None, col_counts: np.ndarray | None
    ):
        self.xp, self.costs, self.maximize, self.shape = xp, C, maximize, C.shape
        self.counts = (row_counts, col_counts)
        problems, rows, cols = C.shape
        dual = np.int64 if C.dtype.kind == "i" else np.float64
        # The solver's rows are the shorter side: what it reads together should lie together.
        self.turned = rows > cols
        self.outcome = xp.full(problems, programs.header_word(PROGRAM, "untouched"), np.int32)
        self.given = {
            "costs": xp.ascontiguousarray(C.transpose(0, 2, 1) if self.turned else C),
            "row_counts": None if row_counts is None else xp.asarray(row_counts),
            "col_counts": None if col_counts is None else xp.asarray(col_counts),
            "row_ind": xp.full((problems, min(rows, cols)), -1, np.int64),
            "col_ind": xp.full((problems, min(rows, cols)), -1, np.int64),
            "row_dual": xp.zeros((problems, rows), dual),
            "col_dual": xp.zeros((problems, cols), dual),
            "total": xp.zeros(problems, dual),
            "gap": xp.zeros(problems),
            "outcome": self.outcome,
        }

    def extents(self) -> tuple[np.ndarray, np.ndarray]:
        """The rows and columns of every problem."""
        return all_counts(self.shape, *self.counts)

    def dealt(self) -> list[tuple[Group, Any]]:
        """The numbers of the problems for each group, the largest first; None where that is all of them."""
        problems, rows, cols = self.shape
        if problems == 0:
            return []
        if all(counts is None for counts in self.counts):
            fitting = [group for group in GROUPS if max(rows, cols) <= group.items]
            return [(fitting[0], None)] if fitting else []
        some_rows, some_cols = self.extents()
        longest = np.maximum(some_rows, some_cols)
        least, dealt = -1, []
        for group in GROUPS:
            numbers = np.flatnonzero((longest > least) & (longest <= group.items))
            if len(numbers):
                work = some_rows[numbers] * some_cols[numbers]
                dealt.append((group, numbers[np.argsort(-work, kind="stable")].astype(np.int32)))
            least = group.items
        return dealt

    def too_large(self) -> list[int]:
        """The numbers of the problems that no group holds."""
        rows, cols = self.extents()
        return [int(b) for b in np.flatnonzero(np.maximum(rows, cols) > GROUPS[-1].items)]

    def task(self, numbers: Any = None, group: Group | None = None) -> Task:
        """The problems with these numbers, or all of them, for the program."""
        problems, rows, cols = self.shape
        problems = problems if numbers is None else len(numbers)
        row_step, col_step = (1, rows) if self.turned else (cols, 1)
        sizes = {"problems": problems, "rows": rows, "cols": cols, "row_step": row_step, "col_step": col_step}
        return Task(
            programs.find(PROGRAM, (str(self.costs.dtype),)),
            {**sizes, "maximize": int(self.maximize)},
            {**self.given, "order": None if numbers is None else self.xp.asarray(numbers)},
            workers=problems * (group.threads if group else 1),
            group=group,
        )

    def solve_alone(self, b: int, outcomes: np.ndarray, seconds: dict[str, float]) -> int:
        """A problem for the whole GPU; returns the position of its first bad cost, or -1."""
        rows, cols = (int(extent[b]) for extent in self.extents())
        C = self.xp.ascontiguousarray(self.costs[b, :rows, :cols])
        bad = cuda_assignment.first_bad(self.xp, C, self.maximize)
        if bad >= 0:
            row, col = divmod(bad, cols)
            return int((b * self.shape[1] + row) * self.shape[2] + col)
        method = find("core-paths", "assignment")
        how = How(method, method.settings({}), self.maximize)
        found = cuda_assignment.solve(self.xp, C, how, None, None, seconds)
        if isinstance(found, Refusal) or (C.dtype.kind == "i" and abs(found.cost) > np.iinfo(np.int64).max):
            return -1  # by its outcome it is left to the host
        size = min(rows, cols)
        self.given["row_ind"][b, :size], self.given["col_ind"][b, :size] = found.row_ind, found.col_ind
        self.given["row_dual"][b, :rows], self.given["col_dual"][b, :cols] = found.row_dual, found.col_dual
        self.given["total"][b], self.given["gap"][b] = found.cost, found.gap
        outcomes[b] = 0
        return -1

    def solved(self, outcomes: np.ndarray, first_bad: int, stats: dict[str, Any]) -> BatchSolved:
        """What is left of the batch."""
        answer = self.given
        pairs, duals = (answer["row_ind"], answer["col_ind"]), (answer["row_dual"], answer["col_dual"])
        gap = answer["gap"].astype(answer["total"].dtype, copy=False)
        return BatchSolved(*pairs, answer["total"], gap, *duals, stats, outcomes, first_bad)
