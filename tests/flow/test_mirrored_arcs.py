"""Arcs that come in both directions share residual arcs; the answer is that of the same arcs in any order."""

import numpy as np
import pytest

import konig


def both_ways(draws, vertices, edges):
    """One direction before the other, with loops, parallel edges and capacities of zero among them."""
    tail, head = draws.integers(vertices, size=(2, edges))
    return np.r_[tail, head], np.r_[head, tail], draws.integers(0, 20, 2 * edges)


def links(draws, vertices, count):
    """Arcs of the terminals `vertices` and `vertices` + 1, some of them against the flow."""
    inner, source = draws.integers(vertices, size=count), draws.integers(2, size=count) + vertices
    turned = draws.uniform(size=count) < 0.3
    tail, head = np.where(source == vertices, source, inner), np.where(source == vertices, inner, source)
    return np.where(turned, head, tail), np.where(turned, tail, head), draws.integers(0, 50, count)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("kind", [np.int64, np.float64, "reals"])
def test_the_answer_does_not_depend_on_the_order_of_arcs(seed, kind):
    draws = np.random.default_rng(seed)
    vertices = int(draws.integers(3, 30))
    edges, linked = int(draws.integers(1, 60)), int(draws.integers(12))
    parts = [both_ways(draws, vertices, edges), links(draws, vertices, linked)]
    if seed % 2:
        parts.reverse()
    tail, head, capacity = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    capacity = capacity * draws.uniform(size=len(capacity)) if kind == "reals" else capacity.astype(kind)
    ends = (vertices, vertices + 1) if seed % 4 < 3 else (0, 1)
    options = {"num_vertices": vertices + 2}
    flow = konig.maximum_flow((tail, head, capacity), *ends, **options)
    flow.verify((tail, head, capacity), *ends, **options)
    order = draws.permutation(len(tail))
    other = konig.maximum_flow((tail[order], head[order], capacity[order]), *ends, **options)
    assert flow.value == pytest.approx(other.value, rel=1e-9)
    again = konig.maximum_flow((tail, head, capacity), *ends, initial=flow, **options)
    again.verify((tail, head, capacity), *ends, **options)
    assert again.value == pytest.approx(flow.value, rel=1e-9)


def test_mirror_images_share_residual_arcs():
    side = 40
    cells = np.arange(side * side).reshape(side, side)
    tail = np.r_[cells[:-1].ravel(), cells[:, :-1].ravel(), cells[:-1, :-1].ravel()]
    head = np.r_[cells[1:].ravel(), cells[:, 1:].ravel(), cells[1:, 1:].ravel()]
    tail, head = np.r_[tail, head], np.r_[head, tail]
    capacity = np.random.default_rng(1).integers(1, 100, len(tail))
    order = np.random.default_rng(2).permutation(len(tail))
    scans = []
    for chosen in (np.arange(len(tail)), order):
        arcs = tail[chosen], head[chosen], capacity[chosen]
        flow = konig.maximum_flow(arcs, 0, side * side - 1, method="hl-pr", relabel=0.0)
        scans.append(flow.stats["global_arc_scans"])
    assert 2 * scans[0] <= 1.1 * scans[1]
