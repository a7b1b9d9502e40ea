"""Runs asynchronous push-relabel over pairs of arcs on a team of CPU threads and on an NVIDIA GPU."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any

import numpy as np

from konig import _native
from konig.backends import cuda, synchronous_flow
from konig.backends.cpu import available_cores
from konig.backends.device_programs import BLOCK_THREADS, MAXIMUM
from konig.backends.launches import DeviceState
from konig.paired_arcs import Pairs
from konig.progress import Report
from konig.registry import flow

SOLVER = "asynchronous_flow"
HELD = (6, 12)  # slots that a worker holds at once: as many as most lists have
TICKS = 1755  # of the clock of a processor in a microsecond, about

# struct State of konig/flow/asynchronous/state.h, word by word.
STATE = (
    *("status", "step", "wave", "limit", "factor", "calm", "ending", "moved", "active", "meetings"),
    *("launches", "delivered", "returned", "stranded", "visits", "scanned", "moves", "rises"),
)

# What the user sees, and the words that it is in.
_COUNTS = {
    "waves": "wave",
    "visits": "visits",
    "stranded": "stranded",
    "pushes": "moves",
    "relabels": "rises",
    "slots_scanned": "scanned",
    "supersteps": "meetings",
    "launches": "launches",
}


def solve_on_team(
    pairs: Pairs,
    settings: Mapping[str, Any],
    most: tuple[int, int],
    report: Report | None,
    threads: int | None = None,
    seed: int | None = None,
) -> tuple[np.ndarray, dict[str, Any]]:
    """Push a maximum flow through the pairs; the source side and what was counted.

    ``most`` is for reports: what has been brought already, and a bound on all that will be.
    """
    source_side = np.zeros(pairs.vertices, np.uint8)
    workers = {"threads": threads or available_cores(), "seed": (seed or 0) & 0x7FFF_FFFF_FFFF_FFFF}
    knobs = flow.SYNCHRONOUS.settings({}) | {"team": settings["team"]} | workers
    arrays = pairs.start, pairs.slots.reshape(-1), pairs.to_sink, pairs.to_source, pairs.excess
    told = synchronous_flow.shown(report, most)
    stats = dict(_native.asynchronous_flow(*arrays, source_side, knobs, told))  # type: ignore[call-overload]
    return source_side, stats


def solve_on_gpu(
    cupy: Any,
    pairs: Pairs,
    settings: Mapping[str, Any],
    most: tuple[int, int],
    report: Report | None,
    seconds: dict[str, float],
    known: tuple[Any, int] | None = None,
) -> tuple[Any, dict[str, Any]]:
    """The same on the current device: launches until the flow there is maximum.

    Known are the labels of a search that nothing was pushed after, and how many levels it had.
    """
    ids, amounts = pairs.start.dtype, pairs.excess.dtype
    bits = 8 * ids.itemsize
    held = HELD[pairs.longest > HELD[0]]
    with cuda.timed_compilation(seconds):
        options = (f"-DKONIG_AMOUNT_BITS={8 * amounts.itemsize}", f"-DKONIG_FLOW_HELD={held}")
        kernel = cuda.module(cupy, SOLVER, bits, bits, False, options).get_function(SOLVER)
    n, slots = pairs.vertices, len(pairs.slots)
    blocks = min(max(1, -(-n // BLOCK_THREADS)), cuda.resident_blocks(cupy, kernel))
    blocks = min(blocks, int(settings["blocks"]) or blocks)
    began = perf_counter()
    source_side = cupy.zeros(n, np.uint8)
    state = DeviceState(cupy, STATE)
    labels, levels = known or (None, 0)
    arguments = (
        np.int64(n),
        np.int64(slots),
        pairs.start,
        pairs.slots,
        pairs.to_sink,
        pairs.to_source,
        pairs.excess,
        np.uint64(0) if labels is None else labels,
        cupy.empty(slots, ids),  # other
        cupy.empty(slots, ids),  # mate
        cupy.empty(slots, amounts),  # out
        cupy.empty(2 * n, ids),  # labels
        cupy.empty(n, ids),  # notices
        cupy.empty(n, ids),  # seen
        source_side,
        np.int64(settings["stretch"] * TICKS),
        np.int64(levels),
        state.array,
        cuda.control(cupy, blocks),
        np.int64(cuda.BUDGET_NS),
    )
    told = synchronous_flow.shown(report, most)

    def show(words: Mapping[str, int]) -> None:
        if told is not None:
            told(words["delivered"], 0)

    words = state.run(lambda: kernel((blocks,), (BLOCK_THREADS,), arguments), show)
    stats: dict[str, Any] = {}
    if words["status"] != MAXIMUM:
        brought = most[0] + words["delivered"], most[1]
        others = flow.SYNCHRONOUS.settings({})
        source_side, stats = synchronous_flow.solve_on_gpu(cupy, pairs, others, brought, report, seconds)
    seconds["solve"] = perf_counter() - began
    counts = {name: words[word] + stats.get(name, 0) for name, word in _COUNTS.items()}
    stats |= counts | {"handed_over": int(bool(stats))}
    return source_side, stats | {"workers": blocks * BLOCK_THREADS, "headers": cuda.headers_digest()}
