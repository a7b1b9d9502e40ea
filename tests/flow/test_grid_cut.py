"""Grids as arrays of capacities: the answer is proved, and the same as that of the grid's arcs."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from corruption import changed, refused

import konig

METHODS = ["auto", "bk", "hl-pr", "fifo-pr", "dinic", "tlpns-rcsr", "sync-pr"]
SHAPES = [
    ((1, 1), 4),
    ((1, 7), 4),
    ((6, 1), 8),
    ((5, 6), 4),
    ((5, 6), 8),
    ((3, 4, 5), 6),
    ((1, 3, 4), 6),
    ((4, 1, 1), 6),
    ((0, 3), 4),
    ((2, 0), 8),
    ((0, 2, 2), 6),
]
M = np.finfo(np.float64).max
PARTS = "source_capacity, sink_capacity, neighbour_capacity: the value of the cut is above"
MASKED = np.ma.masked_equal([[1, 2], [3, 4]], 2)


def random_grid(rng, shape, connectivity, largest=20):
    links = rng.integers(0, largest, (2, *shape))
    directions = connectivity // rng.integers(1, 3)
    return links[0], links[1], rng.integers(0, largest, (directions, *shape))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("shape", "connectivity"), SHAPES)
def test_random_grids(shape, connectivity, method):
    rng = np.random.default_rng(len(shape) * connectivity)
    for largest in (2, 20, 2**40):
        for _ in range(8):
            capacities = random_grid(rng, shape, connectivity, largest)
            c = konig.grid_cut(*capacities, connectivity=connectivity, method=method)
            c.verify(*capacities)
            assert c.cut.shape == shape
            assert c.flow.shape == (connectivity, *shape)


def test_methods_agree_on_a_larger_image():
    rng = np.random.default_rng(4)
    capacities = random_grid(rng, (60, 70), 8)
    values = {method: konig.grid_cut(*capacities, connectivity=8, method=method).value for method in METHODS}
    assert len(set(values.values())) == 1, values


def test_the_directions_are_those_of_the_offsets():
    assert (konig.grid_offsets(8)[:4] == -konig.grid_offsets(8)[4:]).all()
    for k, (dy, dx) in enumerate(konig.grid_offsets(8)):
        source, sink, between = np.zeros((3, 3), int), np.zeros((3, 3), int), np.zeros((8, 3, 3), int)
        source[1, 1] = sink[1 + dy, 1 + dx] = 5
        between[k, 1, 1] = 3
        c = konig.grid_cut(source, sink, between, connectivity=8)
        assert c.value == 3
        assert c.flow[k, 1, 1] == 3


def test_connectivity_may_be_a_number_of_numpy():
    capacities = random_grid(np.random.default_rng(8), (3, 4), 8)
    c = konig.grid_cut(*capacities, connectivity=np.int64(8))
    c.verify(*capacities)
    assert konig.grid_offsets(np.uint8(6)).shape == (6, 3)
    with pytest.raises(TypeError, match="connectivity must be an integer"):
        konig.grid_offsets([4])


def test_real_capacities_share_a_unit():
    source, sink = np.array([[1.5, 0.0]]), np.array([[0, 4]])
    c = konig.grid_cut(source, sink, 0.125)
    c.verify(source, sink, 0.125)
    assert c.value == 0.125
    assert c.flow.dtype == np.float64


def test_a_value_of_2_to_the_62_is_exact_and_more_is_an_error():
    big = 2**62
    source, sink = np.array([[big, 0, 0]]), np.array([[0, 0, big]])
    c = konig.grid_cut(source, sink, big)
    c.verify(source, sink, big)
    assert c.value == big
    with pytest.raises(ValueError, match=r"above 2\*\*62"):
        konig.grid_cut(np.full((1, 2), big), np.full((1, 2), big), 0)


def test_corrupted_answers_are_refused():
    capacities = random_grid(np.random.default_rng(2), (4, 5), 4)
    c = konig.grid_cut(*capacities)
    with refused("claims value"):
        replace(c, value=c.value + 1).verify(*capacities)
    with refused("capacity"):
        replace(c, cut=~c.cut).verify(*capacities)
    with refused("leaves the grid"):
        replace(c, flow=changed(c.flow, (0, 0, 4), 1)).verify(*capacities)
    with refused("more than it receives|carries"):
        replace(c, source_flow=c.source_flow + 1).verify(*capacities)
    with refused("cut is bool of shape"):
        replace(c, cut=c.cut[1:]).verify(*capacities)


@pytest.mark.parametrize(
    ("arguments", "options", "kind", "message"),
    [
        ((np.zeros(4), np.zeros(4), 1), {}, ValueError, "two or three dimensions, not 1"),
        ((np.zeros((2, 2)), np.zeros((2, 3)), 1), {}, ValueError, r"sink_capacity has shape \(2, 3\)"),
        ((np.zeros((2, 2)), np.zeros((2, 2)), 1), {"connectivity": 6}, ValueError, "must be 4 or 8"),
        ((np.zeros((2, 2, 2)), np.zeros((2, 2, 2)), 1), {"connectivity": 8}, ValueError, "must be 6"),
        (
            (np.zeros((2, 2)), np.zeros((2, 2)), np.zeros((3, 2, 2))),
            {},
            ValueError,
            r"shape \(2, 2, 2\) or \(4, 2, 2\)",
        ),
        ((M * np.ones((2, 2)), M * np.ones((2, 2)), 1), {}, ValueError, f"^{PARTS}.*largest float64"),
        ((2**62 * np.ones((2, 2), int),) * 2 + (1,), {}, ValueError, rf"^{PARTS}.*2\*\*62"),
        ((-np.eye(2), np.zeros((2, 2)), 1), {}, ValueError, r"source_capacity: \(0, 0\) is negative"),
        ((np.eye(2), np.eye(2) * np.nan, 1), {}, ValueError, r"sink_capacity: \(0, 0\) is not a number"),
        ((np.eye(2), np.eye(2), "x"), {}, TypeError, "neighbour_capacity must hold real numbers"),
        (
            (np.eye(2), np.eye(2), (np.zeros((2, 1)), np.zeros((1, 2)))),
            {},
            ValueError,
            "neighbour_capacity must be a number or one array",
        ),
        ((sp.eye(2), np.eye(2), 1), {}, TypeError, "source_capacity must be dense, not a sparse matrix"),
        ((np.eye(2), MASKED, 1), {}, ValueError, r"sink_capacity\[0, 1\] is masked"),
        (
            (np.eye(2), np.eye(2), [MASKED, np.eye(2)]),
            {},
            ValueError,
            r"neighbour_capacity\[0\]\[0, 1\] is masked",
        ),
        ((np.eye(2), np.eye(2), np.ma.masked), {}, ValueError, "neighbour_capacity is masked"),
        (
            (np.eye(2), np.eye(2), 1),
            {"connectivity": 4.0},
            TypeError,
            "connectivity must be an integer, not 4.0",
        ),
        ((np.eye(2), np.eye(2), 1), {"method": "hk"}, ValueError, "not a flow method"),
        ((np.eye(2), np.eye(2), 1), {"relabel": 1.0}, TypeError, "has no knob 'relabel'"),
        (
            (np.eye(2, dtype=int) * (2**53 + 1), np.eye(2), 1),
            {},
            ValueError,
            r"source_capacity: \(0, 0\) is 9007199254740993, which float64 does not hold",
        ),
        (
            (np.full((1, 2), np.inf), np.full((1, 2), np.inf), 1),
            {},
            konig.UnboundedError,
            "infinite capacities lead from",
        ),
        ((np.array([[0.1, 0.2]]), np.ones((1, 2)), 1), {"exact": True}, ValueError, "without exact=True"),
        ((np.eye(2), np.eye(2), 1), {"exact": "yes"}, TypeError, "exact must be True or False"),
    ],
)
def test_bad_grids(arguments, options, kind, message):
    with pytest.raises(kind, match=message):
        konig.grid_cut(*arguments, **options)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("shape", "connectivity"), [((5, 6), 4), ((5, 6), 8), ((3, 4, 5), 6)])
def test_warm_starts(shape, connectivity, method):
    rng = np.random.default_rng(11)
    for case in range(12):
        capacities = random_grid(rng, shape, connectivity)
        real = case % 3 == 0
        if real:
            capacities = tuple(part / 10 for part in capacities)
        before = konig.grid_cut(*capacities, connectivity=connectivity)
        changes = (0, rng.integers(0, 5, shape), rng.integers(-3, 4, shape))[case % 3 if not real else 1]
        changed = (np.maximum(capacities[0] + changes, 0), *capacities[1:])
        c = konig.grid_cut(*changed, connectivity=connectivity, method=method, initial=before)
        c.verify(*changed)
        cold = konig.grid_cut(*changed, connectivity=connectivity)
        assert abs(c.value - cold.value) <= max(c.gap, cold.gap)


def test_an_answer_of_a_grid_is_a_start_that_leaves_nothing_to_do():
    capacities = random_grid(np.random.default_rng(12), (30, 40), 4)
    c = konig.grid_cut(*capacities)
    d = konig.grid_cut(*capacities, initial=c)
    assert d.stats["start_value"] == c.value == d.value
    assert d.stats.get("pushes", 0) == d.stats["phase_paths"] == d.stats["short_paths"] == 0
    lowered = (capacities[0] // 2, *capacities[1:])
    assert konig.grid_cut(*lowered, initial=c).stats["start_value"] == 0


def test_bad_starts():
    capacities = random_grid(np.random.default_rng(13), (4, 5), 4)
    c = konig.grid_cut(*capacities)
    with pytest.raises(TypeError, match="initial must be a GridCut, not ndarray"):
        konig.grid_cut(*capacities, initial=c.flow)
    with pytest.raises(ValueError, match=r"grid of shape \(4, 5\) with 4 directions, not \(4, 5\) with 8"):
        konig.grid_cut(*capacities[:2], 1, connectivity=8, initial=c)
