"""The command as a process: pipes, signals and ``python -m konig``."""

import signal
import subprocess
import sys
import time

from konig import io
from konig.lab.generators import generate


def test_python_m_konig_is_the_same():
    done = subprocess.run(
        [sys.executable, "-m", "konig", "match", "missing.mtx"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == "konig: missing.mtx: No such file or directory\n"


def test_a_reader_that_leaves_early_is_no_error():
    script = f"{sys.executable} -m konig generate --json | head -c 10"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", script], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""


def test_interrupt_ends_quickly_with_one_line(tmp_path):
    path = tmp_path / "hard.npz"
    io.write(path, generate("sprand", seed=1, rows=600_000, degree=3.0))
    with subprocess.Popen(
        [sys.executable, "-m", "konig", "match", str(path), "--method", "hkdw", "--init", "none"],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        time.sleep(4)
        process.send_signal(signal.SIGINT)
        sent = time.monotonic()
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, "", "konig: interrupted\n")
    assert time.monotonic() - sent < 3
