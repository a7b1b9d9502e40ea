"""The parallel programs for assignments, the Hungarian methods and core-paths: on the host or on a GPU.

The arrays are NumPy's or CuPy's, wherever the costs are.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from konig import programs
from konig.assignment.integers import IntegerValues
from konig.machine import Solve
from konig.programs import Outcome
from konig.progress import Report

if TYPE_CHECKING:
    from konig.assignment.problem import Problem

PROGRAMS = {
    "classical": "papers/hungarian/classical",
    "tree": "papers/hungarian/tree",
    "core": "assignment/core_paths",
}
EDGES_PER_ROW = 8  # with zero slack: as many as the reduction leaves on ordinary costs
ENTRIES_PER_WORKER = {"classical": 64, "tree": 64, "core": 16}


class Start(IntEnum):
    """What a program starts from, as ``konig/assignment/costs.h`` has it."""

    NOTHING = 0
    DUALS = 1  # of the columns
    COARSE_DUALS = 2  # coarse scales come first
    PAIRS = 3  # and duals


class Assigning:
    """A program at work on a problem, with room that grows when it asks for more.

    ``start`` makes a solve on the machine where the costs are.
    """

    def __init__(self, problem: Problem, variant: str, start: Callable[[programs.Task], Solve]):
        self.problem, self.variant, self.xp = problem, variant, problem.xp
        self.program = programs.find(PROGRAMS[variant], (problem.type_of_costs,))
        marks = "distance" if variant == "core" else "since"
        extents = {f"row_{marks}": problem.rows, f"col_{marks}": problem.cols}
        both = self.xp.zeros(sum(extents.values()), np.int64)
        self.marks = dict(zip(extents, (both[: problem.rows], both[problem.rows :]), strict=True))
        self.growing: dict[str, Any] = {}
        self._make_room(first_room(variant, problem.rows))
        self.work = self._task()
        self.solve = start(self.work)

    def run(self, report: Report | None, asks: bool = False) -> Outcome:
        """Until the solve has ended or, if the caller ``asks``, turns out to need another start."""
        if self.variant == "core":
            self.work.numbers["reports"] = int(asks)
        while True:
            outcome = self.solve.run(self.work, report)
            if outcome.status != "needs room":
                return outcome
            self._make_room(max(outcome.words.get("edges", 0), 2 * self.room))
            self.work.numbers["room"] = self.room
            self.work.given.update(self.growing)

    def reached(self) -> tuple[Any, Any]:
        """Which rows and columns the last search reached, or missed: a Hall violator, if it was in vain."""
        least = programs.header_word(PROGRAMS["core"], "unreached") if self.variant == "core" else 0
        rows, cols = (marks >= least for marks in self.marks.values())
        return rows, cols

    def _make_room(self, room: int) -> None:
        """For so many arcs of each row, which are kept, or for so many edges, which are found again.

        Zeros, so that on the host even a superstep that was cut leaves indices behind.
        """
        self.room, before = room, self.growing
        if self.variant != "core":
            sizes = {name: room * self.program.item_bytes[name] for name in ("neighbour", "edge")}
            self.growing = {name: self.xp.zeros(size, np.uint8) for name, size in sizes.items()}
            return
        # One piece of memory, since on a GPU each takes some microseconds: two words an arc, and half of one.
        arcs = self.problem.rows * room
        memory = self.xp.zeros(5 * arcs, np.int32)
        parts = {
            "arc_value": memory[: 2 * arcs].view(np.int64),
            "arc_slack": memory[2 * arcs : 4 * arcs].view(np.int64),
            "arc_col": memory[4 * arcs :],
        }
        self.growing = {name: part.reshape(-1, room) for name, part in parts.items()}
        for name in ("arc_col", "arc_value") if before else ():
            self.growing[name][:, : before[name].shape[1]] = before[name]

    def _task(self) -> programs.Task:
        problem = self.problem
        given = {
            **problem.cost_arrays,
            "col_of_row": problem.col_of_row,
            "row_of_col": problem.row_of_col,
            "row_dual": problem.row_dual,
            "col_dual": problem.col_dual,
        }
        start = Start.NOTHING
        if problem.has_pairs:
            start = Start.PAIRS
        elif problem.warm:
            start = Start.COARSE_DUALS if problem.coarse_first else Start.DUALS
        return programs.Task(
            self.program,
            numbers(self.variant, problem.shape, problem.values, start, self.room) | problem.cost_numbers,
            {**given, **self.marks, **self.growing},
            workers=-(-problem.rows * problem.cols // ENTRIES_PER_WORKER[self.variant]),
            options=problem.compile_options,
            items=problem.rows * problem.cols,
        )


def first_room(variant: str, rows: int) -> int:
    """What a solve starts with: arcs of a row, or edges."""
    if variant == "core":
        return programs.header_word(PROGRAMS["core"], "first_room")
    return EDGES_PER_ROW * rows if variant == "classical" else 0


def numbers(
    variant: str, shape: tuple[int, int], values: Any, start: int, room: int
) -> dict[str, int | float]:
    """The numbers of a program: sizes, how costs become whole numbers, and what is asked of it."""
    rows, cols = shape
    known: dict[str, int | float] = {"rows": rows, "cols": cols, "stride": cols, "room": room}
    known["starts_from"] = int(start)
    if isinstance(values, IntegerValues):
        known |= {"base": int(values.base), "flip": -int(values.maximize)}
    else:
        known |= {"base": float(values.base), "first": float(values.first), "second": float(values.second)}
    return known | ({"reports": 0} if variant == "core" else {})


def workspace_bytes(rows: int, cols: int) -> int:
    """A bound on what a solve takes beside the costs: core-paths with lists widened once, then tree."""
    values = IntegerValues(0, False)
    blocks = 0
    for variant in ("core", "tree"):
        program = programs.find(PROGRAMS[variant], ("int32",))
        blocks += program.block(numbers(variant, (rows, cols), values, Start.NOTHING, 0))[0]
    return blocks + 3 * 20 * first_room("core", rows) * rows + 64 * (rows + cols)
