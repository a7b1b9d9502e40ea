"""Is this the answer to an assignment problem? Decided in exact arithmetic."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ..case import Violation
from ..exact import as_integers, fraction, power, ratio, shown, sum_of_ulps, ulp, ulp_exponents
from ..matching.optimum import largest_matching
from .optimum import Optimum, in_machine_words, optimum

# The contract: `gap` is at most this share of the assigned costs and one unit in the last place of each dual.
NEGLIGIBLE = Fraction(1, 10**12)
# An answer whose cost is off by this share of the assigned costs is wrong whatever its duals allow.
WRONG = Fraction(1, 10**9)
# "A few" units in the last place of an entry and its two duals.
FEW = 8
# What a certificate must never let pass. The other kinds concern the quality of a proof.
GRAVE = frozenset(
    {"shape", "pairs", "size", "not optimal", "wrong answer", "cost", "dual not finite", "dual infeasible"}
    | {
        "dual not tight",
        "dual sign",
        "leftover duals",
        "cover",
        "gap below proof",
        "gap too large",
        "dual type",
    }
)


class Problem:
    """Costs in exact arithmetic, turned so that they are to be minimised.

    ``values`` is a dense array; ``allowed`` tells which pairs there are.
    """

    def __init__(self, values: np.ndarray, allowed: np.ndarray | None = None, maximize: bool = False) -> None:
        self.values = values
        self.shape = values.shape
        self.maximize = maximize
        self.whole = values.dtype.kind in "iubO"  # objects are Python's integers
        finite = np.ones(values.shape, bool) if self.whole else np.isfinite(values)
        self.allowed = finite if allowed is None else allowed & finite

    def turned(self, maximize: bool) -> Problem:
        """The same costs, perhaps with the opposite aim."""
        return self if maximize == self.maximize else Problem(self.values, self.allowed, maximize)

    @property
    def sign(self) -> int:
        return -1 if self.maximize else 1

    @cached_property
    def finite(self) -> np.ndarray:
        """The costs, and 0 where no pair is allowed."""
        return np.where(self.allowed, self.values, 0)

    @cached_property
    def exact(self) -> tuple[np.ndarray, int]:
        """The costs as integers times a power of two, and its exponent."""
        (costs,), exponent = as_integers(self.finite)
        return self.sign * costs, exponent

    @cached_property
    def optimum(self) -> Optimum:
        return optimum(self.exact[0], self.allowed)

    @property
    def optimal_cost(self) -> Fraction:
        """What the cheapest of the largest assignments costs, turned as the costs are."""
        return self.optimum.cost * power(self.exact[1])

    @cached_property
    def size(self) -> int:
        """How many pairs the largest assignments have."""
        if self.allowed.all():
            return min(self.shape)
        return largest_matching([np.flatnonzero(row).tolist() for row in self.allowed], self.shape[1]).size

    @property
    def full(self) -> bool:
        return self.size == min(self.shape)

    @cached_property
    def affordable(self) -> bool:
        """Whether the exact optimum takes no longer than a second; if not, a proof must do."""
        return min(self.shape) <= 100 or in_machine_words(self.exact[0], self.allowed)

    @cached_property
    def forced_rounding(self) -> Fraction:
        """A unit in the last place for each line, of duals as large as the lowest cost makes some of them."""
        lowest = min(0.0, float((self.sign * self.finite.astype(np.float64)).min(initial=0.0)))
        return sum(self.shape) * ulp(lowest)

    def cost_of(self, rows: list[int], cols: list[int]) -> tuple[Fraction, Fraction]:
        """What pairs cost together, turned as the costs are, and the sum of their magnitudes."""
        costs, unit = self.exact[0], power(self.exact[1])
        listed = [int(costs[pair]) for pair in zip(rows, cols, strict=True)]
        return sum(listed) * unit, sum(map(abs, listed)) * unit

    @cached_property
    def fits(self) -> bool:
        """Whether the documented range of integers holds all costs."""
        if not self.whole or not self.allowed.any():
            return True
        listed = self.values[self.allowed]
        return int(listed.min()) > -(2**63) + self.maximize and int(listed.max()) < 2**63 - 1


@dataclass(frozen=True)
class Proof:
    """What the duals of an answer prove, exactly: the cost is at most ``bound`` above the optimum."""

    bound: Fraction
    worst_entry: Fraction  # the worst undercut or slack in units of what may be neglected at that entry
    at: tuple[int, int]


def judge(
    problem: Problem, answer: Any, *, gap_required: bool = False, per_entry: bool = False
) -> Iterator[Violation]:
    """Every way in which an Assignment breaks the contract.

    ``per_entry`` adds what the gap may hide: an entry that is neglected by more than its own rounding.
    """
    pairs = _pairs(problem, answer)
    if isinstance(pairs, Violation):
        yield pairs
        return
    rows, cols = pairs
    total, magnitude = problem.cost_of(rows, cols)
    if len(rows) != problem.size:
        yield Violation("size", f"{len(rows)} pairs, not {problem.size}")
        return
    yield from judge_cost(problem, answer.cost, problem.sign * total, magnitude, len(rows))
    yield from _judge_cover(problem, answer)
    duals = _duals(problem, answer)
    if isinstance(duals, Violation):
        yield duals
        return
    yield from _judge_signs(problem, rows, cols, duals)
    proof = prove(problem, rows, cols, duals)
    excess = total - problem.optimal_cost if problem.affordable else proof.bound
    if problem.whole:
        yield from _judge_whole(answer, rows, cols, excess, proof)
    else:
        limit = allowance(magnitude, duals)
        beyond_doubt = WRONG * magnitude + problem.forced_rounding
        yield from _judge_real(answer, excess, proof, limit, beyond_doubt, magnitude, gap_required)
        if per_entry:
            yield from _judge_entries(proof)


def judge_pairs_alone(problem: Problem, answer: Any) -> Iterator[Violation]:
    """Is it an assignment that is full, and does it cost what it says, whether or not that is optimal?"""
    pairs = _pairs(problem, answer)
    if isinstance(pairs, Violation):
        yield pairs
        return
    if len(pairs[0]) != min(problem.shape):
        yield Violation("size", f"{len(pairs[0])} pairs, not {min(problem.shape)}")
        return
    total, magnitude = problem.cost_of(*pairs)
    yield from judge_cost(problem, answer.cost, problem.sign * total, magnitude, len(pairs[0]))


def _pairs(problem: Problem, answer: Any) -> tuple[list[int], list[int]] | Violation:
    row_ind, col_ind = np.asarray(answer.row_ind), np.asarray(answer.col_ind)
    if (
        row_ind.ndim != 1
        or row_ind.shape != col_ind.shape
        or {row_ind.dtype.kind, col_ind.dtype.kind} != {"i"}
    ):
        return Violation(
            "shape", f"row_ind {row_ind.dtype}{row_ind.shape}, col_ind {col_ind.dtype}{col_ind.shape}"
        )
    rows, cols = row_ind.tolist(), col_ind.tolist()
    n, m = problem.shape
    if any(not 0 <= i < n for i in rows) or any(not 0 <= j < m for j in cols):
        return Violation("pairs", "an index is out of range")
    if rows != sorted(set(rows)) or len(set(cols)) != len(cols):
        return Violation("pairs", "rows do not ascend, or a column is assigned twice")
    if not all(problem.allowed[i, j] for i, j in zip(rows, cols, strict=True)):
        return Violation("pairs", "a forbidden pair is assigned")
    return rows, cols


def judge_cost(
    problem: Problem, cost: Any, total: Fraction, magnitude: Fraction, size: int
) -> Iterator[Violation]:
    """Is it what the pairs cost? Exactly for an integer; a float64 may be rounded where a sum was."""
    if isinstance(cost, int | np.integer):
        if not problem.whole or int(cost) != total:
            yield Violation("cost", f"cost={cost!r}, exactly {shown(total)}")
        return
    if not isinstance(cost, float | np.floating):
        yield Violation("cost", f"cost={cost!r} is no number")
        return
    try:
        rounded = float(total)
    except OverflowError:
        rounded = math.inf if total > 0 else -math.inf
    if math.isinf(rounded) or not math.isfinite(cost):
        if cost != rounded:
            yield Violation("cost", f"cost={cost!r}, exactly {rounded!r}")
        return
    off = abs(fraction(cost) - total)
    # Adding up one after the other in float64 is off by no more.
    if off > size * Fraction(2) ** -52 * magnitude:
        yield Violation("cost", f"cost={cost!r}, exactly {rounded!r}", ratio(off, magnitude))


def _judge_cover(problem: Problem, answer: Any) -> Iterator[Violation]:
    size = len(answer.row_ind)
    if size == min(problem.shape):
        return
    if answer.cover is None:
        yield Violation("cover", "an assignment that is not full has no cover")
        return
    rows, cols = np.asarray(answer.cover.rows).tolist(), np.asarray(answer.cover.cols).tolist()
    left = problem.allowed.copy()
    try:
        left[rows] = False
        left[:, cols] = False
    except IndexError:
        yield Violation("cover", "an index is out of range")
        return
    if left.any() or len(rows) + len(cols) != size or len(set(rows)) + len(set(cols)) != size:
        yield Violation(
            "cover", f"{len(rows)} rows and {len(cols)} columns cover {size} pairs or not all entries"
        )


def _duals(problem: Problem, answer: Any) -> tuple[np.ndarray, np.ndarray] | Violation:
    row_dual, col_dual = np.asarray(answer.row_dual), np.asarray(answer.col_dual)
    if (row_dual.shape, col_dual.shape) != ((problem.shape[0],), (problem.shape[1],)):
        return Violation("shape", f"duals of shape {row_dual.shape} and {col_dual.shape}")
    kinds = "i" if problem.whole else "f"
    if row_dual.dtype.kind not in kinds or col_dual.dtype.kind not in kinds:
        return Violation(
            "dual type", f"{row_dual.dtype} and {col_dual.dtype} for costs of {problem.values.dtype}"
        )
    if not problem.whole and not (np.isfinite(row_dual).all() and np.isfinite(col_dual).all()):
        return Violation("dual not finite", f"{row_dual} {col_dual}")
    return row_dual, col_dual


def prove(problem: Problem, rows: list[int], cols: list[int], duals: tuple[np.ndarray, np.ndarray]) -> Proof:
    """cost - sum of the duals + sum over rows of the worst undercut: exactly, and never below 0."""
    (costs, row_dual, col_dual), exponent = as_integers(problem.finite, *duals)
    if problem.maximize:
        costs, row_dual, col_dual = -costs, -row_dual, -col_dual
    n, m = problem.shape
    if not n or not m:
        return Proof(Fraction(0), Fraction(0), (0, 0))
    slack = costs - row_dual[:, None] - col_dual[None, :]
    undercut = np.where(problem.allowed, np.maximum(-slack, 0), 0)
    # A row that is left over counts only on the longer side of a full assignment, where its dual must be 0.
    left_over = n <= m or len(rows) < m
    assigned = sum((row_dual[rows] if left_over else row_dual).tolist()) + sum(col_dual.tolist())
    total = sum(costs[rows, cols].tolist())
    by_rows, by_cols = (sum(undercut.max(axis=axis).tolist()) for axis in (1, 0))
    worst, at = _worst_entry(problem, rows, cols, duals, undercut, slack)
    unit = power(exponent)
    return Proof((total - assigned + min(by_rows, by_cols)) * unit, worst * unit, at)


def _worst_entry(
    problem: Problem,
    rows: list[int],
    cols: list[int],
    duals: tuple[np.ndarray, np.ndarray],
    undercut: np.ndarray,
    slack: np.ndarray,
) -> tuple[Fraction, tuple[int, int]]:
    """The largest undercut, or slack of a pair, in units in the last place of the entry and its duals."""
    suspect = undercut != 0
    suspect[rows, cols] = slack[rows, cols] != 0
    at = np.nonzero(suspect)
    if not len(at[0]):
        return Fraction(0), (0, 0)
    places = np.maximum(ulp_exponents(duals[0][at[0]]), ulp_exponents(duals[1][at[1]]))
    places = np.maximum(places, ulp_exponents(problem.values[at])).tolist()
    top = max(places)
    sizes = [abs(size) << (top - place) for size, place in zip(slack[at].tolist(), places, strict=True)]
    worst = max(range(len(sizes)), key=sizes.__getitem__)
    return sizes[worst] * power(-top), (int(at[0][worst]), int(at[1][worst]))


def proves_exactly(problem: Problem, answer: Any) -> bool:
    """Whether an answer with which nothing is wrong neglects nothing at all."""
    if getattr(answer, "gap", None) or not problem.full:
        return False
    rows, cols = np.asarray(answer.row_ind).tolist(), np.asarray(answer.col_ind).tolist()
    proof = prove(problem, rows, cols, (np.asarray(answer.row_dual), np.asarray(answer.col_dual)))
    return not proof.bound and not proof.worst_entry


def _judge_signs(
    problem: Problem, rows: list[int], cols: list[int], duals: tuple[np.ndarray, np.ndarray]
) -> Iterator[Violation]:
    """On a longer side duals are at most 0, and 0 where nothing is assigned; likewise where not all are."""
    n, m = problem.shape
    row_dual, col_dual = ([problem.sign * d for d in dual.tolist()] for dual in duals)
    partial = len(rows) < min(n, m)
    sides = [("column", col_dual, set(cols))] if n < m or partial else []
    sides += [("row", row_dual, set(rows))] if n > m and not partial else []
    for name, dual, used in sides:
        for k, value in enumerate(dual):
            if value > 0 or (value != 0 and k not in used):
                yield Violation("dual sign", f"the dual of {name} {k} is {float(problem.sign * value)!r}")
                return
    if partial:
        assigned = [row_dual[i] for i in rows]
        left = [row_dual[i] for i in range(n) if i not in set(rows)]
        if assigned and left and max(assigned) > min(left):
            yield Violation("leftover duals", "a row that is left over has not one of the largest duals")


def _judge_whole(
    answer: Any, rows: list[int], cols: list[int], excess: Fraction, proof: Proof
) -> Iterator[Violation]:
    if excess:
        yield Violation("not optimal", f"{excess} above the optimum")
    if proof.worst_entry:
        i, j = proof.at
        kind = "dual not tight" if (i, j) in set(zip(rows, cols, strict=True)) else "dual infeasible"
        yield Violation(kind, f"entry ({i}, {j}) by {shown(proof.worst_entry)}")
    gap = getattr(answer, "gap", None)
    if gap is not None and gap != 0:
        yield Violation("gap too large", f"gap={gap!r} for integers")


def allowance(magnitude: Fraction, duals: tuple[np.ndarray, np.ndarray]) -> Fraction:
    """The most that `gap` may be."""
    return NEGLIGIBLE * magnitude + sum_of_ulps(np.concatenate(duals))


def _judge_real(
    answer: Any,
    excess: Fraction,
    proof: Proof,
    limit: Fraction,
    beyond_doubt: Fraction,
    magnitude: Fraction,
    gap_required: bool,
) -> Iterator[Violation]:
    relative = ratio(excess, magnitude)
    off = f"{shown(excess)} above the optimum, {relative:.3g} of the assigned costs"
    if excess > limit:
        yield Violation("not optimal", off, relative)
    elif excess > beyond_doubt:
        yield Violation("wrong answer", f"{off}; large duals allow it", relative)
    gap = getattr(answer, "gap", None)
    if gap is None:
        if gap_required:
            yield Violation("gap missing", "the answer has no gap")
    elif not isinstance(gap, int | float) or not 0 <= gap < math.inf:
        yield Violation("gap too large", f"gap={gap!r}")
    else:
        if fraction(gap) < proof.bound:
            yield Violation(
                "gap below proof", f"gap={gap!r}, but the duals prove {shown(proof.bound)} and no less"
            )
        if fraction(gap) > limit:
            size = ratio(fraction(gap), magnitude)
            yield Violation("gap too large", f"gap={gap!r}, at most {shown(limit)} is allowed", size)
    if proof.bound > limit:
        size = ratio(proof.bound, magnitude)
        yield Violation(
            "proof too weak", f"the duals prove {shown(proof.bound)}, {size:.3g} of the costs", size
        )


def _judge_entries(proof: Proof) -> Iterator[Violation]:
    if proof.worst_entry > FEW:
        i, j = proof.at
        yield Violation(
            "entry beyond rounding",
            f"entry ({i}, {j}) by {float(proof.worst_entry):.3g} units in the last place",
            float(proof.worst_entry),
        )


def judge_pairs(problem: Problem, row_ind: Any, col_ind: Any) -> Iterator[Violation]:
    """Every way in which pairs without duals, as drop-ins return them, break the contract."""

    class Bare:
        pass

    bare: Any = Bare()
    bare.row_ind, bare.col_ind = row_ind, col_ind
    pairs = _pairs(problem, bare)
    if isinstance(pairs, Violation):
        yield pairs
        return
    if len(pairs[0]) != problem.size:
        yield Violation("size", f"{len(pairs[0])} pairs, not {problem.size}")
        return
    if problem.affordable:
        cost, magnitude = problem.cost_of(*pairs)
        yield from judge_excess(cost - problem.optimal_cost, magnitude, problem.size, problem.whole)


def judge_excess(excess: Fraction, magnitude: Fraction, size: int, whole: bool) -> Iterator[Violation]:
    """Whether a cost is near enough to the optimum where no duals say what may be neglected."""
    limit = Fraction(0) if whole else NEGLIGIBLE * magnitude + size * Fraction(2) ** -1074
    if excess > limit:
        relative = ratio(excess, magnitude)
        yield Violation(
            "not optimal",
            f"{shown(excess)} above the optimum, {relative:.3g} of the assigned costs",
            relative,
        )


def judge_infeasible(problem: Problem, error: Any) -> Iterator[Violation]:
    """Is it true that no assignment is full, and do these rows and columns show it?"""
    if problem.full:
        yield Violation("refused though feasible", str(error))
        return
    rows, cols = np.asarray(error.rows).tolist(), np.asarray(error.cols).tolist()
    n, m = problem.shape
    if rows != sorted(set(rows)) or cols != sorted(set(cols)):
        yield Violation("Hall violator", "indices repeat or do not ascend")
        return
    if any(not 0 <= i < n for i in rows) or any(not 0 <= j < m for j in cols):
        yield Violation("Hall violator", "an index is out of range")
        return
    inside = np.zeros((n, m), bool)
    if len(rows) > len(cols):
        inside[:, cols] = True
        outside, enough = (problem.allowed & ~inside)[rows], len(rows) - len(cols) > max(0, n - m)
    else:
        inside[rows] = True
        outside, enough = (problem.allowed & ~inside)[:, cols], len(cols) - len(rows) > max(0, m - n)
    if outside.any() or not enough:
        yield Violation("Hall violator", f"rows {rows} and columns {cols} show nothing")


def judge_overflow(problem: Problem, error: OverflowError) -> Iterator[Violation]:
    """Is it true that float64 does not hold the cost, or int64 or float64 no optimal duals?"""
    if problem.full and cost_fits(problem) and duals_fit(problem):
        yield Violation("overflow", str(error))


def cost_fits(problem: Problem) -> bool:
    """Whether float64 holds the optimal cost; that of integers is one of Python's."""
    if problem.whole:
        return True
    try:
        float(problem.optimal_cost)
    except OverflowError:
        return False
    return True


def duals_fit(problem: Problem) -> bool:
    """Whether int64, or float64 for reals, holds optimal duals.

    The inequalities of the duals and their bounds are differences of two unknowns each: they have a solution
    unless there is a circle of negative length.
    """
    n, m = problem.shape
    best = problem.optimum
    costs, exponent = problem.exact
    low, high = (-(2**63), 2**63 - 1) if not problem.maximize else (1 - 2**63, 2**63)
    if not problem.whole:
        high = int(Fraction(np.finfo(float).max) / power(exponent))
        low = -high
    nothing = 4 * (sum(abs(int(c)) for c in costs.flat) + high) + 2**70
    reach = np.full((n + m + 1, n + m + 1), nothing, object)  # reach[b, a] bounds x_a - x_b from above
    for i in range(n):  # the dual of row i is x_(1 + i) - x_0
        reach[0, 1 + i] = high if n <= m else 0
        reach[1 + i, 0] = -low if n <= m or i in best.row_ind else 0
    for j in range(m):  # the dual of column j is x_0 - x_(1 + n + j)
        reach[1 + n + j, 0] = high if m <= n else 0
        reach[0, 1 + n + j] = -low if m <= n or j in best.col_ind else 0
    for i in range(n):
        for j in range(m):
            if problem.allowed[i, j]:
                reach[1 + n + j, 1 + i] = int(costs[i, j])
    for i, j in zip(best.row_ind, best.col_ind, strict=True):
        reach[1 + i, 1 + n + j] = -int(costs[i, j])
    for k in range(n + m + 1):
        reach = np.minimum(reach, reach[:, k : k + 1] + reach[k : k + 1, :])
        if (np.diagonal(reach) < 0).any():
            return False
    return True
