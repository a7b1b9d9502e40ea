"""Options that several commands share, and how their text becomes values."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from konig.cli.refusal import CommandError
from konig.plot.files import require_matplotlib
from konig.registry import parse_knobs

PICTURES = (".png", ".pdf", ".svg")


def or_stdin(file: Path) -> Path:
    """What ``-`` stands for is read into memory, since errors take a second look at their line."""
    return Path("/dev/stdin") if file == Path("-") else file


MatrixFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        callback=or_stdin,
        help="Matrix Market, SNAP, KONECT, text, .csv, .npz or .npy; may be compressed; - reads stdin.",
    ),
]
CostFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        callback=or_stdin,
        help="Costs: text, .csv, .npy, .npz, Matrix Market, DIMACS asn, OR-Library; - reads stdin.",
    ),
]
NetworkFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        callback=or_stdin,
        help="DIMACS max, or a square matrix or edge list; may be compressed; - reads stdin.",
    ),
]
MethodName = Annotated[str, typer.Option("--method", "-m", help="A method of `konig methods`, or auto.")]
Device = Annotated[str, typer.Option(help="Where to solve: auto, cpu, cuda or cuda:N.")]
Threads = Annotated[int | None, typer.Option(help="Workers of a parallel method; all idle cores by default.")]
Seed = Annotated[int | None, typer.Option(help="Seed for methods that draw random numbers.")]
Init = Annotated[str | None, typer.Option(help="The start: short for --set init=...")]
Settings = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A knob of the method; repeatable.")
]
Distributed = Annotated[
    bool, typer.Option("--distributed", help="Solve on the ranks that mpirun has started, each its rows.")
]
DropZeros = Annotated[bool, typer.Option("--drop-zeros", help="Stored zeros are no entries.")]
Format = Annotated[
    str | None,
    typer.Option(help="mtx, snap, konect, npz, npy, max, asn or text; by default the file itself tells."),
]
CostFormat = Annotated[
    str | None,
    typer.Option(help="npy, npz, mtx, asn, orlib, text, snap or konect; by default the file itself tells."),
]
Json = Annotated[bool, typer.Option("--json", help="Print the whole answer as JSON.")]
Plot = Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the answer into a .png, .pdf or .svg.")]
Out = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write the answer to a .npz or .json for `konig verify`.")
]


def arguments(
    problem: str,
    method: str,
    device: str,
    threads: int | None,
    seed: int | None,
    settings: Iterable[str] | None,
    init: str | None = None,
) -> dict[str, Any]:
    """What every solver takes by name, with the method's knobs from ``--init`` and ``--set``."""
    knobs = parse_knobs(method, [*([] if init is None else [f"init={init}"]), *(settings or ())], problem)
    return {"method": method, "device": device, "threads": threads, "seed": seed, **knobs}


def check_picture(path: Path | None) -> None:
    """Refuse a picture that cannot be drawn or written, before the work that would be lost."""
    check_writable(path, PICTURES, "--plot")
    if path is not None:
        try:
            require_matplotlib()
        except ImportError as missing:
            raise CommandError(f"--plot {path}: {missing}") from missing


def check_writable(path: Path | None, suffixes: tuple[str, ...], option: str) -> None:
    """Refuse a place that cannot be written, before the work that would be lost."""
    if path is None:
        return
    if not path.name.lower().endswith(suffixes):
        raise CommandError(f"{option} {path}: must end in {' or '.join(suffixes)}")
    try:
        problem = _problem_of_target(path)
    except OSError as error:  # a name that is too long, a folder that may not be searched
        problem = error.strerror
    if problem:
        raise CommandError(f"{option} {path}: {problem}")


def _problem_of_target(path: Path) -> str | None:
    if path.is_dir():
        return "is a directory"
    if not path.parent.is_dir():
        return f"there is no folder {path.parent}"
    if path.exists() and not os.access(path, os.W_OK):
        return "no permission to write"
    # Files are written aside and renamed, so their folder must be writable, too.
    return None if os.access(path.resolve().parent, os.W_OK) else "no permission to write to its folder"
