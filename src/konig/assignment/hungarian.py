"""What the methods on a team share on every machine: the problem as they take it, the answer as we give it.

The arrays are NumPy's or CuPy's, wherever the costs are; ``xp`` is the library.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from konig import _native
from konig.assignment.cpu import Solved, failure
from konig.assignment.integers import IntegerValues, RealValues, integer_values, real_values, sums_fit
from konig.assignment.programs import Assigning
from konig.assignment.wide_costs import added_stats, solve_in_two_passes, too_wide
from konig.errors import InfeasibleError
from konig.exact_reals import exact_sum, float_of
from konig.programs import TeamSolve
from konig.progress import Report
from konig.registry import Method
from konig.threads import chosen_threads

# From how many sets of duals a rectangle is started before it is from none.
MOST_STARTS = 4

# A task is precise if all that was cut off of its costs is below this part of what is assigned. The proof
# closes such a gap among the pairs within it, which are about this part of a row's.
PRECISE = 1e-5
MOST_CUTS = 8  # solves without dear pairs


class Task:
    """Costs with the shorter side as rows, and room for the answer.

    Duals and reached rows and columns are those of the solver, about whole numbers and this orientation.
    """

    def __init__(
        self,
        xp: Any,
        C: Any,
        maximize: bool,
        bounds: tuple[Any, Any],
        initial: Any = None,
        start_rectangles: bool = False,
        threads: int = 1,
    ):
        self.xp, self.given, self.maximize, self.threads = xp, C, maximize, threads
        self.transposed = C.shape[0] > C.shape[1]
        self.costs = self._oriented(C)
        self.rows, self.cols = self.costs.shape
        whole = C.dtype.kind == "i"
        self.warm = initial is not None and (self.rows == self.cols or start_rectangles)
        if whole and not sums_fit(int(bounds[1]) - int(bounds[0]), 2 * self.rows):
            self.warm = False  # given duals need one more bit, and the costs leave none
        longest = 2 * self.rows if self.warm else self.rows
        self.values: IntegerValues | RealValues = (
            integer_values(int(bounds[0]), int(bounds[1]), longest, maximize)
            if whole
            else real_values(float(bounds[0]), float(bounds[1]), longest, maximize)
        )
        self.restart(bounds, initial)

    def _oriented(self, C: Any) -> Any:
        return self.xp.ascontiguousarray(C.T if self.transposed else C)

    def without_dear_pairs(self) -> Any | None:
        """The costs of a solved task, but for pairs that no optimal assignment has; None if that is no use.

        The whole numbers that were solved are the costs, each cut off by less than a unit. So the assignment
        is within a unit a row of the optimum, and a pair whose reduced cost exceeds that cannot be in an
        optimal one. Without pairs that are far dearer than all others the unit can be far smaller.
        """
        if not isinstance(self.values, RealValues):
            return None
        sign = -1.0 if self.maximize else 1.0
        unit = 1 / abs(self.values.first) / self.values.second
        within = 2 * self.rows * unit
        assigned = sign * self._assigned().astype(np.float64)
        with np.errstate(over="ignore"):  # an infinite sum is as good as any that is large enough
            if within <= PRECISE * float(abs(assigned).sum()):
                return None
        col_dual = sign * self.values.col_duals(self._centred(self.col_dual))
        row_dual = assigned - col_dual[self.col_of_row]
        dear = float(row_dual.max()) + float(col_dual.max()) + within
        allowed = self.xp.isfinite(self.given)
        greatest = float(self.xp.where(allowed, sign * self.given, -np.inf).max())
        if not 2 * abs(dear) < abs(greatest):
            return None
        return self.xp.where(sign * self.given > dear, self.given.dtype.type(sign * np.inf), self.given)

    def restart(self, bounds: tuple[Any, Any], initial: Any = None) -> None:
        """Nothing is assigned, and duals are those given, or zero."""
        xp = self.xp
        self.col_of_row, self.row_of_col = xp.full(self.rows, -1, np.int32), xp.full(self.cols, -1, np.int32)
        self.row_dual, self.col_dual = xp.zeros(self.rows, np.int64), xp.zeros(self.cols, np.int64)
        if self.warm:
            self.col_dual = self.values.start(xp, initial[0 if self.transposed else 1], bounds, self.rows)
            if self.rows < self.cols:
                self.col_dual = xp.minimum(self.col_dual, 0)

    def start_again(self, cold: bool) -> bool:
        """On a rectangle, where a column left over must have no dual: whether some had to lose theirs."""
        left_over = (self.row_of_col < 0) & (self.col_dual != 0)
        if self.rows == self.cols or not left_over.any():
            return False
        self.col_dual[left_over | cold] = 0
        self.row_dual[:] = 0
        self.col_of_row[:] = self.row_of_col[:] = -1
        return True

    def solved(self, stats: dict[str, Any], C: Any = None) -> Solved:
        """The answer in the caller's orientation and numbers, and about costs that are given here, if any."""
        xp = self.xp
        if C is not None:
            self.costs = self._oriented(C)
        if isinstance(self.values, IntegerValues):
            row_dual, col_dual = self.values.duals(xp, self.row_dual, self.col_dual)
            cost: int | float = sum(self._assigned().tolist())
            gap: int | float = 0
        else:
            row_dual, col_dual, gap, stats["exact_solves"] = self._proved()
            cost = float_of(exact_sum(self._assigned().tolist()))
        pairs = xp.arange(self.rows), self.col_of_row.astype(np.int64)
        if not self.transposed:
            return Solved(*pairs, cost, gap, row_dual, col_dual, stats)
        order = xp.argsort(pairs[1])
        return Solved(pairs[1][order], pairs[0][order], cost, gap, col_dual, row_dual, stats)

    def _assigned(self) -> Any:
        """The costs of the pairs, by row."""
        return self.costs[self.xp.arange(self.rows), self.col_of_row]

    def _proved(self) -> tuple[Any, Any, float, int]:
        """Real duals of rows and columns, and the gap that they prove; another assignment if that is needed.

        The whole numbers that were solved are rounded costs, so that their duals are a start.
        """
        assert isinstance(self.values, RealValues)
        if self.rows == 0:
            return self.xp.zeros(0), self.xp.zeros(self.cols), 0.0, 0
        sign = -1.0 if self.maximize else 1.0
        col_dual = sign * self.values.col_duals(self._centred(self.col_dual))
        if self.xp is np:
            row_dual = np.empty(self.rows)
            gap, solves = _native.prove_assignment(
                self.costs, self.maximize, self.threads, self.col_of_row, row_dual, col_dual
            )
        else:
            from konig.assignment import gpu_proof as cuda_proof

            col_of_row, col_dual = self.col_of_row.get(), col_dual.get()
            row_dual, gap, solves = cuda_proof.prove(self.xp, self.costs, self.maximize, col_of_row, col_dual)
            self.col_of_row = self.xp.asarray(col_of_row)
        if not np.isfinite(gap):
            raise failure("duals too large", None, np.float64, False)
        duals = (self.xp.asarray(sign * dual + 0.0) for dual in (row_dual, col_dual))
        return *duals, gap, solves

    def _centred(self, duals: Any) -> Any:
        """Where no column is left over a constant may move between the sides: smaller numbers round less."""
        if self.rows != self.cols or self.rows == 0:
            return duals
        return duals - (int(duals.max()) + int(duals.min())) // 2

    def infeasible(self, row_reached: Any, col_reached: Any) -> InfeasibleError:
        """The error that carries the rows and columns reached: they are a Hall violator."""
        some, others = self.xp.flatnonzero(row_reached), self.xp.flatnonzero(col_reached)
        return InfeasibleError(*((others, some) if self.transposed else (some, others)))


def bounds(xp: Any, C: Any, forbids: bool) -> tuple[Any, Any]:
    """The least and the greatest finite cost; zeros where there is none."""
    if C.size == 0:
        return 0, 0
    if not forbids:
        return C.min().item(), C.max().item()
    finite = xp.isfinite(C)
    least = xp.where(finite, C, np.inf).min().item()
    greatest = xp.where(finite, C, -np.inf).max().item()
    return (least, greatest) if least <= greatest else (0, 0)


def solve_on_cpu(
    method: Method,
    C: np.ndarray,
    maximize: bool,
    forbids: bool,
    initial: Any,
    settings: Mapping[str, Any],
    report: Report | None,
    threads: int | None,
    seed: int | None,
) -> Solved:
    """An optimal full assignment of dense costs that have been surveyed."""
    extent = bounds(np, C, forbids)
    if too_wide(C, extent):
        return solve_in_two_passes(
            C,
            extent,
            maximize,
            lambda part: solve_on_cpu(method, part, False, False, None, settings, report, threads, seed),
        )
    workers = chosen_threads(threads)
    knobs = {**settings, "threads": workers, "seed": (seed or 0) & 0x7FFF_FFFF_FFFF_FFFF}

    def solve(some: np.ndarray, forbidden: bool, start: Any) -> tuple[Task, dict[str, Any]]:
        ends = bounds(np, some, forbidden)
        return _solve_on_team(method, some, maximize, ends, start, knobs, report)

    return solve_closely(solve, C, forbids, initial)


def solve_closely(
    solve: Callable[[Any, bool, Any], tuple[Task, dict[str, Any]]], C: Any, forbids: bool, initial: Any
) -> Solved:
    """Solve costs; where a few dear pairs take the bits of all others, again without them.

    ``solve`` takes costs, whether pairs of them are forbidden, and duals to start from.
    """
    task, stats = solve(C, forbids, initial)
    for _ in range(MOST_CUTS):
        cheaper = task.without_dear_pairs()
        if cheaper is None:
            break
        task, more = solve(cheaper, True, None)
        stats = added_stats(stats, more)
    return task.solved(stats, C)


def _solve_on_team(
    method: Method,
    C: np.ndarray,
    maximize: bool,
    extent: tuple[Any, Any],
    initial: Any,
    knobs: Mapping[str, Any],
    report: Report | None,
) -> tuple[Task, dict[str, Any]]:
    """A solved task, and what was counted."""
    task = Task(np, C, maximize, extent, initial, start_rectangles=True, threads=int(knobs["threads"]))
    if task.rows == 0:
        return task, {}
    variant = str(method.variant["variant"])
    stats: dict[str, Any] = {}
    for starts in itertools.count(1):
        program = Assigning(task, variant, lambda work: TeamSolve(work, knobs))
        outcome = program.run(report)
        stats = added_stats(stats, {**outcome.counted, "seconds": outcome.seconds})
        if outcome.status == "stalled":
            variant = "tree"
            task.restart(extent, initial)
        elif outcome.status == "infeasible":
            raise task.infeasible(*program.reached())
        elif not task.start_again(cold=starts == MOST_STARTS):
            return task, stats
    raise AssertionError("unreachable")
