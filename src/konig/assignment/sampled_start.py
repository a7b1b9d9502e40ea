"""Duals to start from where rows rank the columns alike: those of a sample of both.

Where costs follow from a few numbers of each row and column (a price, a point, factors of a product) optimal
duals do as well, and those of a sample are close to those of all. The dual of a column outside the sample is
the largest that the rows of the sample allow. S. Gerber and M. Maggioni, *Multiscale strategies for computing
optimal transport* (2017), start finer levels from coarser ones in the same way.

Phases of core-paths at n = 600 with and without: rank four 58 / 126, products and noise 53 / 247, squared
distances to points crowded in a corner 101 / 174.
"""

from __future__ import annotations

import numpy as np

from konig.assignment.lines import Lines

LEAST_ROWS = 512  # of which a sample is taken; fewer are soon solved
SHARE = 4  # one row and column in so many


def sample(rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Some rows and some columns of square costs, the same for the same size and version of NumPy."""
    random = np.random.default_rng(rows)
    of_rows, of_cols = (np.sort(random.permutation(rows)[: rows // SHARE]) for _ in range(2))
    return of_rows, of_cols


def col_duals(sampled_rows: Lines, row_duals: np.ndarray) -> np.ndarray:
    """The c-transform of the sampled rows' duals: v[j] = min C[i, j] - u[i], over the costs of these rows."""
    return sampled_rows.sign * sampled_rows.col_minima(sampled_rows.sign * row_duals)
