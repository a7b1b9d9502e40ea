"""Duals to start from where rows and columns have an order in which it is best to assign them.

A. J. Hoffman, *On simple linear programming problems* (1963): where rows and columns can be put in an order
such that c(i, k) + c(i + 1, k + 1) <= c(i, k + 1) + c(i + 1, k) throughout (Monge), it is best to assign them
in that order, and duals that fit neighbours fit all. Products of a factor of the row and one of the column
are like that (Machol and Wien), and so are squared distances on a line. Such costs, less the means of their
rows and columns, have one dominant direction, whose entries are in that order; a few products with the matrix
find it. Where costs are only nearly like that, the duals are a start, and where they are not, there is none.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from konig.assignment.lines import Lines

PRODUCTS = 3
# The duals are worth a start if they are this much closer to the cost of their order than to the mean cost.
CLOSER = 100
ROUNDED = 1e-12
SAMPLE_ROWS = 256


class Start(NamedTuple):
    """Duals of the columns, and the column of each row where these prove it, but for what is rounded."""

    col_dual: np.ndarray
    col_of_row: np.ndarray | None


def start(costs: Lines) -> Start | None:
    """Duals of square costs in the order that is best, if there is one."""
    n, whole = costs.shape[0], costs.exact is np.int64
    rows, cols = order(costs)
    assigned = costs.entries(rows, cols)
    ahead, behind = costs.entries(rows[1:], cols[:-1]), costs.entries(rows[:-1], cols[1:])
    steps = assigned[1:] - ahead + behind - assigned[:-1]
    duals = np.zeros(n, costs.exact)
    # Any step from the first difference to the second will do; the middle is far from both.
    duals[cols[1:]] = np.cumsum(steps // 2 if whole else steps / 2)
    of_row = costs.row_minima(duals)
    bound = float(duals.sum()) + float(of_row.sum())
    total = float(costs.row_sums(np.ones(n)).sum())
    if CLOSER * (float(assigned.sum()) - bound) > total / n - bound:
        return None
    slack = assigned - duals[cols] - of_row[rows]
    tight = bool((slack <= (0 if whole else ROUNDED * float(abs(assigned).max()))).all())
    return Start(costs.sign * duals, cols[np.argsort(rows)] if tight else None)


def sample_has_order(costs: Lines) -> bool:
    """Whether a few rows and columns have such an order."""
    some = np.arange(0, costs.shape[0], max(costs.shape[0] // SAMPLE_ROWS, 1))
    return start(costs.of_part(some, some)) is not None


def order(costs: Lines) -> tuple[np.ndarray, np.ndarray]:
    """Rows and columns along the dominant direction, so that small costs meet.

    Once the halves of the columns are known, the costs in one less those in the other put the rows in order,
    even where the direction is all but the same for many, and the halves of the rows do so for the columns.
    """
    along = unit(costs.col_sums(np.ones(costs.shape[0])))
    for product in range(PRODUCTS):
        last = product == PRODUCTS - 1
        across = unit(costs.row_sums(halves(along) if last else along))
        along = unit(costs.col_sums(halves(across) if last else across))
    return np.argsort(across, kind="stable"), np.argsort(-along, kind="stable")


def unit(direction: np.ndarray) -> np.ndarray:
    """Less its mean, and of length one in the maximum norm."""
    direction = direction - direction.mean()
    return direction / max(float(abs(direction).max()), np.finfo(np.float64).tiny)


def halves(direction: np.ndarray) -> np.ndarray:
    """1 for the larger half of the entries, -1 for the others; as many of each, but for one in the middle."""
    n = len(direction)
    signs = np.zeros(n)
    ordered = np.argsort(direction, kind="stable")
    signs[ordered[: n // 2]], signs[ordered[n - n // 2 :]] = -1.0, 1.0
    return signs
