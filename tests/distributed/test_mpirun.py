"""Ranks that mpirun starts."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

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
