"""What a backend leaves, as the result that goes back to where the input was."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from konig.assignment.batch_result import AssignmentBatch
from konig.assignment.cpu import BatchSolved, Solved
from konig.assignment.result import Assignment
from konig.interop import arrays
from konig.matching.result import VertexCover


def given_back(
    solved: Solved, method: str, device: str, maximize: bool, cover: VertexCover | None, place: arrays.Place
) -> Assignment:
    """The answer to one problem."""
    answer = [solved.row_ind, solved.col_ind, solved.row_dual, solved.col_dual]
    _give(answer, place)
    if cover is not None and place != arrays.HOST:
        cover = VertexCover(place.give(cover.rows), place.give(cover.cols))
    row_ind, col_ind, row_dual, col_dual = answer
    return Assignment(
        row_ind,
        col_ind,
        solved.cost,
        solved.gap,
        row_dual,
        col_dual,
        method,
        device,
        solved.stats,
        maximize,
        cover,
        place,
    )


def batch_given_back(
    solved: BatchSolved,
    counts: tuple[np.ndarray, np.ndarray],
    method: str,
    maximize: bool,
    covers: Mapping[int, VertexCover],
    place: arrays.Place,
    device: str = "cpu",
) -> AssignmentBatch:
    """The answers to a batch."""
    answer = [solved.row_ind, solved.col_ind, solved.cost, solved.gap, solved.row_dual, solved.col_dual]
    _give(answer, place)
    row_ind, col_ind, cost, gap, row_dual, col_dual = answer
    return AssignmentBatch(
        row_ind,
        col_ind,
        cost,
        gap,
        row_dual,
        col_dual,
        method,
        device,
        solved.stats,
        *counts,
        maximize,
        covers,
        place,
    )


def _give(answer: list[np.ndarray], place: arrays.Place) -> None:
    """Frozen on the host, in the caller's library elsewhere."""
    if place == arrays.HOST:
        answer[:] = [array if isinstance(array, np.ndarray) else arrays.to_numpy(array) for array in answer]
        for array in answer:
            array.flags.writeable = False
    else:
        answer[:] = [place.give(array) for array in answer]
