"""Linear assignment: validate, choose, solve, return the proof."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

from konig import registry
from konig.arguments import MOST_THREADS, checked_count
from konig.backends import cpu_assignment
from konig.backends.cpu_assignment import Solved
from konig.certificates import dense_blocks
from konig.costs import dense_costs, survey
from konig.errors import InfeasibleError
from konig.interop import arrays
from konig.progress import Report, reporting
from konig.results import Assignment, VertexCover


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
    **knobs: Any,
) -> Assignment:
    """Assign rows to columns, each to at most one, so that the costs sum up to as little as possible.

    Every row is assigned, or every column if there are fewer of them.

    Parameters
    ----------
    C : array
        Costs, (n, m), of any real type; solved in int32, int64, float32 or float64, whichever holds them.
        ``inf`` forbids a pair (``-inf`` when maximising). It is never modified.
    maximize : bool
        Sum up to as much as possible.
    full : bool
        Whether a problem in which not all rows (or columns) can be assigned is an error. If not, the answer
        is the cheapest of the largest assignments.
    method : str
        A name from ``konig.methods("assignment")``, or "auto" for the best known choice.
    device : {"auto", "cpu", "cuda", "cuda:N"}
        Where to solve.
    threads : int, optional
        How many workers a parallel method uses; all cores if not given.
    seed : int, optional
        Seed for methods that draw random numbers.
    initial : Assignment or (row_dual, col_dual), optional
        A warm start: an earlier result of a similar problem, or its duals. Any duals will do; good ones
        make the solve short.
    progress : bool or callable, optional
        True for a bar on stderr, or a function called with (assigned so far, to be assigned).
    **knobs
        The method's own settings; ``konig.methods("assignment")`` lists them.

    Returns
    -------
    Assignment
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
    """
    began = perf_counter()
    chosen = registry.choose_assignment(method)
    place = arrays.HOST if isinstance(C, np.ndarray) else arrays.place_of(C, "C") or arrays.HOST
    registry.choose_device(chosen, device, place.gpu)
    checked_count("threads", threads, most=MOST_THREADS)
    checked_count("seed", seed, least=0)
    if knobs:
        if method == "auto":
            raise TypeError(
                f"method 'auto' has no knob {next(iter(knobs))!r}; name a method to set its knobs"
            )
        chosen.settings(knobs)
    maximize = bool(maximize)
    costs = dense_costs(C if place is arrays.HOST else arrays.to_numpy(C))
    largest, _ = survey(costs, maximize)
    start = starting_duals(initial, costs) if initial is not None else (None, None)
    converted = perf_counter()
    cover = None
    with reporting(progress, f"assignment ({method})") as report:
        try:
            solved = cpu_assignment.solve_dense(costs, maximize, largest, start, report)
        except InfeasibleError:
            if full:
                raise
            solved, cover = _solve_partial(costs, maximize, largest, report)
    solved.stats["seconds"] = {"convert": converted - began, "main": perf_counter() - converted}
    return _given_back(solved, chosen.name, maximize, cover, place)


def _given_back(
    solved: Solved, method: str, maximize: bool, cover: VertexCover | None, place: arrays.Place
) -> Assignment:
    answer = [solved.row_ind, solved.col_ind, solved.row_dual, solved.col_dual]
    if place == arrays.HOST:
        for array in answer:
            array.flags.writeable = False
    else:
        answer = [place.give(array) for array in answer]
        if cover is not None:
            cover = VertexCover(place.give(cover.rows), place.give(cover.cols))
    row_ind, col_ind, row_dual, col_dual = answer
    return Assignment(
        row_ind, col_ind, solved.cost, row_dual, col_dual, method, "cpu", solved.stats, maximize, cover, place
    )


def _solve_partial(
    costs: np.ndarray, maximize: bool, largest: float, report: Report | None
) -> tuple[Solved, VertexCover]:
    from konig.partial_assignment import solve_partial
    from konig.triangular import dulmage_mendelsohn

    parts = dulmage_mendelsohn(np.isfinite(costs))

    def solve(part: Any) -> Solved:
        inside = np.ascontiguousarray(costs[np.ix_(part.rows, part.cols)])
        return cpu_assignment.solve_dense(inside, maximize, largest, report=report)

    return solve_partial(parts, dense_blocks(costs), costs.dtype.kind == "i", maximize, solve)


def starting_duals(initial: Any, costs: np.ndarray, name: str = "initial") -> tuple[np.ndarray, np.ndarray]:
    """The duals to start from, in the type of the problem's duals, once they are checked."""
    if isinstance(initial, Assignment):
        initial = (initial.row_dual, initial.col_dual)
    if not isinstance(initial, tuple | list) or len(initial) != 2:
        raise TypeError(f"{name} must be an Assignment or a pair (row_dual, col_dual), not {initial!r}")
    duals = []
    integral = costs.dtype.kind == "i"
    for side, given, extent in zip(("row", "column"), initial, costs.shape, strict=True):
        dual = arrays.to_numpy(given)
        if dual.shape != (extent,) or dual.dtype.kind not in "iuf":
            raise ValueError(
                f"{name}: expected {extent} {side} duals, not {dual.dtype} of shape {dual.shape}"
            )
        wrong = np.flatnonzero(~np.isfinite(dual))
        if len(wrong):
            raise ValueError(f"{name}: {side} dual {wrong[0]} is {dual[wrong[0]]}, not a finite number")
        if integral and dual.dtype.kind == "f":
            dual = np.rint(np.clip(dual, -(2.0**62), 2.0**62))
        duals.append(np.ascontiguousarray(dual, np.int64 if integral else np.float64))
    return duals[0], duals[1]
