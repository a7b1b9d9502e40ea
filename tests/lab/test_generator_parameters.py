"""Parameters of generators: permutations, bad values, and values from the command line."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.sparse.csgraph import structural_rank

from konig.lab.generators import (
    FAMILIES,
    generate,
    parse_parameters,
    permute,
    sprand,
)
from konig.lab.generators.draws import Draws


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
            ("planted_btf", {"density": 10**400}, "density must be finite"),
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
        for name in (name for name, family in FAMILIES.items() if family.problem == "matching"):
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
