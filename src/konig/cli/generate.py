"""``konig generate``: write an instance of a named family to a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from scipy.sparse import issparse

from konig import io
from konig.cli import options, screen
from konig.cli.refusal import CommandError, refusals
from konig.lab import generators
from konig.lab.generators.family import Generator

SUFFIXES = {
    "matching": (".npz", ".mtx", ".mtx.gz", ".mtx.xz", ".mtx.bz2"),
    "assignment": io.COST_SUFFIXES,
    "flow": (".max", ".max.gz", ".max.xz", ".max.bz2"),
}


def generate(
    name: Annotated[str | None, typer.Argument(help="A family; without one, they are listed.")] = None,
    parameters: Annotated[list[str] | None, typer.Argument(metavar="[KEY=VALUE]...")] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A .mtx or .npz; for costs also .npy or .asn, for networks .max. Also .gz, .xz.",
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="The same seed gives the same instance; 0 by default.")
    ] = None,
    permute: Annotated[
        str | None, typer.Option(help="What to put in random order: none, rows, cols, both.")
    ] = None,
    json: options.Json = False,
) -> None:
    """Make a test matrix, costs or a network, the same for the same seed on every machine."""
    if name is None:
        if out is not None:
            raise CommandError("NAME is missing: which family? Without --out they are listed")
        _list_families(json)
        return
    if out is None:
        raise CommandError("--out FILE is missing: where should it go?")
    with refusals():
        given: dict[str, Any] = generators.parse_parameters(name, parameters or ())
        problem = generators.FAMILIES[name].problem
        if problem == "flow" and permute is not None:
            raise CommandError(f"--permute is for matrices, and {name} makes networks")
        options.check_writable(out, SUFFIXES[problem], "--out")
        for option, value in (("seed", seed), ("permute", permute)):
            if value is not None and option in given:
                raise CommandError(f"{option} is given twice")
            if value is not None:
                given[option] = value
        size, words = _write(problem, out, generators.generate(name, **given))
    if json:
        screen.print_json({"family": name, **given, "file": str(out), **size})
    else:
        print(f"wrote {out}: {words}")


def _write(problem: str, out: Path, made: Any) -> tuple[dict[str, int], str]:
    """Write an instance; return its size, for programs and in words."""
    if problem == "flow":
        io.write_network(out, made)
        size = {"vertices": made.num_vertices, "arcs": made.num_arcs}
        return size, f"{made.num_vertices:,} vertices, {made.num_arcs:,} arcs"
    (io.write if problem == "matching" else io.write_costs)(out, made)
    rows, cols = made.shape
    entries = made.nnz if issparse(made) else made.size
    what = "entries" if problem == "matching" else "costs"
    return {"rows": rows, "cols": cols, "nonzeros": entries}, f"{rows:,} x {cols:,}, {entries:,} {what}"


def _list_families(json: bool) -> None:
    families = generators.FAMILIES.values()
    if json:
        screen.print_json([_described(family) for family in families])
        return
    rows = []
    for family in families:
        shown = ", ".join(_as_written(p.name, p.default) for p in family.parameters)
        rows.append((family.name, family.problem, family.summary, shown))
    headings = ("name", "problem", "what it is", "parameters and defaults")
    screen.print_table("Families of instances", headings, rows)


def _described(family: Generator) -> dict[str, Any]:
    about = {key: getattr(family, key) for key in ("name", "problem", "summary", "reference")}
    return about | {
        "parameters": [
            {"name": p.name, "type": p.type.__name__, "default": p.default, "help": p.help}
            for p in family.parameters
        ]
    }


def _as_written(name: str, default: Any) -> str:
    if default is None:
        return name
    words = ",".join(map(str, default)) if isinstance(default, tuple) else str(default)
    return f"{name}={words.lower()}"
