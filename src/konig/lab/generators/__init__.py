"""Seeded generators: matching instances, each a sparse pattern, costs of assignments, and flow networks.

A generator of matrices returns a ``scipy.sparse.csr_array`` of int8 ones with sorted indices and no
duplicates. `GENERATORS` lists them with their parameters; `generate` makes one by name, `permute` takes away
its natural order. `COST_GENERATORS`, `generate_costs` and `permute_costs` are the same for costs, dense or
sparse. `FLOW_GENERATORS` lists the families of networks, each a `konig.io.Network`; `generate_network` makes
one. The same seed gives the same instance on every machine.
"""

from konig.lab.generators.adversarial import chain, dumbbell, hall_violator
from konig.lab.generators.bipartite import hilo, rbg
from konig.lab.generators.catalogue import (
    COST_GENERATORS,
    FAMILIES,
    FLOW_GENERATORS,
    GENERATORS,
    generate,
    generate_costs,
    generate_network,
    known_rank,
    parse_parameters,
)
from konig.lab.generators.costs import (
    euclidean_costs,
    machol_wien,
    real_costs,
    sparse_costs,
    tracking,
    two_cost,
    uniform_costs,
)
from konig.lab.generators.dimacs import genrmf, washington_matching, washington_mesh, washington_rlg
from konig.lab.generators.family import Generator, Parameter
from konig.lab.generators.from_graphs import (
    far_pairs_network,
    matching_network,
    rmat_flow,
    rmat_matching,
    road_flow,
)
from konig.lab.generators.lattices import grid, road_grid, triangulated_grid
from konig.lab.generators.meshes import delaunay, random_geometric
from konig.lab.generators.permutation import permute, permute_costs
from konig.lab.generators.planted import planted_btf, planted_btf_blocks
from konig.lab.generators.random_graphs import kronecker, rmat, sprand
from konig.lab.generators.trivial import empty, full, star
from konig.lab.generators.vision import vision_blobs, vision_random

__all__ = [
    "COST_GENERATORS",
    "FAMILIES",
    "FLOW_GENERATORS",
    "GENERATORS",
    "Generator",
    "Parameter",
    "chain",
    "delaunay",
    "dumbbell",
    "empty",
    "euclidean_costs",
    "far_pairs_network",
    "full",
    "generate",
    "generate_costs",
    "generate_network",
    "genrmf",
    "grid",
    "hall_violator",
    "hilo",
    "known_rank",
    "kronecker",
    "machol_wien",
    "matching_network",
    "parse_parameters",
    "permute",
    "permute_costs",
    "planted_btf",
    "planted_btf_blocks",
    "random_geometric",
    "rbg",
    "real_costs",
    "rmat",
    "rmat_flow",
    "rmat_matching",
    "road_flow",
    "road_grid",
    "sparse_costs",
    "sprand",
    "star",
    "tracking",
    "triangulated_grid",
    "two_cost",
    "uniform_costs",
    "vision_blobs",
    "vision_random",
    "washington_matching",
    "washington_mesh",
    "washington_rlg",
]
