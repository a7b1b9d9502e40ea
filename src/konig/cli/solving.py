"""What every solving command does: read, solve, prove, and keep the time of each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import konig
from konig import io
from konig.cli import options, result_files, screen
from konig.io.files import Source

# What a solver takes of the problem itself, by position and by name; an answer's ``verify`` takes the same.
Problem = tuple[tuple[Any, ...], dict[str, Any]]


def check_targets(out: Path | None, plot: Path | None = None) -> None:
    """Refuse ``--out`` and ``--plot`` that cannot be written, before the work that would be lost."""
    options.check_writable(out, result_files.SUFFIXES, "--out")
    options.check_picture(plot)


def solved(
    read: Callable[[], Problem], solver: Callable[..., Any], **arguments: Any
) -> tuple[tuple[Any, ...], Any, dict[str, float]]:
    """The problem's arrays, its proved answer, and the seconds of each part."""
    began = perf_counter()
    arrays, named = read()
    read_seconds = perf_counter() - began
    answer = solver(*arrays, **named, progress=screen.is_terminal() or None, **arguments)
    began = perf_counter()
    answer.verify(*arrays, **named)
    seconds = {"read": read_seconds, **answer.stats["seconds"], "verify": perf_counter() - began}
    return arrays, answer, seconds


def read_as(source: Source, format: str | None, shape: tuple[int, ...], costs: bool = False) -> str:
    """What a file was taken for, if it might as well hold something else; empty if not."""
    if not io.taken_for_edges(source, format, costs=costs):
        return ""
    return f"edges of a {' x '.join(f'{n:,}' for n in shape)} graph; --format text reads a matrix"


def document(kind: str, answer: Any, file: str, seconds: dict[str, float]) -> dict[str, Any]:
    """What every answer that ``--json`` prints and ``--out`` writes begins with."""
    return {
        "konig": konig.__version__,
        "kind": kind,
        "file": file,
        "method": answer.method,
        "device": answer.device,
        "stats": {name: value for name, value in answer.stats.items() if name != "seconds"},
        "seconds": seconds,
    }
