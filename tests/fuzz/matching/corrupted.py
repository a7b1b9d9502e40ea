"""The certificate of a matching is a subject of its own: it must accept the true and refuse the false."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

import konig

from ..case import Draw, Violation
from .judge import GRAVE, Pattern, judge


def judge_certificate(
    draw: Draw, pattern: Pattern, answer: Any, A: Any, grounds: list[Violation]
) -> Iterator[Violation]:
    """Verify an answer that was judged already, then corrupted copies of it."""
    refused = _refusal(answer, A)
    grave = next((ground for ground in grounds if ground.kind in GRAVE), None)
    if refused is not None and not grounds:
        yield Violation("certificate refuses a true answer", refused)
    elif refused is None and grave:
        yield Violation(f"certificate accepts: {grave.kind}", grave.detail)
    if grounds:
        return
    for way in draw.sample((_shorter, _size, _one_mate, _moved, _one_cover), 2):
        copy = way(draw, pattern, answer)
        if copy is None:
            continue
        faults = _faults(pattern, copy)
        refused = _refusal(copy, A)
        name = way.__name__.strip("_").replace("_", " ")
        if refused is not None and refused.startswith("!"):
            yield Violation("certificate raises", f"{name}: {refused[1:]}")
        elif refused is None and faults:
            yield Violation(f"certificate accepts: {faults[0].kind}", f"{name}: {faults[0].detail}")
        elif refused is not None and not faults:
            yield Violation("certificate refuses a true answer", f"{name}: {refused}")


def _faults(pattern: Pattern, answer: Any) -> list[Violation]:
    try:
        return [fault for fault in judge(pattern, answer) if fault.kind in GRAVE]
    except konig.CertificateError as refused:  # the cover is found on demand, for a matching that is one
        return [Violation("pairs", str(refused))]


def _refusal(answer: Any, A: Any) -> str | None:
    """Why an answer is refused; None if it is not, and ! before an error of another kind."""
    try:
        answer.verify(A)
    except konig.CertificateError as refused:
        return str(refused)
    except Exception as error:
        return f"!{type(error).__name__}: {error}"
    return None


def _shorter(draw: Draw, pattern: Pattern, answer: Any) -> Any:
    """One pair less: a matching, but not a largest one."""
    col_of_row, row_of_col = np.array(answer.col_of_row), np.array(answer.row_of_col)
    matched = np.flatnonzero(col_of_row >= 0)
    if not len(matched):
        return None
    i = draw.some(matched.tolist())
    row_of_col[col_of_row[i]] = -1
    col_of_row[i] = -1
    return replace(
        answer, col_of_row=col_of_row, row_of_col=row_of_col, size=answer.size - draw.randint(0, 1)
    )


def _size(draw: Draw, pattern: Pattern, answer: Any) -> Any:
    return replace(answer, size=answer.size + draw.choice((-1, 1)))


def _one_mate(draw: Draw, pattern: Pattern, answer: Any) -> Any:
    name = draw.some(("col_of_row", "row_of_col"))
    mates = np.array(getattr(answer, name))
    if not len(mates):
        return None
    bound = pattern.shape[1 if name == "col_of_row" else 0]
    mates[draw.randrange(len(mates))] = draw.some((-2, -1, bound, draw.randrange(max(1, bound))))
    return replace(answer, **{name: mates})


def _moved(draw: Draw, pattern: Pattern, answer: Any) -> Any:
    """A pair moved to another free column, which need not be an entry."""
    col_of_row, row_of_col = np.array(answer.col_of_row), np.array(answer.row_of_col)
    free, matched = np.flatnonzero(row_of_col < 0).tolist(), np.flatnonzero(col_of_row >= 0).tolist()
    if not free or not matched:
        return None
    i, j = draw.some(matched), draw.some(free)
    row_of_col[col_of_row[i]] = -1
    col_of_row[i], row_of_col[j] = j, i
    return replace(answer, col_of_row=col_of_row, row_of_col=row_of_col)


def _one_cover(draw: Draw, pattern: Pattern, answer: Any) -> Any:
    """One line less, or more, in the cover."""
    copy = replace(answer)
    rows, cols = np.array(answer.cover.rows), np.array(answer.cover.cols)
    if len(rows) and draw.chance(0.5):
        rows = np.delete(rows, draw.randrange(len(rows)))
    elif len(cols):
        cols = np.delete(cols, draw.randrange(len(cols)))
    else:
        return None
    copy.__dict__["cover"] = konig.VertexCover(rows, cols)
    return copy
