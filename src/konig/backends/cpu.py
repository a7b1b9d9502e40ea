"""Runs native solvers on the CPU."""

from __future__ import annotations

import os
from collections.abc import Mapping
from time import perf_counter
from typing import Any

import numpy as np

from konig import _native
from konig.graph import BipartiteGraph
from konig.progress import Report
from konig.registry import STARTS, Method


def run_matching(
    method: Method,
    graph: BipartiteGraph,
    col_of_row: np.ndarray,
    row_of_col: np.ndarray,
    settings: Mapping[str, Any],
    report: Report | None,
    *,
    threads: int | None = None,
    seed: int | None = None,
) -> dict[str, Any]:
    """Improve the matching in place until it is maximum; return what was counted and timed."""
    stats = start_matching(method, graph, col_of_row, row_of_col, settings, report)
    began = perf_counter()
    workers = {"threads": threads or available_cores(), "seed": (seed or 0) & 0x7FFF_FFFF_FFFF_FFFF}
    knobs = {**workers, **method.variant, **{k: v for k, v in settings.items() if k != "init"}}
    stats |= _solve(method.solver, graph, col_of_row, row_of_col, knobs, report)
    stats["seconds"]["main"] = perf_counter() - began
    return stats


def start_matching(
    method: Method,
    graph: BipartiteGraph,
    col_of_row: np.ndarray,
    row_of_col: np.ndarray,
    settings: Mapping[str, Any],
    report: Report | None,
) -> dict[str, Any]:
    """Make the orientations that the method reads and the matching that it starts from."""
    start, start_reads = STARTS[str(settings.get("init", "none"))]
    seconds = {"transpose": _orient(graph, {*start_reads, *method.reads})}
    began = perf_counter()
    stats: dict[str, Any] = {}
    if start:
        stats |= _solve(start, graph, col_of_row, row_of_col, {}, report)
        stats["start_size"] = int(np.count_nonzero(col_of_row >= 0))
    seconds["start"] = perf_counter() - began
    return stats | {"seconds": seconds}


def available_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _orient(graph: BipartiteGraph, reads: set[str]) -> float:
    """Make the orientations that will be read; return the seconds it took."""
    began = perf_counter()
    if "rows" in reads:
        graph.of_row  # noqa: B018 (made on first use)
    if "cols" in reads:
        graph.of_col  # noqa: B018
    return perf_counter() - began


def _solve(
    solver: str,
    graph: BipartiteGraph,
    col_of_row: np.ndarray,
    row_of_col: np.ndarray,
    knobs: Mapping[str, Any],
    report: Report | None,
) -> dict[str, Any]:
    of_row = (graph.of_row.start, graph.of_row.neighbour) if graph.has_rows else (None, None)
    of_col = (graph.of_col.start, graph.of_col.neighbour) if graph.has_cols else (None, None)
    return dict(_native.solve(solver, *of_row, *of_col, col_of_row, row_of_col, dict(knobs), report))
