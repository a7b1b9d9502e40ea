"""``--help`` of every command, which is where typer and click meet."""

import subprocess
import sys

import pytest
import typer

from konig.cli.app import COMMANDS, assembled


def commands(group, path=()):
    yield path
    for name, command in getattr(group, "commands", {}).items():
        yield from commands(command, (*path, name))


@pytest.mark.parametrize("path", list(commands(typer.main.get_command(assembled()))), ids=" ".join)
def test_every_command_has_help(run, path):
    status, out, err = run(*path, "--help")
    assert status == 0
    assert " ".join(["Usage:", "konig", *path]) in " ".join(out.split())
    assert err == ""


def test_the_list_of_commands_says_what_each_says_of_itself():
    group = typer.main.get_command(assembled())
    said = {name: " ".join(command.help.split("\n\n")[0].split()) for name, command in group.commands.items()}
    assert said == COMMANDS


def imported(code):
    names = "print(*{name.partition('.')[0] for name in sys.modules})"
    command = [sys.executable, "-c", f"import sys; {code}; {names}"]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def test_neither_import_nor_help_needs_numpy():
    assert "numpy" not in imported("import konig")
    assert "numpy" not in imported("from konig.cli import main; main(['--help'])")
    assert "numpy" in imported("from konig import maximum_matching")
