"""Linear assignment in the bench, and other libraries' solvers.

What is checked of a peer is the column of each row, -1 where there is none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

import konig
from konig import io, registry
from konig.assignment.proof import check_pairs
from konig.errors import CertificateError
from konig.lab.bench import gpu, suites
from konig.lab.bench.contenders import Peer
from konig.lab.bench.problems.problem import Problem
from konig.lab.bench.suites import RANGES, Instance
from konig.lab.generators import generate
from konig.lab.generators.costs import machol_wien
from konig.lab.wild.assignment import Maximised

Array = np.ndarray[Any, Any]

# By how much costs summed up in double precision may differ, as a part of them.
ROUNDING = 1e-9
# How near to the end of its range the largest of many random costs is.
NEAR = 0.05
# Integers up to here are exact in single precision, and so are the sums of two of them.
SINGLE_PRECISION = 2**23
LAPX = ("lapjv", "lapjvr", "lapjvh", "lapjvx", "lapjvs", "lapjvc")  # for dense costs


def _scipy(costs: Any) -> Any:
    from scipy.optimize import linear_sum_assignment
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    if not sparse.issparse(costs):
        solve = partial(linear_sum_assignment, np.ascontiguousarray(costs, dtype=np.float64))
    else:
        # Zeros are no edges there: what each entry costs more is the same for all assignments.
        shifted = costs.astype(np.float64)
        shifted.data += 1 - min(shifted.data.min(initial=0), 0)
        solve = partial(min_weight_full_bipartite_matching, shifted)
    return solve, partial(_from_pairs, costs.shape[0])


_columns = itemgetter(0)


def _from_pairs(rows: int, answer: Any) -> Array:
    col_of_row = np.full(rows, -1, np.int64)
    col_of_row[answer[0]] = answer[1]
    return col_of_row


def _lapx(name: str, costs: Array) -> Any:
    import lap

    rows, cols = costs.shape
    dense = np.ascontiguousarray(costs, dtype=np.float64)
    how = {} if name == "lapjvc" else {"extend_cost": rows != cols}
    if name == "lapjvs":
        how["prefer_float32"] = _single(costs)
    solve = partial(getattr(lap, name), dense, return_cost=False, **how)
    return solve, _columns if name == "lapjv" else partial(_from_pairs, rows)


def _single(costs: Array) -> bool:
    """Whether single precision would not round: only then a user would choose it."""
    return costs.dtype.kind in "iu" and bool(np.abs(costs).max(initial=0) < SINGLE_PRECISION)


def _lapmod(costs: Any) -> Any:
    import lap

    entries = sparse.csr_array(costs)
    ids = entries.indptr.astype(np.int32), entries.indices.astype(np.int32)
    values = entries.data.astype(np.float64)
    return partial(lap.lapmod, entries.shape[0], values, *ids, return_cost=False), _columns


def _lapjv(costs: Array) -> Any:
    import lapjv

    exact = _single(costs)
    dense = np.ascontiguousarray(costs, dtype=np.float32 if exact else np.float64)
    return partial(lapjv.lapjv, dense, force_doubles=not exact), _columns


def _ortools(costs: Any) -> Any:
    from ortools.graph.python import linear_sum_assignment

    solver = linear_sum_assignment.SimpleLinearSumAssignment()
    rows, cols = costs.shape
    if sparse.issparse(costs):
        entries = costs.tocoo()
        ends, values = (entries.row, entries.col), entries.data
    else:
        ends, values = (np.repeat(np.arange(rows), cols), np.tile(np.arange(cols), rows)), costs.ravel()
    narrow = (np.ascontiguousarray(side, dtype=np.int32) for side in ends)
    solver.add_arcs_with_cost(*narrow, np.ascontiguousarray(values, dtype=np.int64))

    def solve() -> None:
        if solver.solve() != solver.OPTIMAL:
            raise ValueError("OR-tools did not find an optimal assignment")

    return solve, lambda _: np.array([solver.right_mate(row) for row in range(rows)], dtype=np.int64)


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
    "scipy": Peer("scipy", _scipy),
    **{f"lapx-{name}": Peer("lap", partial(_lapx, name), refuses=_no_sparse) for name in LAPX},
    "lapx-lapmod": Peer("lap", _lapmod, refuses=_lapmod_refuses),
    "lapjv": Peer("lapjv", _lapjv, refuses=_lapjv_refuses),
    "ortools": Peer("ortools", _ortools, refuses=_ortools_refuses),
}


class AssignmentProblem(Problem):
    """Instances are costs, dense or in compressed rows."""

    name = "assignment"
    parts = ("convert", "main")
    stages = ("reduction", "selection", "search", "augmentation", "pricing")
    counts = (("phases",), ("sweeps",), ("supersteps",))
    counted = "cost"
    # What Date and Nagi's tables call OMP-1, OMP-8, CU-CLASS and CU-TREE, and the classical variant on a CPU.
    paper = (
        "hungarian-tree:device=cpu:threads=1",
        "hungarian-tree:device=cpu",
        "hungarian-classical:device=cpu",
        "hungarian-classical:device=cuda",
        "hungarian-tree:device=cuda",
    )
    suffixes = (".npy", ".npz", ".mtx", ".asn", ".txt")
    suites = suites.ASSIGNMENT
    peers = PEERS
    warm_up = machol_wien(3)

    def make(self, instance: Instance) -> Any:
        """Costs; of those that a GPU is to make, what they are made of."""
        if instance.family == "device":
            return instance.params
        if instance.family == "file":
            costs = io.read_costs(instance.params["path"])
            if costs.ndim == 3:
                path = instance.params["path"]
                raise ValueError(f"{path}: holds a batch, and the bench is for one problem")
            return costs if isinstance(costs, np.ndarray) else sparse.csr_array(costs)
        return generate(instance.family, seed=1, **instance.params)

    def save(self, file: Any, data: Any) -> None:
        if sparse.issparse(data):
            super().save(file, data)
        elif isinstance(data, np.ndarray):
            np.savez(file, costs=data)
        else:
            np.savez(file, **data)

    def restore(self, path: Path) -> Any:
        with np.load(path) as arrays:
            if "format" in arrays:
                return super().restore(path)
            if "costs" in arrays:
                return arrays["costs"]
            return gpu.device_costs(gpu.cupy_or_numpy(), str(arrays["kind"]), int(arrays["n"]))

    def extent(self, data: Any) -> dict[str, Any]:
        """Rows, columns and allowed entries; dense squares of integers are grouped by their range."""
        data = _costs(data)
        rows, cols = data.shape
        allowed = int(data.nnz if sparse.issparse(data) else np.isfinite(data).sum())
        return {"rows": rows, "cols": cols, "nonzeros": allowed, "group": _range(data)}

    def left_out(self, data: Any, contender: Mapping[str, Any]) -> str | None:
        """Also methods that are for dense costs only, or for batches."""
        data = _costs(data)
        if contender["kind"] == "method" and contender["name"] != "auto":
            reads = registry.find(contender["name"], self.name).reads
            if ("sparse" if sparse.issparse(data) else "dense") not in reads:
                return "takes dense costs only" if "dense" in reads else "takes batches only"
        return super().left_out(data, contender)

    def objection(self, size: float, proven: float) -> str | None:
        """The optimal cost is proved; another one in double precision may differ by rounding."""
        real = isinstance(proven, float)
        same = math.isclose(size, proven, rel_tol=ROUNDING) if real else size == proven
        return None if same else f"costs {size}, but {proven} is proved optimal"

    def for_peers(self, data: Any) -> tuple[Any, float]:
        """Others minimise."""
        if not isinstance(data, Maximised):
            return data, 1.0
        costs = data.costs
        return -(costs.astype(np.int64) if costs.dtype.kind in "iub" else costs), -1.0

    def placed(self, data: Any, at: str) -> Any:
        """Sparse costs stay on the host: no method takes them on a GPU."""
        if isinstance(data, Maximised):
            return Maximised(self.placed(data.costs, at))
        return data if sparse.issparse(data) else gpu.placed(data, at)

    def solve(self, data: Any, method: str, options: Mapping[str, Any]) -> konig.Assignment:
        answer = self.call(data, method, options)()
        assert isinstance(answer, konig.Assignment), "no instance is a batch"
        return answer

    def call(self, data: Any, method: str, options: Mapping[str, Any]) -> Callable[[], Any]:
        """The function itself, as it is of a peer: problems of forty rows take some microseconds."""
        maximize = isinstance(data, Maximised)
        return partial(konig.linear_assignment, _costs(data), maximize=maximize, method=method, **options)

    def verify(self, data: Any, answer: konig.Assignment) -> float:
        answer.verify(_costs(data))
        return answer.cost

    def check(self, data: Any, answer: np.ndarray) -> float:
        """Check the column of each row, and sum up what its entries cost."""
        row_ind = np.flatnonzero(answer >= 0)
        col_ind = np.asarray(answer)[row_ind].astype(np.int64)
        check_pairs(data.shape, row_ind, col_ind)
        if len(row_ind) != min(data.shape):
            raise CertificateError(f"{len(row_ind)} rows of {min(data.shape)} are assigned")
        chosen = _chosen(data, row_ind, col_ind)
        return sum(chosen.tolist()) if data.dtype.kind in "iub" else math.fsum(chosen.tolist())


def _costs(data: Any) -> Any:
    return data.costs if isinstance(data, Maximised) else data


def _chosen(data: Any, row_ind: np.ndarray, col_ind: np.ndarray) -> np.ndarray:
    """What these entries cost; a forbidden one is refused."""
    if isinstance(data, np.ndarray):
        chosen = data[row_ind, col_ind]
        forbidden = np.flatnonzero(~np.isfinite(chosen))
    else:
        # Entries are numbered from 1: a stored zero is none that is missing.
        numbers = sparse.csr_array((np.arange(1, data.nnz + 1), data.indices, data.indptr), shape=data.shape)
        number = np.asarray(numbers[row_ind, col_ind]).ravel()
        forbidden = np.flatnonzero(number == 0)
        chosen = np.concatenate((np.zeros(1, data.dtype), data.data))[number]
    if len(forbidden):
        k = forbidden[0]
        raise CertificateError(f"the entry ({row_ind[k]}, {col_ind[k]}) is forbidden")
    return np.asarray(chosen)


def _range(data: Any) -> str:
    """The range that dense square integers fill from 0 on, by its name in the studies; else nothing."""
    if sparse.issparse(data) or data.dtype.kind != "i" or not data.size:
        return ""
    n = data.shape[0]
    if data.shape[1] != n or data.min() != 0:
        return ""
    largest = int(data.max())
    ends = {name: spread * n for name, spread in RANGES.items()}
    return next((name for name, end in ends.items() if abs(largest - end) <= NEAR * end), "")


ASSIGNMENT = AssignmentProblem()
