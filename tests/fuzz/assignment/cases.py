"""A case of assignment: its calls, its costs as source text, and smaller costs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..case import Case, Draw
from ..exact import simpler
from ..settings import Settings
from .calls import Solver, draw_calls
from .costs import draw_costs


def make_case(
    seed: int, number: int, settings: Settings, families: tuple[str, ...] = (), largest: int = 700
) -> Case:
    draw = Draw("assignment", seed, number)
    name, C = draw_costs(draw, families, largest)
    solver = Solver(draw, C, settings)
    return Case("assignment", name, C.shape, draw_calls(solver), solver.C, source, smaller)


def source(C: np.ndarray) -> str:
    values = np.array2string(C, separator=", ", threshold=10**6, floatmode="unique", max_line_width=100)
    return f"C = np.array({values}, np.{C.dtype.name})".replace("inf", "np.inf")


def smaller(C: np.ndarray) -> Iterator[np.ndarray]:
    """Half of the lines, one line less, one cost simpler."""
    n, m = C.shape
    if n > 8 or m > 8:
        yield from (C[: n // 2], C[n // 2 :], C[:, : m // 2], C[:, m // 2 :])
    for axis, extent in enumerate((n, m)):
        for k in range(extent):
            yield np.delete(C, k, axis)
    for at in np.ndindex(C.shape) if C.size <= 64 else ():
        for value in simpler(C[at]):
            copy = C.copy()
            copy[at] = value
            yield copy
