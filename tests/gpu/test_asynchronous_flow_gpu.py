"""Asynchronous push-relabel on a GPU: its answers, when `auto` chooses it, what it leaves to others."""

import numpy as np
import pytest
from around_a_solve import by_two_threads, seconds_to_stop
from cases.networks import BIG, awkward_networks, chain, hub, network, racy, random_network, stranding
from flow_team_cases import INTERRUPTED_ON_A_GPU

import konig
from konig.lab.generators import generate

pytestmark = pytest.mark.gpu


def solve(net, undirected=False, **options):
    options = {"method": "async-pr", "device": "cuda", "undirected": undirected, **options}
    f = konig.maximum_flow(net.arcs, net.source, net.sink, num_vertices=net.num_vertices, **options)
    f.verify(net.arcs, net.source, net.sink)
    assert f.device.startswith("cuda:")
    return f


@pytest.mark.parametrize("undirected", [False, True])
@pytest.mark.parametrize("knobs", [{}, {"blocks": 1}, {"stretch": 2.0}], ids=str)
def test_answers_carry_their_certificate(knobs, undirected):
    rng = np.random.default_rng(71)
    for net in [*awkward_networks().values(), *(random_network(rng) for _ in range(40))]:
        if undirected and (net.capacity > BIG // 4).any():
            continue  # their value may be above 2**62
        assert solve(net, undirected, **knobs).stats["handed_over"] == 0


@pytest.mark.parametrize(
    "net",
    [racy(40, 300, 1), stranding(300), hub(4000), chain(3000)],
    ids=["races", "stranded excess", "a hub", "a chain"],
)
def test_larger_networks(net):
    on_cpu = konig.maximum_flow(net.arcs, net.source, net.sink, method="sync-pr", threads=1)
    f = solve(net)
    assert f.value == on_cpu.value
    assert np.array_equal(f.cut, on_cpu.cut)  # all that cannot reach the sink, whatever the workers did


@pytest.mark.parametrize(
    ("family", "params"),
    [
        ("washington_rlg", {"width": 128, "levels": 64}),
        ("washington_rlg", {"width": 600, "levels": 500}),  # more vertices than workers
        ("genrmf", {"a": 12, "b": 100}),
    ],
)
def test_auto_chooses_it_for_deep_networks(family, params):
    made = generate(family, seed=2, **params)
    f = konig.maximum_flow(made.arcs, made.source, made.sink, device="cuda")
    assert f.method == "async-pr"
    f.verify(made.arcs, made.source, made.sink)
    assert f.value == konig.maximum_flow(made.arcs, made.source, made.sink, device="cpu").value


def test_two_hundred_races_end_the_same():
    net = racy(20, 40, 5)
    expected = solve(net).value
    for _ in range(200):
        assert solve(net).value == expected


def test_the_way_back_may_be_longer_than_any_to_the_sink():
    n = 3000
    f = solve(network([(v, v + 1, 7 if v < n - 1 else 0) for v in range(n)], 0, n, n + 1))
    assert f.value == 0
    assert f.stats["handed_over"] == 0


@pytest.mark.parametrize("capacity", [2**20, 2**31 - 1, 2**40, BIG // 4, BIG])
def test_sums_beyond_32_bits_are_exact(capacity):
    arcs = [(0, 1, capacity), (1, 2, capacity), (2, 1, capacity), (2, 3, capacity)]
    assert solve(network(arcs, 0, 3, 4)).value == capacity


def test_what_takes_too_many_waves_is_left_to_supersteps():
    for net in (racy(40, 300, 1), stranding(300)):
        f = solve(net, waves=2)
        assert f.stats["handed_over"] == 1
        assert f.stats["push_steps"] > 0
        assert f.value == konig.maximum_flow(net.arcs, net.source, net.sink).value


def test_a_very_long_list_is_left_to_supersteps():
    f = solve(hub(150_000))
    assert (f.value, f.stats["handed_over"], f.stats["visits"]) == (1, 1, 0)


def test_auto_goes_on_with_what_is_on_the_gpu_and_with_a_start():
    import cupy

    net = generate("washington_rlg", seed=3, width=64, levels=100)
    arcs = tuple(cupy.asarray(part) for part in net.arcs)
    options = {"num_vertices": net.num_vertices, "device": "cuda"}
    f = konig.maximum_flow(arcs, net.source, net.sink, **options)
    assert f.method == "async-pr"
    assert isinstance(f.flow, cupy.ndarray)
    f.verify(net.arcs, net.source, net.sink)
    half = net.capacity // 2
    g = konig.maximum_flow((net.tail, net.head, half), net.source, net.sink, **options)
    again = konig.maximum_flow(arcs, net.source, net.sink, initial=g.flow, **options)
    again.verify(net.arcs, net.source, net.sink)
    assert (again.value, again.stats["start_value"]) == (f.value, g.value)


def test_auto_keeps_supersteps_for_broad_networks():
    # Deep, but with a list that is too long for one worker.
    arcs = [(v, v + 1, 3) for v in range(200)] + [(100, 201 + k, 1) for k in range(80)]
    arcs += [(201 + k, 101, 1) for k in range(80)]
    net = network(arcs, 0, 200, 281)
    f = konig.maximum_flow(net.arcs, net.source, net.sink, num_vertices=281, device="cuda")
    assert (f.method, f.value) == ("sync-pr", 3)


def test_an_interrupt_ends_the_solve_and_leaves_the_process_usable():
    assert seconds_to_stop(INTERRUPTED_ON_A_GPU.format(method="async-pr"), 0.2, after=0.7, patience=60) < 0.2


def test_two_python_threads_can_solve_at_once():
    net = racy(12, 60, 4)
    expected = solve(net).value
    assert set(by_two_threads(lambda: solve(net).value, 10)) == {expected}
