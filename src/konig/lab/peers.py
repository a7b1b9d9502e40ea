"""Other libraries' maximum matchings. Each is optional; building its graph is kept apart from solving."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse


@dataclass(frozen=True)
class Peer:
    """A solver of another library.

    Attributes
    ----------
    package : str
        What must be installed.
    build : callable
        From a csr_array to whatever the library solves on.
    solve : callable
        From that to the library's own answer; this is what is timed.
    col_of_row : callable
        From the answer and the shape to the partner of each row, -1 where there is none.
    most_nonzeros : int or None
        Larger instances are left out: they would only run into the timeout.
    """

    package: str
    build: Callable[[sparse.csr_array], Any]
    solve: Callable[[Any], Any]
    col_of_row: Callable[[Any, tuple[int, int]], np.ndarray]
    most_nonzeros: int | None = None


def available() -> tuple[str, ...]:
    """The peers that are installed here."""
    return tuple(name for name, peer in PEERS.items() if importlib.util.find_spec(peer.package))


def _scipy_build(A: sparse.csr_array) -> Any:
    return A


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


def _igraph_mates(answer: Any, shape: tuple[int, int]) -> np.ndarray:
    mates = np.array(answer.matching[: shape[0]], dtype=np.int64)
    return np.where(mates >= 0, mates - shape[0], -1)


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


def _networkx_mates(answer: Any, shape: tuple[int, int]) -> np.ndarray:
    return np.array([answer.get(row, shape[0] - 1) - shape[0] for row in range(shape[0])], dtype=np.int64)


PEERS = {
    "scipy": Peer("scipy", _scipy_build, _scipy_solve, lambda answer, shape: np.asarray(answer)),
    "igraph": Peer("igraph", _igraph_build, _igraph_solve, _igraph_mates),
    "networkx": Peer("networkx", _networkx_build, _networkx_solve, _networkx_mates, 200_000),
}
