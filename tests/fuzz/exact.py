"""Floating-point numbers as integers of a common unit, so that nothing is ever rounded."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

MANTISSA = 53
LEAST = -1074  # the exponent of the least positive float64
NEVER = 2**12  # beyond all exponents of float64
FITTING = 60  # bits of a number of which four add up to an int64


def fraction(x: Any) -> Fraction:
    """The number exactly; NumPy scalars of every real type come in."""
    return Fraction(int(x)) if isinstance(x, int | np.integer | np.bool_) else Fraction(float(x))


def power(exponent: int) -> Fraction:
    """2**exponent."""
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)


def ulp(x: Any) -> Fraction:
    """One unit in the last place of float64 at x."""
    return Fraction(math.ulp(float(x)))


def ulp_exponents(values: np.ndarray) -> np.ndarray:
    """The e for which 2**e is one unit in the last place of float64, at each number."""
    values = values.astype(np.float64)
    return np.where(values == 0, LEAST, np.maximum(np.frexp(values)[1] - MANTISSA, LEAST)).astype(np.int64)


def sum_of_ulps(values: np.ndarray) -> Fraction:
    """One unit in the last place of each number, together."""
    exponents = ulp_exponents(values).tolist()
    low = min(exponents, default=0)
    return sum(1 << (e - low) for e in exponents) * power(low)


def as_integers(*arrays: Any) -> tuple[list[np.ndarray], int]:
    """Integers k, and the largest exponent e with which k * 2**e are the given finite numbers.

    They are int64 where the sum of any four of them is one, and Python's otherwise. What is not finite
    becomes 0; the caller knows where it was.
    """
    parts = [_mantissas(np.asarray(array)) for array in arrays]
    low = min(min(int(exponents.min(initial=NEVER)) for _, exponents, _ in parts), NEVER)
    low = 0 if low == NEVER else low
    narrow = max(highest for _, _, highest in parts) - low <= FITTING
    return [_shifted(mantissas, exponents - low, narrow) for mantissas, exponents, _ in parts], low


def _mantissas(array: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """Odd m and e with array == m * 2**e, where it is not 0; and an h with abs(array) < 2**h, or NEVER."""
    if array.dtype.kind == "f":
        values = np.where(np.isfinite(array), array, 0).astype(np.float64)
        fractions, exponents = np.frexp(values)
        mantissas = (fractions * 2.0**MANTISSA).astype(np.int64)
        highest = int(np.where(values == 0, -NEVER, exponents).max(initial=-NEVER))
        exponents = exponents.astype(np.int64) - MANTISSA
    elif array.dtype == object or array.dtype == np.uint64:
        mantissas = np.empty(array.shape, object)
        mantissas.flat = [int(value) for value in array.ravel().tolist()]
        exponents, highest = np.zeros(array.shape, np.int64), NEVER
    else:
        mantissas = array.astype(np.int64)
        exponents = np.zeros(array.shape, np.int64)
        highest = int(np.frexp(mantissas.astype(np.float64))[1].max(initial=0))
    trailing = _trailing_zeros(mantissas)
    return mantissas >> trailing, np.where(mantissas == 0, NEVER, exponents + trailing), highest


def _trailing_zeros(whole: np.ndarray) -> np.ndarray:
    lowest = whole & -whole
    if whole.dtype != object:
        return np.maximum(np.frexp(lowest.astype(np.float64))[1] - 1, 0).astype(np.int64)
    found = [max(value.bit_length() - 1, 0) for value in lowest.ravel().tolist()]
    return np.array(found, np.int64).reshape(whole.shape)


def _shifted(mantissas: np.ndarray, shift: np.ndarray, narrow: bool) -> np.ndarray:
    if narrow:
        return mantissas << shift
    found = np.empty(mantissas.shape, object)
    found.flat = [m << s for m, s in zip(mantissas.ravel().tolist(), shift.ravel().tolist(), strict=True)]
    return found


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
