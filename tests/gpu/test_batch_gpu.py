"""Batches on a GPU: costs as on the CPU, every answer proved, answers where the input is."""

import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from cases.costs import DTYPES, ragged

import konig
from konig.assignment import batch as cuda_batch

cupy = pytest.importorskip("cupy")

pytestmark = pytest.mark.gpu


def solve(C, **options):
    batch = konig.linear_assignment(C, device="cuda", **options)
    assert batch.method == "crew-paths"
    assert batch.device.startswith("cuda:")
    batch.verify(C)
    return batch


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("maximize", [False, True])
def test_batches_cost_what_the_cpu_says(dtype, maximize):
    rng = np.random.default_rng(1)
    shapes = [(300, 7, 7), (50, 5, 9), (50, 9, 5), (40, 64, 64), (10, 100, 100), (6, 150, 200), (4, 300, 130)]
    for shape in [*shapes, (0, 3, 3), (4, 0, 3), (5, 2, 0), (3, 1, 1)]:
        for spread in (2, 1000):
            C = rng.integers(-spread, spread, shape).astype(dtype)
            batch = solve(C, maximize=maximize)
            assert batch.cost.tolist() == konig.linear_assignment(C, maximize=maximize).cost.tolist()


@pytest.mark.parametrize("size", [32, 33, 64, 65, 128, 129, 512, 513, 1024, 1025])
def test_every_group_at_the_ends_of_its_range(size):
    C = np.random.default_rng(size).random((3, size, size)).astype(np.float32)
    batch = solve(C)
    assert np.allclose(batch.cost, konig.linear_assignment(C).cost, rtol=1e-12, atol=0)


def test_problems_too_large_for_a_group_are_solved_alone():
    rng = np.random.default_rng(2)
    most = cuda_batch.GROUPS[-1].items
    C = rng.integers(0, 1000, (2, 30, most + 1)).astype(np.int32)
    batch = solve(C, col_counts=[most + 1, 40])
    assert batch.stats["solved_alone"] == 1
    assert batch.cost.tolist() == konig.linear_assignment(C, col_counts=[most + 1, 40]).cost.tolist()


@pytest.mark.parametrize("dtype", DTYPES)
def test_ragged_batches(dtype):
    C, rows, cols = ragged((400, 90, 140), dtype, seed=3)
    batch = solve(C, row_counts=rows, col_counts=cols)
    same = konig.linear_assignment(C, row_counts=rows, col_counts=cols)
    assert batch.cost.tolist() == same.cost.tolist()
    assert (batch.row_ind[np.arange(batch.row_ind.shape[1]) >= np.minimum(rows, cols)[:, None]] == -1).all()


def test_forbidden_pairs_and_infeasible_problems():
    rng = np.random.default_rng(4)
    C = rng.random((100, 20, 22)).astype(np.float32)
    C[rng.random(C.shape) < 0.8] = np.inf
    with pytest.raises(konig.InfeasibleError, match=r"problem \d+: ") as caught:
        solve(C)
    with pytest.raises(konig.InfeasibleError) as same:
        konig.linear_assignment(C)
    assert caught.value.problem == same.value.problem
    batch, host = solve(C, full=False), konig.linear_assignment(C, full=False)
    assert 0 < len(batch.covers) < 100
    assert sorted(batch.covers) == sorted(host.covers)
    assert np.allclose(batch.cost, host.cost, rtol=1e-12, atol=0)


def test_bad_costs_are_named_with_their_problem():
    for shape in ((3, 4, 6), (3, 6, 4)):
        C = np.zeros(shape)
        C[1, 2, 3] = np.nan
        C[2, 0, 0] = -np.inf
        with pytest.raises(ValueError, match=r"C\[1, 2, 3\] is NaN"):
            solve(C)
        with pytest.raises(ValueError, match=r"C\[2, 0, 0\] = -inf"):
            solve(C, row_counts=[4, 2, 4])


def test_integers_beyond_the_reach_of_a_group():
    C = np.array([[[0, 2**60], [2**60, 5]], [[1, 2], [3, 5]]])
    assert solve(C).cost.tolist() == [5, 5]
    with pytest.raises(OverflowError, match="problem 0"):
        solve(np.full((2, 4, 4), 2**62))


def test_answers_stay_on_the_device():
    C = np.random.default_rng(5).random((20, 12, 15)).astype(np.float32)
    there = cupy.asarray(C)
    batch = konig.linear_assignment(there)
    assert batch.method == "crew-paths"
    for name in ("row_ind", "col_ind", "cost", "row_dual", "col_dual"):
        assert isinstance(getattr(batch, name), cupy.ndarray), name
    batch.verify(there)
    assert (there.get() == C).all()
    torch = pytest.importorskip("torch")
    tensor = torch.from_numpy(C).cuda()
    batch = konig.linear_assignment(tensor, row_counts=torch.full((20,), 9))
    assert batch.col_ind.is_cuda
    assert batch.cost.is_cuda
    batch.verify(tensor)


def test_single_problems_have_methods_of_their_own():
    with pytest.raises(ValueError, match="crew-paths"):
        konig.linear_assignment(np.zeros((3, 3)), method="crew-paths", device="cuda")
    with pytest.raises(ValueError, match="does not take batches"):
        konig.linear_assignment(np.zeros((2, 3, 3)), method="hungarian-tree", device="cuda")


INTERRUPTED = """
import cupy, konig
i = cupy.arange(1000, dtype="float32")
C = ((i[:, None] + i) ** 2)[None].repeat(200, 0)
konig.linear_assignment(C[:1])
print("go", flush=True)
while True:
    konig.linear_assignment(C)
"""


def test_ctrl_c_is_answered():
    child = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdout.readline() == b"go\n", child.stderr.read().decode()[-2000:]
    time.sleep(2)
    child.send_signal(signal.SIGINT)
    began = time.perf_counter()
    _, errors = child.communicate(timeout=60)
    assert b"KeyboardInterrupt" in errors
    assert time.perf_counter() - began < 5
