"""``konig warmup``: device code compiled ahead of the first solve."""

from __future__ import annotations

import re
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from konig import warmup as ahead
from konig.cli import options, screen
from konig.cli.refusal import CommandError, refusals
from konig.gpu import device
from konig.progress import bar


def warmup(
    problems: Annotated[
        list[str] | None, typer.Argument(help="matching, assignment or flow; all three if none is named.")
    ] = None,
    papers: Annotated[bool, typer.Option("--papers", help="The papers' methods, too.")] = False,
    into: Annotated[
        Path | None,
        typer.Option("--into", help="Write cubins to this folder; no GPU is needed, but NVRTC is."),
    ] = None,
    architectures: Annotated[
        list[str] | None,
        typer.Option("--architecture", help="With --into, what to compile for, such as sm_90; repeatable."),
    ] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="How many units are compiled at once.")] = None,
    json: options.Json = False,
) -> None:
    """Compile the code of GPUs before the first solve needs it.

    For the GPU that is here it is kept on disk. A folder made with --into serves wherever the variable
    KONIG_CUBINS names it. Ctrl-C waits for what is being compiled, some seconds.
    """
    for problem in problems or ():
        if problem not in ahead.PROBLEMS:
            raise CommandError(f"{problem}: no such problem; there are {', '.join(ahead.PROBLEMS)}")
    for architecture in architectures or ():
        if not re.fullmatch(r"sm_[0-9]{2,3}", architecture):
            raise CommandError(f"--architecture {architecture}: not of the form sm_90")
    if bool(architectures) != (into is not None):
        raise CommandError("--into and --architecture go together: a folder, and what to compile for")
    wanted = ahead.units(problems or ahead.PROBLEMS, papers)
    began = perf_counter()
    with refusals(), bar("compiling") as report:
        if into is not None:
            ahead.into_folder(into, architectures or [], wanted, report, threads)
        else:
            ahead.for_this_device(device.cupy_or_error("konig warmup"), wanted, report, threads)
    seconds = perf_counter() - began
    place = "this GPU" if into is None else f"{', '.join(architectures or [])} in {into}"
    if json:
        screen.print_json({"units": len(wanted), "for": place, "seconds": seconds})
    else:
        screen.print_facts(
            "Compiled", {"units": str(len(wanted)), "for": place, "time": screen.duration(seconds)}
        )
