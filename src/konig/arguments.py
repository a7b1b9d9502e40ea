"""Arguments, checked: every message names the argument and what was expected."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable
from functools import wraps
from numbers import Real
from typing import Any, TypeVar

import numpy as np

Number = TypeVar("Number", int, float)
Function = TypeVar("Function", bound=Callable[..., Any])

LARGEST = 2**40  # of a size: no memory holds more of anything
MOST_THREADS = 1024  # more would only wait for each other
_WORDS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """The end of an error about a name that is not known: the one that is nearest, or nothing."""
    from difflib import get_close_matches

    by_lower_case = {name.lower(): name for name in known}
    near = get_close_matches(given.lower(), by_lower_case, 1, 0.7)
    return f"; did you mean {by_lower_case[near[0]]!r}?" if near else ""


def how_to_read(value: Any) -> str:
    """The end of an error about a graph or a table of another library: the function that reads it."""
    library = type(value).__module__.partition(".")[0]
    tables = dict.fromkeys(("pandas", "polars", "pyarrow"), "from_frame")
    reader = {"networkx": "from_networkx", "igraph": "from_igraph", **tables}.get(library)
    return f"; konig.{reader} reads it" if reader else ""


def parameters(function: Callable[..., Any]) -> list[str]:
    """What a function takes by name."""
    from inspect import Parameter, signature

    named = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    return [name for name, given in signature(function).parameters.items() if given.kind in named]


def with_hints(function: Function) -> Function:
    """The same function, whose error for an argument that it does not have names the nearest it has.

    For functions without ``**knobs``; Python itself does so from 3.13 on.
    """

    @wraps(function)
    def call(*args: Any, **named: Any) -> Any:
        try:
            return function(*args, **named)
        except TypeError as problem:
            here = problem.__traceback__
            unknown = re.search(r"unexpected keyword argument '(\w+)'$", str(problem))
            if unknown is None or here is None or here.tb_next is not None:  # an error of the function's own
                raise
            raise TypeError(f"{problem}{did_you_mean(unknown[1], parameters(function))}") from None

    return call  # type: ignore[return-value]


def parsed(name: str, text: str, kind: type) -> Any:
    """The bool, int, float or str that a text says, or an error that names the argument."""
    if kind is bool and text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        if kind is not bool:
            return kind(text)
    except ValueError:
        pass
    wanted = {bool: "true or false", int: "an integer"}.get(kind, "a number")
    raise ValueError(f"{name} must be {wanted}, not {text!r}")


def checked_flag(name: str, value: Any) -> bool:
    """The value as a bool, or an error that names the argument: the word "no" is true in Python."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, not {value!r}")
    return bool(value)


def checked_count(name: str, value: Any, least: int = 1, most: int | None = None) -> int | None:
    """The value as an int between `least` and `most`, or None if it is None."""
    return None if value is None else _within(name, whole(name, value), least, most)


def integer(name: str, value: Any, least: int = 0, most: int | None = LARGEST) -> int:
    """Return `value` as an int between `least` and `most`, which is None for any size."""
    return _within(name, whole(name, value), least, most)


def real(name: str, value: Any, least: float = 0.0, most: float | None = None) -> float:
    """Return `value` as a finite float between `least` and `most`."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError(f"{name} must be a number, not {value!r}")
    try:
        number = float(value)
    except OverflowError:  # an integer beyond them
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"{name} must be finite, not {value!r}")
    return _within(name, number, least, most)


def integers(name: str, value: Any, length: int | None = None, least: int = 0) -> tuple[int, ...]:
    """Return `value` as a tuple of ints, each at least `least`."""
    if not isinstance(value, Iterable):
        raise TypeError(f"{name} must be a sequence of integers, not {value!r}")
    numbers = tuple(integer(f"{name}[{i}]", entry, least) for i, entry in enumerate(value))
    if length is not None and len(numbers) != length:
        raise ValueError(f"{name} must have {length} entries, not {len(numbers)}")
    return numbers


def whole(name: str, value: Any) -> int:
    """Return `value` as an int of any size; True and False are none."""
    try:
        if not isinstance(value, bool):
            return operator.index(value)
    except TypeError:
        pass
    raise TypeError(f"{name} must be an integer, not {value!r}")


def _within(name: str, number: Number, least: float, most: float | None) -> Number:
    if number < least:
        raise ValueError(f"{name} must be at least {least}, not {number}")
    if most is not None and number > most:
        raise ValueError(f"{name} must be at most {most}, not {number}")
    return number
