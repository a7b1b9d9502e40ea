"""Capacities as the caller gave them, and as whole numbers of one unit for the solvers.

Integers are their own units. The unit of real capacities is a power of two: the one that makes them all whole
if the value of the flow then takes at most 53 binary digits, for an arc of a flow without circulation carries
no more than the value, so that float64 holds every number of the answer. Otherwise it is the least power for
which that holds, and capacities are rounded down to multiples of it. Every capacity is then at least what the
solver takes it for, and the capacity of the cut in the numbers given, less the value, bounds what rounding
can have cost: the ``gap``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from konig.exact_reals import LOWEST, MANTISSA, digits, exact_sum, finest_exponent, float_above, multiples

LARGEST = int(np.iinfo(np.int64).max)
UNBOUNDED = LARGEST
# A unit this many powers of two larger than the value would allow is fine enough: the rounding of an arc is
# then at most 2**-43 of the value, and solving again would only double the time.
SPARE_DIGITS = 10


@dataclass(frozen=True)
class Scale:
    """The unit of capacities and flows, 2**exponent, and whether they are ``real``.

    ``finest`` is the largest exponent of a unit that makes all finite capacities whole.
    """

    real: bool = False
    finest: int = 0
    exponent: int = 0

    @property
    def unit(self) -> Fraction:
        return Fraction(2) ** self.exponent

    @property
    def rounds(self) -> bool:
        """Whether some capacity is no whole number of units."""
        return self.exponent > self.finest

    def exponent_for(self, bound: Fraction) -> int:
        """The exponent of the unit for flows whose value is at most ``bound``."""
        if not self.real or bound <= 0:
            return self.finest
        return max(self.finest, digits(bound) - MANTISSA, LOWEST)

    def value(self, units: int) -> int | float:
        """A number of units in the caller's terms."""
        if not self.real:
            return units
        try:
            return float(units * self.unit)
        except OverflowError:
            raise ValueError("capacity: the value of the flow is above the largest float64 number") from None

    def flows(self, units: np.ndarray) -> np.ndarray:
        """Flows in the caller's terms: integers for integer capacities, float64 for real ones."""
        return np.ldexp(units.astype(np.float64), self.exponent) if self.real else units

    def whole_units(self, flows: np.ndarray) -> np.ndarray:
        """Flows in the caller's terms, rounded towards zero to units; they may be any numbers but NaN."""
        if flows.dtype.kind == "i" and not self.real:
            return np.ascontiguousarray(flows, np.int64)
        real = flows.astype(np.float64)
        whole = multiples(np.abs(real), self.exponent, 1 << 62)
        return np.where(real < 0, -whole, whole)

    def explains(self, gap: Fraction, across: np.ndarray) -> bool:
        """Whether rounding can have caused the gap of a cut whose arcs have the capacities ``across``.

        It can not be more than what :func:`after_solve` lets pass.
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
        return multiples(self.given, self.scale.exponent, UNBOUNDED) if self.scale.real else self.given

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
        if self.scale.real:
            with np.errstate(over="ignore"):
                sums = np.add.reduceat(self.given, first)
            infinite = np.logical_or.reduceat(np.isinf(self.given), first)
            wrong, limit = np.flatnonzero(np.isinf(sums) & ~infinite), "float64 holds"
        else:
            # Halves of 32 bits cannot overflow.
            high = np.add.reduceat(self.given >> 32, first)
            low = np.add.reduceat(self.given & 0xFFFF_FFFF, first)
            high += low >> 32
            wrong, limit = np.flatnonzero(high > LARGEST >> 32), "2**63 - 1"
            sums = (high << 32) | (low & 0xFFFF_FFFF)
        if len(wrong):
            place = name(int(wrong[0]))
            raise ValueError(f"capacity: the duplicates of {place} add up to more than {limit}")
        return Capacities(sums, scale_of(sums))


def scale_of(*parts: Any) -> Scale:
    """The scale of numbers that are solved together, all real or none, in their finest unit."""
    if parts[0].dtype.kind != "f":
        return Scale()
    found = [finest_exponent(part[np.isfinite(part)]) for part in parts]
    finest = min((exponent for exponent in found if exponent is not None), default=0)
    return Scale(True, finest, finest)


def after_solve(scale: Scale, value: int, across: np.ndarray) -> tuple[float, int | None]:
    """The gap of an answer, and the exponent of a finer unit where the cut found shows that it will do.

    ``across`` holds the given capacities of the arcs of the cut.
    """
    cut = exact_sum(across)
    gap, finer = cut - value * scale.unit, scale.exponent_for(cut)
    if gap and (finer == scale.finest or finer <= scale.exponent - SPARE_DIGITS):
        return float_above(gap), finer
    return float_above(gap), None


def as_capacities(values: Any, name: Callable[[int], str], argument: str = "capacity") -> Capacities:
    """A copy of whatever numbers were given; ``name`` says where in ``argument`` a wrong one is."""
    array = np.asarray(values)
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
    return Capacities(np.array(array, np.int64, order="C"))


def _refuse(
    array: np.ndarray, wrong: np.ndarray, name: Callable[[int], str], argument: str, why: str
) -> None:
    k = int(np.flatnonzero(wrong)[0])
    raise ValueError(f"{argument}: {name(k)} {why}: {array[k]}")


def _from_reals(array: np.ndarray, name: Callable[[int], str], argument: str) -> Capacities:
    if array.itemsize > 8:
        wrong = array.astype(np.float64) != array
        if (wrong & ~np.isnan(array)).any():
            _refuse(array, wrong & ~np.isnan(array), name, argument, "does not fit float64")
    real: np.ndarray = np.array(array, np.float64, order="C")
    if np.isnan(real).any():
        _refuse(real, np.isnan(real), name, argument, "is not a number")
    if (real < 0).any():
        _refuse(real, real < 0, name, argument, "is negative")
    return Capacities(real, scale_of(real))
