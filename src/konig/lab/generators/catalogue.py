"""Every generator by name, with its parameters: what ``konig generate`` offers."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
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
    point_costs,
    powerlaw,
    random_pairs,
    trivial,
    uniform,
    vision,
)
from konig.lab.generators.family import Generator, check_names, describe, parse
from konig.lab.generators.permutation import permute as permuted
from konig.lab.generators.permutation import permute_costs

PERMUTATIONS = {"none": (False, False), "rows": (True, False), "cols": (False, True), "both": (True, True)}


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
    generator = _generator(name, GENERATORS)
    check_names(generator, params)
    rows, cols = _permutation(permute)
    pattern = _made(generator, seed, params)
    return permuted(pattern, rows, cols, seed) if rows or cols else pattern


def generate_costs(name: str, seed: int = 0, permute: str = "none", **params: Any) -> Any:
    """Generate the costs of an assignment problem of a named family.

    Parameters
    ----------
    name : str
        A key of `COST_GENERATORS`.
    seed : int
        The same seed gives the same costs; families without randomness use it for the permutation only.
    permute : {"none", "rows", "cols", "both"}
        What to put in random order afterwards.
    **params
        Parameters of the family; what is left out has its default.

    Returns
    -------
    numpy.ndarray or scipy.sparse.csr_array
        An array where all pairs are allowed, and sparse where the missing ones are forbidden.

    Raises
    ------
    ValueError
        If the name, a parameter or a value is unknown or out of range; the message says which.

    Examples
    --------
    >>> from konig.lab.generators import generate_costs
    >>> generate_costs("machol_wien", rows=3, permute="both").shape
    (3, 3)
    """
    generator = _generator(name, COST_GENERATORS)
    check_names(generator, params)
    rows, cols = _permutation(permute)
    costs = _made(generator, seed, params)
    return permute_costs(costs, rows, cols, seed) if rows or cols else costs


def generate_network(name: str, seed: int = 0, **params: Any) -> Network:
    """Generate a flow network of a named family.

    Parameters
    ----------
    name : str
        A key of `FLOW_GENERATORS`.
    seed : int
        The same seed gives the same network.
    **params
        Parameters of the family; what is left out has its default.

    Raises
    ------
    ValueError
        If the name, a parameter or a value is unknown or out of range; the message says which.

    Examples
    --------
    >>> from konig.lab.generators import generate_network
    >>> net = generate_network("genrmf", seed=1, a=4, b=5)
    >>> net.num_vertices, net.source, net.sink
    (80, 0, 79)
    """
    generator = _generator(name, FLOW_GENERATORS)
    check_names(generator, params)
    network: Network = _made(generator, seed, params)
    return network


def _permutation(permute: str) -> tuple[bool, bool]:
    if permute not in PERMUTATIONS:
        raise ValueError(f"permute must be one of {', '.join(PERMUTATIONS)}, not {permute!r}")
    return PERMUTATIONS[permute]


def _made(generator: Generator, seed: int, params: dict[str, Any]) -> Any:
    if "seed" in inspect.signature(generator.function).parameters:
        params["seed"] = seed
    return generator.function(**params)


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
    generator = _generator(name, GENERATORS)
    check_names(generator, params)
    if generator.rank is None:
        return None
    defaults = {parameter.name: parameter.default for parameter in generator.parameters}
    return generator.rank(**(defaults | params))


def parse_parameters(name: str, assignments: Iterable[str]) -> dict[str, Any]:
    """Turn ``key=value`` strings into arguments of `generate`.

    Integers may be written 1000, 1_000, 1e3 or 2^10; several integers with commas; bools as true or false.

    Parameters
    ----------
    name : str
        A key of `GENERATORS` or `FLOW_GENERATORS`.
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
    common: dict[str, type] = {"seed": int} if generator.problem == "flow" else {"seed": int, "permute": str}
    kinds = {parameter.name: parameter.type for parameter in generator.parameters} | common
    params: dict[str, Any] = {}
    for assignment in assignments:
        key, equals, text = assignment.partition("=")
        if not equals:
            raise ValueError(f"expected key=value, not {assignment!r}")
        if key in params:
            raise ValueError(f"{key} is given twice")
        if key not in kinds:
            check_names(generator, {key: text}, common=tuple(common))
        params[key] = parse(key, text, kinds[key])
    return params


def _generator(name: str, known: Mapping[str, Generator]) -> Generator:
    if name not in known:
        raise ValueError(f"unknown generator {name!r}; there are {', '.join(sorted(known))}")
    return known[name]


def _grid_rank(nx: int, ny: int | None) -> int:
    vertices = nx * (nx if ny is None else ny)
    return vertices - vertices % 2


def _full_rank(rows: int, cols: int | None) -> int:
    return rows if cols is None else min(rows, cols)


def _btf_rank(
    block_sizes: Sequence[int], underdetermined: Sequence[int], overdetermined: Sequence[int], **_: Any
) -> int:
    return sum(block_sizes) + underdetermined[0] + overdetermined[1]


GENERATORS: dict[str, Generator] = {
    generator.name: generator
    for generator in (
        describe(uniform.sprand),
        describe(powerlaw.kronecker),
        describe(powerlaw.rmat),
        describe(meshes.delaunay),
        describe(meshes.random_geometric),
        describe(lattices.grid, _grid_rank),
        describe(lattices.road_grid),
        describe(lattices.triangulated_grid),
        describe(bipartite.hilo, lambda n, **_: n),
        describe(bipartite.rbg),
        describe(adversarial.chain, lambda length, copies: length * copies),
        describe(adversarial.dumbbell, lambda length, copies: (2 * length + 4) * copies),
        describe(adversarial.hall_violator, lambda rows, deficiency, **_: rows - deficiency),
        describe(planted.planted_btf, _btf_rank),
        describe(trivial.star, lambda n: 2 if n > 1 else 0),
        describe(trivial.empty, lambda **_: 0),
        describe(trivial.full, _full_rank),
    )
}

FLOW_GENERATORS: dict[str, Generator] = {
    function.__name__: describe(function, problem="flow")
    for function in (
        dimacs.washington_rlg,
        dimacs.washington_mesh,
        dimacs.washington_matching,
        dimacs.genrmf,
        vision.vision_random,
        vision.vision_blobs,
        from_graphs.rmat_flow,
        from_graphs.road_flow,
        from_graphs.rmat_matching,
    )
}

COST_GENERATORS: dict[str, Generator] = {
    function.__name__: describe(function, problem="assignment")
    for function in (
        costs.uniform_costs,
        costs.real_costs,
        point_costs.euclidean_costs,
        costs.machol_wien,
        costs.two_cost,
        point_costs.tracking,
        random_pairs.sparse_costs,
    )
}

FAMILIES = GENERATORS | COST_GENERATORS | FLOW_GENERATORS
