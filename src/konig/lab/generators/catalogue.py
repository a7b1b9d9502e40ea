"""Every generator by name, with its parameters: what ``konig generate`` offers."""

from __future__ import annotations

import inspect
import math
import re
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scipy import sparse

from konig.lab.generators import adversarial, bipartite, lattices, meshes, planted, powerlaw, trivial, uniform
from konig.lab.generators.permutation import permute as permuted

PERMUTATIONS = {"none": (False, False), "rows": (True, False), "cols": (False, True), "both": (True, True)}


@dataclass(frozen=True)
class Parameter:
    """One parameter of a generator.

    Attributes
    ----------
    name : str
    type : type
        int, float, bool or tuple (of ints).
    default : object
        What is used when it is not given; None if another parameter decides.
    help : str
        What it means, in one paragraph.
    """

    name: str
    type: type
    default: Any
    help: str


@dataclass(frozen=True)
class Generator:
    """One family of instances.

    Attributes
    ----------
    name : str
    function : callable
    parameters : tuple of Parameter
        Apart from the seed, which every family takes through `generate`.
    summary : str
        The family in one line.
    reference : str
        Where it comes from; empty if it needs no reference.
    rank : callable or None
        The structural rank as a function of all parameters, where it is known beforehand.
    """

    name: str
    function: Callable[..., sparse.csr_array]
    parameters: tuple[Parameter, ...]
    summary: str
    reference: str
    rank: Callable[..., int] | None = None


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
    generator = _generator(name)
    _check_names(generator, params)
    if permute not in PERMUTATIONS:
        raise ValueError(f"permute must be one of {', '.join(PERMUTATIONS)}, not {permute!r}")
    if "seed" in inspect.signature(generator.function).parameters:
        params["seed"] = seed
    pattern = generator.function(**params)
    rows, cols = PERMUTATIONS[permute]
    return permuted(pattern, rows, cols, seed) if rows or cols else pattern


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
    generator = _generator(name)
    _check_names(generator, params)
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
        A key of `GENERATORS`.
    assignments : iterable of str
        One parameter each; ``seed`` and ``permute`` are understood for every family.

    Returns
    -------
    dict
        Typed keyword arguments for ``generate(name, ...)``.

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
    generator = _generator(name)
    kinds = {parameter.name: parameter.type for parameter in generator.parameters}
    kinds |= {"seed": int, "permute": str}
    params: dict[str, Any] = {}
    for assignment in assignments:
        key, equals, text = assignment.partition("=")
        if not equals:
            raise ValueError(f"expected key=value, not {assignment!r}")
        if key in params:
            raise ValueError(f"{key} is given twice")
        if key not in kinds:
            _check_names(generator, {key: text}, common=("seed", "permute"))
        params[key] = _parse(key, text, kinds[key])
    return params


def _generator(name: str) -> Generator:
    if name not in GENERATORS:
        raise ValueError(f"unknown generator {name!r}; there are {', '.join(sorted(GENERATORS))}")
    return GENERATORS[name]


def _check_names(generator: Generator, params: Mapping[str, Any], common: Sequence[str] = ()) -> None:
    valid = [parameter.name for parameter in generator.parameters]
    for key in params:
        if key not in valid:
            choice = ", ".join([*valid, *common])
            raise ValueError(f"{generator.name} has no parameter {key!r}; it has {choice}")


def _parse(key: str, text: str, kind: type) -> Any:
    if kind is str:
        return text
    if kind is bool:
        return _parse_bool(key, text)
    if kind is tuple:
        return tuple(_parse_int(key, part) for part in text.split(",")) if text else ()
    if kind is int:
        return _parse_int(key, text)
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{key} must be a number, not {text!r}") from None


def _parse_bool(key: str, text: str) -> bool:
    words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    if text.lower() not in words:
        raise ValueError(f"{key} must be true or false, not {text!r}")
    return words[text.lower()]


def _parse_int(key: str, text: str) -> int:
    power = re.fullmatch(r"(\d{1,3})(?:\^|\*\*)(\d{1,3})", text)
    scientific = re.fullmatch(r"(\d{1,9})[eE]\+?(\d{1,2})", text)
    if power:
        return math.prod([int(power[1])] * int(power[2]))
    if scientific:
        return math.prod([int(scientific[1])] + [10] * int(scientific[2]))
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{key} must be an integer, not {text!r}") from None


def _describe(function: Callable[..., sparse.csr_array], rank: Callable[..., int] | None = None) -> Generator:
    """Gather a generator's entry from its signature and its docstring."""
    text = inspect.getdoc(function) or ""
    helps = _helps(_section(text, "Parameters"))
    hints = typing.get_type_hints(function)
    parameters = tuple(
        Parameter(name, _plain_type(hints[name]), parameter.default, helps.get(name, ""))
        for name, parameter in inspect.signature(function).parameters.items()
        if name != "seed"
    )
    reference = " ".join(_section(text, "References").split())
    return Generator(function.__name__, function, parameters, text.partition("\n")[0], reference, rank)


def _section(text: str, title: str) -> str:
    found = re.search(rf"^{title}\n-+\n(.*?)(?=^\w+\n-+\n|\Z)", text, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def _helps(section: str) -> dict[str, str]:
    entries = re.findall(r"^(\w+) : .*\n((?:[ \t]+.*\n?)+)", section, re.MULTILINE)
    return {name: " ".join(text.split()) for name, text in entries}


def _plain_type(hint: Any) -> type:
    """Return the type in ``type | None``; a sequence is given as a tuple."""
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        hint = next(part for part in typing.get_args(hint) if part is not types.NoneType)
    return tuple if typing.get_origin(hint) is Sequence else hint


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
        _describe(uniform.sprand),
        _describe(powerlaw.kronecker),
        _describe(powerlaw.rmat),
        _describe(meshes.delaunay),
        _describe(meshes.random_geometric),
        _describe(lattices.grid, _grid_rank),
        _describe(lattices.road_grid),
        _describe(lattices.triangulated_grid),
        _describe(bipartite.hilo, lambda n, **_: n),
        _describe(bipartite.rbg),
        _describe(adversarial.chain, lambda length, copies: length * copies),
        _describe(adversarial.dumbbell, lambda length, copies: (2 * length + 4) * copies),
        _describe(adversarial.hall_violator, lambda rows, deficiency, **_: rows - deficiency),
        _describe(planted.planted_btf, _btf_rank),
        _describe(trivial.star, lambda n: 2 if n > 1 else 0),
        _describe(trivial.empty, lambda **_: 0),
        _describe(trivial.full, _full_rank),
    )
}
