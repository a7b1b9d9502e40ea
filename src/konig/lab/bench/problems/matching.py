"""Maximum matching in the bench, and other libraries' solvers.

What is checked of a peer is the partner of each row, -1 where there is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from scipy import sparse

import konig
from konig import io
from konig.lab.bench import gpu, suites
from konig.lab.bench.contenders import HOST, Peer
from konig.lab.bench.problems.problem import Problem
from konig.lab.bench.suites import Instance
from konig.lab.generators import generate
from konig.lab.generators.pattern import from_entries
from konig.matching.inputs import as_graph
from konig.matching.proof import check_matching

MOST_ENTRIES = 200_000  # NetworkX would only run into the timeout with more


def _scipy(A: sparse.csr_array) -> Any:
    from scipy.sparse.csgraph import maximum_bipartite_matching

    return partial(maximum_bipartite_matching, A, perm_type="column"), np.asarray


def _igraph(A: sparse.csr_array) -> Any:
    import igraph

    rows, cols = A.shape
    entries = A.tocoo()
    edges = np.column_stack((entries.row, entries.col + rows)).astype(np.int64)
    types = [False] * rows + [True] * cols
    graph = igraph.Graph(n=rows + cols, vertex_attrs={"type": types})
    graph.add_edges(edges)  # three times as fast as the constructor, which makes a list of the array

    def mates(answer: Any) -> np.ndarray:
        found = np.array(answer.matching[:rows], dtype=np.int64)
        return np.where(found >= 0, found - rows, -1)

    return partial(graph.maximum_bipartite_matching, types="type"), mates


def _too_large(A: sparse.csr_array) -> str | None:
    return f"more than {MOST_ENTRIES:,} entries" if A.nnz > MOST_ENTRIES else None


def _networkx(A: sparse.csr_array) -> Any:
    import networkx as nx
    from networkx.algorithms import bipartite

    graph = nx.Graph()
    rows, cols = A.shape
    graph.add_nodes_from(range(rows + cols))
    entries = A.tocoo()
    graph.add_edges_from(zip(entries.row.tolist(), (entries.col + rows).tolist(), strict=True))

    def mates(answer: Any) -> np.ndarray:
        return np.array([answer.get(row, rows - 1) - rows for row in range(rows)], dtype=np.int64)

    return partial(bipartite.hopcroft_karp_matching, graph, range(rows)), mates


PEERS = {
    "scipy": Peer("scipy", _scipy),
    "igraph": Peer("igraph", _igraph),
    "networkx": Peer("networkx", _networkx, refuses=_too_large),
}


class MatchingProblem(Problem):
    """Instances are patterns, as CSR arrays of ones."""

    name = "matching"
    parts = ("transpose", "start", "main")
    stages = ("transpose", "start", "kernel", "given_up")
    counts = (("levels", "bfs_levels"), ("relabel_levels",), ("launches",))
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
    suffixes = (".mtx",)
    suites = suites.MATCHING
    peers = PEERS
    warm_up = sparse.csr_array(np.eye(3, dtype=np.int8))
    permuted = True

    def make(self, instance: Instance) -> sparse.csr_array:
        if instance.family == "file":
            entries = io.read(instance.params["path"])
            return from_entries(entries.row, entries.col, entries.shape)
        matrix = generate(instance.family, seed=1, **instance.params)
        return matrix[np.roll(np.arange(matrix.shape[0]), 1)] if instance.form == "rolled" else matrix

    def extent(self, data: sparse.csr_array) -> dict[str, Any]:
        rows, cols = data.shape
        return {"rows": rows, "cols": cols, "nonzeros": int(data.nnz), "group": ""}

    def placed(self, data: sparse.csr_array, at: str) -> Any:
        return data if at == HOST else gpu.on_device(data, at)

    def solve(self, data: Any, method: str, options: Mapping[str, Any]) -> konig.Matching:
        return konig.maximum_matching(data, method=method, **options)

    def verify(self, data: sparse.csr_array, answer: konig.Matching) -> int:
        answer.verify(data)
        return answer.size

    def check(self, data: sparse.csr_array, answer: np.ndarray) -> int:
        row_of_col = np.full(data.shape[1], -1, np.int64)
        matched = np.flatnonzero(answer >= 0)
        row_of_col[answer[matched]] = matched
        return check_matching(*as_graph(data).edges(), answer, row_of_col)


MATCHING = MatchingProblem()
