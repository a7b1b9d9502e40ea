"""Runs native assignment solvers on the CPU."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from konig import _native
from konig.errors import InfeasibleError
from konig.progress import Report


@dataclass(slots=True)
class Solved:
    """What a solver leaves: pairs, cost, duals and what it counted."""

    row_ind: np.ndarray
    col_ind: np.ndarray
    cost: int | float
    row_dual: np.ndarray
    col_dual: np.ndarray
    stats: dict[str, Any]


def solve_dense(
    C: np.ndarray,
    maximize: bool,
    largest: float,
    initial: tuple[Any, Any] = (None, None),
    report: Report | None = None,
) -> Solved:
    """An optimal full assignment of dense costs that have been surveyed."""
    rows, cols = C.shape
    size = rows if rows < cols else cols
    dual = np.int64 if C.dtype.kind == "i" else np.float64
    row_ind, col_ind = np.empty(size, np.int64), np.empty(size, np.int64)
    row_dual: Any = np.empty(rows, dual)
    col_dual: Any = np.empty(cols, dual)
    costs: Any = C
    outcome, found, stats = _native.assign_dense(
        costs, maximize, largest, row_ind, col_ind, row_dual, col_dual, *initial, report
    )
    if outcome == "optimal":
        return Solved(row_ind, col_ind, found, row_dual, col_dual, stats)
    if outcome == "infeasible":
        some, others = (np.flatnonzero(np.frombuffer(mask, np.uint8)) for mask in found)
        raise InfeasibleError(*((others, some) if rows > cols else (some, others)))
    raise OverflowError(
        f"the duals of this assignment problem do not fit into {np.dtype(dual)}; scale the costs down"
    )
