"""The suite of the CPU teams on a GPU."""

import math
from functools import partial
from itertools import cycle

import numpy as np
import pytest
import scipy.sparse as sp
from around_a_solve import Enough, EnoughError, by_two_threads, seconds_to_stop
from cases.matrices import awkward_matrices, crowded, of_every_index_type, path
from team_cases import INTERRUPTED

import konig
from konig.lab import generators
from konig.lab.bench.gpu import on_device
from konig.registry import named_methods

# Those that look at all entries in each step have tests of their own, on small matrices.
METHODS = [
    method.name
    for method in named_methods("matching")
    if "cuda" in method.devices and not method.name.endswith("-csr")
]
AUGMENTING = [name for name in METHODS if name.startswith("ap")]
PUSHING = [name for name in METHODS if name.startswith("g-pr")]

pytestmark = pytest.mark.gpu


@pytest.mark.parametrize("method", METHODS)
def test_answers_carry_their_certificate(method):
    for name, A in awkward_matrices().items():
        for init in ("none", "sgm"):
            m = konig.maximum_matching(A, method=method, init=init, device="cuda")
            m.verify(A)
            assert m.device.startswith("cuda:"), name


@pytest.mark.parametrize("method", METHODS)
def test_all_index_types(method):
    A = crowded(3000, 5)
    for B, ids in of_every_index_type(A):
        m = konig.maximum_matching(B, method=method, init="none", device="cuda")
        m.verify(A)
        assert m.col_of_row.dtype == ids


@pytest.mark.parametrize("method", METHODS)
def test_large_and_racy(method):
    A = crowded(200_000, 1)
    konig.maximum_matching(A, method=method, init="none", device="cuda").verify(A)
    konig.maximum_matching(A, method=method, device="cuda").verify(A)


def test_two_hundred_races_end_the_same():
    A = crowded(2000, 11)
    expected = konig.maximum_matching(A, method="hk").size
    for method in ("apfb-gpubfs-ct", "apsb-gpubfs-wr-mt", *PUSHING):
        for _ in range(100):
            assert konig.maximum_matching(A, method=method, init="none", device="cuda").size == expected


@pytest.mark.parametrize("method", AUGMENTING)
def test_a_long_path_is_counted_as_on_the_cpu(method):
    A, initial = path(10_000)
    m = konig.maximum_matching(A, method=method, init="none", initial=initial, device="cuda")
    m.verify(A)
    assert m.stats["bfs_levels"] == [10_000]
    assert m.stats["alternations"] == 10_000
    assert m.stats["edges_scanned"] == A.nnz


@pytest.mark.parametrize("method", PUSHING)
def test_a_long_path_is_pushed_down(method):
    n = 10_000
    A, initial = path(n)
    m = konig.maximum_matching(A, method=method, init="none", initial=initial, device="cuda")
    m.verify(A)
    assert m.stats["pushes"] == n
    assert m.stats["relabel_levels"] == [2 * n]
    if method != "g-pr-first":
        assert m.stats["iterations"] == n


@pytest.mark.parametrize("method", PUSHING)
@pytest.mark.parametrize(
    "rules",
    [
        {"k": 0.0},
        {"gap": True},
        {"relabel": "fix", "k": 10.0},
        {"concurrent": True},
        {"concurrent": True, "gap": True, "k": 0.1},
        {"counters": False},
    ],
    ids=str,
)
def test_all_rules_of_push_relabel(method, rules):
    for A in (crowded(20_000, 3), *awkward_matrices().values()):
        m = konig.maximum_matching(A, method=method, init="none", device="cuda", **rules)
        m.verify(A)
        if "k" in rules and "relabel" not in rules:
            expected = [max(1, math.ceil(rules["k"] * levels)) for levels in m.stats["relabel_levels"]]
            assert m.stats["relabel_interval"] == expected


def test_lists_shrink_and_others_do_not():
    A = crowded(100_000, 3)
    for method in PUSHING:
        m = konig.maximum_matching(A, method=method, init="none", device="cuda", k=0.1)
        lengths, active = m.stats["list_length"], m.stats["active"]
        assert lengths[0] == active[0] == 100_000
        assert (lengths[-1] < 100_000) == (method == "g-pr-shr")


@pytest.mark.parametrize("method", PUSHING)
def test_lists_longer_than_a_superstep_allows_are_resumed(method):
    n = 100_000
    rows, cols = np.r_[np.arange(n), np.arange(n - 1)], np.r_[np.zeros(n, int), np.arange(1, n)]
    A = sp.coo_array((np.ones(len(rows)), (rows, cols)), shape=(n, n)).tocsc()
    m = konig.maximum_matching(
        A, method=method, init="none", initial=np.r_[np.arange(1, n), -1], device="cuda"
    )
    m.verify(A)
    assert m.size == n
    assert m.stats["pushes"] == 1


@pytest.mark.parametrize("method", ["apfb-gpubfs-ct", "g-pr-first", "g-pr-shr"])
def test_launches_end_in_time_and_the_next_one_goes_on(method):
    A, initial = path(300_000)
    report = Enough(5)

    with pytest.raises(EnoughError):
        konig.maximum_matching(A, method=method, init="none", initial=initial, device="cuda", progress=report)
    assert max(np.diff(report.moments)) < 0.15
    # And one that is long enough for several launches comes to its end.
    A, initial = path(60_000)
    m = konig.maximum_matching(A, method=method, init="none", initial=initial, device="cuda")
    m.verify(A)
    assert m.stats["launches"] > 1


def test_widths_differ():
    A = crowded(1000, 1)
    ct = konig.maximum_matching(A, method="apfb-gpubfs-ct", device="cuda").stats["workers"]
    mt = konig.maximum_matching(A, method="apfb-gpubfs-mt", device="cuda").stats["workers"]
    assert mt == 1024
    assert ct > mt


@pytest.mark.parametrize("method", ["apfb-gpubfs-ct", "g-pr-shr"])
def test_an_interrupt_ends_the_solve_and_leaves_the_process_usable(method):
    konig.maximum_matching(np.eye(2), method=method, device="cuda")  # fills the kernel cache
    warm = 'konig.maximum_matching(np.eye(2), method="{method}", device="cuda")\nprint("ready"'
    code = INTERRUPTED.replace("{options}", repr({"device": "cuda"})).replace('print("ready"', warm)
    code = code.replace("{method}", method)
    code = code.replace("n = 200_000", "n = 1_000_000")
    assert seconds_to_stop(code, 0.2, after=0.3, patience=60) < 0.2


def test_two_python_threads_can_solve_at_once():
    A = crowded(20_000, 4)
    expected = konig.maximum_matching(A, method="hk").size
    methods = cycle(("apfb-gpubfs-wr-ct", "g-pr-shr"))
    solve = partial(konig.maximum_matching, A, device="cuda")
    assert set(by_two_threads(lambda: solve(method=next(methods)).size, 20)) == {expected}


@pytest.mark.parametrize(("n", "groups", "degree"), [(20_480, 32, 5), (200_000, 10, 5), (40_000, 4_000, 10)])
def test_auto_takes_a_full_diagonal_on_the_device(n, groups, degree):
    A = generators.hilo(n, groups, degree)
    for B in (A, A.tocsc()):
        m = konig.maximum_matching(B, device="cuda")
        m.verify(B)
        assert (m.method, m.size, m.stats["diagonal"], m.stats["levels"]) == ("ms-bfs", n, 1, 0)


@pytest.mark.parametrize("device", ["auto", "cuda"])
@pytest.mark.parametrize("warm", [False, True])
def test_auto_sees_a_narrow_graph_and_goes_on_with_push_relabel(warm, device):
    n = 400_000
    rolled = np.roll(np.arange(n), -1)  # the last of its rows comes first: the diagonal is not perfect
    A = generators.hilo(n, groups=10, degree=5)[rolled]
    initial = np.where(np.arange(n) < n // 2, rolled, -1) if warm else None
    m = konig.maximum_matching(on_device(A), device=device, initial=initial)
    m.verify(A)
    assert (m.size, m.method) == (n, "g-pr-shr")
    assert m.device.startswith("cuda:")
    assert m.stats["seconds"]["given_up"] > 0


@pytest.mark.parametrize("device", ["auto", "cuda"])
def test_a_graph_on_the_device_is_solved_there_and_always_the_same_way(copies, device):
    for A in (
        generators.hilo(20_480, 640, 5)[np.roll(np.arange(20_480), 1)],
        generators.triangulated_grid(60, 60),
        generators.sprand(100_000, degree=4.0, seed=1),
        generators.permute(generators.grid(400, 400)),
    ):
        there = on_device(A)
        copies.clear()
        found = [konig.maximum_matching(there, device=device) for _ in range(5)]
        assert max(copies) < 4 * A.nnz  # bytes: the state of launches, and no list of the graph
        assert len({(m.method, m.size) for m in found}) == 1
        assert found[0].method in ("ms-bfs", "g-pr-shr")
        found[0].verify(A)


def test_auto_method_on_cuda_and_numbered_devices():
    A = np.eye(4)
    assert konig.maximum_matching(A, device="cuda:0").device == "cuda:0"
    assert konig.maximum_matching(A, device="cuda").method == "ms-bfs"
    with pytest.raises(ValueError, match="numbered from 0"):
        konig.maximum_matching(A, device="cuda:99")
    with pytest.raises(ValueError, match="device='cpu'"):
        konig.maximum_matching(A, method="apfb-gpubfs-ct", device="cuda", _team="shuffled")
