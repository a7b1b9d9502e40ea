"""``hungarian-classical`` and ``hungarian-tree`` over ranks.

Date, Nagi, Parallel Computing 57 (2016), §5. As on one machine both calculate with whole numbers for costs of
every type (``konig/assignment/integers.py``), and answers to real costs are proved, or made optimal, in exact
arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from konig import _native
from konig.assignment.cpu import duals_too_large, infeasible
from konig.assignment.inputs import refuse_bad_costs
from konig.assignment.integers import IntegerValues, RealValues, real_values
from konig.assignment.problem import centred, fixing_bound, is_precise
from konig.assignment.team import MOST_FIXINGS, extent_of, sums_too_large
from konig.distributed.array_costs import checked_ends
from konig.distributed.array_numbers import ArrayNumbers, whole_numbers
from konig.distributed.hungarian_classical import Classical
from konig.distributed.hungarian_tree import Tree
from konig.distributed.local import LocalAnswer, LocalCosts, LocalFound, Stages
from konig.distributed.ranks import Ranks
from konig.distributed.real_proof import prove
from konig.distributed.rows import Rows
from konig.distributed.split import Split, is_tall, split_by_cols, split_by_rows
from konig.errors import InfeasibleError
from konig.exact_reals import float_sum
from konig.interop.arrays import to_numpy
from konig.progress import Report
from konig.results import added_stats

# Integers beyond this are read as their differences from the least: sums with duals then leave room for the
# dual of a column that is out of the search.
LARGEST_NUMBER = 1 << 58


def checked_costs(
    ranks: Ranks, rows: Rows, block: Any, maximize: bool, threads: int, xp: Any = None
) -> LocalCosts:
    """Checked costs, and the extent of those of all ranks; an error if one of them may not be."""
    if xp is None:
        _, first_nan, first_wrong, forbids = _native.check_costs(block, maximize, threads)
        refuse_bad_costs(block, maximize, first_nan, first_wrong, first_row=rows.here.start)
        some = block.size > 0 and (not forbids or bool(np.isfinite(block).any()))
        ends = extent_of(block, forbids)[:2] if some else None
    else:
        ends = checked_ends(xp, block, maximize, rows.here.start)
    return LocalCosts(block, rows, maximize, *_ends_of_all(ranks, block.dtype, ends), xp)


def _ends_of_all(ranks: Ranks, dtype: Any, ends: tuple[Any, Any] | None) -> tuple[Any, Any]:
    """The least and the greatest finite cost of all ranks, 0 where there is none; None if none is here."""
    limits = np.iinfo(dtype) if dtype.kind == "i" else np.finfo(dtype)
    low, high = ends if ends is not None else (limits.max, limits.min)
    least = ranks.allreduce(np.array([low], dtype), "min")[0].item()
    greatest = ranks.allreduce(np.array([high], dtype), "max")[0].item()
    return (least, greatest) if least <= greatest else (0, 0)


@dataclass(frozen=True)
class _Method:
    variant: type[Classical] | type[Tree]
    split: Callable[[Ranks, LocalCosts], Split]


@dataclass
class _Solution:
    """An optimal assignment in whole numbers, the shorter side as rows; the same on all ranks."""

    values: IntegerValues | RealValues
    col_of_row: np.ndarray
    row_dual: np.ndarray
    col_dual: np.ndarray
    stats: dict[str, Any]


def _solve(
    method: _Method,
    ranks: Ranks,
    rows: Rows,
    block: Any,
    maximize: bool,
    threads: int = 1,
    report: Report | None = None,
    xp: Any = None,
) -> LocalFound:
    costs = checked_costs(ranks, rows, block, maximize, threads, xp)
    refused = sums_too_large(costs.block.dtype, (costs.least, costs.greatest), min(costs.shape), "core")
    if refused is not None:
        return refused
    solution = _solve_once(method, ranks, costs, threads, report)
    if isinstance(solution, InfeasibleError):
        return solution
    left = costs
    for _ in range(MOST_FIXINGS):
        cheaper = _without_dear_pairs(ranks, left, solution)
        if cheaper is None:
            break
        left = cheaper
        again = _solve_once(method, ranks, left, threads, report)
        assert isinstance(again, _Solution)  # what is optimal is among the pairs that are left
        again.stats = added_stats(solution.stats, again.stats)
        solution = again
    return _answered(ranks, costs, solution, threads)


# The classical variant splits rows, and the root searches the edges with zero slack. That of alternating
# trees splits columns, and frontiers are exchanged.
solve_classical = partial(_solve, _Method(Classical, split_by_rows))
solve_tree = partial(_solve, _Method(Tree, split_by_cols))


def _solve_once(
    method: _Method, ranks: Ranks, costs: LocalCosts, threads: int, report: Report | None
) -> _Solution | InfeasibleError:
    """In whole numbers, which for reals are cut off."""
    rows, cols = sorted(costs.shape)
    values = _values(costs, rows)
    stages = Stages()
    split = method.split(ranks, costs)
    numbers, above = _numbers(split.block, costs, values, threads)
    stages.ends("split")
    search = method.variant(ranks, numbers, split.held, (rows, cols), stages, report)
    violator = search.run() if rows else None
    if violator is not None:
        return infeasible(np.flatnonzero(violator.rows), np.flatnonzero(violator.cols), is_tall(costs))
    return _Solution(values, search.col_of_row, search.row_dual - above, search.col_dual, search.stats())


def _values(costs: LocalCosts, rows: int) -> IntegerValues | RealValues:
    if costs.block.dtype.kind == "i":
        return IntegerValues(int(costs.greatest if costs.maximize else costs.least), costs.maximize)
    return real_values(float(costs.least), float(costs.greatest), rows, costs.maximize)


def _numbers(
    block: Any, costs: LocalCosts, values: IntegerValues | RealValues, threads: int
) -> tuple[Any, int]:
    """What a method reads, and how far its numbers are above the values: integers are read as they are."""

    def numbers(block: Any, negated: bool) -> Any:
        if costs.xp is None:
            return _native.number_block(block, negated, threads)
        return ArrayNumbers(costs.xp, block, negated)

    if isinstance(values, RealValues):
        scale = values.base, values.first, values.second
        if costs.xp is not None:
            return numbers(whole_numbers(costs.xp, block, *scale), False), 0
        whole = np.empty(block.shape, np.int64)
        _native.whole_numbers(block, *scale, threads, whole)
        return numbers(whole, False), 0
    if max(abs(int(costs.least)), abs(int(costs.greatest))) <= LARGEST_NUMBER:
        return numbers(block, costs.maximize), -values.base if costs.maximize else values.base
    base = np.int64(values.base)
    return numbers(base - block if costs.maximize else block - base, False), 0


def _without_dear_pairs(ranks: Ranks, costs: LocalCosts, solution: _Solution) -> LocalCosts | None:
    """The costs without pairs that no optimal assignment has; None if that is no use."""
    values, pairs = solution.values, solution.col_of_row
    if not isinstance(values, RealValues) or len(pairs) == 0:
        return None
    assigned = _assigned(ranks, costs, pairs).astype(np.float64)
    if is_precise(values, assigned):
        return None
    duals = centred(solution.col_dual, len(pairs))
    dear = fixing_bound(values, (costs.least, costs.greatest), costs.maximize, assigned, pairs, duals)
    if dear is None:
        return None
    sign = -1.0 if costs.maximize else 1.0
    out = costs.block.dtype.type(sign * np.inf)
    xp = costs.library
    block = xp.where(sign * costs.block > dear, out, costs.block)
    least, greatest = _ends_of_all(ranks, block.dtype, checked_ends(xp, block, costs.maximize, 0))
    return replace(costs, block=block, least=least, greatest=greatest)


def _answered(
    ranks: Ranks, costs: LocalCosts, solution: _Solution, threads: int
) -> LocalAnswer | OverflowError:
    """The answer in the caller's numbers, about this rank's rows."""
    values, col_of_row, stats = solution.values, solution.col_of_row, solution.stats
    duals: tuple[Any, Any] | None
    gap: int | float = 0
    if isinstance(values, IntegerValues):
        duals = values.duals(np, solution.row_dual, solution.col_dual)
    elif len(col_of_row) == 0:
        duals, gap = (np.zeros(0), np.zeros(len(solution.col_dual))), 0.0
    else:
        stages = Stages()
        sign = -1.0 if costs.maximize else 1.0
        col_dual = sign * values.col_duals(centred(solution.col_dual, len(col_of_row)))
        split = split_by_rows(ranks, costs)
        proved = prove(ranks, split, costs, threads, col_of_row, col_dual)
        col_of_row, gap = proved.col_of_row, proved.gap
        duals = (sign * proved.row_dual + 0.0, sign * proved.col_dual + 0.0) if np.isfinite(gap) else None
        stages.ends("proof")
        stats["exact_solves"], stats["seconds"] = proved.exact_solves, stats["seconds"] | stages.seconds
    if duals is None:
        return duals_too_large(np.int64 if isinstance(values, IntegerValues) else np.float64)
    assigned = _assigned(ranks, costs, col_of_row).tolist()
    cost = sum(assigned) if isinstance(values, IntegerValues) else float_sum(assigned)
    stats["bytes_sent"] = ranks.sent
    here, pairs = costs.rows.here, _as_given(costs, col_of_row)
    row_dual, col_dual = reversed(duals) if is_tall(costs) else duals
    return LocalAnswer(pairs[here], row_dual[here], col_dual, cost, gap, stats)


def _as_given(costs: LocalCosts, col_of_row: np.ndarray) -> np.ndarray:
    """The column of each of the caller's rows, -1 where there is none."""
    if not is_tall(costs):
        return col_of_row.astype(np.int64)
    pairs = np.full(costs.shape[0], -1, np.int64)
    pairs[col_of_row] = np.arange(len(col_of_row))
    return pairs


def _assigned(ranks: Ranks, costs: LocalCosts, col_of_row: np.ndarray) -> np.ndarray:
    """The costs of the pairs, in the order of the shorter side."""
    pairs = _as_given(costs, col_of_row)[costs.rows.here]
    mine = np.zeros(len(pairs), costs.block.dtype)
    given = np.flatnonzero(pairs >= 0)
    at = costs.library.asarray(given), costs.library.asarray(pairs[given])
    mine[given] = to_numpy(costs.block[at])
    of_all = costs.rows.joined(ranks.allgatherv(mine))
    return of_all[col_of_row] if is_tall(costs) else of_all
