"""A case of matching: its calls, its entries as source text, and fewer entries."""

from __future__ import annotations

from collections.abc import Iterator

from ..case import Case, Draw
from ..settings import Settings
from .calls import draw_calls
from .patterns import Entries, draw_pattern

Listed = tuple[int, int, Entries]


def make_case(
    seed: int, number: int, settings: Settings, families: tuple[str, ...] = (), largest: int = 400
) -> Case:
    draw = Draw("matching", seed, number)
    name, n, m, entries = draw_pattern(draw, families, largest)
    calls = draw_calls(draw, n, m, entries, settings)
    return Case("matching", name, (n, m, len(entries)), calls, (n, m, entries), source, smaller)


def source(listed: Listed) -> str:
    return f"shape, entries = {listed[:2]}, {listed[2]}"


def smaller(listed: Listed) -> Iterator[Listed]:
    """One entry less, one empty line at the end less."""
    n, m, entries = listed
    for k in range(len(entries)):
        yield n, m, entries[:k] + entries[k + 1 :]
    if n and all(i < n - 1 for i, _ in entries):
        yield n - 1, m, entries
    if m and all(j < m - 1 for _, j in entries):
        yield n, m - 1, entries
