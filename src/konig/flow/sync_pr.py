"""Runs synchronous push-relabel on a team of CPU threads or on an NVIDIA GPU."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from konig.flow import programs
from konig.flow.auto import Deep
from konig.flow.programs import Machine
from konig.flow.residual import Residual
from konig.progress import Report

STEPS = ("sweep", "level", "push")  # that are timed


@dataclass(frozen=True)
class Searched:
    """What a first search has found that nothing was pushed after, and what it took."""

    labels: Any
    levels: int
    counted: dict[str, int]


class Ran(NamedTuple):
    """The source side and what was counted, or what the first search of a deep network has found."""

    source_side: Any
    stats: dict[str, Any]
    deep: Searched | None = None


def solve(
    machine: Machine,
    network: Residual,
    settings: Mapping[str, Any],
    most: tuple[int, int],
    report: Report | None,
    deep: Deep | None = None,
) -> Ran:
    """Push a maximum flow through the network in place.

    ``most`` is for reports: what has been brought already, and a bound on all that will be. With a rule for
    deep networks, such a one ends before anything is pushed.
    """
    task = programs.sync_pr(machine, network, settings, deep)
    outcome = machine.run(task, shown(report, most)).require_no("stalled")
    if outcome.status == "deep":
        counted = {name: outcome.statistics[name] for name in ("supersteps", "launches")}
        return Ran(None, {}, Searched(task.given["labels"], outcome.words["level"], counted))
    stats = outcome.counted | machine.facts
    if settings["profile"]:
        stats["profile"] = {step: outcome.seconds.get(step, 0.0) for step in STEPS}
    return Ran(task.given["cut"], stats)


def shown(report: Report | None, most: tuple[int, int]) -> Report | None:
    """A report that is told what is on its way to the sink, with what was brought before."""
    if report is None:
        return None

    def show(brought: int, _: int) -> None:
        report(most[0] + brought, max(most[1], most[0] + brought))

    return show


def added(first: dict[str, Any], then: dict[str, Any]) -> dict[str, Any]:
    """The statistics of two solves, one after the other."""
    both = (first.keys() & then.keys()) - {"workers", "headers", "handed_over", "method", "profile"}
    return first | then | {name: first[name] + then[name] for name in both}
