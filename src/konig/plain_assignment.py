"""Small dense problems in plain NumPy arrays: one native call, and next to no Python around it.

Trackers solve problems of ten rows at a time, where every microsecond around the solver counts. What is not
plain (another type or layout, a bad cost, no full assignment) is None here and goes the long way, which
finds out what there is to say about it.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

from konig import _native
from konig.backends.cpu_assignment import ran
from konig.registry import ADAPTIVE, ASSIGNMENT_SMALL
from konig.results import Assignment

_INTEGER, _REAL = np.dtype(np.int64), np.dtype(np.float64)
# The types of duals by those of costs that are solved as they are.
_DUALS = {
    np.dtype(np.int32): _INTEGER,
    np.dtype(np.int64): _INTEGER,
    np.dtype(np.float32): _REAL,
    np.dtype(np.float64): _REAL,
}

Plain = tuple[np.ndarray, np.ndarray, Any, np.ndarray, np.ndarray, dict[str, Any]]


def solve_plain(C: np.ndarray, maximize: bool) -> Plain | None:
    """Pairs, cost, duals and what ``auto`` counted; None if C is not plain."""
    dual = _DUALS.get(C.dtype)
    if dual is None or C.ndim != 2:
        return None
    rows, cols = C.shape
    size = rows if rows < cols else cols
    if not 0 < size < ASSIGNMENT_SMALL:
        return None
    row_ind, col_ind = np.empty(size, _INTEGER), np.empty(size, _INTEGER)
    row_dual: Any = np.empty(rows, dual)
    col_dual: Any = np.empty(cols, dual)
    costs: Any = C
    found: Any = _native.assign_plain(costs, maximize, row_ind, col_ind, row_dual, col_dual)
    if found is None:
        return None
    return row_ind, col_ind, found[0], row_dual, col_dual, found[1]


def plain_assignment(C: np.ndarray, maximize: bool) -> Assignment | None:
    """The answer to a plain problem, or None."""
    began = perf_counter()
    solved = solve_plain(C, maximize)
    if solved is None:
        return None
    row_ind, col_ind, cost, row_dual, col_dual, stats = solved
    for array in (row_ind, col_ind, row_dual, col_dual):
        array.setflags(write=False)
    stats["seconds"] = {"convert": 0.0, "main": perf_counter() - began}
    method = ran(ADAPTIVE, stats)
    return Assignment(row_ind, col_ind, cost, row_dual, col_dual, method, "cpu", stats, maximize)
