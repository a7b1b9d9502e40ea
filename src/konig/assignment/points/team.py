"""Assignment between points by core-paths, with costs that are computed as they are read.

It starts from the duals of a coarser problem. What float64 and whole numbers leave open is settled on the
host, by searches in trees of the points.
"""

from __future__ import annotations

import itertools
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from konig import _native, programs
from konig.assignment.cpu import Solved
from konig.assignment.integers import RealValues, real_values
from konig.assignment.problem import Problem, centred
from konig.assignment.programs import PROGRAMS, Assigning
from konig.assignment.team import MOST_STARTS
from konig.gpu.commands import Commands
from konig.machine import Machine
from konig.progress import Report
from konig.results import added_stats

METRICS = (
    "sqeuclidean",
    "euclidean",
    "cityblock",
    "chebyshev",
    "cosine",
)  # as konig/assignment/point_costs.h

HELD_COORDINATES = 3  # as PointLine::kHeld there
LEAST_ROWS = 100_000  # of coarser problems that go to the device, too: trees win below
MOST_SCALES = 1 << 13  # times the scale of costs that sums along paths have room for


class Start(NamedTuple):
    """Column duals to start from, and a cost that is like those of the pairs and the range of the duals."""

    col_dual: np.ndarray
    scale: float


class PointProblem(Problem):
    """Two sets of points instead of costs, the smaller one as rows, and room for the answer."""

    def __init__(self, xp: Any, x: np.ndarray, y: np.ndarray, metric: str, start: Start | None):
        super().__init__(xp, len(x), len(y))
        self.takes_duals, self.initial = True, None
        greatest = greatest_cost(x, y, metric)
        self.values: RealValues = real_values(0.0, greatest, self.rows, False)
        if start is not None:
            # Sums along paths could be as large as all rows together: with good duals they are not, and the
            # bits are spent on costs. A sum that does not fit ends the solve.
            self.values = real_values(0.0, min(start.scale, greatest), MOST_SCALES, False)
            self.initial = self.values.start(start.col_dual, (0.0, greatest), self.rows)
        self.points = {"x": xp.asarray(x), "y": xp.asarray(np.ascontiguousarray(y.T))}
        self.numbers = {"dimension": x.shape[1], "metric": METRICS.index(metric)}
        self.restart()

    def _initial_duals(self) -> np.ndarray:
        duals: np.ndarray = self.initial
        return duals

    @property
    def type_of_costs(self) -> str:
        return "points"

    @property
    def type_of_paid(self) -> Any:
        return np.float64

    def _find_paid(self, commands: Commands | None, status: int = 0) -> None:
        """The proof calculates what pairs cost."""

    @property
    def cost_arrays(self) -> dict[str, Any]:
        return self.points

    @property
    def cost_numbers(self) -> dict[str, int]:
        return self.numbers

    @property
    def compile_options(self) -> tuple[str, ...]:
        return compile_options(self.numbers["metric"], self.numbers["dimension"])


def compile_options(metric: int, dimension: int) -> tuple[str, ...]:
    """Device code is made for one metric, and for one dimension if the device holds all coordinates."""
    of_dimension = (f"-DKONIG_POINT_DIMENSION={dimension}",) if dimension <= HELD_COORDINATES else ()
    return (f"-DKONIG_POINT_METRIC={metric}", *of_dimension)


def greatest_cost(x: np.ndarray, y: np.ndarray, metric: str) -> float:
    """A bound on all costs: what the corners of a box around all points cost, and a little more."""
    extent = np.maximum(x.max(axis=0), y.max(axis=0)) - np.minimum(x.min(axis=0), y.min(axis=0))
    if metric == "chebyshev":
        return float(extent.max())
    if metric == "cityblock":
        return float(extent.sum()) * (1 + 1e-9)
    squared = float((extent * extent).sum()) * (1 + 1e-9)
    return {"euclidean": float(np.sqrt(squared)), "cosine": squared / 2}.get(metric, squared)


def solve(
    machine: Machine, x: np.ndarray, y: np.ndarray, metric: str, report: Report | None, threads: int
) -> Solved:
    """The answer for prepared points, of which those of ``x`` are not more; ``threads`` are for the proof."""
    xp = machine.xp
    options = compile_options(METRICS.index(metric), x.shape[1])
    machine.expect(programs.find(PROGRAMS["core"], ("points",)), options, items=len(x) * len(y))
    began = perf_counter()
    start = _coarse_start(machine, x, y, metric, report, threads)
    seconds = {"start": perf_counter() - began}
    problem = _assigned(machine, PointProblem(xp, x, y, metric, start), report)
    if problem is None:  # sums with the start's finer units do not fit; without given duals all do
        problem = _assigned(machine, PointProblem(xp, x, y, metric, None), report)
        assert problem is not None
    # On the host, where arithmetic needs no kernel to be compiled for it.
    duals = problem.values.col_duals(centred(problem.found.col_dual, problem.rows))
    col_of_row = problem.found.col_of_row.astype(np.int64)
    row_dual: Any = np.empty(len(x))
    points: tuple[Any, Any] = x, y
    answer: tuple[Any, Any, Any] = col_of_row, row_dual, duals
    cost, gap, proof = _native.prove_points(*points, metric, threads, *answer, report)
    proof = {name.removesuffix("_seconds"): value for name, value in proof.items()}
    problem.stats["exact_solves"] = proof.pop("exact_solves")
    problem.stats["seconds"] |= proof | seconds
    return Solved(np.arange(len(x)), col_of_row, cost, gap, row_dual, duals, problem.stats)


def _assigned(machine: Machine, problem: PointProblem, report: Report | None) -> PointProblem | None:
    """The problem with its answer; None if sums did not fit."""
    for starts in itertools.count(1):
        outcome = Assigning(problem, "core", machine.start).run(report)
        if outcome.status == "stalled":
            return None
        counted = {**outcome.counted, **machine.facts, "seconds": outcome.seconds}
        problem.stats = added_stats(problem.stats, counted)
        if not problem.drop_leftover_duals(cold=starts >= MOST_STARTS):
            return problem
    raise AssertionError("unreachable")


def _coarse_start(
    machine: Machine, x: np.ndarray, y: np.ndarray, metric: str, report: Report | None, threads: int
) -> Start | None:
    """What a coarser problem tells, if there is one: the host solves it if it is small."""
    if not _native.has_coarser_points(*x.shape):
        return None
    means = [_native.coarser_points(of).reshape(-1, of.shape[1]) for of in (x, y)]
    coarser: tuple[Any, Any] = means[0], means[1]
    rows, cols = map(len, coarser)
    pairs: Any = np.empty(rows, np.int64)
    row_dual: Any = np.empty(rows)
    if rows < LEAST_ROWS:
        unused: Any = np.empty(cols)
        _native.assign_points(*coarser, metric, threads, pairs, row_dual, unused, report)
    else:
        solved = solve(machine, *coarser, metric, report, threads)
        pairs, row_dual = solved.col_ind, solved.row_dual
    col_dual: Any = np.empty(len(y))
    points: tuple[Any, Any] = x, y
    dearest = _native.start_from_coarser_points(*points, metric, threads, row_dual, pairs, col_dual)
    scale = max(dearest, float(np.ptp(col_dual)) * 8 / MOST_SCALES)
    return Start(col_dual, scale) if scale > 0 else None
