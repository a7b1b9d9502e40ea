"""Dense costs drawn or computed entry by entry."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from konig.lab.generators import arguments
from konig.lab.generators.draws import Draws
from konig.lab.generators.weighted import cost_type, largest_cost

# A raw word takes eight bytes, twice as much as most costs: large matrices are drawn in pieces.
ENTRIES_AT_A_TIME = 1 << 22


def uniform_costs(
    rows: int = 1000, cols: int | None = None, spread: float = 1.0, seed: int = 0
) -> NDArray[Any]:
    """Integers drawn uniformly from a range that grows with the number of rows.

    The studies of dense assignment use the ranges [0, n/10], [0, n], [0, 10 n] and [0, 100 n]: `spread` is
    0.1, 1, 10 and 100. In the narrow ones most costs tie; in the wide ones few pairs are worth a look.

    Parameters
    ----------
    rows : int
        Number of rows.
    cols : int, optional
        Number of columns; as many as rows if left out.
    spread : float
        The largest possible cost, as a multiple of the number of rows.
    seed : int
        The same seed gives the same costs.

    Returns
    -------
    numpy.ndarray
        The costs, in int32 where they fit.

    References
    ----------
    Balas, Miller, Pekny and Toth, A parallel shortest augmenting path algorithm for the assignment problem,
    Journal of the ACM 38, 1991; Date and Nagi, GPU-accelerated Hungarian algorithms for the linear assignment
    problem, Parallel Computing 57, 2016.

    Examples
    --------
    >>> from konig.lab.generators import uniform_costs
    >>> C = uniform_costs(200, spread=0.1, seed=1)
    >>> C.shape, C.dtype, int(C.min()), int(C.max())
    ((200, 200), dtype('int32'), 0, 20)
    """
    rows, cols = _extent(rows, cols)
    largest = largest_cost(arguments.real("spread", spread), rows)
    draws = Draws(seed)
    return _drawn((rows, cols), cost_type(largest), lambda count: draws.integers(largest + 1, count))


def real_costs(rows: int = 1000, cols: int | None = None, seed: int = 0) -> NDArray[Any]:
    """Reals drawn uniformly from [0, 1): no two costs tie.

    Parameters
    ----------
    rows : int
        Number of rows.
    cols : int, optional
        Number of columns; as many as rows if left out.
    seed : int
        The same seed gives the same costs.

    Returns
    -------
    numpy.ndarray
        The costs, in float64.

    References
    ----------
    Mézard and Parisi, On the solution of the random link matching problems, Journal de Physique 48, 1987: the
    cheapest assignment costs pi**2 / 6 in the limit.

    Examples
    --------
    >>> from konig.lab.generators import real_costs
    >>> C = real_costs(3, 5, seed=1)
    >>> C.shape, C.dtype, bool((C < 1).all())
    ((3, 5), dtype('float64'), True)
    """
    rows, cols = _extent(rows, cols)
    return _drawn((rows, cols), np.float64, Draws(seed).uniform)


def machol_wien(rows: int = 1000, cols: int | None = None) -> NDArray[Any]:
    """Machol and Wien's hard costs: the product of the row and the column, counted from 1.

    Every shortest augmenting path is as long as can be, and the only optimal assignment of a square is the
    antidiagonal.

    Parameters
    ----------
    rows : int
        Number of rows.
    cols : int, optional
        Number of columns; as many as rows if left out.

    Returns
    -------
    numpy.ndarray
        The costs, in int32 where they fit.

    References
    ----------
    Machol and Wien, A hard assignment problem, Operations Research 24, 1976.

    Examples
    --------
    >>> from konig.lab.generators import machol_wien
    >>> machol_wien(2, 3)
    array([[1, 2, 3],
           [2, 4, 6]], dtype=int32)
    """
    rows, cols = _extent(rows, cols)
    kind = cost_type(rows * cols)
    return np.outer(np.arange(1, rows + 1, dtype=kind), np.arange(1, cols + 1, dtype=kind))


def two_cost(
    rows: int = 1000,
    cols: int | None = None,
    low: int = 1,
    high: int = 1_000_000,
    share: float = 0.5,
    seed: int = 0,
) -> NDArray[Any]:
    """One of two costs for each pair: a matching problem in disguise.

    Parameters
    ----------
    rows : int
        Number of rows.
    cols : int, optional
        Number of columns; as many as rows if left out.
    low : int
        The cost of the pairs to be preferred.
    high : int
        The cost of all others.
    share : float
        The probability that a pair costs `low`.
    seed : int
        The same seed gives the same costs.

    Returns
    -------
    numpy.ndarray
        The costs, in int32 where they fit.

    References
    ----------
    Goldberg and Kennedy, An efficient cost scaling algorithm for the assignment problem, Mathematical
    Programming 71, 1995.

    Examples
    --------
    >>> import numpy as np
    >>> from konig.lab.generators import two_cost
    >>> np.unique(two_cost(20, low=3, high=7, seed=1)).tolist()
    [3, 7]
    """
    rows, cols = _extent(rows, cols)
    low = arguments.integer("low", low, most=2**62)
    high = arguments.integer("high", high, low, 2**62)
    share = arguments.probability("share", share)
    draws = Draws(seed)
    return _drawn(
        (rows, cols), cost_type(high), lambda count: np.where(draws.uniform(count) < share, low, high)
    )


def _extent(rows: int, cols: int | None) -> tuple[int, int]:
    rows = arguments.integer("rows", rows)
    return rows, rows if cols is None else arguments.integer("cols", cols)


def _drawn(shape: tuple[int, int], kind: Any, draw: Callable[[int], NDArray[Any]]) -> NDArray[Any]:
    """Fill a matrix from one stream, row by row; how many rows at a time makes no difference."""
    rows, cols = shape
    costs = np.empty(shape, dtype=kind)
    step = max(1, ENTRIES_AT_A_TIME // max(cols, 1))
    for first in range(0, rows, step):
        part = costs[first : first + step]
        part[:] = draw(part.size).reshape(part.shape)
    return costs
