"""Runs native assignment solvers on the CPU."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from konig import _native
from konig.assignment import auto
from konig.assignment.inputs import SparseCosts, check_dense_costs
from konig.assignment.methods import ADAPTIVE
from konig.errors import InfeasibleError
from konig.gpu.staging import together_on_device
from konig.interop import arrays
from konig.progress import Report
from konig.registry import Method
from konig.threads import chosen_threads, worth_sharing


@dataclass(slots=True)
class Solved:
    """What a solver leaves: pairs, cost and its proven gap, duals and what it counted."""

    row_ind: np.ndarray
    col_ind: np.ndarray
    cost: Any
    gap: Any
    row_dual: np.ndarray
    col_dual: np.ndarray
    stats: dict[str, Any]

    def on_host(self) -> Solved:
        """The same in arrays of NumPy."""
        names = ("row_ind", "col_ind", "row_dual", "col_dual")
        there: dict[str, Any] = {name: arrays.to_numpy(getattr(self, name)) for name in names}
        return replace(self, **there)

    def on_device(self, cupy: Any) -> Solved:
        """The same in arrays on the current device."""
        names = ("row_ind", "col_ind", "row_dual", "col_dual")
        there = together_on_device(cupy, [getattr(self, name) for name in names])
        return replace(self, **dict(zip(names, there, strict=True)))

    def transposed(self) -> Solved:
        """The answer to the transposed problem."""
        order = self.col_ind.argsort()
        pairs, duals = (self.col_ind[order], self.row_ind[order]), (self.col_dual, self.row_dual)
        return Solved(*pairs, self.cost, self.gap, *duals, self.stats)


def infeasible(rows: Any, cols: Any, transposed: bool = False) -> InfeasibleError:
    """These rows and columns violate Hall's condition, perhaps in the transposed problem."""
    sides = arrays.to_numpy(rows), arrays.to_numpy(cols)
    return InfeasibleError(*(sides[::-1] if transposed else sides))


def duals_too_large(dual: Any) -> OverflowError:
    """No duals of this type prove the answer."""
    return OverflowError(
        f"the duals of this assignment problem do not fit into {np.dtype(dual)}; scale the costs down"
    )


# What a solver returns: an answer, or why there is none, for the caller to raise or to do something about.
Refusal = InfeasibleError | OverflowError
Found = Solved | Refusal


def transposed(found: Found) -> Found:
    """The answer to a problem from that to the transposed one."""
    if isinstance(found, InfeasibleError):
        return infeasible(found.rows, found.cols, transposed=True)
    return found if isinstance(found, OverflowError) else found.transposed()


def required(found: Found) -> Solved:
    """The answer; without one, the error."""
    if isinstance(found, Refusal):
        raise found
    return found


@dataclass(slots=True)
class How:
    """How costs are solved, and the largest finite |cost| of sparse ones."""

    method: Method
    settings: Mapping[str, Any]
    maximize: bool
    largest: float = 0.0
    threads: int | None = None
    seed: int | None = None
    report: Report | None = None


def ran(method: Method, stats: Mapping[str, Any]) -> str:
    """The name of what actually ran, when that was asked for: ``auto`` may turn to an auction."""
    return "auction" if method is ADAPTIVE and stats.get("bids") else method.name


NOTHING = (None, None)
# Sparse costs in 32 bits are summed in 64: the largest times the rows must be below this.
NARROW_SUMS = 2.0**56


def solve(C: np.ndarray | SparseCosts, how: How, initial: tuple[Any, Any] = NOTHING) -> Found:
    """An optimal full assignment, from the duals given if there are any.

    Dense costs lie row after row or column after column.
    """
    if isinstance(C, SparseCosts):
        return solve_sparse(C, how, initial)
    if how.method.solver == "hungarian":
        from konig.assignment import team

        C = np.ascontiguousarray(C)
        start = None if initial[0] is None else initial
        _, forbids = check_dense_costs(C, how.maximize, worth_sharing(C.size, how.threads))
        return team.solve_on_cpu(C, how, forbids, start)
    if C.flags.c_contiguous:
        return _solve_rows(C, how, initial, C)
    return transposed(_solve_rows(C.T, how, initial[::-1], C))


def _solve_rows(C: np.ndarray, how: How, initial: tuple[Any, Any], given: np.ndarray) -> Found:
    """The same for costs that lie row after row; errors are about the costs as they were given."""
    rows, cols = C.shape
    size = rows if rows < cols else cols
    dual = np.int64 if C.dtype.kind == "i" else np.float64
    pairs: tuple[Any, Any] = np.empty(size, np.int64), np.empty(size, np.int64)
    duals: tuple[Any, Any] = np.empty(rows, dual), np.empty(cols, dual)
    costs: Any = C
    parallel = how.method.solver == "core" and rows * cols > auto.SERIAL_ENTRIES
    workers = chosen_threads(how.threads) if parallel else how.threads or 1
    plan = auto.native_plan(auto.stages_for_shape(how.method, rows, cols))
    outcome, found, stats = _native.assign_dense(
        plan, workers, costs, how.maximize, *pairs, *duals, *initial, how.report
    )
    if outcome == "optimal":
        return Solved(*pairs, *_priced(found, C), *duals, stats)
    if outcome == "bad costs":
        check_dense_costs(np.ascontiguousarray(given), how.maximize)
    return _refusal(outcome, found, dual, rows > cols)


def solve_sparse(C: SparseCosts, how: How, initial: tuple[Any, Any] = NOTHING) -> Found:
    """An optimal full assignment of sparse costs."""
    rows, cols = C.shape
    if rows > cols:
        return transposed(solve_sparse(C.transposed(), how, initial[::-1]))
    dual = np.int64 if C.cost.dtype.kind == "i" else np.float64
    cost: Any = C.cost
    start: Any = initial[1]
    # To maximise is to minimise the negated costs, and that of -2**31 has one bit more.
    too_narrow = how.largest >= 2.0**31 or how.largest * (rows + 1) >= NARROW_SUMS
    if cost.dtype == np.int32 and (start is not None or too_narrow):
        cost = cost.astype(np.int64)
    if how.maximize:
        cost = -cost
        start = None if start is None else -start
    col_of_row = np.empty(rows, np.int64)
    row_dual: Any = np.empty(rows, dual)
    col_dual: Any = np.empty(cols, dual)
    outcome, found, stats = _native.assign_sparse(
        C.start, C.col, cost, how.largest, col_of_row, row_dual, col_dual, start, how.report
    )
    if outcome != "optimal":
        return _refusal(outcome, found, dual)
    if how.maximize:
        row_dual, col_dual = 0 - row_dual, 0 - col_dual
    total, gap = _priced(found, cost)
    return Solved(
        np.arange(rows), col_of_row, -total if how.maximize else total, gap, row_dual, col_dual, stats
    )


def _priced(found: tuple[Any, float], costs: np.ndarray) -> tuple[int | float, int | float]:
    """A cost and its gap, which is whole between integers."""
    total, gap = found
    return total, 0 if costs.dtype.kind == "i" else gap


@dataclass(slots=True)
class BatchSolved(Solved):
    """What is left of a batch: an outcome of 0 means solved, ``first_bad`` is a bad cost's place or -1."""

    outcomes: np.ndarray
    first_bad: int


def solve_batch(
    C: np.ndarray,
    how: How,
    row_counts: np.ndarray | None,
    col_counts: np.ndarray | None,
    alone: tuple[Any, Any] = NOTHING,
) -> BatchSolved:
    """Optimal full assignments of all problems that have one; costs are checked on the way.

    Where it is given what leaving rows and columns ``alone`` costs, one number each, they need not be full.
    """
    if how.method.solver == "hungarian":
        raise ValueError(
            f"method={how.method.name!r} does not take batches; on a CPU jv, auction and core do"
        )
    problems, rows, cols = C.shape
    size = min(rows, cols)
    dual = np.int64 if C.dtype.kind == "i" else np.float64
    row_ind, col_ind = np.full((2, problems, size), -1, np.int64)
    row_dual, col_dual = np.zeros((problems, rows), dual), np.zeros((problems, cols), dual)
    cost: Any = np.zeros(problems, dual)
    gap: Any = np.zeros(problems)
    outcomes = np.zeros(problems, np.uint8)
    plan = auto.native_plan(auto.stages_for_shape(how.method, rows, cols))
    workers = worth_sharing(C.size, how.threads, auto.BATCH_ENTRIES_PER_THREAD)
    row_alone, col_alone = (side if side is None else side.ravel() for side in alone)
    given: tuple[Any, Any, Any, Any, Any, Any] = (
        C,
        how.maximize,
        row_counts,
        col_counts,
        row_alone,
        col_alone,
    )
    pairs: tuple[Any, Any] = row_ind.ravel(), col_ind.ravel()
    duals: tuple[Any, Any] = row_dual.ravel(), col_dual.ravel()
    first_bad, stats = _native.assign_batch(
        plan, workers, *given, *pairs, *duals, cost, gap, outcomes, how.report
    )
    gaps = gap.astype(dual, copy=False)
    return BatchSolved(row_ind, col_ind, cost, gaps, row_dual, col_dual, stats, outcomes, first_bad)


def _refusal(outcome: str, found: Any, dual: Any, transposed: bool = False) -> Refusal:
    """Why a native solver has no answer."""
    if outcome != "infeasible":
        return duals_too_large(dual)
    rows, cols = (np.flatnonzero(np.frombuffer(mask, np.uint8)) for mask in found)
    return infeasible(rows, cols, transposed)
