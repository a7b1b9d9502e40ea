"""Other libraries' maximum flows. What is checked is the value, and the flow or the cut that they give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from konig.io import Network
from konig.lab.bench.contenders import Peer


@dataclass(frozen=True)
class PeerFlow:
    """A value, and what the library gives with it.

    ``flow`` is the flow as a matrix, of which only what goes from u to v more than from v to u counts.
    ``cut`` is true on the source side.
    """

    value: int
    flow: sparse.csr_array | None = None
    cut: np.ndarray | None = None


def _ortools_build(network: Network) -> Any:
    from ortools.graph.python import max_flow

    solver = max_flow.SimpleMaxFlow()
    ends = network.tail.astype(np.int32), network.head.astype(np.int32)
    arcs = solver.add_arcs_with_capacity(*ends, network.capacity.astype(np.int64))
    return solver, arcs, network.source, network.sink


def _ortools_solve(built: Any) -> Any:
    solver, arcs, source, sink = built
    if solver.solve(source, sink) != solver.OPTIMAL:
        raise ValueError("OR-tools did not find an optimal flow")
    return solver, arcs


def _ortools_answer(answer: Any, network: Network) -> PeerFlow:
    solver, arcs = answer
    side = np.zeros(network.num_vertices, bool)
    side[solver.get_source_side_min_cut()] = True
    return PeerFlow(solver.optimal_flow(), _per_arc(network, solver.flows(arcs)), side)


def _per_arc(network: Network, flow: Any) -> sparse.csr_array:
    shape = (network.num_vertices, network.num_vertices)
    return sparse.csr_array((np.asarray(flow, np.int64), (network.tail, network.head)), shape=shape)


def _pymaxflow_build(network: Network) -> Any:
    """Terminals are no vertices here: their arcs are two numbers at each vertex."""
    import maxflow

    source, sink, tail, head = network.source, network.sink, network.tail, network.head
    useful = (head != source) & (tail != sink) & (tail != head)
    direct = useful & (tail == source) & (head == sink)
    first, last = useful & (tail == source) & ~direct, useful & (head == sink) & ~direct
    inner = np.flatnonzero(useful & ~first & ~last & ~direct)
    n = network.num_vertices
    graph = maxflow.GraphInt(n, len(inner))
    nodes = graph.add_grid_nodes(n)
    from_source, to_sink = np.zeros(n, np.int64), np.zeros(n, np.int64)
    np.add.at(from_source, head[first], network.capacity[first])
    np.add.at(to_sink, tail[last], network.capacity[last])
    graph.add_grid_tedges(nodes, from_source, to_sink)
    capacity = network.capacity[inner]
    graph.add_edges(nodes[tail[inner]], nodes[head[inner]], capacity, np.zeros(len(inner), np.int64))
    return graph, nodes, int(network.capacity[direct].sum())


def _pymaxflow_solve(built: Any) -> Any:
    graph, nodes, direct = built
    return int(graph.maxflow()) + direct, graph, nodes


def _pymaxflow_answer(answer: Any, network: Network) -> PeerFlow:
    value, graph, nodes = answer
    side = ~np.asarray(graph.get_grid_segments(nodes))
    side[network.source], side[network.sink] = True, False
    return PeerFlow(value, cut=side)


def _scipy_build(network: Network) -> Any:
    matrix = sparse.csr_array(network.matrix())
    if matrix.data.max(initial=0) > np.iinfo(np.int32).max:
        raise ValueError("SciPy takes 32-bit capacities only")
    return matrix.astype(np.int32), network.source, network.sink


def _scipy_solve(built: Any) -> Any:
    from scipy.sparse.csgraph import maximum_flow

    return maximum_flow(*built)


def _scipy_answer(answer: Any, network: Network) -> PeerFlow:
    # It is antisymmetric: half of it counts.
    return PeerFlow(int(answer.flow_value), answer.flow.astype(np.int64).maximum(0))


def _igraph_build(network: Network) -> Any:
    import igraph

    edges = np.column_stack((network.tail, network.head)).astype(np.int64)
    graph = igraph.Graph(n=network.num_vertices, edges=edges, directed=True)
    return graph, network.source, network.sink, network.capacity.tolist()


def _igraph_solve(built: Any) -> Any:
    graph, source, sink, capacity = built
    return graph.maxflow(source, sink, capacity)


def _igraph_answer(answer: Any, network: Network) -> PeerFlow:
    side = np.zeros(network.num_vertices, bool)
    side[answer.partition[0]] = True
    return PeerFlow(round(answer.value), _per_arc(network, np.rint(answer.flow)), side)


PEERS = {
    "ortools": Peer("ortools", _ortools_build, _ortools_solve, _ortools_answer),
    "pymaxflow": Peer("maxflow", _pymaxflow_build, _pymaxflow_solve, _pymaxflow_answer, used_up=True),
    "scipy": Peer("scipy", _scipy_build, _scipy_solve, _scipy_answer),
    "igraph": Peer("igraph", _igraph_build, _igraph_solve, _igraph_answer),
}
