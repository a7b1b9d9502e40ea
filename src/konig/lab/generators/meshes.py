"""Graphs of random points in the unit square, numbered along a Hilbert curve: symmetric, without loops."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from konig.lab.generators.draws import Draws, Ints
from konig.lab.generators.family import family, real, whole
from konig.lab.generators.pattern import from_edges

HILBERT_BITS = 20


@family(
    "matching",
    reference="Holtgrewe, Sanders and Schulz, Engineering a scalable high quality graph partitioner, IEEE "
    "International Symposium on Parallel and Distributed Processing, 2010 (the family); Barber, Dobkin and "
    "Huhdanpaa, The Quickhull algorithm for convex hulls, ACM Transactions on Mathematical Software 22, "
    "1996.",
    n=whole("Number of points."),
)
def delaunay(n: int = 1000, seed: int = 0) -> sparse.csr_array:
    """Delaunay triangulation of random points in the unit square.

    The points are numbered along a Hilbert curve, so that entries lie near the diagonal as in the family
    ``delaunay_nXX`` of the tenth DIMACS challenge, where ``n = 2**XX``.

    Examples
    --------
    >>> from konig.lab.generators import delaunay
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
    "matching",
    reference="Holtgrewe, Sanders and Schulz, Engineering a scalable high quality graph partitioner, IEEE "
    "International Symposium on Parallel and Distributed Processing, 2010 (the family and its radius).",
    n=whole("Number of points."),
    radius=real("Largest distance of neighbours; ``0.55 * sqrt(log(n) / n)`` if left out."),
)
def random_geometric(n: int = 1000, radius: float | None = None, seed: int = 0) -> sparse.csr_array:
    """Random geometric graph: points of the unit square at most ``radius`` apart are neighbours.

    The points are numbered along a Hilbert curve. With the default radius the graph is almost connected,
    as in the family ``rgg_n_2_XX`` of the tenth DIMACS challenge, where ``n = 2**XX``.

    Examples
    --------
    >>> from konig.lab.generators import random_geometric
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
