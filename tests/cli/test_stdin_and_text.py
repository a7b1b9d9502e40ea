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


DOUBT = "edges of a 3 x 3 graph; --format text reads a matrix"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("match", []), ("btf", []), ("assign", []), ("flow", ["--source", "0", "--sink", "2"])],
)
def test_a_summary_says_what_three_numbers_a_line_were_taken_for(run, tmp_path, name, arguments):
    content = b"0 1 3\n1 2 4\n2 0 1\n"
    for file, header, more, said in (
        ("edges.txt", b"", [], True),
        ("edges.el", b"", [], False),
        ("edges.txt", b"# Nodes: 3 Edges: 3\n", [], False),
        ("edges.txt", b"", ["--format", "snap"], False),
        ("edges.txt", b"", ["--format", "text"], False),
    ):
        (tmp_path / file).write_bytes(header + content)
        status, out, err = run(name, tmp_path / file, *arguments, *more)
        assert (status, err) == (0, "")
        assert (DOUBT in out) == said, (file, header, more)
        assert "read as" not in run(name, tmp_path / file, *arguments, *more, "--json")[1]


def test_costs_that_were_taken_for_edges_are_not_just_infeasible():
    found = command("assign", "-", stdin=b"5 1 3\n1 2 4\n")
    assert found.returncode == 1
    doubt = b"(read as edges of a 6 x 6 graph; --format text reads a matrix)\n"
    assert found.stderr == b"konig: /dev/stdin: no assignment is full: 1 column (0) has no rows " + doubt
    found = command("assign", "-", "--format", "text", stdin=b"5 1 3\n1 2 4\n")
    assert (found.returncode, found.stderr) == (0, b"")


def test_a_pipe_without_a_full_assignment_gets_its_proof():
    found = command("assign", "-", "--json", stdin=b"1,inf\n2,inf\n")
    assert found.returncode == 1
    assert json.loads(found.stdout)["violator_cols"] == [1]
    assert found.stderr == b"konig: /dev/stdin: no assignment is full: 1 column (1) has no rows\n"
