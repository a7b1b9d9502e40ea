"""Bottleneck assignments: ours against a binary search over thresholds with SciPy's matching."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

import konig
from konig.assignment.bottleneck import BottleneckAssignment
from konig.errors import CertificateError
from konig.lab.bench.contenders import Peer
from konig.lab.bench.relative import Relative
from konig.lab.wild.drawing import Chance

Array = np.ndarray[Any, Any]


def _verify(costs: Any, answer: BottleneckAssignment) -> float:
    answer.verify(costs)
    return float(answer.bottleneck)


def _over_scipy(costs: Any) -> Any:
    """What users write: unique values, and a matching of what is no dearer for each step."""
    from scipy.sparse.csgraph import maximum_bipartite_matching

    size = min(costs.shape)

    def partners(most: float) -> Array:
        if not sp.issparse(costs):
            return np.asarray(maximum_bipartite_matching(sp.csr_array(costs <= most), perm_type="column"))
        kept = np.flatnonzero(costs.data <= most)
        rows = np.repeat(np.arange(costs.shape[0]), np.diff(costs.indptr))[kept]
        graph = sp.csr_array((np.ones(len(kept)), (rows, costs.indices[kept])), shape=costs.shape)
        return np.asarray(maximum_bipartite_matching(graph, perm_type="column"))

    def solve() -> Array:
        values = np.unique(costs.data if sp.issparse(costs) else costs)
        low, high = 0, len(values) - 1
        best = partners(values[high])
        while low < high:
            middle = (low + high) // 2
            found = partners(values[middle])
            if np.count_nonzero(found >= 0) == size:
                high, best = middle, found
            else:
                low = middle + 1
        return best

    return solve, lambda found: found


def _check(costs: Any, col_of_row: Array) -> float:
    rows = np.flatnonzero(col_of_row >= 0)
    if len(rows) != min(costs.shape):
        raise CertificateError(f"{len(rows)} pairs, not {min(costs.shape)}")
    return float(np.max(costs[rows, col_of_row[rows]]))


RELATIVE = Relative(
    "bottleneck",
    "assignments whose largest cost is smallest",
    sizes=(10, 100, 1_000, 3_000),
    solve=lambda costs: konig.bottleneck_assignment(costs, threads=1),
    verify=_verify,
    peers={"thresholds over scipy": Peer("scipy.sparse", _over_scipy)},
    check=_check,
)


@RELATIVE
def uniform(rows: int, c: Chance) -> Array:
    """Reals between 0 and 1."""
    return c.draws().uniform(rows * rows).reshape(rows, rows)


@RELATIVE
def products(rows: int, c: Chance) -> Array:
    """Products of what rows and columns have: the columns that rows can afford are nested."""
    x, y = c.draws().uniform(2 * rows).reshape(2, rows)
    return np.outer(x, y ** c.real("power", 0.5, 3.0))


@RELATIVE
def distances(rows: int, c: Chance) -> Array:
    """Distances of points in the plane."""
    here, there = c.draws().uniform(4 * rows).reshape(2, rows, 2)
    return np.asarray(np.linalg.norm(here[:, None] - there[None], axis=2))


@RELATIVE
def grades(rows: int, c: Chance) -> Array:
    """Few integers."""
    return c.draws().integers(c.whole("grades", 2, 1000), rows * rows).reshape(rows, rows) + 1


@RELATIVE
def long_rows(rows: int, c: Chance) -> Array:
    """More columns than rows."""
    cols = int(rows * c.real("columns", 1.1, 4.0))
    return c.draws().uniform(rows * cols).reshape(rows, cols)


@RELATIVE
def sparse(rows: int, c: Chance) -> Any:
    """Some entries a row, and a full assignment among them."""
    draws, degree = c.draws(), c.whole("degree", 3, 20)
    i, j = draws.integers(rows, 2 * degree * rows).reshape(2, degree * rows)
    every = np.arange(rows)
    pattern = sp.coo_array(
        (np.ones((degree + 1) * rows), (np.r_[i, every], np.r_[j, every[::-1]])), shape=(rows, rows)
    ).tocsr()
    pattern.data = draws.uniform(pattern.nnz) + 0.5
    return pattern
