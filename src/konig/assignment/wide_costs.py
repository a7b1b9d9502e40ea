"""Problems whose integer costs are too far apart for sums in 64 bits, solved exactly in two passes.

Write every cost as high * 2**k + low. A first pass solves the high parts. Its slacks are 0 on its assignment,
so in all bits this assignment has slacks below 2**k, less than n * 2**k together, and no optimal assignment
has a pair with a slack of n * 2**k or more: these may all count as that much. A second pass solves the slacks
with the low parts, which then fits. The duals of both passes add up.

On a rectangle of n rows a column that the first pass leaves over has dual 0 and others at most 0. To leave
over another one costs as much as its dual is below 0, so these count as slacks too, up to n * 2**k: the
second pass gets them as rewards for taking the column, and what it is paid goes into the column's dual.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from konig.assignment.cpu import Solved, Unsolved, duals_too_large
from konig.assignment.integers import LARGEST, fitting_duals, sums_fit
from konig.results import added_stats

Solve = Callable[[np.ndarray], Solved]


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
    C: np.ndarray, bounds: Sequence[Any], maximize: bool, solve: Solve
) -> Solved | Unsolved:
    """An optimal assignment; ``solve`` minimises integers that are close enough together."""
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
    if max(map(abs, row_dual + col_dual)) > LARGEST:
        row_dual, col_dual = _smaller_duals(costs, col_ind) or (row_dual, col_dual)
    sign = -1 if maximize else 1
    duals = fitting_duals(np, [sign * dual for dual in row_dual], [sign * dual for dual in col_dual])
    if duals is None:
        return duals_too_large(np.int64)
    cost = sum(C[row_ind, col_ind].tolist())
    return Solved(row_ind, col_ind, cost, 0, *duals, added_stats(first.stats, second.stats))


def _smaller_duals(costs: np.ndarray, col_of_row: np.ndarray) -> tuple[list[int], list[int]] | None:
    """Duals within 64 bits that prove an optimal assignment of all rows; None if there are none.

    The dual of a row follows from that of its column. What is left are bounds of the columns' duals and of
    their differences, and the largest duals within these are shortest distances (R. Bellman, L. R. Ford).
    """
    rows, cols = costs.shape
    wide = costs.astype(object)
    assigned = wide[np.arange(rows), col_of_row]
    least, most = np.zeros(cols, object), np.zeros(cols, object)  # a column that is left over has dual 0
    least[col_of_row] = np.maximum(assigned - LARGEST, -LARGEST)
    most[col_of_row] = np.minimum(assigned + LARGEST, LARGEST if rows == cols else 0)
    between = wide - assigned[:, None]
    while True:
        nearer = np.minimum(most, (most[col_of_row][:, None] + between).min(axis=0))
        if (nearer == most).all():
            break
        most = nearer
    if (most < least).any():
        return None
    return (assigned - most[col_of_row]).tolist(), most.tolist()


def _added_duals(high: np.ndarray, low: np.ndarray, bits: int) -> list[int]:
    return [(int(a) << bits) + int(b) for a, b in zip(high, low, strict=True)]
