"""Launches the greedy start of konig/matching/greedy.h on a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np

from konig.backends import cuda
from konig.backends.device_programs import BLOCK_THREADS

# struct State of konig/matching/greedy.h, word by word; test_greedy_compiles.py compares them.
STATE = ("status", "part", "launches", "arc_scans")
RUNNING = 0


def run(cupy: Any, graph: Any, col_of_row: Any, row_of_col: Any) -> dict[str, Any]:
    """Extend the matching on the current device until it is maximal; return what was counted."""
    lists = graph.of_col
    bits = 8 * lists.neighbour.itemsize, 8 * lists.start.itemsize
    kernel = cuda.module(cupy, "greedy", *bits, False).get_function("greedy")
    wanted = max(1, -(-graph.cols // BLOCK_THREADS))
    blocks = min(wanted, cuda.resident_blocks(cupy, kernel))
    state = cupy.zeros(len(STATE), np.int64)
    arguments = (
        np.int64(graph.cols),
        lists.start,
        lists.neighbour,
        col_of_row,
        row_of_col,
        state,
        cuda.control(cupy, blocks),
        np.int64(cuda.BUDGET_NS),
    )
    while True:
        kernel((blocks,), (BLOCK_THREADS,), arguments)
        words = dict(zip(STATE, state.get().tolist(), strict=True))  # waits for the launch
        if words["status"] != RUNNING:
            return {"start_arc_scans": words["arc_scans"]}
