"""Runs konig/flow/waves.h on an NVIDIA GPU: how synchronous push-relabel goes on with a deep network."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from konig.backends import cuda
from konig.backends.device_programs import BLOCK_THREADS
from konig.backends.launches import DeviceState
from konig.paired_arcs import Pairs

PIECE = 256  # KONIG_FLOW_PIECE of konig/flow/synchronous/state.h
SERIES_WIDTH = 3
FEW_VERTICES = 400_000  # for which one block of threads on each processor is enough

# struct State of konig/flow/waves/state.h, word by word, without the series at its end.
STATE = (
    *("status", "step", "phase", "time", "clock", "turn", "acts", "long_acts", "fronts", "long_fronts"),
    *("oldest", "newest", "newest_start", "done", "spacing", "careful", "relabels", "series_used"),
    *("pushes", "levels", "both", "meetings", "active", "stranded"),
    *("second_relabels", "second_pushes", "second_levels"),
    *(f"tally_{k}" for k in range(12)),
    *(f"starts_{k}" for k in range(16)),
    *("tainted", "delivered_0", "delivered_1", "launches", "scanned", "search_scanned", "moves", "rises"),
    *("sweep_ns", "level_ns", "push_ns"),
)


def solve_on_gpu(
    cupy: Any,
    pairs: Pairs,
    settings: Mapping[str, Any],
    known: tuple[Any, Any, int],
    show: Callable[[int], None],
    seconds: dict[str, float],
) -> tuple[dict[str, int], list[int]]:
    """Launches until the flow on the current device is maximum; the words of the state then, and its series.

    Known are the labels of a search that nothing was pushed after, the array for the cut, and how many levels
    the search had. ``show`` is told after each launch what has got to the sink.
    """
    labels, source_side, levels = known
    ids = pairs.start.dtype
    bits = 8 * ids.itemsize
    with cuda.timed_compilation(seconds):
        options = (f"-DKONIG_AMOUNT_BITS={8 * pairs.excess.dtype.itemsize}",)
        unit = cuda.module(cupy, "flow_waves", bits, bits, bool(settings["profile"]), options)
        kernel = unit.get_function("flow_waves")
    n = pairs.vertices
    blocks = blocks_for(cupy, kernel, n, settings)
    room = n + len(pairs.slots) // PIECE + 1  # room_for_pieces
    state = DeviceState(cupy, STATE, SERIES_WIDTH)
    arguments = (
        np.int64(n),
        pairs.start,
        pairs.slots,
        pairs.to_sink,
        pairs.to_source,
        pairs.excess,
        labels,
        cupy.empty((2 if ids.itemsize == 4 else 3) * n, np.int64),  # marks
        cupy.empty(4 * n, ids),  # heights
        cupy.empty(16 * n, ids),  # acts
        cupy.empty(8 * room, ids),  # fronts
        np.int64(room),
        source_side,
        np.int64(settings["rises"]),
        np.int64(settings["spacing"]),
        np.int64(levels),
        state.array,
        cuda.control(cupy, blocks),
        np.int64(cuda.BUDGET_NS),
    )
    words = state.run(
        lambda: kernel((blocks,), (BLOCK_THREADS,), arguments), lambda words: show(words["delivered_0"])
    )
    return words, state.series


def blocks_for(cupy: Any, kernel: Any, vertices: int, settings: Mapping[str, Any]) -> int:
    """How many blocks of threads a network of so many vertices gets."""
    blocks = min(max(1, -(-8 * vertices // BLOCK_THREADS)), cuda.resident_blocks(cupy, kernel))
    if vertices < FEW_VERTICES:
        blocks = min(blocks, cuda.processors(cupy))
    return min(blocks, int(settings["blocks"]) or blocks)
