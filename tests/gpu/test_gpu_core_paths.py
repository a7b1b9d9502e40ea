"""core-paths on a GPU: what test_gpu_assignment.py asks of the Hungarian methods, and `auto`."""

import time

import numpy as np
import pytest
from around_a_solve import seconds_to_stop
from assignment.test_core_paths import euclidean
from assignment.test_hungarian import random_costs, uniform
from cases.costs import DTYPES, awkward_costs, machol_wien
from cases.data import read_costs, real_costs

import konig
from konig.assignment.programs import ENTRIES_PER_WORKER
from konig.assignment.proof import check_hall_violator, dense_blocks
from konig.gpu import program

cupy = pytest.importorskip("cupy")

pytestmark = pytest.mark.gpu

METHOD = "core-paths"


def solve(C, **options):
    a = konig.linear_assignment(C, method=METHOD, device="cuda", **options)
    a.verify(C)
    assert a.method == METHOD
    assert a.device.startswith("cuda:")
    return a


def test_random_costs():
    infeasible = 0
    for C, maximize in random_costs(400, seed=5):
        try:
            solve(C, maximize=maximize)
        except konig.InfeasibleError as error:
            infeasible += 1
            check_hall_violator(dense_blocks(C), C.shape, error.rows, error.cols)
            solve(C, maximize=maximize, full=False)
    assert infeasible > 10


def test_awkward_costs():
    for name, C in awkward_costs():
        if name != "both ends of 62 bits":
            assert solve(C).size == min(C.shape), name
            assert solve(C.T).size == min(C.shape), name


def test_real_costs():
    for name, path, optimum in real_costs():
        C = read_costs(path)
        for dtype in DTYPES if C.max() < 2**24 else DTYPES[1:2] + DTYPES[3:]:
            assert solve(C.astype(dtype)).cost == optimum, name


@pytest.mark.parametrize("dtype", DTYPES)
def test_middling_and_large_sizes(dtype):
    rng = np.random.default_rng(3)
    for shape in ((700, 700), (257, 1000), (1000, 130), (1500, 1500), (3, 20_000)):
        for top in (shape[1] // 10, shape[1], 10 * shape[1]):
            solve(rng.integers(0, top, shape).astype(dtype))
    if np.dtype(dtype).kind == "f":
        solve(rng.random((600, 600)).astype(dtype))
        solve(euclidean(900, 900).astype(dtype))
        solve(euclidean(800, 900).astype(dtype))
    solve(machol_wien(150).astype(dtype))


def test_costs_that_all_rows_rank_alike_start_from_the_order_that_suits_them():
    for C in (machol_wien(700), machol_wien(700)[::-1].astype(np.float32)):
        for maximize in (False, True):
            stats = solve(C, maximize=maximize).stats
            assert stats["coarser_starts"] == 0
            assert stats["phases"] < 100
    assert "start" in solve(machol_wien(700)).stats["seconds"]
    nearly = machol_wien(700) + np.random.default_rng(1).integers(0, 700, (700, 700))
    assert solve(nearly).cost == konig.linear_assignment(nearly, method="auction").cost


def test_the_same_counters_as_on_the_cpu():
    C = uniform(400, 4000)
    here = konig.linear_assignment(C, method=METHOD, threads=1).stats
    there = solve(C).stats
    assert set(there) == {*here, "headers"}
    assert there["paths"] <= there["path_edges"]


def test_fifty_races_end_the_same():
    C = uniform(500, 100)
    assert len({konig.linear_assignment(C, method=METHOD, device="cuda").cost for _ in range(50)}) == 1


def test_costs_on_the_device_are_not_copied(copies):
    C = cupy.asarray(uniform(400, 4000))
    a = konig.linear_assignment(C, method=METHOD)
    assert max(copies) <= 16_384
    for array in (a.row_ind, a.col_ind, a.row_dual, a.col_dual):
        assert isinstance(array, cupy.ndarray)


def test_auto_runs_it_on_costs_of_any_range():
    ranges = uniform(300, 30), uniform(300, 3000), uniform(300, 30).astype(np.float32)
    for C in (*ranges, np.zeros((0, 4), np.int32)):
        a = konig.linear_assignment(cupy.asarray(C))
        assert a.method == METHOD
        a.verify(cupy.asarray(C))


def test_warm_starts():
    C = uniform(300, 3000)
    a = solve(C)
    again = solve(C, initial=a)
    assert again.cost == a.cost
    assert again.stats["paths"] < a.stats["paths"]


def test_rows_that_have_no_workers_of_their_own(monkeypatch):
    # Workers of a group that go from row to row need not be in step: each must see all of its part of a list.
    monkeypatch.setitem(ENTRIES_PER_WORKER, "core", 1 << 10)
    rng = np.random.default_rng(4)
    for C in (euclidean(3000, 3000).astype(np.float32), rng.random((3000, 3000), np.float32)):
        stats = solve(C).stats
        assert stats["workers"] < 8 * 3000
        assert stats["extensions"] < 5
        assert stats["phases"] < 250  # parts that were missed would be made up for in further phases
        assert stats["core_entries"] < 40 * 3000
        assert stats["pricing_rounds"] < 24  # some of them before the core is solved


@pytest.mark.parametrize("rows", [1, 3, 40])
def test_rows_that_several_groups_share(rows):
    rng = np.random.default_rng(rows)
    for C in (
        rng.random((rows, 30_000)),
        rng.integers(0, 5, (rows, 20_000)),
        rng.integers(0, 10**6, (rows, 9_000)),
    ):
        for given in (C, C.T):
            solve(given).verify(given)


def test_lists_fill_up_while_several_groups_append_to_them():
    # Padding: after a pricing a list may have less room than the groups of its row want.
    rng = np.random.default_rng(7)
    C = rng.integers(0, 1000, (1020, 1020)).astype(np.int32)
    C[:, 300:750] = 400
    for given in (C, C.T, rng.permutation(C)):
        for _ in range(3):
            solve(given).verify(given)


def test_launches_end_in_time_and_the_next_one_goes_on(monkeypatch):
    from konig.lab.bench.gpu import device_costs

    monkeypatch.setattr(program, "BUDGET_NS", 10_000_000)
    moments = []
    C = device_costs(cupy, "euclidean", 12_000)
    a = solve(C, progress=lambda done, total: moments.append(time.monotonic()))
    assert a.stats["launches"] == len(moments) > 1
    assert max(np.diff(moments)) < 0.15


INTERRUPTED = """
import time
import cupy, konig
from konig.lab.bench.gpu import device_costs
C = device_costs(cupy, "euclidean", 20_000)
konig.linear_assignment(C[:9, :9], method="core-paths")
print("ready", flush=True)
try:
    while True:
        konig.linear_assignment(C, method="core-paths")
except KeyboardInterrupt:
    print(time.monotonic(), flush=True)
    konig.linear_assignment(C[:50, :50], method="core-paths").verify(C[:50, :50])
    print("usable", flush=True)
"""


def test_an_interrupt_ends_the_solve_and_leaves_the_process_usable():
    assert seconds_to_stop(INTERRUPTED, 0.2, patience=60) < 0.2


def violation(C, a):
    """By how much the duals exceed a cost at most, or differ from that of an assigned entry."""
    rows, cols = cupy.asarray(a.row_ind), cupy.asarray(a.col_ind)
    u, v = cupy.asarray(a.row_dual), cupy.asarray(a.col_dual)
    assert len(cupy.unique(cols)) == len(C)
    worst = float(abs(C[rows, cols].astype(u.dtype) - u[rows] - v[cols]).max())
    for i in range(0, len(C), 512):
        slack = C[i : i + 512].astype(u.dtype) - u[i : i + 512, None] - v[None]
        worst = max(worst, -float(slack.min()))
    return worst


def test_ten_thousand_rows_are_proved_on_the_device():
    from konig.lab.bench.gpu import device_costs

    for kind in ("[0, n]", "[0, 100n]", "real"):
        C = device_costs(cupy, kind, 10_000)
        a = konig.linear_assignment(C, method=METHOD)
        assert violation(C, a) <= (10_000 * 2.0**-22 if kind == "real" else 0)
