"""A family of instances: a function whose decorator names its parameters, their ranges and its source."""

from __future__ import annotations

import functools
import inspect
import math
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ParamSpec, TypeVar, get_args, get_origin

from konig import arguments

P = ParamSpec("P")
R = TypeVar("R")

# The default of a parameter that is as large as another one unless it is given.
SAME: Any = None


@dataclass(frozen=True)
class Parameter:
    """One parameter of a generator; its name, type and default are those of the function's signature."""

    help: str  # what it means, in one paragraph
    least: Any = 0  # the ends of its range, or of that of each of its ints
    most: Any = None
    like: str = ""  # the parameter whose value it takes if it is not given
    length: int | None = None  # how many ints a tuple has, if that is fixed
    name: str = ""
    type: type = int  # int, float, bool or tuple (of ints)
    default: Any = None  # None if another parameter decides

    def checked(self, value: Any) -> Any:
        """The value in the parameter's type, or an error that names the parameter."""
        if value is None and self.default is None:
            return None
        if self.type is bool:
            return arguments.checked_flag(self.name, value)
        if self.type is tuple:
            return arguments.integers(self.name, value, self.length, self.least)
        if self.type is int:
            return arguments.integer(self.name, value, self.least, self.most or arguments.LARGEST)
        return arguments.real(self.name, value, float(self.least), self.most)

    def parsed(self, text: str) -> Any:
        if self.type is tuple:
            return tuple(_parse_int(self.name, part) for part in text.split(",")) if text else ()
        if self.type is int:
            return _parse_int(self.name, text)
        return arguments.parsed(self.name, text, self.type)


def probability(help: str) -> Parameter:
    """A number from 0 to 1."""
    return Parameter(help, most=1.0)


# What these names mean in every family that does not say otherwise.
SHARED: dict[str, Parameter | str] = {
    "rows": "Number of rows.",
    "cols": Parameter("Number of columns; as many as rows if left out.", like="rows"),
    "nx": "Vertices in one direction.",
    "ny": Parameter("Vertices in the other direction; as many as `nx` if left out.", like="nx"),
    "seed": "The same seed gives the same instance.",
}


@dataclass(frozen=True)
class Generator:
    name: str
    # Returns a csr_array; costs, dense or sparse, for assignment; a `konig.io.Network` for flow.
    function: Callable[..., Any]
    parameters: tuple[Parameter, ...]  # without the seed, which every family takes through `generate`
    summary: str  # the family in one line
    reference: str  # where it comes from; empty if it needs no reference
    problem: str = ""  # "matching", "assignment" or "flow"

    def parameter(self, name: str, common: Sequence[Parameter] = ()) -> Parameter:
        """The parameter of that name, or one that several families share; an error that lists both."""
        known = {parameter.name: parameter for parameter in (*self.parameters, *common)}
        if name not in known:
            raise ValueError(f"{self.name} has no parameter {name!r}; it has {', '.join(known)}")
        return known[name]

    def completed(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Every parameter's value, checked; what was not given has its default."""
        values: dict[str, Any] = {}
        for parameter in self.parameters:
            value = parameter.checked(given.get(parameter.name, parameter.default))
            values[parameter.name] = values[parameter.like] if value is None and parameter.like else value
        return values


# The families that each module has, in the order of their definitions.
OF_MODULE: dict[str, list[Generator]] = {}


def family(
    reference: str = "", /, **parameters: Parameter | str
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a function a family: its arguments are checked, its docstring gets all sections.

    The parameters are what the function takes beside those of `SHARED`. Where the range is that of the type,
    the description is enough.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function, eval_str=True)
        described = SHARED | parameters
        assert parameters.keys() <= signature.parameters.keys() <= described.keys(), function

        @functools.wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            given = signature.bind(*args, **kwargs).arguments
            return function(**(given | entry.completed(given)))  # type: ignore[call-arg]

        every = [_parameter(described[name], formal) for name, formal in signature.parameters.items()]
        text = inspect.getdoc(function) or ""
        named = tuple(parameter for parameter in every if parameter.name != "seed")
        entry = Generator(function.__name__, checked, named, text.partition("\n")[0], reference)
        checked.__doc__ = _with_sections(function.__name__, text, every, reference)
        OF_MODULE.setdefault(function.__module__, []).append(entry)
        return checked

    return decorate


def _parameter(described: Parameter | str, formal: inspect.Parameter) -> Parameter:
    parameter = Parameter(described) if isinstance(described, str) else described
    hint = (get_args(formal.annotation) or (formal.annotation,))[0]  # without the None of an optional one
    kind = tuple if get_origin(formal.annotation) is Sequence else hint
    return replace(parameter, name=formal.name, type=kind, default=formal.default)


def _with_sections(name: str, text: str, parameters: Sequence[Parameter], reference: str) -> str:
    """A docstring with sections: the parameters, the reference, and the examples, which import the family."""
    description, prompt, examples = text.partition("\n>>> ")
    lines = ["Parameters", "----------"]
    for parameter in parameters:
        lines += [f"{parameter.name} : {parameter.type.__name__}", *_wrapped(parameter.help, "    ")]
    if reference:
        lines += ["", "References", "----------", *_wrapped(reference)]
    lines += ["", "Examples", "--------", f">>> from konig.lab.generators import {name}"]
    return "\n".join([description.rstrip(), "", *lines]) + prompt + examples


def _wrapped(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(text, 100, initial_indent=indent, subsequent_indent=indent)


def _parse_int(key: str, text: str) -> int:
    power = re.fullmatch(r"(\d{1,3})(?:\^|\*\*)(\d{1,3})", text)
    scientific = re.fullmatch(r"(\d{1,9})[eE]\+?(\d{1,2})", text)
    if power:
        return math.prod([int(power[1])] * int(power[2]))
    if scientific:
        return math.prod([int(scientific[1])] + [10] * int(scientific[2]))
    return int(arguments.parsed(key, text, int))
