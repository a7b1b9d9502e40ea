"""Floating-point numbers as integers of a common unit, so that nothing is ever rounded."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

MANTISSA = 53


def ulp(x: Any) -> Fraction:
    """One unit in the last place of float64 at x."""
    return Fraction(math.ulp(float(x)))


def fraction(x: Any) -> Fraction:
    """The number exactly; NumPy scalars of every real type come in."""
    return Fraction(int(x)) if isinstance(x, int | np.integer | np.bool_) else Fraction(float(x))


def as_integers(*arrays: Any) -> tuple[list[np.ndarray], Fraction]:
    """Arrays of Python's integers, and the unit that makes them the given finite numbers.

    What is not finite becomes 0; the caller knows where it was.
    """
    parts = [_mantissas(np.asarray(array)) for array in arrays]
    lowest = [
        int(exponents[mantissas != 0].min()) for mantissas, exponents in parts if (mantissas != 0).any()
    ]
    low = min(lowest, default=0)
    scaled = []
    for mantissas, exponents in parts:
        shift = np.where(mantissas != 0, exponents - low, 0)
        scaled.append(mantissas << shift.astype(object) if mantissas.size else mantissas)
    common = 0
    for array in scaled:
        for value in array.flat:
            common |= value
    spare = (common & -common).bit_length() - 1 if common else 0
    if spare:
        scaled = [array >> spare if array.size else array for array in scaled]
    return scaled, Fraction(2) ** (low + spare)


def _mantissas(array: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Integers m and e with array == m * 2**e."""
    if array.dtype.kind in "iub" or array.dtype == object:
        whole = np.empty(array.shape, object)
        whole.flat = [int(value) for value in array.flat]
        return whole, np.zeros(array.shape, np.int64)
    mantissas, exponents = np.frexp(np.where(np.isfinite(array), array, 0).astype(np.float64))
    whole = np.empty(array.shape, object)
    whole.flat = [int(value) for value in (mantissas * 2.0**MANTISSA).flat]
    return whole, exponents.astype(np.int64) - MANTISSA


def fits_int64(bound: int) -> bool:
    return bound < 2**62


def ratio(part: Fraction, whole: Fraction) -> float:
    """How much of the whole a part is: 1 where there is no whole, infinite where no float64 can tell."""
    if not whole:
        return float(part != 0)
    try:
        return float(part / whole)
    except OverflowError:
        return math.inf


def shown(x: Fraction) -> str:
    """A number for a message."""
    try:
        return repr(float(x))
    except OverflowError:
        return f"{'-' if x < 0 else ''}2**{(abs(x.numerator) // x.denominator).bit_length()}"


def simpler(value: Any) -> list[Any]:
    """Numbers with fewer digits that could stand in for this one, of the same type."""
    kind, number = type(value), float(value)
    if number == 0 or math.isinf(number):
        return []
    rounded = [0, 1, *(float(f"{number:.{digits}e}") for digits in (0, 1, 3))]
    with np.errstate(all="ignore"):
        found = [kind(r) for r in rounded if math.isfinite(r) and _fits(kind, r)]
    return [f for f in found if len(repr(f.item())) < len(repr(value.item()))]


def _fits(kind: Any, number: float) -> bool:
    return not issubclass(kind, np.integer) or np.iinfo(kind).min <= number <= np.iinfo(kind).max
