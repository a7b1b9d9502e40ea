"""Planar meshes: graphs of random points in the unit square, and lattices; symmetric, without loops.

Points are numbered along a Hilbert curve. Lattices are assembled row by row without sorting, so that the
largest are cheap.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from konig.lab.generators.draws import Draws, Ints
from konig.lab.generators.family import SAME, family, probability
from konig.lab.generators.pattern import from_edges, from_offsets

Mask = NDArray[np.bool_]
HILBERT_BITS = 20


@family(
    "Holtgrewe, Sanders and Schulz, Engineering a scalable high quality graph partitioner, IEEE "
    "International Symposium on Parallel and Distributed Processing, 2010 (the family); Barber, Dobkin and "
    "Huhdanpaa, The Quickhull algorithm for convex hulls, ACM Transactions on Mathematical Software 22, "
    "1996.",
    n="Number of points.",
)
def delaunay(n: int = 1000, seed: int = 0) -> sparse.csr_array:
    """Delaunay triangulation of random points in the unit square.

    The points are numbered along a Hilbert curve, so that entries lie near the diagonal as in the family
    ``delaunay_nXX`` of the tenth DIMACS challenge, where ``n = 2**XX``.

    >>> A = delaunay(500, seed=1)
    >>> A.shape, A.nnz < 6 * 500, (A != A.T).nnz
    ((500, 500), True, 0)
    """
    from scipy.spatial import Delaunay

    points = _points(n, seed)
    if n < 4:
        tails, heads = np.triu_indices(n, k=1)
        return from_edges(tails, heads, n)
    corners = Delaunay(points).simplices.astype(np.int64)
    return from_edges(corners.ravel(), np.roll(corners, 1, axis=1).ravel(), n)


@family(
    "Holtgrewe, Sanders and Schulz, Engineering a scalable high quality graph partitioner, IEEE "
    "International Symposium on Parallel and Distributed Processing, 2010 (the family and its radius).",
    n="Number of points.",
    radius="Largest distance of neighbours; ``0.55 * sqrt(log(n) / n)`` if left out.",
)
def random_geometric(n: int = 1000, radius: float | None = None, seed: int = 0) -> sparse.csr_array:
    """Random geometric graph: points of the unit square at most ``radius`` apart are neighbours.

    The points are numbered along a Hilbert curve. With the default radius the graph is almost connected,
    as in the family ``rgg_n_2_XX`` of the tenth DIMACS challenge, where ``n = 2**XX``.

    >>> A = random_geometric(500, radius=0.1, seed=1)
    >>> A.shape, (A != A.T).nnz, int(A.diagonal().sum())
    ((500, 500), 0, 0)
    """
    from scipy.spatial import cKDTree

    if radius is None:
        radius = 0.55 * math.sqrt(math.log(n) / n) if n > 1 else 0.0
    pairs = cKDTree(_points(n, seed)).query_pairs(radius, output_type="ndarray").astype(np.int64)
    return from_edges(pairs[:, 0], pairs[:, 1], n)


def _points(n: int, seed: int) -> NDArray[np.float64]:
    points = Draws(seed).uniform(2 * n).reshape(n, 2)
    cells = (points * 2.0**HILBERT_BITS).astype(np.int64)
    return points[np.argsort(hilbert_index(cells[:, 0], cells[:, 1], HILBERT_BITS), kind="stable")]


def hilbert_index(x: Ints, y: Ints, bits: int) -> Ints:
    """Return the positions on a Hilbert curve of cells of a ``2**bits`` square grid.

    Cells next to each other on the curve are next to each other in the square. Each level, from the
    coarsest, appends the two bits of the quadrant, then mirrors and swaps the coordinates as the curve does
    there.
    """
    x, y = x.copy(), y.copy()
    index = np.zeros_like(x)
    for level in range(bits - 1, -1, -1):
        right, up = (x >> level) & 1, (y >> level) & 1
        index += ((3 * right) ^ up) << (2 * level)
        mirror = -(right & (1 - up))
        x ^= mirror
        y ^= mirror
        swap = (x ^ y) & (up - 1)
        x ^= swap
        y ^= swap
    return index


@family()
def grid(nx: int = 32, ny: int = SAME) -> sparse.csr_array:
    """Adjacency of a rectangular grid: every vertex knows its four neighbours.

    Vertex (x, y) has number ``x * ny + y``. The structural rank is ``nx * ny``, less one when that is odd.

    >>> grid(2, 3).toarray()
    array([[0, 1, 0, 1, 0, 0],
           [1, 0, 1, 0, 1, 0],
           [0, 1, 0, 0, 0, 1],
           [1, 0, 0, 0, 1, 0],
           [0, 1, 0, 1, 0, 1],
           [0, 0, 1, 0, 1, 0]], dtype=int8)
    """
    return _lattice(nx, ny)


@family(keep=probability("Probability that an edge of the grid is kept, edges being independent."))
def road_grid(nx: int = 32, ny: int = SAME, keep: float = 0.65, seed: int = 0) -> sparse.csr_array:
    """Grid that keeps each edge with a given probability: sparse, long paths, like a road network.

    >>> from konig.lab.generators import grid
    >>> A = road_grid(30, 40, keep=0.5, seed=1)
    >>> A.shape, A.nnz < grid(30, 40).nnz, (A != A.T).nnz
    ((1200, 1200), True, 0)
    """
    draws = Draws(seed)
    along = draws.uniform(nx * max(ny - 1, 0)).reshape(nx, max(ny - 1, 0)) < keep
    across = draws.uniform(max(nx - 1, 0) * ny).reshape(max(nx - 1, 0), ny) < keep
    return _lattice(nx, ny, along, across)


@family(
    flip=probability(
        "Probability that a cell's diagonal joins (x, y + 1) and (x + 1, y), not (x, y) and (x + 1, y + 1)."
    )
)
def triangulated_grid(nx: int = 32, ny: int = SAME, flip: float = 0.5, seed: int = 0) -> sparse.csr_array:
    """Grid with one random diagonal in every cell: a cheap stand-in for a huge triangular mesh.

    Inner vertices have six neighbours on average, as in a Delaunay triangulation, and four to eight in
    fact when diagonals are random.

    >>> A = triangulated_grid(30, 40, seed=1)
    >>> A.shape, A.nnz == 2 * (29 * 40 + 30 * 39 + 29 * 39)
    ((1200, 1200), True)
    """
    cells = (max(nx - 1, 0), max(ny - 1, 0))
    flipped = Draws(seed).uniform(cells[0] * cells[1]).reshape(cells) < flip
    return _lattice(nx, ny, flipped=flipped)


def _lattice(
    nx: int, ny: int, along: Mask | bool = True, across: Mask | bool = True, flipped: Mask | None = None
) -> sparse.csr_array:
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
