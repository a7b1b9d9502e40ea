"""What ``konig match`` and ``konig btf`` have in common: a matrix from a file, solved, proved and drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from konig import io
from konig.cli import options, result_files, screen, solving
from konig.cli.refusal import refusals

Seconds = dict[str, float]


@dataclass(frozen=True)
class MatrixProblem:
    """A problem that one matrix is.

    ``document`` makes the answer that ``--json`` prints and ``--out`` writes, of the solver's result, the
    name of the file and the seconds of each part; ``summary`` makes a table of it, and ``draw`` a picture of
    the matrix and the result in a file.
    """

    command: str
    help: str
    title: str
    solver: Callable[..., Any]
    document: Callable[[Any, str, Seconds], dict[str, Any]]
    summary: Callable[[Any, Seconds], dict[str, str]]
    draw: Callable[..., Any]


def matrix_command(problem: MatrixProblem) -> Callable[..., None]:
    """The command that solves the problem."""

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
        json: options.Json = False,
        plot: options.Plot = None,
        out: options.Out = None,
    ) -> None:
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
            (A,), answer, seconds = solving.solved(
                lambda: ((io.read(file, format=format),), {}), problem.solver, **arguments, **knobs
            )
            document = problem.document(answer, str(file), seconds)
            if out:
                result_files.write(out, document)
            if plot:
                problem.draw(A, answer, plot)
        if json:
            screen.print_json(document)
        else:
            title = f"{problem.title} of {file}"
            screen.console().print(screen.facts(title, problem.summary(answer, seconds)))

    command.__name__, command.__doc__ = problem.command, problem.help
    return command
