"""Generators of matching instances."""

from __future__ import annotations

import hashlib
import inspect
from collections import deque

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.sparse.csgraph import connected_components, maximum_bipartite_matching, structural_rank

from konig.lab.generators import (
    GENERATORS,
    chain,
    delaunay,
    dumbbell,
    empty,
    full,
    generate,
    grid,
    hall_violator,
    hilo,
    known_rank,
    kronecker,
    parse_parameters,
    permute,
    planted_btf,
    planted_btf_blocks,
    random_geometric,
    rbg,
    rmat,
    road_grid,
    sprand,
    star,
    triangulated_grid,
)
from konig.lab.generators.draws import Draws
from konig.lab.generators.meshes import hilbert_index
from konig.lab.generators.pattern import index_type

SEEDED = sorted(name for name, g in GENERATORS.items() if "seed" in inspect.signature(g.function).parameters)
SYMMETRIC = ["kronecker", "delaunay", "random_geometric", "grid", "road_grid", "triangulated_grid", "star"]

SMALL = {
    "sprand": {"rows": 40, "cols": 30, "degree": 2.5},
    "kronecker": {"scale": 6, "edge_factor": 4},
    "rmat": {"scale": 6, "edge_factor": 4},
    "delaunay": {"n": 60},
    "random_geometric": {"n": 60},
    "grid": {"nx": 5, "ny": 7},
    "road_grid": {"nx": 8, "ny": 9},
    "triangulated_grid": {"nx": 6, "ny": 5},
    "hilo": {"n": 24, "groups": 4, "degree": 3},
    "rbg": {"n": 60, "groups": 6, "degree": 3.0},
    "chain": {"length": 6, "copies": 3},
    "dumbbell": {"length": 3, "copies": 2},
    "hall_violator": {"rows": 40, "cols": 50, "deficiency": 6, "sets": 2, "set_cols": 3},
    "planted_btf": {
        "block_sizes": (4, 1, 3),
        "density": 0.1,
        "underdetermined": (3, 5),
        "overdetermined": (4, 2),
    },
    "star": {"n": 7},
    "empty": {"rows": 4, "cols": 3},
    "full": {"rows": 4, "cols": 3},
}

CHECKSUMS = {
    "sprand": "58d95aa71f5e885d",
    "kronecker": "115df1c14ea36c95",
    "rmat": "d5b4831283a29c36",
    "delaunay": "a4dd892cc3bdc2b3",
    "random_geometric": "48e8d4ac27dfddae",
    "grid": "1f0f170e658b08df",
    "road_grid": "1c2c9d85dcae8d2b",
    "triangulated_grid": "cc8103b86c4bae09",
    "hilo": "fb6ae21e8921cbfc",
    "rbg": "37b10832585874c7",
    "chain": "146a021a97ac0700",
    "dumbbell": "12d5dab6b031713a",
    "hall_violator": "3cf105f9aa57de3f",
    "planted_btf": "5bf02267acc603de",
    "star": "71bf826fa2d93d95",
    "empty": "7222d7b3c5e366fc",
    "full": "db7fa3c122056510",
}


def checksum(A):
    parts = (np.array(A.shape), A.indptr, A.indices)
    return hashlib.sha256(b"".join(part.astype("<i8").tobytes() for part in parts)).hexdigest()[:16]


def neighbours(A):
    A = A.tocsr()
    return [A.indices[A.indptr[i] : A.indptr[i + 1]].tolist() for i in range(A.shape[0])]


class TestEveryGenerator:
    @pytest.mark.parametrize("name", GENERATORS)
    def test_runs_at_its_defaults_and_returns_a_canonical_pattern(self, name):
        A = generate(name)
        assert isinstance(A, sparse.csr_array)
        assert A.dtype == np.int8
        assert (A.data == 1).all()
        assert A.indices.dtype == A.indptr.dtype == np.int32
        assert A.has_canonical_format
        recomputed = sparse.csr_array((A.data, A.indices, A.indptr), shape=A.shape)
        assert recomputed.has_canonical_format

    @pytest.mark.parametrize("name", SMALL)
    def test_gives_the_recorded_matrix_on_every_machine(self, name):
        assert checksum(generate(name, seed=3, **SMALL[name])) == CHECKSUMS[name]

    def test_has_a_recorded_small_instance(self):
        assert set(SMALL) == set(CHECKSUMS) == set(GENERATORS)

    @pytest.mark.parametrize("name", SEEDED)
    def test_depends_on_the_seed_alone(self, name):
        first, again, other = (generate(name, seed=seed) for seed in (5, 5, 6))
        assert checksum(first) == checksum(again)
        assert checksum(first) != checksum(other)

    @pytest.mark.parametrize("name", SYMMETRIC)
    def test_adjacency_is_symmetric_without_loops(self, name):
        A = generate(name, seed=2)
        assert (A != A.T).nnz == 0
        assert A.diagonal().sum() == 0

    @pytest.mark.parametrize("permutation", ["none", "both"])
    @pytest.mark.parametrize("name", [name for name, g in GENERATORS.items() if g.rank])
    def test_known_rank_is_the_structural_rank(self, name, permutation):
        for params in ({}, SMALL[name]):
            A = generate(name, seed=4, permute=permutation, **params)
            assert structural_rank(A) == known_rank(name, **params)

    @pytest.mark.parametrize("name", GENERATORS)
    def test_describes_itself(self, name):
        entry = GENERATORS[name]
        assert entry.name == name
        assert entry.summary.endswith(".")
        assert "\n" not in entry.summary
        for parameter in entry.parameters:
            assert parameter.type in (int, float, bool, tuple)
            assert parameter.help.endswith("."), (name, parameter.name)

    @pytest.mark.parametrize("value", [0, 1])
    @pytest.mark.parametrize("name", sorted(set(GENERATORS) - {"planted_btf"}))
    def test_size_zero_or_one_works(self, name, value):
        sizes = {"n", "rows", "nx", "scale", "copies"}
        size = next(parameter.name for parameter in GENERATORS[name].parameters if parameter.name in sizes)
        small = {"degree": 1, "groups": 1, "deficiency": 0}
        extra = {
            key: small[key] for key in small if key in inspect.signature(GENERATORS[name].function).parameters
        }
        A = generate(name, permute="both", **extra, **{size: value})
        assert A.shape[0] == A.shape[1]


class TestDraws:
    @given(st.integers(0, 300), st.data())
    @settings(max_examples=60, deadline=None)
    def test_distinct_draws_are_sorted_and_distinct(self, population, data):
        count = data.draw(st.integers(0, population))
        drawn = Draws(1).distinct(population, count)
        assert drawn.size == count
        assert (np.diff(drawn) > 0).all()
        assert count == 0 or (drawn[0] >= 0 and drawn[-1] < population)

    def test_distinct_draws_favour_nobody(self):
        draws = Draws(1)
        hits = sum(np.bincount(draws.distinct(10, 3), minlength=10) for _ in range(2000))
        assert abs(hits - 600).max() < 6 * np.sqrt(2000 * 0.3 * 0.7)

    @pytest.mark.parametrize("width", [6, 1000])
    def test_subsets_have_the_sizes_asked_for_and_favour_nobody(self, width):
        sizes = np.tile([0, 1, 5], 2000)
        owner, member = Draws(1).subsets(sizes, width)
        assert (np.bincount(owner, minlength=sizes.size) == sizes).all()
        assert np.unique(owner * width + member).size == sizes.sum()
        quarter = np.bincount(member * 2 // width, minlength=2)
        assert abs(quarter - 6000).max() < 400

    def test_poisson_has_its_mean_and_variance(self):
        for mean in (0.0, 0.3, 5.0, 900.0):
            drawn = Draws(1).poisson(mean, 20000)
            assert abs(drawn.mean() - mean) < 5 * np.sqrt(mean / 20000) + 1e-12
            assert abs(drawn.var() - mean) < 0.1 * mean + 1e-12

    def test_uniform_draws_are_derived_from_raw_words(self):
        words, reals = Draws(9).raw(4), Draws(9).uniform(4)
        assert reals.tolist() == [int(word >> np.uint64(11)) / 2**53 for word in words]


class TestSprand:
    @pytest.mark.parametrize(("rows", "cols", "degree"), [(100, 100, 3), (50, 400, 2.5), (400, 20, 19.5)])
    def test_has_exactly_the_entries_asked_for(self, rows, cols, degree):
        A = sprand(rows, cols, degree, seed=1)
        assert A.shape == (rows, cols)
        assert A.nnz == round(rows * degree)

    def test_of_full_degree_is_full(self):
        assert (sprand(7, 5, 5).toarray() == 1).all()

    def test_spreads_entries_evenly(self):
        A = sprand(2000, 50, 10, seed=1)
        assert abs(A.sum(axis=0, dtype=int) - 400).max() < 110


class TestPowerLaw:
    def test_rmat_fills_quadrants_in_proportion(self):
        A = rmat(12, 4, a=0.4, b=0.3, c=0.2, seed=1)
        half = 1 << 11
        quadrants = [A[:half, :half], A[:half, half:], A[half:, :half], A[half:, half:]]
        assert np.allclose([q.nnz / A.nnz for q in quadrants], [0.4, 0.3, 0.2, 0.1], atol=0.01)

    def test_rmat_with_one_quadrant_has_one_entry(self):
        assert np.argwhere(rmat(5, 4, a=0, b=1, c=0).toarray()).tolist() == [[0, 31]]

    def test_kronecker_has_hubs_and_isolated_vertices(self):
        degrees = np.diff(kronecker(12, seed=1).indptr)
        assert degrees.max() > 15 * degrees.mean()
        assert (degrees == 0).any()

    def test_kronecker_relabelled_is_the_same_graph_in_another_order(self):
        named, plain = (np.diff(kronecker(10, relabel=relabel, seed=1).indptr) for relabel in (True, False))
        assert sorted(named) == sorted(plain)
        assert plain[:32].sum() > 4 * named[:32].sum()


class TestMeshes:
    def test_delaunay_is_a_connected_triangulation(self):
        A = delaunay(800, seed=1)
        assert connected_components(A)[0] == 1
        edges = A.nnz // 2
        hull = 3 * 800 - 3 - edges  # Euler: a triangulation with h hull vertices has 3n - 3 - h edges
        assert 3 <= hull < 60

    @pytest.mark.parametrize("n", [0, 1, 2, 3])
    def test_delaunay_of_few_points_is_complete(self, n):
        assert delaunay(n).nnz == n * (n - 1)

    @pytest.mark.parametrize("family", [delaunay, random_geometric])
    def test_numbering_is_local(self, family):
        A = family(3000, seed=1).tocoo()
        assert np.median(abs(A.row - A.col)) < 20

    def test_radius_decides_neighbours(self):
        assert random_geometric(50, radius=1.5).nnz == 50 * 49
        assert random_geometric(50, radius=0).nnz == 0
        near, far = (random_geometric(300, radius=radius, seed=1) for radius in (0.05, 0.1))
        assert near.multiply(far).nnz == near.nnz < far.nnz

    def test_default_radius_gives_the_expected_degree(self):
        n = 4096
        expected = np.pi * 0.55**2 * np.log(n)
        assert 0.85 * expected < random_geometric(n, seed=1).nnz / n < 1.02 * expected

    def test_hilbert_curve_visits_every_cell_in_steps_of_one(self):
        x, y = (side.ravel() for side in np.mgrid[0:16, 0:16])
        order = np.argsort(hilbert_index(x, y, 4))
        assert sorted(hilbert_index(x, y, 4)) == list(range(256))
        assert (abs(np.diff(x[order])) + abs(np.diff(y[order])) == 1).all()


class TestLattices:
    @pytest.mark.parametrize(("nx", "ny"), [(1, 1), (1, 5), (5, 1), (2, 2), (3, 2), (4, 7)])
    def test_grid_is_the_product_of_two_paths(self, nx, ny):
        def path(n):
            return sparse.diags_array([np.ones(n - 1), np.ones(n - 1)], offsets=[-1, 1], shape=(n, n))

        assert (grid(nx, ny) != sparse.kronsum(path(ny), path(nx))).nnz == 0

    def test_road_grid_keeps_a_part_of_the_grid(self):
        whole, part = grid(100, 80), road_grid(100, 80, keep=0.65, seed=1)
        assert whole.multiply(part).nnz == part.nnz
        assert abs(part.nnz / whole.nnz - 0.65) < 0.02
        assert (road_grid(9, keep=1) != grid(9)).nnz == 0
        assert road_grid(9, keep=0).nnz == 0

    @pytest.mark.parametrize(("nx", "ny"), [(1, 1), (1, 5), (5, 1), (2, 2), (3, 2), (4, 7)])
    def test_triangulated_grid_has_one_diagonal_a_cell(self, nx, ny):
        A = triangulated_grid(nx, ny, seed=1).toarray().reshape(nx, ny, nx, ny)
        diagonals = 0
        for x in range(nx - 1):
            for y in range(ny - 1):
                assert A[x, y, x + 1, y + 1] + A[x, y + 1, x + 1, y] == 1
                diagonals += 2
        assert A.sum() == grid(nx, ny).nnz + diagonals

    def test_flip_chooses_the_diagonal(self):
        assert triangulated_grid(2, 2, flip=0).toarray()[0, 3] == 1
        assert triangulated_grid(2, 2, flip=1).toarray()[1, 2] == 1


class TestBipartiteFamilies:
    @pytest.mark.parametrize(("n", "groups", "degree"), [(12, 3, 2), (12, 1, 5), (10, 5, 9), (8, 8, 1)])
    def test_hilo_follows_its_definition(self, n, groups, degree):
        size = n // groups
        expected = np.zeros((n, n), dtype=int)
        for g in range(groups):
            for i in range(1, size + 1):
                for j in range(max(1, i - degree + 1), i + 1):
                    for group in {g, min(g + 1, groups - 1)}:
                        expected[g * size + i - 1, group * size + j - 1] = 1
        assert (hilo(n, groups, degree).toarray() == expected).all()

    def test_hilo_has_one_perfect_matching(self):
        A = permute(hilo(120, groups=6, degree=4), seed=1).toarray()
        while A.any():
            (forced,) = np.nonzero(A.sum(axis=0) == 1)
            assert forced.size, "no column has a single row left, so the perfect matching is not forced"
            row = A[:, forced[0]].argmax()
            A = np.delete(np.delete(A, row, axis=0), forced[0], axis=1)
        assert A.shape == (0, 0)

    def test_rbg_rows_choose_from_three_groups(self):
        n, groups = 600, 12
        A = rbg(n, groups, degree=6, relabel=False, seed=1).tocoo()
        step = (A.col // (n // groups) - A.row // (n // groups)) % groups
        assert set(step) == {0, 1, groups - 1}
        assert np.allclose(np.bincount(step)[[0, 1, groups - 1]] / A.nnz, 1 / 3, atol=0.03)

    def test_rbg_degrees_are_poisson(self):
        degrees = np.diff(rbg(6000, 30, degree=5, seed=1).indptr)
        assert abs(degrees.mean() - 5) < 0.15
        assert abs(degrees.var() - 5) < 0.4

    def test_rbg_relabelled_spreads_a_group_over_all_rows(self):
        A = rbg(600, 12, degree=6, seed=1).tocoo()
        assert len(set((A.col // 50 - A.row // 50) % 12)) == 12

    @pytest.mark.parametrize("groups", [1, 2])
    def test_rbg_with_few_groups_has_every_column_eligible(self, groups):
        assert rbg(4, groups, degree=4, seed=3).nnz <= 16
        assert (rbg(2000, groups, degree=3, seed=1).sum(axis=0, dtype=int) > 0).mean() > 0.9


def greedy(A):
    """Match each column, in order, with its first free row; return row_of_col."""
    row_of_col, taken = {}, set()
    for col, rows in enumerate(neighbours(A.T)):
        row = next((row for row in rows if row not in taken), None)
        if row is not None:
            row_of_col[col] = row
            taken.add(row)
    return row_of_col


def karp_sipser(A):
    """Match vertices of degree one first, else the first column with its first row; return row_of_col."""
    sides = {
        "row": dict(enumerate(map(set, neighbours(A)))),
        "col": dict(enumerate(map(set, neighbours(A.T)))),
    }
    other = {"row": "col", "col": "row"}
    row_of_col = {}

    def remove(side, vertex):
        for neighbour in sides[side].pop(vertex):
            sides[other[side]][neighbour].discard(vertex)

    while True:
        single = [(side, v) for side in sides for v, near in sides[side].items() if len(near) == 1]
        side, vertex = single[0] if single else ("col", next((c for c, r in sides["col"].items() if r), None))
        if vertex is None:
            return row_of_col
        mate = min(sides[side][vertex])
        row, col = (vertex, mate) if side == "row" else (mate, vertex)
        row_of_col[col] = row
        remove("row", row)
        remove("col", col)


def shortest_augmenting_path(A, row_of_col):
    """Return the number of edges of a shortest augmenting path, by breadth-first search."""
    rows_of, col_of_row = neighbours(A.T), {row: col for col, row in row_of_col.items()}
    queue = deque((col, 0) for col in range(A.shape[1]) if col not in row_of_col)
    seen = set()
    while queue:
        col, length = queue.popleft()
        for row in rows_of[col]:
            if row not in col_of_row:
                return length + 1
            if row not in seen:
                seen.add(row)
                queue.append((col_of_row[row], length + 2))
    return None


class TestAdversarialFamilies:
    @pytest.mark.parametrize(("length", "copies"), [(2, 1), (7, 1), (5, 4)])
    def test_chain_defeats_greedy_from_either_side(self, length, copies):
        A = chain(length, copies)
        for side in (A, A.T):
            start = greedy(side)
            assert len(start) == (length - 1) * copies
            assert shortest_augmenting_path(side, start) == 2 * length - 1

    def test_chain_is_solved_by_the_degree_one_rule(self):
        assert len(karp_sipser(chain(9, 2))) == 18

    @pytest.mark.parametrize(("length", "copies"), [(1, 1), (6, 1), (4, 3)])
    def test_dumbbell_defeats_karp_sipser_from_either_side(self, length, copies):
        A = dumbbell(length, copies)
        assert min(np.diff(A.indptr).min(), np.diff(A.tocsc().indptr).min()) == 2
        for side in (A, A.T):
            start = karp_sipser(side)
            assert len(start) == A.shape[0] - copies
            assert shortest_augmenting_path(side, start) == 4 * length + 3

    def test_dumbbell_defeats_greedy(self):
        assert len(greedy(dumbbell(5, 3))) <= 3 * 14 - 3

    @given(st.data())
    @settings(max_examples=60, deadline=None)
    def test_hall_violator_has_its_deficiency(self, data):
        sets = data.draw(st.integers(1, 4))
        set_cols = data.draw(st.integers(1, 4))
        deficiency = data.draw(st.integers(sets, 12))
        rows = sets * set_cols + deficiency + data.draw(st.integers(0, 20))
        cols = rows - deficiency + data.draw(st.integers(0, 20))
        seed = data.draw(st.integers(0, 2**64))
        A = hall_violator(rows, cols, deficiency, sets, set_cols, data.draw(st.integers(1, 5)), seed=seed)
        assert A.shape == (rows, cols)
        assert structural_rank(A) == rows - deficiency

    def test_hall_violator_sets_have_too_few_columns(self):
        A = hall_violator(60, 60, deficiency=7, sets=3, set_cols=4, shuffle=False, seed=1)
        row, col = np.nonzero(A.toarray()[: 3 * 4 + 7])
        assert set(col) == set(range(12))
        count, labels = connected_components(
            sparse.csr_array((np.ones(row.size), (row, col + 19)), shape=(31, 31))
        )
        assert count == 3
        assert sorted(np.bincount(labels[:19])) == [6, 6, 7]

    def test_hall_violator_without_deficiency_has_full_row_rank(self):
        assert structural_rank(hall_violator(30, 30, deficiency=0, seed=1)) == 30


def dulmage_mendelsohn(A):
    """Return row and column labels of the fine decomposition, computed from a maximum matching."""
    row_of_col = maximum_bipartite_matching(A, perm_type="row")
    col_of_row = maximum_bipartite_matching(A, perm_type="column")
    wide_rows, wide_cols = alternating_reach(A.T, row_of_col, col_of_row)
    tall_cols, tall_rows = alternating_reach(A, col_of_row, row_of_col)
    square = [row for row in range(A.shape[0]) if row not in wide_rows | tall_rows]
    B = A[square][:, [col_of_row[row] for row in square]]
    _, block = connected_components(B, connection="strong")
    rows = {row: ("square", block[k]) for k, row in enumerate(square)}
    cols = {col_of_row[row]: rows[row] for row in square}
    rows |= dict.fromkeys(wide_rows, "wide") | dict.fromkeys(tall_rows, "tall")
    cols |= dict.fromkeys(wide_cols, "wide") | dict.fromkeys(tall_cols, "tall")
    return [rows[row] for row in range(A.shape[0])], [cols[col] for col in range(A.shape[1])]


def alternating_reach(A, mate, mate_back):
    """Return what free rows of A reach by alternating paths: the columns and the rows."""
    near = neighbours(A)
    stack = [row for row in range(A.shape[0]) if mate[row] < 0]
    rows, cols = set(stack), set()
    while stack:
        for col in near[stack.pop()]:
            if col not in cols:
                cols.add(col)
                rows.add(int(mate_back[col]))
                stack.append(int(mate_back[col]))
    return cols, rows


class TestPlantedBlocks:
    @pytest.mark.parametrize("density", [0, 0.02, 0.3])
    @pytest.mark.parametrize(
        ("sizes", "wide", "tall"),
        [
            ((6, 1, 1, 3, 2, 9), (0, 0), (0, 0)),
            ((4, 1, 2), (3, 5), (6, 2)),
            ((), (5, 6), (3, 1)),
            ((2, 2), (0, 3), (2, 0)),
            ((), (0, 0), (0, 0)),
        ],
    )
    def test_planted_blocks_are_the_fine_decomposition(self, sizes, wide, tall, density):
        A = planted_btf(sizes, density, wide, tall, seed=5)
        row_block, col_block = planted_btf_blocks(sizes, wide, tall, seed=5)
        assert A.shape == (row_block.size, col_block.size)
        entries = A.tocoo()
        assert (row_block[entries.row] <= col_block[entries.col]).all()
        rows, cols = dulmage_mendelsohn(A)
        planted = [*row_block.tolist(), *col_block.tolist()]
        found = [*rows, *cols]
        assert len(set(zip(planted, found, strict=True))) == len(set(planted)) == len(set(found))
        assert all((label == "wide") == (block == -1) for block, label in zip(planted, found, strict=True))
        assert all(
            (label == "tall") == (block == len(sizes)) for block, label in zip(planted, found, strict=True)
        )

    def test_unshuffled_form_is_block_upper_triangular(self):
        row_block, col_block = planted_btf_blocks((3, 2), (1, 2), (2, 1), shuffle=False)
        assert (np.diff(row_block) >= 0).all()
        assert (np.diff(col_block) >= 0).all()
        dense = planted_btf((3, 2), 1.0, (1, 2), (2, 1), shuffle=False).toarray()
        assert (dense == (row_block[:, None] <= col_block[None, :])).all()


class TestTrivialFamilies:
    def test_shapes_and_entries(self):
        assert star(5).nnz == 8
        assert (empty(3, 4).shape, empty(3, 4).nnz) == ((3, 4), 0)
        assert full(3, 0).shape == (3, 0)
        assert (full(3, 4).toarray() == 1).all()

    def test_wide_indices_only_when_needed(self):
        assert index_type(2**31 - 1, 5, 5) is np.int32
        assert index_type(5, 2**31, 5) is np.int64
        assert index_type(5, 5, 2**31) is np.int64
        assert empty(0, 2**31).indices.dtype == np.int64


class TestPermute:
    def test_permutes_rows_and_columns(self):
        A = sprand(30, 40, 3, seed=1)
        B = permute(A, seed=2)
        draws = Draws(2, stream=1)
        row_place, col_place = draws.permutation(30), draws.permutation(40)
        assert (B.toarray()[np.ix_(row_place, col_place)] == A.toarray()).all()
        assert (B != A).nnz > 0

    def test_rows_only_keeps_every_column_in_place(self):
        A = sprand(30, 40, 3, seed=1)
        B = permute(A, cols=False, seed=2)
        assert (A.sum(axis=0) == B.sum(axis=0)).all()
        assert sorted(map(tuple, A.toarray())) == sorted(map(tuple, B.toarray()))

    def test_generate_permutes_by_name(self):
        A = generate("grid", nx=4, ny=5)
        assert (
            generate("grid", seed=3, permute="cols", nx=4, ny=5) != permute(A, rows=False, seed=3)
        ).nnz == 0
        assert (
            generate("grid", seed=3, permute="rows", nx=4, ny=5) != permute(A, cols=False, seed=3)
        ).nnz == 0
        assert (generate("grid", seed=3, permute="both", nx=4, ny=5) != permute(A, seed=3)).nnz == 0

    def test_takes_values_and_other_formats_and_leaves_them_alone(self):
        A = sparse.coo_matrix(([2.5, 0.0, 1.0], ([0, 1, 1], [1, 0, 0])), shape=(2, 3))
        B = permute(A, rows=False, cols=False)
        assert B.toarray().tolist() == [[0, 1, 0], [1, 0, 0]]
        assert A.data.tolist() == [2.5, 0.0, 1.0]

    @given(st.integers(0, 1000))
    @settings(max_examples=20, deadline=None)
    def test_keeps_the_structural_rank(self, seed):
        A = sprand(30, 25, 1.5, seed=seed)
        assert structural_rank(permute(A, seed=seed)) == structural_rank(A)


class TestErrors:
    @pytest.mark.parametrize(
        ("name", "params", "message"),
        [
            ("sprand", {"rows": -1}, "rows must be at least 0, not -1"),
            ("sprand", {"rows": 5, "degree": 6}, "degree must be at most the number of columns, 5"),
            (
                "sprand",
                {"rows": 5, "cols": 3, "degree": 4},
                "degree must be at most the number of columns, 3",
            ),
            ("sprand", {"degree": float("nan")}, "degree must be finite"),
            ("sprand", {"rows": 2**40, "cols": 2**40}, r"rows times cols must be below 2\*\*63"),
            ("kronecker", {"scale": 40}, "scale must be at most 31"),
            ("rmat", {"a": 0.9, "b": 0.9}, "a \\+ b \\+ c must be at most 1"),
            ("rmat", {"c": -0.1}, "c must be at least 0"),
            ("delaunay", {"n": -5}, "n must be at least 0"),
            ("random_geometric", {"radius": -1}, "radius must be at least 0"),
            ("road_grid", {"keep": 1.5}, "keep must be at most 1"),
            ("triangulated_grid", {"flip": -0.5}, "flip must be at least 0"),
            ("hilo", {"n": 10, "groups": 3}, "n must be a multiple of groups"),
            ("hilo", {"degree": 0}, "degree must be at least 1"),
            ("rbg", {"n": 32, "groups": 32, "degree": 4}, "degree must be at most 3"),
            ("chain", {"length": 0}, "length must be at least 1"),
            ("dumbbell", {"copies": -1}, "copies must be at least 0"),
            ("hall_violator", {"rows": 10, "cols": 5, "deficiency": 3}, "deficiency must be at least 5"),
            ("hall_violator", {"deficiency": 2, "sets": 3}, "sets must be at most 2"),
            ("hall_violator", {"rows": 10, "set_cols": 8}, "planted sets need 13 rows"),
            ("planted_btf", {"block_sizes": (3, 0)}, r"block_sizes\[1\] must be at least 1"),
            ("planted_btf", {"underdetermined": (3, 3)}, "underdetermined must have fewer rows"),
            ("planted_btf", {"overdetermined": (3, 4)}, "overdetermined must have more rows"),
            ("planted_btf", {"overdetermined": (3,)}, "overdetermined must have 2 entries"),
            ("planted_btf", {"density": 2}, "density must be at most 1"),
            ("grid", {"seed": -1, "permute": "both"}, "seed must be at least 0"),
            ("grid", {"permute": "all"}, "permute must be one of none, rows, cols, both, not 'all'"),
            ("grid", {"nz": 4}, "grid has no parameter 'nz'; it has nx, ny"),
            ("spread", {}, "unknown generator 'spread'; there are chain, delaunay"),
        ],
    )
    def test_bad_values_are_named(self, name, params, message):
        with pytest.raises(ValueError, match=message):
            generate(name, **params)

    @pytest.mark.parametrize(
        ("name", "params", "message"),
        [
            ("grid", {"nx": 2.5}, "nx must be an integer, not 2.5"),
            ("grid", {"nx": True}, "nx must be an integer, not True"),
            ("sprand", {"degree": "many"}, "degree must be a number, not 'many'"),
            ("planted_btf", {"block_sizes": 3}, "block_sizes must be a sequence of integers, not 3"),
            ("planted_btf", {"block_sizes": (1, 2.5)}, r"block_sizes\[1\] must be an integer"),
        ],
    )
    def test_bad_types_are_named(self, name, params, message):
        with pytest.raises(TypeError, match=message):
            generate(name, **params)


class TestParsing:
    def test_values_get_the_type_of_the_parameter(self):
        assert parse_parameters(
            "road_grid", ["nx=1_000", "ny=2^5", "keep=1e-1", "seed=4", "permute=both"]
        ) == {
            "nx": 1000,
            "ny": 32,
            "keep": 0.1,
            "seed": 4,
            "permute": "both",
        }
        assert parse_parameters("kronecker", ["relabel=No", "scale=1e1"]) == {"relabel": False, "scale": 10}
        assert parse_parameters("planted_btf", ["block_sizes=4", "underdetermined=1,2"]) == {
            "block_sizes": (4,),
            "underdetermined": (1, 2),
        }

    def test_parsed_parameters_generate(self):
        for name in GENERATORS:
            assert generate(name, **parse_parameters(name, ["seed=1", "permute=rows"])).nnz >= 0

    @pytest.mark.parametrize(
        ("assignments", "message"),
        [
            (["nx"], "expected key=value, not 'nx'"),
            (["nx=3", "nx=4"], "nx is given twice"),
            (["n=3"], "road_grid has no parameter 'n'; it has nx, ny, keep, seed, permute"),
            (["nx=three"], "nx must be an integer, not 'three'"),
            (["nx=1.5"], "nx must be an integer, not '1.5'"),
            (["keep=most"], "keep must be a number, not 'most'"),
        ],
    )
    def test_unreadable_assignments_are_named(self, assignments, message):
        with pytest.raises(ValueError, match=message):
            parse_parameters("road_grid", assignments)

    def test_unreadable_bools_and_names_are_named(self):
        with pytest.raises(ValueError, match="relabel must be true or false, not 'maybe'"):
            parse_parameters("rbg", ["relabel=maybe"])
        with pytest.raises(ValueError, match="unknown generator"):
            parse_parameters("road", [])
