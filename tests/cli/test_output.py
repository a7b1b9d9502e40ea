"""Output that cannot be written: one line on stderr and status 2, and no file that is half of one."""

import os
import resource
import stat
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from konig import io
from konig.cli import main
from konig.io.files import whole_file

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")

NETWORK = "p max 3 2\nn 1 s\nn 3 t\na 1 2 5\na 2 3 4\n"
COMMANDS = {
    "match": ["match", "{folder}/a.mtx"],
    "assign": ["assign", "{folder}/c.npy"],
    "flow": ["flow", "{folder}/n.max"],
    "btf": ["btf", "{folder}/a.mtx"],
    "verify": ["verify", "{folder}/a.mtx", "{folder}/answer.json"],
    "methods": ["methods"],
    "families": ["generate"],
    "generate": ["generate", "sprand", "rows=5", "--out", "{folder}/b.mtx"],
    "info": ["info"],
    "help": ["--help"],
    "version": ["--version"],
    "bench": ["bench", "matching", "--suite", "none", "--data", "{folder}", "--permutations", "0",
              "--repeats", "1", "--methods", "hk", "--cache", "{folder}/cache"],
}  # fmt: skip
WITHOUT_JSON = ("help", "version", "bench")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    where = tmp_path_factory.mktemp("problems")
    io.write(where / "a.mtx", np.array([[1, 1, 0], [1, 0, 0], [0, 0, 0]]))
    np.save(where / "c.npy", np.arange(9).reshape(3, 3))
    (where / "n.max").write_text(NETWORK)
    assert main(["match", str(where / "a.mtx"), "--out", str(where / "answer.json")]) == 0
    return where


def shell(words, folder, redirection=">/dev/null"):
    line = f"{sys.executable} -m konig {words.format(folder=folder)} {redirection}"
    return subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)


def cases():
    for name, words in COMMANDS.items():
        yield pytest.param(" ".join(words), id=name)
        if name not in WITHOUT_JSON:
            yield pytest.param(" ".join([*words, "--json"]), id=f"{name} --json")
    yield pytest.param(" ".join([*COMMANDS["bench"], "--json", "-"]), id="bench --json")


@needs_full
@pytest.mark.parametrize("words", list(cases()))
def test_a_full_stdout_is_one_line_and_status_2(words, folder, capsys, monkeypatch):
    with FULL.open("w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert main(words.format(folder=folder).split()) == 2
    assert capsys.readouterr().err == "konig: stdout: No space left on device\n"


@needs_full
@pytest.mark.parametrize("words", ["methods", "match {folder}/a.mtx --json"])
def test_a_process_with_a_full_stdout_ends_quietly(words, folder):
    done = shell(words, folder, ">/dev/full")
    assert (done.returncode, done.stderr) == (2, "konig: stdout: No space left on device\n")


@pytest.mark.parametrize("words", ["methods --json", "match {folder}/a.mtx"])
def test_a_closed_stdout_is_one_line_and_status_2(words, folder):
    done = shell(words, folder, ">&-")
    assert (done.returncode, done.stderr) == (2, "konig: stdout is closed\n")


@pytest.mark.parametrize("words", ["methods", "generate --json"])
def test_a_reader_that_leaves_early_is_one_line_and_status_2(words, folder):
    done = shell(words, folder, "| (exec <&-; sleep 0.1); echo ${PIPESTATUS[0]}")
    assert (done.stdout, done.stderr) == ("2\n", "konig: stdout: Broken pipe\n")


def test_a_closed_stderr_leaves_the_status(folder):
    assert shell("match missing.mtx", folder, "2>&-").returncode == 2
    assert shell("match {folder}/a.mtx", folder, "2>&- >/dev/null").returncode == 0


def test_a_terminal_that_shows_no_such_letter_gets_it_spelled_out(folder, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    odd = folder / "größe \udcff.mtx"
    odd.write_bytes((folder / "a.mtx").read_bytes())
    done = subprocess.run([sys.executable, "-m", "konig", "match", odd], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


WRITERS = {
    "match": ["match", "a.mtx", "--out", "{target}.json"],
    "btf": ["btf", "a.mtx", "--out", "{target}.npz"],
    "assign": ["assign", "c.npy", "--out", "{target}.npz"],
    "flow": ["flow", "n.max", "--out", "{target}.json"],
    "generate": ["generate", "sprand", "rows=5000", "--out", "{target}.mtx.gz"],
    "costs": ["generate", "uniform_costs", "rows=90", "cols=90", "--out", "{target}.npy"],
    "plot": ["match", "a.mtx", "--plot", "{target}.png"],
    "bench": [*COMMANDS["bench"], "--json", "{target}.json"],
}


@contextmanager
def small_files():
    """Files of this process cannot grow beyond a few bytes, as if the disk were full."""
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("before", [None, b"what was there"])
def test_a_full_disk_is_named_and_leaves_nothing_behind(
    name, before, folder, tmp_path, monkeypatch, run, complaint
):
    words = [word.format(target=tmp_path / "target", folder=folder) for word in WRITERS[name]]
    target = Path(next(word for word in words if word.startswith(str(tmp_path))))
    monkeypatch.chdir(folder)
    if name == "bench":  # its instances are there already: their cache must not be what fails
        run(*words[:-2])
    if before:
        target.write_bytes(before)
    with small_files():
        line = complaint(*words)
    assert line == f"konig: {target}: File too large\n"
    assert [path.name for path in tmp_path.iterdir()] == ([target.name] if before else [])
    assert not before or target.read_bytes() == before


def test_what_replaces_a_file_keeps_its_permissions_and_its_link(tmp_path):
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_bytes(b"old")
    real.chmod(0o640)
    link.symlink_to(real)
    with whole_file(link) as file:
        file.write(b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


def test_a_new_file_has_the_permissions_that_any_has(tmp_path):
    with whole_file(tmp_path / "ours") as file:
        file.write(b"x")
    (tmp_path / "theirs").write_bytes(b"x")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "theirs").stat().st_mode


@needs_full
def test_a_device_is_written_as_it_is(tmp_path):
    link = tmp_path / "full.json"
    link.symlink_to(FULL)
    with pytest.raises(OSError, match="No space left on device") as refused, whole_file(link) as file:
        file.write(b"x")
    assert refused.value.filename == str(link)
    assert os.listdir(tmp_path) == ["full.json"]


@pytest.mark.parametrize("words", [["match", "a.mtx"], ["btf", "a.mtx"], COMMANDS["bench"]])
def test_a_picture_without_matplotlib_is_refused_before_the_solve(
    complaint, folder, tmp_path, monkeypatch, words
):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.setattr("konig.cli.solving.solved", lambda *_, **__: pytest.fail("it was solved"))
    monkeypatch.setattr("konig.lab.bench.runner.run", lambda *_, **__: pytest.fail("it was run"))
    words = [word.format(folder=folder) for word in words]
    line = complaint(*words, "--plot", tmp_path / "p.png")
    assert "p.png: pictures need matplotlib: pip install 'konig[plot]'" in line
