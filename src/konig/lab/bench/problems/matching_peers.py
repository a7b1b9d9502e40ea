"""Other libraries' maximum matchings. What is checked is the partner of each row, -1 where there is none."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from konig.lab.bench.contenders import Peer


def _scipy_solve(A: sparse.csr_array) -> Any:
    from scipy.sparse.csgraph import maximum_bipartite_matching

    return maximum_bipartite_matching(A, perm_type="column")


def _igraph_build(A: sparse.csr_array) -> Any:
    import igraph

    rows, cols = A.shape
    entries = A.tocoo()
    edges = np.column_stack((entries.row, entries.col + rows)).astype(np.int64)
    types = [False] * rows + [True] * cols
    return igraph.Graph(n=rows + cols, edges=edges, vertex_attrs={"type": types})


def _igraph_solve(graph: Any) -> Any:
    return graph.maximum_bipartite_matching(types="type")


def _igraph_mates(answer: Any, A: sparse.csr_array) -> np.ndarray:
    rows = A.shape[0]
    mates = np.array(answer.matching[:rows], dtype=np.int64)
    return np.where(mates >= 0, mates - rows, -1)


def _networkx_build(A: sparse.csr_array) -> Any:
    import networkx as nx

    graph = nx.Graph()
    rows, cols = A.shape
    graph.add_nodes_from(range(rows + cols))
    entries = A.tocoo()
    graph.add_edges_from(zip(entries.row.tolist(), (entries.col + rows).tolist(), strict=True))
    return graph, range(rows)


def _networkx_solve(built: Any) -> Any:
    from networkx.algorithms import bipartite

    graph, rows = built
    return bipartite.hopcroft_karp_matching(graph, rows)


def _networkx_mates(answer: Any, A: sparse.csr_array) -> np.ndarray:
    rows = A.shape[0]
    return np.array([answer.get(row, rows - 1) - rows for row in range(rows)], dtype=np.int64)


PEERS = {
    "scipy": Peer("scipy", lambda A: A, _scipy_solve, lambda answer, A: np.asarray(answer)),
    "igraph": Peer("igraph", _igraph_build, _igraph_solve, _igraph_mates),
    "networkx": Peer("networkx", _networkx_build, _networkx_solve, _networkx_mates, 200_000),
}
