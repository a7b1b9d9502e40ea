"""Checks of generator arguments: every message names the argument and what was expected."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from typing import Any

LARGEST = 2**40  # no memory holds more of anything


def integer(name: str, value: Any, least: int = 0, most: int | None = LARGEST) -> int:
    """Return `value` as an int between `least` and `most`, which is None for any size."""
    if isinstance(value, bool):
        raise TypeError(f"{name} must be an integer, not {value!r}")
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {value!r}") from None
    return int(_within(name, number, least, most))


def real(name: str, value: Any, least: float = 0.0, most: float | None = None) -> float:
    """Return `value` as a finite float between `least` and `most`."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, not {value!r}") from None
    if not math.isfinite(number):
        raise ValueError(f"{name} must be finite, not {value!r}")
    return float(_within(name, number, least, most))


def integers(name: str, value: Any, length: int | None = None, least: int = 0) -> tuple[int, ...]:
    """Return `value` as a tuple of ints, each at least `least`."""
    if not isinstance(value, Iterable):
        raise TypeError(f"{name} must be a sequence of integers, not {value!r}")
    numbers = tuple(integer(f"{name}[{i}]", entry, least) for i, entry in enumerate(value))
    if length is not None and len(numbers) != length:
        raise ValueError(f"{name} must have {length} entries, not {len(numbers)}")
    return numbers


def _within(name: str, number: float, least: float, most: float | None) -> float:
    if number < least:
        raise ValueError(f"{name} must be at least {least}, not {number}")
    if most is not None and number > most:
        raise ValueError(f"{name} must be at most {most}, not {number}")
    return number
