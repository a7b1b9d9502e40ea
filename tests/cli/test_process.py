"""The command as a process: pipes, signals and ``python -m konig``."""

import subprocess
import sys

from konig import io
from konig.lab.generators import generate


def test_python_m_konig_is_the_same():
    done = subprocess.run(
        [sys.executable, "-m", "konig", "match", "missing.mtx"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == "konig: missing.mtx: No such file or directory\n"


INTERRUPTED_WHILE_SOLVING = """
import os, signal, sys
from konig.cli import main, screen
screen.is_terminal = lambda: lambda done, total: os.kill(os.getpid(), signal.SIGINT)
sys.exit(main(sys.argv[1:]))
"""


def test_an_interrupt_is_one_line_and_status_130(tmp_path):
    path, out = tmp_path / "hard.npz", tmp_path / "answer.npz"
    io.write(path, generate("sprand", seed=1, rows=300_000, degree=3.0))
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_WHILE_SOLVING, "match", path, "-m", "hkdw", "--out", out],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "konig: interrupted\n")
    assert not out.exists()
