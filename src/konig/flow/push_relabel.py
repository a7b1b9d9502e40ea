"""Synchronous and asynchronous push-relabel on arcs, on a team of CPU threads or on an NVIDIA GPU."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from konig import registry
from konig.flow import async_pr, sync_pr
from konig.flow.auto import Plan, after
from konig.flow.capacities import Solved
from konig.flow.programs import Machine
from konig.flow.residual import Built, build
from konig.flow.sync_pr import Ran, added
from konig.progress import Report

SOLVERS = ("flow/sync_pr", "flow/async_pr")


def run_flow(
    machine: Machine,
    plan: Plan,
    arcs: tuple[Any, Any, Any],
    role: Any,
    undirected: bool,
    start: Any,
    settings: Mapping[str, Any],
    report: Report | None,
) -> Solved:
    """The answer of the plan's method, and of the one that goes on where the network is deep.

    ``arcs`` is (tail, head, capacity), ``start`` a flow of each arc or None; all arrays are the machine's.
    """
    laps = [machine.lap()]
    built = build(machine, arcs, role, undirected, start)
    started = {} if start is None else {"start_value": built.value()}
    laps.append(machine.lap())

    def solve() -> Ran:
        most = built.straight, built.bound - 1
        if plan.method == "async-pr":
            return async_pr.solve(machine, built.residual, settings, most, report)
        ran = sync_pr.solve(machine, built.residual, settings, most, report, plan.deep)
        then = after(plan, "deep" if ran.deep else "maximum")
        if then is None:
            return ran
        others = registry.find(then.method, "flow").settings({})
        source_side, stats, _ = async_pr.solve(machine, built.residual, others, most, report, ran.deep)
        return Ran(source_side, stats | {"method": then.method})

    source_side, stats = _until_fed(built, solve)
    laps.append(machine.lap())
    answer = built.answer(source_side)
    laps.append(machine.lap())
    seconds = machine.timed(laps, "build", "solve", "extract")
    return Solved(*answer, started | stats | {"seconds": seconds})


def _until_fed(built: Built, solve: Callable[[], Ran]) -> tuple[Any, dict[str, Any]]:
    """Solve until the sources have no more to give: once, unless they might give more than 2**62."""
    source_side, stats, _ = solve()
    while built.feed(source_side):
        source_side, more, _ = solve()
        stats = added(stats, more)
    return source_side, stats
