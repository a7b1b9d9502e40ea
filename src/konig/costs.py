"""Costs of an assignment problem, as the solvers take them: one of four types, row after row, checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from konig import _native

# Every type that is taken, and the type that it is solved in, which holds all of its values.
SOLVED_AS = {
    np.dtype(given): np.dtype(solved)
    for given, solved in (
        (np.bool_, np.int32),
        (np.int8, np.int32),
        (np.int16, np.int32),
        (np.int32, np.int32),
        (np.int64, np.int64),
        (np.uint8, np.int32),
        (np.uint16, np.int32),
        (np.uint32, np.int64),
        (np.uint64, np.int64),
        (np.float16, np.float32),
        (np.float32, np.float32),
        (np.float64, np.float64),
    )
}


def dense_costs(C: Any, name: str = "C") -> np.ndarray:
    """Dense costs in the type that they are solved in; no copy where they are that already."""
    if not isinstance(C, np.ndarray):
        C = np.asarray(C)
    solved = SOLVED_AS.get(C.dtype)
    if solved is None:
        C = _native_order(C, name)
        solved = SOLVED_AS[C.dtype]
    if C.ndim not in (2, 3):
        raise ValueError(
            f"{name} must have two dimensions (rows, columns), or three for a batch, not shape {C.shape}"
        )
    if C.dtype == np.uint64 and C.size and C.max() > np.iinfo(np.int64).max:
        where = _position(C, int(np.flatnonzero(C.ravel() > np.iinfo(np.int64).max)[0]))
        raise ValueError(f"{name}{where} = {C[where]} does not fit into 64 bits with a sign")
    return np.ascontiguousarray(C, solved)


def _native_order(C: np.ndarray, name: str) -> np.ndarray:
    swapped = C.dtype.newbyteorder("=")
    if C.dtype.names is None and swapped in SOLVED_AS:
        return C.astype(swapped)
    if C.size == 0 and C.dtype == object:
        return C.astype(np.float64)
    known = ", ".join(str(dtype) for dtype in SOLVED_AS)
    raise TypeError(f"{name} must be an array of real numbers ({known}), not of {C.dtype}")


def survey(C: np.ndarray, maximize: bool, name: str = "C") -> tuple[float, bool]:
    """The largest finite |cost| and whether pairs are forbidden; NaN and other bad costs are errors."""
    largest, first_nan, first_wrong, forbids = _native.survey_costs(C, maximize)
    refuse_bad_costs(C, maximize, first_nan, first_wrong, name)
    return largest, forbids


def refuse_bad_costs(C: Any, maximize: bool, first_nan: int, first_wrong: int, name: str = "C") -> None:
    """Raise an error about the first cost that no solver may see; positions are -1 where there is none."""
    if first_nan >= 0:
        where = _position(C, first_nan)
        raise ValueError(f"{name}{where} is NaN; costs must be numbers")
    if first_wrong >= 0:
        where = _position(C, first_wrong)
        if C.dtype.kind == "i":
            raise ValueError(f"{name}{where} = {C[where]}: integers must be above -2**63")
        aim, forbids_by = ("maximising", "-inf") if maximize else ("minimising", "inf")
        raise ValueError(f"{name}{where} = {C[where]}: {aim}, a pair is forbidden by {forbids_by}")


def _position(C: Any, flat: int) -> list[int] | tuple[int, ...]:
    return _Position(int(i) for i in np.unravel_index(flat, C.shape))


class _Position(tuple[int, ...]):
    """An index that prints the way it is written."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"[{', '.join(map(str, self))}]"
