"""Flow networks made from graphs: unit arcs, and terminals added as the flow papers add them."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from konig import arguments
from konig.io.entries import Network
from konig.lab.generators.draws import Draws
from konig.lab.generators.family import Parameter, family, probability
from konig.lab.generators.meshes import road_grid
from konig.lab.generators.pattern import network
from konig.lab.generators.random_graphs import RMAT, rmat

# Searches begun for each pair that is kept: the quarter with the longest paths stays.
SEARCHES_PER_PAIR = 4
# Other draws than the graph's, so that the terminals are independent of it.
TERMINAL_STREAM = 2
FLOW_PAPER = (
    "Hsieh, Lin and Kuo, Accelerating push-relabel algorithm on GPU via two-level parallelism paradigm and "
    "efficient CSR designs."
)
PAIRS = Parameter("How many pairs of terminals.", 1)


def matching_network(A: sparse.sparray) -> Network:
    """The flow network of a bipartite graph: source to rows, rows to columns, columns to sink, one unit each.

    Each stored entry is an arc from its row to its column. The source is the first vertex; then come the
    rows, the columns and the sink.

    Examples
    --------
    >>> import konig, scipy.sparse as sp
    >>> from konig.lab.generators import matching_network
    >>> net = matching_network(sp.csr_array([[1, 1], [0, 1], [0, 1]]))
    >>> konig.maximum_flow(net.arcs, net.source, net.sink).value
    2
    """
    rows, cols = A.shape
    entries = A.tocoo()
    left, right = 1 + np.arange(rows), 1 + rows + np.arange(cols)
    sink = rows + cols + 1
    arcs = (0, left, 1), (left[entries.row], right[entries.col], 1), (right, sink, 1)
    return network(arcs, sink + 1, 0, sink)


def far_pairs_network(A: sparse.sparray, pairs: int = 20, seed: int = 0) -> Network:
    """Unit arcs of a directed graph, with a super source and a super sink tied to vertices far apart.

    Each stored entry of the square matrix that is off the diagonal is an arc. Breadth-first searches begin at
    random vertices; the quarter of them with the longest shortest paths give the pairs, a start and one of
    its farthest vertices that is no terminal yet. There are fewer pairs where the graph does not have them.
    The super source feeds all starts, the far ends feed the super sink, by as much as the arcs of each can
    carry. These two are the last vertices. So Hsieh, Lin and Kuo (`FLOW_PAPER`) made flow problems of the
    SNAP graphs, with 20 pairs.

    Examples
    --------
    >>> from konig.lab.generators import far_pairs_network, road_grid
    >>> net = far_pairs_network(road_grid(20, seed=1), pairs=3)
    >>> net.num_vertices, net.source, net.sink, int((net.tail == net.source).sum())
    (402, 400, 401, 3)
    """
    # SciPy's searches want doubles, and would convert anything else each time.
    graph = sparse.csr_array(A.tocsr(), dtype=np.float64)
    n = graph.shape[0]
    if graph.shape[1] != n:
        raise ValueError(f"A must be square, not {graph.shape[0]} x {graph.shape[1]}")
    pairs = arguments.integer("pairs", pairs, 1)
    entries = graph.tocoo()
    proper = entries.row != entries.col
    tail, head = entries.row[proper].astype(np.int64), entries.col[proper].astype(np.int64)
    out, into = np.bincount(tail, minlength=n), np.bincount(head, minlength=n)
    starts, ends = _far_pairs(graph, np.flatnonzero(out), pairs, seed)
    if not starts:
        raise ValueError("A has no arc from one vertex to another, so no two vertices are apart")
    arcs = (tail, head, 1), (n, starts, out[starts]), (ends, n + 1, into[ends])
    return network(arcs, n + 2, n, n + 1)


def _far_pairs(
    graph: sparse.csr_array, candidates: np.ndarray, pairs: int, seed: int
) -> tuple[list[int], list[int]]:
    """Starts and ends, all different, of the longest shortest paths that were found."""
    searches = min(SEARCHES_PER_PAIR * pairs, len(candidates))
    chosen = candidates[Draws(seed, TERMINAL_STREAM).permutation(len(candidates))[:searches]]
    found = sorted((_farthest(graph, int(start), 2 * pairs + 1) for start in chosen), key=lambda f: -f[0])
    starts: list[int] = []
    ends: list[int] = []
    taken: set[int] = set()
    for length, start, farthest in found:
        if length == 0 or start in taken or len(starts) == pairs:
            continue
        taken.add(start)
        end = next((vertex for vertex in farthest if vertex not in taken), None)
        if end is not None:
            starts.append(start)
            ends.append(end)
            taken.add(end)
    return starts, ends


def _farthest(graph: sparse.csr_array, start: int, most: int) -> tuple[int, int, list[int]]:
    """The length of the longest shortest path from a vertex, the vertex, and those found last, last first."""
    order, parent = csgraph.breadth_first_order(graph, start)
    length, vertex = 0, order[-1]
    while vertex != start:
        length, vertex = length + 1, parent[vertex]
    return length, start, order[: -most - 1 : -1].tolist()


@family(
    f"{RMAT}; {FLOW_PAPER}",
    scale="Logarithm (base two) of the number of vertices, at most 31.",
    edge_factor="Arcs drawn per vertex, before repetitions merge.",
    pairs=PAIRS,
)
def rmat_flow(scale: int = 10, edge_factor: int = 8, pairs: int = 20, seed: int = 0) -> Network:
    """R-MAT graph of unit arcs, with a super source and a super sink tied to pairs of far-apart vertices.

    These two are the last of ``2**scale + 2`` vertices.

    >>> rmat_flow(8, seed=1).num_vertices
    258
    """
    return far_pairs_network(rmat(scale, edge_factor, seed=seed), pairs, seed)


@family(
    FLOW_PAPER,
    nx="Side of the grid.",
    keep=probability("Probability that an edge of the grid is there."),
    pairs=PAIRS,
)
def road_flow(nx: int = 32, keep: float = 0.65, pairs: int = 20, seed: int = 0) -> Network:
    """Road-like grid of unit arcs both ways, with a super source and a super sink tied to far-apart vertices.

    These two are the last of ``nx * nx + 2`` vertices.

    >>> road_flow(20, seed=1).num_vertices
    402
    """
    return far_pairs_network(road_grid(nx, keep=keep, seed=seed), pairs, seed)


@family(
    f"{RMAT}.",
    scale="Logarithm (base two) of the number of rows and of columns, at most 31.",
    edge_factor="Entries drawn per row, before repetitions merge.",
)
def rmat_matching(scale: int = 10, edge_factor: int = 8, seed: int = 0) -> Network:
    """The matching network of an R-MAT graph taken as bipartite: few hubs on both sides, many leaves.

    Of the ``2**(scale + 1) + 2`` vertices the source is the first and the sink the last.

    >>> rmat_matching(8, seed=1).num_vertices
    514
    """
    return matching_network(rmat(scale, edge_factor, seed=seed))
