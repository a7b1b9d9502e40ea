"""Matching and block triangular forms: a case, and its input as source text."""

from __future__ import annotations

from ..case import Case, Draw
from ..settings import Settings
from .calls import draw_calls
from .patterns import draw_pattern


def make_case(seed: int, number: int, settings: Settings, families: tuple[str, ...] = (), largest: int = 400) -> Case:
    draw = Draw("matching", seed, number)
    name, n, m, entries = draw_pattern(draw, families, largest)
    calls = draw_calls(draw, n, m, entries, settings)
    return Case("matching", name, (n, m, len(entries)), calls, lambda: f"shape, entries = {(n, m)}, {entries}")
