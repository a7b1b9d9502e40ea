"""Runs the Hungarian methods and core-paths on an NVIDIA GPU: costs go there, and answers stay there."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

from konig.assignment import sorted_start
from konig.assignment.cpu import How, Solved, Unsolved
from konig.assignment.hungarian import Task, solve_closely, too_far_apart
from konig.assignment.inputs import SOLVED_AS, Extent, dense_costs, refuse_bad_costs
from konig.assignment.programs import Assigning, workspace_bytes
from konig.gpu import staging
from konig.gpu.compile import compiled, headers_digest, unit_source
from konig.gpu.device import processors
from konig.gpu.program import DeviceSolve
from konig.interop import arrays
from konig.programs import Outcome
from konig.progress import Report

EXTENT_UNIT = "cost_extent"
EXTENT_THREADS, EXTENT_BLOCKS_PER_PROCESSOR, ENTRIES_PER_BLOCK = 256, 8, 1 << 14
COST_TYPES = {"int32": "int", "int64": "long long", "float32": "float", "float64": "double"}


def extent_options(dtype: Any) -> tuple[str, ...]:
    """What NVRTC is told about the type of costs whose extent is asked for."""
    name = COST_TYPES[str(dtype)]
    return f"-DKONIG_COST={name}", f"-DKONIG_REAL={int(name in ('float', 'double'))}"


def device_costs(gpu: Any, C: Any, place: arrays.Place, maximize: bool, seconds: dict[str, float]) -> Any:
    """Checked costs on the current device, in place if they are there, and their extent."""
    if place.gpu is None:
        host = dense_costs(C if isinstance(C, np.ndarray) else arrays.to_numpy(C))
        _require_memory(gpu.cupy, host.shape, host.nbytes, host.itemsize)
        began = perf_counter()
        costs = staging.to_device(gpu.cupy, host)
        seconds["costs_to_device"] = perf_counter() - began
    else:
        costs = on_device(gpu.cupy, C, place)
        _require_memory(gpu.cupy, costs.shape, 0, costs.itemsize)
    return costs, extent_of(gpu.cupy, costs, maximize)


def on_device(cupy: Any, C: Any, place: arrays.Place, dimensions: int = 2) -> Any:
    """Dense costs of another library, in the type that they are solved in."""
    if hasattr(C, "format") or "sparse" in str(getattr(C, "layout", "")):
        raise TypeError("C must be dense on a GPU")
    if str(C.dtype).endswith("bfloat16"):  # CuPy has no such type
        C = C.float() if place.library == "torch" else C.astype("float32")
    costs = arrays.to_cupy(cupy, C, "C")
    if costs.dtype not in SOLVED_AS:
        known = ", ".join(str(dtype) for dtype in SOLVED_AS)
        raise TypeError(f"C must be an array of real numbers ({known}), not of {costs.dtype}")
    if costs.ndim != dimensions:
        raise ValueError(f"C must have two dimensions (rows, columns), not shape {costs.shape}")
    if costs.dtype == np.uint64 and costs.size and int(costs.max()) > np.iinfo(np.int64).max:
        raise ValueError(f"C: {costs.max()} does not fit into 64 bits with a sign")
    return costs.astype(SOLVED_AS[costs.dtype], copy=False)


def extent_of(cupy: Any, C: Any, maximize: bool) -> Extent:
    """The extent of costs on the current device, by one read and one copy; a bad cost is an error."""
    if C.size == 0:
        return Extent(0, 0, False)
    there = C if C.flags.c_contiguous else C.T if C.flags.f_contiguous else cupy.ascontiguousarray(C)
    real = C.dtype.kind == "f"
    unit = compiled(cupy, unit_source(EXTENT_UNIT), extent_options(C.dtype), cooperative=False)
    blocks = min(-(-C.size // ENTRIES_PER_BLOCK), EXTENT_BLOCKS_PER_PROCESSOR * processors(cupy))
    found = cupy.empty((blocks, 4), np.int64)
    arguments = there, np.int64(C.size), np.int32(maximize), found
    unit.get_function(EXTENT_UNIT)((blocks,), (EXTENT_THREADS,), arguments)
    host = found.get()
    if host[:, 3].any():
        first_nan = int(cupy.argmax(cupy.isnan(C))) if real and bool(cupy.isnan(C).any()) else -1
        refuse_bad_costs(C, maximize, first_nan, first_bad(cupy, C, maximize))
    ends = host[:, :2].view(np.float64) if real else host[:, :2]
    least, greatest = ends[:, 0].min().item(), ends[:, 1].max().item()
    forbids = bool(host[:, 2].any())
    return Extent(least, greatest, forbids) if least <= greatest else Extent(0, 0, forbids)


def first_bad(cupy: Any, C: Any, maximize: bool) -> int:
    """The position of the first cost that no solver may see, or -1."""
    if C.dtype == np.int32:
        return -1
    if C.dtype == np.int64:
        ends = np.iinfo(np.int64)
        bad = (ends.min + maximize >= C) | (ends.max == C)
    else:
        bad = cupy.isnan(C) | ((np.inf if maximize else -np.inf) == C)
    position = int(cupy.argmax(bad))
    return position if bool(bad.ravel()[position]) else -1


def _require_memory(cupy: Any, shape: tuple[int, int], costs: int, itemsize: int) -> None:
    rows, cols = min(shape), max(shape)
    turned = rows * cols * itemsize if shape[0] > shape[1] else 0
    needed = costs + turned + workspace_bytes(rows, cols)
    staging.require_memory(cupy, needed, *shape, shape[0] * shape[1])


def solve(
    cupy: Any, C: Any, how: How, extent: Extent | None, initial: Any, seconds: dict[str, float]
) -> Solved | Unsolved:
    """An optimal full assignment of costs on the current device; the answer's arrays are there, too.

    ``extent`` is that of the costs, if it is known.
    """
    if how.settings["team"] != "threads":
        raise ValueError(f"team={how.settings['team']!r} is for device='cpu': on a GPU the team is the grid")
    if initial is not None:
        initial = [cupy.asarray(dual) for dual in initial]

    def solve_some(some: Any, known: Extent | None, start: Any) -> Task | Unsolved:
        if known is None:
            known = extent_of(cupy, some, how.maximize)
        return _solve(cupy, some, how, known, start, seconds)

    return solve_closely(solve_some, C, extent, initial)


def _solve(
    cupy: Any, C: Any, how: How, extent: Extent, initial: Any, seconds: dict[str, float]
) -> Task | Unsolved:
    """A solved task."""
    seen = extent.least, extent.greatest
    if wide := too_far_apart(C, seen):
        return wide
    task = Task(cupy, C, how.maximize, seen, initial)
    if task.rows == 0:
        return task
    variant = str(how.method.variant["variant"])
    if variant == "core":
        asks = initial is None and not extent.forbids and task.rows == task.cols
        found = _solve_core(cupy, task, seen, asks, how.report, seconds)
        if found is not None:
            return found
        variant, task = "tree", Task(cupy, C, how.maximize, seen, initial)
    program = Assigning(task, variant, lambda work: DeviceSolve(cupy, work, seconds))
    return _ended(task, program, program.run(how.report))


def _solve_core(
    cupy: Any, task: Task, seen: tuple[Any, Any], asks: bool, report: Report | None, seconds: dict[str, float]
) -> Task | Unsolved | None:
    """A task solved by core-paths; None if that could not go on."""

    def start(some: Task) -> Assigning:
        return Assigning(some, "core", lambda work: DeviceSolve(cupy, work, seconds))

    core = start(task)
    outcome = core.run(report, asks)
    if outcome.status == "alike":
        began = perf_counter()
        sorted_task = sorted_start.task(cupy, task, seen)
        seconds["sorted_start"] = perf_counter() - began
        if sorted_task is not None:
            task = sorted_task
            core = start(task)
        outcome = core.run(report)
    return None if outcome.status == "stalled" else _ended(task, core, outcome)


def _ended(task: Task, program: Assigning, outcome: Outcome) -> Task | Unsolved:
    """The task with what was counted."""
    if outcome.status == "infeasible":
        return task.infeasible(*program.reached())
    task.stats = {**outcome.counted, "headers": headers_digest(), "seconds": outcome.seconds}
    return task
