"""Runs batches of small assignment problems on an NVIDIA GPU: a warp or a block for each of them.

The launches are ordinary ones, of about 50 ms at most: crews take problems from a common counter, and one
that runs out of time leaves its problem so that the next launch goes on with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from konig.assignment import gpu as cuda_assignment
from konig.assignment.batch import all_counts
from konig.assignment.cpu import BatchSolved
from konig.assignment.inputs import dense_costs
from konig.errors import InfeasibleError
from konig.gpu import staging
from konig.gpu.compile import compiled, headers_digest, unit_source
from konig.gpu.device import resident_blocks
from konig.gpu.program import BUDGET_NS
from konig.interop import arrays
from konig.progress import Report
from konig.registry import find

UNIT = "assignment_batch"

# enum Outcome of konig/assignment/batch/problem.h
UNTOUCHED, OPTIMAL, PAUSED, INFEASIBLE, OUT_OF_REACH, TOTAL_TOO_LARGE, BAD_COST = range(7)
# enum Word there
WORDS = ("next", "first_bad", "finished", "greedy_assignments", "searches", "steps")
NO_POSITION = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Crew:
    """So many threads with so many columns each; a block holds one crew, or several of a warp each."""

    threads: int
    strips: int
    crews: int = 1

    @property
    def columns(self) -> int:
        return self.threads * self.strips

    def compile_options(self, dtype: Any) -> tuple[str, ...]:
        return (
            f"-DKONIG_COST={cuda_assignment.COST_TYPES[str(dtype)]}",
            f"-DKONIG_THREADS={self.threads}",
            f"-DKONIG_STRIPS={self.strips}",
            f"-DKONIG_CREWS={self.crews}",
        )


# A problem is solved by the first crew that holds its longer side. Larger problems are solved alone. What a
# search waits for is memory: a thread for each column asks for a row at once.
CREWS = (Crew(32, 2, 4), Crew(32, 4, 4), Crew(320, 1), Crew(512, 1), Crew(256, 4), Crew(512, 4))


def device_costs(gpu: Any, C: Any, place: arrays.Place, seconds: dict[str, float]) -> Any:
    """The costs of a batch on the current device; in place if they are there."""
    if place.gpu is None:
        host = dense_costs(C if isinstance(C, np.ndarray) else arrays.to_numpy(C))
        _require_memory(gpu.cupy, host.shape, 2 * host.nbytes)
        began = perf_counter()
        there = staging.to_device(gpu.cupy, host)
        seconds["costs_to_device"] = perf_counter() - began
        return there
    costs = gpu.cupy.ascontiguousarray(cuda_assignment.on_device(gpu.cupy, C, place, 3))
    _require_memory(gpu.cupy, costs.shape, costs.nbytes)
    return costs


def _require_memory(cupy: Any, shape: tuple[int, ...], costs: int) -> None:
    problems, rows, cols = shape
    answers = problems * (8 * (rows + cols) + 16 * min(rows, cols) + 64)
    staging.require_free(cupy, costs + answers, f"{problems:,} problems of {rows:,} x {cols:,}")


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

    Outcomes are on the host, 0 where a problem is solved. The costs are surveyed on the way.
    """
    batch = _Batch(cupy, C, maximize, row_counts, col_counts)
    for crew, numbers in batch.dealt():
        batch.launch(crew, numbers, report, seconds)
    outcomes = batch.outcome.get()
    first_bad = int(batch.words[WORDS.index("first_bad")])
    alone = batch.too_large()
    for b in alone:
        first_bad = min(first_bad, batch.solve_alone(b, outcomes, seconds))
    outcomes[outcomes == OPTIMAL] = 0
    stats = {"problems": batch.shape[0], **batch.counts(), "solved_alone": len(alone)}
    stats |= {"launches": batch.launches, "headers": headers_digest()}
    bad = -1 if first_bad == NO_POSITION else first_bad
    return BatchSolved(*batch.answers(), outcomes, bad, stats)


class _Batch:
    """A batch on the current device, and room for its answers."""

    def __init__(
        self,
        cupy: Any,
        C: Any,
        maximize: bool,
        row_counts: np.ndarray | None,
        col_counts: np.ndarray | None,
    ):
        self.cupy, self.costs, self.maximize, self.shape = cupy, C, maximize, C.shape
        self.host_counts = (row_counts, col_counts)
        problems, rows, cols = C.shape
        # The solver's rows are the shorter side: what it reads together should lie together.
        self.turned = rows > cols
        self.memory = cupy.ascontiguousarray(C.transpose(0, 2, 1)) if self.turned else C
        self.counts_there = [
            np.int64(0) if counts is None else cupy.asarray(counts) for counts in self.host_counts
        ]
        dual = np.int64 if C.dtype.kind == "i" else np.float64
        size = min(rows, cols)
        self.row_ind = cupy.full((problems, size), -1, np.int64)
        self.col_ind = cupy.full((problems, size), -1, np.int64)
        self.row_dual = cupy.zeros((problems, rows), dual)
        self.col_dual = cupy.zeros((problems, cols), dual)
        self.total = cupy.zeros(problems, dual)
        self.gap = cupy.zeros(problems)
        self.outcome = cupy.zeros(problems, np.int32)
        self.next = cupy.empty(problems, np.int32)
        self.extremes = cupy.empty(2 * problems, C.dtype)
        self.words = np.zeros(len(WORDS), np.int64)
        self.words[WORDS.index("first_bad")] = NO_POSITION
        self.launches = 0

    def extents(self) -> tuple[np.ndarray, np.ndarray]:
        """The rows and columns of every problem."""
        return all_counts(self.shape, *self.host_counts)

    def dealt(self) -> list[tuple[Crew, Any]]:
        """The numbers of the problems for each crew, the largest first; None where that is all of them."""
        problems, rows, cols = self.shape
        if problems == 0:
            return []
        if all(counts is None for counts in self.host_counts):
            fitting = [crew for crew in CREWS if max(rows, cols) <= crew.columns]
            return [(fitting[0], None)] if fitting else []
        some_rows, some_cols = self.extents()
        longest = np.maximum(some_rows, some_cols)
        least, dealt = -1, []
        for crew in CREWS:
            numbers = np.flatnonzero((longest > least) & (longest <= crew.columns))
            if len(numbers):
                work = some_rows[numbers] * some_cols[numbers]
                dealt.append((crew, numbers[np.argsort(-work, kind="stable")].astype(np.int32)))
            least = crew.columns
        return dealt

    def too_large(self) -> list[int]:
        """The numbers of the problems that no crew holds."""
        rows, cols = self.extents()
        return [int(b) for b in np.flatnonzero(np.maximum(rows, cols) > CREWS[-1].columns)]

    def launch(self, crew: Crew, numbers: Any, report: Report | None, seconds: dict[str, float]) -> None:
        """Launch until these problems are finished."""
        cupy, finished = self.cupy, WORDS.index("finished")
        began = perf_counter()
        options = crew.compile_options(self.costs.dtype)
        kernel = compiled(cupy, unit_source(UNIT), options, cooperative=False).get_function(UNIT)
        threads = crew.threads * crew.crews
        problems = self.shape[0] if numbers is None else len(numbers)
        resident = max(resident_blocks(cupy, kernel, threads), 1)
        blocks = min(-(-problems // crew.crews), resident)
        seconds["compile"] = seconds.get("compile", 0.0) + perf_counter() - began
        order = np.int64(0) if numbers is None else cupy.asarray(numbers)
        wanted = int(self.words[finished]) + problems
        while int(self.words[finished]) < wanted:
            self.words[WORDS.index("next")] = 0
            words = cupy.asarray(self.words)
            arguments = self._arguments(problems, order, words)
            kernel((blocks,), (threads,), (*arguments, np.int64(BUDGET_NS)))
            self.words = words.get()  # waits for the launch
            self.launches += 1
            if report is not None:
                report(int(self.words[finished]), self.shape[0])

    def _arguments(self, problems: int, order: Any, words: Any) -> tuple[Any, ...]:
        _, rows, cols = self.shape
        steps = (1, rows) if self.turned else (cols, 1)
        return (
            self.memory,
            *(np.int64(number) for number in (problems, rows, cols, *steps, self.maximize)),
            order,
            *self.counts_there,
            self.row_ind,
            self.col_ind,
            self.row_dual,
            self.col_dual,
            self.total,
            self.gap,
            self.outcome,
            self.next,
            self.extremes,
            words,
        )

    def solve_alone(self, b: int, outcomes: np.ndarray, seconds: dict[str, float]) -> int:
        """A problem for the whole GPU; returns the position of its first bad cost."""
        rows, cols = (int(extent[b]) for extent in self.extents())
        C = self.cupy.ascontiguousarray(self.costs[b, :rows, :cols])
        bad = cuda_assignment.first_bad(self.cupy, C, self.maximize)
        if bad >= 0:
            outcomes[b] = BAD_COST
            row, col = divmod(bad, cols)
            return int((b * self.shape[1] + row) * self.shape[2] + col)
        method = find("core-paths", "assignment")
        forbids = C.dtype.kind == "f" and bool(self.cupy.isinf(C).any())
        try:
            found = cuda_assignment.solve(
                self.cupy, method, C, self.maximize, forbids, None, method.settings({}), None, seconds
            )
        except InfeasibleError:
            outcomes[b] = INFEASIBLE
            return int(NO_POSITION)
        except OverflowError:
            outcomes[b] = OUT_OF_REACH
            return int(NO_POSITION)
        if C.dtype.kind == "i" and abs(found.cost) > NO_POSITION:
            outcomes[b] = TOTAL_TOO_LARGE
            return int(NO_POSITION)
        size = min(rows, cols)
        self.row_ind[b, :size], self.col_ind[b, :size] = found.row_ind, found.col_ind
        self.row_dual[b, :rows], self.col_dual[b, :cols] = found.row_dual, found.col_dual
        self.total[b], self.gap[b] = found.cost, found.gap
        outcomes[b] = OPTIMAL
        return int(NO_POSITION)

    def answers(self) -> tuple[Any, Any, Any, Any, Any, Any]:
        gap = self.gap.astype(self.total.dtype, copy=False)
        return self.row_ind, self.col_ind, self.total, gap, self.row_dual, self.col_dual

    def counts(self) -> dict[str, int]:
        names = ("greedy_assignments", "searches", "steps")
        return {name: int(self.words[WORDS.index(name)]) for name in names}
