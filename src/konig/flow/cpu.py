"""Runs the sequential flow methods."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from konig import _native
from konig.flow.auto import How, Trees, choose
from konig.flow.capacities import Solved
from konig.flow.inputs import FlowNetwork
from konig.flow.result import what_ran
from konig.registry import Method, find

if TYPE_CHECKING:
    from konig.flow.grid import GridNetwork

_PARTS = ("build", "start", "solve", "extract")


def run_flow(how: How, network: FlowNetwork, initial: np.ndarray | None) -> Solved:
    """A sequential method, after search trees where those are to be tried."""
    flow = np.empty(network.num_arcs, np.int64)
    source_side = np.empty(network.num_vertices, np.uint8)
    began = perf_counter()
    plan = native_plan(how.method, how.settings, how.plan.trees)
    arcs = network.start, network.given_tail, network.head, network.capacity, network.role
    answer = flow, source_side
    stats = dict(_native.maximum_flow(plan, *arcs, network.undirected, initial, *answer, how.report))
    if how.plan.trees is not None:
        stats["method"] = what_ran(stats, how.method.name)
    value = stats.pop("value")
    return Solved(value, flow, source_side == 1, _with_seconds(stats, began))


def native_plan(method: Method, settings: Mapping[str, Any], trees: Trees | None) -> _native.FlowPlan:
    """A sequential method and its rule as native code takes them."""
    return _native.FlowPlan(method.solver, {**method.variant, **settings}, trees)


@cache
def default_plan() -> _native.FlowPlan:
    """What ``auto`` runs here on arcs."""
    plan = choose("cpu")
    method = find(plan.method, "flow")
    return native_plan(method, method.settings({}), plan.trees)


def run_grid(how: How, grid: GridNetwork, initial: tuple[np.ndarray, ...] | None) -> Solved:
    """Search trees on a grid, alone or first; flows are (source, sink, neighbours), and so is ``initial``."""
    n = grid.num_pixels
    depth, height, width = (1, *grid.shape)[-3:]
    links = np.empty(n, np.int64), np.empty(n, np.int64)
    flow = np.zeros(grid.connectivity * n, np.int64)
    source_side = np.empty(n, np.uint8)
    start: Any = None
    if initial is not None:
        start = tuple(np.ascontiguousarray(part.reshape(-1)) for part in initial)
    began = perf_counter()
    plan = native_plan(how.method, how.settings, how.plan.trees)
    lattice = [depth, height, width], grid.connectivity, grid.symmetric
    capacities = grid.source.units, grid.sink.units, grid.neighbour.units
    stats = dict(_native.grid_flow(plan, *lattice, *capacities, start, *links, flow, source_side, how.report))
    if how.plan.trees is not None:
        stats["method"] = what_ran(stats, how.method.name)
    value = stats.pop("value")
    source_flow, sink_flow = (part.reshape(grid.shape) for part in links)
    flows = source_flow, sink_flow, flow.reshape(grid.connectivity, *grid.shape)
    return Solved(value, flows, source_side.reshape(grid.shape) == 1, _with_seconds(stats, began))


def _with_seconds(stats: dict[str, Any], began: float) -> dict[str, Any]:
    seconds = {part: stats.pop(f"{part}_seconds", 0.0) for part in _PARTS}
    seconds["main"] = perf_counter() - began
    return {**stats, "seconds": seconds}
