"""Synchronous push-relabel on a GPU: its answers, inputs that are there, grids, what is left to the CPU."""

import numpy as np
import pytest
from around_a_solve import by_two_threads, seconds_to_stop
from cases.networks import BIG, awkward_networks, chain, hub, network, racy, random_network, stranding
from flow_team_cases import INTERRUPTED_ON_A_GPU

import konig
from konig.lab.generators import generate

pytestmark = pytest.mark.gpu
KNOBS = [{}, {"k": 0.0, "least": 1}, {"rises": 1}, {"blocks": 1}, {"profile": True}]


def solve(net, undirected=False, **options):
    options = {"method": "sync-pr", "device": "cuda", "undirected": undirected, **options}
    f = konig.maximum_flow(net.arcs, net.source, net.sink, num_vertices=net.num_vertices, **options)
    f.verify(net.arcs, net.source, net.sink)
    assert f.device.startswith("cuda:")
    return f


@pytest.mark.parametrize("undirected", [False, True])
@pytest.mark.parametrize("knobs", KNOBS, ids=str)
def test_answers_carry_their_certificate(knobs, undirected):
    rng = np.random.default_rng(51)
    for net in [*awkward_networks().values(), *(random_network(rng) for _ in range(40))]:
        if undirected and (net.capacity > BIG // 4).any():
            continue  # their value may be above 2**62
        solve(net, undirected, **knobs)


@pytest.mark.parametrize(
    "net",
    [racy(40, 300, 1), stranding(300), hub(40_000), chain(3000)],
    ids=["races", "stranded excess", "a hub", "a chain"],
)
def test_larger_networks(net):
    expected = konig.maximum_flow(net.arcs, net.source, net.sink).value
    assert solve(net).value == expected


def test_more_items_in_a_superstep_than_a_block_has_places_for():
    # Two blocks, thousands of items: most of them go straight to their queues.
    net = generate("washington_rlg", seed=1, width=4000, levels=60)
    arcs = net.tail, net.head, net.capacity
    options = {"method": "sync-pr", "device": "cuda", "num_vertices": net.num_vertices, "blocks": 2}
    f = konig.maximum_flow(arcs, net.source, net.sink, **options)
    f.verify(arcs, net.source, net.sink)


@pytest.mark.parametrize(
    ("family", "params"),
    [
        ("washington_rlg", {"width": 128, "levels": 32}),
        ("genrmf", {"a": 12, "b": 5}),
        ("rmat_flow", {"scale": 13}),
        ("vision_blobs", {"height": 200, "blobs": 9}),
    ],
)
def test_generated_networks(family, params):
    made = generate(family, seed=2, **params)
    f = konig.maximum_flow(made.arcs, made.source, made.sink, device="cuda")
    assert f.method == "sync-pr"
    f.verify(made.arcs, made.source, made.sink)
    assert f.value == konig.maximum_flow(made.arcs, made.source, made.sink, device="cpu").value


def test_sums_beyond_32_bits_are_exact():
    for capacity in (2**20, 2**31 - 1, 2**40, BIG // 4, BIG):
        arcs = [(0, 1, capacity), (1, 2, capacity), (2, 1, capacity), (2, 3, capacity)]
        assert solve(network(arcs, 0, 3, 4)).value == capacity


@pytest.mark.parametrize("ids", [np.int32, np.int64])
def test_arcs_on_the_gpu_stay_there(ids):
    import cupy

    rng = np.random.default_rng(52)
    for case in range(20):
        net = random_network(rng)
        given = net.tail.astype(ids), net.head.astype(ids), net.capacity
        arcs = tuple(cupy.asarray(part) for part in given)
        options = {"num_vertices": net.num_vertices, "undirected": case % 2 == 0}
        f = konig.maximum_flow(arcs, net.source, net.sink, **options)
        assert f.method == "sync-pr"
        assert isinstance(f.flow, cupy.ndarray)
        assert isinstance(f.cut, cupy.ndarray)
        f.verify(net.arcs, net.source, net.sink)
        again = konig.maximum_flow(arcs, net.source, net.sink, initial=f, **options)
        again.verify(arcs, net.source, net.sink)
        assert again.value == again.stats["start_value"] == f.value


def test_a_narrow_network_is_solved_where_it_is():
    import cupy

    net = chain(5000)
    arcs = tuple(cupy.asarray(part) for part in net.arcs)
    f = konig.maximum_flow(arcs, net.source, net.sink)
    assert f.device.startswith("cuda:")
    f.verify(net.arcs, net.source, net.sink)


@pytest.mark.parametrize(
    ("shape", "connectivity"), [((1, 1), 4), ((40, 50), 4), ((30, 20), 8), ((6, 7, 8), 6)]
)
@pytest.mark.parametrize("kind", [np.int64, np.int32, np.float64])
def test_grids_on_the_gpu_stay_there(shape, connectivity, kind):
    import cupy

    rng = np.random.default_rng(53)
    for directions in (connectivity // 2, connectivity):
        given = [rng.integers(0, 30, size).astype(kind) for size in (shape, shape, (directions, *shape))]
        parts = [cupy.asarray(part) for part in given]
        c = konig.grid_cut(*parts, connectivity=connectivity)
        assert (c.method, c.device[:5]) == ("sync-pr", "cuda:")
        assert all(isinstance(part, cupy.ndarray) for part in (c.cut, c.flow, c.source_flow, c.sink_flow))
        c.verify(*given)
        c.verify(*parts)
        assert c.value == konig.grid_cut(*given, connectivity=connectivity).value
        assert konig.grid_cut(*given, connectivity=connectivity, device="cuda").value == c.value


def test_wrong_values_of_a_grid_are_named():
    import cupy

    source, sink = cupy.zeros((2, 3), int), cupy.zeros((2, 3), int)
    source[1, 2] = -4
    with pytest.raises(ValueError, match=r"source_capacity: \(1, 2\) is negative: -4"):
        konig.grid_cut(source, sink, 1)
    with pytest.raises(ValueError, match="must be in one place"):
        konig.grid_cut(abs(source), sink.get(), 1)


def test_an_interrupt_ends_the_solve_and_leaves_the_process_usable():
    assert seconds_to_stop(INTERRUPTED_ON_A_GPU.format(method="sync-pr"), 0.2, after=0.7, patience=60) < 0.2


def test_two_python_threads_can_solve_at_once():
    net = racy(12, 60, 4)
    expected = solve(net).value
    assert set(by_two_threads(lambda: solve(net).value, 10)) == {expected}
