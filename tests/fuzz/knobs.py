"""Methods of the CPU and their own settings, drawn from the public table."""

from __future__ import annotations

from functools import cache
from typing import Any

from konig.registry import named_methods

from .case import Draw


def draw_threads(draw: Draw, threads: tuple[int | None, ...]) -> dict[str, Any]:
    """The argument that sets the number of workers; none for None."""
    count = draw.some(threads)
    return {} if count is None else {"threads": count}


@cache
def methods(problem: str) -> tuple[Any, ...]:
    return tuple(method for method in named_methods(problem) if "cpu" in method.devices)


def draw_how(
    draw: Draw, problem: str, threads: tuple[int | None, ...], without: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Arguments that name a method: most of the time with its defaults, else with a knob or two turned."""
    method = draw.some([method for method in methods(problem) if not method.name.startswith(without)])
    how: dict[str, Any] = {"method": method.name} | draw_threads(draw, threads)
    if draw.chance(0.2):
        how["seed"] = draw.randrange(1000)
    for knob in method.options:
        if draw.chance(0.8):
            continue
        if knob.choices:
            how[knob.name] = draw.some(knob.choices)
        elif isinstance(knob.default, bool):
            how[knob.name] = not knob.default
        elif isinstance(knob.default, float):
            how[knob.name] = max(draw.some((0.5, 1.0, 3.0)), knob.minimum or 0.0)
    if method.on_team and draw.chance(0.1):
        how["_team"] = "shuffled"
    return how


def beyond_a_method(error: Exception) -> bool:
    """Whether a method says that it is not made for inputs of this size: those that scan all arcs say so."""
    return "takes at most" in str(error)
