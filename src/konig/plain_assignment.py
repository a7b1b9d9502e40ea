"""Dense problems in plain NumPy arrays: one native call, and next to no Python around it.

Trackers solve problems of ten rows at a time, where every microsecond around the solver counts. What is not
plain (another type, nothing to assign, a bad cost) is None here and goes the long way, which finds out what
there is to say about it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from konig import _native
from konig.backends.cpu_assignment import failure
from konig.registry import ASSIGNMENT_SMALL
from konig.results import Assignment

_REAL, _INTEGER = np.dtype(np.float64), np.dtype(np.int64)


def plain_assignment(C: np.ndarray, maximize: bool, full: bool) -> Assignment | None:
    """The answer of ``auto`` to a plain problem, or None; InfeasibleError if there is none that is full."""
    found: Any = _native.assign_plain(C, maximize)
    if found is None:
        return None
    if len(found) == 2:
        if not full:
            return None
        rows, cols = C.shape
        raise failure("infeasible", found, _INTEGER, rows > cols)
    return Assignment.from_packed(_unpack, found)


def _unpack(
    name: str,
    packed: bytes,
    cost: Any,
    counts: Any,
    seconds: float,
    rows: int,
    cols: int,
    real: bool,
    maximize: bool,
) -> dict[str, Any]:
    size = min(rows, cols)
    row_ind, col_ind = np.frombuffer(packed, _INTEGER, 2 * size).reshape(2, size)
    duals = np.frombuffer(packed, _REAL if real else _INTEGER, rows + cols, 16 * size)
    stats = _native.counts_of(counts)
    stats["seconds"] = {"convert": 0.0, "main": seconds}
    small = size < ASSIGNMENT_SMALL
    method = ("auction" if stats["bids"] else "jv") if small else "core"
    return vars(
        Assignment(row_ind, col_ind, cost, duals[:rows], duals[rows:], method, "cpu", stats, maximize)
    )
