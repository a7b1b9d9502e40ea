"""How the methods on a team solve dense costs, on every machine: again from other starts, where that pays.

The arrays are NumPy's or CuPy's, wherever the costs are; ``xp`` is the library.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from konig.assignment import sampled_start, sorted_start, square_start
from konig.assignment.cpu import Found, How, required
from konig.assignment.inputs import Extent
from konig.assignment.integers import VALUE_BITS, RealValues, solve_in_two_passes, sums_fit, too_wide
from konig.assignment.lines import Lines, constant_cols, constant_rows, lines_of
from konig.assignment.problem import DenseProblem
from konig.assignment.programs import Assigning, workspace_bytes
from konig.errors import InfeasibleError
from konig.gpu.staging import require_free
from konig.machine import Machine, on_threads
from konig.results import added_stats

if TYPE_CHECKING:
    from konig.assignment.first_launch import FirstLaunch

# Solves of a rectangle before all column duals are dropped.
MOST_STARTS = 4
MOST_FIXINGS = 8  # solves after reduced-cost fixing
# After many phases of a square, its rows or columns of one cost are set aside if they are one in so many or
# more. Padding competes for all of the other side: 1,320 rows with 454 of them take 570 supersteps, and 220
# where they are set aside; 1,020 columns with 453 of them take 1,550, and 210.
MANY_CONSTANT = 16


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
    machine: Machine,
    C: Any,
    how: How,
    extent: Extent,
    find_extent: Callable[[Any], Extent],
    initial: Any,
    begun: FirstLaunch | None = None,
) -> Found:
    """An optimal full assignment; where a few huge costs coarsen the unit, again with their pairs forbidden.

    ``extent`` is that of the costs, which are where the machine is; ``initial`` are duals to start from. A
    solve that has ``begun`` goes on from there.
    """
    problem = _solve_without_fixing(machine, C, how, extent, find_extent, initial, begun=begun)
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
    longest: int = 0,
    begun: FirstLaunch | None = None,
) -> DenseProblem | InfeasibleError:
    """A solved problem, or why there is no answer; an order of rows and columns is looked for if it may.

    ``longest`` is for another problem that starts from its duals in whole numbers.
    """
    bounds = extent.least, extent.greatest
    require_close(C, bounds)
    if begun is not None:
        problem = begun.problem()
    else:
        problem = DenseProblem(machine.xp, C, how.maximize, bounds, initial, machine.threads, longest=longest)
    if problem.rows == 0:
        return problem
    variant = str(how.method.variant["variant"])
    asks = variant == "core" and initial is None and not extent.forbids
    for starts in itertools.count(1):
        first = begun if starts == 1 else None
        program = first.assigning(problem) if first else Assigning(problem, variant, machine.start)
        outcome = program.run(how.report, asks)
        counted = {**outcome.counted, **machine.facts, "seconds": outcome.seconds}
        if outcome.status in ("alike", "long"):
            alike = outcome.status == "alike"
            started = _another_start(machine, problem, how, find_extent, alike, may_have_order)
            if started is not None:
                started.stats = {**counted, "core_entries": 0}  # that core was abandoned
                # Its duals may be rounded; what starts from them needs whole ones.
                if started.assigned and not (longest and isinstance(started.values, RealValues)):
                    return started
                problem, program = started, Assigning(started, variant, machine.start)
            outcome = program.run(how.report)
            counted = {**outcome.counted, **machine.facts, "seconds": outcome.seconds}
        problem.stats = added_stats(problem.stats, counted)
        if outcome.status == "stalled":
            variant, asks = "tree", False
            problem.restart()
        elif outcome.status == "infeasible":
            return problem.infeasible(*program.hall_violator())
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
    lines = lines_of(problem.costs, problem.maximize)
    if problem.rows < problem.cols:
        started = _begun_by_square(machine, problem, lines, how, find_extent, alike)
    else:
        started = _start_of_square(machine, problem, lines, how, find_extent, alike, may_have_order)
    machine.seconds["start"] = machine.seconds.get("start", 0.0) + perf_counter() - began
    return started if started is not None and started.warm else None


def _start_of_square(
    machine: Machine,
    problem: DenseProblem,
    lines: Lines,
    how: How,
    find_extent: Callable[[Any], Extent],
    alike: bool,
    may_have_order: bool,
) -> DenseProblem | None:
    """The rectangle without constant rows, an order of rows and columns, or a sample of them."""
    started = None if alike else _begun_by_rectangle(machine, problem, lines, how, find_extent)
    if started is not None:
        return started
    if may_have_order and (alike or sorted_start.sample_has_order(lines)):
        ordered = sorted_start.start(lines)
        if ordered is not None:
            started = problem.again((None, ordered.col_dual))
            if started.warm and ordered.col_of_row is not None:
                started.assign(ordered.col_of_row)
            return started
    if alike and problem.rows >= sampled_start.LEAST_ROWS:
        duals = _sampled_duals(machine, lines, how, find_extent)
        return problem.again((None, duals), coarse_first=True)
    return None


def _begun_by_square(
    machine: Machine,
    problem: DenseProblem,
    lines: Lines,
    how: How,
    find_extent: Callable[[Any], Extent],
    alike: bool,
) -> DenseProblem | None:
    """A rectangle with pairs and duals of the square of its cheapest columns; None if there is no room."""
    rows = problem.rows
    if not problem.takes_duals or not _has_room(machine, problem, rows):
        return None
    chosen = square_start.cheapest_columns(lines, alike)
    square = lines.part(np.arange(rows), chosen)
    solved = _solve_without_fixing(
        machine, square, how, Extent(*problem.bounds, False), find_extent, None, longest=2 * rows
    )
    assert isinstance(solved, DenseProblem)  # no pair is forbidden
    started = problem.again(None, longest=2 * rows)
    col_dual = np.zeros(problem.cols, np.int64)
    col_dual[chosen] = solved.found.col_dual - solved.found.col_dual.max()
    started.begin_with(chosen[solved.found.col_of_row], col_dual)
    return started


def _has_room(machine: Machine, problem: DenseProblem, rows: int) -> bool:
    """Whether a GPU holds so many rows and columns of a problem's square a second time, and their solve."""
    if not machine.gpu:
        return True
    needed = rows * problem.rows * problem.costs.itemsize + workspace_bytes(rows, problem.rows)
    try:
        require_free(problem.xp, needed, "a part of the costs")
    except MemoryError:  # without this start all of them can be solved
        return False
    return True


def _begun_by_rectangle(
    machine: Machine,
    problem: DenseProblem,
    lines: Lines,
    how: How,
    find_extent: Callable[[Any], Extent],
) -> DenseProblem | None:
    """A square with pairs and duals of the rectangle without its lines of one cost, which take what is left.

    None if such rows are few, and such columns, too. No dual of the rectangle's longer side is above 0, and
    those of lines left over are 0: a line of one cost has no smaller slack than there. So these duals are
    optimal for the square, too, with that cost as the dual of the line.
    """
    rows, everything = problem.rows, np.arange(problem.rows)
    constant, of_rows = constant_rows(lines), True
    if MANY_CONSTANT * len(constant) < rows:
        constant, of_rows = constant_cols(lines), False
    others = np.setdiff1d(everything, constant)
    if not problem.takes_duals or not len(others) or MANY_CONSTANT * len(constant) < rows:
        return None
    if not _has_room(machine, problem, len(others)):
        return None
    rest = lines.part(others, everything) if of_rows else lines.part(everything, others)
    solved = _solve_without_fixing(
        machine, rest, how, Extent(*problem.bounds, False), find_extent, None, longest=2 * rows
    )
    assert isinstance(solved, DenseProblem)  # no pair is forbidden
    partner = np.empty(rows, np.int32)  # of each line of the side that was set aside in part
    partner[others] = solved.found.col_of_row
    partner[constant] = np.setdiff1d(everything, solved.found.col_of_row)
    started = problem.again(None, longest=2 * rows)
    if of_rows:
        started.begin_with(partner, solved.found.col_dual)
        return started
    col_dual = np.empty(rows, np.int64)
    col_dual[others] = solved.found.row_dual
    col_dual[constant] = started.values.whole(lines.sign * lines.entries(partner[constant], constant))
    started.begin_with(np.argsort(partner).astype(np.int32), col_dual)
    return started


def _sampled_duals(
    machine: Machine, lines: Lines, how: How, find_extent: Callable[[Any], Extent]
) -> np.ndarray:
    """Duals of the columns from those of a sample, which has no order either and may need a sample, too."""
    rows, cols = sampled_start.sample(lines.shape[0])
    some = lines.of_part(rows, np.arange(lines.shape[1]))
    both = some.part(np.arange(len(rows)), cols)
    solved = _solve_without_fixing(
        machine, both, how, find_extent(both), find_extent, None, may_have_order=False
    )
    assert isinstance(solved, DenseProblem)  # no pair is forbidden
    return sampled_start.col_duals(some, solved.approximate_row_duals())
