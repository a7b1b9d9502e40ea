"""Dense problems in plain NumPy arrays: answered by native code before Python looks at the call.

Trackers solve problems of ten rows at a time, where every microsecond around the solver counts. What is not
plain (another type, nothing to assign, a bad cost) goes the long way, which finds out what there is to say
about it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, TypeVar, cast

import numpy as np

from konig import _native
from konig.assignment.auto import CORE_ROWS
from konig.assignment.cpu import failure
from konig.assignment.result import Assignment
from konig.interop import arrays

_Function = TypeVar("_Function", bound=Callable[..., Any])

_NUMBERS = ("row_ind", "col_ind", "row_dual", "col_dual")


def answers_plain_calls(linear_assignment: _Function) -> _Function:
    """The function with a front that answers plain calls as ``auto`` does."""
    front = _native.assignment_front(linear_assignment, Assignment, _unpack, _refuse)
    return cast(_Function, update_wrapper(cast(Any, front), linear_assignment))


def _refuse(C: np.ndarray, violator: tuple[bytes, bytes]) -> None:
    rows, cols = C.shape
    raise failure("infeasible", violator, np.int64, rows > cols)


def _unpack(name: str, packed: bytes) -> dict[str, Any]:
    if name in _NUMBERS:
        return dict(zip(_NUMBERS, _native.numbers_of(packed), strict=True))
    cost, gap, stats, seconds, rows, cols, maximize = _native.heading_of(packed)
    stats["seconds"] = {"convert": 0.0, "main": seconds}
    small = min(rows, cols) < CORE_ROWS
    return {
        "cost": cost,
        "gap": gap,
        "method": ("auction" if stats["bids"] else "jv") if small else "core",
        "device": "cpu",
        "stats": stats,
        "maximize": maximize,
        "cover": None,
        "place": arrays.HOST,
    }
