"""``konig btf``: the block triangular form of a matrix in a file."""

from __future__ import annotations

from typing import Any

import numpy as np

import konig
from konig.cli import match, options, result_files, screen, solving
from konig.cli.refusal import refusals

PARTS = ("underdetermined part", "square part", "overdetermined part")


def btf(
    file: options.MatrixFile,
    method: options.MethodName = "auto",
    device: options.Device = "auto",
    threads: options.Threads = None,
    seed: options.Seed = None,
    init: options.Init = None,
    settings: options.Settings = None,
    drop_zeros: options.DropZeros = False,
    format: options.Format = None,
    json: options.Json = False,
    plot: options.Plot = None,
    out: options.Out = None,
) -> None:
    """Permute the matrix to block triangular form (Dulmage-Mendelsohn, coarse and fine), and prove it."""
    solving.check_targets(out, plot)
    arguments = {
        "method": method,
        "device": device,
        "threads": threads,
        "seed": seed,
        "drop_zeros": drop_zeros,
    }
    with refusals(file):
        knobs = options.knobs(method, init, settings)
        solver = konig.block_triangular_form
        read = solving.matrix(file, format)
        (A,), form, seconds = solving.solved(read, solver, **arguments, **knobs)
        answer = _document(form, str(file), seconds)
        if out:
            result_files.write(out, answer)
        if plot:
            from konig.plot import plot_block_triangular_form

            plot_block_triangular_form(A, form, plot)
    if json:
        screen.print_json(answer)
    else:
        title = f"Block triangular form of {file}"
        screen.console().print(screen.facts(title, _summary(form, seconds)))


def _document(form: konig.BlockTriangularForm, file: str, seconds: dict[str, float]) -> dict[str, Any]:
    arrays = {name: getattr(form, name) for name in result_files.FORM_ARRAYS}
    answer = match.document(form.matching, file, seconds)
    return {**answer, "kind": result_files.BLOCK_TRIANGULAR_FORM, "blocks": form.num_blocks, **arrays}


def _summary(form: konig.BlockTriangularForm, seconds: dict[str, float]) -> dict[str, str]:
    graph = form.matching.graph
    sizes = np.diff(form.row_blocks)[form.fine_blocks.start : form.fine_blocks.stop]
    parts = {
        name: f"{rows:,} x {cols:,}"
        for name, rows, cols in zip(PARTS, np.diff(form.row_parts), np.diff(form.col_parts), strict=True)
    }
    largest = f", the largest {sizes.max():,} x {sizes.max():,}" if len(sizes) else ""
    single = f", {np.count_nonzero(sizes == 1):,} of them 1 x 1" if len(sizes) else ""
    return {
        "matrix": f"{graph.rows:,} x {graph.cols:,}, {graph.nonzeros:,} entries",
        "structural rank": f"{form.matching.size:,}",
        **parts,
        "blocks": f"{form.num_blocks:,}; {len(sizes):,} square{largest}{single}",
        "proof": "triangular, and no block can be split: checked",
        "method": f"{form.matching.method} on {form.matching.device}",
        "time": screen.durations(seconds),
    }
