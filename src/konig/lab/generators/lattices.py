"""Cells of a lattice and their neighbours."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from konig.lab.generators.draws import Ints

Step = tuple[int, ...]


def steps(dimensions: int, corners: bool = False) -> list[Step]:
    """Half of the steps to a neighbour, across corners too if so asked; the others are their opposites.

    >>> from konig.lab.generators.lattices import steps
    >>> steps(2), steps(2, corners=True)
    ([(0, 1), (1, 0)], [(0, 1), (1, -1), (1, 0), (1, 1)])
    """
    every = (tuple(k - 1 for k in index) for index in np.ndindex(*([3] * dimensions)))
    return [step for step in every if step > (0,) * dimensions and (corners or sum(map(abs, step)) == 1)]


def neighbours(shape: Step, taken: Sequence[Step]) -> tuple[Ints, Ints, Ints]:
    """The numbers of the cells, and the pairs of cells that a step leads from and to.

    >>> from konig.lab.generators.lattices import neighbours
    >>> cells, tail, head = neighbours((2, 2), [(0, 1), (1, 0)])
    >>> cells.tolist(), tail.tolist(), head.tolist()
    ([[0, 1], [2, 3]], [0, 2, 0, 1], [1, 3, 2, 3])
    """
    cells = np.arange(math.prod(shape)).reshape(shape)
    tails, heads = [], []
    for step in taken:
        from_ = tuple(slice(max(-s, 0), n - max(s, 0)) for s, n in zip(step, shape, strict=True))
        to = tuple(slice(max(s, 0), n - max(-s, 0)) for s, n in zip(step, shape, strict=True))
        tails.append(cells[from_].ravel())
        heads.append(cells[to].ravel())
    return cells, np.concatenate(tails), np.concatenate(heads)
