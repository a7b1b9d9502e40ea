"""Solving in the unit that fits: what the solvers of networks and grids share."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

import numpy as np

from konig.flow.capacities import Scale, after_solve
from konig.interop.arrays import to_numpy

Problem = TypeVar("Problem", bound=Any)


class Solved(NamedTuple):
    """A value in units, None if it is above 2**62, with the flow and the source side of the cut."""

    value: int | None
    flow: Any
    cut: Any
    stats: dict[str, Any]


def solved_in_unit(
    problem: Problem,
    exact: bool,
    bound: Callable[[], Fraction],
    solve: Callable[[Problem], Solved],
    across: Callable[[Problem, Any], np.ndarray],
) -> tuple[Problem, Solved, int | float]:
    """Solve in a unit for which float64 holds the answer: the problem in that unit, its answer, and the gap.

    ``bound`` is one on the value, if that is finite, and ``across`` gives the capacities of a cut. Where the
    capacity of the cut found is so far below the bound that a finer unit loses less, that is taken.
    """
    scale: Scale = problem.scale
    if not scale.real:
        return problem, solve(problem), 0
    exponent: int | None = scale.finest if exact else scale.exponent_for(bound())
    gap = 0.0
    while exponent is not None:
        problem = problem.in_unit(exponent)
        solved = solve(problem)
        gap, exponent = 0.0, None
        if solved.value is None:
            break
        if exact:
            _require_exact(problem.scale, solved)
        elif problem.scale.rounds:
            gap, exponent = after_solve(problem.scale, solved.value, across(problem, solved.cut))
    return problem, solved, gap


def _require_exact(scale: Scale, solved: Solved) -> None:
    """Raise ValueError unless float64 holds the value and the flows."""
    assert solved.value is not None
    flows = solved.flow if isinstance(solved.flow, tuple) else (solved.flow,)
    parts = [np.array([solved.value]), *(to_numpy(part) for part in flows)]
    if not all((part.astype(np.float64).astype(np.int64) == part).all() for part in parts):
        raise not_exact(scale)


def not_exact(scale: Scale) -> ValueError:
    """Why ``exact=True`` is refused."""
    return ValueError(
        f"exact: the flow takes more binary digits than float64 has, in units of 2**{scale.exponent}, "
        "the largest that makes all capacities whole; without exact=True capacities are rounded down, "
        "and gap says what that can have cost"
    )
