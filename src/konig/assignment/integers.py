"""How costs become the whole numbers that the solvers of konig/assignment calculate with, and back.

``konig/assignment/costs.h`` says what the numbers mean. Everything here looks at the least and the greatest
cost alone, so it is the same wherever the matrix lives.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from konig import _native
from konig.assignment import cpu
from konig.assignment.cpu import Solved, required
from konig.assignment.methods import JV
from konig.results import added_stats

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

    def whole(self, costs: Any) -> Any:
        """The values of these costs, as the programs calculate them."""
        above: Any = np.asarray(costs, np.int64) - self.base
        return -above if self.maximize else above

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

    def start(self, col_dual: Any, bounds: tuple[Any, Any], rows: int) -> Any:
        """Duals of the values' columns from those of the costs', not larger than they need to be."""
        most = (rows + 2) * (int(bounds[1]) - int(bounds[0]))
        return np.clip(-col_dual if self.maximize else col_dual, -most, most)


@dataclass(frozen=True)
class RealValues:
    """value = the whole part of (cost - base) * first * second."""

    base: float
    first: float
    second: float

    def whole(self, costs: Any) -> Any:
        """The values of these costs, as the programs calculate them."""
        return ((np.asarray(costs, np.float64) - self.base) * self.first * self.second).astype(np.int64)

    def col_duals(self, of_cols: Any) -> Any:
        """The duals of the columns; those of the rows follow from the costs of the assigned pairs."""
        with np.errstate(over="ignore"):  # the proof replaces duals that have no float64
            return of_cols / self.first / self.second

    def start(self, col_dual: Any, bounds: tuple[Any, Any], rows: int) -> Any:
        """Duals of the values' columns from those of the costs', not larger than they need to be."""
        with np.errstate(over="ignore"):  # what is beyond float64 is beyond the limits, too
            spread = abs((np.float64(bounds[1]) - np.float64(bounds[0])) * self.first * self.second)
            duals = col_dual * self.first * self.second
        most = (rows + 2) * min(float(spread), 2.0**VALUE_BITS / (2 * (rows + 2)))
        return np.rint(np.clip(duals, -most, most)).astype(np.int64)


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


def too_wide(C: np.ndarray, bounds: Sequence[Any]) -> bool:
    """Whether integers need two passes, and two are enough."""
    rows = min(C.shape)
    spread = int(bounds[1]) - int(bounds[0])
    if C.dtype.kind != "i" or sums_fit(spread, rows):
        return False
    return sums_fit((2 * rows + 1) << _low_bits(rows, spread), rows)


def _low_bits(rows: int, spread: int) -> int:
    bits = 1
    while not sums_fit((spread >> bits) + 1, rows):
        bits += 1
    return bits


def solve_in_two_passes(
    C: np.ndarray, bounds: Sequence[Any], maximize: bool, solve: Callable[[np.ndarray], Solved]
) -> Solved:
    """An optimal assignment of integers; ``solve`` minimises those that are close enough together.

    Write every cost as high * 2**k + low. A first pass solves the high parts. Its slacks are 0 on its
    assignment, so in all bits this assignment has slacks below 2**k, less than n * 2**k together, and no
    optimal assignment has a pair with a slack of n * 2**k or more: these may all count as that much. A second
    pass solves the slacks with the low parts, which then fits. The duals of both passes add up.

    On a rectangle of n rows a column that the first pass leaves over has dual 0 and others at most 0. To
    leave over another one costs as much as its dual is below 0, so these count as slacks too, up to n * 2**k:
    the second pass gets them as rewards for taking the column, and what it is paid goes into its dual.
    """
    rows, cols = C.shape
    if rows > cols:
        return solve_in_two_passes(C.T, bounds, maximize, solve).transposed()
    costs = -C.astype(np.int64) if maximize else C.astype(np.int64)
    bits = _low_bits(rows, int(bounds[1]) - int(bounds[0]))
    high = costs >> bits
    first = solve(high)
    reward = np.minimum(-first.col_dual, rows) if rows < cols else np.zeros(cols, np.int64)
    slack = np.minimum(high - first.row_dual[:, None] - first.col_dual, rows) - reward
    second = solve((slack << bits) + (costs & ((1 << bits) - 1)))
    row_dual = _added_duals(first.row_dual, second.row_dual, bits)
    col_dual = _added_duals(first.col_dual + reward, second.col_dual, bits)
    row_ind, col_ind = second.row_ind, second.col_ind
    sign = -1 if maximize else 1
    duals = fitting_duals(np, [sign * dual for dual in row_dual], [sign * dual for dual in col_dual])
    if (
        duals is None
    ):  # any optimal duals prove any optimal assignment; jv finds such as fit, if there are any
        by_jv = required(cpu.solve(C, cpu.How(JV, {}, maximize)))
        duals = by_jv.row_dual, by_jv.col_dual
    cost = sum(C[row_ind, col_ind].tolist())
    return Solved(row_ind, col_ind, cost, 0, duals[0], duals[1], added_stats(first.stats, second.stats))


def _added_duals(high: np.ndarray, low: np.ndarray, bits: int) -> list[int]:
    return [(int(a) << bits) + int(b) for a, b in zip(high, low, strict=True)]
