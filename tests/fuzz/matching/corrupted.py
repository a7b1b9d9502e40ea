"""The certificate of a matching is a subject of its own: it must accept the true and refuse the false."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

import konig

from ..case import Draw, Violation
from .judge import GRAVE, Pattern

Copies = Iterator[tuple[str, Any]]


def judge_certificate(
    judge: Callable[[Pattern, Any], Iterator[Violation]],
    pattern: Pattern,
    answer: Any,
    A: Any,
    grounds: list[Violation],
    copies: Copies,
) -> Iterator[Violation]:
    """Verify an answer that was judged already, then corrupted copies of it.

    Whether a corrupted copy is wrong is for the judge to say: blocks may stand in several orders.
    """
    refused = _refusal(answer, A)
    grave = next((ground for ground in grounds if ground.kind in GRAVE), None)
    if refused is not None and not grounds:
        yield Violation("certificate refuses a true answer", refused)
    elif refused is None and grave:
        yield Violation(f"certificate accepts: {grave.kind}", grave.detail)
    if grounds:
        return
    for name, copy in copies:
        faults = [fault for fault in judge(pattern, copy) if fault.kind in GRAVE]
        refused = _refusal(copy, A)
        if refused is not None and refused.startswith("!"):
            yield Violation("certificate raises", f"{name}: {refused[1:]}")
        elif refused is None and faults:
            yield Violation(f"certificate accepts: {faults[0].kind}", f"{name}: {faults[0].detail}")
        elif refused is not None and not faults:
            yield Violation("certificate refuses a true answer", f"{name}: {refused}")


def _refusal(answer: Any, A: Any) -> str | None:
    """Why an answer is refused; None if it is not, and ! before an error of another kind."""
    try:
        answer.verify(A)
    except konig.CertificateError as refused:
        return str(refused)
    except Exception as error:
        return f"!{type(error).__name__}: {error}"
    return None


def corrupted_matchings(draw: Draw, pattern: Pattern, answer: Any) -> Copies:
    """One copy, spoilt in one of several ways; some are not wrong."""
    ways = (_shorter, _size, _one_mate, _moved, _one_cover)
    for way in draw.sample(ways, len(ways)):
        copy = way(draw, pattern, answer)
        if copy is not None:
            yield way.__name__.strip("_").replace("_", " "), copy
            return


def corrupted_forms(draw: Draw, form: Any) -> Copies:
    """Two lines of a permutation swapped, two blocks joined, a boundary moved."""
    name = draw.some(("row_perm", "col_perm"))
    perm = np.array(getattr(form, name))
    if len(perm) > 1:
        a, b = draw.sample(range(len(perm)), 2)
        perm[[a, b]] = perm[[b, a]]
        yield f"swapped in {name}", replace(form, **{name: perm})
    if form.num_blocks > 1:
        keep = np.arange(form.num_blocks + 1) != draw.randint(1, form.num_blocks - 1)
        blocks = {side: getattr(form, side)[keep] for side in ("row_blocks", "col_blocks")}
        yield "joined blocks", replace(form, **blocks)
        moved = np.array(form.row_blocks)
        moved[draw.randint(1, form.num_blocks - 1)] += draw.choice((-1, 1))
        yield "moved boundary", replace(form, row_blocks=moved)


def corrupted_parts(draw: Draw, form: Any) -> Copies:
    """A row in another part."""
    names = ("horizontal", "square", "vertical")
    donor, other = draw.sample(names, 2)
    given, taken = getattr(form, donor), getattr(form, other)
    if len(given.rows):
        row = draw.some(given.rows.tolist())
        less = replace(given, rows=given.rows[given.rows != row])
        more = replace(taken, rows=np.sort(np.append(taken.rows, row)))
        yield "a row in another part", replace(form, **{donor: less, other: more})


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
