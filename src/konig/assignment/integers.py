"""How costs become the whole numbers that the solvers of konig/assignment calculate with, and back.

``konig/assignment/costs.h`` says what the numbers mean. Everything here looks at the least and the greatest
cost alone, so it is the same wherever the matrix lives.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from konig import _native

LARGEST = np.iinfo(np.int64).max
VALUE_BITS: int = _native.VALUE_BITS
SMALLEST = -1074  # the exponent of the least positive float64


def fitting_duals(xp: Any, row_dual: list[int], col_dual: list[int]) -> tuple[Any, Any] | None:
    """Duals in 64 bits, None if they do not fit.

    Where no column is left over, a constant moves between the sides if that helps.
    """
    shift = 0
    if len(row_dual) == len(col_dual):
        # The largest dual is then as small as it can be.
        most, least = max(*col_dual, -min(row_dual)), min(*col_dual, -max(row_dual))
        shift = (most + least) // 2
    rows, cols = [dual + shift for dual in row_dual], [dual - shift for dual in col_dual]
    if max(map(abs, rows + cols)) > LARGEST:
        return None
    return xp.array(rows, np.int64), xp.array(cols, np.int64)


@dataclass(frozen=True)
class IntegerValues:
    """value = cost - base, or base - cost when maximising."""

    base: int
    maximize: bool

    def duals(self, xp: Any, of_rows: Any, of_cols: Any) -> tuple[Any, Any] | None:
        """The duals of the costs, from those of the values; None if they do not fit."""
        sign = -1 if self.maximize else 1
        if len(of_rows) == 0:
            return of_rows, sign * of_cols
        ends = (self.base + sign * int(of_rows.min()), self.base + sign * int(of_rows.max()))
        if max(map(abs, ends)) <= LARGEST:
            return sign * of_rows + self.base, sign * of_cols
        rows, cols = of_rows.tolist(), of_cols.tolist()
        return fitting_duals(xp, [self.base + sign * u for u in rows], [sign * v for v in cols])

    def start(self, xp: Any, col_dual: Any, bounds: tuple[Any, Any], rows: int) -> Any:
        """Duals of the values' columns from those of the costs', not larger than they need to be."""
        most = (rows + 2) * (int(bounds[1]) - int(bounds[0]))
        return xp.clip(-col_dual if self.maximize else col_dual, -most, most)


@dataclass(frozen=True)
class RealValues:
    """value = the whole part of (cost - base) * first * second."""

    base: float
    first: float
    second: float

    def col_duals(self, of_cols: Any) -> Any:
        """The duals of the columns; those of the rows follow from the costs of the assigned pairs."""
        with np.errstate(over="ignore"):  # the proof replaces duals that have no float64
            return of_cols / self.first / self.second

    def start(self, xp: Any, col_dual: Any, bounds: tuple[Any, Any], rows: int) -> Any:
        """Duals of the values' columns from those of the costs', not larger than they need to be."""
        with np.errstate(over="ignore"):  # a spread without a float64 sets no limit that matters
            spread = abs((np.float64(bounds[1]) - np.float64(bounds[0])) * self.first * self.second)
        most = (rows + 2) * min(float(spread), 2.0**VALUE_BITS / (2 * (rows + 2)))
        return xp.rint(xp.clip(col_dual * self.first * self.second, -most, most)).astype(np.int64)


def sums_fit(spread: int, rows: int) -> bool:
    """Whether sums of values up to ``spread`` fit into 64 bits, with so many rows to assign."""
    return spread * (2 * rows + 4) < 1 << VALUE_BITS


def real_values(least: float, greatest: float, rows: int, maximize: bool) -> RealValues:
    """Values of finite real costs between ``least`` and ``greatest``, with so many rows to assign.

    Where all costs are within a factor of two of each other, subtracting one of them is exact, and the bits
    are spent on their differences.
    """
    largest = max(abs(least), abs(greatest))
    spread = greatest - least
    if spread <= largest / 2:
        base = greatest if maximize else least
        exponent = math.frexp(spread)[1]
    else:
        base = 0.0
        exponent = math.frexp(largest)[1] + 1
    bits = VALUE_BITS - (2 * rows + 4).bit_length()
    power = min(bits - exponent, -SMALLEST) if spread > 0 else 0
    half = power // 2
    return RealValues(base, math.ldexp(-1.0 if maximize else 1.0, half), math.ldexp(1.0, power - half))
