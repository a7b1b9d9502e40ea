"""Runs native flow solvers on the CPU."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any

import numpy as np

from konig import _native
from konig.flow.grid_network import GridNetwork
from konig.flow.inputs import FlowNetwork
from konig.progress import Report
from konig.registry import Method

_PARTS = ("build", "start", "solve", "extract")


def run_flow(
    method: Method,
    network: FlowNetwork,
    initial: np.ndarray | None,
    settings: Mapping[str, Any],
    report: Report | None,
) -> tuple[int | None, np.ndarray, np.ndarray, dict[str, Any]]:
    """The value in units (None above 2**62), the flow of each arc of the input, the cut, and the stats.

    ``initial`` is in the order of the input too.
    """
    arcs = network.as_given()
    flow = np.empty(network.num_arcs, np.int64)
    sink_side = np.empty(network.num_vertices, np.uint8)
    began = perf_counter()
    stats = dict(
        _native.maximum_flow(
            method.solver,
            arcs.start,
            arcs.tail,
            arcs.head,
            arcs.capacity,
            network.role,
            network.undirected,
            initial,
            flow,
            sink_side,
            {**method.variant, **settings},
            report,
        )
    )
    value = stats.pop("value")
    return value, flow, sink_side == 0, _with_seconds(stats, began)


def run_grid(
    grid: GridNetwork, initial: tuple[np.ndarray, ...] | None, report: Report | None
) -> tuple[int | None, tuple[np.ndarray, np.ndarray, np.ndarray], np.ndarray, dict[str, Any]]:
    """The value in units (None above 2**62), the flows (source, sink, neighbours), the cut, and the stats.

    ``initial`` holds such flows to start from.
    """
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
    return value, flows, source_side.reshape(grid.shape) == 1, _with_seconds(stats, began)


def _with_seconds(stats: dict[str, Any], began: float) -> dict[str, Any]:
    seconds = {part: stats.pop(f"{part}_seconds", 0.0) for part in _PARTS}
    seconds["main"] = perf_counter() - began
    return {**stats, "seconds": seconds}
