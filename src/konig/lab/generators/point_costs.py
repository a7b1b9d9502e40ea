"""Costs between points in the plane or in space: distances, and what a tracker pays."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from konig.lab.generators import arguments
from konig.lab.generators.draws import Draws, Ints
from konig.lab.generators.weighted import from_distinct_keys

# Pairs that rounding puts on either side of the gate are looked at again, exactly.
GATE_MARGIN = 1.001


def euclidean_costs(
    rows: int = 1000, cols: int | None = None, dimensions: int = 2, scale: int | None = None, seed: int = 0
) -> NDArray[Any]:
    """Distances between two sets of random points in the unit square or cube.

    Parameters
    ----------
    rows : int
        Number of points of the first set.
    cols : int, optional
        Number of points of the second set; as many as rows if left out.
    dimensions : int
        Of the space that the points are in.
    scale : int, optional
        Multiply by this and round, for whole costs; if left out, the costs are real.
    seed : int
        The same seed gives the same points.

    Returns
    -------
    numpy.ndarray
        The costs, in float64, or in int64 where `scale` is given.

    Examples
    --------
    >>> from konig.lab.generators import euclidean_costs
    >>> euclidean_costs(4, 3, scale=1000, seed=1).shape
    (4, 3)
    >>> float(euclidean_costs(50, dimensions=3, seed=1).max()) < 3**0.5
    True
    """
    rows = arguments.integer("rows", rows)
    cols = rows if cols is None else arguments.integer("cols", cols)
    dimensions = arguments.integer("dimensions", dimensions, 1, 1000)
    draws = Draws(seed)
    first, second = (draws.uniform(n * dimensions).reshape(n, dimensions) for n in (rows, cols))
    squares = np.zeros((rows, cols))
    for axis in range(dimensions):
        difference = np.subtract.outer(first[:, axis], second[:, axis])
        squares += np.square(difference, out=difference)
    distances = np.sqrt(squares, out=squares)
    if scale is None:
        return distances
    distances *= arguments.integer("scale", scale, 1, 2**40)
    return np.rint(distances, out=distances).astype(np.int64)


def tracking(
    tracks: int = 200,
    detected: float = 0.9,
    clutter: float = 0.5,
    noise: float = 0.5,
    gate: float = 1.5,
    misses: bool = True,
    dense: bool = False,
    seed: int = 0,
) -> NDArray[Any] | sparse.csr_array:
    """What a tracker pays to explain its tracks by new detections: most pairs are forbidden.

    Tracks are random points, one in each unit of area on average. A detected track leaves a detection near
    itself; clutter lies anywhere. A pair within the gate costs its squared distance, and all others are
    forbidden. With `misses`, each track also has a column of its own for having been missed, which costs as
    much as the gate allows; so there is always an assignment.

    Parameters
    ----------
    tracks : int
        Number of tracks, the rows.
    detected : float
        The probability that a track is detected.
    clutter : float
        False detections for each track, on average.
    noise : float
        How far a detection may be off, along each axis.
    gate : float
        The largest distance at which a pair is considered.
    misses : bool
        Add a column for each track that stands for a miss.
    dense : bool
        Return a matrix with infinity for forbidden pairs.
    seed : int
        The same seed gives the same costs.

    Returns
    -------
    scipy.sparse.csr_array or numpy.ndarray
        The costs, in float64: detections first, then the columns for misses. Forbidden pairs are not stored,
        or infinite if it is dense.

    References
    ----------
    Blackman and Popoli, Design and Analysis of Modern Tracking Systems, Artech House, 1999, chapter 6
    (gating, and assignment with a column for each miss).

    Examples
    --------
    >>> from konig.lab.generators import tracking
    >>> C = tracking(100, seed=1)
    >>> C.shape[0], C.nnz < 0.1 * C.shape[0] * C.shape[1], bool((C.data <= 1.5**2).all())
    (100, True, True)
    """
    tracks = arguments.integer("tracks", tracks)
    detected = arguments.probability("detected", detected)
    clutter, noise = arguments.real("clutter", clutter), arguments.real("noise", noise)
    gate = arguments.real("gate", gate)
    for name, value in (("misses", misses), ("dense", dense)):
        if not isinstance(value, bool):
            raise TypeError(f"{name} must be true or false, not {value!r}")
    draws = Draws(seed)
    side = math.sqrt(tracks)
    places = draws.uniform(2 * tracks).reshape(tracks, 2) * side
    seen = places[draws.uniform(tracks) < detected]
    seen = seen + (2 * draws.uniform(seen.size).reshape(seen.shape) - 1) * noise
    false = draws.uniform(2 * round(clutter * tracks)).reshape(-1, 2) * side
    detections = np.concatenate((seen, false))
    detections = detections[draws.permutation(len(detections))]
    row, col, cost = _gated(places, detections, gate)
    cols = len(detections)
    if misses:
        own = np.arange(tracks)
        row, col = np.concatenate((row, own)), np.concatenate((col, cols + own))
        cost, cols = np.concatenate((cost, np.full(tracks, gate * gate))), cols + tracks
    if dense:
        costs = np.full((tracks, cols), np.inf)
        costs[row, col] = cost
        return costs
    return from_distinct_keys(row * cols + col, cost, (tracks, cols))


def _gated(
    places: NDArray[np.float64], detections: NDArray[np.float64], gate: float
) -> tuple[Ints, Ints, NDArray[np.float64]]:
    """Return the pairs within the gate and their squared distances."""
    from scipy.spatial import KDTree

    if not len(places) or not len(detections):
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
    near = KDTree(places).sparse_distance_matrix(
        KDTree(detections), gate * GATE_MARGIN, output_type="ndarray"
    )
    row, col = near["i"].astype(np.int64), near["j"].astype(np.int64)
    difference = places[row] - detections[col]
    squares = difference[:, 0] ** 2 + difference[:, 1] ** 2
    inside = squares <= gate * gate
    return row[inside], col[inside], squares[inside]
