"""Meshes, lattices and trivial patterns."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from konig.lab.generators import (
    delaunay,
    empty,
    full,
    grid,
    random_geometric,
    road_grid,
    star,
    triangulated_grid,
)
from konig.lab.generators.meshes import hilbert_index
from konig.lab.generators.pattern import index_type


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
