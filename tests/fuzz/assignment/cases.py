"""Assignment: a case, and its input as source text."""

from __future__ import annotations

import numpy as np

from ..case import Case, Draw
from ..settings import Settings
from .calls import draw_calls
from .costs import draw_costs


def make_case(seed: int, number: int, settings: Settings, families: tuple[str, ...] = (), largest: int = 700) -> Case:
    draw = Draw("assignment", seed, number)
    name, C = draw_costs(draw, families, largest)
    return Case("assignment", name, C.shape, draw_calls(draw, C, settings), lambda: _source(C))


def _source(C: np.ndarray) -> str:
    values = np.array2string(C, separator=", ", threshold=10**6, floatmode="unique", max_line_width=100)
    return f"C = np.array({values}, np.{C.dtype.name})"
