"""``--distributed``: a command on ranks that mpirun has started. Rank 0 prints, the others are silent."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from konig.assignment.result import Assignment
from konig.cli.refusal import CommandError


def solved_assignment(
    file: Path, method: str, device: str, threads: int | None, maximize: bool
) -> tuple[np.ndarray, Assignment | None, dict[str, float]]:
    """The costs, mapped; their proved answer, on rank 0; and the seconds of each part there."""
    kd = _distributed()
    began = perf_counter()
    part = kd.rows_of(file)
    read = perf_counter() - began
    answer = kd.linear_assignment(part, method=method, device=device, threads=threads or 1, maximize=maximize)
    began = perf_counter()
    answer.verify(part)
    seconds = {"read": read, **answer.stats["seconds"], "verify": perf_counter() - began}
    return np.load(file, mmap_mode="r"), answer.gather(), seconds


def _distributed() -> Any:
    try:
        import konig.distributed as kd
        from mpi4py.MPI import COMM_WORLD
    except ImportError as missing:
        raise CommandError(f"--distributed: {missing}") from missing
    if COMM_WORLD.Get_rank() != 0:
        sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115 until the process ends
    return kd
