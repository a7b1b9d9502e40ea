"""A family of instances: its parameters, read off its function, and how text becomes their values."""

from __future__ import annotations

import inspect
import math
import re
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


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
        Returns a csr_array; costs, dense or sparse, where the problem is assignment; or a
        `konig.io.Network` where it is flow.
    parameters : tuple of Parameter
        Apart from the seed, which every family takes through `generate`.
    summary : str
        The family in one line.
    reference : str
        Where it comes from; empty if it needs no reference.
    rank : callable or None
        The structural rank as a function of all parameters, where it is known beforehand.
    problem : {"matching", "assignment", "flow"}
        What its instances are for.
    """

    name: str
    function: Callable[..., Any]
    parameters: tuple[Parameter, ...]
    summary: str
    reference: str
    rank: Callable[..., int] | None = None
    problem: str = "matching"


def check_names(generator: Generator, params: Mapping[str, Any], common: Sequence[str] = ()) -> None:
    valid = [parameter.name for parameter in generator.parameters]
    for key in params:
        if key not in valid:
            choice = ", ".join([*valid, *common])
            raise ValueError(f"{generator.name} has no parameter {key!r}; it has {choice}")


def parse(key: str, text: str, kind: type) -> Any:
    """A parameter's value as somebody wrote it."""
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


def describe(
    function: Callable[..., Any], rank: Callable[..., int] | None = None, problem: str = "matching"
) -> Generator:
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
    summary = text.partition("\n")[0]
    return Generator(function.__name__, function, parameters, summary, reference, rank, problem)


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
