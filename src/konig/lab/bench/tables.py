"""A table of a report, on a screen or on a page."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

import rich.table
from rich.markup import escape


class Best(str):
    """A cell that stands out."""

    __slots__ = ()


@dataclass
class Table:
    """Text in rows and columns.

    A heading may have two lines. The rows of ``below`` come last, bold, and on a screen under a rule.
    """

    title: str
    columns: list[str]
    rows: list[list[str]] = field(default_factory=list)
    below: list[list[str]] = field(default_factory=list)
    note: str = ""

    def is_number(self, column: int) -> bool:
        """Whether a column has numbers, which stand on the right."""
        cells = [row[column].lstrip("<> ") for row in (*self.rows, *self.below) if row[column]]
        return column > 0 and any(cell[0].isdigit() for cell in cells if cell)

    def without_empty_columns(self) -> Table:
        kept = [k for k in range(len(self.columns)) if any(row[k] for row in self.rows)]
        rows, below = ([[row[k] for k in kept] for row in part] for part in (self.rows, self.below))
        return replace(self, columns=[self.columns[k] for k in kept], rows=rows, below=below)

    def markdown(self) -> str:
        head = [heading.replace("\n", " ").strip() for heading in self.columns]
        rule = ["---:" if self.is_number(k) else "---" for k in range(len(head))]
        rows = [[f"**{cell}**" if isinstance(cell, Best) else cell for cell in row] for row in self.rows]
        below = [[f"**{cell}**" if cell else "" for cell in row] for row in self.below]
        lines = [f"| {' | '.join(row)} |" for row in (head, rule, *rows, *below)]
        return "\n".join([f"{self.title}:", "", *lines, *(["", f"{self.note}."] if self.note else [])])

    def on_screen(self) -> rich.table.Table:
        shown = rich.table.Table(
            title=escape(self.title), title_justify="left", title_style="bold", caption_justify="left"
        )
        for column, heading in enumerate(self.columns):
            justify: Literal["left", "right"] = "right" if self.is_number(column) else "left"
            style = None if column else "cyan"
            shown.add_column(escape(heading), justify=justify, style=style, no_wrap=column == 0)
        for row in self.rows:
            shown.add_row(*(f"[bold]{escape(c)}[/bold]" if isinstance(c, Best) else escape(c) for c in row))
        shown.add_section()
        for row in self.below:
            shown.add_row(*map(escape, row), style="bold")
        shown.caption = escape(self.note) or None
        return shown
