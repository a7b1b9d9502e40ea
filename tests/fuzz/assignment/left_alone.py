"""Rows and columns left alone at a cost, and heaviest matchings, judged in exact arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

import konig

from ..case import Draw, Violation
from ..exact import as_integers, fraction, power, shown, sum_of_ulps, ulp
from .judge import NEGLIGIBLE
from .optimum import optimum

AFFORDABLE = 60  # rows or columns, whichever are fewer, for which the exact optimum is found


def draw_alone(draw: Draw, C: np.ndarray) -> Any:
    """What leaving rows and columns alone costs: as much as some costs, a part of them, or far more."""
    finite = C[np.isfinite(C)] if C.dtype.kind == "f" else C.ravel()
    some = [fraction(x) for x in draw.array.permutation(finite)[:4]] or [Fraction(1)]

    def number() -> int | float:
        value = draw.some(some) * draw.some((1, 1, Fraction(1, 2), Fraction(1, 1024), 1024))
        if C.dtype.kind != "f":
            return int(value) if abs(value) < 2**60 else 7
        return float(value) if abs(value) < 2**1020 else 1.0

    def side(extent: int) -> Any:
        way = draw.some(("none", "one", "each"))
        if way == "none":
            return None
        return number() if way == "one" else np.array([number() for _ in range(extent)])

    return number() if draw.chance(0.4) else (side(C.shape[0]), side(C.shape[1]))


def _side(given: Any, extent: int, real: bool) -> np.ndarray:
    numbers = np.broadcast_to(0 if given is None else given, extent)
    return numbers.astype(np.float64 if real else np.int64)


def judge_unassigned(
    C: Any, values: np.ndarray, allowed: np.ndarray, alone: Any, maximize: bool, how: dict[str, Any]
) -> Iterator[Violation]:
    """Solve ``C``, whose numbers are ``values`` where they are allowed, and judge the answer."""
    try:
        answer = konig.linear_assignment(C, maximize=maximize, unassigned_cost=alone, device="cpu", **how)
    except OverflowError as error:
        scale = max((abs(fraction(x)) for x in values[allowed].tolist()), default=Fraction(0))
        if scale * (len(values) + 2) < (2**60 if values.dtype.kind != "f" else 2**1000):
            yield Violation("overflow", str(error))
        return
    given = alone if isinstance(alone, tuple) else (alone, None)
    real = values.dtype.kind == "f"
    row, col = (_side(side, extent, real) for side, extent in zip(given, values.shape, strict=True))
    pairs = list(zip(answer.row_ind.tolist(), answer.col_ind.tolist(), strict=True))
    if len({i for i, _ in pairs}) < len(pairs) or len({j for _, j in pairs}) < len(pairs):
        yield Violation("pairs", f"{pairs}")
        return
    if not all(allowed[pair] for pair in pairs):
        yield Violation("pairs", "a forbidden pair is made")
        return
    paid = [fraction(values[pair]) for pair in pairs]
    paid += [fraction(row[i]) for i in set(range(len(row))) - {i for i, _ in pairs}]
    paid += [fraction(col[j]) for j in set(range(len(col))) - {j for _, j in pairs}]
    yield from _judge_duals(answer, values, allowed, (row, col), paid, maximize)
    if min(values.shape) <= AFFORDABLE:
        yield from _judge_optimum(values, allowed, (row, col), sum(paid, Fraction(0)), answer.gap, maximize)
    try:
        answer.verify(C, unassigned_cost=alone)
    except konig.CertificateError as refused:
        yield Violation("certificate refuses a true answer", str(refused))


def _judge_duals(
    answer: Any,
    values: np.ndarray,
    allowed: np.ndarray,
    sides: tuple[np.ndarray, np.ndarray],
    paid: list[Fraction],
    maximize: bool,
) -> Iterator[Violation]:
    sign = -1 if maximize else 1
    (costs, row, col, u, v), _ = as_integers(
        np.where(allowed, values, 0), *sides, answer.row_dual, answer.col_dual
    )
    wide = [x.astype(object) for x in (costs, row, col, u, v)]
    costs, row, col, u, v = (sign * x for x in wide)
    if (allowed & (u[:, None] + v[None, :] > costs)).any():
        yield Violation("dual infeasible", "a pair undercuts its duals")
    if (u > row).any() or (v > col).any():
        yield Violation("dual infeasible", "a dual exceeds what leaving alone costs")
    total = sum(paid, Fraction(0))
    beyond = abs(total) >= 2**1023  # and perhaps beyond float64
    if not beyond and abs(fraction(answer.cost) - total) > (
        ulp(answer.cost) if values.dtype.kind == "f" else 0
    ):
        yield Violation("cost", f"{answer.cost}, not {shown(total)}")
    proved = sign * total
    for dual in (answer.row_dual, answer.col_dual):
        proved -= sign * sum((fraction(x) for x in dual.tolist()), Fraction(0))
    if fraction(answer.gap) < proved:
        yield Violation("gap below proof", f"{answer.gap} < {shown(proved)}")
    limit = NEGLIGIBLE * sum(map(abs, paid)) + sum_of_ulps(answer.row_dual) + sum_of_ulps(answer.col_dual)
    if proved > (limit if values.dtype.kind == "f" else 0):
        yield Violation("gap too large", f"{shown(proved)}, and {shown(limit)} is explained")


def _judge_optimum(
    values: np.ndarray,
    allowed: np.ndarray,
    sides: tuple[np.ndarray, np.ndarray],
    total: Fraction,
    gap: Any,
    maximize: bool,
) -> Iterator[Violation]:
    """Leaving a pair's row and column alone is as good as a pair that costs nothing in place of both."""
    sign = -1 if maximize else 1
    (costs, row, col), exponent = as_integers(np.where(allowed, values, 0), *sides)
    costs, row, col = (sign * x.astype(object) for x in (costs, row, col))
    saved = np.where(allowed, np.minimum(costs - row[:, None] - col[None, :], 0), 0)
    least = optimum(saved, np.ones(saved.shape, bool)).cost if saved.size else 0
    best = (least + sum(row.tolist()) + sum(col.tolist())) * power(exponent)
    off = sign * total - best
    if not 0 <= off <= fraction(gap):
        yield Violation("not optimal", f"off by {shown(off)}, and the gap is {gap}")


def judge_heaviest(W: np.ndarray, count: int | None, how: dict[str, Any]) -> Iterator[Violation]:
    """Solve and judge a heaviest matching, of so many pairs if that is given."""
    allowed = np.isfinite(W) if W.dtype.kind == "f" else np.ones(W.shape, bool)
    try:
        answer = konig.maximum_weight_matching(W, cardinality=count, device="cpu", **how)
    except konig.CardinalityError as error:
        met = np.zeros(W.shape, bool)
        met[error.rows], met[:, error.cols] = True, True
        if (allowed & ~met).any() or len(error.rows) + len(error.cols) >= (count or 0):
            yield Violation("cover", f"no proof that there are not {count} pairs")
        return
    except OverflowError:
        return
    try:
        answer.verify(W)
    except konig.CertificateError as refused:
        yield Violation("certificate refuses a true answer", str(refused))
        return
    if min(W.shape) > AFFORDABLE:
        return
    total = sum((fraction(W[i, j]) for i, j in zip(answer.row_ind, answer.col_ind, strict=True)), Fraction(0))
    (weights,), exponent = as_integers(np.where(allowed, W, 0))
    weights = weights.astype(object)
    if count is None:
        gains = np.where(allowed, np.minimum(-weights, 0), 0)
        best = -(optimum(gains, np.ones(W.shape, bool)).cost if gains.size else 0)
    else:
        # All rows but ``count``, and all columns but ``count``, take one of their own.
        rows, cols = W.shape
        size = rows + cols - count
        extended, some = np.zeros((size, size), object), np.ones((size, size), bool)
        extended[:rows, :cols], some[:rows, :cols] = -weights, allowed
        some[rows:, cols:] = False
        best = -optimum(extended, some).cost
    off = best * power(exponent) - total
    if not 0 <= off <= fraction(answer.gap):
        yield Violation("not optimal", f"off by {shown(off)}, and the gap is {answer.gap}")
