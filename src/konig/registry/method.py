"""A method under its own name, and its knobs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Any

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


TEAM = Knob(
    "team", "threads", "who works on the CPU: threads, or one worker in random order", ("threads", "shuffled")
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

    def settings(self, given: Mapping[str, Any]) -> dict[str, bool | int | float | str]:
        """Every knob's value; unknown knobs are an error that lists the valid ones."""
        known = {knob.name: knob for knob in self.options}
        for name in given:
            if name not in known:
                valid = ", ".join(known) or "none"
                raise TypeError(f"method {self.name!r} has no knob {name!r}; its knobs are: {valid}")
        return {
            knob.name: knob.checked(self.name, given[knob.name]) if knob.name in given else knob.default
            for knob in self.options
        }
