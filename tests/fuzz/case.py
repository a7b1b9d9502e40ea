"""What a case, a call and a violation are."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

PROBLEMS = ("assignment", "flow", "matching")


class Draw(random.Random):
    """Random choices of one case: Python's generator, and NumPy's beside it for arrays."""

    def __init__(self, problem: str, seed: int, number: int) -> None:
        super().__init__(f"{problem} {seed} {number}")
        self._entropy = (PROBLEMS.index(problem), seed, number)

    @cached_property
    def array(self) -> np.random.Generator:
        return np.random.default_rng(self._entropy)

    def luck(self) -> int:
        """What the corruption of a call's answer is drawn from later, whatever was drawn in between."""
        return self.getrandbits(32)

    def chance(self, probability: float) -> bool:
        return self.random() < probability

    def some(self, items: Sequence[Any], weights: Sequence[float] | None = None) -> Any:
        return self.choices(items, weights)[0]


@dataclass(frozen=True)
class Violation:
    """One way in which an answer breaks the contract.

    ``size`` is how much, relative to the numbers at hand; 1 where there is no such number.
    """

    kind: str
    detail: str
    size: float = 1.0


@dataclass(frozen=True)
class Finding:
    """A violation, and what was called."""

    problem: str
    family: str
    call: str
    violation: Violation
    extent: tuple[int, ...]

    def as_dict(self) -> dict[str, Any]:
        kind, detail, size = self.violation.kind, self.violation.detail, self.violation.size
        return {
            "problem": self.problem,
            "family": self.family,
            "call": self.call,
            "kind": kind,
            "detail": detail,
            "size": size,
            "extent": list(self.extent),
        }


@dataclass(frozen=True)
class Call:
    """An entry point with all its arguments: ``run`` solves and judges.

    ``again`` does the same for another input, where a call can; it serves to make inputs smaller.
    """

    name: str
    run: Callable[[], Iterator[Violation]]
    again: Callable[[Any], Iterator[Violation]] | None = None


@dataclass(frozen=True)
class Case:
    """An input and the calls that are made with it."""

    problem: str
    family: str
    extent: tuple[int, ...]
    calls: Sequence[Call]
    given: Any
    source: Callable[[Any], str]
    smaller: Callable[[Any], Iterator[Any]]

    def findings(self) -> Iterator[Finding]:
        for call in self.calls:
            yield from self.findings_of(call)

    def findings_of(self, call: Call) -> Iterator[Finding]:
        for violation in violations(call.run):
            yield Finding(self.problem, self.family, call.name, violation, self.extent)


def violations(run: Callable[[], Iterator[Violation]]) -> list[Violation]:
    """What a call gives; whatever is raised that no judge expected is a violation, too."""
    try:
        return list(run())
    except Exception as error:
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        where = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else "nowhere"
        return [Violation(f"raises {type(error).__name__}", f"{error} ({where})")]
