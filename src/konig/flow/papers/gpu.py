"""Runs push-relabel for flows on an NVIDIA GPU: layout, solve and flow are made there."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any

import numpy as np

from konig.flow.papers.cpu import layout_of, require_few_arcs, start_from, tile_of
from konig.flow.papers.profile import CLOCKS, with_profile
from konig.flow.papers.residual import Residual
from konig.flow.papers.two_terminals import TwoTerminals, two_terminals
from konig.gpu import cuda, staging
from konig.gpu.launches import DeviceState
from konig.gpu.programs import BLOCK_THREADS, MAXIMUM
from konig.progress import Report
from konig.registry import Method

PIECE = 256  # KONIG_FLOW_PIECE of konig/papers/tlpns/state.h
TILE_SIZES = 3  # kTileSizes
BLOCKS = 512  # with 256 threads each what the paper has as 1024 blocks of 128
INTERVALS = ("adaptive", "vertices", "fix")  # enum Interval
SERIES_WIDTH = 3

# struct State of konig/papers/tlpns/state.h, word by word, without the series at its end.
STATE = (
    *("status", "step", "phase", "rounds", "level", "pieces", "long_pieces"),
    *(f"queued_{size}" for size in range(TILE_SIZES)),
    *("turn", "fresh", "careful", "gain", "gain_cycle", "deepest", "next_relabel", "interval", "unrecorded"),
    *("cycles", "idle_cycles", "active"),
    *(f"tiled_{size}" for size in range(TILE_SIZES)),
    *("supersteps", "relabels", "careful_cycles", "stranded", "second_relabels", "second_cycles"),
    *("critical_scans", "critical_moves", "series_used"),
    *(f"tally_{k}" for k in range(6)),
    *(f"queue_used_{k}" for k in range(2 * TILE_SIZES)),
    *(f"busiest_{k}" for k in range(3)),
    *("launches", "scanned", "search_scanned", "probes", "pushes", "height_changes"),
    *("mhns_ticks", "mhns_lead_ticks", "bes_ticks", "worker_ticks", "cycle_ticks"),
    *("leader_ticks", "leader_ns", "barrier_ticks"),
)

# What the user sees, and the words that it is in.
_COUNTS = {
    "cycles": "cycles",
    "idle_cycles": "idle_cycles",
    "careful_cycles": "careful_cycles",
    "active": "active",
    "global_relabels": "relabels",
    "stranded": "stranded",
    "second_relabels": "second_relabels",
    "second_cycles": "second_cycles",
    "pushes": "pushes",
    "relabels": "height_changes",
    "places_scanned": "scanned",
    "search_scanned": "search_scanned",
    "back_edge_probes": "probes",
    "supersteps": "supersteps",
    "launches": "launches",
}


def kernel_name(method: Method) -> tuple[str, str]:
    """The translation unit of a method and its entry point there."""
    layout = method.variant["layout"]
    return f"flow_{layout}", f"{'tlpns' if method.variant['tiles'] else 'lock_free'}_{layout}"


def run_flow(
    cupy: Any,
    method: Method,
    arcs: tuple[Any, Any, Any],
    role: Any,
    undirected: bool,
    start: Any,
    settings: Mapping[str, Any],
    report: Report | None,
) -> tuple[int | None, Any, Any, dict[str, Any]]:
    """Value (None if it is above 2**62), flow of each arc, source side and statistics.

    ``arcs`` is (tail, head, capacity), ``start`` a flow of each arc or None; they and ``role`` are CuPy's on
    the current device, and so are the flow and the source side.
    """
    if settings["team"] != "threads":
        raise ValueError(f"team={settings['team']!r} is for device='cpu': on a GPU the team is the grid")
    require_few_arcs(method, len(arcs[0]))
    sizes = len(role), len(arcs[0]) * (1 + undirected)
    staging.require_free(cupy, bytes_needed(*sizes), f"a network of {sizes[0]:,} vertices, {sizes[1]:,} arcs")
    seconds: dict[str, float] = {}
    began = perf_counter()
    problem = two_terminals(cupy, *arcs, role, undirected)
    places = layout_of(method, problem)
    cupy.cuda.get_current_stream().synchronize()
    seconds["build"] = perf_counter() - began
    excess, started = start_from(problem, places, start)
    seconds["start"] = perf_counter() - began - seconds["build"]
    value, source_side, stats = solve(cupy, method, problem, places, settings, report, seconds, excess)
    solved = perf_counter()
    answer = problem.answer(value, places.flow(), source_side)
    cupy.cuda.get_current_stream().synchronize()
    seconds["extract"] = perf_counter() - solved
    seconds["main"] = perf_counter() - began - seconds["compile"]
    return *answer, started | stats | {"seconds": seconds}


def solve(
    cupy: Any,
    method: Method,
    problem: TwoTerminals,
    places: Residual,
    settings: Mapping[str, Any],
    report: Report | None,
    seconds: dict[str, float],
    excess: Any,
) -> tuple[int, Any, dict[str, Any]]:
    """Launch until the flow on the device is maximum; return its value, the source side and the counts.

    ``excess`` is what each vertex holds with the flow that is on the layout already; it is written to.
    """
    profile, tiles = bool(settings["profile"]), bool(method.variant["tiles"])
    ids = places.arrays[0].dtype
    began = perf_counter()
    unit, name = kernel_name(method)
    bits = 8 * ids.itemsize
    kernel = cuda.module(cupy, unit, bits, bits, profile).get_function(name)
    wanted = max(1, -(-8 * problem.vertices // BLOCK_THREADS))
    blocks = min(wanted, BLOCKS, cuda.resident_blocks(cupy, kernel))
    seconds["compile"] = perf_counter() - began
    began = perf_counter()
    n, nothing = problem.vertices, cupy.empty(0, np.int64)
    source_side = cupy.zeros(n, np.uint8)
    pieces = n + places.places // PIECE + 1
    piece_bytes = 4 + 2 * ids.itemsize + (4 if ids.itemsize == 8 else 0)
    warps = blocks * BLOCK_THREADS // 32 if profile else 0
    workload = cupy.zeros(warps, np.int64)
    state = DeviceState(cupy, STATE, SERIES_WIDTH)
    arguments = (
        *(np.int64(number) for number in (n, problem.source, problem.sink, len(places.arrays[1]))),
        *(nothing if array is None else array for array in places.arrays),
        cupy.empty(n, ids),  # height
        excess,
        source_side,
        cupy.zeros(n, ids),  # scan_at
        cupy.empty(n, ids),  # scan_best
        cupy.empty(TILE_SIZES * n if tiles else 0, ids),  # queue
        cupy.empty(2 * pieces * piece_bytes, np.uint8),  # front
        np.int64(pieces),
        workload,
        np.int64(INTERVALS.index(str(settings["relabel"]))),
        np.float64(settings["k"]),
        np.int64(tile_of(settings)),
        state.array,
        cuda.control(cupy, blocks),
        np.int64(cuda.BUDGET_NS),
    )

    def show(_: Mapping[str, int]) -> None:
        if report is not None:
            brought = int(excess[problem.sink])
            report(brought, max(problem.bound - 1, brought))

    words = state.run(lambda: kernel((blocks,), (BLOCK_THREADS,), arguments), show)
    if words["status"] != MAXIMUM:
        raise RuntimeError("push-relabel: excess did not find its way back to the source")
    seconds["solve"] = perf_counter() - began
    stats: dict[str, Any] = {name: words[word] for name, word in _COUNTS.items()}
    of_each = ("relabel_levels", "relabel_interval", "relabel_active")
    stats |= {name: state.series[k::SERIES_WIDTH] for k, name in enumerate(of_each)}
    if tiles:
        stats["tiles"] = [words[f"tiled_{size}"] for size in range(TILE_SIZES)]
    stats |= {"workers": blocks * BLOCK_THREADS, "headers": cuda.headers_digest()}
    if profile:
        stats |= {name: words[name] for name in CLOCKS if name in words}
        stats["workload_ticks"] = workload.get().tolist()
    return int(excess[problem.sink]), source_side, with_profile(stats)


def bytes_needed(vertices: int, arcs: int) -> int:
    """A bound on what a solve takes on the device: the layout while it is sorted, the workspace, the flow."""
    return 200 * arcs + 100 * vertices
