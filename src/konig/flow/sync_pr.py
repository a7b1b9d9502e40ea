"""Runs synchronous push-relabel on a team of CPU threads and on an NVIDIA GPU."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from konig import _native
from konig.flow.auto import Deep
from konig.flow.residual import Residual
from konig.gpu import cuda
from konig.gpu.launches import DeviceState
from konig.gpu.programs import BLOCK_THREADS, MAXIMUM
from konig.progress import Report
from konig.threads import chosen_threads

SOLVER = "synchronous_flow"
DEEP = 3  # of enum Status
PIECE = 256  # KONIG_FLOW_PIECE of konig/flow/sync_pr/state.h
SERIES_WIDTH = 3
FEW_VERTICES = 400_000  # for which one block of threads on each processor is enough
_OF_EACH = ("relabel_levels", "relabel_interval", "relabel_active")

# struct State of konig/flow/sync_pr/state.h, word by word, without the series at its end.
STATE = (
    *("status", "step", "phase", "rounds", "time", "turn", "level", "pieces", "long_pieces"),
    *("queued", "long_queued", "next_relabel", "delivered", "brought", "pushes", "levels"),
    *("lone_pushes", "lone_levels", "meetings", "relabels", "active", "stranded"),
    *("second_relabels", "second_pushes", "second_levels", "series_used"),
    *(f"front_{k}" for k in range(6)),
    *(f"queue_{k}" for k in range(6)),
    *("lone_0", "lone_1", "launches", "scanned", "search_scanned", "moves", "rises"),
    *("sweep_ns", "level_ns", "push_ns"),
)

# What the user sees, and the words that it is in.
_COUNTS = {
    "push_steps": "pushes",
    "search_levels": "levels",
    "lone_steps": "lone_pushes",
    "lone_levels": "lone_levels",
    "active": "active",
    "global_relabels": "relabels",
    "stranded": "stranded",
    "second_relabels": "second_relabels",
    "second_steps": "second_pushes",
    "second_levels": "second_levels",
    "pushes": "moves",
    "relabels": "rises",
    "slots_scanned": "scanned",
    "search_scanned": "search_scanned",
    "supersteps": "meetings",
    "launches": "launches",
}


@dataclass(frozen=True)
class Searched:
    """What a first search has found that nothing was pushed after, and what it took."""

    labels: Any
    levels: int
    supersteps: int
    launches: int
    seconds: float


class Ran(NamedTuple):
    """The source side and what was counted, or what the first search of a deep network has found."""

    source_side: Any
    stats: dict[str, Any]
    deep: Searched | None = None


def solve_on_team(
    network: Residual,
    settings: Mapping[str, Any],
    most: tuple[int, int],
    report: Report | None,
    workers: Mapping[str, Any],
    native: Any = _native.synchronous_flow,
) -> tuple[np.ndarray, dict[str, Any]]:
    """Push a maximum flow through the network; the source side and what was counted.

    ``most`` is for reports: what has been brought already, and a bound on all that will be. Workers are those
    of :func:`team`.
    """
    source_side = np.zeros(network.vertices, np.uint8)
    arrays = network.start, network.slots.reshape(-1), network.to_sink, network.to_source, network.excess
    stats = dict(native(*arrays, source_side, {**settings, **workers}, shown(report, most)))
    return source_side, stats


def team(settings: Mapping[str, Any], threads: int | None = None, seed: int | None = None) -> dict[str, Any]:
    """Who works on a CPU, as native solvers take it."""
    kept = (seed or 0) & 0x7FFF_FFFF_FFFF_FFFF
    return {"threads": chosen_threads(threads), "seed": kept, "team": settings["team"]}


def shown(report: Report | None, most: tuple[int, int]) -> Report | None:
    """A report that is told what is on its way to the sink, with what was brought before."""
    if report is None:
        return None

    def show(brought: int, _: int) -> None:
        report(most[0] + brought, max(most[1], most[0] + brought))

    return show


def solve_on_gpu(
    cupy: Any,
    network: Residual,
    settings: Mapping[str, Any],
    most: tuple[int, int],
    report: Report | None,
    seconds: dict[str, float],
    deep: Deep | None = None,
) -> Ran:
    """The same on the current device: launches until the flow there is maximum.

    With a rule for deep networks, such a one ends before anything is pushed.
    """
    ids, amounts = network.start.dtype, network.excess.dtype
    profile = bool(settings["profile"])
    bits = 8 * ids.itemsize
    with cuda.timed_compilation(seconds):
        options = (f"-DKONIG_AMOUNT_BITS={8 * amounts.itemsize}",)
        unit = cuda.module(cupy, "synchronous_flow", bits, bits, profile, options)
        kernel = unit.get_function("synchronous_flow")
    n = network.vertices
    blocks = blocks_for(cupy, kernel, n, settings)
    began = perf_counter()
    source_side = cupy.zeros(n, np.uint8)
    room = n + len(network.slots) // PIECE + 1  # room_for_pieces
    piece_bytes = 12 if ids.itemsize == 4 else 24
    state = DeviceState(cupy, STATE, SERIES_WIDTH)
    labels = cupy.full(8 * n, -1, ids)
    arguments = (
        np.int64(n),
        network.start,
        network.slots,
        network.to_sink,
        network.to_source,
        network.excess,
        labels,
        cupy.empty(12 * n, ids),  # queues
        cupy.empty(2 * room * piece_bytes, np.uint8),  # fronts
        np.int64(room),
        source_side,
        np.float64(settings["k"]),
        np.int64(settings["least"]),
        np.int64(settings["rises"]),
        np.int64(deep.levels if deep and network.longest <= deep.broad else 0),
        np.int64(deep.thick if deep else 0),
        state.array,
        cuda.control(cupy, blocks),
        np.int64(cuda.BUDGET_NS),
    )

    told = shown(report, most)

    def show(words: Mapping[str, int]) -> None:
        if told is not None:
            told(words["delivered" if words["phase"] == 0 else "brought"], 0)

    words = state.run(lambda: kernel((blocks,), (BLOCK_THREADS,), arguments), show)
    if words["status"] == DEEP:
        counts = words["level"], words["meetings"], words["launches"]
        return Ran(None, {}, Searched(labels, *counts, perf_counter() - began))
    series = state.series
    if words["status"] != MAXIMUM:
        raise RuntimeError("push-relabel: excess did not find its way back to the source")
    seconds["solve"] = perf_counter() - began
    stats: dict[str, Any] = {name: words.get(word, 0) for name, word in _COUNTS.items()}
    stats |= {name: series[k::SERIES_WIDTH] for k, name in enumerate(_OF_EACH)}
    stats |= {"workers": blocks * BLOCK_THREADS, "headers": cuda.headers_digest()}
    if profile:
        stats["profile"] = {part: words[f"{part}_ns"] * 1e-9 for part in ("sweep", "level", "push")}
    return Ran(source_side, stats)


def blocks_for(cupy: Any, kernel: Any, vertices: int, settings: Mapping[str, Any]) -> int:
    """How many blocks of threads a network of so many vertices gets."""
    blocks = min(max(1, -(-8 * vertices // BLOCK_THREADS)), cuda.resident_blocks(cupy, kernel))
    if vertices < FEW_VERTICES:
        blocks = min(blocks, cuda.processors(cupy))
    return min(blocks, int(settings["blocks"]) or blocks)
