"""Runs native solvers on the CPU."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from time import perf_counter
from typing import Any

import numpy as np

from konig import _native
from konig.machine import on_threads
from konig.matching import programs
from konig.matching.auto import workers_for_auto
from konig.matching.inputs import Partial
from konig.matching.methods import STARTS, Start
from konig.matching.result import seconds_of_parts
from konig.programs import run_on_team
from konig.progress import Report
from konig.registry import Method
from konig.results import statistics
from konig.threads import chosen_threads

MAX_WAITING = 4  # degree-one vertices that wait while Karp-Sipser makes a free choice: their misses overlap


def run_matching(
    method: Method,
    partial: Partial,
    settings: Mapping[str, Any],
    report: Report | None,
    *,
    threads: int | None = None,
    seed: int | None = None,
) -> dict[str, Any]:
    """Improve the matching in place until it is maximum; return what was counted and timed."""
    workers = {"threads": chosen_threads(threads), "seed": (seed or 0) & 0x7FFF_FFFF_FFFF_FFFF}
    start = STARTS[str(settings.get("init", "none"))]
    laps = [perf_counter()]
    partial.graph.orient({*start.reads, *method.reads})
    laps.append(perf_counter())
    stats: dict[str, Any] = {}
    starter, start_knobs = _starter(start, method, settings, workers)
    if starter:
        stats |= improve(starter, partial, start_knobs, report)
        stats["start_size"] = int(np.count_nonzero(partial.col_of_row >= 0))
    laps.append(perf_counter())
    knobs = {**workers, **method.variant, **{k: v for k, v in settings.items() if k != "init"}}
    if method.solver == "flow_on_team":
        from konig.matching import by_flow  # with the room of flow, which few calls need

        stats |= by_flow.improve(on_threads(knobs, threads, seed), method, partial, knobs, report)
    else:
        stats |= improve(method.solver, partial, knobs, report)
    laps.append(perf_counter())
    seconds = dict(zip(("transpose", "start", "main"), np.diff(laps).tolist(), strict=True))
    return stats | {"seconds": seconds | stats.get("seconds", {})}


def _starter(
    start: Start, method: Method, settings: Mapping[str, Any], workers: Mapping[str, int]
) -> tuple[str, dict[str, Any]]:
    """What makes a start, and its knobs: as many threads as the method has, or one in random order."""
    if settings.get("team") == "shuffled":
        return start.on_team, {**workers, "team": "shuffled"}
    threads = workers["threads"] if method.parallel else 1
    waiting = 0 if threads == 1 else MAX_WAITING
    return start.solver, {"threads": threads, "max_waiting": waiting}


def run_auto(
    partial: Partial,
    report: Report | None,
    threads: int | None = 1,
) -> tuple[str, dict[str, Any], tuple[Any, bool]]:
    """Solve on the orientation that is there.

    Returns the name of what ran, what it counted and timed, and what its searches reached:
    a mask, None where one side is matched completely, and whether it is of rows.
    """
    by_rows = not partial.graph.has_cols
    if by_rows:
        partial = partial.transposed()
    began = perf_counter()
    workers = workers_for_auto(partial.graph.nonzeros, threads)
    found = _native.match_stepwise(*_arrays(partial), workers, report)
    counts, size, method, init, marks, of_rows = found
    stats = {"init": init, **statistics(tuple(chain(*counts.items())), transpose=0.0), "size": size}
    stats["seconds"] = seconds_of_parts(stats["seconds"], perf_counter() - began)
    return method, stats, (marks, of_rows != by_rows)


def improve(solver: str, partial: Partial, knobs: Mapping[str, Any], report: Report | None) -> dict[str, Any]:
    """Improve the matching with a native solver or with a parallel program; return what was counted."""
    if solver in programs.PROGRAMS:
        return _solve_on_team(solver, partial, knobs, report)
    return dict(_native.solve(solver, *_arrays(partial), dict(knobs), report))


def _arrays(partial: Partial) -> tuple[Any, Any, Any, Any, Any, Any]:
    """The lists that are there, of rows and of columns, and the partners."""
    graph, col_of_row, row_of_col = partial
    of_row: tuple[Any, Any] = (graph.of_row.start, graph.of_row.neighbour) if graph.has_rows else (None, None)
    of_col: tuple[Any, Any] = (graph.of_col.start, graph.of_col.neighbour) if graph.has_cols else (None, None)
    return *of_row, *of_col, col_of_row, row_of_col


def _solve_on_team(
    solver: str, partial: Partial, knobs: Mapping[str, Any], report: Report | None
) -> dict[str, Any]:
    threads = int(knobs["threads"])
    if knobs.get("width") == "mt":  # a worker for each column
        threads = max(1, min(threads, partial.graph.cols))
    workers = {"threads": threads, "team": knobs["team"], "seed": knobs["seed"]}
    outcome = run_on_team(programs.task(solver, partial, knobs), workers, report).require_no("stalled")
    return outcome.statistics if outcome.status == "maximal" else outcome.counted  # the former of a start
