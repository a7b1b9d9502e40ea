"""The machines that run parallel programs: a team of CPU threads, or a GPU."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np

from konig.gpu import compile, device
from konig.gpu.compile import headers_digest
from konig.gpu.program import DeviceSolve, hurries, unit_of
from konig.programs import Outcome, Task, TeamSolve
from konig.progress import Report
from konig.threads import chosen_threads

Solve = TeamSolve | DeviceSolve
WARP = 32  # threads of a GPU that run in step


@dataclass(frozen=True)
class Machine:
    """A team of CPU threads or the current GPU, to run programs on arrays of ``xp``."""

    xp: Any
    start: Callable[[Task], Solve]
    gpu: bool = False
    processors: int = 1
    ticks: float = 0.0  # of a processor's clock in a microsecond
    warp: int = 1  # workers in step
    threads: int = 1  # of the CPU
    facts: dict[str, Any] = field(default_factory=dict)  # for the statistics
    seconds: dict[str, float] = field(default_factory=dict)  # by part, "compile" among them
    # What will run soon, with which options of the compiler, and items of a superstep as those of its task:
    # it may be compiled meanwhile.
    expect: Callable[..., None] = lambda program, options, items=0: None

    def lap(self) -> float:
        """Seconds on a clock that leaves out compilations, once the GPU has done what was asked for."""
        if self.gpu:
            self.xp.cuda.get_current_stream().synchronize()
        return perf_counter() - self.seconds.get("compile", 0.0)

    def timed(self, laps: list[float], *names: str) -> dict[str, float]:
        """What each part took, and all of them together."""
        parts = dict(zip(names, np.diff(laps).tolist(), strict=True))
        return self.seconds | parts | {"main": laps[-1] - laps[0]}

    def minus_ones(self, count: int, dtype: Any) -> Any:
        """An array of -1. CuPy would compile a kernel for `full`."""
        made = self.xp.empty(count, dtype)
        if self.gpu:
            made.data.memset_async(0xFF, made.nbytes)
        else:
            made.fill(-1)
        return made

    def run(self, task: Task, report: Report | None) -> Outcome:
        """A task from its beginning to its end."""
        return self.start(task).run(task, report)


def on_threads(settings: Mapping[str, Any], threads: int | None = None, seed: int | None = None) -> Machine:
    """CPU threads, as many as asked for, else one for each idle core."""
    number = (seed or 0) & 0x7FFF_FFFF_FFFF_FFFF
    workers = {"threads": chosen_threads(threads), "seed": number, "team": settings["team"]}
    return Machine(np, lambda task: TeamSolve(task, workers), threads=workers["threads"])


def on_gpu(cupy: Any, settings: Mapping[str, Any], seconds: dict[str, float] | None = None) -> Machine:
    """The current device; compilations are added to ``seconds``."""
    seconds = {} if seconds is None else seconds
    if settings["team"] != "threads":
        raise ValueError(f"team={settings['team']!r} is for device='cpu': on a GPU the team is the grid")
    seconds.setdefault("compile", 0.0)
    return Machine(
        cupy,
        lambda task: DeviceSolve(cupy, task, seconds),
        True,
        device.processors(cupy),
        device.clock_ticks(cupy),
        warp=WARP,
        facts={"headers": headers_digest()},
        seconds=seconds,
        expect=lambda program, options, items=0: compile.begin(
            cupy, unit_of(program, options=options), hurry=hurries(items)
        ),
    )
