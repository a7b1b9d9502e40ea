"""Starting from an earlier flow: any flow of the same arcs will do, and the answer is as good as ever."""

import numpy as np
import pytest
import scipy.sparse as sp
from cases.networks import random_network

import konig

METHODS = [method.name for method in konig.methods("flow")]


@pytest.mark.parametrize("undirected", [False, True])
@pytest.mark.parametrize("method", METHODS)
def test_after_capacities_have_changed(method, undirected):
    rng = np.random.default_rng(8)
    for case in range(300):
        network = random_network(rng)
        ends = {"num_vertices": network.num_vertices, "undirected": undirected}
        before = konig.maximum_flow(network.arcs, network.source, network.sink, **ends)
        changed = network.capacity.copy()
        some = rng.random(len(changed)) < 0.3
        changed[some] = rng.integers(0, max(1, int(changed.max(initial=0))), some.sum())
        arcs = (network.tail, network.head, changed)
        after = konig.maximum_flow(arcs, network.source, network.sink, method=method, initial=before, **ends)
        after.verify(arcs, network.source, network.sink)
        cold = konig.maximum_flow(arcs, network.source, network.sink, **ends)
        assert after.value == cold.value, case


@pytest.mark.parametrize("method", METHODS)
def test_from_numbers_that_are_no_flow(method):
    rng = np.random.default_rng(9)
    for _ in range(200):
        network = random_network(rng)
        numbers = rng.integers(0, 20, len(network.tail))
        f = konig.maximum_flow(
            network.arcs,
            network.source,
            network.sink,
            num_vertices=network.num_vertices,
            method=method,
            initial=numbers,
        )
        f.verify(network.arcs, network.source, network.sink)


def test_an_answer_is_a_start_that_leaves_nothing_to_do():
    rng = np.random.default_rng(1)
    capacity = sp.random_array(
        (300, 300), density=0.02, rng=rng, data_sampler=lambda size: rng.integers(1, 9, size)
    )
    f = konig.maximum_flow(capacity, 0, 299, method="dinic")
    g = konig.maximum_flow(capacity, 0, 299, method="dinic", initial=f)
    assert f.value > 0
    assert g.stats["start_value"] == f.value == g.value
    assert g.stats["augmentations"] == 0


def test_real_flows_are_a_start():
    arcs = ([0, 0, 1, 2], [1, 2, 3, 3], np.array([0.5, 1.25, 2.0, 0.75]))
    f = konig.maximum_flow(arcs, 0, 3)
    g = konig.maximum_flow((*arcs[:2], arcs[2] * 2), 0, 3, initial=f)
    g.verify((*arcs[:2], arcs[2] * 2), 0, 3)
    assert g.value == 2.5


def test_starts_that_overflow_are_not_used():
    big = 2**62
    arcs = ([0, 0, 0, 1, 2, 3, 4], [1, 2, 3, 4, 4, 4, 5], [big, big, big, big, big, big, 9])
    f = konig.maximum_flow(arcs, 0, 5, initial=np.array(arcs[2]) - 1)
    f.verify(arcs, 0, 5)
    assert f.value == 9


@pytest.mark.parametrize(
    ("initial", "kind", "message"),
    [
        ([1, 2], ValueError, r"a flow for each of 3 arcs, not of shape \(2,\)"),
        ([1, -2, 0], ValueError, "the flow of arc 1 is -2"),
        ([1.0, np.nan, 0], ValueError, "the flow of arc 1 is nan"),
        (["1", "2", "3"], TypeError, "must hold real numbers"),
        (sp.csr_array((4, 4)), ValueError, "entries are not those of capacity"),
    ],
)
def test_bad_starts(initial, kind, message):
    with pytest.raises(kind, match=message):
        konig.maximum_flow(([2, 0, 1], [3, 1, 2], [4, 5, 6]), 0, 3, initial=initial)
