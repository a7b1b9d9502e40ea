"""The command line, run in this process."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout

from konig.cli import main


def run_command(arguments: list[str]) -> tuple[int, str]:
    """A command of konig in this process: its exit status and all that it said."""
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        status = main(arguments)
    return status, said.getvalue()
