"""Maximum product transversals: ours, with scales and proof, against SciPy's matching of logarithms."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

import konig
from konig.assignment.product_transversal import ProductTransversal
from konig.lab.bench.contenders import Peer
from konig.lab.bench.relative import Relative
from konig.lab.wild.drawing import Chance


def _verify(A: Any, answer: ProductTransversal) -> float:
    answer.verify(A)
    return answer.log_product


def _over_scipy(A: Any) -> Any:
    """What users write; SciPy drops weights of 0, so they must keep away from them."""
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    def solve() -> Any:
        costs = A.copy()
        logs = np.log(np.abs(A.data))
        costs.data = logs.max() + 1 - logs
        return min_weight_full_bipartite_matching(costs)

    return solve, lambda found: found


def _check(A: Any, found: Any) -> float:
    rows, cols = found
    return float(np.log(np.abs(A[rows, cols])).sum())


RELATIVE = Relative(
    "product-transversal",
    "the entries of largest product, and scales that make them 1",
    sizes=(10, 100, 1_000, 10_000),
    solve=lambda A: konig.maximum_product_transversal(A, threads=1),
    verify=_verify,
    peers={"logarithms over scipy": Peer("scipy.sparse", _over_scipy)},
    check=_check,
)


def _matrix(rows: int, i: Any, j: Any, values: Any) -> Any:
    A = sp.coo_array((values, (i, j)), shape=(rows, rows)).tocsr()
    A.data = np.where(A.data == 0, 1.0, A.data)
    return A


def _spread(c: Chance, count: int) -> Any:
    """Values over some decades, of both signs."""
    draws, decades = c.draws(), c.real("decades", 0.5, 12.0)
    return 10.0 ** (decades * (draws.uniform(count) - 0.5)) * np.where(draws.uniform(count) < 0.5, -1, 1)


@RELATIVE
def random_pattern(rows: int, c: Chance) -> Any:
    """Entries anywhere, and a diagonal that is mostly small."""
    degree, every = c.whole("degree", 2, 12), np.arange(rows)
    i, j = c.draws().integers(rows, 2 * degree * rows).reshape(2, degree * rows)
    values = np.r_[_spread(c, degree * rows), 1e-3 * _spread(c, rows)]
    return _matrix(rows, np.r_[i, every], np.r_[j, every], values)


@RELATIVE
def circuit(rows: int, c: Chance) -> Any:
    """A conductance matrix with some voltage sources, whose diagonal is zero."""
    draws, every = c.draws(), np.arange(rows)
    i, j = draws.integers(rows, 6 * rows).reshape(2, 3 * rows)
    conductance = np.abs(_spread(c, len(i)))
    ends, weights = np.r_[i, j], np.r_[conductance, conductance]
    diagonal = np.bincount(ends, weights, rows) + np.bincount(np.r_[j, i], weights, rows)
    sources = draws.uniform(rows) < c.real("sources", 0.0, 0.3)
    values = np.r_[-weights, np.where(sources, 1e-12, diagonal + 1)]
    return _matrix(rows, np.r_[ends, every], np.r_[np.r_[j, i], every], values)


@RELATIVE
def stencil(rows: int, c: Chance) -> Any:
    """Five points of a grid, with wind, as it comes or with its rows permuted."""
    side = max(2, round(rows**0.5))
    cells, wind = np.arange(side * side), c.real("wind", 0.0, 2.0)
    x, y = cells % side, cells // side
    i, j, values = [cells], [cells], [4 * np.abs(_spread(c, len(cells)))]
    for step, inside, value in (
        (1, x + 1 < side, -1 + wind),
        (-1, x > 0, -1 - wind),
        (side, y + 1 < side, -1.0),
        (-side, y > 0, -1.0),
    ):
        i.append(cells[inside])
        j.append(cells[inside] + step)
        values.append(np.full(int(inside.sum()), value or 0.5))
    at = np.concatenate(i)
    if c.coin("permuted"):
        at = np.argsort(c.draws().uniform(len(cells)))[at]
    return _matrix(len(cells), at, np.concatenate(j), np.concatenate(values))


@RELATIVE
def saddle_point(rows: int, c: Chance) -> Any:
    """Optimality conditions: half of the diagonal is zero."""
    half = max(1, rows // 2)
    draws, every = c.draws(), np.arange(half)
    i, j = draws.integers(half, 6 * half).reshape(2, 3 * half)
    J = np.abs(_spread(c, 3 * half))
    rows_of = np.r_[every, half + i, j, half + every, every]
    cols_of = np.r_[every, j, half + i, every, half + every]
    values = np.r_[np.abs(_spread(c, half)), J, J, np.full(2 * half, 0.1)]
    return _matrix(2 * half, rows_of, cols_of, values)
