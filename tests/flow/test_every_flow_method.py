"""Every flow method on every network, each answer proved by its own certificate."""

import numpy as np
import pytest
import scipy.sparse as sp
from cases.data import needs_data, read_network, real_networks
from cases.networks import awkward_networks, random_network

import konig

METHODS = [method.name for method in konig.methods("flow")]
AWKWARD = awkward_networks()
# Found by hand, or clear from the name.
VALUES = {
    "no arcs": 0,
    "only a direct arc": 7,
    "parallel direct arcs": 11,
    "disconnected sink": 0,
    "zero capacities": 0,
    "only into the source and out of the sink": 0,
    "loops": 3,
    "chain": 3,
    "antiparallel pairs": 4,
    "parallel arcs": 5,
    "a flow of 2**62": 1 << 62,
    "a flow of 2**62 between inner vertices": 1 << 62,
    "a flow of 2**62 in two parts": 1 << 62,
    "sources that offer too much": 5,
    "sinks that take too much": 5,
    "large capacities that strand": 1 << 62,
    "2**62 both ways that comes back": 5,
    "the largest integers": 15,
}
# The arcs of the other direction add to what they bring.
TOO_LARGE_IF_UNDIRECTED = {"a flow of 2**62 between inner vertices"}


def solve(network, method, **options):
    f = konig.maximum_flow(
        network.arcs,
        network.source,
        network.sink,
        num_vertices=network.num_vertices,
        method=method,
        **options,
    )
    f.verify(network.arcs, network.source, network.sink)
    return f


@pytest.mark.parametrize("undirected", [False, True])
@pytest.mark.parametrize("method", METHODS)
def test_awkward_networks(method, undirected):
    for name, network in AWKWARD.items():
        if undirected and name in TOO_LARGE_IF_UNDIRECTED:
            with pytest.raises(ValueError, match=r"above 2\*\*62"):
                solve(network, method, undirected=True)
            continue
        found = solve(network, method, undirected=undirected)
        if not undirected and name in VALUES:
            assert found.value == VALUES[name], name


@pytest.mark.parametrize("method", METHODS)
def test_infinite_edges_both_ways(method):
    arcs = [0, 1, 2, 3], [1, 2, 3, 4], [np.inf, np.inf, 5.0, np.inf]
    f = konig.maximum_flow(arcs, 0, 4, undirected=True, method=method)
    f.verify(arcs, 0, 4)
    assert f.value == 5


@pytest.mark.parametrize("method", METHODS)
def test_random_networks(method):
    rng = np.random.default_rng(5)
    for case in range(400):
        network = random_network(rng)
        undirected = bool(case % 3 == 0)
        found = solve(network, method, undirected=undirected)
        reference = solve(network, "hl-pr", undirected=undirected)
        assert found.value == reference.value, case


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("method", METHODS)
def test_thousands_of_random_networks(method):
    rng = np.random.default_rng(6)
    for case in range(5000):
        solve(random_network(rng), method, undirected=bool(case % 3 == 0))


# Thousands of levels of few vertices, or very many pushes: a quarter to half a minute on the teams.
SLOW = ("rlg-long", "genrmf-wide-a32", "ak-4102")
REAL = [
    pytest.param(real, marks=pytest.mark.long) if any(name in real.path.name for name in SLOW) else real
    for real in real_networks()
]


@needs_data
@pytest.mark.parametrize("real", REAL, ids=lambda real: real.path.name.split(".max")[0])
def test_real_networks(real):
    network = read_network(real.path)
    for method in METHODS:
        if method.endswith("-csr") and len(network.tail) > 5000:  # each step looks at all arcs
            continue
        assert solve(network, method).value == real.answer, method


def test_a_matrix_and_its_arcs_agree():
    rng = np.random.default_rng(2)
    for _ in range(50):
        network = random_network(rng)
        n = network.num_vertices
        matrix = sp.coo_array((network.capacity, (network.tail, network.head)), shape=(n, n))
        f = konig.maximum_flow(matrix, network.source, network.sink)
        f.verify(matrix, network.source, network.sink)
        assert f.flow.shape == matrix.shape
        assert f.value == solve(network, "auto").value
        assert f.cut_edges.capacity.sum() == f.value
        assert f.cut[f.cut_edges.tail].all()
        assert not f.cut[f.cut_edges.head].any()


def test_the_order_of_arcs_does_not_matter():
    rng = np.random.default_rng(3)
    for _ in range(50):
        network = random_network(rng)
        order = rng.permutation(len(network.tail))
        f = solve(network, "auto")
        shuffled = tuple(array[order] for array in network.arcs)
        g = konig.maximum_flow(shuffled, network.source, network.sink, num_vertices=network.num_vertices)
        g.verify(shuffled, network.source, network.sink)
        assert f.value == g.value


def test_auto_says_what_it_chose():
    rng = np.random.default_rng(0)
    image = rng.integers(-9, 10, (40, 40))
    grid = konig.grid_cut(np.maximum(image, 0), np.maximum(-image, 0), 3).grid
    arcs = grid.arcs()
    assert konig.maximum_flow(arcs, 1600, 1601).method == "bk"
    path = (np.arange(99), np.arange(1, 100), np.full(99, 5000))
    f = konig.maximum_flow(path, 0, 99)
    assert f.method == "hl-pr"
    assert f.stats["handed_over"] == 0


def test_auto_gives_up_trees_that_take_too_long():
    """Many links, but all paths are long: trees mend the same long branches again and again."""
    rng = np.random.default_rng(1)
    width, levels = 12, 300
    n = width * levels
    tail = np.repeat(np.arange(n - width), 3)
    head = (tail // width + 1) * width + rng.integers(0, width, len(tail))
    linked, s, t = n // 8, n, n + 1
    arcs = (
        np.r_[tail, np.full(linked, s), np.arange(n - linked, n)],
        np.r_[head, np.arange(linked), np.full(linked, t)],
        rng.integers(1, 10000, len(tail) + 2 * linked),
    )
    f = konig.maximum_flow(arcs, s, t)
    f.verify(arcs, s, t)
    assert f.stats["handed_over"] == 1
    assert f.method == "hl-pr"
    assert f.value == konig.maximum_flow(arcs, s, t, method="hl-pr").value


def test_trees_that_are_mostly_mended_stop_before_half_of_their_steps():
    """Edge-disjoint paths between many vertices of a random graph: they become long."""
    rng = np.random.default_rng(0)
    n, edges = 1000, 6000
    tail, head = rng.integers(n, size=(2, edges))
    linked, s, t = n // 3, n, n + 1
    arcs = (
        np.r_[tail, head, np.full(linked, s), np.arange(n - linked, n)],
        np.r_[head, tail, np.arange(linked), np.full(linked, t)],
        np.r_[np.ones(2 * edges, int), np.full(2 * linked, 100)],
    )
    f = konig.maximum_flow(arcs, s, t)
    f.verify(arcs, s, t)
    assert (f.method, f.stats["handed_over"]) == ("hl-pr", 1)
    assert f.value == konig.maximum_flow(arcs, s, t, method="bk").value
    steps = sum(f.stats[name] for name in ("growth_scans", "adoption_scans", "path_steps"))
    assert steps < 2.5 / 2 * (2 * edges + n)  # an edge both ways has two slots


@pytest.mark.parametrize("method", ["hl-pr", "fifo-pr"])
def test_the_knobs_of_push_relabel_do_what_they_say(method):
    network = AWKWARD["mesh"]
    rng = np.random.default_rng(3)
    capacity = rng.integers(1, 50, len(network.tail))
    arcs = (network.tail, network.head, capacity)

    def stats(**knobs):
        f = konig.maximum_flow(arcs, network.source, network.sink, method=method, num_vertices=90, **knobs)
        f.verify(arcs, network.source, network.sink)
        return f.stats

    assert stats(gap=False)["gaps"] == 0
    assert stats(relabel=100.0)["global_relabels"] > stats(relabel=0.0)["global_relabels"]
    assert stats(relabel=0.0)["global_relabels"] <= 2  # at the start, and for the cut


def test_highest_label_and_first_in_first_out_are_two_methods():
    rng = np.random.default_rng(4)
    tail, head = rng.integers(0, 400, (2, 1600))
    arcs = (tail, head, rng.integers(1, 30, 1600))
    ends = {"source": range(20), "sink": range(380, 400)}
    pushes = {m: konig.maximum_flow(arcs, **ends, method=m).stats["pushes"] for m in ("hl-pr", "fifo-pr")}
    assert pushes["hl-pr"] != pushes["fifo-pr"]
