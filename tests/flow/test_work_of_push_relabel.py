"""How much push-relabel does: it begins on the side with less to bring, and gives back in one pass."""

import numpy as np
import pytest

import konig


def grid_arcs(height, width, capacity):
    """Arcs both ways between neighbours."""
    ids = np.arange(height * width).reshape(height, width)
    pairs = [(ids[:, :-1], ids[:, 1:]), (ids[:-1], ids[1:])]
    tail = np.concatenate([a.ravel() for pair in pairs for a in pair])
    head = np.concatenate([b.ravel() for pair in pairs for b in pair[::-1]])
    return tail, head, np.full(len(tail), capacity)


def with_links(arcs, n, fed, taken, supply, demand):
    tail, head, capacity = arcs
    tail = np.r_[tail, np.full(len(fed), n), taken]
    head = np.r_[head, fed, np.full(len(taken), n + 1)]
    return tail, head, np.r_[capacity, np.full(len(fed), supply), np.full(len(taken), demand)]


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("method", ["hl-pr", "fifo-pr", "auto"])
def test_many_sources_and_few_sinks_are_as_quick_as_the_opposite(method, turned):
    n = 60 * 60
    fed, taken = np.arange(0, n, 7), np.array([n // 2 + 3, n - 70])
    arcs = with_links(grid_arcs(60, 60, 3), n, fed, taken, 50, 40)
    source, sink = n, n + 1
    if turned:
        arcs, source, sink = (arcs[1], arcs[0], arcs[2]), sink, source
    f = konig.maximum_flow(arcs, source, sink, method=method)
    f.verify(arcs, source, sink)
    assert f.value == 24  # what the arcs at both sinks let through
    work = sum(f.stats.get(key, 0) for key in ("arc_scans", "search_scans", "walk_steps"))
    assert work < len(arcs[0])


def test_no_more_is_fed_than_a_vertex_can_pass_on():
    """A path of width one behind links of any capacity."""
    n = 2000
    inner = np.arange(n - 1)
    for supply in (1, 10**12):
        arcs = with_links((inner, inner + 1, np.ones(n - 1, int)), n, np.arange(50), [n - 1], supply, 10**12)
        f = konig.maximum_flow(arcs, n, n + 1, method="hl-pr")
        f.verify(arcs, n, n + 1)
        assert f.value == 1
        assert f.stats["arc_scans"] < 20 * n


@pytest.mark.parametrize("both_ways", [False, True])
def test_opposite_and_parallel_arcs_in_a_long_solve(both_ways):
    """Slots are merged when exact labels are searched for a second time."""
    rng = np.random.default_rng(3)
    width, levels = 12, 40
    n = width * levels
    tail = np.repeat(np.arange(n - width), 6)
    head = (tail // width + 1) * width + (tail + rng.integers(0, 4, len(tail))) % width
    if both_ways:
        tail, head = np.r_[tail, head], np.r_[head, tail]
    arcs = (tail, head, rng.integers(1, 100, len(tail)))
    order = rng.permutation(len(tail))
    arcs = tuple(part[order] for part in arcs)
    ends = range(width), range(n - width, n)
    f = konig.maximum_flow(arcs, *ends, method="hl-pr", relabel=100.0)
    f.verify(arcs, *ends)
    assert f.stats["global_relabels"] > 1
    assert f.value == konig.maximum_flow(arcs, *ends, method="dinic").value
    used = set(zip(arcs[0][f.flow > 0].tolist(), arcs[1][f.flow > 0].tolist(), strict=True))
    assert not any((v, u) in used for u, v in used)


def test_faces_of_a_volume_are_left_to_push_relabel():
    rng = np.random.default_rng(2)
    shape = (16, 12, 12)
    source, sink = np.zeros(shape, int), np.zeros(shape, int)
    source[0], sink[-1] = 10**6, 10**6
    between = rng.integers(1, 100, (3, *shape))
    c = konig.grid_cut(source, sink, between)
    c.verify(source, sink, between)
    assert c.method == "hl-pr"
    assert c.value == konig.grid_cut(source, sink, between, method="bk").value
    assert c.stats["arc_scans"] < 30 * between.size


def test_trees_on_a_grid_hand_their_flow_over():
    rng = np.random.default_rng(4)
    shape = (12, 12, 12)
    source, sink = np.zeros(shape, int), np.zeros(shape, int)
    source[:4], sink[-4:] = 10**6, 10**6
    between = rng.integers(1, 1000, (3, *shape))
    c = konig.grid_cut(source, sink, between)
    c.verify(source, sink, between)
    assert (c.method, c.stats["handed_over"]) == ("hl-pr", 1)
    assert c.stats["augmentations"] > 0
    assert c.value == konig.grid_cut(source, sink, between, method="bk").value


def test_sums_of_links_beyond_the_largest_flow():
    """Sources and sinks that could bring and take more than 2^62, and a bottleneck between them."""
    big = 2**62
    tail = [0, 0, 0, 1, 2, 3, 4, 5, 5, 5, 6, 7, 8]
    head = [1, 2, 3, 4, 4, 4, 5, 6, 7, 8, 9, 9, 9]
    capacity = [big] * 6 + [77] + [big] * 6
    for method in ("auto", "hl-pr", "fifo-pr", "dinic", "bk"):
        for undirected in (False, True):
            f = konig.maximum_flow((tail, head, capacity), 0, 9, method=method, undirected=undirected)
            f.verify((tail, head, capacity), 0, 9)
            assert f.value == 77


@pytest.mark.parametrize("method", ["hl-pr", "auto"])
def test_infinite_links_bring_what_their_vertices_pass_on(method):
    n = 50 * 50
    inner = tuple(part.astype(float) if k == 2 else part for k, part in enumerate(grid_arcs(50, 50, 1)))
    arcs = with_links(inner, n, np.arange(130, n, 500), np.arange(7, n, 90), np.inf, np.inf)
    f = konig.maximum_flow(arcs, n, n + 1, method=method)
    f.verify(arcs, n, n + 1)
    assert f.value == 20
    assert f.stats.get("arc_scans", 0) < n  # auto may end before push-relabel


@pytest.mark.parametrize("method", ["hl-pr", "fifo-pr"])
@pytest.mark.parametrize("turned", [False, True])
def test_a_cut_needs_no_gaps(method, turned):
    # Before the narrow arc (2, 3) vertices push to each other until all but the last are unreachable.
    tail = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 3, 7, 10, 8, 9, 5, 10, 8, 10]
    head = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 2, 6, 9, 10, 8, 4, 8, 7, 9]
    capacity = [
        616,
        662,
        356,
        791,
        752,
        510,
        814,
        619,
        801,
        441,
        531,
        742,
        585,
        520,
        473,
        585,
        510,
        662,
        531,
        356,
    ]
    source, sink = 0, 10
    if turned:
        tail, head, source, sink = head, tail, sink, source
    arcs = tail, head, capacity
    f = konig.maximum_flow(arcs, source, sink, method=method, gap=False)
    assert f.value == 356
    f.verify(arcs, source, sink)


def test_relabelling_in_a_dense_network_stops_at_the_first_neighbour_of_the_same_label():
    rng = np.random.default_rng(5)
    n = 300
    tail, head = np.triu_indices(n, 1)
    capacity = rng.integers(1, 20, len(tail))
    f = konig.maximum_flow((tail, head, capacity), 0, n - 1, method="hl-pr")
    f.verify((tail, head, capacity), 0, n - 1)
    # Pushes scan a list once for each label.
    assert f.stats["arc_scans"] < 1.5 * (n - 1) * f.stats["relabels"]


def test_paths_through_a_one_way_grid_are_equally_long():
    """The blocking flow along the first labels is nearly maximum, and is finished."""
    rng = np.random.default_rng(0)
    side = 100
    ids = rng.permutation(side * side).reshape(side, side)
    tail = np.r_[ids[:, :-1].ravel(), ids[:-1].ravel()]
    head = np.r_[ids[:, 1:].ravel(), ids[1:].ravel()]
    source, sink = int(ids[0, 0]), int(ids[-1, -1])
    capacity = rng.integers(1, 50_000, len(tail))
    capacity[(tail == source) | (head == sink)] = 30_000
    f = konig.maximum_flow((tail, head, capacity), source, sink)
    f.verify((tail, head, capacity), source, sink)
    assert f.stats["pushes"] == 0
    assert f.stats["global_relabels"] <= 2


def test_what_a_finished_blocking_flow_leaves_in_disjoint_chains_is_not_pushed_along_them():
    rng = np.random.default_rng(2)
    chains, length = 20, 1000
    cells = rng.permutation(chains * length).reshape(chains, length)
    source, sink = chains * length, chains * length + 1
    tail = np.r_[cells[:, :-1].ravel(), np.full(chains, source), cells[:, -1]]
    head = np.r_[cells[:, 1:].ravel(), cells[:, 0], np.full(chains, sink)]
    capacity = rng.integers(1, 1000, len(tail))
    f = konig.maximum_flow((tail, head, capacity), source, sink)
    f.verify((tail, head, capacity), source, sink)
    assert f.stats["label_paths"] == chains
    assert f.stats["pushes"] == 0
