"""Seeded generators: matching instances, each a sparse pattern, costs of assignments, and flow networks.

`FAMILIES` lists them with their parameters, and each is a function of this package; `generate` makes an
instance by name, `permute` and `permute_costs` take away its natural order. The same seed gives the same
instance on every machine. ``konig generate`` offers all of them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from konig.lab.generators import (
    adversarial,
    costs,
    dimacs,
    from_graphs,
    meshes,
    pattern,
    planted,
    random_graphs,
    vision,
)
from konig.lab.generators.family import OF_MODULE, Generator, Parameter
from konig.lab.generators.from_graphs import far_pairs_network as far_pairs_network
from konig.lab.generators.from_graphs import matching_network as matching_network
from konig.lab.generators.pattern import PERMUTATIONS, permute_costs
from konig.lab.generators.pattern import permute as permute
from konig.lab.generators.planted import planted_btf_blocks as planted_btf_blocks

# By problem, the modules whose families make its instances.
_MODULES = {
    "matching": (random_graphs, meshes, adversarial, planted),
    "assignment": (costs,),
    "flow": (dimacs, vision, from_graphs),
}
FAMILIES = {
    family.name: replace(family, problem=problem)
    for problem, modules in _MODULES.items()
    for module in modules
    for family in OF_MODULE[module.__name__]
}
# What every family of matrices takes beside its own parameters; networks are not permuted.
COMMON = (Parameter("", name="seed"), Parameter("", name="permute", type=str))


def __getattr__(name: str) -> Callable[..., Any]:
    """Every family is a function of this package."""
    if name in FAMILIES:
        return FAMILIES[name].function
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def generate(name: str, seed: int = 0, permute: str = "none", **params: Any) -> Any:
    """Generate an instance of a family of `FAMILIES`; parameters that are left out have their defaults.

    For matching it is a ``csr_array`` of int8 ones, sorted, without duplicates. Costs are an array where all
    entries are allowed, and sparse where the missing ones are forbidden. For flow it is a `konig.io.Network`.

    Families without randomness use the seed for the permutation only. ``permute`` says what to put in random
    order afterwards: "none", or of a matrix "rows", "cols" or "both".

    Examples
    --------
    >>> from konig.lab.generators import generate
    >>> generate("road_grid", seed=1, permute="both", nx=20, keep=0.5).shape
    (400, 400)
    >>> generate("machol_wien", rows=3).tolist()
    [[1, 2, 3], [2, 4, 6], [3, 6, 9]]
    >>> generate("genrmf", seed=1, a=4, b=5).num_vertices
    80
    """
    family = _family(name)
    for key in params:
        family.parameter(key)
    if permute not in PERMUTATIONS:
        raise ValueError(f"permute must be one of {', '.join(PERMUTATIONS)}, not {permute!r}")
    if permute != "none" and family.problem == "flow":
        raise ValueError(f"permute is for matrices, and {name} makes networks")
    if "seed" in inspect.signature(family.function).parameters:
        params["seed"] = seed
    instance = family.function(**params)
    if permute == "none":
        return instance
    reordered = pattern.permute if family.problem == "matching" else permute_costs
    return reordered(instance, *PERMUTATIONS[permute], seed)


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
    family = _family(name)
    common = COMMON[:1] if family.problem == "flow" else COMMON
    params: dict[str, Any] = {}
    for assignment in assignments:
        key, equals, text = assignment.partition("=")
        if not equals:
            raise ValueError(f"expected key=value, not {assignment!r}")
        if key in params:
            raise ValueError(f"{key} is given twice")
        params[key] = family.parameter(key, common).parsed(text)
    return params


def _family(name: str) -> Generator:
    if name not in FAMILIES:
        raise ValueError(f"unknown generator {name!r}; there are {', '.join(sorted(FAMILIES))}")
    return FAMILIES[name]
