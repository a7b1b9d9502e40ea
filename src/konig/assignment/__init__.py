"""Linear assignment: validate, choose, solve, return the proof."""

from __future__ import annotations

from contextlib import nullcontext
from time import perf_counter
from typing import Any

import numpy as np
import scipy.sparse as sp

from konig import _native, registry
from konig.arguments import MOST_THREADS, checked_count, checked_flag
from konig.assignment import batch, cpu, unassigned, unassigned_batch
from konig.assignment import gpu as gpu_assignment
from konig.assignment.auto import SMALL_ENTRIES, SMALL_PLAN, choose_assignment
from konig.assignment.cpu import BatchSolved, How, Solved, ran, required
from konig.assignment.inputs import SparseCosts, check_sparse_costs, dense_costs, sparse_costs
from konig.assignment.methods import ADAPTIVE, CREW_PATHS
from konig.assignment.partial import solve_largest
from konig.assignment.result import Assignment, AssignmentBatch, answer_in
from konig.assignment.small import assign_small
from konig.errors import InfeasibleError
from konig.gpu.device import Gpu
from konig.index_arrays import as_array
from konig.interop import arrays
from konig.interop.index_matrices import sparse_on_host
from konig.matching.result import VertexCover
from konig.progress import Report, reporting


def linear_assignment(
    C: Any,
    *,
    maximize: bool = False,
    full: bool = True,
    method: str = "auto",
    device: str = "auto",
    threads: int | None = None,
    seed: int | None = None,
    initial: Any = None,
    progress: bool | Report | None = None,
    row_counts: Any = None,
    col_counts: Any = None,
    unassigned_cost: Any = None,
    **knobs: Any,
) -> Assignment | AssignmentBatch:
    """Assign rows to columns, each to at most one, so that the costs sum up to as little as possible.

    Every row is assigned, or every column if there are fewer of them; with ``unassigned_cost`` as many as it
    pays to.

    Parameters
    ----------
    C : array or sparse matrix
        Costs, (n, m), of booleans, integers or floats of up to 64 bits; solved in int32, int64, float32 or
        float64, whichever holds them. Integers may be from -2**63 + 2 to 2**63 - 2.
        ``inf`` forbids a pair (``-inf`` when maximising). In a sparse matrix, of SciPy, CuPy, PyTorch or JAX,
        what is not stored is forbidden, stored zeros cost 0 (in BSR also those that fill up a block) and
        duplicates add up: real ones in float64, and the answer and its gap are about the rounded sums. An
        array (B, n, m) is a batch of B problems. It is never modified.
    maximize : bool
        Sum up to as much as possible.
    full : bool
        Whether a problem in which not all rows (or columns) can be assigned is an error. If not, the answer
        is the cheapest of the largest assignments.
    method : str
        A name from ``konig.methods("assignment")``, or "auto" for the best known choice.
    device : {"auto", "cpu", "cuda", "cuda:N"}
        Where to solve; sparse costs are solved on the CPU, wherever they are.
    threads : int, optional
        How many workers a parallel method uses; if not given, as many as there are cores that nothing else
        uses.
    seed : int, optional
        Seed for methods that draw random numbers.
    initial : Assignment or (row_dual, col_dual), optional
        A warm start: an earlier result of a similar problem, or its duals. Any duals will do; good ones
        make the solve short.
    progress : bool or callable, optional
        True for a bar on stderr, or a function called with (assigned so far, to be assigned).
    row_counts, col_counts : array (B,), optional
        In a batch, how many rows and columns each problem has; what lies beyond them is not looked at.
    unassigned_cost : number or pair (rows, columns), optional
        What leaving a row or a column alone costs (earns, when maximising): numbers for all of them, arrays
        with one for each, or None for nothing; in a batch also (B, n) and (B, m). A single number is that of
        rows, where columns cost nothing. A pair is then made only if its cost is at most that number: the
        cost limit of trackers. ``cost`` has these costs in it, and every problem has an answer. Integers and
        reals together are solved as reals.
    **knobs
        The method's own settings; ``konig.methods("assignment")`` lists them.

    Returns
    -------
    Assignment or AssignmentBatch
        The pairs, their cost, the duals that prove it, and what the method counted.

    Raises
    ------
    InfeasibleError
        If no assignment is full; it carries the rows (or columns) that have too few partners.

    Examples
    --------
    >>> import numpy as np, konig
    >>> C = np.array([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
    >>> a = konig.linear_assignment(C)
    >>> a.col_ind.tolist(), a.cost
    ([1, 0, 2], 5)
    >>> a.verify(C)
    >>> konig.linear_assignment([[1.0, 2.0], [3.0, float("inf")]], maximize=False).cost
    5.0
    >>> gated = konig.linear_assignment(C, unassigned_cost=2)  # pairs cost 2 at most
    >>> gated.row_ind.tolist(), gated.col_ind.tolist(), gated.cost  # two rows left alone, at 2 each
    ([1], [1], 4)
    >>> gated.verify(C, unassigned_cost=2)
    """
    small: Any = assign_small(
        C,
        maximize,
        full,
        method,
        device,
        threads,
        knobs,
        unassigned_cost,
        seed,
        initial,
        progress,
        row_counts,
        col_counts,
    )
    if small is not None:
        return small  # type: ignore[no-any-return]
    if (
        method == "auto"
        and (device == "auto" or device == "cpu")
        and (threads is None or (threads == 1 and type(threads) is int))
        and seed is initial is progress is row_counts is col_counts is None
        and (maximize is False or maximize is True)
        and (full is True or full is False)
        and not knobs
    ):
        if unassigned_cost is not None:
            is_number = type(unassigned_cost) is float or type(unassigned_cost) is int
            sides: tuple[Any, Any] = (unassigned_cost, None)
            if not is_number:
                sides = unassigned.per_side(unassigned_cost)
            small = _native.assign_unassigned(
                Assignment, C, *sides, maximize, SMALL_PLAN, 1, None, SMALL_ENTRIES
            )
            if small is not None:
                return small  # type: ignore[no-any-return]
        elif sp.issparse(C):
            if C.format == "csr" and C.ndim == 2:
                rows, cols = C.shape
                small = _native.assign_sparse_small(
                    Assignment, C.indptr, C.indices, C.data, rows, cols, maximize, SMALL_ENTRIES
                )
                if small is not None:
                    small.__dict__["method"] = "jv"
                    return small  # type: ignore[no-any-return]
            how = How(choose_assignment("auto", device, None, C.shape, True), {}, maximize, threads=threads)
            return _solve_one(C, arrays.HOST, None, how, full, None, perf_counter())
    began = perf_counter()
    if not hasattr(C, "shape"):
        C = as_array(C, "C")
    place = arrays.HOST if isinstance(C, np.ndarray) else arrays.place_of(C, "C") or arrays.HOST
    # Sparse costs are solved on the host, and the answer goes back to where they were.
    sparse = None
    if not isinstance(C, np.ndarray):
        sparse = C if sp.issparse(C) else sparse_on_host(C, place, "C")
    C = C if sparse is None else sparse
    input_gpu = place.gpu if sparse is None else None
    shape = tuple(getattr(C, "shape", ()))
    chosen = choose_assignment(method, device, input_gpu, shape, sparse is not None)
    kind, number = registry.choose_device(chosen, device, input_gpu)
    workers = checked_count("threads", threads, most=MOST_THREADS)
    seed = checked_count("seed", seed, least=0)
    if knobs and method == "auto":
        raise registry.unknown_argument(linear_assignment, knobs)
    settings = chosen.settings(knobs)
    maximize, full = checked_flag("maximize", maximize), checked_flag("full", full)
    is_batch = len(shape) == 3
    if not is_batch and not (row_counts is None and col_counts is None):
        raise ValueError("row_counts and col_counts are for a batch, and C is a single problem")
    if initial is not None and unassigned_cost is not None:
        raise ValueError("initial does not go with unassigned_cost")
    if is_batch and initial is not None:
        raise ValueError("initial is for a single problem, and C is a batch")
    gpu_of_solve = Gpu(number, place) if kind == "cuda" else nullcontext()
    with gpu_of_solve as gpu, reporting(progress, f"assignment ({method})") as report:
        how = How(chosen, settings, maximize, threads=workers, seed=seed, report=report)
        if is_batch:
            counts = row_counts, col_counts
            return _solve_batch(C, place, gpu, how, full, *counts, began, unassigned_cost)
        return _solve_one(C, place, gpu, how, full, initial, began, unassigned_cost)


def _solve_one(
    C: Any,
    place: arrays.Place,
    gpu: Any,
    how: How,
    full: bool,
    initial: Any,
    began: float,
    unassigned_cost: Any = None,
) -> Assignment:
    """Solve on the GPU given, where the costs are brought if they are elsewhere, or on the host."""
    seconds: dict[str, float] = {}
    costs: Any
    extent = None
    if gpu:
        costs, extent = gpu_assignment.device_costs(gpu, C, place, how, seconds)
    elif sp.issparse(C):
        costs = sparse_costs(C)
        how.largest = check_sparse_costs(costs, how.maximize)
    else:
        costs = _in_either_order(as_array(C, "C"))
    start = None if initial is None else starting_duals(initial, costs)
    converted = perf_counter()

    def solve(C: Any, extent: Any = None, start: Any = None) -> cpu.Found:
        if gpu:
            return gpu_assignment.solve(gpu.cupy, gpu.cupy.asarray(C), how, extent, start, seconds)
        return cpu.solve(C, how, start or cpu.NOTHING)

    cover = None
    solved: cpu.Found
    if unassigned_cost is None:
        solved = solve(costs, extent, start)
    else:
        alone = unassigned.checked(unassigned_cost, costs.shape, unassigned.is_real(costs))
        if gpu:
            assert extent is not None
            solved = gpu_assignment.solve_unassigned(gpu.cupy, costs, alone, how, extent, seconds)
        else:
            solved = unassigned.solve(costs, alone, how)
    if isinstance(solved, InfeasibleError) and not full:
        on_host = costs.get() if gpu else costs
        solved, cover = solve_largest(on_host, how.maximize, lambda part: required(solve(part)).on_host())
    solved = required(solved)
    if gpu:
        gpu.cupy.cuda.get_current_stream().synchronize()
    stats = _with_seconds(solved.stats, seconds, began, converted)
    if cover is not None:
        cover = VertexCover(place.give(cover.rows), place.give(cover.cols))
    return Assignment.of(
        **answer_in(place, solved),
        method=ran(how.method, stats),
        device=str(gpu) if gpu else "cpu",
        stats=stats,
        maximize=how.maximize,
        cover=cover,
        place=place,
        may_leave_alone=unassigned_cost is not None,
    )


def _solve_batch(
    C: Any,
    place: arrays.Place,
    gpu: Any,
    how: How,
    full: bool,
    row_counts: Any,
    col_counts: Any,
    began: float,
    unassigned_cost: Any = None,
) -> AssignmentBatch:
    """The same for a batch; problems without an answer are solved again on the host, or refused."""
    seconds: dict[str, float] = {}
    host_how = how
    if gpu:
        if how.method is not CREW_PATHS:
            raise ValueError(f"method={how.method.name!r} does not take batches; on a GPU 'auto' does")
        costs = batch.device_costs(gpu, C, place, seconds)
        host_how = How(ADAPTIVE, {}, how.maximize, threads=how.threads, report=how.report)
    else:
        costs = dense_costs(C)
    problems, rows, cols = costs.shape
    counts = (
        batch.checked_counts("row_counts", row_counts, problems, rows),
        batch.checked_counts("col_counts", col_counts, problems, cols),
    )
    alone = None
    if unassigned_cost is not None:
        alone = unassigned.checked(unassigned_cost, costs.shape, costs.dtype.kind == "f")
        if alone.is_real and costs.dtype.kind == "i":
            costs = unassigned.reals_there(costs)
    converted = perf_counter()
    solved: BatchSolved
    if alone is not None and gpu:
        solved = unassigned_batch.solve(gpu.cupy, costs, alone, how, *counts, seconds)
    elif alone is not None:
        solved = cpu.solve_batch(costs, how, *counts, (alone.row, alone.col))
    elif gpu:
        solved = batch.solve_batch(gpu.cupy, costs, how.maximize, *counts, how.report, seconds)
    else:
        solved = cpu.solve_batch(costs, how, *counts)

    def largest(costs: Any) -> tuple[Solved, VertexCover]:
        return solve_largest(costs, how.maximize, lambda part: required(cpu.solve(part, host_how)))

    covers = batch.solve_rest(costs, solved, host_how, *counts, None if full else largest, alone)
    stats = _with_seconds(solved.stats, seconds, began, converted)
    row_counts, col_counts = batch.all_counts(costs.shape, *counts)
    return AssignmentBatch(
        **answer_in(place, solved),
        method=ran(how.method, stats),
        device=str(gpu) if gpu else "cpu",
        stats=stats,
        row_counts=row_counts,
        col_counts=col_counts,
        maximize=how.maximize,
        covers=covers,
        place=place,
        may_leave_alone=alone is not None,
    )


def _with_seconds(
    stats: dict[str, Any], seconds: dict[str, float], began: float, converted: float
) -> dict[str, Any]:
    """The statistics with the seconds of parts; called as soon as the answer is there."""
    parts = {
        "convert": converted - began - seconds.get("costs_to_device", 0.0),
        **seconds,
        **stats.get("seconds", {}),
        "main": perf_counter() - converted - seconds.get("compile", 0.0),
    }
    return {**stats, "seconds": parts}


def _in_either_order(C: np.ndarray) -> np.ndarray:
    """Dense costs row after row, or column after column where they lie so already."""
    by_columns = C.ndim == 2 and C.flags.f_contiguous and not C.flags.c_contiguous
    return dense_costs(C.T).T if by_columns else dense_costs(C)


def starting_duals(initial: Any, costs: np.ndarray | SparseCosts) -> tuple[np.ndarray, np.ndarray]:
    """The duals to start from, in the type of the problem's duals, once they are checked."""
    if isinstance(initial, Assignment):
        initial = (initial.row_dual, initial.col_dual)
    if not isinstance(initial, tuple | list) or len(initial) != 2:
        raise TypeError(f"initial must be an Assignment or a pair (row_dual, col_dual), not {initial!r}")
    duals = []
    integral = (costs.cost if isinstance(costs, SparseCosts) else costs).dtype.kind == "i"
    for side, given, extent in zip(("row", "column"), initial, costs.shape, strict=True):
        dual = as_array(given, f"initial: {side} duals")
        if dual.shape != (extent,) or dual.dtype.kind not in "iuf":
            raise ValueError(
                f"initial: expected {extent} {side} duals, not {dual.dtype} of shape {dual.shape}"
            )
        wrong = np.flatnonzero(~np.isfinite(dual))
        if len(wrong):
            raise ValueError(f"initial: {side} dual {wrong[0]} is {dual[wrong[0]]}, not a finite number")
        if integral and dual.dtype.kind == "f":
            dual = np.rint(np.clip(dual, -(2.0**62), 2.0**62))
        duals.append(np.ascontiguousarray(dual, np.int64 if integral else np.float64))
    return duals[0], duals[1]
