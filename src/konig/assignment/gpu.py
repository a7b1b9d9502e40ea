"""Runs the Hungarian methods and core-paths on an NVIDIA GPU: costs go there, and answers stay there."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any

import numpy as np

from konig.assignment import sorted_start
from konig.assignment.auto import choose_assignment_by_range
from konig.assignment.cpu import Solved
from konig.assignment.hungarian import Task, bounds, solve_closely
from konig.assignment.inputs import SOLVED_AS, dense_costs, refuse_bad_costs, survey
from konig.assignment.programs import Assigning, workspace_bytes
from konig.gpu import staging
from konig.gpu.compile import headers_digest
from konig.gpu.program import DeviceSolve
from konig.interop import arrays
from konig.programs import Outcome
from konig.progress import Report
from konig.registry import Method

COST_TYPES = {"int32": "int", "int64": "long long", "float32": "float", "float64": "double"}


def device_costs(gpu: Any, C: Any, place: arrays.Place, maximize: bool, seconds: dict[str, float]) -> Any:
    """Checked costs on the current device, and whether pairs are forbidden; in place if they are there."""
    if place.gpu is None:
        host = dense_costs(C if isinstance(C, np.ndarray) else arrays.to_numpy(C))
        _, forbids = survey(host, maximize)
        _require_memory(gpu.cupy, host.shape, host.nbytes, host.itemsize)
        began = perf_counter()
        there = staging.to_device(gpu.cupy, host)
        seconds["costs_to_device"] = perf_counter() - began
        return there, forbids
    costs = on_device(gpu.cupy, C, place)
    _require_memory(gpu.cupy, costs.shape, 0, costs.itemsize)
    return costs, _survey(gpu.cupy, costs, maximize)


def choose_by_range(cupy: Any, costs: Any, chosen: Method) -> Method:
    """The method for checked costs on the current device, by their range if they are integers."""
    if costs.dtype.kind != "i" or costs.size == 0:
        return chosen
    return choose_assignment_by_range(*bounds(cupy, costs, False), True, max(costs.shape))


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


def _survey(cupy: Any, C: Any, maximize: bool) -> bool:
    """Whether pairs are forbidden; NaN and other bad costs are errors, as on the host."""
    if C.size == 0:
        return False
    least, greatest = C.min().item(), C.max().item()  # NaN if there is one
    if C.dtype.kind == "i":
        if least == np.iinfo(np.int64).min:
            refuse_bad_costs(C, maximize, -1, int(cupy.argmin(C)))
        return False
    if np.isnan(least):
        refuse_bad_costs(C, maximize, int(cupy.argmax(cupy.isnan(C))), -1)
    wrong, forbidding = (greatest, least) if maximize else (least, greatest)
    if np.isinf(wrong) and (wrong > 0) == maximize:
        refuse_bad_costs(C, maximize, -1, int(cupy.argmax(wrong == C)))
    return bool(np.isinf(forbidding)) or bool(np.isinf(wrong))


def first_bad(cupy: Any, C: Any, maximize: bool) -> int:
    """The position of the first cost that no solver may see, or -1."""
    if C.dtype.kind == "i":
        bad = np.iinfo(np.int64).min == C
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
    cupy: Any,
    method: Method,
    C: Any,
    maximize: bool,
    forbids: bool,
    initial: Any,
    settings: Mapping[str, Any],
    report: Report | None,
    seconds: dict[str, float],
) -> Solved:
    """An optimal full assignment of costs on the current device; the answer's arrays are there, too."""
    if settings["team"] != "threads":
        raise ValueError(f"team={settings['team']!r} is for device='cpu': on a GPU the team is the grid")
    if initial is not None:
        initial = [cupy.asarray(dual) for dual in initial]

    def solve_some(some: Any, forbidden: bool, start: Any) -> tuple[Task, dict[str, Any]]:
        return _solve(cupy, method, some, maximize, forbidden, start, report, seconds)

    return solve_closely(solve_some, C, forbids, initial)


def _solve(
    cupy: Any,
    method: Method,
    C: Any,
    maximize: bool,
    forbids: bool,
    initial: Any,
    report: Report | None,
    seconds: dict[str, float],
) -> tuple[Task, dict[str, Any]]:
    """A solved task, and what was counted."""
    seen = bounds(cupy, C, forbids)
    task = Task(cupy, C, maximize, seen, initial)
    if task.rows == 0:
        return task, {}
    if method.variant["variant"] == "core":
        asks = initial is None and not forbids and task.rows == task.cols
        task, stats = _solve_core(cupy, task, seen, asks, report, seconds)
        if stats is not None:
            return task, stats
        task = Task(cupy, C, maximize, seen, initial)
    variant = "tree" if method.variant["variant"] == "core" else str(method.variant["variant"])
    program = Assigning(task, variant, lambda work: DeviceSolve(cupy, work, seconds))
    outcome = program.run(report)
    if outcome.status == "infeasible":
        raise task.infeasible(*program.reached())
    return task, _stats(outcome)


def _solve_core(
    cupy: Any, task: Task, seen: tuple[Any, Any], asks: bool, report: Report | None, seconds: dict[str, float]
) -> tuple[Task, dict[str, Any] | None]:
    """A solved task and what core-paths counted; None if it could not go on."""

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
    if outcome.status == "infeasible":
        raise task.infeasible(*core.reached())
    return task, None if outcome.status == "stalled" else _stats(outcome)


def _stats(outcome: Outcome) -> dict[str, Any]:
    """What the user gets to see, as on the CPU."""
    return {**outcome.counted, "headers": headers_digest(), "seconds": outcome.seconds}
