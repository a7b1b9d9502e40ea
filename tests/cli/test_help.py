"""``--help`` of every command, which is where typer and click meet."""

import pytest
import typer

from konig.cli.app import app


def commands(group, path=()):
    yield path
    for name, command in getattr(group, "commands", {}).items():
        yield from commands(command, (*path, name))


@pytest.mark.parametrize("path", list(commands(typer.main.get_command(app))), ids=" ".join)
def test_every_command_has_help(run, path):
    status, out, err = run(*path, "--help")
    assert status == 0
    assert " ".join(["Usage:", "konig", *path]) in " ".join(out.split())
    assert err == ""
