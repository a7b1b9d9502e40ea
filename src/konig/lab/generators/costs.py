"""Costs of assignment problems: drawn entry by entry, computed, between points, or of random entries."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from konig import arguments
from konig.lab.generators.draws import Draws, Ints
from konig.lab.generators.family import SAME, Parameter, family, probability
from konig.lab.generators.pattern import check_area, check_degree, costs_from_keys

# Large matrices are drawn in pieces that stay in a cache: larger temporaries cost page faults.
ENTRIES_AT_A_TIME = 1 << 16
# The search goes a little beyond the gate: distances near it are measured again, exactly.
GATE_MARGIN = 1.001
SPREAD = "The largest possible cost, as a multiple of the number of rows."


@family(
    "Balas, Miller, Pekny and Toth, A parallel shortest augmenting path algorithm for the "
    "assignment problem, Journal of the ACM 38, 1991; Date and Nagi, GPU-accelerated Hungarian algorithms "
    "for the linear assignment problem, Parallel Computing 57, 2016.",
    spread=SPREAD,
)
def uniform_costs(rows: int = 1000, cols: int = SAME, spread: float = 1.0, seed: int = 0) -> NDArray[Any]:
    """Integers drawn uniformly from a range that grows with the number of rows.

    The studies of dense assignment use the ranges [0, n/10], [0, n], [0, 10 n] and [0, 100 n]: `spread` is
    0.1, 1, 10 and 100. In the narrow ones most costs tie; in the wide ones few entries can be optimal. The
    costs are int32 where they fit.

    >>> C = uniform_costs(200, spread=0.1, seed=1)
    >>> C.shape, C.dtype, int(C.min()), int(C.max())
    ((200, 200), dtype('int32'), 0, 20)
    """
    return _rows_of_uniform_costs(slice(0, rows), rows, cols, spread, seed)


def _rows_of_uniform_costs(part: slice, rows: int, cols: int, spread: float, seed: int) -> NDArray[Any]:
    largest = _largest_cost(spread, rows)
    draws = Draws(seed)
    return _drawn(part, cols, draws, _cost_type(largest), lambda count: draws.integers(largest + 1, count))


@family(
    "Mézard and Parisi, On the solution of the random link matching problems, Journal de Physique "
    "48, 1987: the cheapest assignment costs pi**2 / 6 in the limit."
)
def real_costs(rows: int = 1000, cols: int = SAME, seed: int = 0) -> NDArray[Any]:
    """Reals drawn uniformly from [0, 1): no two costs tie.

    >>> C = real_costs(3, 5, seed=1)
    >>> C.shape, C.dtype, bool((C < 1).all())
    ((3, 5), dtype('float64'), True)
    """
    return _rows_of_real_costs(slice(0, rows), rows, cols, seed)


def _rows_of_real_costs(part: slice, rows: int, cols: int, seed: int) -> NDArray[Any]:
    draws = Draws(seed)
    return _drawn(part, cols, draws, np.float64, draws.uniform)


@family(
    rows="Number of points of the first set.",
    cols=Parameter("Number of points of the second set; as many as rows if left out.", like="rows"),
    dimensions=Parameter("Of the space that the points are in.", 1, 1000),
    scale=Parameter("Multiply by this and round, for whole costs; if left out, the costs are real.", 1),
)
def euclidean_costs(
    rows: int = 1000, cols: int = SAME, dimensions: int = 2, scale: int | None = None, seed: int = 0
) -> NDArray[Any]:
    """Distances between two sets of random points in the unit square or cube.

    >>> euclidean_costs(4, 3, scale=1000, seed=1).shape
    (4, 3)
    >>> float(euclidean_costs(50, dimensions=3, seed=1).max()) < 3**0.5
    True
    """
    return _rows_of_euclidean_costs(slice(0, rows), rows, cols, dimensions, scale, seed)


def _rows_of_euclidean_costs(
    part: slice, rows: int, cols: int, dimensions: int, scale: int | None, seed: int
) -> NDArray[Any]:
    draws = Draws(seed)
    first, second = (draws.uniform(n * dimensions).reshape(n, dimensions) for n in (rows, cols))
    distances = np.sqrt(squared_distances(first[part], second))
    if scale is None:
        return distances
    distances *= scale
    return np.rint(distances, out=distances).astype(np.int64)


def squared_distances(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of points: axis by axis, so that they are the same on every machine."""
    squares = np.zeros((len(first), len(second)))
    for axis in range(first.shape[1]):
        difference = np.subtract.outer(first[:, axis], second[:, axis])
        squares += np.square(difference, out=difference)
    return squares


@family("Machol and Wien, A hard assignment problem, Operations Research 24, 1976.")
def machol_wien(rows: int = 1000, cols: int = SAME) -> NDArray[Any]:
    """Machol and Wien's hard costs: the product of the row and the column, counted from 1.

    Every shortest augmenting path is as long as can be, and the only optimal assignment of a square is the
    antidiagonal. The costs are int32 where they fit.

    >>> machol_wien(2, 3)
    array([[1, 2, 3],
           [2, 4, 6]], dtype=int32)
    """
    return _rows_of_machol_wien(slice(0, rows), rows, cols)


def _rows_of_machol_wien(part: slice, rows: int, cols: int) -> NDArray[Any]:
    kind = _cost_type(rows * cols)
    return np.outer(np.arange(1, rows + 1, dtype=kind)[part], np.arange(1, cols + 1, dtype=kind))


# Families of which some rows can be made alone: what the function makes, of the rows of a slice.
ROWS_OF: dict[str, Callable[..., NDArray[Any]]] = {
    "uniform_costs": _rows_of_uniform_costs,
    "real_costs": _rows_of_real_costs,
    "euclidean_costs": _rows_of_euclidean_costs,
    "machol_wien": _rows_of_machol_wien,
}


@family(
    "Goldberg and Kennedy, An efficient cost scaling algorithm for the assignment problem, "
    "Mathematical Programming 71, 1995.",
    low=Parameter("The cost of the entries to be preferred.", most=2**62),
    high=Parameter("The cost of all others.", most=2**62),
    share=probability("The probability that an entry costs `low`."),
)
def two_cost(
    rows: int = 1000, cols: int = SAME, low: int = 1, high: int = 1_000_000, share: float = 0.5, seed: int = 0
) -> NDArray[Any]:
    """One of two costs for each entry: a matching problem in disguise.

    The costs are int32 where they fit.

    >>> import numpy as np
    >>> np.unique(two_cost(20, low=3, high=7, seed=1)).tolist()
    [3, 7]
    """
    arguments.integer("high", high, low, None)
    draws = Draws(seed)
    return _drawn(
        slice(0, rows),
        cols,
        draws,
        _cost_type(high),
        lambda count: np.where(draws.uniform(count) < share, low, high),
    )


@family(
    "Blackman and Popoli, Design and Analysis of Modern Tracking Systems, Artech House, 1999, "
    "chapter 6 (gating, and assignment with a column for each miss).",
    tracks="Number of tracks, the rows.",
    detected=probability("The probability that a track is detected."),
    clutter="False detections for each track, on average.",
    noise="How far a detection may be off, along each axis.",
    gate="The largest distance of a track and a detection that may be assigned.",
    misses="Add a column for each track that stands for a miss.",
    dense="Return a matrix with infinity for forbidden entries.",
)
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
    """What a tracker pays to explain its tracks by new detections: most entries are forbidden.

    Tracks are random points, one in each unit of area on average. A detected track leaves a detection near
    itself; clutter lies anywhere. An entry within the gate costs its squared distance, and all others are
    forbidden: not stored, or infinite if the matrix is dense. With `misses`, each track also has a column of
    its own behind those of the detections for having been missed, which costs as much as the gate allows; so
    there is always an assignment.

    >>> C = tracking(100, seed=1)
    >>> C.shape[0], C.nnz < 0.1 * C.shape[0] * C.shape[1], bool((C.data <= 1.5**2).all())
    (100, True, True)
    """
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
    return costs_from_keys(row * cols + col, cost, (tracks, cols))


def _gated(
    places: NDArray[np.float64], detections: NDArray[np.float64], gate: float
) -> tuple[Ints, Ints, NDArray[np.float64]]:
    """Return the entries within the gate and their squared distances."""
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


@family(degree=Parameter("Number of entries of each row, at most the number of columns.", 1), spread=SPREAD)
def sparse_costs(
    rows: int = 1000, cols: int = SAME, degree: int = 10, spread: float = 1.0, seed: int = 0
) -> sparse.csr_array:
    """Random integer costs of a given number of random entries in each row, all others forbidden.

    A random full assignment is hidden among the entries, so there always is one. The costs are int32 where
    they fit; some of them are zero.

    >>> C = sparse_costs(1000, degree=4, seed=1)
    >>> C.shape, C.nnz, C.dtype
    ((1000, 1000), 4000, dtype('int32'))
    """
    largest = _largest_cost(spread, rows)
    check_area(rows, cols)
    check_degree(degree, rows, cols)
    draws = Draws(seed)
    hidden = _hidden_assignment(rows, cols, draws)
    row, choice = draws.subsets(np.full(rows, degree - 1), max(cols - 1, 1))
    col = choice + (choice >= hidden[row])
    keys = np.concatenate((np.arange(rows) * cols + hidden, row * cols + col))
    values = draws.integers(largest + 1, keys.size).astype(_cost_type(largest))
    return costs_from_keys(keys, values, (rows, cols))


def _hidden_assignment(rows: int, cols: int, draws: Draws) -> Ints:
    """Return a column for each row such that all rows, or all columns if these are fewer, are assigned."""
    if rows <= cols:
        return draws.permutation(cols)[:rows]
    hidden = draws.integers(cols, rows)
    hidden[draws.permutation(rows)[:cols]] = np.arange(cols)
    return hidden


def _drawn(
    rows: slice, cols: int, draws: Draws, kind: Any, draw: Callable[[int], NDArray[Any]]
) -> NDArray[Any]:
    """Rows of a matrix that is filled from one stream, row by row, with a word for each entry."""
    draws.skip(rows.start * cols)
    costs = np.empty((rows.stop - rows.start, cols), dtype=kind)
    step = max(1, ENTRIES_AT_A_TIME // max(cols, 1))
    for first in range(0, len(costs), step):
        part = costs[first : first + step]
        part[:] = draw(part.size).reshape(part.shape)
    return costs


def _cost_type(largest: int) -> type[np.int32] | type[np.int64]:
    return np.int32 if largest <= np.iinfo(np.int32).max else np.int64


def _largest_cost(spread: float, rows: int) -> int:
    """Return the end of the range [0, spread * rows], a whole number that 63 bits hold."""
    largest = math.floor(spread * rows)
    if largest >= 1 << 62:
        raise ValueError(f"spread times rows must be below 2**62, not {spread} * {rows}")
    return largest
