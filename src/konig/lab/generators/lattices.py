"""Adjacency of planar lattices, assembled row by row without sorting: the largest meshes are cheap."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from konig.lab.generators.draws import Draws
from konig.lab.generators.family import SAME, family, probability, whole
from konig.lab.generators.pattern import from_offsets

Mask = NDArray[np.bool_]
NX = whole("Vertices in one direction.")
NY = whole("Vertices in the other direction; as many as `nx` if left out.", like="nx")


@family(
    "matching",
    rank=lambda nx, ny: nx * ny - nx * ny % 2,
    nx=NX,
    ny=NY,
)
def grid(nx: int = 32, ny: int = SAME) -> sparse.csr_array:
    """Adjacency of a rectangular grid: every vertex knows its four neighbours.

    Vertex (x, y) has number ``x * ny + y``. The structural rank is ``nx * ny``, less one when that is odd.

    Examples
    --------
    >>> from konig.lab.generators import grid
    >>> grid(2, 3).toarray()
    array([[0, 1, 0, 1, 0, 0],
           [1, 0, 1, 0, 1, 0],
           [0, 1, 0, 0, 0, 1],
           [1, 0, 0, 0, 1, 0],
           [0, 1, 0, 1, 0, 1],
           [0, 0, 1, 0, 1, 0]], dtype=int8)
    """
    along, across = np.ones((nx, max(ny - 1, 0)), bool), np.ones((max(nx - 1, 0), ny), bool)
    return _lattice(nx, ny, along, across)


@family(
    "matching",
    nx=NX,
    ny=NY,
    keep=probability("Probability that an edge of the grid is kept, edges being independent."),
)
def road_grid(nx: int = 32, ny: int = SAME, keep: float = 0.65, seed: int = 0) -> sparse.csr_array:
    """Grid that keeps each edge with a given probability: sparse, long paths, like a road network.

    Examples
    --------
    >>> from konig.lab.generators import grid, road_grid
    >>> A = road_grid(30, 40, keep=0.5, seed=1)
    >>> A.shape, A.nnz < grid(30, 40).nnz, (A != A.T).nnz
    ((1200, 1200), True, 0)
    """
    draws = Draws(seed)
    along = draws.uniform(nx * max(ny - 1, 0)).reshape(nx, max(ny - 1, 0)) < keep
    across = draws.uniform(max(nx - 1, 0) * ny).reshape(max(nx - 1, 0), ny) < keep
    return _lattice(nx, ny, along, across)


@family(
    "matching",
    nx=NX,
    ny=NY,
    flip=probability(
        "Probability that a cell's diagonal joins (x, y + 1) and (x + 1, y), not (x, y) and (x + 1, y + 1).",
    ),
)
def triangulated_grid(nx: int = 32, ny: int = SAME, flip: float = 0.5, seed: int = 0) -> sparse.csr_array:
    """Grid with one random diagonal in every cell: a cheap stand-in for a huge triangular mesh.

    Inner vertices have six neighbours on average, as in a Delaunay triangulation, and four to eight in
    fact when diagonals are random.

    Examples
    --------
    >>> from konig.lab.generators import triangulated_grid
    >>> A = triangulated_grid(30, 40, seed=1)
    >>> A.shape, A.nnz == 2 * (29 * 40 + 30 * 39 + 29 * 39)
    ((1200, 1200), True)
    """
    along, across = np.ones((nx, max(ny - 1, 0)), bool), np.ones((max(nx - 1, 0), ny), bool)
    cells = (max(nx - 1, 0), max(ny - 1, 0))
    flipped = Draws(seed).uniform(cells[0] * cells[1]).reshape(cells) < flip
    return _lattice(nx, ny, along, across, flipped)


def _lattice(nx: int, ny: int, along: Mask, across: Mask, flipped: Mask | None = None) -> sparse.csr_array:
    """Return the adjacency of the edges present.

    ``along[x, y]`` joins (x, y) and (x, y + 1); ``across[x, y]`` joins (x, y) and (x + 1, y);
    ``flipped[x, y]`` chooses the diagonal of the cell at (x, y).
    """
    steps = np.array([-ny - 1, -ny, -ny + 1, -1, 1, ny - 1, ny, ny + 1])
    present = np.zeros((nx, ny, 8), dtype=bool)
    present[1:, :, 1] = present[:-1, :, 6] = across
    present[:, 1:, 3] = present[:, :-1, 4] = along
    if flipped is None:
        present, steps = present[:, :, [1, 3, 4, 6]], steps[[1, 3, 4, 6]]
    else:
        present[1:, 1:, 0] = present[:-1, :-1, 7] = ~flipped
        present[1:, :-1, 2] = present[:-1, 1:, 5] = flipped
    return from_offsets(present.reshape(nx * ny, steps.size), steps, nx * ny)
