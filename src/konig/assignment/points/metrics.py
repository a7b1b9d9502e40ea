"""What a pair of points costs: float64 numbers by formulas that say the order of every operation.

The native solver and the proof compute the same numbers, each on its own: IEEE 754 rounds each operation in
one way, and terms are added in the order of the coordinates. A metric of the caller's is called for the same
blocks of rows each time, so that one whose rounding depends on the shape of its arguments will do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from konig.assignment.proof import Blocks
from konig.index_arrays import as_array
from konig.interop import arrays

NAMES = ("euclidean", "sqeuclidean", "cityblock", "chebyshev", "cosine")
BLOCK_ENTRIES = 1 << 20  # costs that are computed together
LARGEST_COST = 2.0**900  # sums of costs must not overflow
LARGEST_WHOLE = 2**53

MetricFunction = Callable[[Any, Any], Any]


def checked_metric(metric: Any) -> str | MetricFunction:
    """A name of the list above, or a function."""
    if callable(metric):
        return metric  # type: ignore[no-any-return]
    if not isinstance(metric, str) or metric not in NAMES:
        raise ValueError(f"metric must be a function or one of {', '.join(NAMES)}, not {metric!r}")
    return metric


def points(given: Any, name: str) -> np.ndarray:
    """Points as float64 numbers, all finite; an error names what cannot be taken as it is."""
    array = as_array(given, name)
    if array.ndim != 2:
        raise ValueError(f"{name} must have two dimensions (points, coordinates), not shape {array.shape}")
    if array.size == 0 and array.dtype == object:
        array = array.astype(np.float64)
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        raise TypeError(f"{name} must be an array of real numbers of up to 64 bits, not of {array.dtype}")
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8:
        _refuse(array, (array > LARGEST_WHOLE) | (array < -LARGEST_WHOLE), name, "is not exact in float64")
    made = np.ascontiguousarray(array, np.float64)
    _refuse(made, ~np.isfinite(made), name, "is not a finite number")
    return made


def _refuse(array: np.ndarray, wrong: np.ndarray, name: str, why: str) -> None:
    if wrong.any():
        i, k = (int(at) for at in np.argwhere(wrong)[0])
        raise ValueError(f"{name}[{i}, {k}] = {array[i, k]} {why}")


def prepared(X: Any, Y: Any, metric: str) -> tuple[np.ndarray, np.ndarray]:
    """The points between which costs are computed: divided by their norms for ``cosine``."""
    x, y = points(X, "X"), points(Y, "Y")
    if x.shape[1] != y.shape[1]:
        raise ValueError(
            f"X and Y must have as many coordinates, not {x.shape[1]} and {y.shape[1]} (shapes {x.shape} "
            f"and {y.shape})"
        )
    if metric == "cosine":
        x, y = _normalized(x, "X"), _normalized(y, "Y")
    elif x.size and y.size:
        extent = [
            max(a.max(), b.max()) / 2 - min(a.min(), b.min()) / 2 for a, b in zip(x.T, y.T, strict=True)
        ]
        most = 2.0**440 if metric in ("euclidean", "sqeuclidean") else LARGEST_COST / 2
        if max(extent) > most / len(extent):
            raise ValueError(
                f"X and Y lie too far apart for metric={metric!r}: costs, and what a proof makes of them, "
                "must stay within float64, so coordinates may differ by about "
                f"{2 * most / len(extent):.0e}; scale them down"
            )
    return x, y


def _normalized(x: np.ndarray, name: str) -> np.ndarray:
    """Each point times a power of two, so that no square overflows, and divided by its norm."""
    if x.shape[1] == 0 or not len(x):
        return x
    largest = np.abs(x).max(axis=1)
    zero = np.flatnonzero(largest == 0)
    if len(zero):
        raise ValueError(f"{name}[{zero[0]}] is zero: it has no direction, so metric='cosine' is not defined")
    x = np.ldexp(x, -np.frexp(largest)[1][:, None])
    norm = np.zeros(len(x))
    for k in range(x.shape[1]):
        norm += x[:, k] * x[:, k]
    made: np.ndarray = x / np.sqrt(norm)[:, None]
    return made


def tile(x: np.ndarray, y: np.ndarray, metric: str) -> np.ndarray:
    """The costs between prepared points, by the formula."""
    costs = np.zeros((len(x), len(y)))
    for k in range(x.shape[1]):
        difference = x[:, k, None] - y[None, :, k]
        if metric == "cityblock":
            costs += np.abs(difference)
        elif metric == "chebyshev":
            np.maximum(costs, np.abs(difference), out=costs)
        else:
            costs += difference * difference
    if metric == "euclidean":
        np.sqrt(costs, out=costs)
    return 0.5 * costs if metric == "cosine" else costs


def row_blocks(rows: int, cols: int) -> Iterator[slice]:
    """The blocks of rows whose costs are computed together: the same for a shape each time."""
    step = max(1, BLOCK_ENTRIES // max(1, cols))
    for first in range(0, rows, step):
        yield slice(first, min(rows, first + step))


def tiles(X: Any, Y: Any, metric: str | MetricFunction) -> tuple[tuple[int, int], Callable[[], Any]]:
    """The shape of the costs, and a function that goes through them: (rows, tile) block after block."""
    if isinstance(metric, str):
        x, y = prepared(X, Y, metric)
        shape = len(x), len(y)

        def compute(part: slice) -> np.ndarray:
            return tile(x[part], y, metric)

    else:
        rows, cols = _in_rows(X, "X"), _in_rows(Y, "Y")
        shape = int(rows.shape[0]), int(cols.shape[0])

        def compute(part: slice) -> np.ndarray:
            return _called(metric, rows, cols, part, shape[1])

    return shape, lambda: ((part, compute(part)) for part in row_blocks(*shape))


def _in_rows(some: Any, name: str) -> Any:
    """Points as a function of blocks takes them: an array of any library and shape, lists as one of NumPy."""
    if isinstance(some, list | tuple):
        some = as_array(some, name)
    if not hasattr(some, "shape") or len(some.shape) == 0:
        raise TypeError(f"{name} must be an array of points, one in each row, not a {type(some).__name__}")
    return some


def _called(metric: MetricFunction, X: Any, Y: Any, part: slice, cols: int) -> np.ndarray:
    """What a function says that some rows cost, checked."""
    found = arrays.to_numpy(metric(X[part], Y))
    asked = f"metric(X[{part.start}:{part.stop}], Y)"
    if not isinstance(found, np.ndarray) or found.dtype.kind not in "biuf" or found.dtype.itemsize > 8:
        what = f"one of {found.dtype}" if isinstance(found, np.ndarray) else repr(found)
        raise TypeError(f"{asked} must return an array of real numbers, not {what}")
    if found.shape != (part.stop - part.start, cols):
        raise ValueError(f"{asked} returned shape {found.shape}, not {(part.stop - part.start, cols)}")
    costs = np.array(found, np.float64)
    wrong = np.argwhere(~(np.abs(costs) <= LARGEST_COST))
    if len(wrong):
        i, j = wrong[0]
        raise ValueError(
            f"{asked} says that pair ({part.start + i}, {j}) costs {costs[i, j]}; costs must be finite, and "
            "at most 2**900"
        )
    return costs


def proof_blocks(found: Callable[[], Any], cols: int) -> Blocks:
    """The same as the proof of an assignment reads them."""

    def blocks() -> Iterator[tuple[Any, Any, Any]]:
        for part, costs in found():
            yield np.arange(part.start, part.stop)[:, None], np.arange(cols)[None, :], costs

    return blocks
