"""Runs the push-relabel methods over pairs of arcs: makes the pairs, solves, and reads the flow off them."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any

import numpy as np

from konig import registry
from konig.flow import async_pr as asynchronous_flow
from konig.flow import pairing
from konig.flow import sync_pr as synchronous_flow
from konig.flow.inputs import FlowNetwork
from konig.flow.paired_arcs import paired_arcs
from konig.flow.two_terminals import two_terminals
from konig.gpu import staging
from konig.progress import Report
from konig.registry import Method

_MODULES: Mapping[str, Any] = {module.SOLVER: module for module in (synchronous_flow, asynchronous_flow)}
SOLVERS = tuple(_MODULES)


def run_on_team(
    method: Method,
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
    workers = synchronous_flow.team(settings, threads, seed)
    quick = pairing.on_team(*arcs, network.role, network.undirected, **workers) if start is None else None
    layout: Any = quick
    started: dict[str, int] = {}
    if layout is None:
        layout, started = _with_array_operations(np, arcs, network.role, network.undirected, start)
    laps = [perf_counter()]
    most = layout.straight, layout.bound - 1
    source_side, stats = _MODULES[method.solver].solve_on_team(layout.pairs, settings, most, report, workers)
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


def run_on_gpu(
    cupy: Any,
    method: Method,
    arcs: tuple[Any, Any, Any],
    role: Any,
    undirected: bool,
    start: Any,
    settings: Mapping[str, Any],
    report: Report | None,
    choosing: bool = False,
) -> tuple[int | None, Any, Any, dict[str, Any]]:
    """The same on the current device, where arcs, role and start are CuPy's and so are flow and source side.

    When ``choosing``, a deep network goes from synchronous to asynchronous push-relabel, and the statistics
    say so.
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
    how = {"choosing": True} if choosing else {}
    problem = settings, most, report, seconds
    deep = None
    try:
        source_side, stats = _MODULES[method.solver].solve_on_gpu(cupy, layout.pairs, *problem, **how)
    except synchronous_flow.DeepNetworkError as found:
        deep = found.searched  # and not the frame that it comes from, with its arrays
    if deep is not None:
        other = registry.find("async-pr", "flow")
        problem = other.settings({}), most, report, seconds
        source_side, stats = asynchronous_flow.solve_on_gpu(cupy, layout.pairs, *problem, deep)
        stats["method"] = other.name
    solved = perf_counter()
    answer = layout.answer(source_side)
    cupy.cuda.get_current_stream().synchronize()
    seconds["extract"] = perf_counter() - solved
    seconds["main"] = perf_counter() - began - seconds["compile"]
    return *answer, started | stats | {"seconds": seconds}


def bytes_needed(vertices: int, arcs: int) -> int:
    """A bound on what a solve takes on the device: the layout while it is sorted, the workspace, the flow."""
    return 240 * arcs + 250 * vertices
