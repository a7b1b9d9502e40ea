"""A ``flow_func`` for NetworkX: maximum flow on its residual networks."""

from __future__ import annotations

import math
from typing import Any

import networkx as nx
import numpy as np
from networkx.algorithms.flow.utils import build_residual_network, detect_unboundedness

from konig.flow.capacities import LARGEST_FLOW
from konig.interop.networkx.flow import Network, check_terminals
from konig.interop.networkx.graphs import (
    Neighbours,
    Node,
    Numbering,
    Numbers,
    adjacency,
    as_numbers,
    entries,
)


def flow_func(
    G: Any,
    s: Node,
    t: Node,
    capacity: Any = "capacity",
    residual: Any = None,
    value_only: bool = False,
    cutoff: int | float | None = None,
) -> Any:
    """Find a maximum flow and return NetworkX's residual network of it.

    NetworkX's functions on flows, connectivity, cuts and disjoint paths take it as their ``flow_func``.

    Parameters
    ----------
    G : Graph or DiGraph
        A graph whose edges have capacities; one without has an infinite capacity.
    s, t : node
        The source and the sink.
    capacity : str
        The attribute of edges that holds their capacity.
    residual : DiGraph, optional
        A residual network of the graph to use again; its capacities count, not those of the graph.
    value_only : bool
        NetworkX passes it to allow for a flow that is not finished; this one always is.
    cutoff : number, optional
        No flow of a larger value is looked for.

    Returns
    -------
    DiGraph
        The residual network: each arc has a ``capacity`` and a ``flow``, which is the negative of the flow
        of its reverse. ``R.graph["flow_value"]`` is the value of the flow.

    Raises
    ------
    NetworkXError
        If a terminal is not in the graph, if both are the same, or if the graph has parallel edges.
    NetworkXUnbounded
        If the flow has no bound.
    NetworkXNotImplemented
        If capacities are neither integers of 64 bits nor floats, or the flow's value is above 2**62.

    Examples
    --------
    >>> import networkx as nx
    >>> from konig.interop.networkx import flow_func
    >>> G = nx.icosahedral_graph()
    >>> nx.node_connectivity(G, flow_func=flow_func)
    5
    >>> nx.set_edge_attributes(G, 2, "capacity")
    >>> flow_func(G, 0, 6).graph["flow_value"]
    10
    """
    check_terminals(G, s, t)
    R = build_residual_network(G, capacity) if residual is None else residual
    detect_unboundedness(R, s, t)
    near = adjacency(R)
    arcs = [arc for neighbours in near.values() for arc in neighbours.values()]
    for arc in arcs:
        arc["flow"] = 0
    try:
        capacities = as_numbers([arc["capacity"] for arc in arcs], "capacity")
        R.graph["flow_value"] = _push(near, capacities, s, t, cutoff)
    except (
        NotImplementedError
    ) as error:  # which NetworkX, where it calls this function, would take for its own
        raise nx.NetworkXNotImplemented(str(error)) from error
    R.graph["algorithm"] = "konig"
    nx._clear_cache(R)
    return R


def _push(
    near: dict[Node, Neighbours], capacities: Numbers, s: Node, t: Node, cutoff: int | float | None
) -> int | float:
    """Write a maximum flow to the arcs, none of which has any yet, and return its value."""
    if cutoff is not None and cutoff <= 0:
        return 0
    if cutoff is not None and cutoff >= (LARGEST_FLOW if capacities.whole else np.inf):
        cutoff = None  # no flow is larger
    nodes = list(near)
    numbering = Numbering(nodes)
    network = Network.of(entries(list(near.values()), numbering), capacities)
    source, sink = numbering.of_all([(s, t)], 2).tolist()
    found = _limited(network, source, cutoff).maximum_flow(source if cutoff is None else network.nodes, sink)
    tail, head = network.tail, network.head
    flow = network.flows(found)[: len(tail)]
    if found.gap:
        # NetworkX finds the cut where flow and capacity are equal; rounding must not leave a gap in it.
        crossing = found.cut[tail] & ~found.cut[head]
        flow = np.where(crossing, network.capacity.array, flow)
    moved = np.flatnonzero(flow)
    parts = tail[moved].tolist(), head[moved].tolist(), flow[moved].tolist()
    for u, v, amount in zip(*parts, strict=True):
        near[nodes[u]][nodes[v]]["flow"] = amount
        near[nodes[v]][nodes[u]]["flow"] = -amount
    return network.value(found)


def _limited(network: Network, source: int, cutoff: int | float | None) -> Network:
    """The network behind one more arc, from a source of its own, that lets only the cutoff through."""
    if cutoff is None:
        return network
    capacity, whole = network.capacity
    return Network(
        np.append(network.tail, np.int32(network.nodes)),
        np.append(network.head, np.int32(source)),
        Numbers(np.append(capacity, math.ceil(cutoff) if whole else float(cutoff)), whole),
        network.nodes + 1,
    )
