"""Float64 numbers in exact arithmetic: differences with their rounding errors, and sums without any."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np


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
    below: np.ndarray = np.where(error < 0, np.nextafter(rounded, -np.inf), rounded)
    return below


def exact_sum(numbers: Any) -> Fraction:
    """The sum of float64 numbers, without rounding."""
    mantissa, exponent = np.frexp(np.asarray(numbers, np.float64))
    whole = np.ldexp(mantissa, 53).astype(np.int64)
    halves = np.zeros((2, 2200), np.int64)  # sums of the high and the low halves, by exponent
    for half, part in zip(halves, (whole >> 27, whole & ((1 << 27) - 1)), strict=True):
        np.add.at(half, exponent + 1100, part)
    total = 0
    for place in np.flatnonzero(halves.any(axis=0)).tolist():
        total += ((int(halves[0, place]) << 27) + int(halves[1, place])) << place
    return Fraction(total, 1 << 1153)


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


def float_above(number: Fraction) -> float:
    """The least float64 that is not below."""
    nearest = float_of(number)
    return math.nextafter(nearest, math.inf) if nearest < number else nearest
