"""``konig methods``: what can be asked for."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from konig import registry
from konig.assignment.methods import VOLGENANT
from konig.cli import options, screen
from konig.cli.refusal import refusals
from konig.flow.methods import AUTO_FLOW
from konig.matching import auto
from konig.matching.methods import AZAD

AUTO = {
    "matching": registry.Method("auto", "matching", ("cpu", "cuda"), AZAD, auto.SUMMARY),
    "assignment": registry.Method(
        "auto",
        "assignment",
        ("cpu", "cuda"),
        VOLGENANT,
        "the default: core on dense costs, jv on small and on sparse ones; on a GPU core-paths",
    ),
    "flow": replace(AUTO_FLOW, devices=("cpu", "cuda"), summary=f"{AUTO_FLOW.summary}; on a GPU sync-pr"),
}


def methods(
    problem: Annotated[str | None, typer.Argument(help="Only the methods of this problem.")] = None,
    json: options.Json = False,
) -> None:
    """List the methods with their knobs, where they run and the papers they come from."""
    with refusals():
        known = registry.methods(problem)
    problems = dict.fromkeys(method.problem for method in known)
    known = (*(AUTO[name] for name in problems if name in AUTO), *known)
    if json:
        shown = ("name", "problem", "devices", "paper", "summary", "options")
        screen.print_json([{key: asdict(method)[key] for key in shown} for method in known])
        return
    papers = list(dict.fromkeys(paper for method in known for paper in method.paper.split("; ")))
    table = Table(title="Methods", title_justify="left", title_style="bold", row_styles=("", "dim"))
    table.add_column("method", style="cyan", no_wrap=True)
    for heading in ("problem", "devices", "what it does", "knobs and defaults", "paper"):
        table.add_column(heading)
    for method in known:
        knobs = "\n".join(_knob(knob) for knob in method.options) or "-"
        sources = ", ".join(str(papers.index(paper) + 1) for paper in method.paper.split("; "))
        cells = (method.name, method.problem, ", ".join(method.devices), method.summary, knobs, sources)
        table.add_row(*(escape(cell) for cell in cells))
    out = screen.console()
    out.print(table)
    for number, paper in enumerate(papers, 1):
        out.print(f"  {number}  {paper}", highlight=False, markup=False)


def _knob(knob: registry.Knob) -> str:
    default = str(knob.default).lower() if isinstance(knob.default, bool) else f"{knob.default}"
    choices = f" ({'|'.join(knob.choices)})" if knob.choices else ""
    return f"{knob.name}={default}{choices}"
