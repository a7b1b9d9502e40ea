"""Runs native flow solvers on the CPU."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any

import numpy as np

from konig import _native
from konig.flow_network import FlowNetwork
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
    """The value in units (None if it is above 2**62), the flow of each sorted arc, the cut, and the stats."""
    flow = np.empty(network.num_arcs, np.int64)
    sink_side = np.empty(network.num_vertices, np.uint8)
    began = perf_counter()
    stats = dict(
        _native.maximum_flow(
            method.solver,
            network.start,
            network.head,
            network.capacity,
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
    seconds = {part: stats.pop(f"{part}_seconds", 0.0) for part in _PARTS}
    seconds["main"] = perf_counter() - began
    stats["seconds"] = seconds
    return value, flow, sink_side == 0, stats
