"""Runs the push-relabel methods of Hsieh, Lin and Kuo on a team of CPU threads or on an NVIDIA GPU.

They know networks with one source and one sink, whose sums of excess fit a word. Layout, solve and flow are
made where the arcs are; ``xp`` is NumPy or CuPy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from konig.exact_reals import whole_sum
from konig.flow import programs
from konig.flow.auto import How
from konig.flow.capacities import TOO_LARGE, Solved
from konig.flow.inputs import SINK, SOURCE
from konig.flow.papers.residual import Residual, group_begins, residual, spread
from konig.flow.programs import shown
from konig.machine import Machine
from konig.progress import Report
from konig.registry import Method

SOLVER = "flow_on_team"
CSR_LIMIT = 20_000
PATIENCE = 1000  # passes over all arcs to make a preflow of an earlier flow


def run_flow(
    machine: Machine, how: How, arcs: tuple[Any, Any, Any], role: Any, undirected: bool, start: Any
) -> Solved:
    """The answer of a method of the paper.

    ``arcs`` is (tail, head, capacity), ``start`` a flow of each arc or None.
    """
    method = how.method
    require_few_arcs(method, len(arcs[0]))
    laps = [machine.lap()]
    problem = two_terminals(machine.xp, *arcs, role, undirected)
    places = layout_of(method, problem)
    laps.append(machine.lap())
    excess, started = start_from(problem, places, start)
    laps.append(machine.lap())
    value, source_side, stats = solve(machine, method, problem, places, how.settings, how.report, excess)
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
    outcome = machine.run(task, shown(report, 0, problem.bound - 1)).require_no("stalled")
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


@dataclass(frozen=True, eq=False)
class TwoTerminals:
    """Directed arcs from one source to one sink; no arc need carry more than ``bound``.

    ``doubled`` says that the second half of the arcs are the first half in the other direction.
    """

    xp: Any
    vertices: int
    tail: Any
    head: Any
    capacity: Any
    source: int
    sink: int
    bound: int
    role: Any
    doubled: bool

    def given_flow(self, flow: Any) -> Any:
        """The flow of the arcs given, on the arcs of this network and within their capacities."""
        xp = self.xp
        if self.doubled:
            flow = xp.concatenate((xp.maximum(flow, 0), xp.maximum(-flow, 0)))
        if len(flow) < len(self.tail):  # the arc of a virtual source
            flow = xp.concatenate((flow, xp.zeros(1, np.int64)))
        flow = xp.minimum(flow, self.capacity)
        flow[self.tail == self.head] = 0
        return flow

    def answer(self, value: int, flow: Any, source_side: Any) -> tuple[int | None, Any, Any]:
        """Value (None if it is too large), flow and source side in terms of the network given."""
        arcs = len(flow) - (self.vertices > len(self.role))  # less the arc of a virtual source
        flow = flow[:arcs]
        if self.doubled:
            flow = flow[: arcs // 2] - flow[arcs // 2 :]
        side = source_side[: len(self.role)] != 0
        side = (side | (self.role == SOURCE)) & (self.role != SINK)
        return (None if value >= TOO_LARGE else value), flow, side


def two_terminals(xp: Any, tail: Any, head: Any, capacity: Any, role: Any, undirected: bool) -> TwoTerminals:
    """The same network with one of each terminal: sources become one vertex, and so do sinks.

    What leaves the source is to fit a word. Where it does not, a virtual source in front of it gives one unit
    more than the largest flow.
    """
    vertices = len(role)
    source, sink = (int(xp.flatnonzero(role == part)[0]) for part in (SOURCE, SINK))
    ends = []
    for end in (tail, head):
        ends.append(xp.where(role[end] == SOURCE, source, xp.where(role[end] == SINK, sink, end)))
    if undirected:
        ends = [xp.concatenate(ends), xp.concatenate(ends[::-1])]
        capacity = xp.concatenate((capacity, capacity))
    tail, head = ends
    own = tail != head
    leaves, enters = own & (tail == source), own & (head == sink)
    bound = min(whole_sum(capacity[leaves]), whole_sum(capacity[enters]), TOO_LARGE - 1) + 1
    capacity = xp.minimum(capacity, bound)
    if whole_sum(capacity[leaves]) > TOO_LARGE:
        tail = xp.concatenate((tail, xp.full(1, vertices, tail.dtype)))
        head = xp.concatenate((head, xp.full(1, source, head.dtype)))
        capacity = xp.concatenate((capacity, xp.full(1, TOO_LARGE, np.int64)))
        source, vertices = vertices, vertices + 1
    return TwoTerminals(xp, vertices, tail, head, capacity, source, sink, bound, role, undirected)


def preflow(problem: TwoTerminals, flow: Any) -> tuple[Any, Any]:
    """The flow of each arc such that no vertex sends more than it receives, and what each vertex holds.

    Where a vertex sends more than it receives, its arcs carry less, in order; then their heads receive less,
    and so on downstream. That ends, for every pass makes the flow smaller; where it takes too many, or where
    the sums do not fit a word, the start is without flow.
    """
    xp = problem.xp
    nothing = xp.zeros(len(flow), np.int64), xp.zeros(problem.vertices, np.int64)
    if whole_sum(flow) >= TOO_LARGE or len(problem.role) < problem.vertices:
        return nothing
    by_tail, by_head = xp.argsort(problem.tail, kind="stable"), xp.argsort(problem.head, kind="stable")
    tails, heads = problem.tail[by_tail], problem.head[by_head]
    begins = group_begins(xp, tails, tails)
    for _ in range(PATIENCE):
        excess = _sums(xp, heads, flow[by_head], problem.vertices)
        excess -= _sums(xp, tails, flow[by_tail], problem.vertices)
        excess[problem.source] = 0
        lacking = xp.maximum(-excess, 0)
        if not bool(lacking.any()):
            return flow, excess
        flow[by_tail] -= spread(xp, lacking[tails], flow[by_tail], begins)
    return nothing


def _sums(xp: Any, owners: Any, values: Any, vertices: int) -> Any:
    """The sum of the values of each owner; owners are sorted."""
    upto = xp.zeros(len(values) + 1, np.int64)
    upto[1:] = xp.cumsum(values)
    start = xp.searchsorted(owners, xp.arange(vertices + 1, dtype=owners.dtype))
    return upto[start[1:]] - upto[start[:-1]]


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
