"""Ranks whose rows are on a GPU: threads of one process that share it, and two processes that do."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from distributed.simulated import on_ranks
from distributed.test_assignment import costs_of, same_as_alone, split

import konig
import konig.distributed as kd
from konig.distributed import core

cupy = pytest.importorskip("cupy")
pytest.importorskip("mpi4py")

pytestmark = pytest.mark.gpu

METHODS = ("core", "hungarian-classical", "hungarian-tree")
EVERY_METHOD = pytest.mark.parametrize("method", METHODS)
KINDS = ("uniform", "tied", "real", "float32", "alike", "far-apart", "forbidden")


@pytest.mark.parametrize("size", [1, 2, 4])
@pytest.mark.parametrize("kind", KINDS)
@EVERY_METHOD
def test_answers_are_those_of_the_ordinary_call(method, kind, size):
    """Uneven blocks, in any order, also without rows; rectangles both ways; infeasible ones."""
    rng = np.random.default_rng(size)
    for draw in range(4):
        rows, cols = rng.integers(0, 60, 2) if draw % 2 else rng.integers(1, 60, 1).repeat(2)
        C = costs_of(kind, rng, rows, cols)
        maximize = draw % 3 == 0
        C = -C if maximize else C
        same_as_alone(C, split(rng, rows, size), maximize, method=method, device="cuda")


@pytest.mark.parametrize("kind", ["uniform", "tied", "real"])
@EVERY_METHOD
def test_middling_sizes(method, kind, monkeypatch):
    monkeypatch.setattr(core, "FEWEST_BIDDERS", 0)
    rng = np.random.default_rng(1)
    C = costs_of(kind, rng, 700, 700)
    same_as_alone(C, split(rng, 700, 3), method=method, device="cuda")


def test_wide_integers():
    rng = np.random.default_rng(2)
    C = costs_of("wide", rng, 60, 60)
    same_as_alone(C, split(rng, 60, 3), device="cuda")


@EVERY_METHOD
def test_blocks_on_the_device_stay_there_and_so_do_answers(method, copies):
    C = np.random.default_rng(3).integers(0, 6000, (600, 600)).astype(np.int32)

    def program(comm):
        part = cupy.asarray(C[300 * comm.rank : 300 * comm.rank + 300])
        answer = kd.linear_assignment(part, comm, method=method)
        most = max(copies)
        comm.allreduce(np.zeros(1, np.int64), "sum")  # the other rank has looked, too
        answer.verify(part)
        return answer, most, answer.gather()

    answers = on_ranks(2, program)
    for answer in answers:
        if isinstance(answer, BaseException):
            raise answer
    for answer, most, _ in answers:
        assert answer.device == "cuda:0"
        assert answer.cost == konig.linear_assignment(C).cost
        assert isinstance(answer.row_dual, cupy.ndarray)
        if method != "hungarian-tree":  # which deals the columns out once
            assert most < C.nbytes // 8
    whole = answers[0][2]
    assert isinstance(whole.col_ind, cupy.ndarray)
    whole.verify(C)


def test_a_rank_on_the_host_and_one_on_the_gpu():
    C = np.random.default_rng(4).random((80, 80))

    def program(comm):
        part = C[40 * comm.rank : 40 * comm.rank + 40]
        return kd.linear_assignment(part, comm, device="cuda" if comm.rank else "cpu")

    first, second = on_ranks(2, program)
    assert (first.device, second.device) == ("cpu", "cuda:0")
    assert first.cost == second.cost == pytest.approx(konig.linear_assignment(C).cost, rel=1e-12)


def test_bad_costs_and_devices_that_are_not_there():
    C = np.ones((6, 40))
    C[4, 7] = np.nan
    for error in on_ranks(2, lambda comm: kd.linear_assignment(C[3 * comm.rank :][:3], comm, device="cuda")):
        assert str(error).startswith("rank 1: C[4, 7] is NaN")
    for error in on_ranks(2, lambda comm: kd.linear_assignment(np.eye(3), comm, device="cuda:99")):
        assert "device='cuda:99'" in str(error)


PROGRAM = """
import numpy as np, cupy, konig
import konig.distributed as kd
from mpi4py.MPI import COMM_WORLD as world
C = np.random.default_rng(1).integers(0, 10_000, (1000, 1000)).astype(np.int32)
part = cupy.asarray(C[kd.even_share(1000, world.size, world.rank)])
for method in ("core", "hungarian-classical", "hungarian-tree"):
    a = kd.linear_assignment(part, method=method)
    a.verify(part)
    assert a.cost == konig.linear_assignment(C).cost
    assert a.device.startswith("cuda:"), a.device
if world.rank == 0:
    print("all is well on", world.size)
"""


@pytest.mark.parametrize("size", [1, 2])
def test_processes_that_share_the_gpu(size, tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    beside = Path(sys.executable).with_name("mpirun")
    runner = [str(beside) if beside.exists() else "mpirun", "-n", str(size), "--oversubscribe"]
    allowed = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    ran = subprocess.run(
        [*runner, sys.executable, str(tmp_path / "program.py")],
        capture_output=True,
        text=True,
        timeout=180,
        env={**os.environ, **allowed},
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines()[-1] == f"all is well on {size}"
