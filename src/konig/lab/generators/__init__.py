"""Seeded generators of matching instances, each a sparse pattern.

Every generator returns a ``scipy.sparse.csr_array`` of int8 ones with sorted indices and no duplicates, and
gives the same matrix for the same seed on every machine. `GENERATORS` lists them with their parameters;
`generate` makes one by name, `permute` takes away its natural order.
"""

from konig.lab.generators.adversarial import chain, dumbbell, hall_violator
from konig.lab.generators.bipartite import hilo, rbg
from konig.lab.generators.catalogue import (
    GENERATORS,
    Generator,
    Parameter,
    generate,
    known_rank,
    parse_parameters,
)
from konig.lab.generators.lattices import grid, road_grid, triangulated_grid
from konig.lab.generators.meshes import delaunay, random_geometric
from konig.lab.generators.permutation import permute
from konig.lab.generators.planted import planted_btf, planted_btf_blocks
from konig.lab.generators.powerlaw import kronecker, rmat
from konig.lab.generators.trivial import empty, full, star
from konig.lab.generators.uniform import sprand

__all__ = [
    "GENERATORS",
    "Generator",
    "Parameter",
    "chain",
    "delaunay",
    "dumbbell",
    "empty",
    "full",
    "generate",
    "grid",
    "hall_violator",
    "hilo",
    "known_rank",
    "kronecker",
    "parse_parameters",
    "permute",
    "planted_btf",
    "planted_btf_blocks",
    "random_geometric",
    "rbg",
    "rmat",
    "road_grid",
    "sprand",
    "star",
    "triangulated_grid",
]
