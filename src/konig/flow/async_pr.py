"""Runs asynchronous push-relabel on a team of CPU threads or on an NVIDIA GPU."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from konig.flow import methods, programs, sync_pr
from konig.flow.programs import Machine
from konig.flow.residual import Residual
from konig.flow.sync_pr import Ran, Searched, added
from konig.progress import Report

LONGEST = 100_000  # slots of a vertex: one worker of a GPU would take too long for more


def solve(
    machine: Machine,
    network: Residual,
    settings: Mapping[str, Any],
    most: tuple[int, int],
    report: Report | None,
    known: Searched | None = None,
) -> Ran:
    """As that of synchronous push-relabel, which may have to go on."""
    others = methods.SYNCHRONOUS.settings({})
    if machine.gpu and network.longest > LONGEST:
        side, stats, _ = sync_pr.solve(machine, network, others, most, report)
        return Ran(side, {"handed_over": 1, "waves": 0, "visits": 0, **stats})
    labels, levels = (known.labels, known.levels) if known else (None, 0)
    task = programs.async_pr(machine, network, settings, labels, levels)
    outcome = machine.run(task, sync_pr.shown(report, most))
    side, stats = task.given["cut"], {"handed_over": 0, **outcome.counted, **machine.facts}
    if outcome.status == "unfinished":
        brought = most[0] + outcome.words["delivered"], most[1]
        side, more, _ = sync_pr.solve(machine, network, others, brought, report)
        stats = added(more, stats) | {"handed_over": 1}
    return Ran(side, added(stats, known.counted) if known else stats)
