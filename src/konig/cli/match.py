"""``konig match``: a maximum matching of a matrix in a file."""

from __future__ import annotations

from typing import Any

import konig
from konig.cli import options, result_files, screen, solving
from konig.cli.refusal import refusals
from konig.results import Matching


def match(
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
    """Match as many rows with columns as the entries of the matrix allow, and prove it."""
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
        solver = konig.maximum_matching
        read = solving.matrix(file, format)
        (A,), matching, seconds = solving.solved(read, solver, **arguments, **knobs)
        answer = document(matching, str(file), seconds)
        if out:
            result_files.write(out, answer)
        if plot:
            from konig.plot import plot_matching

            plot_matching(A, matching, plot)
    if json:
        screen.print_json(answer)
    else:
        screen.console().print(screen.facts(f"Maximum matching of {file}", _summary(matching, seconds)))


def document(matching: Matching, file: str, seconds: dict[str, float]) -> dict[str, Any]:
    """The answer as ``--json`` prints it and ``--out`` writes it."""
    graph = matching.graph
    return {
        **solving.document(result_files.MATCHING, matching, file, seconds),
        "shape": [graph.rows, graph.cols],
        "nonzeros": graph.nonzeros,
        "drop_zeros": matching.drop_zeros,
        "size": matching.size,
        "col_of_row": matching.col_of_row,
        "row_of_col": matching.row_of_col,
        "cover_rows": matching.cover.rows,
        "cover_cols": matching.cover.cols,
    }


def _summary(matching: Matching, seconds: dict[str, float]) -> dict[str, str]:
    graph, cover = matching.graph, matching.cover
    shorter = min(graph.rows, graph.cols)
    full = f" of {shorter:,}" if matching.size < shorter else " (full rank)"
    return {
        "matrix": f"{graph.rows:,} x {graph.cols:,}, {graph.nonzeros:,} entries",
        "matched pairs": f"{matching.size:,}{full}",
        "proof": f"cover of {len(cover.rows):,} rows and {len(cover.cols):,} columns, checked",
        "method": f"{matching.method} on {matching.device}",
        **screen.counts(matching.stats),
        "time": screen.durations(seconds),
    }
