"""Runs synchronous push-relabel on a team of CPU threads and on an NVIDIA GPU."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any

import numpy as np

from konig import _native
from konig.backends import cuda, flow_waves, pairing, staging
from konig.backends.cpu import available_cores
from konig.backends.device_programs import BLOCK_THREADS, MAXIMUM
from konig.backends.flow_waves import PIECE, SERIES_WIDTH
from konig.backends.launches import DeviceState
from konig.flow_network import FlowNetwork
from konig.paired_arcs import Pairs, paired_arcs
from konig.progress import Report
from konig.registry import Method
from konig.two_terminals import two_terminals

SOLVER = "synchronous_flow"
TOO_DEEP, DEEP = 3, 4  # of enum Status
NARROW = 96  # vertices for each level of a search: with fewer, a GPU waits more than it works
SHALLOW = 1000  # levels that do not matter
THICK = 4096  # vertices for each level: with more, levels do not take most of the time
_OF_EACH = ("relabel_levels", "relabel_interval", "relabel_active")

# struct State of konig/flow/synchronous/state.h, word by word, without the series at its end.
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
    "both_steps": "both",
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


class NarrowNetworkError(Exception):
    """A network is so long and narrow that a CPU is faster than a GPU."""


def run_on_team(
    network: FlowNetwork,
    start: np.ndarray | None,
    settings: Mapping[str, Any],
    report: Report | None,
    *,
    threads: int | None,
    seed: int | None,
) -> tuple[int | None, np.ndarray, np.ndarray, dict[str, Any]]:
    """The value in units (None if it is above 2**62), the flow of each sorted arc, the cut, and the stats."""
    began = perf_counter()
    arcs = network.tail, network.head, network.capacity
    workers: dict[str, Any] = {"threads": threads or available_cores(), "team": settings["team"]}
    workers["seed"] = (seed or 0) & 0x7FFF_FFFF_FFFF_FFFF
    quick = pairing.on_team(*arcs, network.role, network.undirected, **workers) if start is None else None
    layout: Any = quick
    started: dict[str, int] = {}
    if layout is None:
        layout, started = _with_array_operations(np, arcs, network.role, network.undirected, start)
    laps = [perf_counter()]
    most = layout.straight, layout.bound - 1
    source_side, stats = solve_on_team(layout.pairs, settings, most, report, threads, seed)
    laps.append(perf_counter())
    answer = layout.answer(source_side)
    laps.append(perf_counter())
    seconds = dict(zip(("build", "solve", "extract"), np.diff([began, *laps]).tolist(), strict=True))
    return *answer, started | stats | {"seconds": seconds | {"main": laps[-1] - began}}


def _with_array_operations(
    xp: Any, arcs: tuple[Any, Any, Any], role: Any, undirected: bool, start: Any
) -> tuple[Any, dict[str, int]]:
    """The layout of any network, with a flow to start from if there is one, and statistics of the start."""
    problem = two_terminals(xp, *arcs, role, undirected)
    if start is None:
        return paired_arcs(problem), {}
    layout = paired_arcs(problem, problem.given_flow(start))
    return layout, {"start_value": layout.value()}


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
    names = "k", "least", "rises", "deep", "thin", "spacing", "team"
    knobs = {name: settings[name] for name in names} | workers
    shown = None if report is None else _shown(report, most)
    arrays = pairs.start, pairs.slots.reshape(-1), pairs.to_sink, pairs.to_source, pairs.excess
    stats = dict(_native.synchronous_flow(*arrays, source_side, knobs, shown))  # type: ignore[call-overload]
    return source_side, stats


def _shown(report: Report, most: tuple[int, int]) -> Report:
    def show(brought: int, _: int) -> None:
        report(most[0] + brought, max(most[1], most[0] + brought))

    return show


def run_on_gpu(
    cupy: Any,
    method: Method,
    arcs: tuple[Any, Any, Any],
    role: Any,
    undirected: bool,
    start: Any,
    settings: Mapping[str, Any],
    report: Report | None,
    unless_narrow: bool = False,
) -> tuple[int | None, Any, Any, dict[str, Any]]:
    """The same on the current device, where arcs, role and start are CuPy's and so are flow and source side.

    With ``unless_narrow`` a network on which a CPU is faster raises NarrowNetworkError, once that is known.
    """
    if settings["team"] != "threads":
        raise ValueError(f"team={settings['team']!r} is for device='cpu': on a GPU the team is the grid")
    sizes = len(role), len(arcs[0]) * (1 + undirected)
    staging.require_free(cupy, bytes_needed(*sizes), f"a network of {sizes[0]:,} vertices, {sizes[1]:,} arcs")
    began = perf_counter()
    seconds: dict[str, float] = {"compile": 0.0}
    layout: Any = None
    started: dict[str, int] = {}
    if start is None:
        layout = pairing.on_gpu(cupy, *arcs, role, undirected, seconds)
    if layout is None:
        layout, started = _with_array_operations(cupy, arcs, role, undirected, start)
    cupy.cuda.get_current_stream().synchronize()
    seconds["build"] = perf_counter() - began - seconds["compile"]
    most = layout.straight, layout.bound - 1
    deepest = max(SHALLOW, len(role) // NARROW) if unless_narrow else 0
    source_side, stats = solve_on_gpu(cupy, layout.pairs, settings, most, report, seconds, deepest)
    solved = perf_counter()
    answer = layout.answer(source_side)
    cupy.cuda.get_current_stream().synchronize()
    seconds["extract"] = perf_counter() - solved
    seconds["main"] = perf_counter() - began - seconds["compile"]
    return *answer, started | stats | {"seconds": seconds}


def solve_on_gpu(
    cupy: Any,
    pairs: Pairs,
    settings: Mapping[str, Any],
    most: tuple[int, int],
    report: Report | None,
    seconds: dict[str, float],
    deepest: int = 0,
) -> tuple[Any, dict[str, Any]]:
    """The same on the current device: launches until the flow there is maximum.

    Raises NarrowNetworkError if the first search has more than ``deepest`` levels; 0 is no bound.
    """
    ids, amounts = pairs.start.dtype, pairs.excess.dtype
    profile = bool(settings["profile"])
    bits = 8 * ids.itemsize
    with cuda.timed_compilation(seconds):
        options = (f"-DKONIG_AMOUNT_BITS={8 * amounts.itemsize}",)
        unit = cuda.module(cupy, "synchronous_flow", bits, bits, profile, options)
        kernel = unit.get_function("synchronous_flow")
    n = pairs.vertices
    blocks = flow_waves.blocks_for(cupy, kernel, n, settings)
    began = perf_counter()
    source_side = cupy.zeros(n, np.uint8)
    room = n + len(pairs.slots) // PIECE + 1  # room_for_pieces
    piece_bytes = 12 if ids.itemsize == 4 else 24
    state = DeviceState(cupy, STATE, SERIES_WIDTH)
    labels = cupy.full(8 * n, -1, ids)
    arguments = (
        np.int64(n),
        np.int64(pairs.longest),
        pairs.start,
        pairs.slots,
        pairs.to_sink,
        pairs.to_source,
        pairs.excess,
        labels,
        cupy.empty(12 * n, ids),  # queues
        cupy.empty(2 * room * piece_bytes, np.uint8),  # fronts
        np.int64(room),
        source_side,
        np.float64(settings["k"]),
        np.int64(settings["least"]),
        np.int64(settings["rises"]),
        np.int64(deepest),
        np.int64(settings["deep"]),
        np.int64(settings["thin"]),
        np.int64(THICK),
        state.array,
        cuda.control(cupy, blocks),
        np.int64(cuda.BUDGET_NS),
    )

    def show_brought(brought: int) -> None:
        if report is not None:
            _shown(report, most)(brought, 0)

    def show(words: Mapping[str, int]) -> None:
        show_brought(words["delivered" if words["phase"] == 0 else "brought"])

    words = state.run(lambda: kernel((blocks,), (BLOCK_THREADS,), arguments), show)
    if words["status"] == TOO_DEEP:
        raise NarrowNetworkError
    series = state.series
    if words["status"] == DEEP:
        compiled = seconds["compile"]
        known = labels, source_side, words["level"]
        more, more_series = flow_waves.solve_on_gpu(cupy, pairs, settings, known, show_brought, seconds)
        words, series = _together(words, more), series + more_series
        began += seconds["compile"] - compiled
    if words["status"] != MAXIMUM:
        raise RuntimeError("push-relabel: excess did not find its way back to the source")
    seconds["solve"] = perf_counter() - began
    stats: dict[str, Any] = {name: words.get(word, 0) for name, word in _COUNTS.items()}
    stats |= {name: series[k::SERIES_WIDTH] for k, name in enumerate(_OF_EACH)}
    stats |= {"workers": blocks * BLOCK_THREADS, "headers": cuda.headers_digest()}
    if profile:
        stats["profile"] = {part: words[f"{part}_ns"] * 1e-9 for part in ("sweep", "level", "push")}
    return source_side, stats


def _together(first: Mapping[str, int], then: Mapping[str, int]) -> dict[str, int]:
    """The counts of both programs, and the status of the second."""
    both = {name: first.get(name, 0) + then.get(name, 0) for name in {*first, *then}}
    return both | {"status": then["status"]}


def bytes_needed(vertices: int, arcs: int) -> int:
    """A bound on what a solve takes on the device: the layout while it is sorted, the workspace, the flow."""
    return 200 * arcs + 250 * vertices
