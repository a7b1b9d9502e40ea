"""What a section of the study hands over: Markdown tables, raw figures and the lines of the summary."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from konig.lab.device_runs import Measured

CUT = "cut"


@dataclass
class Table:
    """A Markdown table; ``brief`` ones are also printed at the end of the study."""

    caption: str
    header: Sequence[str]
    rows: list[list[str]] = field(default_factory=list)
    brief: bool = False

    def markdown(self) -> str:
        lines = [self.header, ["---"] * len(self.header), *self.rows]
        return f"{self.caption}\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"

    def text(self) -> str:
        """Narrow columns for a terminal."""
        columns = list(zip(self.header, *self.rows, strict=True))
        widths = [max(map(len, column)) for column in columns]
        lines = [
            " ".join(f"{cell:{'<' if i == 0 else '>'}{widths[i]}}" for i, cell in enumerate(line)).rstrip()
            for line in (self.header, *self.rows)
        ]
        return f"{self.caption}\n" + "\n".join(lines)


@dataclass
class Page:
    """The result of a section, which may still grow."""

    name: str
    title: str
    tables: list[Table] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    raw: list[dict[str, Any]] = field(default_factory=list)
    picture: Any = None  # what `pictures` draws

    def write(self, folder: Path) -> None:
        parts = [f"# {self.title}\n", *(table.markdown() for table in self.tables)]
        parts += [f"![{self.title}]({self.name}.png)\n"] if self.picture else []
        parts += ["\n".join(f"- {note}" for note in self.notes) + "\n"] if self.notes else []
        (folder / f"{self.name}.md").write_text("\n".join(parts), encoding="utf-8")
        figures = {"runs": self.raw, "picture": self.picture}
        (folder / f"{self.name}.json").write_text(json.dumps(figures, indent=1), encoding="utf-8")

    def brief(self) -> str:
        """The essential tables and the beginning of each note, as plain text."""
        tables = [table.text() for table in self.tables if table.brief]
        return "\n".join([*tables, *(note[:250] for note in self.notes)])


def number(value: float | None, digits: int = 3) -> str:
    """Three significant digits without an exponent; "-" where there is none."""
    if value is None or not math.isfinite(value):
        return "-"
    if value == 0:
        return "0"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return f"{value:.{decimals}f}"


def percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.0f} %"


def search(measured: Measured | None) -> str:
    """The search time as a cell: a run that was stopped, or failed, says so."""
    if measured is None:
        return "-"
    return number(measured.search_ms) if measured.search else (CUT if measured.status == CUT else "failed")


def call(measured: Measured | None) -> str:
    if measured is None:
        return "-"
    return number(measured.call_ms) if measured.call else (CUT if measured.status == CUT else "failed")


def geometric_mean(values: Iterable[float]) -> float | None:
    """None if there are none."""
    logs = [math.log(value) for value in values]
    return math.exp(statistics.fmean(logs)) if logs else None
