"""Runs cases in a process of its own, which may die of one, and says what it does: a JSON document a line."""

from __future__ import annotations

import argparse
import faulthandler
import gc
import json
import os
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import sanitized_package

from .case import PROBLEMS, Case
from .settings import Settings

# Which problem case number k belongs to when all are fuzzed: assignment twice as often as the others.
TURNS = ("assignment", "flow", "assignment", "matching")


def problem_of(chosen: str, number: int) -> str:
    return TURNS[number % len(TURNS)] if chosen == "all" else chosen


def case_maker(problem: str) -> Callable[..., Case]:
    """Imported late: konig must not be imported before its package was chosen."""
    if problem == "assignment":
        from .assignment.cases import make_case
    elif problem == "flow":
        from .flow.cases import make_case
    else:
        from .matching.cases import make_case
    return make_case


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What decides about a case, the same for the worker and for the runner."""
    parser.add_argument("--problem", choices=("all", *PROBLEMS), default="all")
    parser.add_argument("--seed", type=int, help="a fresh one if not given")
    parser.add_argument("--families", default="", help="only these, separated by commas")
    parser.add_argument("--largest", type=int, help="no extent is larger")
    parser.add_argument("--threads", default="", help="numbers of workers to draw from, separated by commas")
    parser.add_argument("--require-gap", action="store_true", help="an answer without gap is a finding")
    parser.add_argument("--per-entry", action="store_true", help="judge the rounding of each entry, too")
    parser.add_argument("--sanitize", help="build and load a native module with these sanitisers")


def sanitized_folder(sanitizers: str) -> Path:
    return sanitized_package.ROOT / "build" / f"sanitized-{sanitizers.replace(',', '-')}"


def use_package(sanitizers: str | None) -> None:
    """Make a sanitised package come before the installed one."""
    if sanitizers is None:
        return
    folder = str(sanitized_folder(sanitizers) / "package")
    sys.meta_path = [finder for finder in sys.meta_path if "ScikitBuild" not in type(finder).__name__]
    sys.path.insert(0, folder)
    import konig

    if not str(konig.__file__).startswith(folder):
        raise SystemExit(f"konig comes from {konig.__file__}, not from {folder}")


def make(arguments: argparse.Namespace, number: int) -> Case:
    problem = problem_of(arguments.problem, number)
    threads = tuple(int(count) for count in arguments.threads.split(",") if count)
    settings = Settings(
        arguments.require_gap, arguments.per_entry, **({"threads": threads} if threads else {})
    )
    families = tuple(name for name in arguments.families.split(",") if name)
    extent = {} if arguments.largest is None else {"largest": arguments.largest}
    return case_maker(problem)(arguments.seed, number, settings, families, **extent)


def share_of_cores(cores: Sequence[int], place: int, jobs: int) -> set[int]:
    """The cores of one worker, each of which few others have.

    A team of as many threads as there are cores would otherwise compete with all other workers. Two at least,
    since threads that take turns on one find fewer races.
    """
    count = max(2, len(cores) // jobs)
    first = place * len(cores) // jobs
    return {cores[(first + k) % len(cores)] for k in range(count)}


def main() -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    parser.add_argument("--first", type=int, required=True)
    parser.add_argument("--step", type=int, required=True)
    parser.add_argument("--place", type=int, required=True, help="among the workers, of which there are STEP")
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, share_of_cores(cores, arguments.place, arguments.step))
    use_package(arguments.sanitize)
    faulthandler.enable()
    warnings.simplefilter("ignore")
    gc.set_threshold(100_000)  # cases leave few cycles, and the search for them took a fifteenth of the time
    # What anybody prints must not get between the lines.
    lines = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)

    def say(**what: Any) -> None:
        print(json.dumps(what), file=lines)

    number = arguments.first
    while True:
        began = time.perf_counter()
        case = make(arguments, number)
        findings = []
        for call in case.calls:
            say(call=call.name, number=number, problem=case.problem, family=case.family, extent=case.extent)
            findings += [finding.as_dict() for finding in case.findings_of(call)]
        seconds = time.perf_counter() - began
        say(done=number, problem=case.problem, calls=len(case.calls), seconds=seconds, findings=findings)
        number += arguments.step


if __name__ == "__main__":
    main()
