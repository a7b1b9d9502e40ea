"""Maximum matching in the bench."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.table import Table
from scipy import sparse

import konig
from konig import io
from konig.lab import pattern_files
from konig.lab.generators import generate, permute
from konig.lab.problems.matching_peers import PEERS
from konig.lab.problems.matching_suites import SUITES
from konig.lab.problems.problem import Problem
from konig.lab.suites import ORDERS, Instance, files_of
from konig.matching.inputs import as_graph
from konig.matching.proof import check_matching

if TYPE_CHECKING:
    from konig.lab.figures import Row


class MatchingProblem(Problem):
    """Instances are patterns, as CSR arrays of ones."""

    name = "matching"
    parts = ("transpose", "start", "main")
    counted = "pairs"
    # The rows of table 1 of Kaya, Langguth, Manne and Uçar (2013).
    paper = (
        *(
            f"{pr}:relabel={rf}"
            for pr in ("pr", "pr-fair", "pr-fair-spread")
            for rf in ("1", "1.5", "2", "4", "8")
        ),
        *("pfp", "hi-wave", "lo-lifo", "lo-free"),
    )
    suites = SUITES
    peers = PEERS
    warm_up = sparse.csr_array(np.eye(3, dtype=np.int8))
    permuted = True

    def files(self, folder: Path) -> tuple[Instance, ...]:
        """Every Matrix Market file of a folder, in all four orders."""
        return files_of(folder, (".mtx",), self.name, tuple(ORDERS))

    def make(self, instance: Instance) -> sparse.csr_array:
        if instance.family == "file":
            return sparse.csr_array(io.read(instance.params["path"]))
        return generate(instance.family, seed=1, **instance.params)

    def save(self, path: Path, data: sparse.csr_array) -> None:
        pattern_files.save(path, data)

    def load(self, path: Path, order: str = "none", seed: int = 0) -> sparse.csr_array:
        matrix = pattern_files.load(path)
        if order == "none":
            return matrix
        return permute(matrix, order in ("rows", "both"), order in ("cols", "both"), seed)

    def extent(self, data: sparse.csr_array) -> dict[str, Any]:
        rows, cols = data.shape
        return {"rows": rows, "cols": cols, "nonzeros": int(data.nnz), "group": ""}

    def solve(self, data: sparse.csr_array, method: str, options: Mapping[str, Any]) -> konig.Matching:
        return konig.maximum_matching(data, method=method, **options)

    def verify(self, data: sparse.csr_array, answer: konig.Matching) -> int:
        answer.verify(data)
        return answer.size

    def check(self, data: sparse.csr_array, answer: np.ndarray) -> int:
        """Check the partner of each row."""
        row_of_col = np.full(data.shape[1], -1, np.int64)
        matched = np.flatnonzero(answer >= 0)
        row_of_col[answer[matched]] = matched
        return check_matching(*as_graph(data).edges(), answer, row_of_col)

    def method_tables(self, rows: Sequence[Row], methods: Sequence[str]) -> Iterator[Table]:
        from konig.lab import report

        yield report.operation_counts(rows)
        yield report.work(rows, methods[0])


MATCHING = MatchingProblem()
