"""Runs the push-relabel methods of Hsieh, Lin and Kuo on a team of CPU threads or on an NVIDIA GPU.

Layout, solve and flow are made where the arcs are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from konig.flow import programs
from konig.flow.auto import How
from konig.flow.capacities import TOO_LARGE, Solved
from konig.flow.inputs import terminals
from konig.flow.papers.residual import Residual, id_type, residual
from konig.flow.programs import shown
from konig.flow.residual import build
from konig.machine import Machine
from konig.progress import Report
from konig.registry import Method

SOLVER = "flow_on_team"
CSR_LIMIT = 20_000


def run_flow(
    machine: Machine, how: How, arcs: tuple[Any, Any, Any], role: Any, undirected: bool, start: Any
) -> Solved:
    """The answer of a method of the paper.

    ``arcs`` is (tail, head, capacity), ``start`` a flow of each arc or None; these arrays are the machine's,
    ``role`` is on the host.
    """
    method = how.method
    require_few_arcs(method, len(arcs[0]))
    laps = [machine.lap()]
    ids = id_type(len(role), len(arcs[0]), undirected)
    machine.expect(programs.tlpns_for(method, ids, how.settings), ())
    there = machine.xp.asarray(role)
    network = residual(machine, layout_of(method), arcs, there, terminals(role), undirected)
    laps.append(machine.lap())
    excess, started = start_from(network, arcs, there, undirected, start)
    laps.append(machine.lap())
    value, cut, stats = solve(machine, method, network, how.settings, how.report, excess)
    laps.append(machine.lap())
    answer = network.answer(cut)
    laps.append(machine.lap())
    seconds = machine.timed(laps, "build", "start", "solve", "extract")
    return Solved(None if value >= TOO_LARGE else value, *answer, started | stats | {"seconds": seconds})


def start_from(
    network: Residual, arcs: tuple[Any, Any, Any], role: Any, undirected: bool, start: Any
) -> tuple[Any, dict[str, int]]:
    """Put an earlier flow on the layout, as far as it is one; what each vertex holds, and statistics.

    A virtual source would have to feed it, so there it is left out.
    """
    machine = network.machine
    excess = machine.xp.zeros(network.vertices, np.int64)
    if start is None:
        return excess, {}
    begun = None if network.fed else build(machine, arcs, role, undirected, start).begun
    if begun is not None:
        flow, excess = begun
        network.send(flow, excess)
    return excess, {"start_value": int(excess[network.sink])}


def solve(
    machine: Machine,
    method: Method,
    network: Residual,
    settings: Mapping[str, Any],
    report: Report | None,
    excess: Any,
) -> tuple[int, Any, dict[str, Any]]:
    """Push a maximum flow through the layout; return its value, the source side, and what was counted.

    ``excess`` is what each vertex holds with the flow that is on the layout already; it is written to.
    """
    task = programs.tlpns(machine, method, network, settings, excess)
    outcome = machine.run(task, shown(report, 0, network.bound - 1)).require_no("stalled")
    stats = outcome.counted | machine.facts
    if settings["profile"]:
        warps = outcome.workers // machine.warp
        stats = with_profile(stats, outcome.words, task.given["workload"][:warps].tolist())
    return int(excess[network.sink]), task.given["cut"], stats


def layout_of(method: Method) -> str:
    """The name of the layout that a method works on."""
    return str(method.variant["layout"])


def require_few_arcs(method: Method, arcs: int) -> None:
    """An error where every step of the method would look at very many arcs."""
    if layout_of(method) == "csr" and arcs > CSR_LIMIT:
        fitting = method.name.replace("-csr", "-rcsr")
        raise ValueError(
            f"method={method.name!r} looks at all arcs for each active vertex and takes at most {CSR_LIMIT} "
            f"arcs, but there are {arcs}; {fitting!r} has lists of entering arcs"
        )


def bytes_needed(vertices: int, arcs: int) -> int:
    """A bound on what a solve takes on a GPU: the layout while it is sorted, the workspace, the flow."""
    return 200 * arcs + 100 * vertices


def with_profile(stats: dict[str, Any], read: dict[str, int], workload: list[int]) -> dict[str, Any]:
    """The statistics with a ``profile`` of what the clocks read, and of the ticks of each warp."""
    tick = read["leader_ns"] / max(read["leader_ticks"], 1) * 1e-9
    moves = stats["pushes"] + stats["relabels"]
    # Equation (3): k per place looked at, one time for a push or a new height, l for the barrier.
    place = tick * read["mhns_lead_ticks"] / max(stats["places_scanned"], 1)
    move = tick * read["bes_ticks"] / max(moves, 1)
    barriers = stats["cycles"] * (2 if "tiles" in stats else 1)
    barrier = tick * read["barrier_ticks"]
    cycles = tick * read["cycle_ticks"]
    mhns, bes = tick * read["mhns_ticks"], tick * read["bes_ticks"]
    stats["profile"] = {
        "mhns": mhns,
        "bes": bes,
        "others": max(cycles * stats["workers"] - mhns - bes, 0.0),
        "idle": max(cycles * stats["workers"] - tick * read["worker_ticks"], 0.0),
        "workload": [tick * ticks for ticks in workload],
        "per_place": place,
        "per_move": move,
        "per_barrier": barrier,
        "critical_places": read["critical_scans"],
        "critical_moves": read["critical_moves"],
        "modelled": place * read["critical_scans"] + move * read["critical_moves"] + barrier * barriers,
        "measured": cycles,
    }
    return stats
