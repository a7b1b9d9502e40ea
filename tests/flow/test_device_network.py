"""Where networks come from, and what runs on a GPU."""

import pytest
import scipy.sparse as sp

import konig
from konig.flow import push_relabel
from konig.flow.papers import tlpns
from konig.interop.networks import network_on_host, place_of_network
from konig.registry import named_methods


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
