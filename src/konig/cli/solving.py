"""What every solving command does: read, solve, prove, and keep the time of each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

from konig import io
from konig.cli import options, result_files, screen


def check_targets(out: Path | None, plot: Path | None) -> None:
    """Refuse ``--out`` and ``--plot`` that cannot be written, before the work that would be lost."""
    options.check_writable(out, result_files.SUFFIXES, "--out")
    options.check_writable(plot, options.PICTURES, "--plot")


def solved(
    solver: Callable[..., Any], file: Path, format: str | None, **arguments: Any
) -> tuple[Any, Any, dict[str, float]]:
    """The matrix, its proved answer, and the seconds of each part."""
    began = perf_counter()
    A = io.read(file, format=format)
    read_seconds = perf_counter() - began
    answer = solver(A, progress=screen.is_terminal() or None, **arguments)
    began = perf_counter()
    answer.verify(A)
    return A, answer, {"read": read_seconds, **answer.stats["seconds"], "verify": perf_counter() - began}
