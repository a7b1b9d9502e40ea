"""``konig btf``: the block triangular form of a matrix in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import konig
from konig.cli import match, result_files, screen
from konig.cli.matrix_command import MatrixProblem, matrix_command

PARTS = ("underdetermined part", "square part", "overdetermined part")


def _document(form: konig.BlockTriangularForm, file: str, seconds: dict[str, float]) -> dict[str, Any]:
    arrays = {name: getattr(form, name) for name in result_files.FORM_ARRAYS}
    answer = match.document(form.matching, file, seconds)
    return {**answer, "kind": result_files.BLOCK_TRIANGULAR_FORM, "blocks": form.num_blocks, **arrays}


def _summary(form: konig.BlockTriangularForm, seconds: dict[str, float]) -> dict[str, str]:
    (rows, cols), entries = form.matching.shape, form.matching.nonzeros
    sizes = np.diff(form.row_blocks)[form.fine_blocks.start : form.fine_blocks.stop]
    parts = {
        name: f"{height:,} x {width:,}"
        for name, height, width in zip(PARTS, np.diff(form.row_parts), np.diff(form.col_parts), strict=True)
    }
    largest = f", the largest {sizes.max():,} x {sizes.max():,}" if len(sizes) else ""
    single = f", {np.count_nonzero(sizes == 1):,} of them 1 x 1" if len(sizes) else ""
    return {
        "matrix": f"{rows:,} x {cols:,}, {entries:,} entries",
        "structural rank": f"{form.matching.size:,}",
        **parts,
        "blocks": f"{form.num_blocks:,}; {len(sizes):,} square{largest}{single}",
        "proof": "triangular, and no block can be split: checked",
        "method": f"{form.matching.method} on {form.matching.device}",
        "time": screen.durations(seconds),
    }


def _draw(A: Any, form: konig.BlockTriangularForm, file: Path) -> None:
    from konig.plot import plot_block_triangular_form  # matplotlib takes a while

    plot_block_triangular_form(A, form, file)


btf = matrix_command(
    MatrixProblem(
        "btf",
        "Permute the matrix to block triangular form (Dulmage-Mendelsohn, coarse and fine), and prove it.",
        "Block triangular form",
        konig.block_triangular_form,
        _document,
        _summary,
        _draw,
    )
)
