"""The commands, assembled."""

from __future__ import annotations

from typing import Annotated

import typer

import konig
from konig.cli import assign, bench, btf, flow, generate, info, match, methods, verify

app = typer.Typer(
    name="konig",
    help="Matchings, assignments, flows and block triangular forms, each answer proved by its certificate.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
)
for command in (
    match.match,
    assign.assign,
    btf.btf,
    flow.flow,
    verify.verify,
    methods.methods,
    generate.generate,
    info.info,
):
    app.command()(command)
app.add_typer(bench.app, name="bench")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"konig {konig.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Matchings, assignments, flows and block triangular forms, each answer proved by its certificate."""
