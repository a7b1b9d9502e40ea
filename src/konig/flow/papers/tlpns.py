"""Runs the push-relabel methods of Hsieh, Lin and Kuo on a team of CPU threads or on an NVIDIA GPU.

Layout, solve and flow are made where the arcs are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from konig.flow import programs
from konig.flow.capacities import Solved
from konig.flow.papers.profile import with_profile
from konig.flow.papers.residual import Residual, residual
from konig.flow.papers.two_terminals import TwoTerminals, preflow, two_terminals
from konig.flow.programs import shown
from konig.machine import Machine
from konig.progress import Report
from konig.registry import Method

SOLVER = "flow_on_team"
CSR_LIMIT = 20_000


def run_flow(
    machine: Machine,
    method: Method,
    arcs: tuple[Any, Any, Any],
    role: Any,
    undirected: bool,
    start: Any,
    settings: Mapping[str, Any],
    report: Report | None,
) -> Solved:
    """The answer of a method of the paper.

    ``arcs`` is (tail, head, capacity), ``start`` a flow of each arc or None.
    """
    require_few_arcs(method, len(arcs[0]))
    laps = [machine.lap()]
    problem = two_terminals(machine.xp, *arcs, role, undirected)
    places = layout_of(method, problem)
    laps.append(machine.lap())
    excess, started = start_from(problem, places, start)
    laps.append(machine.lap())
    value, source_side, stats = solve(machine, method, problem, places, settings, report, excess)
    laps.append(machine.lap())
    answer = problem.answer(value, places.flow(), source_side)
    laps.append(machine.lap())
    seconds = machine.timed(laps, "build", "start", "solve", "extract")
    return Solved(*answer, started | stats | {"seconds": seconds})


def start_from(problem: TwoTerminals, places: Residual, start: Any) -> tuple[Any, dict[str, int]]:
    """Put an earlier flow on the layout, as far as it is one; what each vertex holds, and statistics."""
    if start is None:
        return problem.xp.zeros(problem.vertices, np.int64), {}
    flow, excess = preflow(problem, problem.given_flow(start))
    places.send(flow)
    return excess, {"start_value": int(excess[problem.sink])}


def solve(
    machine: Machine,
    method: Method,
    problem: TwoTerminals,
    places: Residual,
    settings: Mapping[str, Any],
    report: Report | None,
    excess: Any,
) -> tuple[int, Any, dict[str, Any]]:
    """Push a maximum flow through the layout; return its value, the source side, and what was counted.

    ``excess`` is what each vertex holds with the flow that is on the layout already; it is written to.
    """
    task = programs.tlpns(machine, method, problem, places, settings, excess)
    outcome = machine.run(task, shown(report, (0, problem.bound - 1))).require_no("stalled")
    stats = outcome.counted | machine.facts
    if settings["profile"]:
        warps = outcome.workers // machine.warp
        stats = with_profile(stats, outcome.words, task.given["workload"][:warps].tolist())
    return int(excess[problem.sink]), task.given["cut"], stats


def layout_of(method: Method, problem: TwoTerminals) -> Residual:
    """The residual network of the problem as the method wants it."""
    return residual(
        problem.xp,
        str(method.variant["layout"]),
        problem.vertices,
        problem.tail,
        problem.head,
        problem.capacity,
        problem.bound,
    )


def require_few_arcs(method: Method, arcs: int) -> None:
    """An error where every step of the method would look at very many arcs."""
    if method.variant["layout"] == "csr" and arcs > CSR_LIMIT:
        fitting = method.name.replace("-csr", "-rcsr")
        raise ValueError(
            f"method={method.name!r} looks at all arcs for each active vertex and takes at most {CSR_LIMIT} "
            f"arcs, but there are {arcs}; {fitting!r} has lists of entering arcs"
        )


def bytes_needed(vertices: int, arcs: int) -> int:
    """A bound on what a solve takes on a GPU: the layout while it is sorted, the workspace, the flow."""
    return 200 * arcs + 100 * vertices
