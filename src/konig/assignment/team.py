"""What the methods on a team share on every machine: the problem as they take it, the answer as we give it.

The arrays are NumPy's or CuPy's, wherever the costs are; ``xp`` is the library.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from konig import _native
from konig.assignment import sampled_start, sorted_start, square_start
from konig.assignment.cpu import Found, How, Solved, duals_too_large, infeasible, required
from konig.assignment.inputs import Extent
from konig.assignment.integers import (
    VALUE_BITS,
    IntegerValues,
    RealValues,
    real_values,
    solve_in_two_passes,
    sums_fit,
    too_wide,
)
from konig.assignment.programs import Assigning, workspace_bytes
from konig.errors import InfeasibleError
from konig.exact_reals import float_sum
from konig.gpu.staging import fill, require_free
from konig.interop.arrays import to_numpy
from konig.machine import Machine, on_threads
from konig.results import added_stats

# Solves of a rectangle before all column duals are dropped.
MOST_STARTS = 4

# Rounding below this fraction of the assignment's cost is negligible: the proof then repairs a gap so small
# that only about this fraction of a row's entries has slack within it.
PRECISE = 1e-5
MOST_FIXINGS = 8  # solves after reduced-cost fixing


class Answer(NamedTuple):
    """Pairs and duals in the solver's whole numbers, and what the pair of each row costs."""

    col_of_row: Any
    row_of_col: Any
    row_dual: Any
    col_dual: Any
    paid: Any


class DenseProblem:
    """Costs with the shorter side as rows, and room for the answer.

    Duals are the solver's: whole numbers, in this orientation. Initial duals replace the coarse
    scales unless ``coarse_first``. ``leaves_room``: sums of the values leave room for initial duals, even if
    there are none.
    """

    def __init__(
        self,
        xp: Any,
        C: Any,
        maximize: bool,
        bounds: tuple[Any, Any],
        initial: Any = None,
        threads: int = 1,
        coarse_first: bool = False,
        leaves_room: bool = False,
    ):
        self.xp, self.given, self.maximize, self.bounds, self.threads = xp, C, maximize, bounds, threads
        self.coarse_first, self.assigned = coarse_first, False
        self.transposed = C.shape[0] > C.shape[1]
        self.costs = self._oriented(C)
        self.rows, self.cols = self.costs.shape
        whole = C.dtype.kind == "i"
        # Given duals need one more bit, which the costs may not leave.
        self.takes_duals = not whole or sums_fit(int(bounds[1]) - int(bounds[0]), 2 * self.rows)
        self.warm = initial is not None and self.takes_duals
        longest = 2 * self.rows if self.warm or leaves_room else self.rows
        self.values: IntegerValues | RealValues = (
            IntegerValues(int(bounds[1 if maximize else 0]), maximize)
            if whole
            else real_values(float(bounds[0]), float(bounds[1]), longest, maximize)
        )
        self.stats: dict[str, Any] = {}
        self.initial = initial
        self.restart()

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows, self.cols

    @property
    def type_of_costs(self) -> str:
        """What the programs for them are called by."""
        return str(self.costs.dtype)

    @property
    def cost_arrays(self) -> dict[str, Any]:
        """The arrays of a program that costs are read from."""
        return {"costs": self.costs}

    @property
    def cost_numbers(self) -> dict[str, int]:
        """The numbers that go with them, but for those of all costs."""
        return {}

    @property
    def compile_options(self) -> tuple[str, ...]:
        """What the compiler of device code is told about them."""
        return ()

    def _oriented(self, C: Any) -> Any:
        return self.xp.ascontiguousarray(C.T if self.transposed else C)

    def costs_without_hopeless_pairs(self) -> Any | None:
        """The costs of a solved problem, reduced-cost fixing applied; None if that is no use."""
        if not isinstance(self.values, RealValues):
            return None
        assigned, duals = self.found.paid.astype(np.float64), self._centred_duals()
        pairs = self.found.col_of_row
        bound = fixing_bound(self.values, self.bounds, self.maximize, assigned, pairs, duals)
        if bound is None:
            return None
        sign = -1.0 if self.maximize else 1.0
        return self.xp.where(sign * self.given > bound, self.given.dtype.type(sign * np.inf), self.given)

    def restart(self) -> None:
        """Nothing is assigned, and duals are those given, or zero."""
        # One piece of memory, so that one copy brings an answer from a GPU to the host.
        numbers, pairs = 8 * (2 * self.rows + self.cols), 4 * (self.rows + self.cols)
        self._memory = self.xp.empty(numbers + pairs, np.uint8)
        fill(self._memory[:numbers], 0)
        fill(self._memory[numbers:], 255)
        found = self._parts(self._memory)
        self.row_dual, self.col_dual, self.paid = found.row_dual, found.col_dual, found.paid
        self.col_of_row, self.row_of_col = found.col_of_row, found.row_of_col
        self._found: Answer | None = None
        self.has_pairs = False
        self.warm = self.initial is not None and self.takes_duals
        if self.warm:
            self.col_dual[:] = self._initial_duals()

    def _parts(self, memory: Any) -> Answer:
        """What lies where in the piece of memory."""
        rows, cols = self.rows, self.cols
        numbers = memory[: 8 * (2 * rows + cols)].view(np.int64)
        pairs = memory[8 * len(numbers) :].view(np.int32)
        paid = numbers[rows + cols :].view(self.type_of_paid)[:rows]
        return Answer(pairs[:rows], pairs[rows:], numbers[:rows], numbers[rows : rows + cols], paid)

    @property
    def type_of_paid(self) -> Any:
        """The type of a cost."""
        return self.costs.dtype

    @property
    def found(self) -> Answer:
        """The answer of a problem in which all rows are assigned, on the host."""
        if self._found is None:
            self._find_paid()
            self._found = self._parts(to_numpy(self._memory))
        return self._found

    def _find_paid(self) -> None:
        """Write what the pair of each row costs."""
        if self.xp is np:
            self.paid[:] = self.costs[np.arange(self.rows), self.col_of_row]
        else:
            from konig.assignment.gpu import write_pair_costs

            write_pair_costs(self.xp, self.costs, self.col_of_row, self.paid)

    def _initial_duals(self) -> Any:
        """The given column duals in whole numbers."""
        given = self.initial[0 if self.transposed else 1]
        duals = self.values.start(self.xp, given, self.bounds, self.rows)
        return self.xp.minimum(duals, 0) if self.rows < self.cols else duals

    def assign(self, col_of_row: Any) -> None:
        """Assign row i to ``col_of_row[i]``, which the column duals prove optimal but for rounding."""
        self.assigned = True
        self.col_of_row[:] = col_of_row
        self.row_of_col[self.col_of_row] = self.xp.arange(self.rows, dtype=np.int32)
        if isinstance(self.values, IntegerValues):
            costs = self.found.paid.astype(np.int64)
            value = self.values.base - costs if self.maximize else costs - self.values.base
            self.row_dual[:] = self.xp.asarray(value - self.found.col_dual[self.found.col_of_row])
            self._found = None

    def begin_with(self, col_of_row: Any, col_dual: Any) -> None:
        """Start from pairs and whole duals of the columns; those of columns without a pair are 0."""
        self.warm = self.has_pairs = True
        self.col_of_row[:] = col_of_row
        self.row_of_col[self.col_of_row] = self.xp.arange(self.rows, dtype=np.int32)
        self.col_dual[:] = col_dual

    def drop_leftover_duals(self, cold: bool) -> bool:
        """Unassign all rows and drop the duals of columns left over, or all column duals if ``cold``.

        False, and nothing changes, if no column is left over with a dual.
        """
        if self.rows == self.cols:
            return False
        left_over = (self.found.row_of_col < 0) & (self.found.col_dual != 0)
        if not left_over.any():
            return False
        kept = np.where(left_over | cold, 0, self.found.col_dual)
        fill(self.row_dual, 0)
        fill(self.col_of_row, 255)
        fill(self.row_of_col, 255)
        self.col_dual[:] = self.xp.asarray(kept)
        self._found = None
        return True

    def solved(self, C: Any) -> Solved | OverflowError:
        """The answer to these costs in the caller's orientation and numbers.

        It is made on the host, where arithmetic needs no kernel to be compiled for it.
        """
        if C is not self.given:
            self.costs = self._oriented(C)
        duals: tuple[Any, Any] | None
        col_of_row, paid = self.found.col_of_row, self.found.paid
        if isinstance(self.values, IntegerValues):
            duals = self.values.duals(np, self.found.row_dual, self.found.col_dual)
            cost: int | float = sum(paid.tolist())
            gap: int | float = 0
        else:
            duals, gap, self.stats["exact_solves"], col_of_row, paid = self._proved()
            cost = float_sum(paid.tolist())
        if duals is None:
            return duals_too_large(np.int64 if self.given.dtype.kind == "i" else np.float64)
        pairs = np.arange(self.rows), col_of_row.astype(np.int64)
        solved = Solved(*pairs, cost, gap, *duals, self.stats)
        solved = solved.transposed() if self.transposed else solved
        return solved if self.xp is np else solved.on_device(self.xp)

    def _proved(self) -> tuple[tuple[Any, Any] | None, float, int, np.ndarray, np.ndarray]:
        """Real duals of both sides, None if they do not fit, the gap, how often it was repaired, and pairs.

        The whole numbers that were solved are rounded costs, so that their duals are a start. Another
        assignment may take the place of that one.
        """
        assert isinstance(self.values, RealValues)
        col_of_row, paid = self.found.col_of_row.copy(), self.found.paid
        if self.rows == 0:
            return (np.zeros(0), np.zeros(self.cols)), 0.0, 0, col_of_row, paid
        sign = -1.0 if self.maximize else 1.0
        col_dual = sign * self.values.col_duals(self._centred_duals())
        if self.xp is np:
            row_dual = np.empty(self.rows)
            gap, solves = _native.prove_assignment(
                self.costs, self.maximize, self.threads, col_of_row, row_dual, col_dual
            )
            paid = self.costs[np.arange(self.rows), col_of_row]
        else:
            from konig.assignment.gpu import prove

            row_dual, gap, solves, paid = prove(
                self.xp, self.costs, self.maximize, col_of_row, col_dual, paid
            )
        duals = (sign * row_dual + 0.0, sign * col_dual + 0.0) if np.isfinite(gap) else None
        return duals, gap, solves, col_of_row, paid

    def approximate_row_duals(self) -> Any:
        """Those of a solved problem in the caller's numbers, as far as whole numbers tell."""
        whole = isinstance(self.values, IntegerValues)
        assigned = self.found.paid.astype(np.int64 if whole else np.float64)
        if isinstance(self.values, RealValues):
            col_dual = self.values.col_duals(self._centred_duals())
        else:
            col_dual = self.found.col_dual * (-1 if self.maximize else 1)
        return self.xp.asarray(assigned - col_dual[self.found.col_of_row])

    def _centred_duals(self) -> np.ndarray:
        """Of the columns, on the host."""
        duals: np.ndarray = centred(self.found.col_dual, self.rows)
        return duals

    def infeasible(self, row_reached: Any, col_reached: Any) -> InfeasibleError:
        """The rows and columns reached are a Hall violator."""
        rows, cols = map(self.xp.flatnonzero, (row_reached, col_reached))
        return infeasible(rows, cols, self.transposed)


def centred(col_dual: Any, rows: int) -> Any:
    """Where no column is left over a constant may move between the sides: smaller numbers round less."""
    if rows != len(col_dual) or rows == 0:
        return col_dual
    return col_dual - (int(col_dual.max()) + int(col_dual.min())) // 2


def fixing_bound(
    values: RealValues,
    bounds: tuple[Any, Any],
    maximize: bool,
    assigned: Any,
    col_of_row: Any,
    col_dual: Any,
) -> float | None:
    """Reduced-cost fixing: no pair above this (negated, to maximise) is in an optimal assignment; or None.

    The whole numbers that were solved are the costs, each cut off by less than a unit. So the assignment
    is within a unit a row of the optimum, and its duals are as far from feasible: a pair whose reduced cost
    exceeds both cannot be in an optimal one. Without pairs that cost far more than all others the unit can be
    far smaller; None where that gains nothing.
    """
    sign = -1.0 if maximize else 1.0
    unit = 1 / abs(values.first) / values.second
    within = 2 * len(col_of_row) * unit
    signed = sign * assigned
    with np.errstate(over="ignore"):  # an infinite sum is as good as any that is large enough
        if within <= PRECISE * float(abs(signed).sum()):
            return None
    col_dual = sign * values.col_duals(col_dual)
    row_dual = signed - col_dual[col_of_row]
    bound = float(row_dual.max()) + float(col_dual.max()) + within
    greatest = -float(bounds[0]) if maximize else float(bounds[1])
    return bound if 2 * abs(bound) < abs(greatest) else None


def require_close(C: Any, bounds: tuple[Any, Any]) -> None:
    """An error if sums of these costs might not fit into the whole numbers that programs calculate with."""
    refused = sums_too_large(C.dtype, bounds, min(C.shape), "jv")
    if refused is not None:
        raise refused


def sums_too_large(dtype: Any, bounds: tuple[Any, Any], rows: int, other: str) -> OverflowError | None:
    """Why costs of this extent are too far apart, if they are; ``other`` is a method that takes them."""
    least, greatest = bounds
    if dtype.kind != "i" or sums_fit(int(greatest) - int(least), rows):
        return None
    return OverflowError(
        f"costs from {least} to {greatest}: the sums that this method forms might not fit into 64 bits; "
        f"expected a difference below {(1 << VALUE_BITS) // (2 * rows + 4):.1e}, or method={other!r}"
    )


def extent_of(C: np.ndarray, forbids: bool) -> Extent:
    """The extent of checked costs on the host; ``forbids``: some may be forbidden."""
    if C.size == 0:
        return Extent(0, 0, forbids)
    if not forbids:
        return Extent(C.min().item(), C.max().item(), False)
    finite = np.isfinite(C)
    least = np.where(finite, C, np.inf).min().item()
    greatest = np.where(finite, C, -np.inf).max().item()
    return Extent(least, greatest, not finite.all()) if least <= greatest else Extent(0, 0, True)


def solve_on_cpu(C: np.ndarray, how: How, forbids: bool, initial: Any) -> Found:
    """An optimal full assignment of dense costs that have been checked."""
    extent = extent_of(C, forbids)
    if too_wide(C, extent):
        part_of_it = replace(how, maximize=False)
        return solve_in_two_passes(
            C, extent, how.maximize, lambda part: required(solve_on_cpu(part, part_of_it, False, None))
        )
    machine = on_threads(how.settings, how.threads, how.seed)
    return solve(machine, C, how, extent, lambda some: extent_of(some, forbids=True), initial)


def solve(
    machine: Machine, C: Any, how: How, extent: Extent, find_extent: Callable[[Any], Extent], initial: Any
) -> Found:
    """An optimal full assignment; where a few huge costs coarsen the unit, again with their pairs forbidden.

    ``extent`` is that of the costs, which are where the machine is; ``initial`` are duals to start from.
    """
    problem = _solve_without_fixing(machine, C, how, extent, find_extent, initial)
    if isinstance(problem, InfeasibleError):
        return problem
    for _ in range(MOST_FIXINGS):
        cheaper = problem.costs_without_hopeless_pairs()
        if cheaper is None:
            break
        again = _solve_without_fixing(machine, cheaper, how, find_extent(cheaper), find_extent, None)
        assert isinstance(again, DenseProblem)  # what is optimal is among the pairs that are left
        again.stats = added_stats(problem.stats, again.stats)
        problem = again
    return problem.solved(C)


def _solve_without_fixing(
    machine: Machine,
    C: Any,
    how: How,
    extent: Extent,
    find_extent: Callable[[Any], Extent],
    initial: Any,
    may_have_order: bool = True,
    leaves_room: bool = False,
) -> DenseProblem | InfeasibleError:
    """A solved problem, or why there is no answer; an order of rows and columns is looked for if it may."""
    bounds = extent.least, extent.greatest
    require_close(C, bounds)
    problem = DenseProblem(
        machine.xp, C, how.maximize, bounds, initial, machine.threads, leaves_room=leaves_room
    )
    if problem.rows == 0:
        return problem
    variant = str(how.method.variant["variant"])
    asks = variant == "core" and initial is None and not extent.forbids
    for starts in itertools.count(1):
        program = Assigning(problem, variant, machine.start)
        outcome = program.run(how.report, asks)
        counted = {**outcome.counted, **machine.facts, "seconds": outcome.seconds}
        if outcome.status in ("alike", "long"):
            alike = outcome.status == "alike"
            started = _another_start(machine, problem, how, find_extent, alike, may_have_order)
            if started is not None:
                started.stats = {**counted, "core_entries": 0}  # that core was abandoned
                # Its duals may be rounded; whoever needs room for duals goes on from whole ones.
                if started.assigned and not (leaves_room and isinstance(started.values, RealValues)):
                    return started
                problem, program = started, Assigning(started, variant, machine.start)
            outcome = program.run(how.report)
            counted = {**outcome.counted, **machine.facts, "seconds": outcome.seconds}
        problem.stats = added_stats(problem.stats, counted)
        if outcome.status == "stalled":
            variant, asks = "tree", False
            problem.restart()
        elif outcome.status == "infeasible":
            return problem.infeasible(*program.reached())
        elif not problem.drop_leftover_duals(cold=starts >= MOST_STARTS):
            return problem
    raise AssertionError("unreachable")


def _another_start(
    machine: Machine,
    problem: DenseProblem,
    how: How,
    find_extent: Callable[[Any], Extent],
    alike: bool,
    may_have_order: bool = True,
) -> DenseProblem | None:
    """A problem with duals to start from, or assigned; None if there are no such duals.

    ``alike`` says that rows rank columns alike; otherwise there were many phases, and an order of rows and
    columns of a square is looked for in a sample first.
    """
    began = perf_counter()
    xp, C, maximize = problem.xp, problem.given, problem.maximize
    started = None
    if problem.rows < problem.cols:
        started = _begun_by_square(machine, problem, how, find_extent, alike)
    elif may_have_order and (alike or sorted_start.sample_has_order(xp, C, maximize)):
        ordered = sorted_start.start(xp, C, maximize)
        if ordered is not None:
            started = DenseProblem(xp, C, maximize, problem.bounds, (None, ordered.col_dual), problem.threads)
            if started.warm and ordered.col_of_row is not None:
                started.assign(ordered.col_of_row)
    if (
        started is None
        and alike
        and problem.rows == problem.cols
        and problem.rows >= sampled_start.LEAST_ROWS
    ):
        duals = _sampled_duals(machine, C, how, find_extent)
        started = DenseProblem(
            xp, C, maximize, problem.bounds, (None, duals), problem.threads, coarse_first=True
        )
    machine.seconds["start"] = machine.seconds.get("start", 0.0) + perf_counter() - began
    return started if started is not None and started.warm else None


def _begun_by_square(
    machine: Machine, problem: DenseProblem, how: How, find_extent: Callable[[Any], Extent], alike: bool
) -> DenseProblem | None:
    """A rectangle with pairs and duals of the square of its cheapest columns; None if there is no room."""
    if not problem.takes_duals:
        return None
    xp, bounds, rows = problem.xp, problem.bounds, problem.rows
    if machine.gpu:
        try:
            require_free(xp, rows * rows * problem.costs.itemsize + workspace_bytes(rows, rows), "a square")
        except MemoryError:  # the rectangle alone can be solved
            return None
    chosen = square_start.cheapest_columns(xp, problem.costs, problem.maximize, alike)
    square = xp.ascontiguousarray(problem.costs[:, chosen])
    # Whole numbers mean the same in both problems: the bounds are the same, and the room for sums.
    solved = _solve_without_fixing(
        machine, square, how, Extent(*bounds, False), find_extent, None, leaves_room=True
    )
    assert isinstance(solved, DenseProblem)  # no pair is forbidden
    started = DenseProblem(
        xp, problem.given, problem.maximize, bounds, None, problem.threads, leaves_room=True
    )
    col_dual = xp.zeros(problem.cols, np.int64)
    col_dual[chosen] = solved.col_dual - solved.col_dual.max()
    started.begin_with(chosen[solved.col_of_row], col_dual)
    return started


def _sampled_duals(machine: Machine, C: Any, how: How, find_extent: Callable[[Any], Extent]) -> Any:
    """Duals of the columns from those of a sample, which has no order either and may need a sample, too."""
    xp = machine.xp
    rows, cols = map(xp.asarray, sampled_start.sample(len(C)))
    some = C[rows]
    both = xp.ascontiguousarray(some[:, cols])
    solved = _solve_without_fixing(machine, both, how, find_extent(both), find_extent, None, False)
    assert isinstance(solved, DenseProblem)  # no pair is forbidden
    return sampled_start.col_duals(xp, some, solved.approximate_row_duals(), how.maximize)
