"""Knobs written as text, ``name=value``: for the command line and for lists of methods to compare."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from konig import registry

_WORDS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def parse_knobs(method: str, settings: Iterable[str]) -> dict[str, Any]:
    """The settings of a matching method, each in its knob's own type.

    A knob that the method does not have keeps its text: the solver will refuse it and list the valid ones.

    Examples
    --------
    >>> from konig.knob_text import parse_knobs
    >>> parse_knobs("hk", ["init=ksm"])
    {'init': 'ksm'}
    """
    known = {m.name: m for m in registry.methods("matching")}
    defaults = {knob.name: knob.default for knob in known[method].options} if method in known else {}
    values: dict[str, Any] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals or not name:
            raise ValueError(f"expected name=value, not {setting!r}")
        if name in values:
            raise ValueError(f"{name} is set twice")
        values[name] = _value(name, text, defaults.get(name))
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
