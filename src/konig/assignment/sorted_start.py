"""Duals to start from where all rows rank the columns alike.

A. J. Hoffman, *On simple linear programming problems* (1963): where rows and columns can be put in an order
such that c(i, k) + c(i + 1, k + 1) <= c(i, k + 1) + c(i + 1, k) throughout (Monge), it is best to assign them
in that order, and duals that fit neighbours fit all. Products of a factor of the row and one of the column
are like that (Machol and Wien), and so are squared distances on a line. Such costs, less the means of their
rows and columns, have one dominant direction, whose entries are in that order; a few products with the matrix
find it. Where costs are only nearly like that, the duals are a start, and where they are not, there is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

BLOCK = 1 << 22  # entries that are looked at at once
PRODUCTS = 2
# The duals are worth a start if they are this much closer to the cost of their order than to the mean cost.
CLOSER = 100


def col_duals(xp: Any, C: Any, maximize: bool = False) -> Any | None:
    """Duals of the columns of square costs, in the order that is best if there is one."""
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
    bound, total = float(duals.sum()), 0.0
    for block in blocks(C):
        block = sign * block.astype(exact)
        bound += float((block - duals).min(axis=1).sum())
        total += float(block.sum(dtype=np.float64))
    gap = float(at(slice(n), slice(n)).sum()) - bound
    return sign * duals if CLOSER * gap <= total / n - bound else None


def order(xp: Any, C: Any, sign: int) -> tuple[Any, Any]:
    """Rows and columns along the dominant direction, so that small costs meet."""
    along = sum(block.sum(axis=0, dtype=np.float64) for block in blocks(C))
    across = along
    for _ in range(PRODUCTS):
        along = along - along.mean()
        across = xp.concatenate([block.astype(np.float64) @ along for block in blocks(C)])
        across = unit(across - across.mean())
        first, along = 0, xp.zeros(C.shape[1])
        for block in blocks(C):
            along = along + across[first : first + len(block)] @ block.astype(np.float64)
            first += len(block)
        along = unit(along)
    return xp.argsort(across), xp.argsort(-sign * along)


def unit(direction: Any) -> Any:
    return direction / max(float(abs(direction).max()), np.finfo(np.float64).tiny)


def blocks(C: Any) -> Iterator[Any]:
    """The rows, some at a time."""
    step = max(BLOCK // max(C.shape[1], 1), 1)
    return (C[i : i + step] for i in range(0, len(C), step))
