"""``konig match`` and ``konig btf``: a maximum matching, the block triangular form of a matrix in a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import konig
from konig import io
from konig.cli import options, over_ranks, result_files, screen, solving
from konig.cli.over_ranks import MATCHING_METHOD
from konig.cli.refusal import CommandError, refusals
from konig.matching.result import Matching
from konig.matching.triangular import BlockTriangularForm
from konig.plot import plot_block_triangular_form, plot_matching

Seconds = dict[str, float]
PARTS = ("underdetermined part", "square part", "overdetermined part")


def _command(
    help: str,
    title: str,
    solver: Callable[..., Any],
    document: Callable[[Any, str, Seconds], dict[str, Any]],
    summary: Callable[[Any, Seconds], dict[str, str]],
    draw: Callable[[Any, Any, Path], Any],
    over_ranks: Callable[..., Any] | None = None,
) -> Callable[..., None]:
    def command(
        file: options.MatrixFile,
        method: options.MethodName = "auto",
        device: options.Device = "auto",
        threads: options.Threads = None,
        seed: options.Seed = None,
        init: options.Init = None,
        settings: options.Settings = None,
        drop_zeros: options.DropZeros = False,
        format: options.Format = None,
        distributed: options.Distributed = False,
        json: options.Json = False,
        plot: options.Plot = None,
        out: options.Out = None,
    ) -> None:
        solving.check_targets(out, plot)
        with refusals(file):
            if distributed and method == MATCHING_METHOD:
                method = "auto"
            how = options.arguments("matching", method, device, threads, seed, settings, init)
            if not distributed:
                (A,), answer, seconds = solving.solved(
                    lambda: ((io.read(file, format=format),), {}), solver, drop_zeros=drop_zeros, **how
                )
            elif over_ranks:
                A, answer, seconds = over_ranks(file, format, drop_zeros, how)
            else:
                raise CommandError("--distributed: there is no such form over ranks")
            found = document(answer, str(file), seconds)
            if out:
                result_files.write(out, found)
            if plot:
                draw(A, answer, plot)
        if json:
            screen.print_json(found)
        else:
            screen.print_facts(f"{title} of {file}", summary(answer, seconds))

    command.__doc__ = help
    return command


def _matching_document(matching: Matching, file: str, seconds: Seconds) -> dict[str, Any]:
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


def _form_document(form: BlockTriangularForm, file: str, seconds: Seconds) -> dict[str, Any]:
    arrays = {name: getattr(form, name) for name in result_files.FORM_ARRAYS}
    answer = _matching_document(form.matching, file, seconds)
    return {**answer, "kind": result_files.BLOCK_TRIANGULAR_FORM, "blocks": form.num_blocks, **arrays}


def _matching_summary(matching: Matching, seconds: Seconds) -> dict[str, str]:
    (rows, cols), cover = matching.shape, matching.cover
    shorter = min(rows, cols)
    full = f" of {shorter:,}" if matching.size < shorter else " (full rank)"
    return {
        "matrix": f"{rows:,} x {cols:,}, {matching.nonzeros:,} entries",
        "matched pairs": f"{matching.size:,}{full}",
        "proof": f"cover of {len(cover.rows):,} rows and {len(cover.cols):,} columns, checked",
        **screen.how_found(matching, seconds),
    }


def _form_summary(form: BlockTriangularForm, seconds: Seconds) -> dict[str, str]:
    (rows, cols), entries = form.matching.shape, form.matching.nonzeros
    sizes = np.diff(form.row_blocks)[form.fine_blocks.start : form.fine_blocks.stop]
    extents = zip(np.diff(form.row_parts), np.diff(form.col_parts), strict=True)
    largest = f", the largest {sizes.max():,} x {sizes.max():,}" if len(sizes) else ""
    single = f", {np.count_nonzero(sizes == 1):,} of them 1 x 1" if len(sizes) else ""
    return {
        "matrix": f"{rows:,} x {cols:,}, {entries:,} entries",
        "structural rank": f"{form.matching.size:,}",
        **{part: f"{height:,} x {width:,}" for part, (height, width) in zip(PARTS, extents, strict=True)},
        "blocks": f"{form.num_blocks:,}; {len(sizes):,} square{largest}{single}",
        "proof": "triangular, and no block can be split: checked",
        "method": f"{form.matching.method} on {form.matching.device}",
        "time": screen.durations(seconds),
    }


match = _command(
    "Match as many rows with columns as the entries of the matrix allow, and prove it.",
    "Maximum matching",
    konig.maximum_matching,
    _matching_document,
    _matching_summary,
    plot_matching,
    over_ranks.solved_matching,
)
btf = _command(
    "Permute the matrix to block triangular form (Dulmage-Mendelsohn, coarse and fine), and prove it.",
    "Block triangular form",
    konig.block_triangular_form,
    _form_document,
    _form_summary,
    plot_block_triangular_form,
)
