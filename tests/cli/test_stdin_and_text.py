"""Commands read stdin for ``-``, and matrices as text."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

COSTS = b"4,1,3\n2,0,5\n3,2,2\n"


def command(*arguments, stdin):
    return subprocess.run(
        [sys.executable, "-m", "konig", *arguments], input=stdin, capture_output=True, timeout=120
    )


def test_a_pipe_is_read_for_a_dash():
    found = command("assign", "-", "--json", stdin=COSTS)
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout)["cost"] == 5


def test_an_error_in_a_pipe_names_its_line():
    found = command("assign", "-", stdin=b"4,1,3\n2,x,5\n")
    assert found.returncode == 2
    assert found.stderr == b"konig: /dev/stdin, line 2: column 2 'x' is not a number\n"


@pytest.mark.parametrize(
    ("name", "arguments", "key", "expected"),
    [
        ("match", ["--format", "text"], "size", 3),
        ("flow", ["--format", "text", "--source", "0", "--sink", "2"], "value", 4),
        ("btf", ["--format", "text"], "blocks", 1),
        ("assign", ["--maximize"], "cost", 11),
    ],
)
def test_every_command_takes_text(run, tmp_path, name, arguments, key, expected):
    path = tmp_path / "costs.csv"
    path.write_bytes(COSTS)
    status, out, err = run(name, path, *arguments, "--json")
    assert (status, err) == (0, "")
    assert json.loads(out)[key] == expected


def test_an_answer_to_text_is_proved(run, tmp_path, monkeypatch):
    path, answer = tmp_path / "costs.txt", tmp_path / "answer.json"
    path.write_bytes(COSTS)
    assert run("assign", path, "--out", answer)[0] == 0
    with open(path, "rb") as opened:
        keep = os.dup(0)
        os.dup2(opened.fileno(), 0)
        try:
            status, out, _ = run("verify", "-", answer)
        finally:
            os.dup2(keep, 0)
            os.close(keep)
    assert (status, out.startswith("proved:")) == (0, True)


def test_unknown_options_and_methods_get_the_nearest(complaint, tmp_path):
    path = tmp_path / "costs.csv"
    path.write_bytes(COSTS)
    assert "--maximize" in complaint("assign", path, "--maximise")
    assert "'assign'" in complaint("asign", path)
    assert "did you mean 'hungarian-tree'?" in complaint("assign", path, "--method", "hungarian_tree")
    assert "did you mean 'relabel'?" in complaint(
        "match", path, "--format", "text", "--method", "pr", "--set", "relable=2"
    )
