"""Ranks that mpirun starts."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import konig
from konig.cli import main

pytest.importorskip("mpi4py")

MPIRUN = Path(sys.executable).with_name("mpirun")
# Open MPI asks twice whether root means it, as root of a container does.
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def on_ranks(size, *command, folder=None):
    """Run Python on so many ranks."""
    runner = [str(MPIRUN) if MPIRUN.exists() else "mpirun", "-n", str(size), "--oversubscribe"]
    return subprocess.run(
        [*runner, sys.executable, *command],
        capture_output=True,
        text=True,
        timeout=120,
        env=ENVIRONMENT,
        cwd=folder,
    )


@pytest.mark.parametrize("size", [1, 2, 4])
def test_every_step_works_on_real_ranks(size, tmp_path):
    ran = on_ranks(size, str(Path(__file__).with_name("program.py")), str(tmp_path / "costs.npy"))
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines()[-1] == f"all is well on {size}"


def konig_on_ranks(folder, *arguments, size=2):
    return on_ranks(size, "-m", "konig", *arguments, "--distributed", folder=folder)


def test_the_command_prints_once_and_its_answer_can_be_verified(tmp_path):
    C = np.random.default_rng(1).integers(0, 900, (40, 40))
    np.save(tmp_path / "costs.npy", C)
    ran = konig_on_ranks(tmp_path, "assign", "costs.npy", "--json", "--out", "answer.npz")
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["cost"] == konig.linear_assignment(C).cost
    assert main(["verify", str(tmp_path / "costs.npy"), str(tmp_path / "answer.npz")]) == 0


def test_the_command_matches_too(tmp_path):
    A = sp.random_array((90, 80), density=0.03, rng=1, format="csr")
    sp.save_npz(tmp_path / "A.npz", A)
    ran = konig_on_ranks(tmp_path, "match", "A.npz", "--json", "--out", "answer.npz")
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["size"] == konig.maximum_matching(A).size
    assert main(["verify", str(tmp_path / "A.npz"), str(tmp_path / "answer.npz")]) == 0


@pytest.mark.parametrize(
    ("content", "status", "message"),
    [
        (np.full((2, 2), np.inf), 1, "no assignment is full"),
        (np.zeros(3), 2, "there is no array of two dimensions"),
    ],
)
def test_the_command_fails_on_all_ranks_and_says_why_once(content, status, message, tmp_path):
    np.save(tmp_path / "costs.npy", content)
    ran = konig_on_ranks(tmp_path, "assign", "costs.npy")
    assert ran.returncode == status
    assert ran.stderr.count(message) == 1
