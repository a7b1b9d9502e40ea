"""``konig assign`` on a batch: a line for each problem, and one document for all of them.

In the document arrays of two dimensions are flat, row after row: ``shape`` says how long the rows are.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from rich.table import Table

from konig.assignment.result import AssignmentBatch
from konig.cli import result_files, screen, solving
from konig.errors import CertificateError
from konig.matching.result import VertexCover

# With more problems than that only a summary is shown.
SHOWN = 40


def document(
    costs: np.ndarray, answer: AssignmentBatch, file: str, seconds: dict[str, float]
) -> dict[str, Any]:
    """All answers and their proofs; those of partial assignments say of which problem they are."""
    covers = [(number, cover) for number, cover in sorted(answer.covers.items())]
    return {
        **solving.document(result_files.ASSIGNMENT_BATCH, answer, file, seconds),
        "shape": list(costs.shape),
        "maximize": answer.maximize,
        "problems": len(answer),
        "cost": np.asarray(answer.cost),
        "gap": np.asarray(answer.gap),
        "row_ind": answer.row_ind.ravel(),
        "col_ind": answer.col_ind.ravel(),
        "row_dual": answer.row_dual.ravel(),
        "col_dual": answer.col_dual.ravel(),
        "cover_problem": np.array([number for number, _ in covers], np.int64),
        "cover_row_count": np.array([len(cover.rows) for _, cover in covers], np.int64),
        "cover_col_count": np.array([len(cover.cols) for _, cover in covers], np.int64),
        "cover_rows": np.array([row for _, cover in covers for row in cover.rows.tolist()], np.int64),
        "cover_cols": np.array([col for _, cover in covers for col in cover.cols.tolist()], np.int64),
    }


def show(title: str, costs: np.ndarray, answer: AssignmentBatch, seconds: dict[str, float]) -> None:
    """A table of the problems if they are few, then what holds for all."""
    problems, rows, cols = costs.shape
    out = screen.console()
    if problems <= SHOWN:
        table = Table(title=title, title_justify="left", title_style="bold")
        for heading in ("problem", "assigned pairs", "cost"):
            table.add_column(heading, justify="right")
        for number, alone in enumerate(answer):
            table.add_row(str(number), f"{alone.size:,}", f"{alone.cost:,}")
        out.print(table)
    facts = {
        "costs": f"{problems:,} problems, {rows:,} x {cols:,} of {costs.dtype}",
        "not full": f"{len(answer.covers):,} of {problems:,}" if answer.covers else "none",
        "costs in all": f"{sum(answer.cost.tolist()):,}",
        "proof": "duals of all rows and columns, checked",
        "method": f"{answer.method} on {answer.device}",
        **screen.counts({name: value for name, value in answer.stats.items() if name != "problems"}),
        "time": screen.durations(seconds),
    }
    out.print(screen.facts("All of them" if problems <= SHOWN else title, facts))


def from_document(costs: Any, found: dict[str, Any]) -> AssignmentBatch:
    """The answers in a document, to be verified against the costs."""
    if not isinstance(costs, np.ndarray) or costs.ndim != 3:
        raise CertificateError("the answers are for a batch, and these costs are one problem")
    problems, rows, cols = costs.shape
    size = min(rows, cols)
    shapes = {
        "cost": (problems,),
        "gap": (problems,),
        "row_ind": (problems, size),
        "col_ind": (problems, size),
        "row_dual": (problems, rows),
        "col_dual": (problems, cols),
    }
    for name, shape in shapes.items():
        if found[name].size != np.prod(shape):
            raise CertificateError(f"{name} has {found[name].size} numbers, and these costs ask for {shape}")
    answers = {name: found[name].reshape(shape) for name, shape in shapes.items()}
    return AssignmentBatch(
        **answers,
        method="file",
        device="cpu",
        stats={},
        row_counts=np.full(problems, rows),
        col_counts=np.full(problems, cols),
        maximize=found["maximize"],
        covers=_covers(found, problems),
    )


def _covers(found: dict[str, Any], problems: int) -> dict[int, VertexCover]:
    numbers = found["cover_problem"]
    if len(numbers) and not (numbers.min() >= 0 and numbers.max() < problems):
        raise CertificateError(f"a cover is for a problem that is not in [0, {problems})")
    if (np.diff(numbers) <= 0).any():
        raise CertificateError("cover_problem does not increase")
    sides = []
    for side in ("row", "col"):
        counts, lines = found[f"cover_{side}_count"], found[f"cover_{side}s"]
        if len(counts) != len(numbers) or (counts < 0).any() or counts.sum() != len(lines):
            raise CertificateError(f"cover_{side}_count does not divide cover_{side}s among the covers")
        sides.append(np.split(lines, np.cumsum(counts)[:-1]) if len(counts) else [])
    return {int(number): VertexCover(*cover) for number, *cover in zip(numbers, *sides, strict=True)}
