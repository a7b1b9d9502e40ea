"""Synchronous and asynchronous push-relabel, on a team of CPU threads or on an NVIDIA GPU."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

from konig import registry
from konig.flow import methods, programs
from konig.flow.auto import Deep, How
from konig.flow.capacities import Solved
from konig.flow.programs import shown
from konig.flow.residual import Residual, build
from konig.machine import Machine
from konig.progress import Report
from konig.results import added_stats

SOLVERS = ("flow/sync_pr", "flow/async_pr")
LONGEST = 100_000  # slots of a vertex: one worker of a GPU would take too long for more
STEPS = ("sweep", "level", "push")  # that are timed


class Ran(NamedTuple):
    """The source side, and what was counted.

    In a deep network there may be no source side yet, but the ``labels`` of a first search and its levels.
    """

    source_side: Any
    stats: dict[str, Any]
    labels: Any = None
    levels: int = 0


def run_flow(
    machine: Machine, how: How, arcs: tuple[Any, Any, Any], role: Any, undirected: bool, start: Any
) -> Solved:
    """The answer of the plan's method, and of the one that goes on where the network is deep.

    ``arcs`` is (tail, head, capacity), ``start`` a flow of each arc or None; these arrays are the machine's,
    ``role`` is on the host.
    """
    plan, settings = how.plan, how.settings
    laps = [machine.lap()]
    synchronously = plan.method != "async-pr"
    solver = partial(programs.sync_pr_for, profile=settings["profile"]) if synchronously else None
    role = machine.xp.asarray(role)
    built = build(machine, arcs, role, undirected, start, solver, either_way=True)
    stats: dict[str, Any] = {} if start is None else {"start_value": built.value()}
    laps.append(machine.lap())
    report = shown(how.report, built.direct, built.bound - 1)
    if synchronously:
        ran = synchronous(machine, built.residual, settings, report, plan.deep)
    else:
        ran = asynchronous(machine, built.residual, settings, report)
    if plan.deep and ran.labels is not None:
        others = registry.find(plan.deep.next_method, "flow").settings({})
        ran = asynchronous(machine, built.residual, others, report, ran)
        stats["method"] = plan.deep.next_method
    stats |= ran.stats
    laps.append(machine.lap())
    answer = built.answer(ran.source_side)
    laps.append(machine.lap())
    return Solved(*answer, stats | {"seconds": machine.timed(laps, "build", "solve", "extract")})


def synchronous(
    machine: Machine,
    network: Residual,
    settings: Mapping[str, Any],
    report: Report | None,
    deep: Deep | None = None,
) -> Ran:
    """Push a maximum flow through the network in place; a deep one, by the rule, ends before that."""
    task = programs.sync_pr(machine, network, settings, deep)
    outcome = machine.run(task, report).require_no("stalled")
    if outcome.status == "deep":
        counted = {name: outcome.statistics[name] for name in ("supersteps", "launches")}
        return Ran(None, counted, task.given["labels"], outcome.words["level"])
    stats = outcome.counted | machine.facts
    if settings["profile"]:
        stats["profile"] = {step: outcome.seconds.get(step, 0.0) for step in STEPS}
    return Ran(task.given["cut"], stats)


def asynchronous(
    machine: Machine,
    network: Residual,
    settings: Mapping[str, Any],
    report: Report | None,
    searched: Ran | None = None,
) -> Ran:
    """The same without supersteps, from a first search if there was one; the other may have to go on."""
    others = methods.SYNCHRONOUS.settings({})
    if machine.gpu and network.longest > LONGEST:
        side, stats, *_ = synchronous(machine, network, others, report)
        return Ran(side, {"handed_over": 1, "waves": 0, "visits": 0, **stats})
    labels, levels = (searched.labels, searched.levels) if searched else (None, 0)
    task = programs.async_pr(machine, network, settings, labels, levels)
    outcome = machine.run(task, report)
    side, stats = task.given["cut"], {"handed_over": 0, **outcome.counted, **machine.facts}
    if outcome.status == "unfinished":
        more_brought = shown(report, outcome.words["delivered"])
        side, more, *_ = synchronous(machine, network, others, more_brought)
        stats = added_stats(stats, more) | {"handed_over": 1}
    return Ran(side, added_stats(stats, searched.stats) if searched else stats)
