"""Large networks whose arcs come in order and whose vertices are numbered at random are renumbered inside."""

import numpy as np
import pytest

import konig

SIDE = 190  # of a grid with more vertices and arcs than the least that are renumbered


def grid(draws, both_ways=True):
    """Tails, heads and capacities of a square grid, row by row."""
    cells = np.arange(SIDE * SIDE).reshape(SIDE, SIDE)
    tail = np.r_[cells[:, :-1].ravel(), cells[:-1].ravel()]
    head = np.r_[cells[:, 1:].ravel(), cells[1:].ravel()]
    if both_ways:
        tail, head = np.r_[tail, head], np.r_[head, tail]
    return tail, head, draws.integers(0, 20, len(tail))


def with_links(draws, arcs, first):
    """Arcs of two terminals before or after the others, loops, arcs against the flow and a vertex alone."""
    cells = SIDE * SIDE
    source, sink, many = cells, cells + 1, SIDE
    some = draws.permutation(cells)[: 2 * many]
    tail = np.r_[np.full(many, source), some[many:], sink, some[0], some[1], source]
    head = np.r_[some[:many], np.full(many, sink), some[2], source, some[1], sink]
    links = tail, head, draws.integers(0, 200, len(tail))
    parts = (links, arcs) if first else (arcs, links)
    return tuple(np.concatenate(arrays) for arrays in zip(*parts, strict=True)), source, sink, cells + 3


def renumbered(draws, arcs, vertices):
    name = draws.permutation(vertices)
    return name, (name[arcs[0]], name[arcs[1]], arcs[2])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", [np.int64, np.float64, "reals"])
def test_the_answer_is_in_the_numbers_that_were_given(seed, kind):
    draws = np.random.default_rng(seed)
    undirected = seed == 4
    arcs, source, sink, vertices = with_links(draws, grid(draws, not undirected and seed % 3 > 0), seed % 2)
    capacity = arcs[2] * draws.uniform(size=len(arcs[2])) if kind == "reals" else arcs[2].astype(kind)
    arcs = (*arcs[:2], capacity)
    options = {"num_vertices": vertices, "undirected": undirected}
    name, other = renumbered(draws, arcs, vertices)
    expected = konig.maximum_flow(arcs, source, sink, **options)
    found = konig.maximum_flow(other, int(name[source]), int(name[sink]), **options)
    assert "renumbered" not in expected.stats
    assert found.stats["renumbered"] == 1
    assert found.value == pytest.approx(expected.value, rel=1e-9)
    found.verify(other, int(name[source]), int(name[sink]), **options)
    again = konig.maximum_flow(other, int(name[source]), int(name[sink]), initial=found, **options)
    again.verify(other, int(name[source]), int(name[sink]), **options)
    assert again.value == pytest.approx(found.value, rel=1e-9)


def test_several_terminals():
    draws = np.random.default_rng(7)
    vertices = SIDE * SIDE
    name, arcs = renumbered(draws, grid(draws), vertices)
    sources, sinks = name[:SIDE], name[-SIDE:]
    found = konig.maximum_flow(arcs, sources, sinks)
    assert found.stats["renumbered"] == 1
    found.verify(arcs, sources, sinks)
    assert found.cut[sources].all()
    assert not found.cut[sinks].any()


def test_supplies_beyond_the_largest_flow():
    draws = np.random.default_rng(8)
    arcs, source, sink, vertices = with_links(draws, grid(draws), True)
    ends = (arcs[0] == source) | (arcs[1] == sink)
    arcs[2][ends] = 2**61
    inner = ~ends & (arcs[0] != sink) & (arcs[1] != source)
    arcs[2][inner] *= 2**40
    direct = (arcs[0] == source) & (arcs[1] == sink)
    arcs[2][direct] = 1
    name, other = renumbered(draws, arcs, vertices)
    found = konig.maximum_flow(other, int(name[source]), int(name[sink]), num_vertices=vertices)
    found.verify(other, int(name[source]), int(name[sink]), num_vertices=vertices)
    assert found.value == konig.maximum_flow(arcs, source, sink, num_vertices=vertices).value


def test_an_order_without_neighbours_is_left_as_it_is():
    draws = np.random.default_rng(9)
    vertices, count = 100_000, 400_000
    arcs = (
        draws.integers(vertices, size=count),
        draws.integers(vertices, size=count),
        draws.integers(9, size=count),
    )
    assert "renumbered" not in konig.maximum_flow(arcs, 0, 1).stats
    tail, head, capacity = grid(draws)
    order = draws.permutation(len(tail))
    _, shuffled = renumbered(draws, (tail[order], head[order], capacity[order]), SIDE * SIDE)
    assert "renumbered" not in konig.maximum_flow(shuffled, 0, 1).stats


def test_a_method_by_name_keeps_the_order():
    draws = np.random.default_rng(10)
    _, arcs = renumbered(draws, grid(draws), SIDE * SIDE)
    assert "renumbered" not in konig.maximum_flow(arcs, 0, 1, method="hl-pr").stats
