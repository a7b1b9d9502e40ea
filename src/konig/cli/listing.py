"""``konig methods`` and ``konig info``: what there is."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

import konig
from konig import registry
from konig.cli import options, screen
from konig.cli.refusal import refusals
from konig.gpu.compile import carried
from konig.lab.bench import machine

# `auto` and what it runs, and the classic of each problem; the others are the papers' variants.
USUAL = (
    *("auto", "ms-bfs-graft", "p-ms-bfs-graft", "ms-bfs", "hk"),
    *("jv", "core", "core-paths", "crew-paths"),
    *("hl-pr", "dinic-two-sided", "bk", "sync-pr"),
)


def methods(
    problem: Annotated[str | None, typer.Argument(help="Only the methods of this problem.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="All methods, not just the usual ones.")] = False,
    json: options.Json = False,
) -> None:
    """List the methods with their knobs, where they run and the papers they come from."""
    with refusals():
        known = registry.methods(problem)
    if json:
        shown = ("name", "problem", "devices", "paper", "summary", "options")
        screen.print_json([{key: asdict(method)[key] for key in shown} for method in known])
        return
    listed = [method for method in known if everything or method.name in USUAL]
    papers = list(dict.fromkeys(paper for method in listed for paper in method.paper.split("; ")))
    rows = []
    for method in listed:
        knobs = "\n".join(_knob(knob) for knob in method.options) or "-"
        sources = ", ".join(str(papers.index(paper) + 1) for paper in method.paper.split("; "))
        rows.append((method.name, method.problem, ", ".join(method.devices), method.summary, knobs, sources))
    headings = ("method", "problem", "devices", "what it does", "knobs and defaults", "paper")
    screen.print_table("Methods", headings, rows, row_styles=("", "dim"))
    out = screen.console()
    for number, paper in enumerate(papers, 1):
        out.print(f"  {number}  {paper}", highlight=False, markup=False)
    if len(listed) < len(known):
        command = " ".join(["konig methods", *([problem] if problem else []), "--all"])
        out.print(f"{len(known) - len(listed)} more: {command}", highlight=False, markup=False)


def _knob(knob: registry.Knob) -> str:
    default = str(knob.default).lower() if isinstance(knob.default, bool) else f"{knob.default}"
    choices = f" ({'|'.join(knob.choices)})" if knob.choices else ""
    return f"{knob.name}={default}{choices}"


def info(json: options.Json = False) -> None:
    """Show the version, the machine, the GPU and the libraries that konig finds."""
    cubins = ", ".join(carried()) or "none: the code of GPUs is compiled on first use"
    found = machine.facts() | {"cubins": cubins}
    if json:
        screen.print_json(found)
    else:
        screen.print_facts(f"konig {konig.__version__}", {name: str(value) for name, value in found.items()})
