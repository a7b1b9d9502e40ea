"""``--distributed``: a command on the ranks that mpirun has started. Rank 0 prints, the others are silent."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import typer

from konig import io
from konig.cli.refusal import REFUSED, CommandError
from konig.errors import InfeasibleError

# What konig.distributed calls its matching.
MATCHING_METHOD = "dist-ms-bfs"


def silence_other_ranks() -> None:
    """Let rank 0 alone print, what it has to say about wrong options as well."""
    with suppress(CommandError):  # the command says what is missing
        _distributed()


def solved_assignment(
    file: Path, format: str | None, how: dict[str, Any]
) -> tuple[Any, Any, dict[str, float]]:
    """The costs, mapped, their proved answer, and the seconds of each part; other ranks than 0 end here."""
    kd, rank, _ = _distributed()
    require(format in (None, "npy"), f"--format {format}", "costs are an .npy file")
    require(format == "npy" or file.suffix == ".npy", f"{file}", "costs are an .npy file")
    require(how["full"], "--partial", "all rows or all columns are assigned")
    require(how["seed"] is None, "--seed", "no method draws random numbers")
    known = {name: how[name] for name in ("method", "device", "maximize")}
    known["threads"] = 1 if how["threads"] is None else how["threads"]
    began = perf_counter()
    part = kd.rows_of(file)
    read = perf_counter() - began
    try:
        answer = kd.linear_assignment(part, **known)
    except InfeasibleError as error:  # rank 0 writes the proof
        if rank == 0:
            raise
        raise CommandError(f"{file}: {error}", REFUSED) from error
    return np.load(file, mmap_mode="r"), *_proved(answer, part, read)


def solved_matching(
    file: Path, format: str | None, drop_zeros: bool, how: dict[str, Any]
) -> tuple[Any, Any, dict[str, float]]:
    """The same for a matrix, which every rank reads, and of which it keeps its rows."""
    kd, rank, size = _distributed()
    from konig.distributed.ranks import all_ranks_of

    for name, usual in (("device", "auto"), ("threads", None), ("seed", None)):
        require(how[name] == usual, f"--{name}", "there is one method, on one thread a rank")
    require(how["method"] == "auto", "--method", f"the method is {MATCHING_METHOD}")
    began = perf_counter()
    with all_ranks_of(None):  # a rank that cannot read it leaves no other waiting
        A = io.read(file, format=format)
    part = A[kd.even_share(A.shape[0], size, rank)]
    read = perf_counter() - began
    answer = kd.maximum_matching(part, A.shape, drop_zeros=drop_zeros)
    return A, *_proved(answer, part, read)


def _proved(answer: Any, part: Any, read: float) -> tuple[Any, dict[str, float]]:
    """The whole answer and the seconds of each part, on rank 0; the others end here."""
    began = perf_counter()
    answer.verify(part)
    seconds = {"read": read, **answer.stats["seconds"], "verify": perf_counter() - began}
    whole = answer.gather()
    if whole is None:
        raise typer.Exit
    return whole, seconds


def require(holds: bool, option: str, reason: str) -> None:
    if not holds:
        raise CommandError(f"{option}: with --distributed {reason}")


def _distributed() -> tuple[Any, int, int]:
    """The package, the rank, and how many there are; from here on only rank 0 prints."""
    try:
        from mpi4py.MPI import COMM_WORLD

        import konig.distributed as kd
    except ImportError as missing:
        raise CommandError(f"--distributed: {missing}") from missing
    rank: int = COMM_WORLD.Get_rank()
    if rank != 0 and getattr(sys.stderr, "name", None) != os.devnull:
        sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115  until the process ends
    return kd, rank, COMM_WORLD.Get_size()
