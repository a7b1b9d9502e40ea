"""Runs push-relabel for flows on a team of CPU threads."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any

import numpy as np

from konig import _native
from konig.flow.capacities import Solved
from konig.flow.inputs import FlowNetwork
from konig.flow.papers.profile import with_profile
from konig.flow.papers.residual import Residual, residual
from konig.flow.papers.two_terminals import TwoTerminals, preflow, two_terminals
from konig.progress import Report
from konig.registry import Method
from konig.threads import chosen_threads

SOLVER = "flow_on_team"
CSR_LIMIT = 20_000


def run_flow(
    method: Method,
    network: FlowNetwork,
    start: np.ndarray | None,
    settings: Mapping[str, Any],
    report: Report | None,
    *,
    threads: int | None,
    seed: int | None,
) -> Solved:
    """The answer of a method of the paper on a team of threads."""
    require_few_arcs(method, network.num_arcs)
    seconds: dict[str, float] = {}
    began = perf_counter()
    problem = two_terminals(np, *network.arcs, network.role, network.undirected)
    places = layout_of(method, problem)
    seconds["build"] = perf_counter() - began
    workers = {"threads": chosen_threads(threads), "seed": (seed or 0) & 0x7FFF_FFFF_FFFF_FFFF}
    knobs = {**method.variant, **settings, **workers, "tile": tile_of(settings)}
    laps = [perf_counter()]
    excess, started = start_from(problem, places, start)
    laps.append(perf_counter())
    value, source_side, stats = solve(problem, places, knobs, report, excess)
    laps.append(perf_counter())
    answer = problem.answer(value, places.flow(), source_side)
    laps.append(perf_counter())
    seconds |= dict(zip(("start", "solve", "extract"), np.diff(laps).tolist(), strict=True))
    seconds["main"] = perf_counter() - began
    return Solved(*answer, started | stats | {"seconds": seconds})


def start_from(problem: TwoTerminals, places: Residual, start: Any) -> tuple[Any, dict[str, int]]:
    """Put an earlier flow on the layout, as far as it is one; what each vertex holds, and statistics."""
    if start is None:
        return problem.xp.zeros(problem.vertices, np.int64), {}
    flow, excess = preflow(problem, problem.given_flow(start))
    places.send(flow)
    return excess, {"start_value": int(excess[problem.sink])}


def solve(
    problem: TwoTerminals,
    places: Residual,
    knobs: Mapping[str, Any],
    report: Report | None,
    excess: np.ndarray,
) -> tuple[int, np.ndarray, dict[str, Any]]:
    """Push a maximum flow through the layout; return its value, the source side, and what was counted.

    ``excess`` is what each vertex holds with the flow that is on the layout already; it is written to.
    """
    source_side = np.zeros(problem.vertices, np.uint8)
    shown = None if report is None else (lambda brought, _: report(brought, max(problem.bound - 1, brought)))
    arguments: tuple[Any, ...] = problem.source, problem.sink, excess, source_side, dict(knobs), shown
    stats = _native.flow_on_team(*places.arrays, *arguments)  # type: ignore[call-overload]
    return int(excess[problem.sink]), source_side, with_profile(dict(stats))


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


def tile_of(settings: Mapping[str, Any]) -> int:
    """The knob as the solvers take it: 0 for tiles by degree."""
    tile = settings.get("tile", "1")
    return 0 if tile == "degree" else int(tile)
