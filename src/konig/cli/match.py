"""``konig match``: a maximum matching of a matrix in a file; and what ``konig btf`` shares with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import konig
from konig import io
from konig.cli import options, over_ranks, result_files, screen, solving
from konig.cli.over_ranks import MATCHING_METHOD
from konig.cli.refusal import CommandError, refusals
from konig.io.files import Source
from konig.matching.result import Matching
from konig.plot import plot_matching

Seconds = dict[str, float]


@dataclass(frozen=True)
class Task:
    """What a command asks for: a solver, and what becomes of its answer."""

    title: str
    solver: Callable[..., Any]
    document: Callable[[Any, str, Seconds], dict[str, Any]]
    summary: Callable[[Any, Seconds], dict[str, str]]
    draw: Callable[[Any, Any, Path], Any]
    over_ranks: Callable[..., Any] | None = None


def answer_task(
    task: Task,
    file: Path,
    how: Callable[[], dict[str, Any]],
    *,
    drop_zeros: bool,
    format: str | None,
    distributed: bool,
    json: bool,
    plot: Path | None,
    out: Path | None,
) -> None:
    """Read, solve, prove, write and print; ``how`` gives the solver's options, or says what is wrong."""
    solving.check_targets(out, plot)
    with refusals(file):
        source = Source(file)
        arguments = how()
        if not distributed:
            (A,), answer, seconds = solving.solved(
                lambda: ((io.read(source, format=format),), {}),
                task.solver,
                drop_zeros=drop_zeros,
                **arguments,
            )
        elif task.over_ranks:
            A, answer, seconds = task.over_ranks(file, format, drop_zeros, arguments)
        else:
            raise CommandError("--distributed: there is no such form over ranks")
        read_as = solving.read_as(source, format, A.shape)
        found = task.document(answer, str(file), seconds)
        if out:
            result_files.write(out, found)
        if plot:
            task.draw(A, answer, plot)
    if json:
        screen.print_json(found)
    else:
        facts = task.summary(answer, seconds)
        if read_as:
            facts = {"matrix": facts.pop("matrix"), "read as": read_as, **facts}
        screen.print_facts(f"{task.title} of {file}", facts)


def matching_document(matching: Matching, file: str, seconds: Seconds) -> dict[str, Any]:
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


MATCHING = Task(
    "Maximum matching",
    konig.maximum_matching,
    matching_document,
    _matching_summary,
    plot_matching,
    over_ranks.solved_matching,
)


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
    distributed: options.Distributed = False,
    json: options.Json = False,
    plot: options.Plot = None,
    out: options.Out = None,
) -> None:
    """Match as many rows with columns as the entries of the matrix allow, and prove it."""
    if distributed and method == MATCHING_METHOD:
        method = "auto"
    answer_task(
        MATCHING,
        file,
        lambda: options.arguments("matching", method, device, threads, seed, settings, init),
        drop_zeros=drop_zeros,
        format=format,
        distributed=distributed,
        json=json,
        plot=plot,
        out=out,
    )
