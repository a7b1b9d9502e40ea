"""Costs of randomly chosen pairs."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from konig.lab.generators import arguments
from konig.lab.generators.draws import Draws, Ints
from konig.lab.generators.pattern import check_area
from konig.lab.generators.weighted import cost_type, from_distinct_keys, largest_cost


def sparse_costs(
    rows: int = 1000, cols: int | None = None, degree: int = 10, spread: float = 1.0, seed: int = 0
) -> sparse.csr_array:
    """Random integer costs of a given number of random pairs in each row, all others forbidden.

    A random full assignment is hidden among the pairs, so there always is one.

    Parameters
    ----------
    rows : int
        Number of rows.
    cols : int, optional
        Number of columns; as many as rows if left out.
    degree : int
        Number of pairs of each row, at most the number of columns.
    spread : float
        The largest possible cost, as a multiple of the number of rows.
    seed : int
        The same seed gives the same costs.

    Returns
    -------
    scipy.sparse.csr_array
        The costs, in int32 where they fit; some of them are zero.

    Examples
    --------
    >>> from konig.lab.generators import sparse_costs
    >>> C = sparse_costs(1000, degree=4, seed=1)
    >>> C.shape, C.nnz, C.dtype
    ((1000, 1000), 4000, dtype('int32'))
    """
    rows = arguments.integer("rows", rows)
    cols = rows if cols is None else arguments.integer("cols", cols)
    degree = arguments.integer("degree", degree, 1)
    largest = largest_cost(arguments.real("spread", spread), rows)
    check_area(rows, cols)
    if rows and degree > cols:
        raise ValueError(f"degree must be at most the number of columns, {cols}, not {degree}")
    draws = Draws(seed)
    hidden = _hidden_assignment(rows, cols, draws)
    row, choice = draws.subsets(np.full(rows, degree - 1), max(cols - 1, 1))
    col = choice + (choice >= hidden[row])
    keys = np.concatenate((np.arange(rows) * cols + hidden, row * cols + col))
    values = draws.integers(largest + 1, keys.size).astype(cost_type(largest))
    return from_distinct_keys(keys, values, (rows, cols))


def _hidden_assignment(rows: int, cols: int, draws: Draws) -> Ints:
    """Return a column for each row such that all rows, or all columns if these are fewer, are assigned."""
    if rows <= cols:
        return draws.permutation(cols)[:rows]
    hidden = draws.integers(cols, rows)
    hidden[draws.permutation(rows)[:cols]] = np.arange(cols)
    return hidden
