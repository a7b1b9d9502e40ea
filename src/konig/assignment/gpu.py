"""Runs the Hungarian methods and core-paths on an NVIDIA GPU: costs go there, and answers stay there."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any

import numpy as np

from konig.assignment import core_paths as cuda_core
from konig.assignment import sorted_start
from konig.assignment.cpu import Solved
from konig.assignment.hungarian import STEPS, Task, solve_closely, step_seconds
from konig.assignment.inputs import SOLVED_AS, Extent, dense_costs, refuse_bad_costs
from konig.assignment.integers import IntegerValues, RealValues
from konig.gpu import cuda, staging
from konig.gpu.launches import DeviceState
from konig.gpu.programs import BLOCK_THREADS
from konig.interop import arrays
from konig.progress import Report
from konig.registry import Method

UNIT = "hungarian"
EXTENT_UNIT = "cost_extent"
EXTENT_THREADS, EXTENT_BLOCKS_PER_PROCESSOR = 256, 8
COST_TYPES = {"int32": "int", "int64": "long long", "float32": "float", "float64": "double"}
OPTIMAL, INFEASIBLE, NEEDS_ROOM = 1, 2, 3  # enum Status of konig/papers/hungarian/state.h
CHUNKS = 64  # KONIG_CHUNKS there
EDGE_IDS = 3  # the ids of struct Edge there
EDGES_PER_ROW = 8
ENTRIES_PER_BLOCK = 1 << 14

# struct State of konig/papers/hungarian/state.h, word by word, up to the two arrays at its end.
STATE = (
    "status",
    "step",
    "part",
    "head",
    "tail",
    "found",
    "matched",
    "paths",
    "shift",
    "least",
    "fresh",
    "edges",
    "greedy",
    "initial",
    "supersteps",
    "iterations",
    "levels",
    "updates",
    "compressions",
    "entries_read",
    "series_used",
    "launches",
    "edges_scanned",
    "path_edges",
    "queued",
    "leaves",
    "roots",
    "collected",
)
SPENT = tuple(f"nanoseconds_{k}" for k in range(len(STEPS)))  # the first of these arrays; then the series


def compile_options(dtype: Any, variant: str) -> tuple[str, ...]:
    """What NVRTC is told about a variant and the type of its costs."""
    return f"-DKONIG_COST={COST_TYPES[str(dtype)]}", f"-DKONIG_TREE={int(variant == 'tree')}"


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
    unit = cuda.module(cupy, EXTENT_UNIT, 32, 32, False, extent_options(C.dtype), cooperative=False)
    blocks = min(-(-C.size // ENTRIES_PER_BLOCK), EXTENT_BLOCKS_PER_PROCESSOR * cuda.processors(cupy))
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
    workspace = 12 * CHUNKS * cols + 256 * (rows + cols) + cuda_core.workspace_bytes(rows, cols)
    staging.require_memory(cupy, costs + turned + workspace, *shape, shape[0] * shape[1])


def solve(
    cupy: Any,
    method: Method,
    C: Any,
    maximize: bool,
    extent: Extent | None,
    initial: Any,
    settings: Mapping[str, Any],
    report: Report | None,
    seconds: dict[str, float],
) -> Solved:
    """An optimal full assignment of costs on the current device; the answer's arrays are there, too.

    ``extent`` is that of the costs, if it is known.
    """
    if settings["team"] != "threads":
        raise ValueError(f"team={settings['team']!r} is for device='cpu': on a GPU the team is the grid")
    if initial is not None:
        initial = [cupy.asarray(dual) for dual in initial]

    def solve_some(some: Any, known: Extent | None, start: Any) -> tuple[Task, dict[str, Any]]:
        if known is None:
            known = extent_of(cupy, some, maximize)
        return _solve(cupy, method, some, maximize, known, start, report, seconds)

    return solve_closely(solve_some, C, extent, initial)


def _solve(
    cupy: Any,
    method: Method,
    C: Any,
    maximize: bool,
    extent: Extent,
    initial: Any,
    report: Report | None,
    seconds: dict[str, float],
) -> tuple[Task, dict[str, Any]]:
    """A solved task, and what was counted."""
    seen = extent.least, extent.greatest
    task = Task(cupy, C, maximize, seen, initial)
    if task.rows == 0:
        return task, {}
    if method.variant["variant"] == "core":
        asks = initial is None and not extent.forbids and task.rows == task.cols
        task, stats = _solve_core(cupy, task, seen, asks, report, seconds)
        if stats is not None:
            return task, stats
        task = Task(cupy, C, maximize, seen, initial)
    began = perf_counter()
    launches = _Launches(
        cupy, task, "tree" if method.variant["variant"] == "core" else str(method.variant["variant"])
    )
    seconds["compile"] = seconds.get("compile", 0.0) + perf_counter() - began
    words, series, nanoseconds = launches.run(report)
    if words["status"] == INFEASIBLE:
        raise task.infeasible(*launches.reached())
    return task, launches.stats(words, series, nanoseconds)


def _solve_core(
    cupy: Any, task: Task, seen: tuple[Any, Any], asks: bool, report: Report | None, seconds: dict[str, float]
) -> tuple[Task, dict[str, Any] | None]:
    """A solved task and what core-paths counted; None if it could not go on."""
    began = perf_counter()
    core = cuda_core.CoreLaunches(cupy, task, COST_TYPES[str(task.costs.dtype)])
    seconds["compile"] = perf_counter() - began
    words, nanoseconds = core.run(scale_arguments(task.values), report, asks)
    if words["status"] == cuda_core.ALIKE:
        began = perf_counter()
        sorted_task = sorted_start.task(cupy, task, seen)
        seconds["sorted_start"] = perf_counter() - began
        if sorted_task is not None:
            task = sorted_task
            core = cuda_core.CoreLaunches(cupy, task, COST_TYPES[str(task.costs.dtype)])
        words, nanoseconds = core.run(scale_arguments(task.values), report)
    if words["status"] == INFEASIBLE:
        raise task.infeasible(*core.missed())
    return task, None if words["status"] == cuda_core.STALLED else core.stats(words, nanoseconds)


def scale_arguments(values: IntegerValues | RealValues) -> tuple[Any, ...]:
    """What a kernel is told about the values of costs: base, flip, masked, and the scale of reals."""
    if isinstance(values, IntegerValues):
        base, flip, reals = values.base, -int(values.maximize), (0.0, 1.0, 1.0)
    else:
        base, flip, reals = 0, 0, (values.base, values.first, values.second)
    return np.int64(base), np.int64(flip), np.int64(0), *(np.float64(real) for real in reals)


class _Launches:
    """A solve on the current device."""

    def __init__(self, cupy: Any, task: Task, variant: str):
        self.cupy, self.task, self.variant = cupy, task, variant
        rows, cols = task.rows, task.cols
        unit = cuda.module(cupy, UNIT, 32, 32, False, compile_options(task.costs.dtype, variant))
        self.kernel = unit.get_function(f"hungarian_{variant}")
        wanted = -(-rows * cols // ENTRIES_PER_BLOCK)
        self.blocks = min(max(wanted, 1), cuda.resident_blocks(cupy, self.kernel))
        tree = variant == "tree"
        self.words = cupy.empty(3 * rows + cols + ((1 + CHUNKS) * cols if tree else rows + 1), np.int64)
        self.ids = cupy.empty(2 * rows + 3 * cols + (CHUNKS * cols if tree else rows), np.int32)
        self.make_room(0 if tree else EDGES_PER_ROW * rows)

    def make_room(self, edges: int) -> None:
        """For so many edges with zero slack."""
        self.room = edges
        self.neighbour = self.cupy.empty(edges, np.int32)
        self.edge = self.cupy.empty(EDGE_IDS * edges, np.int32)

    def run(self, report: Report | None) -> tuple[dict[str, int], list[int], list[int]]:
        """The words of its state at the end, the series, and the nanoseconds of each step."""
        state = DeviceState(self.cupy, (*STATE, *SPENT), 1, unknown=("initial",))
        control = cuda.control(self.cupy, self.blocks)

        def launch() -> None:
            arguments = (*self._arguments(), state.array, control, np.int64(cuda.BUDGET_NS))
            self.kernel((self.blocks,), (BLOCK_THREADS,), arguments)

        def between(words: dict[str, int]) -> None:
            if report is not None:
                report(words["matched"], self.task.rows)
            if words["status"] == NEEDS_ROOM:
                self.make_room(max(words["edges"], 2 * self.room))
                state.resume(words)

        words = state.run(launch, between)
        return words, state.series, [words[name] for name in SPENT]

    def _arguments(self) -> tuple[Any, ...]:
        task = self.task
        return (
            np.int64(task.rows),
            np.int64(task.cols),
            task.costs,
            np.int64(task.cols),
            *scale_arguments(task.values),
            task.col_of_row,
            task.row_of_col,
            task.row_dual,
            task.col_dual,
            self.words,
            self.ids,
            self.neighbour,
            self.edge,
            np.int64(self.room),
            np.int64(task.warm),
        )

    def reached(self) -> tuple[Any, Any]:
        """The rows and columns that the last search reached."""
        rows, cols = self.task.rows, self.task.cols
        since = self.words[2 * rows : 3 * rows + cols].get() >= 0
        return self.cupy.asarray(since[:rows]), self.cupy.asarray(since[rows:])

    def stats(self, words: Mapping[str, int], series: list[int], nanoseconds: list[int]) -> dict[str, Any]:
        """What the user gets to see of the state, as on the CPU."""
        initial = words["initial"] if words["initial"] >= 0 else words["matched"]
        stats: dict[str, Any] = {
            "greedy_assignments": words["greedy"],
            "initial_assignments": initial,
            "assignments": series,
            "iterations": words["iterations"],
            "levels": words["levels"],
            "dual_updates": words["updates"],
            "entries_read": words["entries_read"],
            "path_edges": words["path_edges"],
        }
        if self.variant == "classical":
            stats |= {name: words[name] for name in ("compressions", "edges_scanned")}
            stats["zero_edges"] = words["edges"]
        stats |= {name: words[name] for name in ("supersteps", "launches")}
        stats |= {"workers": self.blocks * BLOCK_THREADS, "headers": cuda.headers_digest()}
        return stats | {"seconds": step_seconds(nanoseconds, self.variant)}
