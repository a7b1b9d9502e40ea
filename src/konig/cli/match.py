"""``konig match``: a maximum matching of a matrix in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import konig
from konig.cli import result_files, screen, solving
from konig.cli.matrix_command import MatrixProblem, matrix_command
from konig.matching.result import Matching


def document(matching: Matching, file: str, seconds: dict[str, float]) -> dict[str, Any]:
    """The answer as ``--json`` prints it and ``--out`` writes it."""
    return {
        **solving.document(result_files.MATCHING, matching, file, seconds),
        "shape": list(matching.shape),
        "nonzeros": matching.nonzeros,
        "drop_zeros": matching.drop_zeros,
        "size": matching.size,
        "col_of_row": matching.col_of_row,
        "row_of_col": matching.row_of_col,
        "cover_rows": matching.cover.rows,
        "cover_cols": matching.cover.cols,
    }


def _summary(matching: Matching, seconds: dict[str, float]) -> dict[str, str]:
    (rows, cols), cover = matching.shape, matching.cover
    shorter = min(rows, cols)
    full = f" of {shorter:,}" if matching.size < shorter else " (full rank)"
    return {
        "matrix": f"{rows:,} x {cols:,}, {matching.nonzeros:,} entries",
        "matched pairs": f"{matching.size:,}{full}",
        "proof": f"cover of {len(cover.rows):,} rows and {len(cover.cols):,} columns, checked",
        "method": f"{matching.method} on {matching.device}",
        **screen.counts(matching.stats),
        "time": screen.durations(seconds),
    }


def _draw(A: Any, matching: Matching, file: Path) -> None:
    from konig.plot import plot_matching  # matplotlib takes a while

    plot_matching(A, matching, file)


match = matrix_command(
    MatrixProblem(
        "match",
        "Match as many rows with columns as the entries of the matrix allow, and prove it.",
        "Maximum matching",
        konig.maximum_matching,
        document,
        _summary,
        _draw,
    )
)
