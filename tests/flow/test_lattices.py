"""Networks whose arcs are those of a lattice, in whatever order they are listed."""

import numpy as np
import pytest
import scipy.sparse as sp

import konig


def image_arcs(shape, connectivity, seed, largest=30):
    """A random image as arcs, with links of both kinds, none at all, and both at once."""
    rng = np.random.default_rng(seed)
    source, sink = rng.integers(0, largest, (2, *shape))
    source[rng.random(shape) < 0.4] = 0
    sink[rng.random(shape) < 0.4] = 0
    between = rng.integers(0, largest, (connectivity, *shape))
    grid = konig.grid_cut(source, sink, between, connectivity=connectivity)
    n = int(np.prod(shape))
    return grid.grid.arcs(), n, grid.value


def proved(arcs, source, sink, **options):
    f = konig.maximum_flow(arcs, source, sink, **options)
    f.verify(arcs, source, sink)
    return f


@pytest.mark.parametrize(("shape", "connectivity"), [((30, 41), 4), ((25, 17), 8), ((7, 9, 8), 6)])
@pytest.mark.parametrize("method", ["auto", "bk"])
def test_images_as_arcs_in_any_order(shape, connectivity, method):
    for seed in range(6):
        arcs, n, value = image_arcs(shape, connectivity, seed)
        order = np.random.default_rng(seed).permutation(len(arcs[0]))
        for listed in (arcs, tuple(part[order] for part in arcs)):
            f = proved(listed, n, n + 1, method=method)
            assert f.value == value
            assert f.method in ("bk", "hl-pr" if method == "auto" else "bk")
            assert f.cut_edges.capacity.sum() == value
        matrix = sp.coo_array((arcs[2], arcs[:2]), shape=(n + 2, n + 2)).tocsr()
        assert proved(matrix, n, n + 1, method=method).value == value


def test_what_almost_is_a_lattice():
    """An arc that makes another step, parallel arcs, parallel links, loops, an arc from source to sink."""
    arcs, n, value = image_arcs((20, 20), 4, 3)
    more = {
        "another step": ([5], [211], [9]),
        "parallel arcs": ([5, 21], [6, 1], [9, 4]),
        "parallel links": ([n, n, 7, 7], [3, 3, n + 1, n + 1], [2, 5, 1, 8]),
        "a loop": ([8], [8], [3]),
        "no capacity": ([9, 9], [10, 209], [0, 0]),
        "from source to sink": ([n], [n + 1], [4]),
        "into the source and out of the sink": ([3, n + 1], [n, 4], [7, 7]),
    }
    for name, extra in more.items():
        extended = tuple(np.r_[part, added] for part, added in zip(arcs, extra, strict=True))
        f = proved(extended, n, n + 1)
        assert f.value == proved(extended, n, n + 1, method="hl-pr").value, name
        assert f.value >= value, name


def test_large_and_real_capacities_on_a_lattice():
    arcs, n, value = image_arcs((20, 20), 4, 4)
    tail, head, capacity = arcs
    assert proved((tail, head, capacity << 40), n, n + 1).value == value << 40
    assert proved((tail, head, capacity / 8), n, n + 1).value == value / 8
    with pytest.raises(ValueError, match=r"above 2\*\*62"):
        proved((tail, head, capacity << 55), n, n + 1)


def test_trees_on_a_lattice_that_take_too_long():
    """Many links, but far apart: push-relabel goes on from the flow that the trees leave."""
    n = 4000
    rng = np.random.default_rng(0)
    near, far = np.arange(n - 1), np.arange(n - 3)
    tail = np.r_[near, near + 1, far, far + 3, [n] * 600, np.arange(n - 600, n)]
    head = np.r_[near + 1, near, far + 3, far, np.arange(600), [n + 1] * 600]
    capacity = rng.integers(1, 30, len(tail))
    f = proved((tail, head, capacity), n, n + 1)
    assert (f.method, f.stats["handed_over"]) == ("hl-pr", 1)
    assert f.value == proved((tail, head, capacity), n, n + 1, method="dinic").value


def test_an_earlier_flow_on_a_lattice():
    arcs, n, value = image_arcs((15, 15), 4, 5)
    order = np.random.default_rng(5).permutation(len(arcs[0]))
    tail, head, capacity = (part[order] for part in arcs)
    earlier = proved((tail, head, capacity), n, n + 1)
    again = proved((tail, head, capacity), n, n + 1, initial=earlier)
    assert again.stats["start_value"] == 0  # trees on a lattice are faster from nothing
    assert again.value == value
    less = np.minimum(capacity, 11)
    changed = proved((tail, head, less), n, n + 1, initial=earlier)
    assert changed.value == proved((tail, head, less), n, n + 1).value


def test_an_image_and_an_arc_whose_flow_is_too_large_together():
    arcs, n, value = image_arcs((20, 20), 4, 3)
    direct = tuple(np.r_[part, more] for part, more in zip(arcs, (n, n + 1, 2**62 - value), strict=True))
    assert proved(direct, n, n + 1).value == 2**62
    direct[2][-1] += 1
    with pytest.raises(ValueError, match=r"above 2\*\*62"):
        konig.maximum_flow(direct, n, n + 1)


@pytest.mark.parametrize("largest", [2**31 - 1, 2**31])
def test_capacities_about_31_bits_behind_ample_links(largest):
    # All arcs but the links of one vertex can carry the largest capacity, together more than 32 bits.
    width, rng = 9, np.random.default_rng(31)
    cells = np.arange(width * width).reshape(width, width)
    steps = [(cells[:, :-1], cells[:, 1:]), (cells[:-1], cells[1:])]
    tail = np.concatenate([part.ravel() for u, v in steps for part in (u, v)])
    head = np.concatenate([part.ravel() for u, v in steps for part in (v, u)])
    source, sink = width * width, width * width + 1
    capacity = np.full(len(tail), largest)
    capacity[rng.random(len(tail)) < 0.2] = 7
    tail = np.r_[tail, np.full(width, source), cells[-1]]
    head = np.r_[head, cells[0], np.full(width, sink)]
    capacity = np.r_[capacity, np.full(2 * width, largest)]
    arcs = tail, head, capacity
    flow = konig.maximum_flow(arcs, source, sink)
    flow.verify(arcs, source, sink)
    assert flow.value == konig.maximum_flow(arcs, source, sink, method="dinic").value > 2**33
