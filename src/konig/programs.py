"""The parallel programs of ``konig/include``, and how they run on a team of CPU threads.

A program is described by its header alone. The native module knows from it what a workspace takes and what a
state says, by name, so that the same `Task` runs here and on a GPU (`konig.gpu.program`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from konig import _native
from konig.gpu.commands import Commands
from konig.progress import Report


@cache
def find(name: str, types: tuple[str, ...], flags: tuple[bool, ...] = ()) -> _native.Program:
    """The program of ``konig/<name>.h`` for types as NumPy calls them, and for the flags of its variants."""
    return _native.program(name, types, flags)


def every() -> list[_native.Program]:
    """All programs, for all of their types and flags."""
    return [find(name, tuple(types), tuple(flags)) for name, types, flags in _native.programs()]


@cache
def header_word(name: str, word: str) -> int:
    """A number that the header of a program for one type gives."""
    return int(find(name, ("int32",)).fresh_words[word])


class Group(NamedTuple):
    """On a GPU, threads with so many items each; a block holds one group, or several of a warp each."""

    threads: int
    strips: int
    groups: int = 1

    @property
    def items(self) -> int:
        """How many a group holds."""
        return self.threads * self.strips


class Task(NamedTuple):
    """A program, and what it works on: numbers and arrays, or addresses, by the names that its header has.

    ``workers`` is how many it can use, ``options`` are for the compiler of device code. ``items`` are those
    that one superstep visits, if they may be very many. A program for groups says which ones a GPU makes.
    On a GPU every launch is followed by the commands that ``after`` adds: it is told where the status is.
    """

    program: _native.Program
    numbers: dict[str, int | float]
    given: dict[str, Any]
    workers: int = 1
    options: tuple[str, ...] = ()
    group: Group | None = None
    items: int = 0
    after: Callable[[Commands, int], None] | None = None


class Outcome(NamedTuple):
    """The status with which a program ended, what its state says to the caller, and what it counted."""

    program: str
    status: str
    words: dict[str, int]
    statistics: dict[str, Any]
    seconds: dict[str, float]  # of its steps, where it times them
    workers: int

    @property
    def counted(self) -> dict[str, Any]:
        """The statistics, and how many workers there were."""
        return {**self.statistics, "workers": self.workers}

    def require_no(self, status: str) -> Outcome:
        """Itself; a status that the program's invariants rule out is an error."""
        if self.status == status:
            raise RuntimeError(f"{self.program}: {status}, which its invariants rule out")
        return self


def outcome_of(program: _native.Program, reading: _native.Reading, workers: int) -> Outcome:
    """What a program has come to."""
    parts = reading.status, reading.words, reading.statistics, reading.seconds
    return Outcome(program.name, *parts, workers)


class TeamSolve:
    """A task on the host: its block of memory, and launches on CPU threads.

    ``workers`` are the threads, the team and the seed.
    """

    def __init__(self, task: Task, workers: Mapping[str, Any]):
        self.program = task.program
        self.workers = {name: workers[name] for name in ("threads", "team", "seed")}
        self._solve = _native.TeamSolve(task.program, task.numbers)

    def run(self, task: Task, report: Report | None) -> Outcome:
        """Launch until it has ended; called again, it goes on, perhaps with other numbers and arrays."""
        workers = self._solve.run(task.numbers, task.given, self.workers, report)
        return outcome_of(self.program, self._solve.reading, workers)


def run_on_team(task: Task, workers: Mapping[str, Any], report: Report | None) -> Outcome:
    """A task on CPU threads from its beginning to its end."""
    return TeamSolve(task, workers).run(task, report)
