"""Sparse squares: columns with one entry force their rows, and an auction is held where paths are long."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.spatial import KDTree

import konig
from konig.assignment.proof import check_hall_violator
from konig.assignment.result import cost_blocks

KINDS = {
    "integers": lambda rng, count: rng.integers(-(10**6), 10**6, count),
    "tied": lambda rng, count: rng.integers(0, 2, count).astype(np.int16),
    "real": lambda rng, count: rng.normal(size=count),
    "single": lambda rng, count: rng.random(count).astype(np.float32),
    "far apart": lambda rng, count: rng.random(count) ** -3.0,
    "huge": lambda rng, count: rng.integers(-(2**52), 2**52, count),
}


def shuffled(rng, row, col, n, kind):
    """A square with these entries, rows and columns in random order."""
    pattern = sp.csr_array(
        (np.ones(len(row)), (rng.permutation(n)[row], rng.permutation(n)[col])), shape=(n, n)
    )
    pattern.sum_duplicates()
    return sp.csr_array((KINDS[kind](rng, pattern.nnz), pattern.indices, pattern.indptr), shape=(n, n))


def triangle(rng, n, degree, kind, core=0):
    """A triangle whose last rows and columns are a square without order."""
    row = np.repeat(np.arange(n), degree)
    col = row + (rng.random(len(row)) * (n - row)).astype(int)
    more = rng.integers(n - core, n, (2, 3 * core))
    row, col = np.concatenate([row, np.arange(n), more[0]]), np.concatenate([col, np.arange(n), more[1]])
    return shuffled(rng, row, col, n, kind)


@pytest.mark.parametrize("kind", KINDS)
def test_a_triangle_needs_no_search(kind):
    rng = np.random.default_rng(1)
    for n in (1, 2, 7, 60, 400):
        C = triangle(rng, n, 4, kind)
        a = konig.linear_assignment(C)
        a.verify(C)
        if kind != "huge":  # in 128 bits small duals are worth more than time
            assert (a.stats["forced_rows"], a.stats["paths"]) == (n, 0)


@pytest.mark.parametrize("kind", KINDS)
def test_a_core_with_forced_rows_around_it_is_solved(kind):
    rng = np.random.default_rng(2)
    for n in (5, 30, 200, 1500):
        C = triangle(rng, n, 2, kind, core=n // 3)
        for maximize in (False, True):
            a = konig.linear_assignment(C, maximize=maximize)
            a.verify(C)
            if kind != "huge" and n >= 30:
                assert 0 < a.stats["forced_rows"] < n


def test_forced_rows_of_an_infeasible_problem():
    # Columns 0 and 1 have no row but row 0; the rest is a triangle.
    C = sp.csr_array(np.array([[1, 2, 3, 4], [0, 0, 1, 1], [0, 0, 1, 0], [0, 0, 1, 1]]))
    with pytest.raises(konig.InfeasibleError) as caught:
        konig.linear_assignment(C)
    blocks, extent = cost_blocks(C)
    check_hall_violator(blocks, extent, caught.value.rows, caught.value.cols)


MEASURED = {
    "integers": lambda distance: np.rint(10**6 * distance).astype(np.int64),
    "real": lambda distance: distance,
    "whole": lambda distance: np.rint(10**6 * distance),
    "single": lambda distance: distance.astype(np.float32),
}


def nearest_points(rng, n, degree, kind):
    """Points, the nearest of another set, and a random one that is far; many rows get no near one."""
    first, second = rng.random((n, 2)), rng.random((n, 2))
    row = np.append(np.repeat(np.arange(n), degree), np.arange(n))
    col = np.append(KDTree(second).query(first, degree)[1].ravel(), rng.permutation(n))
    pattern = sp.csr_array((np.ones(len(row)), (row, col)), shape=(n, n))
    pattern.sum_duplicates()
    row, col = pattern.nonzero()
    distance = np.linalg.norm(first[row] - second[col], axis=1)
    return sp.csr_array((MEASURED[kind](distance), (row, col)), shape=(n, n))


@pytest.mark.parametrize("kind", ["integers", "real", "single"])
def test_an_auction_is_held_where_paths_are_long_only(kind):
    rng = np.random.default_rng(3)
    n = 12000
    row = np.repeat(np.arange(n), 10)
    far = nearest_points(rng, n, 8, kind)
    near = shuffled(
        rng,
        np.append(row, np.arange(n)),
        np.append(row // 10 * 10 + rng.integers(0, 10, 10 * n), np.arange(n)),
        n,
        kind,
    )
    for C, bids in ((far, True), (near, False)):
        a = konig.linear_assignment(C)
        a.verify(C)
        assert (a.stats["bids"] > 0) == bids


@pytest.mark.parametrize("kind", MEASURED)
def test_an_auction_leaves_few_rows_to_paths(kind):
    # Points without a near column must take one that is a hundred times as far.
    n = 12000
    C = nearest_points(np.random.default_rng(9), n, 8, kind)
    a = konig.linear_assignment(C)
    a.verify(C)
    assert a.stats["reduced_rows"] > 0.98 * n


@pytest.mark.parametrize("dear", [1e6, 1e9, 1e12])
@pytest.mark.parametrize("power", [1.0, -3.0])
def test_dear_entries_do_not_hide_the_scale_of_the_others(dear, power):
    rng = np.random.default_rng(10)
    n, degree = 20000, 5
    row, col = np.repeat(np.arange(n), degree), rng.integers(0, n, degree * n)
    cheap = sp.csr_array((rng.random(degree * n) ** power, (row, col)), shape=(n, n))
    C = sp.csr_array(cheap + sp.diags_array(np.full(n, dear), dtype=float))
    a = konig.linear_assignment(C)
    a.verify(C)
    assert a.stats["entry_scans"] < 40 * C.nnz  # not the hundreds of paths through all rows


def test_few_rows_are_left_to_searches_from_both_ends():
    rng = np.random.default_rng(3)
    n = 20000
    row, col = np.repeat(np.arange(n), 10), rng.integers(0, n, 10 * n)
    C = shuffled(rng, np.append(row, np.arange(n)), np.append(col, np.arange(n)), n, "integers")
    a = konig.linear_assignment(C)
    a.verify(C)
    assert a.stats["bids"] == 0
    assert a.stats["two_sided_paths"] > 0


def band(rng, n, width, kind):
    """A square of 2 * width + 1 diagonals, in natural order."""
    row = np.repeat(np.arange(n), 2 * width + 1)
    col = row + np.tile(np.arange(-width, width + 1), n)
    inside = (col >= 0) & (col < n)
    cost = KINDS[kind](rng, int(inside.sum()))
    return sp.csr_array((cost, (row[inside], col[inside])), shape=(n, n))


@pytest.mark.parametrize("kind", ["integers", "real"])
def test_no_auction_is_held_where_paths_end_near_their_roots(kind):
    rng = np.random.default_rng(7)
    C = band(rng, 6000, 10, kind)
    natural = konig.linear_assignment(C)
    natural.verify(C)
    assert natural.stats["bids"] == 0
    assert natural.stats["paths"] > 0
    order = rng.permutation(6000)
    permuted = konig.linear_assignment(sp.csr_array(C[order][:, rng.permutation(6000)]))
    assert permuted.cost == pytest.approx(natural.cost, rel=1e-12)


def test_rows_take_free_columns_after_the_last_row_reduction():
    n = 6000
    a = konig.linear_assignment(band(np.random.default_rng(8), n, 10, "integers"))
    assert a.stats["row_reductions"] >= 4 * n  # rows outbid each other until they may no longer
    assert a.stats["reduced_rows"] > 0.75 * n


def test_row_duals_of_reals_have_no_negative_zeros():
    C = sp.csr_array(np.array([[1.5, 2.0, 0.0], [0.0, 0.5, 3.0], [4.0, 0.0, 0.25]]))
    a = konig.linear_assignment(C)
    a.verify(C)
    assert not np.signbit(a.row_dual[a.row_dual == 0]).any()


def test_forced_rows_take_no_part_in_an_auction():
    rng = np.random.default_rng(4)
    n, forced = 6000, 3000
    core = nearest_points(rng, n, 8, "integers")
    # Rows whose own column nobody else may take, and which may take three columns of the core, too.
    around = sp.random_array(
        (forced, n),
        density=3 / n,
        rng=rng,
        format="csr",
        data_sampler=lambda size: rng.integers(1, 10**6, size),
    )
    own = sp.diags_array(rng.integers(1, 10**6, forced), dtype=np.int64)
    C = sp.csr_array(sp.block_array([[core, None], [around.astype(np.int64), own]]))
    a = konig.linear_assignment(C)
    a.verify(C)
    assert a.stats["bids"] > 0
    assert a.stats["forced_rows"] >= forced


@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("kind", ["integers", "tied", "real", "single"])
def test_rows_with_one_entry_force_their_columns_by_the_transpose(kind, maximize):
    rng = np.random.default_rng(11)
    half = 400
    ones, ring = np.arange(half), np.arange(half, 2 * half)
    rows = np.concatenate([ones, ring, ring, ring])
    cols = np.concatenate([ones, ring, np.roll(ring, 1), rng.permutation(ones)])  # no column has one entry
    C = sp.csr_array((KINDS[kind](rng, len(rows)), (rows, cols)), shape=(2 * half, 2 * half))
    for square in (C, sp.csr_array(C.T)):
        a = konig.linear_assignment(square, maximize=maximize)
        a.verify(square)
        assert a.stats["forced_rows"] == half


def test_the_transpose_is_solved_where_rows_with_one_entry_are_many_or_cheap():
    rng = np.random.default_rng(12)
    for n, degree, way_out, transposes in [
        (500, 2, 1, True),  # one row in seven has no other entry
        (500, 4, 1, False),
        (6000, 4, 1, True),
        (6000, 4, 10**6, False),
    ]:
        rows, cols = rng.integers(n, size=n * degree), np.repeat(np.arange(n), degree)
        C = sp.csr_array((rng.integers(1, 100, n * degree), (rows, cols)), shape=(n, n))
        C = sp.csr_array(C + way_out * sp.eye_array(n, dtype=np.int64))
        assert (np.diff(C.indptr) == 1).any()
        a = konig.linear_assignment(C)
        a.verify(C)
        assert (a.stats["forced_rows"] > 0) is transposes


def test_what_a_transposed_search_refuses_is_a_hall_violator():
    C = sp.lil_array((60, 60), dtype=np.int64)
    C.setdiag(7)
    C[0, 1], C[0, 0] = 3, 0  # rows 0 and 1 have column 1 alone, and column 0 has no row
    C = sp.csr_array(C)
    C.eliminate_zeros()
    with pytest.raises(konig.InfeasibleError) as caught:
        konig.linear_assignment(C)
    blocks, extent = cost_blocks(C)
    check_hall_violator(blocks, extent, caught.value.rows, caught.value.cols)


def shifted_image(rng, side, reach):
    """Pixels to those near them in the image one line further down, by brightness and distance."""
    image = rng.integers(0, 256, (side, side))
    shifted = np.roll(image, 1, axis=0) + rng.integers(-5, 6, (side, side))
    y, x = np.mgrid[:side, :side]
    rows, cols, costs = [], [], []
    for dy in range(-reach, reach + 1):
        for dx in range(-reach, reach + 1):
            inside = (y + dy >= 0) & (y + dy < side) & (x + dx >= 0) & (x + dx < side)
            there = (y + dy)[inside], (x + dx)[inside]
            rows.append((y * side + x)[inside])
            cols.append(there[0] * side + there[1])
            costs.append(np.abs(image[inside] - shifted[there]) + abs(dy) + abs(dx))
    entries = np.concatenate(costs), (np.concatenate(rows), np.concatenate(cols))
    return sp.csr_array(entries, shape=(side * side, side * side))


def test_an_auction_is_held_where_searches_from_both_ends_are_long():
    # The free columns are on the first line, the free rows on the last one.
    C = shifted_image(np.random.default_rng(1), 80, 1)
    a = konig.linear_assignment(C)
    a.verify(C)
    assert a.stats["bids"] > 0
    assert a.stats["entry_scans"] < 15 * C.nnz  # not 40


def persistence_diagrams(rng, n, neighbours):
    """Points of either diagram to near ones of the other or to the diagonal; half of the costs are 0."""
    birth = rng.random((2, n))
    first, second = np.stack([birth, birth + rng.exponential(0.03, (2, n))], axis=2)
    distance, near = KDTree(second).query(first, k=neighbours, p=np.inf)
    point, near = np.repeat(np.arange(n), neighbours), near.ravel()
    every = np.arange(n)
    ways_out = (first[:, 1] - first[:, 0]) / 2, (second[:, 1] - second[:, 0]) / 2
    return sp.csr_array(
        (
            np.concatenate([distance.ravel(), *ways_out, np.zeros(n * neighbours)]),
            (
                np.concatenate([point, every, n + every, n + near]),
                np.concatenate([near, n + every, every, n + point]),
            ),
        ),
        shape=(2 * n, 2 * n),
    )


def test_price_wars_between_ties_are_ended():
    C = persistence_diagrams(np.random.default_rng(2), 4000, 8)
    a = konig.linear_assignment(C)
    a.verify(C)
    assert 0 < a.stats["bids"] < 90 * C.shape[0]  # not 120


def test_the_rounding_of_costs_that_tie_is_no_scale():
    whole = shifted_image(np.random.default_rng(1), 50, 3)
    decimal = sp.csr_array((whole.data / 1000, whole.indices, whole.indptr), shape=whole.shape)
    bids = []
    for C in (whole, decimal):
        a = konig.linear_assignment(C)
        a.verify(C)
        bids.append(a.stats["bids"])
    assert bids[0] > 0
    assert bids[1] < 2 * bids[0]  # not 4 to 20 times as many
