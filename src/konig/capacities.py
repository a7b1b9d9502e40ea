"""Capacities as exact integers: the numbers given, times a power of two where they are real."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

LARGEST = int(np.iinfo(np.int64).max)
UNBOUNDED = LARGEST
LARGEST_REAL = 1 << 53  # units: float64 holds every whole number up to it


@dataclass(frozen=True, eq=False)
class Capacities:
    """Whole numbers of a unit, which is a power of two; ``real`` if the answer is to be real as well.

    An infinite capacity is ``UNBOUNDED`` units, and ``unbounded`` says that there is one.
    """

    units: np.ndarray
    exponent: int = 0
    real: bool = False
    unbounded: bool = False

    @property
    def unit(self) -> Fraction:
        return Fraction(2) ** self.exponent

    def value(self, units: int) -> int | float:
        """A number of units in the caller's terms."""
        if not self.real:
            return units
        if abs(units) > LARGEST_REAL:
            raise ValueError(self._too_fine(units))
        return float(units * self.unit)

    def flows(self, units: np.ndarray) -> np.ndarray:
        """Flows in the caller's terms: integers for integer capacities, float64 for real ones."""
        if not self.real:
            return units
        largest = int(np.abs(units).max(initial=0))
        if largest > LARGEST_REAL:
            raise ValueError(self._too_fine(largest))
        return np.ldexp(units.astype(np.float64), self.exponent)

    def to_units(self, flows: np.ndarray) -> np.ndarray | None:
        """Flows in the caller's terms as whole units; None if one is not a whole number of units."""
        if flows.dtype.kind in "iu" and not self.real:
            return flows.astype(np.int64)
        scaled = np.ldexp(flows.astype(np.float64), -self.exponent)
        if not (np.isfinite(scaled).all() and (np.abs(scaled) <= 2.0**62).all()):
            return None
        whole = scaled.astype(np.int64)
        return whole if (whole == scaled).all() else None

    def whole_units(self, flows: np.ndarray) -> np.ndarray:
        """Flows in the caller's terms, rounded towards zero to units; they may be any numbers but NaN."""
        if flows.dtype.kind == "i" and not self.real:
            return np.ascontiguousarray(flows, np.int64)
        units = np.ldexp(flows.astype(np.float64), -self.exponent)
        rounded: np.ndarray = np.trunc(np.clip(units, -(2.0**62), 2.0**62)).astype(np.int64)
        return rounded

    def in_unit(self, exponent: int, argument: str) -> Capacities:
        """The same numbers in units of 2**exponent, which is no larger than the present unit."""
        shift = self.exponent - exponent
        endless = (self.units == UNBOUNDED) & self.unbounded
        largest = int(np.where(endless, 0, self.units).max(initial=0))
        if largest.bit_length() + shift > 62:
            raise ValueError(
                f"{argument}: {largest * float(self.unit)!r} is more than 2**62 units of 2**{exponent}, "
                "the unit that makes all capacities whole; round them to multiples of a larger power of two"
            )
        units = np.where(endless, UNBOUNDED, self.units << min(shift, 62))
        return replace(self, units=units, exponent=exponent, real=True)

    def taken(self, order: np.ndarray) -> Capacities:
        return replace(self, units=self.units[order])

    def added_up(self, first: np.ndarray, name: Callable[[int], str]) -> Capacities:
        """Sums of groups that begin at ``first``; one beyond int64 is an error, unless it is unbounded."""
        endless = (self.units == UNBOUNDED) & self.unbounded
        infinite = np.logical_or.reduceat(endless, first)
        finite = np.where(endless, 0, self.units)
        # Halves of 32 bits cannot overflow.
        high = np.add.reduceat(finite >> 32, first)
        low = np.add.reduceat(finite & 0xFFFF_FFFF, first)
        high += low >> 32
        wrong = np.flatnonzero(~infinite & (high > LARGEST >> 32))
        if len(wrong):
            raise ValueError(
                f"capacity: the duplicates of {name(int(wrong[0]))} add up to more than 2**63 - 1"
            )
        units = np.where(infinite, UNBOUNDED, (high << 32) | (low & 0xFFFF_FFFF))
        return replace(self, units=units)

    def _too_fine(self, units: int) -> str:
        return (
            f"capacity: a flow of {units} units of 2**{self.exponent}, the unit that makes all capacities "
            "whole, is not exact in float64; round them to multiples of a larger power of two, for instance "
            f"np.round(capacity / 2.0**e) * 2.0**e with e = {self.exponent + int(units).bit_length() - 50}, "
            "or pass integers"
        )


def as_capacities(values: Any, name: Callable[[int], str], argument: str = "capacity") -> Capacities:
    """Exact integers for whatever numbers were given; ``name`` says where in ``argument`` a wrong one is."""
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
    return Capacities(np.ascontiguousarray(array, np.int64))


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
    real = np.ascontiguousarray(array, np.float64)
    if np.isnan(real).any():
        _refuse(real, np.isnan(real), name, argument, "is not a number")
    if (real < 0).any():
        _refuse(real, real < 0, name, argument, "is negative")
    infinite = np.isinf(real)
    unbounded = bool(infinite.any())
    finite = np.where(infinite, 0.0, real) if unbounded else real
    exponent = _finest_exponent(finite)
    largest = float(finite.max(initial=0.0))
    if largest > 0 and np.frexp(largest)[1] - exponent > 62:
        widest = int(np.argmax(finite))
        finest = int(np.argmax(np.where(finite > 0, finite % 2.0 ** (exponent + 1) != 0, False)))
        raise ValueError(
            f"{argument}: no power of two makes all capacities whole numbers up to 2**62: "
            f"{name(widest)} is {largest!r} and {name(finest)} is {float(finite[finest])!r}; "
            "round them to multiples of a power of two, for instance "
            f"np.round(capacity / 2.0**e) * 2.0**e with e = {int(np.frexp(largest)[1]) - 40}"
        )
    units = np.ldexp(finite, -exponent).astype(np.int64)
    if unbounded:
        units[infinite] = UNBOUNDED
    return Capacities(units, exponent, True, unbounded)


def _finest_exponent(values: np.ndarray) -> int:
    """The largest e up to 0 such that all values are multiples of 2**e."""
    if not np.any(values % 1.0):
        return 0
    positive = values[values > 0]
    mantissa, exponent = np.frexp(positive)
    whole = np.ldexp(mantissa, 53).astype(np.int64)
    lowest_bit = np.frexp((whole & -whole).astype(np.float64))[1] - 1
    return int(min(0, (exponent - 53 + lowest_bit).min()))
