"""What the tests of the matchings to start from share, on one thread, on teams and on a GPU."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from konig.matching import cpu
from konig.matching.inputs import Partial, as_graph
from konig.matching.proof import check_matching

TEXTBOOK = {"threads": 1, "max_waiting": 0}  # of the native starts
TEAM_KNOBS = [
    *({"threads": threads, "team": "threads", "seed": 0} for threads in (1, 2, 4)),
    *({"threads": 1, "team": "shuffled", "seed": seed} for seed in range(5)),
]


def started(
    solver: str,
    A: Any,
    knobs: Mapping[str, Any],
    initial: Iterable[tuple[int, int]] = (),
) -> tuple[np.ndarray, np.ndarray, dict[str, Any]]:
    """The partners after the start alone, proved to be a matching, and what it counted."""
    graph = as_graph(A)
    col_of_row = np.full(graph.rows, -1, graph.id_dtype)
    row_of_col = np.full(graph.cols, -1, graph.id_dtype)
    for row, col in initial:
        col_of_row[row], row_of_col[col] = col, row
    graph.of_row, graph.of_col  # noqa: B018 (made on first use)
    counted = cpu.improve(solver, Partial(graph, col_of_row, row_of_col), knobs, None)
    check_matching(*graph.edges(), col_of_row, row_of_col)
    return col_of_row, row_of_col, counted


def is_maximal(A: Any, col_of_row: np.ndarray, row_of_col: np.ndarray) -> bool:
    rows, cols = as_graph(A).edges()
    return not ((col_of_row[rows] < 0) & (row_of_col[cols] < 0)).any()


def size(col_of_row: np.ndarray) -> int:
    return int(np.count_nonzero(col_of_row >= 0))
