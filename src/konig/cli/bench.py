"""``konig bench``: methods and peers side by side."""

from __future__ import annotations

import typer

app = typer.Typer(help="Time methods and peers side by side, every answer checked.", no_args_is_help=True)


@app.callback()
def _bench() -> None:
    """Time methods and peers side by side, every answer checked."""
