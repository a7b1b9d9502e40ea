"""Every method under its own name: the problem, where it runs, the paper it comes from and its knobs.

The methods themselves are in the rooms' tables: ``konig.matching.methods``, ``konig.assignment.methods`` and
``konig.flow.methods``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from numbers import Integral, Real
from typing import Any

from konig.arguments import did_you_mean, parameters, parsed, with_hints

# What a knob takes, by the type of its default; NumPy's numbers are among them.
_TAKEN: dict[type, Any] = {bool: bool, int: Integral, float: Real, str: str}


@dataclass(frozen=True)
class Knob:
    """A setting of a method.

    A knob with ``choices`` takes one of them; otherwise it takes a value of the default's type, and not less
    than ``minimum`` where one is given.
    """

    name: str
    default: bool | int | float | str
    help: str
    choices: tuple[str, ...] = ()
    minimum: float | None = None

    def checked(self, method: str, value: Any) -> bool | int | float | str:
        """The value in the knob's own type, or an error that names the knob."""
        kind = type(self.default)
        if self.choices:
            if isinstance(value, int) and not isinstance(value, bool):
                value = str(value)
            if value not in self.choices:
                raise ValueError(
                    f"{self.name}={value!r}: method {method!r} takes one of {', '.join(self.choices)}"
                )
            return str(value)
        if not isinstance(value, _TAKEN[kind]) or (isinstance(value, bool) and kind is not bool):
            raise TypeError(f"{self.name}={value!r}: method {method!r} takes a {kind.__name__}")
        if self.minimum is not None and not value >= self.minimum:
            raise ValueError(f"{self.name}={value!r}: method {method!r} takes at least {self.minimum:g}")
        return kind(value)


# Who works on a CPU, an argument ``_team`` for tests: it is in no method's options.
TEAM = Knob(
    "_team",
    "threads",
    "who works on the CPU: threads, or one worker in random order",
    ("threads", "shuffled"),
)


@dataclass(frozen=True)
class Method:
    """A solver under its own name.

    Attributes
    ----------
    name, problem, summary, paper : str
        What it is called, what it solves, what it does in a line and where it comes from.
    devices : tuple of str
        Where it runs.
    options : tuple of Knob
        Its knobs with their defaults, which are the paper's.
    """

    name: str
    problem: str
    devices: tuple[str, ...]
    paper: str
    summary: str
    options: tuple[Knob, ...] = ()
    # How the backend runs it: the native solver, the settings that make it this variant, and the
    # orientations of the graph that it reads.
    solver: str = field(default="", repr=False)
    variant: Mapping[str, bool | int | float | str] = field(default_factory=dict, repr=False)
    reads: tuple[str, ...] = field(default=("rows", "cols"), repr=False)
    parallel: bool = field(default=False, repr=False)  # whether it uses more than one thread on a CPU
    on_team: bool = field(default=False, repr=False)  # whether a team of workers runs it, on a CPU or a GPU

    def settings(self, given: Mapping[str, Any]) -> dict[str, bool | int | float | str]:
        """Every knob's value; unknown knobs are an error that lists the valid ones."""
        known = {knob.name: knob for knob in (*self.options, *([TEAM] if self.on_team else []))}
        for name in given:
            if name not in known:
                valid = [knob.name for knob in self.options]
                raise TypeError(_no_knob(self.name, name, valid, _taken_by_all(self.problem)))
        return {
            name.removeprefix("_"): knob.checked(self.name, given[name]) if name in given else knob.default
            for name, knob in known.items()
        }


def unknown_argument(function: Callable[..., Any], knobs: Iterable[str]) -> TypeError:
    """The error for arguments that neither a public function has nor ``auto``, which has no knobs."""
    name = next(iter(knobs))
    of_others = any(name == knob.name for method in methods() for knob in method.options)
    hint = "" if of_others else did_you_mean(name, parameters(function))
    if hint:
        return TypeError(f"{function.__name__} has no argument {name!r}{hint}")
    return TypeError(f"method 'auto' has no knob {name!r}; name a method to set its knobs")


def _no_knob(method: str, name: str, knobs: list[str], arguments: list[str]) -> str:
    hint = did_you_mean(name, [*knobs, *arguments])
    valid = ", ".join(knobs) or "none"
    return f"method {method!r} has no knob {name!r}; its knobs are: {valid}{hint}"


def _taken_by_all(problem: str) -> list[str]:
    """The arguments that the function of a problem takes with every method."""
    from konig.assignment import linear_assignment
    from konig.flow import maximum_flow
    from konig.matching import maximum_matching

    functions: dict[str, Callable[..., Any]]
    functions = {"matching": maximum_matching, "assignment": linear_assignment, "flow": maximum_flow}
    return parameters(functions[problem])


@with_hints
def methods(problem: str | None = None) -> tuple[Method, ...]:
    """Every method, or those of one problem; the first of a problem is ``auto``.

    Examples
    --------
    >>> import konig
    >>> [method.name for method in konig.methods("matching")][:3]
    ['auto', 'hk', 'hkdw']
    """
    known = _tables()
    if problem is not None and problem not in known:
        hint = did_you_mean(problem, known) if isinstance(problem, str) else ""
        raise ValueError(f"problem={problem!r}: expected one of {', '.join(sorted(known))}{hint}")
    chosen = known.values() if problem is None else [known[problem]]
    return tuple(method for table in chosen for method in table.values())


def named_methods(problem: str) -> tuple[Method, ...]:
    """The methods of a problem without ``auto``."""
    return methods(problem)[1:]


@cache
def _tables() -> dict[str, dict[str, Method]]:
    """All methods by problem and name. They are made of the classes above, hence the late imports."""
    from konig.assignment.methods import ASSIGNMENT_METHODS
    from konig.flow.methods import FLOW_METHODS
    from konig.matching.methods import MATCHING_METHODS

    tables = {"matching": MATCHING_METHODS, "assignment": ASSIGNMENT_METHODS, "flow": FLOW_METHODS}
    return {problem: {method.name: method for method in table} for problem, table in tables.items()}


def find(name: Any, problem: str) -> Method:
    """The method of that name, or an error that lists the valid ones."""
    from konig.matching.methods import MATCHING_ALIASES

    table = _tables()[problem]
    method = table.get(MATCHING_ALIASES.get(name, name)) if isinstance(name, str) else None
    if method is None or name == "auto":
        valid = ", ".join(table)
        article = "an" if problem[0] in "aeiou" else "a"
        hint = did_you_mean(name, (*table, *MATCHING_ALIASES)) if isinstance(name, str) else ""
        raise ValueError(
            f"method={name!r} is not {article} {problem} method{hint or f'; expected one of {valid}'}"
        )
    return method


def choose_device(method: Method | None, device: str, input_on: int | None = None) -> tuple[str, int | None]:
    """Where it runs: ("cpu", None), or ("cuda", number) with None for the current device.

    ``auto`` is where the input lives, as far as the method runs there: the CPU, or the GPU that holds it.
    """
    kind, number = parse_device(device)
    if kind == "auto":
        stays = input_on is not None and (method is None or "cuda" in method.devices)
        kind = "cuda" if stays else "cpu"
    if kind == "cuda" and number is None:
        number = input_on
    if method is not None and kind not in method.devices:
        fitting = ", ".join(m.name for m in named_methods(method.problem) if kind in m.devices)
        raise ValueError(
            f"device={device!r}: method {method.name!r} runs on {' and '.join(method.devices)} only; "
            f"methods for {kind}: {fitting}"
        )
    return kind, number


def device_for_auto(device: Any, input_on: int | None) -> str:
    """Where ``auto`` solves: on the "cpu", or on "cuda" if that was asked for or a GPU holds the input."""
    kind = parse_device(device)[0]
    return "cuda" if kind == "cuda" or (kind == "auto" and input_on is not None) else "cpu"


def parse_device(device: Any) -> tuple[str, int | None]:
    """The kind of device and its number, if one was given."""
    kind, colon, number = device.partition(":") if isinstance(device, str) else ("", "", "")
    if kind in ("auto", "cpu", "cuda") and not colon:
        return kind, None
    if kind == "cuda" and number.isascii() and number.isdigit():
        return kind, int(number)
    raise ValueError(f"device={device!r}: expected 'auto', 'cpu', 'cuda' or 'cuda:N'")


def parse_knobs(method: str, settings: Iterable[str], problem: str = "matching") -> dict[str, Any]:
    """The settings of a method written as text, ``name=value``, each in its knob's own type.

    Raises
    ------
    ValueError
        When there is no such method, or a setting is not ``name=value``, is repeated, has no such knob or no
        value of its type.

    Examples
    --------
    >>> from konig.registry import parse_knobs
    >>> parse_knobs("hk", ["init=ksm"])
    {'init': 'ksm'}
    """
    options = () if method == "auto" else find(method, problem).options
    defaults = {knob.name: knob.default for knob in options}
    values: dict[str, Any] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals or not name:
            raise ValueError(f"expected name=value, not {setting!r}")
        if name in values:
            raise ValueError(f"{name} is set twice")
        if name not in defaults:
            raise ValueError(_no_knob(method, name, list(defaults), []))
        values[name] = parsed(name, text, type(defaults[name]))
    return values
