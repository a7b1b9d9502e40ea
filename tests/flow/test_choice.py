"""What auto runs on which input, and what goes on after a verdict."""

from itertools import product

import numpy as np
import pytest
from cases.networks import random_network

import konig
from konig.flow.auto import Deep, Plan, Trees, choose
from konig.registry import find


@pytest.mark.parametrize(("device", "grid"), list(product(("cpu", "cuda"), (False, True))))
def test_every_plan_is_a_method_of_its_device(device, grid):
    plan = choose(device, grid)
    assert device in find(plan.method, "flow").devices
    expected = {
        ("cpu", False): Plan("hl-pr", trees=Trees()),
        ("cpu", True): Plan("hl-pr", trees=Trees()),
        ("cuda", False): Plan("sync-pr", deep=Deep()),
        ("cuda", True): Plan("sync-pr"),
    }
    assert plan == expected[device, grid]


def test_only_a_deep_network_of_arcs_is_left_to_another_method_on_a_gpu():
    for device, grid in product(("cpu", "cuda"), (False, True)):
        deep = choose(device, grid).deep
        assert (deep and deep.next_method) == ("async-pr" if device == "cuda" and not grid else None)


def test_search_trees_are_tried_where_many_vertices_are_linked():
    """Sources and sinks in turn along a row, at every place or at a few."""
    n = 400
    near = np.arange(n - 1)
    for every, tried in ((1, True), (Trees().linked_of + 1, False)):
        fed, taken = np.arange(0, n, 2 * every), np.arange(every, n, 2 * every)
        tail = np.r_[near, near + 1, np.full(len(fed), n), taken]
        head = np.r_[near + 1, near, fed, np.full(len(taken), n + 1)]
        capacity = np.r_[np.ones(2 * (n - 1), int), np.full(len(fed) + len(taken), 5)]
        f = konig.maximum_flow((tail, head, capacity), n, n + 1)
        assert ("growth_scans" in f.stats) == tried


def test_the_answer_says_what_ran():
    rng = np.random.default_rng(3)
    seen = set()
    for _ in range(40):
        net = random_network(rng)
        f = konig.maximum_flow(net.arcs, net.source, net.sink, num_vertices=net.num_vertices, threads=1)
        seen.add(f.method)
        assert not f.stats["handed_over"] or f.method == "hl-pr"
        assert "trees" not in f.stats
    assert seen <= {"bk", "hl-pr"}
    assert "bk" in seen
