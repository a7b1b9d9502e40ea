"""Every generator by name, with its parameters: what ``konig generate`` offers."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from scipy import sparse

from konig.io.networks import Network
from konig.lab.generators import (
    adversarial,
    bipartite,
    costs,
    dimacs,
    from_graphs,
    lattices,
    meshes,
    planted,
    random_graphs,
    trivial,
    vision,
)
from konig.lab.generators.family import OF_MODULE, Generator, Parameter
from konig.lab.generators.permutation import permute as permuted
from konig.lab.generators.permutation import permute_costs

PERMUTATIONS = {"none": (False, False), "rows": (True, False), "cols": (False, True), "both": (True, True)}
SEED, PERMUTE = Parameter("seed", int, 0, ""), Parameter("permute", str, "none", "")

MATRICES = (random_graphs, meshes, lattices, bipartite, adversarial, planted, trivial)
NETWORKS = (dimacs, vision, from_graphs)


def _families(*modules: Any) -> dict[str, Generator]:
    return {family.name: family for module in modules for family in OF_MODULE[module.__name__]}


GENERATORS = _families(*MATRICES)
COST_GENERATORS = _families(costs)
FLOW_GENERATORS = _families(*NETWORKS)
FAMILIES = GENERATORS | COST_GENERATORS | FLOW_GENERATORS


def generate(name: str, seed: int = 0, permute: str = "none", **params: Any) -> sparse.csr_array:
    """Generate an instance of a named family.

    Parameters
    ----------
    name : str
        A key of `GENERATORS`.
    seed : int
        The same seed gives the same matrix; families without randomness use it for the permutation only.
    permute : {"none", "rows", "cols", "both"}
        What to put in random order afterwards.
    **params
        Parameters of the family; what is left out has its default.

    Returns
    -------
    scipy.sparse.csr_array
        The pattern: sorted, without duplicates, int8 ones.

    Raises
    ------
    ValueError
        If the name, a parameter or a value is unknown or out of range; the message says which.

    Examples
    --------
    >>> from konig.lab.generators import generate
    >>> generate("road_grid", seed=1, permute="both", nx=20, keep=0.5).shape
    (400, 400)
    """
    return _made(name, GENERATORS, seed, params, permute, permuted)


def generate_costs(name: str, seed: int = 0, permute: str = "none", **params: Any) -> Any:
    """Generate the costs of an assignment problem of a named family.

    Parameters
    ----------
    name : str
        A key of `COST_GENERATORS`.
    seed, permute, **params
        As of `generate`.

    Returns
    -------
    numpy.ndarray or scipy.sparse.csr_array
        An array where all pairs are allowed, and sparse where the missing ones are forbidden.

    Examples
    --------
    >>> from konig.lab.generators import generate_costs
    >>> generate_costs("machol_wien", rows=3, permute="both").shape
    (3, 3)
    """
    return _made(name, COST_GENERATORS, seed, params, permute, permute_costs)


def generate_network(name: str, seed: int = 0, **params: Any) -> Network:
    """Generate a flow network of a named family.

    Parameters
    ----------
    name : str
        A key of `FLOW_GENERATORS`.
    seed, **params
        As of `generate`.

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
    name: str,
    known: Mapping[str, Generator],
    seed: int,
    params: dict[str, Any],
    order: str = "none",
    permutation: Callable[..., Any] | None = None,
) -> Any:
    generator = _generator(name, known, params)
    if order not in PERMUTATIONS:
        raise ValueError(f"permute must be one of {', '.join(PERMUTATIONS)}, not {order!r}")
    if "seed" in inspect.signature(generator.function).parameters:
        params["seed"] = seed
    instance = generator.function(**params)
    if permutation is None or order == "none":
        return instance
    return permutation(instance, *PERMUTATIONS[order], seed)


def known_rank(name: str, **params: Any) -> int | None:
    """Return the structural rank of an instance, or None where only a solver can tell.

    Parameters
    ----------
    name : str
        A key of `GENERATORS`.
    **params
        Parameters of the family, as given to `generate`; seed and permutation do not matter.

    Examples
    --------
    >>> from konig.lab.generators import known_rank
    >>> known_rank("hilo", n=100), known_rank("sprand", rows=100)
    (100, None)
    """
    generator = _generator(name, GENERATORS, params)
    return None if generator.rank is None else generator.rank(**generator.completed(params))


def parse_parameters(name: str, assignments: Iterable[str]) -> dict[str, Any]:
    """Turn ``key=value`` strings into arguments of `generate`.

    Integers may be written 1000, 1_000, 1e3 or 2^10; several integers with commas; bools as true or false.

    Parameters
    ----------
    name : str
        A key of `FAMILIES`.
    assignments : iterable of str
        One parameter each; ``seed`` is understood for every family, ``permute`` for those of matrices.

    Returns
    -------
    dict
        Typed keyword arguments for ``generate(name, ...)`` or ``generate_network(name, ...)``.

    Raises
    ------
    ValueError
        If the name or a key is unknown, a key is repeated, or a value cannot be read.

    Examples
    --------
    >>> from konig.lab.generators import parse_parameters
    >>> parse_parameters("planted_btf", ["block_sizes=3,2,1", "density=0.1", "seed=7"])
    {'block_sizes': (3, 2, 1), 'density': 0.1, 'seed': 7}
    """
    generator = _generator(name, FAMILIES)
    common = (SEED,) if generator.problem == "flow" else (SEED, PERMUTE)
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
