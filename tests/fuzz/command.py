"""The command line, run in this process: what it writes is read back, and proved by ``konig verify``."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from konig.cli import main


@dataclass(frozen=True)
class Answered:
    """What a command left behind."""

    status: int
    proved: int  # the status of konig verify, 0 where there was nothing to verify
    said: str
    answer: dict[str, Any]


def ask(command: str, suffix: str, save: Callable[[Path], Any], options: list[str]) -> Answered:
    """Save an input to a file, run a command on it, and verify the answer that it wrote."""
    with tempfile.TemporaryDirectory() as folder:
        file, out = Path(folder) / f"input{suffix}", Path(folder) / "answer.json"
        save(file)
        status, said = _run([command, str(file), "--out", str(out), *options])
        if not out.exists():
            return Answered(status, 0, said, {})
        proved, also_said = _run(["verify", str(file), str(out)])
        return Answered(status, proved, said[-200:] + also_said[-200:], json.loads(out.read_text()))


def _run(arguments: list[str]) -> tuple[int, str]:
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        status = main(arguments)
    return status, said.getvalue()
