"""The certificate is a subject of its own: it must accept what is true and refuse what is not."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

import konig

from ..case import Draw, Violation
from .judge import GRAVE, Problem, judge, proves_exactly


def judge_certificate(
    draw: Draw, problem: Problem, answer: Any, C: Any, grounds: list[Violation]
) -> Iterator[Violation]:
    """Verify an answer that was judged already, then a corrupted copy of it.

    Whether a corrupted copy is wrong is for the judge to say: two pairs of equal cost may be swapped.
    """
    accepted, said = _accepts(answer, C)
    if said:
        yield Violation("certificate raises", said)
    elif not accepted and not grounds:
        yield Violation("certificate refuses a true answer", _refusal(answer, C))
    elif accepted and any(ground.kind in GRAVE for ground in grounds):
        worst = next(ground for ground in grounds if ground.kind in GRAVE)
        yield Violation(f"certificate accepts: {worst.kind}", worst.detail, worst.size)
    if grounds or problem.values.size > 2500:
        return
    for name, copy in corrupted(draw, problem, answer):
        aim = problem.turned(copy.maximize)
        faults = list(judge(aim, copy))
        wrong = next((fault for fault in faults if fault.kind in GRAVE), None)
        accepted, said = _accepts(copy, C)
        if said:
            yield Violation("certificate raises", f"{name}: {said}")
        elif wrong and accepted:
            yield Violation(f"certificate accepts: {wrong.kind}", f"{name}: {wrong.detail}", wrong.size)
        elif not accepted and not faults and copy.cost == answer.cost and proves_exactly(aim, copy):
            yield Violation("certificate refuses a true answer", f"{name}: {_refusal(copy, C)}")


def _accepts(answer: Any, C: Any) -> tuple[bool, str]:
    try:
        answer.verify(C)
    except konig.CertificateError:
        return False, ""
    except Exception as error:
        return False, f"{type(error).__name__}: {error}"
    return True, ""


def _refusal(answer: Any, C: Any) -> str:
    try:
        answer.verify(C)
    except konig.CertificateError as refused:
        return str(refused)
    return ""


def corrupted(draw: Draw, problem: Problem, answer: Any) -> Iterator[tuple[str, Any]]:
    """One copy, spoilt in one of many ways; some are not wrong, and some ways cannot spoil this answer."""
    ways = (_swapped, _moved, _one_dual, _dual_shift, _cost, _gap, _shorter, _lengths, _not_finite, _turned)
    for way in draw.sample(ways, len(ways)):
        copy = way(draw, problem, answer)
        if copy is not None:
            yield way.__name__.strip("_").replace("_", " "), copy
            return


def _swapped(draw: Draw, problem: Problem, answer: Any) -> Any:
    if len(answer.col_ind) < 2:
        return None
    cols = np.array(answer.col_ind)
    a, b = draw.sample(range(len(cols)), 2)
    cols[[a, b]] = cols[[b, a]]
    total = problem.values[answer.row_ind, cols].tolist()
    cost = sum(total) if problem.whole else _sum(total)
    return replace(answer, col_ind=cols, cost=cost)


def _moved(draw: Draw, problem: Problem, answer: Any) -> Any:
    free = sorted(set(range(problem.shape[1])) - set(np.asarray(answer.col_ind).tolist()))
    if not free or not len(answer.col_ind):
        return None
    cols = np.array(answer.col_ind)
    cols[draw.randrange(len(cols))] = draw.some(free)
    total = problem.values[answer.row_ind, cols].tolist()
    return replace(answer, col_ind=cols, cost=sum(total) if problem.whole else _sum(total))


def _sum(values: list[float]) -> float:
    try:
        return math.fsum(values)
    except (OverflowError, ValueError):
        return math.inf


def _one_dual(draw: Draw, problem: Problem, answer: Any) -> Any:
    name = draw.some(("row_dual", "col_dual"))
    dual = np.array(getattr(answer, name))
    if not len(dual):
        return None
    k = draw.randrange(len(dual))
    if problem.whole:
        change = draw.choice((-1, 1)) * draw.some((1, 1, 2, 1000))
        if not -(2**63) <= int(dual[k]) + change < 2**63:
            return None
        dual[k] += change
    else:
        step = max(abs(float(dual[k])), float(np.abs(dual).max()) * draw.some((0, 1)), 5e-324)
        with np.errstate(over="ignore"):
            dual[k] += draw.choice((-1, 1)) * step * draw.some((1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 1))
    return replace(answer, **{name: dual})


def _dual_shift(draw: Draw, problem: Problem, answer: Any) -> Any:
    """All rows up and all columns down: on squares it proves as much, as long as nothing is rounded."""
    row_dual, col_dual = np.array(answer.row_dual), np.array(answer.col_dual)
    step = draw.some((1, 2, 1024))
    if problem.whole and any(abs(int(d)) > 2**62 for dual in (row_dual, col_dual) for d in dual):
        return None
    return replace(answer, row_dual=row_dual + step, col_dual=col_dual - step)


def _cost(draw: Draw, problem: Problem, answer: Any) -> Any:
    if problem.whole:
        return replace(answer, cost=answer.cost + draw.choice((-1, 1)))
    largest = float(np.abs(problem.values[problem.allowed]).max(initial=0))
    step = (abs(answer.cost) or largest or 1.0) * draw.some((1e-9, 1e-6, 1))
    return replace(answer, cost=draw.some((answer.cost + step, answer.cost - step, math.nan, math.inf)))


def _gap(draw: Draw, problem: Problem, answer: Any) -> Any:
    gap = getattr(answer, "gap", None)
    if gap is None:
        return None
    wrong = (
        (-1.0, math.nan, math.inf, 1e300) if not gap else (0.0, gap / 2, -gap, math.inf, math.nan, gap * 1e9)
    )
    return replace(answer, gap=draw.some(wrong))


def _shorter(draw: Draw, problem: Problem, answer: Any) -> Any:
    if not len(answer.row_ind):
        return None
    keep = np.arange(len(answer.row_ind)) != draw.randrange(len(answer.row_ind))
    rows, cols = np.asarray(answer.row_ind)[keep], np.asarray(answer.col_ind)[keep]
    values = problem.values[rows, cols].tolist()
    return replace(answer, row_ind=rows, col_ind=cols, cost=sum(values) if problem.whole else _sum(values))


def _lengths(draw: Draw, problem: Problem, answer: Any) -> Any:
    name = draw.some(("row_dual", "col_dual", "row_ind", "col_ind"))
    array = np.asarray(getattr(answer, name))
    longer = np.concatenate([array, array[-1:] if len(array) else np.zeros(1, array.dtype)])
    return replace(answer, **{name: draw.some((array[:-1], longer)) if len(array) else longer})


def _not_finite(draw: Draw, problem: Problem, answer: Any) -> Any:
    name = draw.some(("row_dual", "col_dual"))
    dual = np.array(getattr(answer, name))
    if problem.whole or not len(dual):
        return None
    dual[draw.randrange(len(dual))] = draw.some((math.nan, math.inf, -math.inf))
    return replace(answer, **{name: dual})


def _turned(draw: Draw, problem: Problem, answer: Any) -> Any:
    return replace(answer, maximize=not answer.maximize)
