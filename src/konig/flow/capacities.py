"""Capacities as the caller gave them, and as whole numbers of one unit for the solvers.

Integers are their own units. The unit of real capacities is a power of two: the one that makes them all whole
if the value of the flow then takes at most 53 binary digits, for an arc of a flow without circulation carries
no more than the value, so that float64 holds every number of the answer. Otherwise it is the least power for
which that holds, and capacities are rounded down to multiples of it. Every capacity is then at least what the
solver takes it for, and the capacity of the cut in the numbers given, less the value, bounds what rounding
can have cost: the ``gap``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np

from konig.exact_reals import (
    LOWEST,
    MANTISSA,
    digits,
    exact_sum,
    finest_exponent,
    float_above_units,
    group_sums,
    multiples,
)
from konig.flow import reals
from konig.index_arrays import array_module
from konig.interop.arrays import library_of, to_numpy

LARGEST = int(np.iinfo(np.int64).max)
UNBOUNDED = LARGEST
LARGEST_FLOW = 1 << 62
TOO_LARGE = LARGEST_FLOW + 1
# A unit this many powers of two larger than the value would allow is fine enough: the rounding of an arc is
# then at most 2**-43 of the value, and solving again would only double the time.
SPARE_DIGITS = 10
_ROUNDING = 1 + 2.0**-20  # more than float64 sums of as many numbers as fit memory can be off
_LOST = Fraction(2) ** -1074  # more than scaling can have taken from a number
Problem = TypeVar("Problem", bound=Any)


@dataclass(frozen=True)
class Scale:
    """The unit of capacities and flows, 2**exponent, and whether they are ``real``.

    ``finest`` is the largest exponent of a unit that makes all finite capacities whole.
    """

    real: bool = False
    finest: int = 0
    exponent: int = 0

    @property
    def rounds(self) -> bool:
        """Whether some capacity is no whole number of units."""
        return self.exponent > self.finest

    def exponent_for(self, bound: Fraction) -> int:
        """The exponent of the unit for flows whose value is at most ``bound``."""
        if not self.real or bound <= 0:
            return self.finest
        return max(self.finest, digits(bound) - MANTISSA, LOWEST)

    def value(self, units: int, what: str = "capacity: the value of the flow") -> int | float:
        """A number of units in the caller's terms; an error says ``what`` is beyond float64."""
        if not self.real:
            return units
        try:
            return math.ldexp(units, self.exponent)
        except OverflowError:
            raise ValueError(f"{what} is above the largest float64 number") from None

    def flows(self, units: Any) -> Any:
        """Flows in the caller's terms: integers for integer capacities, float64 for real ones.

        They are where they were.
        """
        if not self.real:
            return units
        if array_module(units) is not np:
            return reals.scaled(units, self.exponent)
        return np.ldexp(units.astype(np.float64), self.exponent)

    def whole_units(self, flows: Any) -> Any:
        """Flows in the caller's terms, rounded towards zero to units; they may be any numbers but NaN.

        Integers stay where they are, NumPy's or CuPy's.
        """
        if flows.dtype.kind == "i" and not self.real:
            return flows.astype(np.int64, order="C", copy=False)
        real = to_numpy(flows).astype(np.float64)
        whole = multiples(np.abs(real), self.exponent, 1 << 62)
        return np.where(real < 0, -whole, whole)

    def explains(self, gap: Fraction, across: np.ndarray) -> bool:
        """Whether rounding can have caused the gap of a cut whose arcs have the capacities ``across``.

        It can not be more than what `after_solve` lets pass.
        """
        exponent = self.exponent_for(exact_sum(across))
        if exponent == self.finest:
            return gap == 0
        return gap <= len(across) * Fraction(2) ** (exponent + SPARE_DIGITS - 1)


@dataclass(frozen=True, eq=False)
class Capacities:
    """The numbers ``given``, int64 or float64 in an array of its own, and the scale they are solved in."""

    given: Any
    scale: Scale = Scale()

    @cached_property
    def units(self) -> Any:
        """Whole numbers of units, rounded down; ``UNBOUNDED`` where they are beyond every flow."""
        if not self.scale.real:
            return self.given
        rounded = multiples if array_module(self.given) is np else reals.multiples
        return rounded(self.given, self.scale.exponent, UNBOUNDED)

    @cached_property
    def unbounded(self) -> bool:
        return bool(self.given.dtype.kind == "f" and np.isinf(self.given).any())

    def in_unit(self, exponent: int) -> Capacities:
        """The same numbers in units of 2**exponent."""
        return replace(self, scale=replace(self.scale, exponent=exponent))

    def added_up(self, first: np.ndarray, name: Callable[[int], str]) -> Capacities:
        """Sums of groups that begin at ``first``; those of reals are float64 sums, as in scipy.sparse.

        One beyond the type is an error.
        """
        sums, wrong = group_sums(self.given, first)
        if len(wrong):
            limit, place = "float64 holds" if self.scale.real else "2**63 - 1", name(int(wrong[0]))
            raise ValueError(f"capacity: the duplicates of {place} add up to more than {limit}")
        return Capacities(sums, scale_of(sums))


def scale_of(*parts: Any) -> Scale:
    """The scale of numbers that are solved together, all real or none, in their finest unit."""
    if parts[0].dtype.kind != "f":
        return Scale()
    found = [finest_exponent(part[np.isfinite(part)]) for part in parts]
    finest = min((exponent for exponent in found if exponent is not None), default=0)
    return Scale(True, finest, finest)


def after_solve(scale: Scale, value: int, cut: int) -> tuple[float, int | None]:
    """The gap of an answer, and the exponent of a finer unit where the cut found shows that it will do.

    ``cut`` is the capacity of the cut in units of 2**finest.
    """
    gap = cut - (value << (scale.exponent - scale.finest))
    finer = max(scale.finest, scale.finest + cut.bit_length() - MANTISSA) if cut else scale.finest
    if gap == 0:
        return 0.0, None
    fine_enough = finer > scale.finest and finer > scale.exponent - SPARE_DIGITS
    return float_above_units(gap, scale.finest), None if fine_enough else finer


def in_finest_units(scale: Scale, across: np.ndarray) -> int:
    """The sum of capacities, which are finite, in units of 2**finest."""
    return int(exact_sum(across) / Fraction(2) ** scale.finest)


def as_capacities(values: Any, name: Callable[[int], str], argument: str = "capacity") -> Capacities:
    """A copy of whatever numbers were given; ``name`` says where in ``argument`` a wrong one is.

    Numbers of CuPy's stay on the device.
    """
    array = values if library_of(values) == "cupy" and values.dtype.kind in "iuf" else to_numpy(values)
    if array.dtype.kind == "b":
        return Capacities(array.astype(np.int64))
    if array.dtype.kind == "f":
        return _from_reals(array, name, argument)
    if array.dtype.kind not in "iu":
        if len(array) == 0:
            return Capacities(np.zeros(0, np.int64))
        raise TypeError(f"{argument} must hold real numbers, not {array.dtype}")
    if array.dtype.kind == "i" and len(array) and array.min() < 0:
        _refuse(array, array < 0, name, argument, "is negative")
    if array.dtype == np.uint64 and len(array) and int(array.max()) > LARGEST:
        _refuse(array, array > LARGEST, name, argument, "is larger than 2**63 - 1")
    return Capacities(array.astype(np.int64, order="C"))


def _refuse(array: Any, wrong: Any, name: Callable[[int], str], argument: str, why: str) -> None:
    k = int(wrong.argmax())
    raise ValueError(f"{argument}: {name(k)} {why}: {array[k]}")


def _from_reals(array: Any, name: Callable[[int], str], argument: str) -> Capacities:
    if (xp := array_module(array)) is not np:
        there = xp.array(array, np.float64, order="C")
        found = reals.profile(there)
        if not found.wrong:
            return Capacities(there, Scale(True, found.finest, found.finest))
        array = to_numpy(array)  # to say which one it is
    if array.itemsize > 8:
        with np.errstate(over="ignore"):
            wrong = array.astype(np.float64) != array
        if (wrong & ~np.isnan(array)).any():
            _refuse(array, wrong & ~np.isnan(array), name, argument, "does not fit float64")
    real: np.ndarray = np.array(array, np.float64, order="C")
    if np.isnan(real).any():
        _refuse(real, np.isnan(real), name, argument, "is not a number")
    if (real < 0).any():
        _refuse(real, real < 0, name, argument, "is negative")
    return Capacities(real, scale_of(real))


def scaled_down(given: np.ndarray) -> tuple[np.ndarray, int]:
    """The numbers over a power of two not below any finite one, and its exponent: their sums are finite."""
    exponent = int(np.frexp(given[np.isfinite(given)].max(initial=0.0))[1])
    with np.errstate(under="ignore"):
        return np.ldexp(given, -exponent), exponent


def bound_of_links(ways: Any, scaled: np.ndarray, exponent: int) -> Fraction:
    """What links to a terminal let through is no more than what their vertices pass on."""
    sums = [float(np.minimum(links, passed_on).sum()) for links, passed_on in ways]
    sums.append(float(scaled[scaled < np.inf].sum()))
    return (Fraction(min(sums) * _ROUNDING) + (len(scaled) + 1) * _LOST) * Fraction(2) ** exponent


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
            cut = in_finest_units(problem.scale, across(problem, solved.cut))
            gap, exponent = after_solve(problem.scale, solved.value, cut)
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
