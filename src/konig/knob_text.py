"""Knobs written as text, ``name=value``: for the command line and for lists of methods to compare."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from konig import registry

_WORDS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def parse_knobs(method: str, settings: Iterable[str], problem: str = "matching") -> dict[str, Any]:
    """The settings of a method for a problem, each in its knob's own type.

    Raises
    ------
    ValueError
        When there is no such method, or a setting is not ``name=value``, is repeated, has no such knob or no
        value of its type.

    Examples
    --------
    >>> from konig.knob_text import parse_knobs
    >>> parse_knobs("hk", ["init=ksm"])
    {'init': 'ksm'}
    """
    options = () if method == "auto" else registry.find(method, problem).options
    defaults = {knob.name: knob.default for knob in options}
    values: dict[str, Any] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals or not name:
            raise ValueError(f"expected name=value, not {setting!r}")
        if name in values:
            raise ValueError(f"{name} is set twice")
        if name not in defaults:
            valid = ", ".join(defaults) or "none"
            raise ValueError(f"method {method!r} has no knob {name!r}; its knobs are: {valid}")
        values[name] = _value(name, text, defaults[name])
    return values


def _value(name: str, text: str, default: Any) -> Any:
    if isinstance(default, bool):
        if text.lower() not in _WORDS:
            raise ValueError(f"{name} must be true or false, not {text!r}")
        return _WORDS[text.lower()]
    if isinstance(default, int | float):
        try:
            return type(default)(text)
        except ValueError:
            kind = "an integer" if isinstance(default, int) else "a number"
            raise ValueError(f"{name} must be {kind}, not {text!r}") from None
    return text
