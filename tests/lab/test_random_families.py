"""Draws, and the generators of random patterns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from konig.lab.generators import (
    hilo,
    kronecker,
    permute,
    rbg,
    rmat,
    sprand,
)
from konig.lab.generators.draws import Draws


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
