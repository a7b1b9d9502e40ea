"""Brings a network to a GPU, if it is not there, and runs a flow method on it."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

from konig.flow import push_relabel
from konig.flow.auto import How
from konig.flow.capacities import Solved
from konig.flow.inputs import FlowNetwork
from konig.flow.papers import tlpns
from konig.gpu import staging
from konig.machine import on_gpu


def run_flow(how: How, network: FlowNetwork, start: Any) -> Solved:
    """The answer of the plan's method on the current device; it is where the network is."""
    method, cupy = how.method, how.cupy
    on_arcs = method.solver in push_relabel.SOLVERS
    vertices, arcs = network.num_vertices, network.num_arcs
    if on_arcs:
        needed = bytes_needed(vertices, arcs)
    else:
        arcs *= 1 + network.undirected
        needed = tlpns.bytes_needed(vertices, arcs)
        if start is not None:
            needed += bytes_needed(vertices, arcs)
    staging.require_free(cupy, needed, f"a network of {vertices:,} vertices, {arcs:,} arcs")
    seconds: dict[str, float] = {}
    given = network.arcs
    if network.xp is np:
        began = perf_counter()
        given = tuple(staging.to_device(cupy, part) for part in given)
        start = None if start is None else staging.to_device(cupy, start)
        seconds["network_to_device"] = perf_counter() - began
    run = push_relabel.run_flow if on_arcs else tlpns.run_flow
    solved = run(on_gpu(cupy, how.settings), how, given, network.role, network.undirected, start)
    if network.xp is np:
        began = perf_counter()
        solved = solved._replace(flow=solved.flow.get(), cut=solved.cut.get())
        seconds["flow_to_host"] = perf_counter() - began
    solved.stats["seconds"] = seconds | solved.stats["seconds"]
    return solved


def bytes_needed(vertices: int, arcs: int) -> int:
    """A bound on what a solve takes on the device: the network while it is built, the workspace, the flow."""
    return 170 * arcs + 250 * vertices
