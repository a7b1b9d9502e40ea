"""Flows and cuts of NetworkX graphs: NetworkX's arguments, results and exceptions."""

from __future__ import annotations

from itertools import compress
from typing import Any, NamedTuple

import networkx as nx
import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import breadth_first_order

from konig.errors import UnboundedError
from konig.flow import maximum_flow as solve
from konig.flow.result import Flow
from konig.interop.networkx.graphs import (
    Entries,
    Neighbours,
    Node,
    Numbering,
    Numbers,
    adjacency,
    as_numbers,
    edge_values,
    entries,
)


def maximum_flow(
    flowG: Any, _s: Node, _t: Node, capacity: Any = "capacity", flow_func: Any = None, **kwargs: Any
) -> tuple[int | float, dict[Node, dict[Node, int | float]]]:
    """The value of a maximum flow and the flow along each edge, by its ends."""
    solved = _solve(flowG, _s, _t, capacity, flow_func, kwargs)
    flows = iter(solved.flow.tolist())
    # The flows lie in the order of the neighbours; zip ends with each node's own, which it asks first.
    return solved.value, {
        node: dict(zip(near, flows, strict=False)) for node, near in solved.adjacency.items()
    }


def maximum_flow_value(
    flowG: Any, _s: Node, _t: Node, capacity: Any = "capacity", flow_func: Any = None, **kwargs: Any
) -> int | float:
    """The value of a maximum flow."""
    return _solve(flowG, _s, _t, capacity, flow_func, kwargs).value


def minimum_cut(
    flowG: Any, _s: Node, _t: Node, capacity: Any = "capacity", flow_func: Any = None, **kwargs: Any
) -> tuple[int | float, tuple[set[Node], set[Node]]]:
    """The value of a minimum cut, and the two sides of the one that NetworkX chooses: nearest to the sink."""
    solved = _solve(flowG, _s, _t, capacity, flow_func, kwargs)
    near_sink = set(compress(solved.adjacency, solved.sink_side().tolist()))
    return solved.value, (set(solved.adjacency) - near_sink, near_sink)


def minimum_cut_value(
    flowG: Any, _s: Node, _t: Node, capacity: Any = "capacity", flow_func: Any = None, **kwargs: Any
) -> int | float:
    """The value of a minimum cut."""
    return _solve(flowG, _s, _t, capacity, flow_func, kwargs).value


def check_terminals(G: Any, s: Node, t: Node) -> None:
    """NetworkX's errors for terminals, and for graphs with parallel edges."""
    for node in (s, t):
        if node not in G:
            raise nx.NetworkXError(f"node {node} not in graph")
    if s == t:
        raise nx.NetworkXError("source and sink are the same node")
    if G.is_multigraph():
        raise nx.NetworkXError("MultiGraph and MultiDiGraph not supported (yet).")


class Network(NamedTuple):
    """The arcs of a graph, both ways for an edge without direction, in the order of its neighbours."""

    tail: np.ndarray
    head: np.ndarray
    capacity: Numbers
    nodes: int

    @classmethod
    def of(cls, lists: Entries, capacity: Numbers) -> Network:
        tail = np.repeat(np.arange(len(lists.start) - 1, dtype=np.int32), np.diff(lists.start))
        # To NetworkX a capacity that is not above 0, even NaN, is no arc.
        positive = np.where(capacity.array > 0, capacity.array, capacity.array.dtype.type(0))
        return cls(tail, lists.neighbour, Numbers(positive, capacity.whole), len(lists.start) - 1)

    def maximum_flow(self, source: int, sink: int) -> Flow:
        """NetworkXUnbounded for an infinite path; what konig cannot hold is declined."""
        arcs = self.tail, self.head, self.capacity.array
        try:
            found = solve(arcs, source, sink, num_vertices=self.nodes)
        except UnboundedError:
            raise nx.NetworkXUnbounded("Infinite capacity path, flow unbounded above.") from None
        except ValueError as error:
            raise NotImplementedError(str(error)) from error
        if self.capacity.whole and found.gap:
            raise NotImplementedError("infinite capacities beside integers whose flow is above 2**53")
        return found

    def value(self, found: Flow) -> int | float:
        """A Python integer for integers, whatever they were solved in."""
        return int(found.value) if self.capacity.whole else found.value

    def flows(self, found: Flow) -> np.ndarray:
        flow: np.ndarray = found.flow
        return flow.astype(np.int64, copy=False) if self.capacity.whole else flow


class Solved(NamedTuple):
    """A maximum flow of a graph."""

    adjacency: dict[Node, Neighbours]
    network: Network
    found: Flow
    sink: int

    @property
    def value(self) -> int | float:
        return self.network.value(self.found)

    @property
    def flow(self) -> np.ndarray:
        return self.network.flows(self.found)

    def sink_side(self) -> np.ndarray:
        """The nodes from which residual arcs lead to the sink, which are the same for every maximum flow.

        All of them are on the sink's side of any minimum cut. Where capacities were rounded an arc of the cut
        may have something left, and then that side is the answer.
        """
        side: np.ndarray = ~self.found.cut
        if self.found.gap:
            return side
        tail, head, flow, room = self.network.tail, self.network.head, self.found.flow, self.network.capacity
        inside = side[tail] & side[head]
        back = inside & (flow < room.array)  # searched from the sink, against the arcs
        forth = inside & (flow > 0)
        ends = np.r_[head[back], tail[forth]], np.r_[tail[back], head[forth]]
        n = self.network.nodes
        arcs = sp.csr_array((np.ones(len(ends[0]), np.int8), ends), shape=(n, n))
        near = np.zeros(n, bool)
        near[breadth_first_order(arcs, self.sink, return_predecessors=False)] = True
        return near


def _solve(G: Any, s: Node, t: Node, capacity: Any, flow_func: Any, kwargs: Any) -> Solved:
    if flow_func is not None and not callable(flow_func):
        raise nx.NetworkXError("flow_func has to be callable.")
    if flow_func is not None:
        raise NotImplementedError("with a flow_func NetworkX calls that")
    if kwargs:
        raise nx.NetworkXError(
            "You have to explicitly set a flow_func if you need to pass parameters via kwargs."
        )
    check_terminals(G, s, t)
    near = adjacency(G)
    numbering, lists = Numbering(list(near)), list(near.values())
    network = Network.of(
        entries(lists, numbering), as_numbers(edge_values(lists, capacity, np.inf), capacity)
    )
    source, sink = numbering.of_all([(s, t)], 2).tolist()
    return Solved(near, network, network.maximum_flow(source, sink), sink)
