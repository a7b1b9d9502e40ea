"""Seeded generators: matching instances, each a sparse pattern, costs of assignments, and flow networks.

A generator of matrices returns a ``scipy.sparse.csr_array`` of int8 ones with sorted indices and no
duplicates. `GENERATORS` lists them with their parameters; `generate` makes one by name, `permute` takes away
its natural order. `COST_GENERATORS`, `generate_costs` and `permute_costs` are the same for costs, dense or
sparse. `FLOW_GENERATORS` lists the families of networks, each a `konig.io.Network`; `generate_network` makes
one. The same seed gives the same instance on every machine. What ``konig generate`` offers are all of them.
"""

# ruff: noqa: F401  Every family is a name of this package.
from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import Any

from scipy import sparse

from konig.io.entries import Network
from konig.lab.generators import (
    adversarial,
    costs,
    dimacs,
    from_graphs,
    meshes,
    planted,
    random_graphs,
    vision,
)
from konig.lab.generators.adversarial import chain, dumbbell, hall_violator, hilo, rbg
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
from konig.lab.generators.family import OF_MODULE, Generator, Parameter
from konig.lab.generators.from_graphs import (
    far_pairs_network,
    matching_network,
    rmat_flow,
    rmat_matching,
    road_flow,
)
from konig.lab.generators.meshes import delaunay, grid, random_geometric, road_grid, triangulated_grid
from konig.lab.generators.pattern import PERMUTATIONS, permute, permute_costs
from konig.lab.generators.planted import empty, full, planted_btf, planted_btf_blocks, star
from konig.lab.generators.random_graphs import kronecker, rmat, sprand
from konig.lab.generators.vision import vision_blobs, vision_random


def _families(*modules: Any) -> dict[str, Generator]:
    return {family.name: family for module in modules for family in OF_MODULE[module.__name__]}


GENERATORS = _families(random_graphs, meshes, adversarial, planted)
COST_GENERATORS = _families(costs)
FLOW_GENERATORS = _families(dimacs, vision, from_graphs)
FAMILIES = GENERATORS | COST_GENERATORS | FLOW_GENERATORS
# What every family of matrices takes beside its own parameters; networks are not permuted.
COMMON = (Parameter("", name="seed"), Parameter("", name="permute", type=str))


def generate(name: str, seed: int = 0, permute: str = "none", **params: Any) -> sparse.csr_array:
    """Generate an instance of a family of `GENERATORS`: sorted, without duplicates, int8 ones.

    Families without randomness use the seed for the permutation only. ``permute`` says what to put in random
    order afterwards: "none", "rows", "cols" or "both". Parameters that are left out have their defaults.

    Examples
    --------
    >>> from konig.lab.generators import generate
    >>> generate("road_grid", seed=1, permute="both", nx=20, keep=0.5).shape
    (400, 400)
    """
    return _made(name, GENERATORS, seed, params, permute)


def generate_costs(name: str, seed: int = 0, permute: str = "none", **params: Any) -> Any:
    """Generate the costs of a family of `COST_GENERATORS`, as `generate` does.

    They are an array where all pairs are allowed, and sparse where the missing ones are forbidden.

    Examples
    --------
    >>> from konig.lab.generators import generate_costs
    >>> generate_costs("machol_wien", rows=3, permute="both").shape
    (3, 3)
    """
    return _made(name, COST_GENERATORS, seed, params, permute)


def generate_network(name: str, seed: int = 0, **params: Any) -> Network:
    """Generate a network of a family of `FLOW_GENERATORS`, as `generate` does.

    Examples
    --------
    >>> from konig.lab.generators import generate_network
    >>> net = generate_network("genrmf", seed=1, a=4, b=5)
    >>> net.num_vertices, net.source, net.sink
    (80, 0, 79)
    """
    network: Network = _made(name, FLOW_GENERATORS, seed, params)
    return network


def _made(
    name: str, known: Mapping[str, Generator], seed: int, params: dict[str, Any], order: str = "none"
) -> Any:
    generator = _generator(name, known, params)
    if order not in PERMUTATIONS:
        raise ValueError(f"permute must be one of {', '.join(PERMUTATIONS)}, not {order!r}")
    if "seed" in inspect.signature(generator.function).parameters:
        params["seed"] = seed
    instance = generator.function(**params)
    if order == "none":
        return instance
    return (permute if known is GENERATORS else permute_costs)(instance, *PERMUTATIONS[order], seed)


def parse_parameters(name: str, assignments: Iterable[str]) -> dict[str, Any]:
    """Turn ``key=value`` strings into arguments of `generate` for a family of `FAMILIES`.

    Integers may be written 1000, 1_000, 1e3 or 2^10; several integers with commas; bools as true or false.
    ``seed`` is understood for every family, ``permute`` for those of matrices.

    Examples
    --------
    >>> from konig.lab.generators import parse_parameters
    >>> parse_parameters("planted_btf", ["block_sizes=3,2,1", "density=0.1", "seed=7"])
    {'block_sizes': (3, 2, 1), 'density': 0.1, 'seed': 7}
    """
    generator = _generator(name, FAMILIES)
    common = COMMON[:1] if generator.problem == "flow" else COMMON
    params: dict[str, Any] = {}
    for assignment in assignments:
        key, equals, text = assignment.partition("=")
        if not equals:
            raise ValueError(f"expected key=value, not {assignment!r}")
        if key in params:
            raise ValueError(f"{key} is given twice")
        params[key] = generator.parameter(key, common).parsed(text)
    return params


def _generator(name: str, known: Mapping[str, Generator], params: Iterable[str] = ()) -> Generator:
    """The family of that name, which must have these parameters."""
    if name not in known:
        raise ValueError(f"unknown generator {name!r}; there are {', '.join(sorted(known))}")
    for key in params:
        known[name].parameter(key)
    return known[name]
