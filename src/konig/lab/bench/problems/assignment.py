"""Linear assignment in the bench."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

import konig
from konig import io, registry
from konig.assignment.proof import check_pairs
from konig.errors import CertificateError
from konig.lab.bench import gpu, suites
from konig.lab.bench.problems.assignment_peers import PEERS
from konig.lab.bench.problems.problem import Problem
from konig.lab.bench.suites import RANGES, Instance
from konig.lab.generators import generate_costs
from konig.lab.generators.costs import machol_wien
from konig.lab.generators.permutation import PERMUTATIONS, permute_costs

# By how much costs summed up in double precision may differ, as a part of them.
ROUNDING = 1e-9
# How near to the end of its range the largest of many random costs is.
NEAR = 0.05


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
                raise ValueError(
                    f"{instance.params['path']}: holds a batch, and the bench is for one problem"
                )
            return costs if isinstance(costs, np.ndarray) else sparse.csr_array(costs)
        return generate_costs(instance.family, seed=1, **instance.params)

    def arrays(self, data: Any) -> dict[str, Any]:
        if isinstance(data, Mapping):
            return dict(data)
        if isinstance(data, np.ndarray):
            return {"costs": data}
        shape = np.array(data.shape)
        return {"data": data.data, "indices": data.indices, "indptr": data.indptr, "shape": shape}

    def load(self, path: Path, order: str = "none", seed: int = 0) -> Any:
        with np.load(path) as arrays:
            if "kind" in arrays:
                return gpu.device_costs(gpu.cupy_or_numpy(), str(arrays["kind"]), int(arrays["n"]))
            if "costs" in arrays:
                costs = arrays["costs"]
            else:
                parts = (arrays["data"], arrays["indices"], arrays["indptr"])
                costs = sparse.csr_array(parts, shape=tuple(arrays["shape"].tolist()))
        return costs if order == "none" else permute_costs(costs, *PERMUTATIONS[order], seed)

    def extent(self, data: Any) -> dict[str, Any]:
        """Rows, columns and allowed entries; dense squares of integers are grouped by their range."""
        rows, cols = data.shape
        allowed = int(data.nnz if sparse.issparse(data) else np.isfinite(data).sum())
        return {"rows": rows, "cols": cols, "nonzeros": allowed, "group": _range(data)}

    def left_out(self, data: Any, contender: Mapping[str, Any]) -> str | None:
        """Also methods that are for dense costs only, or for batches."""
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

    def placed(self, data: Any, at: str) -> Any:
        """Sparse costs stay on the host: no method takes them on a GPU."""
        return data if sparse.issparse(data) else gpu.placed(data, at)

    def solve(self, data: Any, method: str, options: Mapping[str, Any]) -> konig.Assignment:
        answer = konig.linear_assignment(data, method=method, **options)
        assert isinstance(answer, konig.Assignment), "no instance is a batch"
        return answer

    def verify(self, data: Any, answer: konig.Assignment) -> float:
        answer.verify(data)
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


def _chosen(data: Any, row_ind: np.ndarray, col_ind: np.ndarray) -> np.ndarray:
    """What these entries cost; a forbidden one is refused."""
    if isinstance(data, np.ndarray):
        chosen = data[row_ind, col_ind]
        forbidden = ~np.isfinite(chosen)
    else:
        # Compressed rows in increasing order make the keys increase, too.
        row_of = np.repeat(np.arange(data.shape[0], dtype=np.int64), np.diff(data.indptr))
        keys = row_of * data.shape[1] + data.indices
        wanted = row_ind * data.shape[1] + col_ind
        place = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        forbidden = keys[place] != wanted if len(keys) else np.ones(len(wanted), bool)
        chosen = data.data[place] if len(keys) else np.zeros(0)
    if forbidden.any():
        k = int(np.flatnonzero(forbidden)[0])
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
