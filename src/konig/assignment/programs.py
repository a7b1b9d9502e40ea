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
from konig.parts import Parts
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

    ``start`` makes a solve on the machine where the costs are. ``memory`` is where marks and arcs are, if
    such a solve has begun.
    """

    def __init__(
        self,
        problem: Problem,
        variant: str,
        start: Callable[[programs.Task], Solve],
        memory: tuple[Any, Any] = (None, None),
    ):
        self.problem, self.variant, self.xp = problem, variant, problem.xp
        self.program = programs.find(PROGRAMS[variant], (problem.type_of_costs,))
        marks = "distance" if variant == "core" else "since"
        extents = {f"row_{marks}": (np.int64, problem.rows), f"col_{marks}": (np.int64, problem.cols)}
        self.marks = self._allocated(extents, memory[0])
        self.room = first_room(variant, problem.rows)
        self.growing = self._room_for(self.room, memory=memory[1])
        self.work = self._task()
        self.solve = start(self.work)

    def run(self, report: Report | None, asks: bool = False) -> Outcome:
        """Until the solve has ended or, if the caller ``asks``, turns out to need another start."""
        if self.variant == "core":
            self.work.numbers["reports"] = int(asks)
        while True:
            self.problem.forget_found()
            outcome = self.solve.run(self.work, report)
            if outcome.status != "needs room":
                return outcome
            room = max(outcome.words.get("edges", 0), 2 * self.room)
            self.growing = self._room_for(room, self.growing)
            self.room = self.work.numbers["room"] = room
            self.work.given.update(self.growing.addresses())

    def hall_violator(self) -> tuple[Any, Any]:
        """Which rows and columns violate Hall's condition, after a solve that ended as infeasible."""
        marks = self.marks.on_host()
        if self.variant == "core":
            least = programs.header_word(PROGRAMS["core"], "unreached")
            return marks["row_distance"] >= least, marks["col_distance"] >= least
        return marks["row_since"] >= 0, marks["col_since"] >= 0

    def _room_for(self, room: int, before: Parts | None = None, memory: Any = None) -> Parts:
        """For so many arcs of each row, of which those before are kept, or edges, which are found again."""
        if self.variant == "core":
            arcs = self.problem.rows * room
            made = self._allocated(
                {"arc_value": (np.int64, arcs), "arc_slack": (np.int64, arcs), "arc_col": (np.int32, arcs)},
                memory,
            )
        else:
            sizes = {name: room * self.program.item_bytes[name] for name in ("neighbour", "edge")}
            made = self._allocated({name: (np.uint8, size) for name, size in sizes.items()})
        if self.variant == "core" and before is not None:
            for name in ("arc_col", "arc_value"):
                made[name].reshape(-1, room)[:, : self.room] = before[name].reshape(-1, self.room)
        return made

    def _allocated(self, extents: dict[str, tuple[Any, int]], memory: Any = None) -> Parts:
        """Zeros on the host, where even a superstep that was cut leaves indices behind.

        On a GPU none is cut, and core-paths reads nothing there that it has not written.
        """
        made = Parts(self.xp, extents, memory)
        if self.xp is np or self.variant != "core":
            made.fill(0)
        return made

    def _task(self) -> programs.Task:
        problem = self.problem
        found = {**problem.addresses, **self.marks.addresses(), **self.growing.addresses()}
        start = Start.NOTHING
        if problem.has_pairs:
            start = Start.PAIRS
        elif problem.warm:
            start = Start.COARSE_DUALS if problem.coarse_first else Start.DUALS
        return programs.Task(
            self.program,
            numbers(self.variant, problem.shape, problem.values, start, self.room) | problem.cost_numbers,
            {**problem.cost_arrays, **found},
            workers=useful_workers(self.variant, problem.rows, problem.cols),
            options=problem.compile_options,
            items=problem.rows * problem.cols,
            after=problem.bring if problem.comes_with_launches else None,
        )


def useful_workers(variant: str, rows: int, cols: int) -> int:
    """How many a solve can use."""
    return -(-rows * cols // ENTRIES_PER_WORKER[variant])


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
