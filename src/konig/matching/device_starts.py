"""Launches the matchings to start from, konig/matching/greedy.h and karp_sipser.h, on a GPU."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from konig.gpu import cuda
from konig.gpu.launches import DeviceState
from konig.gpu.programs import BLOCK_THREADS, PIECE

LONG = 64  # kLong of konig/matching/karp_sipser.h
TRANSPOSE_STATE = ("status", "step", "launches")


class DeviceStart(Protocol):
    """A start of ``konig/include``: its file and entry point in ``konig/kernels``, its ``struct State``.

    ``wanted`` is how many workers it can use, ``arguments`` what its entry point takes before the state.
    """

    unit: str
    state: tuple[str, ...]

    def wanted(self, graph: Any) -> int: ...

    def arguments(self, cupy: Any, graph: Any, col_of_row: Any, row_of_col: Any) -> tuple[Any, ...]: ...

    def stats(self, words: Mapping[str, int]) -> dict[str, int]: ...


class Greedy:
    """konig/matching/greedy.h"""

    unit = "greedy"
    state: tuple[str, ...] = ("status", "part", "launches", "arc_scans")

    def wanted(self, graph: Any) -> int:
        return int(graph.cols)

    def arguments(self, cupy: Any, graph: Any, col_of_row: Any, row_of_col: Any) -> tuple[Any, ...]:
        lists = graph.of_col
        return np.int64(graph.cols), lists.start, lists.neighbour, col_of_row, row_of_col

    def stats(self, words: Mapping[str, int]) -> dict[str, int]:
        return {"start_arc_scans": words["arc_scans"]}


class KarpSipser:
    """konig/matching/karp_sipser.h"""

    unit = "karp_sipser"
    state: tuple[str, ...] = (
        "status",
        "step",
        "supersteps",
        "sweeps",
        "choices",
        "slices",
        "part",
        "warm",
        "served",
        "waiting",
        "pieces_served",
        "pieces",
        "launches",
        "degree_one",
        "chosen",
        "claims_lost",
        "arc_scans",
        *(f"tally_{k}" for k in range(6)),
    )

    def wanted(self, graph: Any) -> int:
        return int(graph.rows + graph.cols)

    def arguments(self, cupy: Any, graph: Any, col_of_row: Any, row_of_col: Any) -> tuple[Any, ...]:
        cols = graph.of_col
        of_row = (graph.of_row.start, graph.of_row.neighbour) if graph.has_rows else row_lists(cupy, graph)
        vertices = graph.rows + graph.cols
        id_bytes, offset_bytes = cols.neighbour.itemsize, cols.start.itemsize
        pieces = 2 * graph.nonzeros // PIECE + min(2 * graph.nonzeros // (LONG + 1), vertices)
        piece_bytes = -(-(offset_bytes + 2 * id_bytes) // 16) * 16
        return (
            np.int64(graph.rows),
            np.int64(graph.cols),
            *of_row,
            cols.start,
            cols.neighbour,
            col_of_row,
            row_of_col,
            cupy.empty(vertices, np.int64),  # open
            cupy.empty(2 * vertices, graph.id_dtype),  # lonely
            cupy.empty(pieces * piece_bytes, np.uint8),
        )

    def stats(self, words: Mapping[str, int]) -> dict[str, int]:
        names = ("arc_scans", "degree_one", "chosen", "claims_lost", "sweeps", "supersteps")
        return {f"start_{name}": words[name] for name in names}


DEVICE_STARTS: dict[str, DeviceStart] = {"greedy_on_team": Greedy(), "karp_sipser_on_team": KarpSipser()}


def run(cupy: Any, solver: str, graph: Any, col_of_row: Any, row_of_col: Any) -> dict[str, int]:
    """Extend the matching on the current device until it is maximal; return what was counted."""
    start = DEVICE_STARTS[solver]
    arguments = start.arguments(cupy, graph, col_of_row, row_of_col)
    return start.stats(_launch(cupy, start.unit, graph, start.wanted(graph), arguments, start.state))


def row_lists(cupy: Any, graph: Any) -> tuple[Any, Any]:
    """Start and neighbours of the rows, by konig/matching/transpose.h: a list is in no particular order."""
    lists = graph.of_col
    row_start = cupy.empty(graph.rows + 1, lists.start.dtype)
    row_cols = cupy.empty(graph.nonzeros, lists.neighbour.dtype)
    arguments = (
        np.int64(graph.rows),
        np.int64(graph.cols),
        lists.start,
        lists.neighbour,
        row_start,
        row_cols,
    )
    _launch(cupy, "transpose", graph, max(graph.rows, graph.nonzeros), arguments, TRANSPOSE_STATE)
    return row_start, row_cols


def _launch(
    cupy: Any, unit: str, graph: Any, workers: int, arguments: tuple[Any, ...], state_words: tuple[str, ...]
) -> dict[str, int]:
    """Launch the entry point of a unit until it is done; the words of its state."""
    lists = graph.of_col
    bits = 8 * lists.neighbour.itemsize, 8 * lists.start.itemsize
    kernel = cuda.module(cupy, unit, *bits, False).get_function(unit)
    blocks = min(max(1, -(-workers // BLOCK_THREADS)), cuda.resident_blocks(cupy, kernel))
    state = DeviceState(cupy, state_words)
    given = (*arguments, state.array, cuda.control(cupy, blocks), np.int64(cuda.BUDGET_NS))
    return state.run(lambda: kernel((blocks,), (BLOCK_THREADS,), given))
