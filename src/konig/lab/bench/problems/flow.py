"""Maximum flow in the bench, and other libraries' solvers.

What is checked of a peer is the value, and the flow or the cut that it gives.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

import konig
from konig import io
from konig.errors import CertificateError
from konig.flow.inputs import FlowNetwork, as_network
from konig.flow.proof import check_cut, check_flow
from konig.io import Network
from konig.lab.bench import gpu, suites
from konig.lab.bench.contenders import Peer
from konig.lab.bench.problems.problem import Problem
from konig.lab.bench.suites import Instance
from konig.lab.generators import generate
from konig.lab.generators.from_graphs import far_pairs_network, matching_network
from konig.lab.wild.networks import Undirected

# The group of networks that are bipartite graphs with a source and a sink, all of unit capacity.
BIPARTITE = "bipartite"
# For libraries that take integers only, real capacities are scaled to a median near this one and rounded; the
# part of the value that this may change.
LEVELS = 2**20
ROUNDING = 1e-4


@dataclass(frozen=True)
class PeerFlow:
    """A value, and what the library gives with it.

    ``flow`` is the flow as a matrix, of which only what goes from u to v more than from v to u counts.
    ``cut`` is true on the source side.
    """

    value: int
    flow: sparse.csr_array | None = None
    cut: np.ndarray | None = None


def _ortools_graph(network: Network) -> Any:
    from ortools.graph.python import max_flow

    solver = max_flow.SimpleMaxFlow()
    ends = np.asarray(network.tail, np.int32), np.asarray(network.head, np.int32)
    return solver, solver.add_arcs_with_capacity(*ends, np.asarray(network.capacity, np.int64))


def _ortools_solve(solver: Any, network: Network) -> None:
    if solver.solve(network.source, network.sink) != solver.OPTIMAL:
        raise ValueError("OR-tools did not find an optimal flow")


def _ortools(network: Network) -> Any:
    solver, arcs = _ortools_graph(network)

    def answer(_: Any) -> PeerFlow:
        side = _side(network, solver.get_source_side_min_cut())
        return PeerFlow(solver.optimal_flow(), _per_arc(network, solver.flows(arcs)), side)

    return partial(_ortools_solve, solver, network), answer


def _ortools_whole(network: Network) -> Any:
    solver, arcs = _ortools_graph(network)
    _ortools_solve(solver, network)
    return solver.optimal_flow(), solver.flows(arcs), solver.get_source_side_min_cut()


def _side(network: Network, vertices: Any) -> np.ndarray:
    side = np.zeros(network.num_vertices, bool)
    side[vertices] = True
    return side


def _per_arc(network: Network, flow: Any) -> sparse.csr_array:
    shape = (network.num_vertices, network.num_vertices)
    return sparse.csr_array((np.asarray(flow, np.int64), (network.tail, network.head)), shape=shape)


def _pymaxflow_graph(network: Network) -> Any:
    """The graph, its nodes, and what goes from the source to the sink directly.

    Terminals are no vertices here: their arcs are two numbers at each vertex.
    """
    import maxflow

    source, sink, tail, head = network.source, network.sink, network.tail, network.head
    useful = (head != source) & (tail != sink) & (tail != head)
    leaving, entering = useful & (tail == source), useful & (head == sink)
    direct = leaving & entering
    first, last = leaving & ~direct, entering & ~direct
    inner = np.flatnonzero(useful & ~leaving & ~entering)
    n = network.num_vertices
    graph = maxflow.GraphInt(n, len(inner))
    nodes = graph.add_grid_nodes(n)
    from_source, to_sink = np.zeros(n, np.int64), np.zeros(n, np.int64)
    np.add.at(from_source, head[first], network.capacity[first])
    np.add.at(to_sink, tail[last], network.capacity[last])
    graph.add_grid_tedges(nodes, from_source, to_sink)
    capacity = network.capacity[inner]
    graph.add_edges(tail[inner], head[inner], capacity, np.zeros(len(inner), np.int64))
    return graph, nodes, int(network.capacity[direct].sum())


def _pymaxflow(network: Network) -> Any:
    graph, nodes, direct = _pymaxflow_graph(network)

    def answer(value: Any) -> PeerFlow:
        side = ~np.asarray(graph.get_grid_segments(nodes))
        side[network.source], side[network.sink] = True, False
        return PeerFlow(int(value) + direct, cut=side)

    return graph.maxflow, answer


def _pymaxflow_whole(network: Network) -> Any:
    """It gives the cut, and no flow."""
    graph, nodes, direct = _pymaxflow_graph(network)
    return graph.maxflow() + direct, graph.get_grid_segments(nodes)


def _scipy(network: Network) -> Any:
    from scipy.sparse.csgraph import maximum_flow

    matrix = sparse.csr_array(network.matrix())

    def answer(found: Any) -> PeerFlow:
        # It is antisymmetric: half of it counts.
        return PeerFlow(int(found.flow_value), found.flow.astype(np.int64).maximum(0))

    return partial(maximum_flow, matrix.astype(np.int32), network.source, network.sink), answer


def _scipy_refuses(network: Network) -> str | None:
    largest = sparse.csr_array(network.matrix()).data.max(initial=0)
    return "takes 32-bit capacities only" if largest > np.iinfo(np.int32).max else None


def _igraph(network: Network) -> Any:
    import igraph

    edges = np.column_stack((network.tail, network.head)).astype(np.int64)
    graph = igraph.Graph(n=network.num_vertices, directed=True)
    graph.add_edges(edges)

    def answer(found: Any) -> PeerFlow:
        flow = _per_arc(network, np.rint(found.flow))
        return PeerFlow(round(found.value), flow, _side(network, found.partition[0]))

    return partial(graph.maxflow, network.source, network.sink, network.capacity.tolist()), answer


PEERS = {
    "ortools": Peer("ortools", _ortools, whole=_ortools_whole),
    "pymaxflow": Peer("maxflow", _pymaxflow, used_up=True, whole=_pymaxflow_whole),
    "scipy": Peer("scipy", _scipy, refuses=_scipy_refuses),
    "igraph": Peer("igraph", _igraph),
}


class Grid(NamedTuple):
    """A network as `konig.grid_cut` takes it: the capacities of each pixel."""

    source: Any
    sink: Any
    neighbours: Any


Data = Network | Grid


class FlowProblem(Problem):
    """Instances are networks with a source and a sink, or the arrays of a grid."""

    name = "flow"
    parts = ("convert", "build", "start", "solve", "extract")
    stages = ("build", "solve", "extract")
    counts = (
        ("push_steps", "cycles"),
        ("search_levels", "relabel_levels"),
        ("global_relabels",),
        ("supersteps",),
    )
    counted = "units"
    # The configurations of Hsieh, Lin and Kuo, table II.
    paper = tuple(f"{kind}-{layout}" for layout in ("csr", "rcsr", "bcsr") for kind in ("lock-free", "tlpns"))
    suffixes = (".max", ".mtx", ".txt", ".edges")
    suites = suites.FLOW
    peers = PEERS
    warm_up = Network(np.array([0, 1], np.int32), np.array([1, 2], np.int32), np.array([2, 1]), 3, 0, 2)

    def make(self, instance: Instance) -> Data:
        """An instance. Files that are no networks become one as in the flow papers.

        A square matrix or an edge list gets terminals far apart, another matrix is a matching network.
        """
        if instance.family != "file":
            network = generate(instance.family, seed=1, **instance.params)
            return as_grid(network, instance.params["height"]) if instance.form == "grid" else network
        path = instance.params["path"]
        if ".max" in Path(path).suffixes:
            return io.read_network(path)
        matrix = io.read(path)
        square = matrix.shape[0] == matrix.shape[1]
        return far_pairs_network(matrix, seed=1) if square else matching_network(matrix)

    def save(self, file: Any, data: Data) -> None:
        if isinstance(data, Grid):
            np.savez(file, **data._asdict())
            return
        ends = np.array([data.num_vertices, data.source, data.sink])
        np.savez(file, tail=data.tail, head=data.head, capacity=data.capacity, ends=ends)

    def restore(self, path: Path) -> Data:
        with np.load(path) as file:
            arrays = dict(file)
        if "neighbours" in arrays:
            return Grid(**arrays)
        # 32-bit ids and 64-bit capacities, as a caller of many solves would hold them.
        narrow = np.int32 if arrays["ends"][0] <= np.iinfo(np.int32).max else np.int64
        tail, head = arrays["tail"].astype(narrow), arrays["head"].astype(narrow)
        return Network(tail, head, arrays["capacity"].astype(np.int64), *arrays["ends"].tolist())

    def extent(self, data: Data) -> dict[str, Any]:
        """Vertices and arcs; of a bipartite graph both sides and the edges between them."""
        if isinstance(data, Grid):
            arcs = sum(int(np.count_nonzero(part)) for part in data)
            return {"rows": data.source.size, "cols": data.source.size, "nonzeros": arcs, "group": ""}
        left, right = data.head[data.tail == data.source], data.tail[data.head == data.sink]
        between = data.num_arcs - len(left) - len(right)
        if _is_bipartite(data, left, right):
            return {"rows": len(left), "cols": len(right), "nonzeros": between, "group": BIPARTITE}
        n = data.num_vertices
        return {"rows": n, "cols": n, "nonzeros": data.num_arcs, "group": ""}

    def left_out(self, data: Data, contender: Mapping[str, Any]) -> str | None:
        """Also peers on the arrays of a grid."""
        if isinstance(data, Grid) and contender["kind"] == "peer":
            return "takes arcs only"
        return super().left_out(data, contender)

    def for_peers(self, data: Data) -> tuple[Data, float]:
        """Others take arcs with a direction, and integers.

        Real capacities are rounded, and no cut has an infinite one.
        Matrices add parallel arcs up, in 64 bits.
        """
        if isinstance(data, Grid):
            return data, 1.0
        if isinstance(data, Undirected):
            data = data.directed()
        if data.capacity.dtype.kind != "f":
            return replace(data, capacity=data.capacity.astype(np.int64)), 1.0
        finite = np.isfinite(data.capacity)
        known = data.capacity[finite]
        whole, typical = bool((known == np.rint(known)).all()), float(np.median(known[known > 0]))
        scale = 1.0 if whole else 2.0 ** math.floor(math.log2(LEVELS / typical))
        rounded = np.rint(np.where(finite, data.capacity, 0.0) * scale).astype(np.int64)
        rounded[~finite] = rounded.sum() + 1
        return replace(data, capacity=rounded), 1 / scale

    def objection(self, size: float, proven: float) -> str | None:
        """Where real capacities were rounded, the value is too."""
        if isinstance(size, float) and math.isclose(size, proven, rel_tol=ROUNDING):
            return None
        return super().objection(size, proven)

    def placed(self, data: Data, at: str) -> Data:
        if isinstance(data, Grid):
            return Grid(*(gpu.placed(part, at) for part in data))
        tail, head, capacity = (gpu.placed(part, at) for part in data.arcs)
        return replace(data, tail=tail, head=head, capacity=capacity)

    def solve(self, data: Data, method: str, options: Mapping[str, Any]) -> konig.Flow | konig.GridCut:
        if isinstance(data, Grid):
            known = {name: value for name, value in options.items() if name != "threads"}
            return konig.grid_cut(*data, method=method, **known)
        given: dict[str, Any] = {"num_vertices": data.num_vertices}
        given["undirected"] = isinstance(data, Undirected)
        return konig.maximum_flow(data.arcs, data.source, data.sink, method=method, **given, **options)

    def read(self, answer: Any) -> None:
        """The flow of each arc is made when it is first read."""
        _ = answer.flow if isinstance(answer, konig.Flow) else None

    def verify(self, data: Data, answer: Any) -> float:
        if isinstance(data, Grid):
            answer.verify(*data)
        else:
            given = {"num_vertices": data.num_vertices, "undirected": isinstance(data, Undirected)}
            answer.verify(data.arcs, data.source, data.sink, **given)
        return float(answer.value) if isinstance(answer.value, float) else int(answer.value)

    def check(self, data: Network, answer: PeerFlow) -> int:
        """Check the flow and the cut, as far as they are there, to have the value that is claimed."""
        capacity = sparse.csr_array(data.matrix())
        capacity.sum_duplicates()
        network = as_network(capacity, data.source, data.sink)
        arcs = network.tail, network.head, network.capacity
        if answer.flow is not None:
            value = check_flow(*arcs, _net_flow(answer.flow, network), network.role)
            if value != answer.value:
                raise CertificateError(f"the flow brings {value}, not {answer.value} as it says")
        if answer.cut is not None:
            across = check_cut(*arcs, answer.cut, network.role)
            if across != answer.value:
                raise CertificateError(f"the cut has capacity {across}, but the value is {answer.value}")
        return answer.value


def as_grid(network: Network, height: int) -> Grid:
    """A square image that a generator made as arcs, with its four neighbours of each pixel."""
    pixels = height * height
    source, sink = np.zeros(pixels, np.int64), np.zeros(pixels, np.int64)
    between = np.zeros((4, pixels), np.int64)
    tail, head, capacity = network.arcs
    leaving, entering = tail == network.source, head == network.sink
    source[head[leaving]] = capacity[leaving]
    sink[tail[entering]] = capacity[entering]
    inner = ~leaving & ~entering
    tail, head, capacity = tail[inner], head[inner], capacity[inner]
    for direction, (down, right) in enumerate(konig.grid_offsets(4)):
        there = head - tail == down * height + right
        between[direction, tail[there]] = capacity[there]
    shape = height, height
    return Grid(source.reshape(shape), sink.reshape(shape), between.reshape(4, *shape))


def _is_bipartite(data: Network, left: np.ndarray, right: np.ndarray) -> bool:
    """Whether all vertices are on the left or on the right, and all other arcs lead from left to right."""
    if len(left) + len(right) + 2 != data.num_vertices or (data.capacity != 1).any():
        return False
    side = np.zeros(data.num_vertices, np.int8)
    side[left], side[right] = 1, 2
    between = (data.tail != data.source) & (data.head != data.sink)
    apart = (side[data.tail[between]] == 1).all() and (side[data.head[between]] == 2).all()
    return bool(apart) and np.count_nonzero(side) == len(left) + len(right)


def _net_flow(flow: sparse.csr_array, network: FlowNetwork) -> np.ndarray:
    """What each arc carries beyond its opposite; flow where there is no arc is refused."""
    net = (flow - flow.T).maximum(0).tocoo()
    net = sparse.csr_array((net.data, (net.row, net.col)), shape=flow.shape)
    arcs = np.asarray(net[network.tail, network.head]).ravel().astype(np.int64)
    if arcs.sum() != net.data.sum():
        raise CertificateError("there is flow between two vertices that no arc connects")
    return arcs


FLOW = FlowProblem()
