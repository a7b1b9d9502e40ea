"""What people see: tables on stdout, bars on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

PIPE_WIDTH = 140
Justify = Literal["left", "right"]


def console() -> Console:
    """A console on stdout; into a pipe or a file it does not squeeze tables to 80 columns."""
    return Console() if sys.stdout.isatty() else Console(width=PIPE_WIDTH)


def is_terminal() -> bool:
    """Whether stderr is a terminal, so that a progress bar makes sense."""
    return sys.stderr is not None and sys.stderr.isatty()


def warn(line: str) -> None:
    print(f"konig: {line}", file=sys.stderr)


def print_facts(title: str, entries: Mapping[str, str]) -> None:
    """Print a table of two columns: what, and its value."""
    print_table(title, ("", ""), entries.items(), show_header=False)


def print_table(
    title: str, headings: Iterable[str], rows: Iterable[Iterable[str]], justify: Justify = "left", **look: Any
) -> None:
    table = Table(title=escape(title), title_justify="left", title_style="bold", **look)
    for heading in headings:
        first = not table.columns
        style = "cyan" if first else None
        table.add_column(heading, style=style, no_wrap=first, overflow="fold", justify=justify)
    for row in rows:
        table.add_row(*map(escape, row))
    console().print(table)


def count(number: float) -> str:
    return f"{number:,}" if isinstance(number, int) else f"{number:,.4g}"


def duration(seconds: float) -> str:
    """Three significant digits, in s, ms or µs."""
    if seconds >= 1000:
        return f"{seconds:,.0f} s"
    factor, unit = (1.0, "s") if seconds >= 1 else (1e3, "ms") if seconds * 1e3 >= 1 else (1e6, "µs")
    return f"{seconds * factor:.3g} {unit}"


def how_found(answer: Any, seconds: Mapping[str, float]) -> dict[str, str]:
    """Facts about the solve: the method, what it counted, and the time of each part."""
    counted = {
        name.replace("_", " "): value if isinstance(value, str) else count(value)
        for name, value in answer.stats.items()
        if isinstance(value, int | float | str)
    }
    return {"method": f"{answer.method} on {answer.device}", **counted, "time": durations(seconds)}


def durations(seconds: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {duration(value)}" for name, value in seconds.items())


def print_json(document: Any) -> None:
    json.dump(document, sys.stdout, default=plain)
    sys.stdout.write("\n")


def plain(value: Any) -> Any:
    """NumPy's arrays and numbers as JSON knows them."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is not JSON")
