"""Networks checked where they live, with NumPy in the place of CuPy; and where networks come from."""

import numpy as np
import pytest
import scipy.sparse as sp
from cases.networks import random_network

import konig
from konig.flow import push_relabel
from konig.flow.inputs import as_network, device_network
from konig.flow.papers import tlpns
from konig.interop.networks import network_on_host, place_of_network
from konig.registry import named_methods


def made(net, **options):
    arcs = net.arcs
    return device_network(np, *arcs, net.source, net.sink, num_vertices=net.num_vertices, **options)


def test_the_copy_on_the_host_is_the_network_of_the_host():
    rng = np.random.default_rng(1)
    for case in range(60):
        net = random_network(rng)
        undirected = case % 2 == 0
        found = made(net, undirected=undirected).on_host()
        expected = as_network(
            net.arcs, net.source, net.sink, num_vertices=net.num_vertices, undirected=undirected
        )
        for name in ("start", "head", "capacity", "role", "tail"):
            assert np.array_equal(getattr(found, name), getattr(expected, name)), name
        assert (found.undirected, found.shape) == (expected.undirected, expected.shape)


def test_a_matrix_keeps_its_entries():
    rng = np.random.default_rng(2)
    matrix = sp.random_array((30, 30), density=0.1, rng=rng, format="csr")
    matrix.data = np.round(matrix.data * 64) / 64
    matrix.sum_duplicates()
    tail = np.repeat(np.arange(30), np.diff(matrix.indptr))
    found = device_network(np, tail, matrix.indices, matrix.data, 0, 29, 30, start=matrix.indptr)
    expected = as_network(matrix, 0, 29)
    assert np.array_equal(found.on_host().start, expected.start)
    assert np.array_equal(found.on_host().head, expected.head)
    assert np.array_equal(found.on_host().capacity, expected.capacity)
    assert found.scale == expected.scale
    assert found.on_host().shape == expected.shape


@pytest.mark.parametrize(
    ("arcs", "message"),
    [
        (([0, 5], [1, 1], [1, 1]), r"tail: vertex 5 of arc 1 is out of range \[0, 3\)"),
        (([0, 1], [1, -1], [1, 1]), r"head: vertex -1 of arc 1 is out of range \[0, 3\)"),
        (([0, 1], [1, 2], [1, -7]), "capacity: arc 1 is negative: -7"),
        (([0, 1], [1, 2], [1.0, np.nan]), "capacity: arc 1 is not a number"),
        (([0, 1], [1], [1, 1]), "2 tails, 1 heads and 2 capacities"),
    ],
)
def test_wrong_values_are_named(arcs, message):
    with pytest.raises(ValueError, match=message):
        device_network(np, *(np.array(part) for part in arcs), 0, 2, num_vertices=3)
    with pytest.raises(TypeError, match="tail must be integers, not float64"):
        device_network(np, np.array([0.5]), np.array([1]), np.array([1]), 0, 1)


def test_host_networks_are_left_as_they_are():
    arcs = ([0], [1], [2])
    assert network_on_host(arcs) is arcs
    assert place_of_network(arcs).gpu is None
    assert place_of_network(sp.eye_array(3)).gpu is None


def test_tensors_on_the_host_are_taken_and_given_back():
    torch = pytest.importorskip("torch")
    arcs = tuple(torch.tensor(part) for part in ([0, 0, 1, 2], [1, 2, 3, 3], [5, 1, 2, 3]))
    f = konig.maximum_flow(arcs, 0, 3, method="tlpns-rcsr")
    assert f.value == 3
    assert isinstance(f.flow, torch.Tensor)
    assert isinstance(f.cut, torch.Tensor)
    f.verify(arcs, 0, 3)
    assert f.cut_edges.arc.tolist() == [1, 2]


def test_asking_for_a_gpu_without_one_says_what_to_install():
    from konig.gpu import device

    if device.available():
        pytest.skip("there is a GPU")
    with pytest.raises(konig.DeviceError, match=r"install|NVIDIA"):
        konig.maximum_flow(([0], [1], [2]), 0, 1, device="cuda")
    with pytest.raises(ValueError, match=r"methods for cuda: lock-free-csr, .*tlpns-bcsr"):
        konig.maximum_flow(([0], [1], [2]), 0, 1, method="hl-pr", device="cuda")


def test_only_team_methods_run_on_a_gpu():
    on_gpu = [method for method in named_methods("flow") if "cuda" in method.devices]
    assert len(on_gpu) == 8
    assert {method.solver for method in on_gpu} == {tlpns.SOLVER, *push_relabel.SOLVERS}
