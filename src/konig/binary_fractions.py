"""Exact arithmetic with float64 numbers, which are whole multiples of powers of two."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

MANTISSA = 53  # binary digits of a float64 number
LOWEST = -1074  # every float64 number is a multiple of 2**LOWEST


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


def exact_sum(values: np.ndarray) -> Fraction:
    """The sum of finite float64 numbers or of integers."""
    if values.dtype.kind != "f":
        return Fraction(_whole_sum(values))
    mantissa, exponent = np.frexp(values)
    whole = np.ldexp(mantissa, MANTISSA).astype(np.int64)
    powers = np.unique(exponent).tolist()
    return sum(
        (_whole_sum(whole[exponent == power]) * Fraction(2) ** (power - MANTISSA) for power in powers),
        Fraction(0),
    )


def _whole_sum(values: np.ndarray) -> int:
    """In halves: no number of values that fits memory makes their sums overflow."""
    return (int((values >> 31).sum()) << 31) + int((values & 0x7FFF_FFFF).sum())


def digits(value: Fraction) -> int:
    """The p for which 2**(p - 1) <= value < 2**p; value is positive."""
    power = value.numerator.bit_length() - value.denominator.bit_length()
    return power + 1 if value >= Fraction(2) ** power else power


def rounded_up(value: Fraction) -> float:
    """The least float64 number that is not below the value; infinity beyond the largest."""
    try:
        nearest = float(value)
    except OverflowError:
        return float("inf")
    return nearest if nearest >= value else float(np.nextafter(nearest, np.inf))
