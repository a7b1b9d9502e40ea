"""Assignment between two sets of points, in memory that is linear in the points."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from time import perf_counter
from typing import Any

import numpy as np

from konig import _native, registry
from konig.arguments import MOST_THREADS, checked_count, with_hints
from konig.assignment.auto import (
    POINT_MATRIX_ENTRIES,
    SMALL_ENTRIES,
    SMALL_PLAN,
    SMALL_POINT_TERMS,
    SMALL_ROWS,
    SORTED_POINTS,
    choose,
    solves_points_as_matrix,
)
from konig.assignment.cpu import How, Solved, ran, required
from konig.assignment.cpu import solve as solve_matrix
from konig.assignment.points import blocks, team
from konig.assignment.points.metrics import checked_metric, prepared, tiles
from konig.assignment.points.result import PointAssignment
from konig.assignment.result import answer_in
from konig.gpu.device import Gpu
from konig.interop import arrays
from konig.machine import on_gpu
from konig.progress import Report, reporting
from konig.registry import parse_device
from konig.threads import ENTRIES_PER_THREAD, worth_sharing

POINTS_PER_THREAD = 1 << 12  # below which a thread costs more than it saves
MOST_POINTS = 2**31 - 1  # they are numbered in 32 bits


@with_hints
def point_assignment(
    X: Any,
    Y: Any,
    metric: Any = "euclidean",
    *,
    device: str = "auto",
    threads: int | None = None,
    progress: bool | Report | None = None,
) -> PointAssignment:
    """Assign points to points, each to at most one, so that distances sum up to as little as possible.

    Every point of the smaller set is assigned. Costs are computed when they are needed: memory is linear in
    the points, but for a matrix of up to 256 MB where that is faster. The answer is optimal for all pairs,
    with the proof of `konig.linear_assignment`.

    Parameters
    ----------
    X, Y : array (n, d) and (m, d)
        The points, of any real type whose numbers are exact in float64; of NumPy, CuPy, PyTorch or JAX.
    metric : {"euclidean", "sqeuclidean", "cityblock", "chebyshev", "cosine"} or callable
        What a pair costs. Each name stands for float64 numbers by one formula: terms are added in the order
        of the coordinates, and each operation is rounded to the nearest. ``sqeuclidean`` adds
        ``(x[k] - y[k])**2``, ``euclidean`` is the square root of that, ``cityblock`` adds
        ``abs(x[k] - y[k])`` and ``chebyshev`` is the largest of these. ``cosine``, 1 less the cosine of the
        angle, is half of ``sqeuclidean`` between points divided by their norms. A function is called with
        blocks, ``metric(X[a:b], Y)``, and returns an array of b - a rows of m finite numbers; points in lists
        are arrays of NumPy there. It must say the same each time it is called with the same block: where a
        matrix would take more than 256 MB it is called several times.
    device : {"auto", "cpu", "cuda", "cuda:N"}
        Where to solve; "auto" is where the points are. On a GPU all pairs are looked at several times; duals
        to start from, of a coarser problem, and the proof are the host's. With a function as metric it is the
        CPU, wherever the points are.
    threads : int, optional
        How many threads search for pairs; if not given, as many as there are cores that nothing else uses.
    progress : bool or callable, optional
        True for a bar on stderr, or a function called with (done so far, to be done).

    Returns
    -------
    PointAssignment
        The pairs, their cost, the duals that prove it, and what was counted.

    Examples
    --------
    >>> import numpy as np, konig
    >>> X = np.array([[0.0, 0.0], [4.0, 0.0]])
    >>> Y = np.array([[3.0, 0.0], [9.0, 9.0], [0.0, 1.0]])
    >>> a = konig.point_assignment(X, Y)
    >>> a.col_ind.tolist(), a.cost
    ([2, 0], 2.0)
    >>> a.verify(X, Y)
    >>> konig.point_assignment(X, Y, metric=lambda x, y: abs(x[:, :1] - y[:, 0])).cost
    1.0
    """
    if (
        progress is None
        and (device == "auto" or device == "cpu")
        and (threads is None or (threads == 1 and type(threads) is int))
    ):
        small = assign_small(X, Y, metric, threads)
        if small is not None:
            return small
    began = perf_counter()
    metric = checked_metric(metric)
    workers = checked_count("threads", threads, most=MOST_THREADS)
    if callable(metric) and parse_device(device)[0] == "cuda":
        raise ValueError(f"device={device!r}: with a function as metric points are assigned on the CPU")
    places = [arrays.place_of(some, name) for some, name in ((X, "X"), (Y, "Y"))]
    arrays.require_one_place(places, "X and Y", ("X is", "Y"))
    place = places[0] or places[1] or arrays.HOST
    kind, number = ("cpu", None) if callable(metric) else registry.choose_device(None, device, place.gpu)
    gpu_of_solve = Gpu(number, place) if kind == "cuda" else nullcontext()
    with gpu_of_solve as gpu, reporting(progress, "assignment (points)") as report:
        if callable(metric):
            shape, found = tiles(X, Y, metric)
            converted = perf_counter()
            solved, method = _by_blocks(shape, found, workers, report)
        else:
            x, y = prepared(X, Y, metric)
            converted = perf_counter()
            solved, method = _between(x, y, metric, gpu, workers, report)
    parts = {name: solved.stats.pop(f"{name}_seconds", None) for name in ("tree", "search", "path", "proof")}
    seconds: dict[str, float] = {name: part for name, part in parts.items() if part is not None}
    seconds |= solved.stats.get("seconds", {}) | {
        "convert": converted - began,
        "main": perf_counter() - converted,
    }
    return PointAssignment(
        **answer_in(place, solved),
        method=method,
        device=str(gpu) if gpu else "cpu",
        stats={**solved.stats, "seconds": seconds},
        place=place,
        metric=metric,
    )


def assign_small(X: Any, Y: Any, metric: Any, threads: int | None) -> PointAssignment | None:
    """The answer for a few points in arrays of NumPy by one native call; None for what it does not take.

    The call has one thread.
    """
    if type(metric) is not str:
        return None
    most_terms = SMALL_POINT_TERMS if threads is None else sys.maxsize
    how = SMALL_PLAN, SMALL_ENTRIES, SMALL_ROWS, most_terms, SORTED_POINTS
    small: Any = _native.assign_points_small(PointAssignment, X, Y, metric, *how)
    if small is not None:
        small.__dict__["metric"] = metric
    return small  # type: ignore[no-any-return]


def _between(
    x: np.ndarray, y: np.ndarray, metric: str, gpu: Any, threads: int | None, report: Report | None
) -> tuple[Solved, str]:
    """The answer for prepared points, found on the GPU if one is given, and by which method."""
    if max(len(x), len(y)) > MOST_POINTS:
        raise ValueError(f"X and Y must have fewer than 2**31 points, not {max(len(x), len(y))}")
    if not len(x) or not len(y):
        return _nothing((len(x), len(y))), "core-paths" if gpu else "core"
    if len(x) > len(y):  # every formula is symmetric
        solved, method = _between(y, x, metric, gpu, threads, report)
        return solved.transposed(), method
    if x.shape[1] == 0:  # all points are one
        x, y = np.zeros((len(x), 1)), np.zeros((len(y), 1))
    workers = worth_sharing(len(x), threads, POINTS_PER_THREAD)
    if gpu:
        machine = on_gpu(gpu.cupy, {"team": "threads"})
        return team.solve(machine, x, y, metric, report, workers), "core-paths"
    if solves_points_as_matrix(len(x), len(y), x.shape[1]):
        return _by_matrix(x, y, metric, threads, report)
    col_of_row: Any = np.empty(len(x), np.int64)
    duals: tuple[Any, Any] = np.empty(len(x)), np.empty(len(y))
    given: tuple[Any, Any] = x, y
    cost, gap, stats = _native.assign_points(*given, metric, workers, col_of_row, *duals, report)
    return Solved(np.arange(len(x)), col_of_row, cost, gap, *duals, stats), "core"


def _by_matrix(
    x: np.ndarray, y: np.ndarray, metric: str, threads: int | None, report: Report | None
) -> tuple[Solved, str]:
    """The same by all costs, computed once."""
    began = perf_counter()
    costs = np.empty((len(x), len(y)))
    given: tuple[Any, Any, Any] = x, y, costs.ravel()
    workers = worth_sharing(costs.size * x.shape[1], threads, ENTRIES_PER_THREAD)
    _native.point_costs(*given[:2], metric, workers, given[2], None)
    return _of_matrix(costs, perf_counter() - began, threads, report)


def _by_blocks(
    shape: tuple[int, int], tiles_of: Any, threads: int | None, report: Report | None
) -> tuple[Solved, str]:
    """The answer for costs that a function gives by blocks of rows."""
    if not min(shape):
        return _nothing(shape), "core"
    if shape[0] * shape[1] > POINT_MATRIX_ENTRIES:
        return blocks.solve(shape, tiles_of, report), "core"
    began = perf_counter()
    costs = np.empty(shape)
    for part, tile in tiles_of():
        costs[part] = tile
    return _of_matrix(costs, perf_counter() - began, threads, report)


def _of_matrix(
    costs: np.ndarray, seconds: float, threads: int | None, report: Report | None
) -> tuple[Solved, str]:
    """The answer for all costs, which took so long to compute."""
    how = How(choose(*costs.shape), {}, False, threads=threads, report=report)
    solved = required(solve_matrix(costs, how))
    solved.stats["seconds"] = {"costs": seconds, **solved.stats.get("seconds", {})}
    return solved, ran(how.method, solved.stats)


def _nothing(shape: tuple[int, int]) -> Solved:
    none = np.zeros(0, np.int64)
    return Solved(none, none.copy(), 0.0, 0.0, np.zeros(shape[0]), np.zeros(shape[1]), {})
