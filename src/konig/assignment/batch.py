"""Batches of dense assignment problems: check, solve on all cores or on a GPU, gather."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from konig.assignment import cpu as cpu_assignment
from konig.assignment import inputs as costs
from konig.assignment.cpu import BatchSolved, How, Solved, Unsolved
from konig.interop import arrays
from konig.matching.result import VertexCover

Partial = Callable[[Any], tuple[Solved, VertexCover]]


def settle(
    C: Any,
    solved: BatchSolved,
    how: How,
    row_counts: np.ndarray | None,
    col_counts: np.ndarray | None,
    partial: Partial | None,
) -> dict[int, VertexCover]:
    """What became of the problems that were not solved: errors, or answers found alone on the host.

    ``C`` and the answers may be on a GPU.
    """
    if solved.first_bad >= 0:
        where = np.unravel_index(solved.first_bad, C.shape)
        costs.refuse(arrays.to_numpy(C[where])[()], where, how.maximize)
    covers: dict[int, VertexCover] = {}
    for b in map(int, np.flatnonzero(solved.outcomes)):
        problem = problem_of(C, b, row_counts, col_counts)
        found = cpu_assignment.solve(problem, how)
        if isinstance(found, Unsolved):
            if partial is None or not found.infeasible:
                raise found.error(b)
            found, covers[b] = partial(problem)
        elif problem.dtype.kind == "i" and abs(found.cost) > np.iinfo(np.int64).max:
            raise OverflowError(f"the cost of problem {b} does not fit into 64 bits; solve it alone")
        _write(solved, b, found)
    return covers


def problem_of(C: Any, b: int, row_counts: np.ndarray | None, col_counts: np.ndarray | None) -> np.ndarray:
    rows = C.shape[1] if row_counts is None else int(row_counts[b])
    cols = C.shape[2] if col_counts is None else int(col_counts[b])
    return np.ascontiguousarray(arrays.to_numpy(C[b, :rows, :cols]))


def _write(solved: BatchSolved, b: int, found: Solved) -> None:
    for padded, values, padding in (
        (solved.row_ind, found.row_ind, -1),
        (solved.col_ind, found.col_ind, -1),
        (solved.row_dual, found.row_dual, 0),
        (solved.col_dual, found.col_dual, 0),
    ):
        padded[b] = padding
        there = (
            values
            if isinstance(padded, np.ndarray)
            else arrays.cupy_for("an answer on a GPU").asarray(values)
        )
        padded[b, : len(values)] = there
    solved.cost[b], solved.gap[b] = found.cost, found.gap


def checked_counts(name: str, given: Any, problems: int, extent: int) -> np.ndarray | None:
    """How many rows (or columns) each problem has, or None where all have all."""
    if given is None:
        return None
    counts = np.asarray(given) if isinstance(given, list | tuple) else arrays.to_numpy(given)
    if counts.shape != (problems,) or counts.dtype.kind not in "iu":
        raise ValueError(
            f"{name} must be {problems} integers, one a problem, not {counts.dtype} of shape {counts.shape}"
        )
    wrong = np.flatnonzero((counts < 0) | (counts > extent))
    if len(wrong):
        raise ValueError(f"{name}[{wrong[0]}] = {counts[wrong[0]]} is not in [0, {extent}]")
    return np.ascontiguousarray(counts, np.int64)


def all_counts(
    shape: tuple[int, ...], row_counts: np.ndarray | None, col_counts: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """The rows and columns of every problem."""
    problems, rows, cols = shape
    return (
        np.full(problems, rows) if row_counts is None else row_counts,
        np.full(problems, cols) if col_counts is None else col_counts,
    )
