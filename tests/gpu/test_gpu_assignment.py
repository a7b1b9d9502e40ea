"""The Hungarian methods on a GPU: the suite of the CPU teams, and inputs that live there."""

import time
from itertools import cycle

import numpy as np
import pytest
from around_a_solve import by_two_threads, seconds_to_stop
from assignment.test_hungarian import INTERRUPTED, METHODS, random_costs, uniform
from cases.costs import DTYPES, awkward_costs, machol_wien
from cases.data import read_costs, real_costs

import konig
from konig.assignment.proof import check_hall_violator, dense_blocks

cupy = pytest.importorskip("cupy")

pytestmark = pytest.mark.gpu


def solve(C, method, **options):
    a = konig.linear_assignment(C, method=method, device="cuda", **options)
    a.verify(C)
    assert a.method == method
    assert a.device.startswith("cuda:")
    return a


@pytest.mark.parametrize("method", METHODS)
def test_random_costs(method):
    infeasible = 0
    for C, maximize in random_costs(400, seed=5):
        try:
            solve(C, method, maximize=maximize)
        except konig.InfeasibleError as error:
            infeasible += 1
            check_hall_violator(dense_blocks(C), C.shape, error.rows, error.cols)
            solve(C, method, maximize=maximize, full=False)
    assert infeasible > 10


@pytest.mark.parametrize("method", METHODS)
def test_awkward_costs(method):
    for name, C in awkward_costs():
        if name != "both ends of 62 bits":
            assert solve(C, method).size == min(C.shape), name
            assert solve(C.T, method).size == min(C.shape), name


@pytest.mark.parametrize("method", METHODS)
def test_real_instances(method):
    for name, path, optimum in real_costs():
        C = read_costs(path)
        for dtype in DTYPES if C.max() < 2**24 else DTYPES[1:2] + DTYPES[3:]:
            assert solve(C.astype(dtype), method).cost == optimum, name


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_middling_and_large_sizes(method, dtype):
    rng = np.random.default_rng(3)
    shapes = ((700, 700), (257, 1000), (1000, 130), (1500, 1500), (3, 20_000))
    for shape in shapes:
        for top in (shape[1] // 10, shape[1], 10 * shape[1]):
            solve(rng.integers(0, top, shape).astype(dtype), method)
    if np.dtype(dtype).kind == "f":
        solve(rng.random((600, 600)).astype(dtype), method)
    solve(machol_wien(150).astype(dtype), method)


@pytest.mark.parametrize("method", METHODS)
def test_counters_are_those_of_the_cpu(method):
    # What does not depend on who comes first.
    for C in (uniform(300, 300), uniform(300, 3000), np.random.default_rng(2).random((200, 200))):
        there = solve(C, method).stats
        here = konig.linear_assignment(C, method=method, threads=1).stats
        for key in ("dual_updates", "initial_assignments", "compressions"):
            assert there.get(key) == here.get(key), key
        here = konig.linear_assignment(C, method=method, threads=2)
        np.testing.assert_array_equal(solve(C, method).col_dual, here.col_dual)
        here = here.stats
        assert set(there) == {*here, "headers"}
        assert there["greedy_assignments"] + sum(there["assignments"]) == len(C)


@pytest.mark.parametrize("method", METHODS)
def test_a_hundred_races_end_the_same(method):
    C = uniform(500, 100)
    assert len({konig.linear_assignment(C, method=method, device="cuda").cost for _ in range(100)}) == 1


def test_room_for_edges_is_made_when_it_is_needed():
    C = np.zeros((500, 500), np.float32)
    C[250:, 250:] = 1
    assert solve(C, "hungarian-classical").cost == 0


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", [*DTYPES, np.bool_, np.uint8, np.float16])
def test_cupy_answers_stay_on_the_device(method, dtype):
    C = np.random.default_rng(1).integers(0, 100, (60, 80)).astype(dtype)
    for costs in (cupy.asarray(C), cupy.asarray(C).T, cupy.asarray(C)[::2, ::3]):
        before = costs.copy()
        a = konig.linear_assignment(costs, method=method)
        assert a.device == "cuda:0"
        for array in (a.row_ind, a.col_ind, a.row_dual, a.col_dual):
            assert isinstance(array, cupy.ndarray)
        a.verify(costs)
        assert (costs == before).all()
    assert konig.linear_assignment(cupy.asarray(C)).method == "core-paths"


def test_costs_on_the_device_are_not_copied(copies):
    C = cupy.asarray(uniform(400, 400))
    konig.linear_assignment(C, method="hungarian-tree")
    assert max(copies) <= 16_384


def test_torch_in_torch_out():
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("this PyTorch has no CUDA")
    C = torch.rand((50, 70), device="cuda", requires_grad=True)
    for costs in (C, C.T, C.detach().bfloat16(), C.detach().double()):
        a = konig.linear_assignment(costs)
        for array in (a.row_ind, a.col_ind, a.row_dual, a.col_dual):
            assert isinstance(array, torch.Tensor)
            assert array.device == torch.device("cuda:0")
        a.verify(costs.float() if costs.dtype == torch.bfloat16 else costs)


def test_bad_costs_on_the_device_are_refused_as_on_the_host():
    for bad, message in ((np.nan, r"C\[1, 2\] is NaN"), (-np.inf, r"C\[1, 2\] = -inf: minimising")):
        C = np.zeros((3, 4))
        C[1, 2] = bad
        for costs in (C, cupy.asarray(C)):
            with pytest.raises(ValueError, match=message):
                konig.linear_assignment(costs, method="hungarian-tree", device="cuda")
    with pytest.raises(ValueError, match="two dimensions"):
        konig.linear_assignment(cupy.zeros(3), method="hungarian-tree")
    with pytest.raises(TypeError, match="complex"):
        konig.linear_assignment(cupy.zeros((3, 3), complex), method="hungarian-tree")
    with pytest.raises(ValueError, match="device='cpu'"):
        konig.linear_assignment(np.eye(3), method="hungarian-tree", device="cuda", _team="shuffled")


@pytest.mark.parametrize("shape", [(0, 0), (0, 4), (4, 0), (1, 1)])
def test_next_to_nothing_to_assign(shape):
    for method in METHODS:
        solve(np.zeros(shape), method)
        konig.linear_assignment(cupy.zeros(shape), method=method)


@pytest.mark.parametrize("method", METHODS)
def test_warm_starts(method):
    C = uniform(300, 3000)
    a = solve(C, method)
    again = solve(C, method, initial=a)
    assert again.stats["dual_updates"] == 0 < a.stats["dual_updates"]
    on_device = konig.linear_assignment(cupy.asarray(C), method=method)
    assert konig.linear_assignment(cupy.asarray(C), method=method, initial=on_device).cost == a.cost


@pytest.mark.parametrize("method", METHODS)
def test_launches_end_in_time_and_the_next_one_goes_on(method):
    moments = []
    C = np.random.default_rng(1).random((5000, 5000))
    a = solve(C, method, progress=lambda done, total: moments.append(time.monotonic()))
    assert a.stats["launches"] == len(moments) > 1
    assert max(np.diff(moments)) < 0.15


@pytest.mark.parametrize("method", METHODS)
def test_an_interrupt_ends_the_solve_and_leaves_the_process_usable(method):
    call = 'method="{method}", device="cuda")'
    code = INTERRUPTED.replace('method="{method}", threads=2)', call)
    slow = "np.multiply.outer(np.arange(1, 3001), np.arange(1, 3001))"  # Machol and Wien's
    code = code.replace("np.random.default_rng(0).random((4000, 4000))", slow)
    code = code.replace('print("ready"', f'konig.linear_assignment(C[:9, :9], {call}\nprint("ready"')
    assert seconds_to_stop(code.replace("{method}", method), 0.2, patience=60) < 0.2


def test_two_python_threads_can_solve_at_once():
    C = uniform(400, 400)
    expected = konig.linear_assignment(C, method="jv").cost
    methods = cycle(METHODS)
    assert set(by_two_threads(lambda: solve(C, next(methods)).cost, 10)) == {expected}


def test_the_papers_instance_is_proved_at_its_size():
    C = cupy.random.default_rng(1).integers(0, 10_001, (10_000, 10_000)).astype(np.int32)
    costs = set()
    for method in METHODS:
        a = konig.linear_assignment(C, method=method)
        u, v = a.row_dual, a.col_dual
        slack = C - u[:, None] - v[None, :]
        assert int(slack.min()) >= 0
        assert int(cupy.abs(slack[a.row_ind, a.col_ind]).max()) == 0
        costs.add(int(a.cost))
        assert 8400 < a.stats["initial_assignments"] < 8900  # the paper's Table 3: 8653.3
    assert len(costs) == 1


def test_sparse_costs_on_a_gpu_are_answered_there():
    sparse = pytest.importorskip("cupyx.scipy.sparse")
    rng = np.random.default_rng(3)
    C = sparse.csr_matrix(cupy.asarray(rng.integers(1, 50, (30, 40)) * (rng.random((30, 40)) < 0.5), float))
    a = konig.linear_assignment(C)
    a.verify(C)
    assert (a.method, a.device) == ("jv", "cpu")
    assert isinstance(a.col_ind, cupy.ndarray)
    assert isinstance(a.row_dual, cupy.ndarray)
