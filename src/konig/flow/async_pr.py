"""Runs asynchronous push-relabel on a team of CPU threads and on an NVIDIA GPU."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any

import numpy as np

from konig import _native
from konig.flow import methods as flow
from konig.flow import sync_pr as synchronous_flow
from konig.flow.residual import Residual
from konig.flow.sync_pr import Searched
from konig.gpu import cuda
from konig.gpu.launches import DeviceState
from konig.gpu.programs import BLOCK_THREADS, MAXIMUM
from konig.progress import Report

SOLVER = "asynchronous_flow"
HELD = (6, 12)  # slots that a worker holds at once: as many as most lists have
LONGEST = 100_000  # slots of a vertex: one worker would take too long for more
MOST_WAVES = 2000  # kMostWaves of konig/flow/async_pr/state.h

# struct State of konig/flow/async_pr/state.h, word by word.
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
    network: Residual,
    settings: Mapping[str, Any],
    most: tuple[int, int],
    report: Report | None,
    workers: Mapping[str, Any],
) -> tuple[np.ndarray, dict[str, Any]]:
    """As that of synchronous push-relabel, which may have to go on."""
    both = flow.SYNCHRONOUS.settings({}) | {"waves": settings["waves"]}
    native = _native.asynchronous_flow
    return synchronous_flow.solve_on_team(network, both, most, report, workers, native)


def solve_on_gpu(
    cupy: Any,
    network: Residual,
    settings: Mapping[str, Any],
    most: tuple[int, int],
    report: Report | None,
    seconds: dict[str, float],
    known: Searched | None = None,
) -> tuple[Any, dict[str, Any]]:
    """The same on the current device: launches until the flow there is maximum."""
    others = flow.SYNCHRONOUS.settings({})
    if network.longest > LONGEST:
        source_side, counted, _ = synchronous_flow.solve_on_gpu(cupy, network, others, most, report, seconds)
        return source_side, dict.fromkeys(_COUNTS, 0) | counted | {"handed_over": 1}
    ids, amounts = network.start.dtype, network.excess.dtype
    bits = 8 * ids.itemsize
    held = HELD[network.longest > HELD[0]]
    with cuda.timed_compilation(seconds):
        options = (f"-DKONIG_AMOUNT_BITS={8 * amounts.itemsize}", f"-DKONIG_FLOW_HELD={held}")
        kernel = cuda.module(cupy, SOLVER, bits, bits, False, options).get_function(SOLVER)
    n, slots = network.vertices, len(network.slots)
    blocks = min(max(1, -(-n // BLOCK_THREADS)), cuda.resident_blocks(cupy, kernel))
    blocks = min(blocks, int(settings["blocks"]) or blocks)
    began = perf_counter()
    source_side = cupy.zeros(n, np.uint8)
    state = DeviceState(cupy, STATE)
    arguments = (
        np.int64(n),
        np.int64(slots),
        network.start,
        network.slots,
        network.to_sink,
        network.to_source,
        network.excess,
        np.uint64(0) if known is None else known.labels,
        cupy.empty(slots, ids),  # other
        cupy.empty(slots, ids),  # mate
        cupy.empty(slots, amounts),  # out
        cupy.empty(2 * n, ids),  # labels
        cupy.empty(n, ids),  # notices
        cupy.empty(n, ids),  # seen
        source_side,
        np.int64(min(settings["stretch"], cuda.BUDGET_NS / 1000) * cuda.clock_ticks(cupy)),
        np.int64(0 if known is None else known.levels),
        np.int64(min(int(settings["waves"]), MOST_WAVES)),
        state.array,
        cuda.control(cupy, blocks),
        np.int64(cuda.BUDGET_NS),
    )
    told = synchronous_flow.shown(report, most)

    def show(words: Mapping[str, int]) -> None:
        if told is not None:
            told(words["delivered"], 0)

    words = state.run(lambda: kernel((blocks,), (BLOCK_THREADS,), arguments), show)
    seconds["solve"] = perf_counter() - began + (known.seconds if known else 0.0)
    counts = {name: words[word] for name, word in _COUNTS.items()}
    if known is not None:
        counts["supersteps"] += known.supersteps
        counts["launches"] += known.launches
    stats: dict[str, Any] = {"handed_over": int(words["status"] != MAXIMUM)}
    if stats["handed_over"]:
        before, brought = seconds["solve"], (most[0] + words["delivered"], most[1])
        source_side, more, _ = synchronous_flow.solve_on_gpu(cupy, network, others, brought, report, seconds)
        seconds["solve"] += before
        counts = {name: count + more.get(name, 0) for name, count in counts.items()}
        stats |= more
    stats |= counts
    return source_side, stats | {"workers": blocks * BLOCK_THREADS, "headers": cuda.headers_digest()}
