"""What auto runs on which input, and what goes on after a verdict."""

from itertools import product

import numpy as np
import pytest
from cases.networks import random_network

import konig
from konig.flow.auto import Deep, Plan, Trees, choose
from konig.flow.cpu import default_plan
from konig.registry import find


@pytest.mark.parametrize(("device", "grid"), list(product(("cpu", "cuda"), (False, True))))
def test_every_plan_is_a_method_of_its_device(device, grid):
    plan = choose(device, grid)
    assert device in find(plan.method, "flow").devices
    expected = {
        ("cpu", False): Plan("hl-pr", trees=Trees()),
        ("cpu", True): Plan("bk"),
        ("cuda", False): Plan("sync-pr", deep=Deep()),
        ("cuda", True): Plan("sync-pr"),
    }
    assert plan == expected[device, grid]


def test_only_a_deep_network_of_arcs_is_left_to_another_method_on_a_gpu():
    for device, grid in product(("cpu", "cuda"), (False, True)):
        deep = choose(device, grid).deep
        assert (deep and deep.next_method) == ("async-pr" if device == "cuda" and not grid else None)


@pytest.mark.parametrize("vertices", [2, 100, Trees().small - 1, Trees().small, 10**6])
@pytest.mark.parametrize("bound", [1, Trees().few_paths, Trees().few_paths + 1, 2**62])
def test_how_long_search_trees_may_take(vertices, bound):
    rule, plan = Trees(), default_plan()
    few = rule.steps_if_small if vertices < rule.small else rule.steps_if_few
    for linked in {0, vertices // rule.linked_of - 1, -(-vertices // rule.linked_of), vertices}:
        many = linked * rule.linked_of >= vertices
        expected = rule.steps if many else few if bound <= rule.few_paths else 0
        assert plan.tree_steps(linked, vertices, bound) == expected


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
