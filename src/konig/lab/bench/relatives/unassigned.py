"""Rows left alone at a limit of what pairs may cost: ours against lap's cost_limit and SciPy's solvers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linear_sum_assignment
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

import konig
from konig.errors import CertificateError
from konig.lab.bench.contenders import Peer
from konig.lab.bench.relative import Relative, shape_of
from konig.lab.wild.drawing import Chance

Array = np.ndarray[Any, Any]
Pairs = tuple[Array, Array]


@dataclass(frozen=True)
class Gated:
    """Costs, dense or sparse, and what leaving a row alone costs."""

    costs: Any
    limit: float

    def value(self, pairs: Pairs) -> float:
        rows, cols = pairs
        for ids in pairs:
            if len(np.unique(ids)) < len(ids):
                raise CertificateError("a row or a column is assigned twice")
        paid = np.asarray(entries_of(self.costs, rows, cols), np.float64)
        if not np.isfinite(paid).all():
            raise CertificateError("a forbidden pair is assigned")
        alone: int = self.costs.shape[0] - len(rows)
        return math.fsum(paid.tolist()) + float(self.limit) * alone


def entries_of(matrix: Any, rows: Array, cols: Array) -> Array:
    """Some entries of a matrix, infinite where a sparse one has none."""
    if not sp.issparse(matrix):
        return np.asarray(matrix[rows, cols])
    listed = sp.csr_array(matrix, copy=True)  # duplicates added up, columns ascending
    listed.sum_duplicates()
    width = listed.shape[1]
    keys = np.repeat(np.arange(listed.shape[0]), np.diff(listed.indptr)) * width + listed.indices
    asked = rows.astype(np.int64) * width + cols
    if len(keys) == 0:
        return np.full(len(asked), np.inf)
    place = np.minimum(np.searchsorted(keys, asked), len(keys) - 1)
    return np.where(keys[place] == asked, listed.data[place], np.inf)


def _solve(data: Gated) -> Any:
    return konig.linear_assignment(data.costs, unassigned_cost=data.limit, threads=1)


def _verify(data: Gated, answer: Any) -> float:
    answer.verify(data.costs, unassigned_cost=data.limit)
    return float(answer.cost)


def _lapx(data: Gated) -> Any:
    import lap

    costs = np.ascontiguousarray(data.costs, np.float64)

    def pairs(found: Any) -> Pairs:
        rows = np.flatnonzero(found[1] >= 0)
        return rows, found[1][rows]

    return (lambda: lap.lapjv(costs, extend_cost=True, cost_limit=data.limit)), pairs


def _clipped(data: Gated) -> Any:
    costs, limit = data.costs, data.limit

    def solve() -> Pairs:
        rows, cols = linear_sum_assignment(np.minimum(costs, limit))
        kept = costs[rows, cols] <= limit
        return rows[kept], cols[kept]

    return solve, (lambda pairs: pairs)


def _added_columns(data: Gated) -> Any:
    rows, cols = data.costs.shape
    own = sp.diags_array(np.full(rows, float(data.limit)), shape=(rows, rows))
    extended = sp.csr_array(sp.hstack([sp.csr_array(data.costs), own]))

    def pairs(found: Pairs) -> Pairs:
        kept = found[1] < cols
        return found[0][kept], found[1][kept]

    return (lambda: min_weight_full_bipartite_matching(extended)), pairs


def _dense_only(data: Gated) -> str | None:
    return "takes dense costs" if sp.issparse(data.costs) else None


def _sparse_only(data: Gated) -> str | None:
    return None if sp.issparse(data.costs) else "is for sparse costs"


RELATIVE = Relative(
    "unassigned",
    "cheapest assignment where a row left alone costs a limit",
    sizes=(10, 50, 300, 1_000),
    solve=_solve,
    verify=_verify,
    peers={
        "lapx": Peer("lap", _lapx, refuses=_dense_only),
        "scipy, clipped": Peer("scipy.optimize", _clipped, refuses=_dense_only),
        "scipy, added columns": Peer("scipy.sparse", _added_columns, refuses=_sparse_only),
    },
    check=lambda data, pairs: data.value(pairs),
    extent=lambda data: shape_of(data.costs),
)


@RELATIVE
def tracks(rows: int, c: Chance) -> Gated:
    """Squared distances of tracks and detections, some of them lost or new; a gate around each."""
    here, moved, fresh = c.draws().uniform(6 * rows).reshape(3, rows, 2)
    there = here + c.log("noise", 0.01, 1.0) * (moved - 0.5) / math.sqrt(rows)
    lost = int(c.real("lost", 0.0, 0.5) * rows)
    there[:lost] = fresh[:lost]
    costs = rows * ((here[:, None] - there[None]) ** 2).sum(axis=2)
    return Gated(costs, c.log("gate", 0.1, 10.0))


@RELATIVE
def overlaps(rows: int, c: Chance) -> Gated:
    """1 - overlap of boxes: most pairs do not overlap and cost 1."""
    here, moved = c.draws().uniform(4 * rows).reshape(2, rows, 2) * math.sqrt(rows)
    there = here + c.real("noise", 0.05, 0.6) * (moved / math.sqrt(rows) - 0.5)
    apart = np.abs(here[:, None] - there[None])
    shared = np.maximum(1 - apart, 0).prod(axis=2)
    return Gated(1 - shared / (2 - shared), c.real("limit", 0.5, 0.9))


@RELATIVE
def uniform(rows: int, c: Chance) -> Gated:
    """Reals between 0 and 1, of which a few in each row, or nearly all, are below the limit."""
    costs = c.draws().uniform(rows * rows).reshape(rows, rows)
    return Gated(costs, c.log("limit", 1 / rows, 0.5))


@RELATIVE
def whole_numbers(rows: int, c: Chance) -> Gated:
    """Small integers with many ties, more columns than rows."""
    cols = int(rows * c.real("columns", 1.0, 2.0))
    most = c.whole("costs", 10, 1000)
    return Gated(c.draws().integers(most, rows * cols).reshape(rows, cols), c.whole("limit", 1, most))


@RELATIVE
def lists(rows: int, c: Chance) -> Gated:
    """A few candidates for each row, in a sparse matrix."""
    rows *= 20
    degree = c.whole("degree", 2, 12)
    row = np.repeat(np.arange(rows), degree)
    col = c.draws().integers(rows, rows * degree)
    cost = c.draws().uniform(rows * degree) + 0.01
    costs = sp.csr_array((cost, (row, col)), shape=(rows, rows))
    return Gated(costs, c.log("limit", 0.1, 3.0))
