"""Maximum flow in the bench."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.table import Table
from scipy import sparse

import konig
from konig import io
from konig.errors import CertificateError
from konig.flow.inputs import FlowNetwork, as_network
from konig.flow.proof import check_cut, check_flow
from konig.io import Network
from konig.lab.generators import far_pairs_network, generate_network, matching_network
from konig.lab.problems.flow_peers import PEERS, PeerFlow
from konig.lab.problems.flow_suites import SUITES
from konig.lab.problems.problem import Problem
from konig.lab.suites import PLAIN, Instance, files_of, write_whole

if TYPE_CHECKING:
    from konig.lab.figures import Row
    from konig.lab.runner import Record

# The group of networks that are bipartite graphs with a source and a sink, all of unit capacity.
BIPARTITE = "bipartite"


class FlowProblem(Problem):
    """Instances are networks with a source and a sink."""

    name = "flow"
    parts = ("convert", "build", "start", "solve", "extract")
    counted = "units"
    # The configurations of Hsieh, Lin and Kuo, table II.
    paper = tuple(f"{who}-{layout}" for layout in ("csr", "rcsr", "bcsr") for who in ("lock-free", "tlpns"))
    suites = SUITES
    peers = PEERS
    warm_up = Network(np.array([0, 1]), np.array([1, 2]), np.array([2, 1]), 3, 0, 2)

    def files(self, folder: Path) -> tuple[Instance, ...]:
        """DIMACS files as they are; matrices and edge lists as the flow papers make networks of them."""
        return files_of(folder, (".max", ".mtx", ".txt", ".edges"), self.name, PLAIN)

    def make(self, instance: Instance) -> Network:
        """An instance; a square matrix gets terminals far apart, another one becomes a matching network."""
        if instance.family != "file":
            return generate_network(instance.family, seed=1, **instance.params)
        path = instance.params["path"]
        if ".max" in Path(path).suffixes:
            return io.read_network(path)
        matrix = io.read(path)
        square = matrix.shape[0] == matrix.shape[1]
        return far_pairs_network(matrix, seed=1) if square else matching_network(matrix)

    def save(self, path: Path, data: Network) -> None:
        ends = np.array([data.num_vertices, data.source, data.sink])
        write_whole(path, {"tail": data.tail, "head": data.head, "capacity": data.capacity, "ends": ends})

    def load(self, path: Path, order: str = "none", seed: int = 0) -> Network:
        if order != "none":
            raise ValueError(f"order={order!r}: networks are solved as they come")
        with np.load(path) as arrays:
            # 32-bit ids and 64-bit capacities, as somebody would hold them who solves many networks.
            narrow = np.int32 if arrays["ends"][0] <= np.iinfo(np.int32).max else np.int64
            tail, head = arrays["tail"].astype(narrow), arrays["head"].astype(narrow)
            return Network(tail, head, arrays["capacity"].astype(np.int64), *arrays["ends"].tolist())

    def extent(self, data: Network) -> dict[str, Any]:
        """Vertices and arcs; of a bipartite graph both sides and the edges between them."""
        left, right = data.head[data.tail == data.source], data.tail[data.head == data.sink]
        between = data.num_arcs - len(left) - len(right)
        if _is_bipartite(data, left, right):
            return {"rows": len(left), "cols": len(right), "nonzeros": between, "group": BIPARTITE}
        n = data.num_vertices
        return {"rows": n, "cols": n, "nonzeros": data.num_arcs, "group": ""}

    def solve(self, data: Network, method: str, options: Mapping[str, Any]) -> konig.Flow:
        ends = data.source, data.sink
        return konig.maximum_flow(data.arcs, *ends, num_vertices=data.num_vertices, method=method, **options)

    def verify(self, data: Network, answer: konig.Flow) -> int:
        answer.verify(data.arcs, data.source, data.sink)
        return int(answer.value)

    def check(self, data: Network, answer: PeerFlow) -> int:
        """Check the flow and the cut, as far as they are there, to have the value that is claimed."""
        capacity = sparse.csr_array(data.matrix())
        capacity.sum_duplicates()
        network = as_network(capacity, data.source, data.sink)
        if answer.flow is not None:
            value = check_flow(
                network.tail, network.head, network.capacity, _net_flow(answer.flow, network), network.role
            )
            if value != answer.value:
                raise CertificateError(f"the flow brings {value}, not {answer.value} as it says")
        if answer.cut is not None:
            arcs = network.tail, network.head, network.capacity
            across = check_cut(*arcs, answer.cut, network.role)
            if across != answer.value:
                raise CertificateError(f"the cut has capacity {across}, but the value is {answer.value}")
        return answer.value

    def paper_tables(self, records: Sequence[Record], rows: Sequence[Row]) -> Iterator[Table]:
        from konig.lab import flow_report

        refused = {(record.instance, record.solver) for record in records if record.status == "error"}
        return flow_report.paper_tables(rows, refused)


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
