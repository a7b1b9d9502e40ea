"""Compiles device code before it is needed: for the GPU that is here, or into a folder that others carry."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from konig import programs
from konig.assignment.batch import GROUPS
from konig.assignment.first_launch import proof_unit
from konig.assignment.gpu import extent_unit
from konig.assignment.lines import lines_unit
from konig.assignment.points.team import METRICS, compile_options
from konig.flow.programs import ASYNC_PR, async_options
from konig.gpu import compile, sums
from konig.gpu.compile import TYPES, Unit
from konig.gpu.nvrtc import Nvrtc
from konig.gpu.program import unit_of
from konig.gpu.sums import sum_unit
from konig.progress import Report

PROBLEMS = "matching", "assignment", "flow"
USUAL_METRICS, USUAL_DIMENSIONS = ("sqeuclidean", "euclidean"), (2, 3)  # of points


def units(problems: Sequence[str] = PROBLEMS, papers: bool = False) -> list[Unit]:
    """What ``auto`` may ask for, for all types of ids and numbers; with ``papers``, what any method may.

    Of points, the usual metrics and dimensions.
    """
    found = []
    for program in programs.every():
        problem, _, _ = program.name.partition("/")
        if problem in problems or (problem == "papers" and papers):
            found += _units_of(program)
    if "assignment" in problems:
        found += [unit(dtype) for dtype in TYPES for unit in (extent_unit, proof_unit, lines_unit)]
    return found + [sum_unit(dtype) for dtype in sums.WHOLE]


def _units_of(program: Any) -> list[Unit]:
    if program.for_groups:
        return [unit_of(program, group) for group in GROUPS]
    if program.type.endswith("PointCosts>"):
        usual = itertools.product(USUAL_METRICS, USUAL_DIMENSIONS)
        return [unit_of(program, options=compile_options(METRICS.index(name), d)) for name, d in usual]
    if program.name == ASYNC_PR:
        return [unit_of(program, options=(held,)) for held in async_options()]
    return [unit_of(program)]


def for_this_device(cupy: Any, wanted: Sequence[Unit], report: Report, threads: int | None = None) -> None:
    """Compile units for the current device, in full; they are kept on disk."""
    number = cupy.cuda.runtime.getDevice()

    def work(unit: Unit) -> None:
        with cupy.cuda.Device(number):
            compile.load_or_compile(cupy, unit)

    _in_threads(work, [(unit,) for unit in wanted], report, threads)


def into_folder(
    folder: Path,
    architectures: Sequence[str],
    wanted: Sequence[Unit],
    report: Report,
    threads: int | None = None,
) -> None:
    """Compile units for architectures such as sm_90, on a machine that needs no GPU.

    Cubins of other code are removed from the folders of these architectures: their names carry a digest of
    the code, so that nobody would load them.
    """
    nvrtc = Nvrtc.found()
    for architecture in architectures:
        (folder / architecture).mkdir(parents=True, exist_ok=True)

    def work(unit: Unit, architecture: str) -> None:
        path = folder / architecture / unit.file
        if not path.is_file():
            part = path.with_suffix(".part")  # a folder never has half a cubin under its name
            part.write_bytes(nvrtc.cubin(unit.name, unit.code, unit.options, architecture))
            part.replace(path)

    jobs = [(unit, architecture) for architecture in architectures for unit in wanted]
    _in_threads(work, jobs, report, threads)
    current = {unit.file for unit in (*wanted, *units(papers=True))}
    for architecture in architectures:
        for path in (folder / architecture).glob("*.cubin"):
            if path.name not in current:
                path.unlink()


def _in_threads(
    work: Callable[..., None], jobs: Sequence[tuple[Any, ...]], report: Report, threads: int | None
) -> None:
    """All jobs: NVRTC works outside of the interpreter's lock. Ctrl-C waits for those that have begun."""
    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        running = [pool.submit(work, *job) for job in jobs]
        try:
            for done, job in enumerate(as_completed(running), 1):
                job.result()
                report(done, len(jobs))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
