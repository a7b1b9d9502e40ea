"""The flow methods on a GPU: the suite of the CPU teams, inputs that are there, matching as a flow."""

import subprocess
import sys
from itertools import cycle

import numpy as np
import pytest
import scipy.sparse as sp
from around_a_solve import Enough, EnoughError, by_two_threads, seconds_to_stop
from cases.matrices import awkward_matrices, crowded
from cases.networks import awkward_networks, both_ways, chain, hub, racy, random_network, stranding
from flow_team_cases import METHODS, TLPNS

import konig

pytestmark = pytest.mark.gpu

FAST = [method for method in METHODS if not method.endswith("-csr")]
MATCHING = [method.name for method in konig.methods("matching") if method.name.startswith("flow-")]


def solve(net, method, **options):
    f = konig.maximum_flow(
        net.arcs, net.source, net.sink, num_vertices=net.num_vertices, method=method, device="cuda", **options
    )
    f.verify(net.arcs, net.source, net.sink)
    assert f.device.startswith("cuda:")
    return f


@pytest.mark.parametrize("undirected", [False, True])
@pytest.mark.parametrize("method", METHODS)
def test_answers_carry_their_certificate(method, undirected):
    rng = np.random.default_rng(21)
    networks = awkward_networks()
    if undirected:  # the arcs of the other direction add to what they bring
        too_large = networks.pop("a flow of 2**62 between inner vertices")
        with pytest.raises(ValueError, match=r"above 2\*\*62"):
            solve(too_large, method, undirected=True)
    for net in (*networks.values(), *(random_network(rng) for _ in range(60))):
        solve(net, method, undirected=undirected)


@pytest.mark.parametrize("method", FAST)
@pytest.mark.parametrize(
    "rules",
    [
        {"k": 0.0},
        {"k": 4.0},
        {"relabel": "vertices", "k": 1.0},
        {"relabel": "fix", "k": 3.0},
        {"profile": True},
    ],
    ids=str,
)
def test_all_rules(method, rules):
    rng = np.random.default_rng(22)
    for net in (racy(20, 40, 1), *(random_network(rng) for _ in range(10))):
        stats = solve(net, method, **rules).stats
        series = (stats["relabel_levels"], stats["relabel_interval"], stats["relabel_active"])
        assert {len(entries) for entries in series} == {stats["global_relabels"]}


@pytest.mark.parametrize("tile", ["degree", 1, 2, 4, 8, 16, 32])
@pytest.mark.parametrize("method", TLPNS)
def test_all_tiles(method, tile):
    rng = np.random.default_rng(23)
    for net in (racy(10, 40, 2), hub(500), *(random_network(rng) for _ in range(10))):
        stats = solve(net, method, tile=tile).stats
        assert sum(stats["tiles"]) == stats["active"]


@pytest.mark.parametrize("method", FAST)
def test_two_hundred_races_end_the_same(method):
    net = racy(12, 60, 5)
    expected = konig.maximum_flow(net.arcs, net.source, net.sink, num_vertices=net.num_vertices).value
    for _ in range(200):
        f = konig.maximum_flow(
            net.arcs, net.source, net.sink, num_vertices=net.num_vertices, method=method, device="cuda"
        )
        assert f.value == expected


@pytest.mark.parametrize("method", FAST)
def test_large_and_racy(method):
    net = racy(60, 500, 7)
    expected = konig.maximum_flow(net.arcs, net.source, net.sink, num_vertices=net.num_vertices).value
    assert solve(net, method).value == expected


@pytest.mark.parametrize("method", TLPNS)
def test_a_queue_moves_a_chain_one_step_a_cycle(method):
    stats = solve(chain(300), method, k=9.0).stats
    assert stats["cycles"] == stats["active"] == stats["pushes"] == 299
    assert stats["idle_cycles"] == 0


def test_layouts_look_at_as_many_places_as_they_have():
    net = both_ways(20)
    for family in ("lock-free", "tlpns"):
        for layout, places in (("csr", 5 + len(net.tail)), ("rcsr", 10), ("bcsr", 2)):
            stats = solve(net, f"{family}-{layout}").stats
            assert stats["places_scanned"] == stats["active"] * places
            assert (stats["back_edge_probes"] > 0) == (layout == "bcsr")


@pytest.mark.parametrize("method", METHODS)
def test_what_is_stranded_goes_back(method):
    f = solve(stranding(100), method)
    assert f.value == 3
    assert f.stats["second_cycles"] > 0


@pytest.mark.parametrize("method", FAST)
def test_lists_longer_than_a_superstep_allows_are_resumed(method):
    assert solve(hub(1_100_000 if method in TLPNS else 40_000), method).value == 1


@pytest.mark.parametrize("method", FAST)
def test_the_profile(method):
    f = solve(racy(20, 100, 4), method, profile=True)
    profile = f.stats["profile"]
    assert len(profile["workload"]) == f.stats["workers"] // 32
    assert min(profile["mhns"], profile["bes"], profile["measured"], profile["modelled"]) > 0
    assert profile["critical_places"] <= f.stats["places_scanned"]


def test_launches_end_in_time_and_the_next_one_goes_on():
    net = chain(400_000)
    report = Enough(5)

    with pytest.raises(EnoughError):
        solve(net, "tlpns-rcsr", progress=report)
    assert max(np.diff(report.moments)) < 0.15
    assert solve(chain(60_000), "tlpns-rcsr").stats["launches"] > 1


INTERRUPTED = """
import time
import numpy as np, konig
konig.maximum_flow(([0, 1], [1, 2], [4, 3]), 0, 2, method="tlpns-rcsr", device="cuda")
n = 2_000_000
tail, head = np.arange(n), np.arange(1, n + 1)
print("ready", flush=True)
try:
    konig.maximum_flow((tail, head, np.full(n, 5)), 0, n, method="tlpns-rcsr", device="cuda")
except KeyboardInterrupt:
    print(time.monotonic(), flush=True)
    f = konig.maximum_flow(([0, 1], [1, 2], [4, 3]), 0, 2, method="tlpns-rcsr", device="cuda")
    print("usable" if f.value == 3 else f.value, flush=True)
"""


def test_an_interrupt_ends_the_solve_and_leaves_the_process_usable():
    assert seconds_to_stop(INTERRUPTED, 0.2, after=1.5, patience=60) < 0.2


def test_two_python_threads_can_solve_at_once():
    net = racy(12, 60, 4)
    expected = solve(net, "tlpns-rcsr").value
    methods = cycle(("lock-free-bcsr", "tlpns-rcsr"))
    assert set(by_two_threads(lambda: solve(net, next(methods)).value, 20)) == {expected}


FIRST_CALLS = """
import cupy, numpy as np, konig
def refused(*_, **__):
    raise AssertionError("CuPy compiles a kernel")
cupy.cuda.compiler.compile_using_nvrtc = cupy.cuda.compiler._compile_module_with_cache = refused
rng = np.random.default_rng(6)
n, m = 3000, 15000
tail, head = rng.integers(0, n, m), rng.integers(0, n, m)
tail[:60], head[:60], head[60:120] = 0, np.arange(1, 61), n - 1
for ids in (np.int32, np.int64):
    arcs = tail.astype(ids), head.astype(ids), rng.integers(1, 9, m)
    for undirected in (False, True):
        for ends in ((0, n - 1), ([0, 1], [n - 1, n - 2])):
            f = konig.maximum_flow(arcs, *ends, undirected=undirected, device="cuda", {options})
            f.verify(arcs, *ends)
            assert f.value > 0
"""


@pytest.mark.parametrize("method", ["sync-pr", "async-pr", *FAST])
def test_first_calls_compile_nothing_of_cupy_s(method):
    # In a process of its own: what CuPy has compiled for an earlier test would not be asked for again.
    code = FIRST_CALLS.replace("{options}", f"method={method!r}")
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


# ---- inputs that are on the GPU ----


@pytest.mark.parametrize("method", ["auto", *FAST])
@pytest.mark.parametrize("ids", [np.int32, np.int64])
def test_arcs_on_the_gpu_stay_there(method, ids):
    import cupy

    rng = np.random.default_rng(24)
    for case in range(20):
        net = random_network(rng)
        arcs = tuple(
            cupy.asarray(part) for part in (net.tail.astype(ids), net.head.astype(ids), net.capacity)
        )
        options = {"num_vertices": net.num_vertices, "undirected": case % 2 == 0}
        f = konig.maximum_flow(arcs, net.source, net.sink, method=method, **options)
        assert f.device.startswith("cuda:")
        assert isinstance(f.flow, cupy.ndarray)
        assert isinstance(f.cut, cupy.ndarray)
        f.verify(arcs, net.source, net.sink)
        f.verify(net.arcs, net.source, net.sink)
        again = konig.maximum_flow(arcs, net.source, net.sink, method=method, initial=f, **options)
        again.verify(arcs, net.source, net.sink)
        assert again.value == f.value


def test_a_method_of_the_cpu_gives_the_answer_back_to_the_gpu():
    import cupy

    net = racy(5, 10, 1)
    arcs = tuple(cupy.asarray(part) for part in net.arcs)
    f = konig.maximum_flow(arcs, net.source, net.sink, method="hl-pr")
    assert f.device == "cpu"
    assert isinstance(f.flow, cupy.ndarray)
    f.verify(arcs, net.source, net.sink)


def test_matrices_of_cupy():
    import cupy
    from cupyx.scipy import sparse

    rng = np.random.default_rng(3)
    for _ in range(10):
        matrix = sp.random_array((40, 40), density=0.1, rng=rng, format="csr")
        matrix.data = np.round(matrix.data * 64) / 8
        on_gpu = sparse.csr_matrix(sp.csr_matrix(matrix))
        f = konig.maximum_flow(on_gpu, 0, 39)
        assert f.device.startswith("cuda:")
        assert sparse.issparse(f.flow)
        f.verify(on_gpu, 0, 39)
        f.verify(matrix, 0, 39)
        g = konig.maximum_flow(cupy.asarray(matrix.todense()), 0, 39)
        assert g.value == f.value == konig.maximum_flow(matrix, 0, 39).value


def test_wrong_values_on_the_gpu_are_named():
    import cupy

    tail, head, capacity = cupy.asarray([0, 1]), cupy.asarray([1, 2]), cupy.asarray([3, -4])
    with pytest.raises(ValueError, match="capacity: arc 1 is negative: -4"):
        konig.maximum_flow((tail, head, capacity), 0, 2)
    with pytest.raises(ValueError, match="must be in one place"):
        konig.maximum_flow((tail, head.get(), abs(capacity)), 0, 2)
    with pytest.raises(ValueError, match="device='cpu'"):
        konig.maximum_flow((tail, head, abs(capacity)), 0, 2, method="tlpns-rcsr", _team="shuffled")


# ---- matching as a flow ----


@pytest.mark.parametrize("method", MATCHING)
def test_matching_as_a_flow(method):
    for name, A in awkward_matrices().items():
        for init in ("none", "sgm"):
            m = konig.maximum_matching(A, method=method, init=init, device="cuda")
            m.verify(A)
            assert m.device.startswith("cuda:"), name
    A = crowded(300 if method.endswith("-csr") else 20_000, 2)
    m = konig.maximum_matching(A, method=method, device="cuda")
    m.verify(A)
    again = konig.maximum_matching(A, method=method, initial=m, device="cuda")
    assert again.stats["second_cycles"] == again.stats["cycles"]
    again.verify(A)
