"""Other libraries' assignments. What is checked is the column of each row, -1 where there is none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from konig.lab.bench.contenders import Peer

Array = np.ndarray[Any, Any]

# Integers up to here are exact in single precision, and so are the sums of two of them.
SINGLE_PRECISION = 2**23


def _scipy_build(costs: Any) -> Any:
    if not sparse.issparse(costs):
        return np.ascontiguousarray(costs, dtype=np.float64)
    # Zeros are no edges there: what each entry costs more is the same for all assignments.
    shifted = costs.astype(np.float64)
    shifted.data += 1 - min(shifted.data.min(initial=0), 0)
    return shifted


def _scipy_solve(costs: Any) -> Any:
    from scipy.optimize import linear_sum_assignment
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    solver = min_weight_full_bipartite_matching if sparse.issparse(costs) else linear_sum_assignment
    return solver(costs)


def _from_pairs(answer: Any, costs: Any) -> Array:
    col_of_row = np.full(costs.shape[0], -1, np.int64)
    col_of_row[answer[0]] = answer[1]
    return col_of_row


def _columns(answer: Any, costs: Any) -> Array:
    return np.asarray(answer[0])


def _lapx_build(costs: Any) -> Array:
    return np.ascontiguousarray(costs, dtype=np.float64)


def _lapx_solve(name: str) -> Callable[[Array], Any]:
    def solve(costs: Array) -> Any:
        import lap

        solver = getattr(lap, name)
        rectangular = costs.shape[0] != costs.shape[1]
        return solver(costs, extend_cost=rectangular, return_cost=False)

    return solve


def _lapmod_build(costs: Any) -> Any:
    entries = sparse.csr_array(costs)
    return (
        entries.shape[0],
        entries.data.astype(np.float64),
        entries.indptr.astype(np.int32),
        entries.indices.astype(np.int32),
    )


def _lapmod_solve(built: Any) -> Any:
    import lap

    return lap.lapmod(*built, return_cost=False)


def _lapjv_build(costs: Array) -> Any:
    """In double precision only where single precision would round: that is what a user would choose."""
    exact = costs.dtype.kind in "iu" and np.abs(costs).max(initial=0) < SINGLE_PRECISION
    return np.ascontiguousarray(costs, dtype=np.float32 if exact else np.float64), not exact


def _lapjv_solve(built: Any) -> Any:
    import lapjv

    return lapjv.lapjv(built[0], force_doubles=built[1])


def _ortools_build(costs: Any) -> Any:
    from ortools.graph.python import linear_sum_assignment

    solver = linear_sum_assignment.SimpleLinearSumAssignment()
    if sparse.issparse(costs):
        entries = costs.tocoo()
        pairs, values = (entries.row, entries.col), entries.data
    else:
        rows, cols = costs.shape
        pairs = (
            np.repeat(np.arange(rows, dtype=np.int32), cols),
            np.tile(np.arange(cols, dtype=np.int32), rows),
        )
        values = costs.ravel()
    ends = (np.ascontiguousarray(side, dtype=np.int32) for side in pairs)
    solver.add_arcs_with_cost(*ends, np.ascontiguousarray(values, dtype=np.int64))
    return solver


def _ortools_solve(solver: Any) -> Any:
    if solver.solve() != solver.OPTIMAL:
        raise ValueError("OR-tools did not find an optimal assignment")
    return solver


def _ortools_answer(solver: Any, costs: Any) -> Array:
    return np.array([solver.right_mate(row) for row in range(costs.shape[0])], dtype=np.int64)


def _no_sparse(costs: Any) -> str | None:
    return "takes dense costs only" if sparse.issparse(costs) else None


def _no_rectangle(costs: Any) -> str | None:
    rows, cols = costs.shape
    return None if rows == cols else f"takes square costs only, not {rows:,} x {cols:,}"


def _lapmod_refuses(costs: Any) -> str | None:
    return _no_rectangle(costs) if sparse.issparse(costs) else "is for sparse costs"


def _lapjv_refuses(costs: Any) -> str | None:
    # It returns a forbidden entry where there is an infinite cost, and crashes from 55,000 rows on.
    infinite = not sparse.issparse(costs) and costs.dtype.kind == "f" and not np.isfinite(costs).all()
    return _no_sparse(costs) or _no_rectangle(costs) or ("forbids no entries" if infinite else None)


def _ortools_refuses(costs: Any) -> str | None:
    whole = costs.dtype.kind in "iub"
    return _no_rectangle(costs) or (None if whole else f"takes integer costs only, not {costs.dtype}")


PEERS = {
    "scipy": Peer("scipy", _scipy_build, _scipy_solve, _from_pairs),
    "lapx-lapjv": Peer("lap", _lapx_build, _lapx_solve("lapjv"), _columns, refuses=_no_sparse),
    "lapx-lapjvr": Peer("lap", _lapx_build, _lapx_solve("lapjvr"), _from_pairs, refuses=_no_sparse),
    "lapx-lapjvh": Peer("lap", _lapx_build, _lapx_solve("lapjvh"), _from_pairs, refuses=_no_sparse),
    "lapx-lapmod": Peer("lap", _lapmod_build, _lapmod_solve, _columns, refuses=_lapmod_refuses),
    "lapjv": Peer("lapjv", _lapjv_build, _lapjv_solve, _columns, refuses=_lapjv_refuses),
    "ortools": Peer("ortools", _ortools_build, _ortools_solve, _ortools_answer, refuses=_ortools_refuses),
}
