"""The residual layouts, the sums they rest on, and networks with one source and one sink."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from cases.networks import BIG, random_network

from konig.flow.capacities import TOO_LARGE
from konig.flow.papers import tlpns
from konig.flow.papers.residual import group_begins, group_sums, residual, sorted_by, spread, sums_before
from konig.machine import on_threads
from konig.registry import find


def grouped(rng, largest):
    keys = np.sort(rng.integers(0, 12, 60))
    return group_begins(np, keys, keys), rng.integers(0, largest, 60)


@pytest.mark.parametrize("largest", [10, 1 << 62, (1 << 63) - 1])
def test_sums_over_groups_are_exact_up_to_the_largest_flow(largest):
    rng = np.random.default_rng(3)
    for _ in range(50):
        begins, values = grouped(rng, largest)
        expected = [sum(int(value) for value in values[begins[k] : k]) for k in range(len(values))]
        found = sums_before(np, values, begins).tolist()
        for exact, sum_found in zip(expected, found, strict=True):
            assert sum_found == exact if exact <= BIG else sum_found > BIG
        ends = [*np.flatnonzero(begins[1:] != begins[:-1]).tolist(), len(values) - 1]
        assert group_sums(np, values, begins).tolist() == [
            min(expected[k] + int(values[k]), TOO_LARGE) for k in ends
        ]


def test_amounts_are_spread_in_order():
    begins = np.array([0, 0, 0, 3, 3])
    limit = np.array([2, 5, 1, BIG, BIG])
    assert spread(np, np.array([4, 4, 4, BIG, BIG]), limit, begins).tolist() == [2, 2, 0, BIG, 0]
    assert spread(np, np.array([9, 9, 9, 7, 7]), limit, begins).tolist() == [2, 5, 1, 7, 0]


def test_pairs_are_sorted_alike_on_the_host_and_elsewhere_with_and_without_keys():
    rng = np.random.default_rng(1)
    major, minor = rng.integers(0, 9, 80), rng.integers(0, 9, 80)
    elsewhere = SimpleNamespace(argsort=np.argsort)
    for xp, vertices in ((np, 9), (elsewhere, 9), (elsewhere, 1 << 32)):
        assert np.array_equal(sorted_by(xp, major, minor, vertices), np.lexsort((minor, major)))


def parallel(layout):
    tail = np.array([0, 1, 0, 1, 2, 2, 0])
    head = np.array([1, 2, 1, 0, 1, 2, 2])
    capacity = np.array([3, 4, 5, 6, 7, 8, 0])
    return residual(np, layout, 3, tail, head, capacity, 1000)


def test_rcsr_keeps_parallel_arcs_and_lists_entering_ones():
    start, head, tail, in_start, in_tail, in_arc, forward, backward = parallel("rcsr").arrays
    assert tail is None
    assert start.tolist() == [0, 2, 4, 5]
    assert head.tolist() == [1, 1, 0, 2, 1]
    assert forward.tolist() == [3, 5, 6, 4, 7]
    assert not backward.any()
    assert in_start.tolist() == [0, 1, 4, 5]
    assert in_tail.tolist() == [1, 0, 0, 2, 1]
    assert head[in_arc].tolist() == [0, 1, 1, 1, 2]


def test_csr_is_rcsr_without_the_lists():
    csr, rcsr = parallel("csr").arrays, parallel("rcsr").arrays
    assert [part is None for part in csr] == [False, False, False, True, True, True, False, False]
    for part in (0, 1, 6, 7):
        assert np.array_equal(csr[part], rcsr[part])
    assert csr[2].tolist() == [0, 0, 1, 1, 2]


def test_bcsr_has_one_sorted_place_for_each_ordered_pair():
    places = parallel("bcsr")
    start, head, *_, forward, _ = places.arrays
    assert start.tolist() == [0, 1, 3, 4]
    assert head.tolist() == [1, 0, 2, 1]
    assert forward.tolist() == [8, 6, 4, 7]
    assert places.place.tolist() == [0, 0, 1, 2, 3]  # of the sorted arcs
    assert places.reverse.tolist() == [1, 1, 0, 3, 2]


@pytest.mark.parametrize("layout", ["csr", "rcsr", "bcsr"])
def test_flow_that_is_sent_is_there(layout):
    places = parallel(layout)
    places.send(np.array([1, 1, 0, 0, 0, 0, 0]))
    assert places.flow().tolist() == [1, 1, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("tiles", [False, True])
@pytest.mark.parametrize("layout", ["csr", "rcsr", "bcsr"])
def test_ids_of_64_bits(layout, tiles):
    rng = np.random.default_rng(4)
    method = find(f"{'tlpns' if tiles else 'lock-free'}-{layout}", "flow")
    machine, settings = on_threads({"team": "threads"}, 2), method.settings({})
    for _ in range(30):
        net = random_network(rng)
        role = np.zeros(net.num_vertices, np.uint8)
        role[net.source], role[net.sink] = 1, 2
        problem = tlpns.two_terminals(np, *net.arcs, role, False)
        values = []
        for wide in (False, True):
            places = tlpns.layout_of(method, problem)
            arrays = tuple(
                part if part is None or not wide or k in (6, 7) else part.astype(np.int64)
                for k, part in enumerate(places.arrays)
            )
            excess = np.zeros(problem.vertices, np.int64)
            wider = replace(places, arrays=arrays)
            values.append(tlpns.solve(machine, method, problem, wider, settings, None, excess)[0])
        assert values[0] == values[1]


def roles(n, source, sink):
    role = np.zeros(n, np.uint8)
    role[source], role[sink] = 1, 2
    return role


def test_what_leaves_the_source_fits_a_word():
    fan_out = [(0, v, BIG) for v in range(1, 9)] + [(v, 9, 2) for v in range(1, 9)]
    tail, head, capacity = (np.array(part) for part in zip(*fan_out, strict=True))
    plain = tlpns.two_terminals(np, tail, head, capacity, roles(10, 0, 9), False)
    assert plain.vertices == 10
    assert plain.bound == 17
    assert plain.capacity.max() == 17  # no arc needs more: the sink takes 16
    wide = [(0, v, BIG) for v in range(1, 9)] + [(v, 9, BIG) for v in range(1, 9)]
    tail, head, capacity = (np.array(part) for part in zip(*wide, strict=True))
    virtual = tlpns.two_terminals(np, tail, head, capacity, roles(10, 0, 9), False)
    assert (virtual.source, virtual.vertices) == (10, 11)
    assert virtual.capacity[-1] == TOO_LARGE
