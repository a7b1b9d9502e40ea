"""The parallel programs for flows: what each works on, and the machines that run them.

A network's arrays are NumPy's or CuPy's, wherever it is solved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from konig import _native, programs
from konig.flow.auto import Deep
from konig.gpu import device
from konig.gpu.compile import headers_digest
from konig.gpu.program import BLOCK_THREADS, BUDGET_NS, DeviceSolve
from konig.programs import Outcome, Task
from konig.progress import Report
from konig.threads import chosen_threads

if TYPE_CHECKING:
    from konig.flow.residual import Residual

FEW_VERTICES = 400_000  # for which one block of threads on each processor is enough
HELD = 6, 12  # slots that a worker of async-pr holds at once: as many as most lists have


UNBOUNDED = (1 << 63) - 1
Solve = programs.TeamSolve | DeviceSolve


@dataclass(frozen=True)
class Machine:
    """A team of CPU threads or the current GPU, to run programs on arrays of ``xp``."""

    xp: Any
    start: Callable[[Task], Solve]
    gpu: bool = False
    processors: int = 1
    ticks: float = 0.0  # of a processor's clock in a microsecond
    facts: dict[str, Any] = field(default_factory=dict)  # for the statistics

    def run(self, task: Task, report: Report | None) -> Outcome:
        """A task from its beginning to its end."""
        return self.start(task).run(task, report)


def on_threads(settings: Mapping[str, Any], threads: int | None = None, seed: int | None = None) -> Machine:
    """CPU threads, as many as asked for or as there are cores."""
    kept = (seed or 0) & 0x7FFF_FFFF_FFFF_FFFF
    workers = {"threads": chosen_threads(threads), "seed": kept, "team": settings["team"]}
    return Machine(np, lambda task: programs.TeamSolve(task, workers))


def on_gpu(cupy: Any, settings: Mapping[str, Any], seconds: dict[str, float]) -> Machine:
    """The current device; compilations are added to ``seconds``."""
    if settings["team"] != "threads":
        raise ValueError(f"team={settings['team']!r} is for device='cpu': on a GPU the team is the grid")
    seconds.setdefault("compile", 0.0)
    return Machine(
        cupy,
        lambda task: DeviceSolve(cupy, task, seconds),
        True,
        device.processors(cupy),
        device.clock_ticks(cupy),
        {"headers": headers_digest()},
    )


@cache
def _program(name: str, *types_and_flags: np.dtype | bool) -> _native.Program:
    types = tuple(str(part) for part in types_and_flags if isinstance(part, np.dtype))
    return programs.find(name, types, tuple(part for part in types_and_flags if isinstance(part, bool)))


def _find(name: str, network: Residual, *flags: Any) -> _native.Program:
    return _program(name, network.start.dtype, network.excess.dtype, *map(bool, flags))


def _sizes(network: Residual) -> dict[str, int | float]:
    return {"vertices": network.vertices, "slots": len(network.slots)}


def _arrays(machine: Machine, network: Residual) -> dict[str, Any]:
    """Those of the network, and the source side."""
    names = "start", "slots", "to_sink", "to_source", "excess"
    return {
        **{name: getattr(network, name) for name in names},
        "cut": machine.xp.zeros(network.vertices, np.uint8),
    }


def _within(blocks: int, workers: int) -> int:
    return min(workers, blocks * BLOCK_THREADS) if blocks else workers


def survey(arcs: dict[str, Any], undirected: bool) -> Task:
    """Adds up what may flow along arcs; launched again, with more room, it finds the neighbours."""
    vertices, count = len(arcs["role"]), len(arcs["tail"])
    return Task(
        _program("flow/survey", arcs["tail"].dtype),
        {"vertices": vertices, "arcs": count, "undirected": int(undirected), "bound": UNBOUNDED, "places": 0},
        {**arcs, **dict.fromkeys(("table", "slot_of_arc", "degree", "supply", "demand"))},
        workers=max(vertices, count),
    )


def build(amounts: Any, surveyed: Task, numbers: dict[str, int], **given: Any) -> Task:
    """Makes the residual network of arcs; launched again, feeds more or deals their flow out."""
    sizes = {name: number for name, number in surveyed.numbers.items() if name != "places"}
    return Task(
        _program("flow/build", surveyed.given["tail"].dtype, np.dtype(amounts)),
        {**sizes, **numbers, "deals": 0},
        {**surveyed.given, **given},
        workers=surveyed.workers,
    )


def sync_pr(machine: Machine, network: Residual, settings: Mapping[str, Any], deep: Deep | None) -> Task:
    """Synchronous push-relabel; with a rule for deep networks it leaves those to others."""
    n = network.vertices
    rules = {
        "k": float(settings["k"]),
        "least": int(settings["least"]),
        "rises": int(settings["rises"]),
        "deep": deep.levels if deep and network.longest <= deep.broad else 0,
        "thick": deep.thick if deep else 0,
    }
    labels = machine.xp.full(8 * n, -1, network.start.dtype)
    return Task(
        _find("flow/sync_pr", network, settings["profile"]),
        {**_sizes(network), **rules},
        {**_arrays(machine, network), "labels": labels},
        workers=_within(
            int(settings["blocks"]), _within(machine.processors if n < FEW_VERTICES else 0, 8 * n)
        ),
    )


def async_pr(
    machine: Machine, network: Residual, settings: Mapping[str, Any], known: Any, levels: int
) -> Task:
    """Asynchronous push-relabel, from the labels of a search of so many levels if there are any."""
    microseconds = min(float(settings["stretch"]), BUDGET_NS / 1000)
    rules = {"span": int(microseconds * machine.ticks), "levels": levels, "waves": int(settings["waves"])}
    return Task(
        _find("flow/async_pr", network),
        {**_sizes(network), **rules},
        {**_arrays(machine, network), "known": known},
        workers=_within(int(settings["blocks"]), network.vertices),
        options=(f"-DKONIG_FLOW_HELD={HELD[network.longest > HELD[0]]}",),
    )
