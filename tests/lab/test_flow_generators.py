"""Generators of flow networks."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse import csgraph

import konig
from konig.lab.generators import (
    FAMILIES,
    far_pairs_network,
    generate,
    genrmf,
    matching_network,
    parse_parameters,
    road_grid,
    sprand,
    vision_blobs,
    vision_random,
    washington_matching,
    washington_mesh,
    washington_rlg,
)

SMALL = {
    "washington_rlg": {"width": 8, "levels": 5},
    "washington_mesh": {"width": 8, "levels": 5},
    "washington_matching": {"n": 30, "degree": 3},
    "genrmf": {"a": 4, "b": 5},
    "vision_random": {"height": 9, "width": 7},
    "vision_blobs": {"height": 12, "width": 15, "blobs": 3},
    "rmat_flow": {"scale": 7, "pairs": 4},
    "road_flow": {"nx": 12, "pairs": 3},
    "rmat_matching": {"scale": 6},
}

CHECKSUMS = {
    "washington_rlg": "50ffd8a5e0f3f721",
    "washington_mesh": "09a22c28656a07eb",
    "washington_matching": "9db5296b6382f25b",
    "genrmf": "207e24ac9a391031",
    "vision_random": "8ddc0f1d594f7eda",
    "vision_blobs": "ac6f8eeb923c6208",
    "rmat_flow": "32015f2fa98c3070",
    "road_flow": "c095c350c051881e",
    "rmat_matching": "c9cc1d70ec44edc2",
}

NETWORKS = {name: family for name, family in FAMILIES.items() if family.problem == "flow"}


def checksum(net):
    ends = np.array([net.num_vertices, net.source, net.sink])
    parts = (ends, *net.arcs)
    return hashlib.sha256(b"".join(part.astype("<i8").tobytes() for part in parts)).hexdigest()[:16]


def test_every_family_is_tried_here():
    assert set(SMALL) == set(NETWORKS) == set(CHECKSUMS)


@pytest.mark.parametrize("name", NETWORKS)
def test_networks_are_sound_solved_and_the_same_for_the_same_seed(name):
    net = generate(name, seed=3, **SMALL[name])
    for ends in (net.tail, net.head):
        assert ends.min() >= 0
        assert ends.max() < net.num_vertices
    assert net.source != net.sink
    assert net.capacity.dtype == np.int64
    assert net.capacity.min() > 0
    flow = konig.maximum_flow(net.arcs, net.source, net.sink, num_vertices=net.num_vertices)
    flow.verify(net.arcs, net.source, net.sink)
    assert flow.value > 0
    assert checksum(net) == checksum(generate(name, seed=3, **SMALL[name]))
    assert checksum(net) != checksum(generate(name, seed=4, **SMALL[name]))


@pytest.mark.parametrize("name", NETWORKS)
def test_networks_are_the_same_on_every_machine(name):
    assert checksum(generate(name, seed=3, **SMALL[name])) == CHECKSUMS[name]


@pytest.mark.parametrize("name", NETWORKS)
def test_the_catalogue_describes_every_parameter(name):
    family = NETWORKS[name]
    assert family.problem == "flow"
    assert family.summary.endswith(".")
    assert family.reference
    assert all(parameter.help for parameter in family.parameters)
    assert generate(name, **parse_parameters(name, ["seed=1"])).num_arcs > 0


# Vertices and arcs of files that the challenge's own programs wrote.
@pytest.mark.parametrize(
    ("net", "vertices", "arcs"),
    [
        (washington_rlg(64, 2048), 131_074, 393_152),
        (washington_rlg(512, 64), 32_770, 97_792),
        (washington_mesh(256, 128), 32_770, 98_048),
        (washington_matching(20_000, 4), 40_002, 120_000),
        (genrmf(6, 64), 2_304, 9_948),
        (genrmf(16, 16), 4_096, 19_200),
    ],
)
def test_sizes_are_those_of_the_literature(net, vertices, arcs):
    assert (net.num_vertices, net.num_arcs) == (vertices, arcs)


@pytest.mark.parametrize("make", [washington_rlg, washington_mesh])
def test_levels_are_tied_to_the_next_one_by_three_arcs_of_each_vertex(make):
    width, levels = 10, 6
    net = make(width, levels, max_capacity=50, seed=1)
    inner = (net.tail != net.source) & (net.head != net.sink)
    tail, head = net.tail[inner] - 1, net.head[inner] - 1
    assert (head // width == tail // width + 1).all()
    assert np.bincount(tail, minlength=width * (levels - 1)).tolist() == [3] * (width * (levels - 1))
    assert len(np.unique(tail * width * levels + head)) == len(tail)
    assert net.capacity[inner].min() >= 1
    assert net.capacity[inner].max() <= 50
    assert set(net.capacity[~inner].tolist()) == {150}
    assert net.head[net.tail == net.source].tolist() == list(range(1, width + 1))
    if make is washington_mesh:
        assert set(((head - tail) % width).tolist()) == {0, 1, width - 1}


def test_frames_of_genrmf_are_grids_tied_by_permutations():
    a, b = 5, 4
    net = genrmf(a, b, c1=10, c2=20, seed=2)
    step = net.head // (a * a) - net.tail // (a * a)
    across = step == 1
    assert set(step.tolist()) == {0, 1}
    assert np.sort(net.head[across]).tolist() == list(range(a * a, a * a * b))
    assert np.sort(net.tail[across]).tolist() == list(range(a * a * (b - 1)))
    assert (net.capacity[across].min(), net.capacity[across].max()) == (10, 20)
    assert set(net.capacity[~across].tolist()) == {20 * a * a}
    inside = sparse.coo_array((np.ones((~across).sum()), (net.tail[~across], net.head[~across])))
    assert (inside.tocsr() != inside.tocsr().T).nnz == 0


def test_matching_networks_have_the_value_of_a_maximum_matching():
    A = sprand(300, 200, 2.0, seed=1)
    net = matching_network(A)
    value = konig.maximum_flow(net.arcs, net.source, net.sink).value
    assert value == konig.maximum_matching(A).size


def test_terminals_are_far_apart_and_all_different():
    A = road_grid(40, keep=0.8, seed=5)
    net = far_pairs_network(A, pairs=8, seed=1)
    starts, ends = net.head[net.tail == net.source], net.tail[net.head == net.sink]
    assert len(starts) == len(ends) == 8
    assert len(set(starts) | set(ends)) == 16
    distances = csgraph.shortest_path(A, unweighted=True, indices=starts)
    apart = distances[np.arange(8), ends]
    typical = np.median(distances[np.isfinite(distances)])
    assert apart.min() > 1.5 * typical
    degree = np.diff(A.indptr)
    assert net.capacity[net.tail == net.source].tolist() == degree[starts].tolist()
    assert set(net.capacity[(net.tail != net.source) & (net.head != net.sink)].tolist()) == {1}


def test_a_graph_without_arcs_has_no_terminals():
    with pytest.raises(ValueError, match="no arc"):
        far_pairs_network(sparse.eye_array(4))
    with pytest.raises(ValueError, match="must be square"):
        far_pairs_network(sparse.csr_array(np.ones((2, 3))))


@pytest.mark.parametrize(("connectivity", "neighbours"), [(4, 4), (8, 8)])
@pytest.mark.parametrize("make", [vision_random, vision_blobs])
def test_pixels_are_tied_to_their_neighbours_both_ways(make, connectivity, neighbours):
    net = make(7, 9, connectivity=connectivity, seed=1)
    between = (net.tail != net.source) & (net.head != net.sink)
    tail, head = net.tail[between], net.head[between]
    assert np.bincount(tail)[3 * 9 + 4] == neighbours
    steps = np.abs(np.stack([tail // 9 - head // 9, tail % 9 - head % 9]))
    assert steps.max() == 1
    pairs = dict(zip(zip(tail.tolist(), head.tolist(), strict=True), net.capacity[between], strict=True))
    assert all(pairs[v, u] == c for (u, v), c in pairs.items())
    to_terminal = np.r_[net.head[net.tail == net.source], net.tail[net.head == net.sink]]
    assert len(to_terminal) == len(set(to_terminal.tolist())), "a pixel leans to one side"


def test_blobs_have_structure_and_noise_does_not():
    """Cutting along blobs takes few arcs for the pixels inside; noise falls apart into specks."""

    def boundary(net):
        cut = konig.maximum_flow(net.arcs, net.source, net.sink).cut[: 64 * 64].reshape(64, 64)
        changes = (cut[1:] != cut[:-1]).sum() + (cut[:, 1:] != cut[:, :-1]).sum()
        assert 0.05 < cut.mean() < 0.95
        return changes

    assert 4 * boundary(vision_blobs(64, blobs=6, seed=1)) < boundary(vision_random(64, strength=20, seed=1))


@pytest.mark.parametrize(
    ("name", "params", "message"),
    [
        ("washington_rlg", {"width": 2}, "width must be at least 3"),
        ("washington_mesh", {"max_capacity": 0}, "max_capacity must be at least 1"),
        ("washington_matching", {"n": 3, "degree": 4}, "degree must be at most 3"),
        ("genrmf", {"a": 1, "b": 1}, "b must be at least 2"),
        ("genrmf", {"c1": 5, "c2": 4}, "c2 must be at least 5"),
        ("vision_random", {"connectivity": 6}, "connectivity must be 4 or 8"),
        ("vision_blobs", {"blobs": 0}, "blobs must be at least 1"),
        ("rmat_flow", {"pairs": 0}, "pairs must be at least 1"),
        ("genrmf", {"height": 4}, "genrmf has no parameter 'height'; it has a, b, c1, c2"),
        ("genrmf", {"permute": "rows"}, "permute is for matrices, and genrmf makes networks"),
    ],
)
def test_bad_values_are_named(name, params, message):
    with pytest.raises(ValueError, match=message):
        generate(name, **params)


def test_networks_are_not_permuted_like_matrices():
    with pytest.raises(ValueError, match="no parameter 'permute'; it has a, b, c1, c2, seed"):
        parse_parameters("genrmf", ["permute=both"])
