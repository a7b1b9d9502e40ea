"""What auto runs on which input, and what goes on after a verdict."""

from itertools import product

import numpy as np
import pytest
from cases.networks import random_network

import konig
from konig.flow.auto import Deep, Plan, Trees, choose
from konig.lab.generators import generate, matching_network
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


def image(shape, linked_share=1.0):
    """Pixels that lean to the source or the sink, or that are not linked, at random, with strong ties."""
    draws = np.random.default_rng(5)
    cells = np.arange(np.prod(shape)).reshape(shape)
    steps = (cells[:, :-1], cells[:, 1:]), (cells[:-1], cells[1:]), (cells[:-1, 1:], cells[1:, :-1])
    there, back = (np.concatenate([step[k].ravel() for step in steps]) for k in (0, 1))
    linked = draws.permutation(cells.size)[: round(linked_share * cells.size)]
    fed, taken = np.array_split(linked, 2)
    n = cells.size
    tail = np.r_[there, back, np.full(len(fed), n), taken]
    head = np.r_[back, there, fed, np.full(len(taken), n + 1)]
    capacity = np.r_[np.full(2 * len(there), 20), draws.integers(1, 100, n)[: len(linked)]]
    return (tail, head, capacity), n, n + 1


def test_search_trees_are_tried_where_many_vertices_are_linked():
    for share, tried in ((1.0, True), (0.5 / Trees().linked_of, False)):
        f = konig.maximum_flow(*image((60, 60), share))
        assert ("growth_scans" in f.stats) == tried


def test_trees_come_before_phases_where_both_sides_are_many():
    (tail, head, capacity), source, sink = image((60, 60))
    assert "phases" not in konig.maximum_flow((tail, head, capacity), source, sink).stats
    few = (tail != source) | (np.cumsum(tail == source) <= 20)  # most of what the source feeds is gone
    arcs = tail[few], head[few], capacity[few]
    assert "phases" in konig.maximum_flow(arcs, source, sink, num_vertices=sink + 1).stats


def test_phases_end_where_the_cut_is_near_an_end_and_touch_little():
    """From one vertex of a random graph to another: the arcs of one of the two are the cut."""
    draws = np.random.default_rng(2)
    tail, head = draws.integers(0, 20_000, (2, 100_000))
    arcs = tail, head, draws.integers(1, 50, 100_000)
    f = konig.maximum_flow(arcs, 0, 1)
    f.verify(arcs, 0, 1)
    assert f.value > 0
    assert f.method == "dinic-two-sided"
    assert f.stats["search_scans"] + f.stats["walk_steps"] < len(tail) / 5


def band(width):
    """Cells of 400 rows, with arcs down and to the right."""
    cells = np.arange(400 * width).reshape(400, width)
    tail = np.r_[cells[:-1].ravel(), cells[:, :-1].ravel()]
    head = np.r_[cells[1:].ravel(), cells[:, 1:].ravel()]
    return (tail, head, np.random.default_rng(1).integers(1, 9, len(tail))), cells


def test_phases_go_on_along_a_ladder():
    """A search has few vertices a level there, and a few phases end it."""
    arcs, cells = band(2)
    f = konig.maximum_flow(arcs, 0, cells.size - 1)
    f.verify(arcs, 0, cells.size - 1)
    assert f.method == "dinic-two-sided"
    assert f.stats["phases"] < 8


def test_push_relabel_goes_on_where_paths_are_long():
    """A band: two searches would have to cover all of it, once for each path."""
    arcs, cells = band(12)
    tail = arcs[0]
    f = konig.maximum_flow(arcs, 0, cells.size - 1)
    f.verify(arcs, 0, cells.size - 1)
    assert f.method == "hl-pr"
    assert f.stats["search_scans"] < len(tail)
    assert f.stats["label_paths"] > 0
    assert "label_paths" not in konig.maximum_flow(arcs, 0, cells.size - 1, method="hl-pr").stats


def test_the_answer_says_what_ran():
    rng = np.random.default_rng(3)
    seen = set()
    for _ in range(40):
        net = random_network(rng)
        f = konig.maximum_flow(net.arcs, net.source, net.sink, num_vertices=net.num_vertices, threads=1)
        seen.add(f.method)
        assert not f.stats["handed_over"] or f.method == "hl-pr"
        assert ("relabels" in f.stats) == (f.method == "hl-pr")
        assert "ended_by" not in f.stats
    seen.add(konig.maximum_flow(*image((60, 60))).method)
    assert seen == {"dinic-two-sided", "bk", "hl-pr"}


def test_paths_over_one_arc_follow_the_numbers_of_a_mesh_in_any_order_of_its_arcs():
    net = matching_network(generate("triangulated_grid", 1, nx=40, ny=40))
    order = np.random.default_rng(6).permutation(len(net.tail))
    arcs = net.tail[order], net.head[order], net.capacity[order]
    f = konig.maximum_flow(arcs, net.source, net.sink)
    f.verify(arcs, net.source, net.sink)
    assert f.value - f.stats["short_paths"] < 5
