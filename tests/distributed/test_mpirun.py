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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("match", "A.npz", "--method", "pr"), "--method: with --distributed the method is dist-ms-bfs"),
        (("match", "A.npz", "--method", "none"), "none"),
        (("assign", "costs.npy", "--threads", "x"), "Invalid value for '--threads'"),
        (("assign", "costs.npy", "--wrong"), "--wrong"),
    ],
)
def test_wrong_options_are_told_once(arguments, message, tmp_path):
    sp.save_npz(tmp_path / "A.npz", sp.eye_array(3, format="csr"))
    ran = konig_on_ranks(tmp_path, *arguments)
    assert ran.returncode == 2
    assert sum(line.startswith("konig: ") for line in ran.stderr.splitlines()) == 1, ran.stderr
    assert message in ran.stderr


def test_the_method_of_matching_over_ranks_has_a_name(tmp_path):
    sp.save_npz(tmp_path / "A.npz", sp.eye_array(3, format="csr"))
    ran = konig_on_ranks(tmp_path, "match", "A.npz", "--method", "dist-ms-bfs", "--json")
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["method"] == "dist-ms-bfs"


def test_a_study_of_scaling_prints_its_table(capsys):
    assert main(["bench", "distributed", "--size", "150", "--ranks", "2,1", "--repeats", "1"]) == 0
    assert capsys.readouterr().out.count("core") == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--methods", "jv"), "--methods jv: must be of core, hungarian-classical, hungarian-tree"),
        (("--ranks", "2,x"), "--ranks 2,x: must be numbers"),
        (("--device", "auto"), "--device auto: rows are made on the cpu or for cuda"),
        (("--ranks", "2", "--size", "400", "--timeout", "0.01"), "was stopped after 0.01 s"),
    ],
)
def test_studies_that_cannot_be_made(arguments, message, capsys):
    assert main(["bench", "distributed", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_an_interrupt_while_a_rank_waits_for_the_others_ends_all(tmp_path):
    program = tmp_path / "late.py"
    program.write_text(
        "import os, signal, threading, time\n"
        "import numpy as np\n"
        "from mpi4py.MPI import COMM_WORLD as world\n"
        "import konig.distributed as kd\n"
        "world.Barrier()\n"
        "if world.rank == 0:\n"
        "    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "else:\n"
        "    time.sleep(0.6)\n"
        "try:\n"
        "    kd.linear_assignment(np.eye(3))\n"
        "except KeyboardInterrupt as error:\n"
        "    print('ended by', error)\n"
    )
    ran = on_ranks(2, str(program))
    assert ran.stdout.splitlines() == ["ended by rank 0"] * 2, ran.stderr


def test_a_study_of_scaling_writes_its_records(tmp_path, capsys):
    path = tmp_path / "study.json"
    given = ("--size", "120", "--ranks", "1,2", "--repeats", "1", "--study", "strong", "--json", str(path))
    assert main(["bench", "distributed", *given]) == 0
    written = json.loads(path.read_text())
    assert [line["measured"]["task"]["ranks"] for line in written["lines"]] == [1, 2]
    assert written["lines"][0]["measured"]["cost"] == written["lines"][1]["measured"]["cost"]
    assert capsys.readouterr().out.count("core") == 2
