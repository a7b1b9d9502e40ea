"""The commands, assembled. The module of a command is imported if that command is to run."""

from __future__ import annotations

from collections.abc import Container
from importlib import import_module
from typing import Annotated

import typer

import konig

# What the list of commands says about each. A command is a function of its name in a module of its name.
COMMANDS = {
    "match": "Match as many rows with columns as the entries of the matrix allow, and prove it.",
    "assign": "Assign rows to columns so that the costs sum up to as little as possible, and prove it.",
    "btf": "Permute the matrix to block triangular form (Dulmage-Mendelsohn, coarse and fine), and prove it.",
    "flow": "Bring as much as possible from the source to the sink, and prove it by a minimum cut.",
    "verify": "Check that the answer is one for this file and that its certificate proves it.",
    "methods": "List the methods with their knobs, where they run and the papers they come from.",
    "generate": "Make a test matrix, costs or a network, the same for the same seed on every machine.",
    "info": "Show the version, the machine, the GPU and the libraries that konig finds.",
    "warmup": "Compile the code of GPUs before the first solve needs it.",
    "bench": "Time methods and peers side by side, every answer checked.",
}
_MODULES = {"methods": "listing", "info": "listing"}


def assembled(wanted: Container[str] = tuple(COMMANDS)) -> typer.Typer:
    """The ``konig`` command. Of commands that are not ``wanted`` it knows the name and the line of help."""
    app = typer.Typer(name="konig", no_args_is_help=True, add_completion=False, rich_markup_mode="rich")
    app.callback()(_options)
    for name, help in COMMANDS.items():
        if name not in wanted:
            app.command(name, help=help)(_not_imported)
            continue
        command = getattr(import_module(f"konig.cli.{_MODULES.get(name, name)}"), name)
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
