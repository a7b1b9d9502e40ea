"""Dense costs on a GPU: the one launch that solves most of them, and how Python goes on from it.

One native call lays out the memory, launches core-paths and reads the outcome; a second one proves the answer
and writes it (``native/assignment/solve_there.h``). Where a solve needs more than that (room, another start,
a second launch, a finer unit), the objects that run every other solve take over that memory.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from konig import _native, programs
from konig.assignment.cpu import How, Solved
from konig.assignment.inputs import Extent
from konig.assignment.integers import RealValues
from konig.assignment.problem import DenseProblem, least_precise, oriented_costs, types_of, values_of
from konig.assignment.programs import PROGRAMS, Assigning, Start, first_room, numbers, useful_workers
from konig.gpu import compile
from konig.gpu.commands import Kernel, driver, ready_stream
from konig.gpu.compile import TYPES, Unit, headers_digest, kernel, kernel_unit
from konig.gpu.program import BUDGET_NS, Begun, DeviceSolve, hurries, kernel_for, threads_of
from konig.gpu.sums import THREADS, sum_blocks, sum_unit

VARIANT, PROOF_UNIT = "core", "assignment_proof"
PROOFS = "real_col_duals", "pair_costs", "lowest_slacks", "pairs_within"  # as SolveThere takes them


@cache
def proof_unit(dtype: Any) -> Unit:
    """The kernels that prove answers to costs of a type."""
    return kernel_unit(PROOF_UNIT, (f"-DKONIG_COST={TYPES[str(dtype)]}",))


class Ready(NamedTuple):
    """What all solves of costs of a type share on a device."""

    program: _native.Program
    kernels: tuple[Kernel, ...]  # of the program, and of proofs
    fitting: int  # blocks that the device holds at once
    threads: int


_ready: dict[tuple[Any, ...], Ready] = {}  # of each generation of `compile`, for the life of the process


def ready_for(cupy: Any, dtype: Any, items: int, seconds: dict[str, float]) -> Ready:
    """The program and the kernels for costs of a type on the current device."""
    seconds.setdefault("compile", 0.0)
    key = compile.generation, cupy, cupy.cuda.runtime.getDevice(), dtype, hurries(items)
    found = _ready.get(key)
    if found is None:
        task = programs.Task(programs.find(PROGRAMS[VARIANT], types_of(dtype)), {}, {}, items=items)
        threads = threads_of(task)
        solve, fitting = kernel_for(cupy, task, threads, seconds)
        kernels = (solve, *(kernel(cupy, proof_unit(dtype), name) for name in PROOFS))
        found = _ready[key] = Ready(task.program, kernels, fitting, threads)
    return found


def long_sides(cupy: Any, length: int) -> tuple[Kernel, Kernel, int, int]:
    """What an answer whose longer side stays on the device takes in addition."""
    whole = np.dtype(np.int64)
    gather = kernel(cupy, proof_unit(whole), "pair_costs")
    total = kernel(cupy, sum_unit(whole), "whole_sum")
    return gather, total, sum_blocks(cupy, length), THREADS


def takes(how: How) -> bool:
    """Whether there is such a launch for this method."""
    return how.method.variant["variant"] == VARIANT and how.settings["team"] == "threads"


class FirstLaunch:
    """A solve from nothing after its first launch; its costs have been checked, and there is at least one."""

    def __init__(self, cupy: Any, C: Any, how: How, extent: Extent, seconds: dict[str, float]):
        self.cupy, self.C, self.how, self.seconds = cupy, C, how, seconds
        self.bounds = extent.least, extent.greatest
        self.transposed = C.shape[0] > C.shape[1]
        self.costs = oriented_costs(cupy, C, how.maximize)
        rows, cols = self.costs.shape
        self.values = values_of(C.dtype, self.bounds, rows, how.maximize)
        self.generation = compile.generation
        self.ready = ready_for(cupy, C.dtype, rows * cols, seconds)
        program, kernels, fitting, threads = self.ready
        self.blocks = min(-(-useful_workers(VARIANT, rows, cols) // threads), fitting)
        given = numbers(VARIANT, (rows, cols), self.values, Start.NOTHING, first_room(VARIANT, rows))
        given["reports"] = int(not extent.forbids)
        self.native = _native.SolveThere(
            driver(),
            ready_stream(cupy),
            program,
            kernels,
            (self.blocks, threads),
            int(self.costs.data.ptr),
            given,
            isinstance(self.values, RealValues),
            how.maximize,
            self.transposed,
        )
        self.memory = cupy.empty(self.native.places[-1], np.uint8)
        self.native.launch(int(self.memory.data.ptr), BUDGET_NS)
        self.reading = self.native.reading

    def solved(self) -> Solved | None:
        """The answer, proved; None if there is more to do."""
        if self.reading.status != "optimal":
            return None
        rows, cols = self.C.shape
        real = isinstance(self.values, RealValues)
        firsts: Any
        *firsts, size = self.native.answer_places
        there = self.cupy.empty(size, np.uint8).data
        held: list[Any] = []

        def allocate(size: int) -> int:
            held.clear()  # first, so that there is room
            held.append(self.cupy.empty(size, np.uint8))
            return int(held[0].data.ptr)

        least_paid = least_precise(self.values, min(rows, cols))
        sides = long_sides(self.cupy, max(rows, cols)) if self.native.is_long else None
        written: Any = self.native.write(int(there.ptr), least_paid, allocate, sides)
        if written is None:
            return None
        if self.how.report is not None and self.reading.progress is not None:
            self.how.report(*self.reading.progress)  # of a solve that goes on, DeviceSolve.run reports
        cost, gap, exact_solves = written
        stats = {
            **self.reading.statistics,
            "workers": self.blocks * self.ready.threads,
            "headers": headers_digest(),
            "seconds": self.reading.seconds,
        }
        dual: Any = np.int64
        if real:
            dual, stats["exact_solves"] = np.float64, exact_solves
        size = min(rows, cols)
        row_ind, col_ind, row_dual, col_dual = (
            self.cupy.ndarray(extent, dtype, there + first)  # a slice takes twice as long
            for first, extent, dtype in zip(
                firsts, (size, size, rows, cols), (np.int64, np.int64, dual, dual), strict=True
            )
        )
        return Solved(row_ind, col_ind, cost, gap if real else 0, row_dual, col_dual, stats)

    def problem(self) -> DenseProblem:
        """The same problem, with its answer where the launch has put it."""
        _, answer, block, *_ = self.native.places
        place = self.memory[answer:block]
        return DenseProblem(
            self.cupy, self.C, self.how.maximize, self.bounds, oriented=self.costs, memory=place
        )

    def assigning(self, problem: DenseProblem) -> Assigning:
        """The program at work on that problem, whose next run goes on from the launch."""
        control, _, block, distances, arcs, end = self.native.places
        kernel = self.ready.kernels[0]
        begun = Begun(self.memory, control, block, self.blocks, kernel, self.generation, self.native.state)

        def go_on(task: programs.Task) -> DeviceSolve:
            return DeviceSolve(self.cupy, task, self.seconds, begun=begun)

        memory = self.memory[distances:arcs], self.memory[arcs:end]
        return Assigning(problem, VARIANT, go_on, memory)
