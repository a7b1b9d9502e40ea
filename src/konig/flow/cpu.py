"""Runs flow methods on the CPU: sequential ones, and push-relabel on a team of threads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from konig import _native
from konig.flow import async_pr, sync_pr
from konig.flow.auto import Profile, Trees, choose
from konig.flow.capacities import Solved
from konig.flow.inputs import FlowNetwork, SortedLists
from konig.flow.programs import on_threads
from konig.flow.residual import Built, build
from konig.flow.result import what_ran
from konig.flow.sync_pr import Ran, added
from konig.progress import Report
from konig.registry import Method, find

if TYPE_CHECKING:
    from konig.flow.grid import GridNetwork

_PARTS = ("build", "start", "solve", "extract")
ON_TEAM: Mapping[str, Any] = {"flow/sync_pr": sync_pr.solve, "flow/async_pr": async_pr.solve}


def run_flow(
    method: Method,
    network: FlowNetwork,
    initial: np.ndarray | None,
    settings: Mapping[str, Any],
    report: Report | None,
    trees: Trees | None = None,
) -> Solved:
    """A sequential method, after search trees where those are to be tried."""
    given = network.ends.given
    start = given.start if isinstance(given, SortedLists) else None
    tail = None if isinstance(given, SortedLists) else given[0]
    flow = np.empty(network.num_arcs, np.int64)
    sink_side = np.empty(network.num_vertices, np.uint8)
    began = perf_counter()
    stats = dict(
        _native.maximum_flow(
            native_plan(method, settings, trees),
            start,
            tail,
            network.head,
            network.capacity,
            network.role,
            network.undirected,
            initial,
            flow,
            sink_side,
            report,
        )
    )
    if trees is not None:
        stats["method"] = what_ran(stats, method.name)
    value = stats.pop("value")
    return Solved(value, flow, sink_side == 0, _with_seconds(stats, began))


def native_plan(method: Method, settings: Mapping[str, Any], trees: Trees | None) -> _native.FlowPlan:
    """A sequential method and its rule as native code takes them."""
    return _native.FlowPlan(method.solver, {**method.variant, **settings}, trees)


@cache
def default_plan() -> _native.FlowPlan:
    """What ``auto`` runs here on arcs."""
    plan = choose(Profile("cpu"))
    method = find(plan.method, "flow")
    return native_plan(method, method.settings({}), plan.trees)


def run_on_team(
    method: Method,
    network: FlowNetwork,
    initial: np.ndarray | None,
    settings: Mapping[str, Any],
    report: Report | None,
    threads: int | None,
    seed: int | None,
) -> Solved:
    """Synchronous or asynchronous push-relabel on a team of threads."""
    began = perf_counter()
    machine = on_threads(settings, threads, seed)
    built = build(machine, network.arcs, network.role, network.undirected, initial)
    started = {} if initial is None else {"start_value": built.value()}
    laps = [perf_counter()]

    def solve() -> Ran:
        most = built.straight, built.bound - 1
        return ON_TEAM[method.solver](machine, built.residual, settings, most, report)

    source_side, stats = until_fed(built, solve)
    laps.append(perf_counter())
    answer = built.answer(source_side)
    laps.append(perf_counter())
    seconds = dict(zip(("build", "solve", "extract"), np.diff([began, *laps]).tolist(), strict=True))
    return Solved(*answer, started | stats | {"seconds": seconds | {"main": laps[-1] - began}})


def until_fed(built: Built, solve: Callable[[], Ran]) -> tuple[Any, dict[str, Any]]:
    """Solve until the sources have no more to give: once, unless they might give more than 2**62."""
    source_side, stats, _ = solve()
    while built.feed(source_side):
        source_side, more, _ = solve()
        stats = added(stats, more)
    return source_side, stats


def run_grid(grid: GridNetwork, initial: tuple[np.ndarray, ...] | None, report: Report | None) -> Solved:
    """Search trees on a grid; the flows are (source, sink, neighbours), and so is ``initial``."""
    n = grid.num_pixels
    depth, height, width = (1, *grid.shape)[-3:]
    source_flow, sink_flow = np.empty(n, np.int64), np.empty(n, np.int64)
    flow = np.zeros(grid.connectivity * n, np.int64)
    source_side = np.empty(n, np.uint8)
    start: Any = None
    if initial is not None:
        start = tuple(np.ascontiguousarray(part.reshape(-1)) for part in initial)
    began = perf_counter()
    stats = dict(
        _native.grid_flow(
            [depth, height, width],
            grid.connectivity,
            grid.symmetric,
            grid.source.units,
            grid.sink.units,
            grid.neighbour.units,
            start,
            source_flow,
            sink_flow,
            flow,
            source_side,
            report,
        )
    )
    value = stats.pop("value")
    flows = source_flow.reshape(grid.shape), sink_flow.reshape(grid.shape), flow.reshape(-1, *grid.shape)
    return Solved(value, flows, source_side.reshape(grid.shape) == 1, _with_seconds(stats, began))


def _with_seconds(stats: dict[str, Any], began: float) -> dict[str, Any]:
    seconds = {part: stats.pop(f"{part}_seconds", 0.0) for part in _PARTS}
    seconds["main"] = perf_counter() - began
    return {**stats, "seconds": seconds}
