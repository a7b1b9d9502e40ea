"""Float64 numbers in exact arithmetic: they are whole multiples of powers of two.

Differences come with their rounding errors, and sums have none.
"""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from typing import Any

import numpy as np

from konig.gpu import sums
from konig.index_arrays import array_module

MANTISSA = 53  # binary digits of a float64 number
LOWEST = -1074  # every float64 number is a multiple of 2**LOWEST


def difference(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two arrays whose exact sum is a - b: the float64 difference and what it lost (Dekker, Knuth).

    A difference beyond the largest float64 is infinite, and its error means nothing.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        rounded = a - b
        of_b = rounded - a
        error = (a - (rounded - of_b)) - (b + of_b)
    return rounded, error


def difference_below(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The largest float64 numbers that are not above a - b."""
    rounded, error = difference(a, b)
    with np.errstate(over="ignore"):  # of what is not used, too
        below: np.ndarray = np.where(error < 0, np.nextafter(rounded, -np.inf), rounded)
    return below


def exact_sum(numbers: Any) -> Fraction:
    """The sum of finite float64 numbers, or of integers, without rounding."""
    values = np.asarray(numbers)
    if values.dtype.kind in "iu" and len(values):
        return Fraction(whole_sum(values))
    mantissa, exponent = np.frexp(values.astype(np.float64))
    whole = np.ldexp(mantissa, MANTISSA).astype(np.int64)
    halves = np.zeros((2, 2200), np.int64)  # sums of the high and the low halves, by exponent
    for half, part in zip(halves, (whole >> 27, whole & ((1 << 27) - 1)), strict=True):
        np.add.at(half, exponent + 1100, part)
    total = 0
    for place in np.flatnonzero(halves.any(axis=0)).tolist():
        total += ((int(halves[0, place]) << 27) + int(halves[1, place])) << place
    return Fraction(total, 1 << (1100 + MANTISSA))


def whole_sum(values: Any) -> int:
    """The sum of int64 numbers, in halves: no number of values that fits memory makes these overflow.

    They may be on a GPU.
    """
    xp = array_module(values)
    if xp is not np:
        return sums.whole_sum(xp, values)
    return (int((values >> 31).sum()) << 31) + int((values & 0x7FFF_FFFF).sum())


def group_sums(values: np.ndarray, first: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sums of int64 or float64 numbers in groups that begin at ``first``, and which are beyond their type."""
    if values.dtype.kind == "f":
        with np.errstate(over="ignore", invalid="ignore"):
            sums = np.add.reduceat(values, first)
        return sums, np.flatnonzero(np.isinf(sums) & ~np.logical_or.reduceat(np.isinf(values), first))
    # Halves of 32 bits cannot overflow.
    high, low = np.add.reduceat(values >> 32, first), np.add.reduceat(values & 0xFFFF_FFFF, first)
    high += low >> 32
    return (high << 32) | (low & 0xFFFF_FFFF), np.flatnonzero((high >= 2**31) | (high < -(2**31)))


def finest_exponent(values: np.ndarray) -> int | None:
    """The largest e such that all values, which are finite, are multiples of 2**e; None if all are zero."""
    mantissa, exponent = np.frexp(values[values != 0])
    if len(mantissa) == 0:
        return None
    whole = np.ldexp(mantissa, MANTISSA).astype(np.int64)
    lowest_digit = np.frexp((whole & -whole).astype(np.float64))[1] - 1
    return int((exponent - MANTISSA + lowest_digit).min())


def multiples(values: np.ndarray, exponent: int, most: int) -> np.ndarray:
    """How many times 2**exponent fits into each value: rounded down, ``most`` where it is 2**62 or more.

    Values are not negative and may be infinite.
    """
    with np.errstate(over="ignore", under="ignore"):
        scaled = np.floor(np.ldexp(values, -exponent))
    large = scaled >= 2.0**62
    return np.where(large, most, np.where(large, 0.0, scaled).astype(np.int64))


def digits(value: Fraction) -> int:
    """The p for which 2**(p - 1) <= value < 2**p; value is positive."""
    power = value.numerator.bit_length() - value.denominator.bit_length()
    return power + 1 if value >= Fraction(2) ** power else power


def units_in_last_place(numbers: np.ndarray) -> np.ndarray:
    """The distance of each number to the next float64 away from 0, or to the one before for the largest."""
    largest = np.nextafter(np.finfo(np.float64).max, 0)
    units: np.ndarray = np.spacing(np.minimum(np.abs(numbers.astype(np.float64)), largest))
    return units


def float_of(number: Fraction) -> float:
    """The nearest float64; infinite where there is none."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def float_sum(numbers: list[float]) -> float:
    """The float64 nearest to the sum of finite numbers; infinite where there is none."""
    if max(map(abs, numbers), default=0.0) < 2.0**900:
        return math.fsum(numbers)  # which is exact as long as no partial sum overflows
    return float_of(exact_sum(numbers))


def float_above_units(units: int, exponent: int) -> float:
    """The least float64 that is not below ``units * 2**exponent``, of which none is negative."""
    spare = max(units.bit_length() - MANTISSA, 0)
    if exponent + spare < LOWEST or exponent + spare + MANTISSA > sys.float_info.max_exp:
        return float_above(units * Fraction(2) ** exponent)
    return math.ldexp(-(-units >> spare), exponent + spare)


def float_above(number: Fraction) -> float:
    """The least float64 that is not below."""
    nearest = float_of(number)
    return math.nextafter(nearest, math.inf) if nearest < number else nearest


def float_below(number: Fraction) -> float:
    """The greatest float64 that is not above."""
    return -float_above(-number)
