"""The commands, assembled. The module of a command is imported if that command is to run."""

from __future__ import annotations

from collections.abc import Container
from importlib import import_module
from typing import Annotated

import typer

import konig

# Where a command lives, and what the list of commands says about it.
COMMANDS = {
    "match": (
        "match.match",
        "Match as many rows with columns as the entries of the matrix allow, and prove it.",
    ),
    "assign": (
        "assign.assign",
        "Assign rows to columns so that the costs sum up to as little as possible, and prove it.",
    ),
    "btf": (
        "match.btf",
        "Permute the matrix to block triangular form (Dulmage-Mendelsohn, coarse and fine), and prove it.",
    ),
    "flow": (
        "flow.flow",
        "Bring as much as possible from the source to the sink, and prove it by a minimum cut.",
    ),
    "verify": (
        "verify.verify",
        "Check that the answer is one for this file and that its certificate proves it.",
    ),
    "methods": (
        "listing.methods",
        "List the methods with their knobs, where they run and the papers they come from.",
    ),
    "generate": (
        "generate.generate",
        "Make a test matrix, costs or a network, the same for the same seed on every machine.",
    ),
    "info": (
        "listing.info",
        "Show the version, the machine, the GPU and the libraries that konig finds.",
    ),
    "bench": ("bench.app", "Time methods and peers side by side, every answer checked."),
}


def assembled(wanted: Container[str] = tuple(COMMANDS)) -> typer.Typer:
    """The ``konig`` command. Of commands that are not ``wanted`` it knows the name and the line of help."""
    app = typer.Typer(name="konig", no_args_is_help=True, add_completion=False, rich_markup_mode="rich")
    app.callback()(_options)
    for name, (place, help) in COMMANDS.items():
        if name not in wanted:
            app.command(name, help=help)(_not_imported)
            continue
        module, _, attribute = place.partition(".")
        command = getattr(import_module(f"konig.cli.{module}"), attribute)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)
    return app


def _not_imported() -> None:
    raise AssertionError("only its help was asked for")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"konig {konig.__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Matchings, assignments, flows and block triangular forms, each answer proved by its certificate."""
