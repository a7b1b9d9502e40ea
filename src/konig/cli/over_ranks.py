"""``--distributed``: a command on the ranks that mpirun has started. Rank 0 prints, the others are silent."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import typer

from konig.cli.refusal import REFUSED, CommandError
from konig.errors import InfeasibleError


def solved_assignment(
    file: Path, format: str | None, how: dict[str, Any]
) -> tuple[Any, Any, dict[str, float]]:
    """The costs, mapped, their proved answer, and the seconds of each part; other ranks than 0 end here."""
    kd, rank = _distributed()
    if format not in (None, "npy"):
        raise CommandError(f"--format {format}: with --distributed costs are an .npy file")
    if not how.pop("full"):
        raise CommandError("--partial: with --distributed all rows or all columns are assigned")
    if how.pop("seed") is not None:
        raise CommandError("--seed: with --distributed no method draws random numbers")
    threads = how.pop("threads") or 1
    began = perf_counter()
    part = kd.rows_of(file)
    read = perf_counter() - began
    try:
        answer = kd.linear_assignment(part, threads=threads, **how)
    except InfeasibleError as error:  # rank 0 writes the proof
        if rank == 0:
            raise
        raise CommandError(f"{file}: {error}", REFUSED) from error
    began = perf_counter()
    answer.verify(part)
    seconds = {"read": read, **answer.stats["seconds"], "verify": perf_counter() - began}
    whole = answer.gather()
    if whole is None:
        raise typer.Exit
    return np.load(file, mmap_mode="r"), whole, seconds


def _distributed() -> tuple[Any, int]:
    """The package and the rank; from here on only rank 0 prints."""
    try:
        from mpi4py.MPI import COMM_WORLD

        import konig.distributed as kd
    except ImportError as missing:
        raise CommandError(f"--distributed: {missing}") from missing
    rank: int = COMM_WORLD.Get_rank()
    if rank != 0:
        sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115  until the process ends
    return kd, rank
