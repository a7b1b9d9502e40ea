"""Duals to start from where rows and columns have an order in which it is best to assign them.

A. J. Hoffman, *On simple linear programming problems* (1963): where rows and columns can be put in an order
such that c(i, k) + c(i + 1, k + 1) <= c(i, k + 1) + c(i + 1, k) throughout (Monge), it is best to assign them
in that order, and duals that fit neighbours fit all. Products of a factor of the row and one of the column
are like that (Machol and Wien), and so are squared distances on a line. Such costs, less the means of their
rows and columns, have one dominant direction, whose entries are in that order; a few products with the matrix
find it. Where costs are only nearly like that, the duals are a start, and where they are not, there is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

BLOCK = 1 << 22  # entries that are looked at at once
PRODUCTS = 3
# The duals are worth a start if they are this much closer to the cost of their order than to the mean cost.
CLOSER = 100
ROUNDED = 1e-12
SAMPLE_ROWS = 256


class Start(NamedTuple):
    """Duals of the columns, and the column of each row where these prove it, but for what is rounded."""

    col_dual: Any
    col_of_row: Any | None


def start(xp: Any, C: Any, maximize: bool = False) -> Start | None:
    """Duals of square costs in the order that is best, if there is one."""
    n, sign = len(C), -1 if maximize else 1
    exact = np.int64 if C.dtype.kind == "i" else np.float64
    rows, cols = order(xp, C, sign)

    def at(some: slice, others: slice) -> Any:
        return sign * C[rows[some], cols[others]].astype(exact)

    early, late = slice(0, n - 1), slice(1, n)
    steps = at(late, late) - at(late, early) + at(early, late) - at(early, early)
    duals = xp.zeros(n, exact)
    # Any step from the first difference to the second will do; the middle is far from both.
    duals[cols[late]] = xp.cumsum(steps // 2 if exact == np.int64 else steps / 2)
    least, total = [], 0.0
    for block in blocks(C):
        block = sign * block.astype(exact)
        least.append((block - duals).min(axis=1))
        total += float(block.sum(dtype=np.float64))
    of_row = xp.concatenate(least)
    bound = float(duals.sum()) + float(of_row.sum())
    assigned = at(slice(n), slice(n))
    if CLOSER * (float(assigned.sum()) - bound) > total / n - bound:
        return None
    slack = assigned - duals[cols] - of_row[rows]
    tight = bool((slack <= (0 if exact == np.int64 else ROUNDED * float(abs(assigned).max()))).all())
    return Start(sign * duals, cols[xp.argsort(rows)] if tight else None)


def sample_has_order(xp: Any, C: Any, maximize: bool) -> bool:
    """Whether a few rows and columns have such an order."""
    step = max(len(C) // SAMPLE_ROWS, 1)
    return start(xp, xp.ascontiguousarray(C[::step, ::step]), maximize) is not None


def order(xp: Any, C: Any, sign: int) -> tuple[Any, Any]:
    """Rows and columns along the dominant direction, so that small costs meet.

    Once the halves of the columns are known, the costs in one less those in the other put the rows in order,
    even where the direction is all but the same for many, and the halves of the rows do so for the columns.
    """
    along = unit(sum(block.sum(axis=0, dtype=np.float64) for block in blocks(C)))
    for product in range(PRODUCTS):
        last = product == PRODUCTS - 1
        weights = halves(xp, along) if last else along
        across = unit(xp.concatenate([block.astype(np.float64) @ weights for block in blocks(C)]))
        weights = halves(xp, across) if last else across
        first, along = 0, xp.zeros(C.shape[1])
        for block in blocks(C):
            along = along + weights[first : first + len(block)] @ block.astype(np.float64)
            first += len(block)
        along = unit(along)
    return xp.argsort(across), xp.argsort(-sign * along)


def unit(direction: Any) -> Any:
    """Less its mean, and of length one in the maximum norm."""
    direction = direction - direction.mean()
    return direction / max(float(abs(direction).max()), np.finfo(np.float64).tiny)


def halves(xp: Any, direction: Any) -> Any:
    """1 for the larger half of the entries, -1 for the others; as many of each, but for one in the middle."""
    n = len(direction)
    signs = xp.zeros(n)
    ordered = xp.argsort(direction)
    signs[ordered[: n // 2]], signs[ordered[n - n // 2 :]] = -1.0, 1.0
    return signs


def blocks(C: Any) -> Iterator[Any]:
    """The rows, some at a time."""
    step = max(BLOCK // max(C.shape[1], 1), 1)
    return (C[i : i + step] for i in range(0, len(C), step))
