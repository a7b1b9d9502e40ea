"""What every generator of matching instances promises, whatever its family."""

from __future__ import annotations

import hashlib
import inspect

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.csgraph import structural_rank

from konig.lab.generators import FAMILIES, generate

MATRICES = {name: family for name, family in FAMILIES.items() if family.problem == "matching"}
SEEDED = sorted(name for name, g in MATRICES.items() if "seed" in inspect.signature(g.function).parameters)
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

# The structural rank that the construction gives, at the defaults and of the small instance.
RANKS = {
    "grid": (1024, 34),
    "hilo": (1000, 24),
    "chain": (100, 18),
    "dumbbell": (204, 20),
    "hall_violator": (95, 34),
    "planted_btf": (18, 13),
    "star": (2, 2),
    "empty": (0, 0),
    "full": (10, 3),
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


class TestEveryGenerator:
    @pytest.mark.parametrize("name", MATRICES)
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
        assert set(SMALL) == set(CHECKSUMS) == set(MATRICES)

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
    @pytest.mark.parametrize("name", RANKS)
    def test_known_rank_is_the_structural_rank(self, name, permutation):
        for rank, params in zip(RANKS[name], ({}, SMALL[name]), strict=True):
            assert structural_rank(generate(name, seed=4, permute=permutation, **params)) == rank

    @pytest.mark.parametrize("name", MATRICES)
    def test_describes_itself(self, name):
        entry = MATRICES[name]
        assert entry.name == name
        assert entry.summary.endswith(".")
        assert "\n" not in entry.summary
        for parameter in entry.parameters:
            assert parameter.type in (int, float, bool, tuple)
            assert parameter.help.endswith("."), (name, parameter.name)

    @pytest.mark.parametrize("value", [0, 1])
    @pytest.mark.parametrize("name", sorted(set(MATRICES) - {"planted_btf"}))
    def test_size_zero_or_one_works(self, name, value):
        sizes = {"n", "rows", "nx", "scale", "copies"}
        size = next(parameter.name for parameter in MATRICES[name].parameters if parameter.name in sizes)
        small = {"degree": 1, "groups": 1, "deficiency": 0}
        extra = {
            key: small[key] for key in small if key in inspect.signature(MATRICES[name].function).parameters
        }
        A = generate(name, permute="both", **extra, **{size: value})
        assert A.shape[0] == A.shape[1]
