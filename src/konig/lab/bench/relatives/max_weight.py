"""The heaviest matching: ours against NetworkX, rustworkx and what users write around SciPy's solvers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linear_sum_assignment
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

import konig
from konig.errors import CertificateError
from konig.lab.bench.contenders import Peer
from konig.lab.bench.relative import Relative
from konig.lab.bench.relatives.unassigned import entries_of
from konig.lab.wild.drawing import Chance

Array = np.ndarray[Any, Any]
Pairs = tuple[Array, Array]
WHOLE = 1000  # weights are integers up to this: rustworkx takes no others


def _value(weights: Any, pairs: Pairs) -> int:
    """What pairs weigh, once they are seen to be a matching; those that weigh nothing may be no edges."""
    for ids in pairs:
        if len(np.unique(ids)) < len(ids):
            raise CertificateError("a row or a column is matched twice")
    paid = entries_of(weights, *pairs)
    if not np.isfinite(paid).all():
        raise CertificateError("a pair is no edge")
    return int(math.fsum(paid.tolist()))


def _verify(weights: Any, answer: Any) -> int:
    answer.verify(weights)
    return int(answer.weight)


def _edges(weights: Any) -> list[tuple[int, int, int]]:
    listed = sp.coo_array(weights)
    rows, cols = listed.coords
    each = zip(rows.tolist(), cols.tolist(), listed.data.tolist(), strict=True)
    return [(i, weights.shape[0] + j, int(weight)) for i, j, weight in each if weight > 0]


def _as_pairs(weights: Any, edges: Any) -> Pairs:
    ends = sorted((min(edge), max(edge) - weights.shape[0]) for edge in edges)
    return np.array([i for i, _ in ends], np.int64), np.array([j for _, j in ends], np.int64)


def _networkx(weights: Any) -> Any:
    import networkx as nx

    graph = nx.Graph()
    graph.add_weighted_edges_from(_edges(weights))
    return (lambda: nx.max_weight_matching(graph)), (lambda found: _as_pairs(weights, found))


def _rustworkx(weights: Any) -> Any:
    import rustworkx as rx

    graph = rx.PyGraph()
    graph.add_nodes_from(list(range(sum(weights.shape))))
    graph.add_edges_from(_edges(weights))
    return (lambda: rx.max_weight_matching(graph, weight_fn=int)), (lambda found: _as_pairs(weights, found))


def _clipped(weights: Any) -> Any:
    def solve() -> Pairs:
        rows, cols = linear_sum_assignment(np.maximum(weights, 0), maximize=True)
        kept = weights[rows, cols] > 0
        return rows[kept], cols[kept]

    return solve, (lambda pairs: pairs)


def _added_columns(weights: Any) -> Any:
    """A column of its own for each row; SciPy drops zeros, so all weights are shifted."""
    rows, cols = weights.shape
    shifted = sp.csr_array(weights).astype(np.float64)
    shifted.sum_duplicates()
    shifted.data = shifted.data + (WHOLE + 1)
    own = sp.diags_array(np.full(rows, float(WHOLE + 1)), shape=(rows, rows))
    extended = sp.csr_array(sp.hstack([shifted, own]))

    def pairs(found: Pairs) -> Pairs:
        kept = found[1] < cols
        return found[0][kept], found[1][kept]

    return (lambda: min_weight_full_bipartite_matching(extended, maximize=True)), pairs


def _dense_only(weights: Any) -> str | None:
    return "takes dense weights" if sp.issparse(weights) else None


def _sparse_only(weights: Any) -> str | None:
    return None if sp.issparse(weights) else "is for sparse weights"


RELATIVE = Relative(
    "max-weight",
    "heaviest matching, of any size",
    sizes=(30, 200, 1_000),
    solve=lambda weights: konig.maximum_weight_matching(weights, threads=1),
    verify=_verify,
    peers={
        "networkx": Peer("networkx", _networkx),
        "rustworkx": Peer("rustworkx", _rustworkx),
        "scipy, clipped": Peer("scipy.optimize", _clipped, refuses=_dense_only),
        "scipy, added columns": Peer("scipy.sparse", _added_columns, refuses=_sparse_only),
    },
    check=_value,
)


@RELATIVE
def uniform(rows: int, c: Chance) -> Array:
    """Integers, of which some part is negative."""
    least = int(c.real("negative", 0.0, 0.95) * WHOLE)
    return np.asarray(c.draws().integers(WHOLE, rows * rows).reshape(rows, rows) - least)


@RELATIVE
def products(rows: int, c: Chance) -> Array:
    """What a row offers times what a column asks, more columns than rows."""
    cols = int(rows * c.real("columns", 1.0, 2.0))
    offer, ask = c.draws().uniform(rows), c.draws().uniform(cols)
    return np.asarray(np.rint(WHOLE * np.outer(offer, ask)).astype(np.int64) - c.whole("cost", 0, WHOLE // 2))


@RELATIVE
def scores(rows: int, c: Chance) -> Array:
    """How near points are to each other, less what a pair must reach."""
    here, there = c.draws().uniform(4 * rows).reshape(2, rows, 2)
    near = np.exp(-rows * ((here[:, None] - there[None]) ** 2).sum(axis=2))
    return np.asarray(np.rint(WHOLE * (near - c.real("least", 0.05, 0.6))).astype(np.int64))


@RELATIVE
def lists(rows: int, c: Chance) -> Any:
    """A few edges for each row, in a sparse matrix."""
    rows *= 10
    degree = c.whole("degree", 2, 12)
    row = np.repeat(np.arange(rows), degree)
    col = c.draws().integers(rows, rows * degree)
    weight = c.draws().integers(WHOLE // 12, rows * degree) + 1
    return sp.csr_array((weight, (row, col)), shape=(rows, rows))


@RELATIVE
def popular(rows: int, c: Chance) -> Any:
    """Edges to few popular columns: many rows stay alone."""
    rows *= 10
    degree = c.whole("degree", 3, 8)
    row = np.repeat(np.arange(rows), degree)
    col = (rows * c.draws().uniform(rows * degree) ** c.real("popularity", 1.5, 4.0)).astype(np.int64)
    weight = c.draws().integers(WHOLE // 8, rows * degree) + 1
    return sp.csr_array((weight, (row, col)), shape=(rows, rows))
