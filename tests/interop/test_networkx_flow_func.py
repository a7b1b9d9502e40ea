"""konig's flow function returns residual networks as NetworkX's own do."""

from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from networkx.algorithms.flow import build_residual_network, edmonds_karp

from konig.interop.networkx import flow_func


def random_network(rng, real=False):
    n = int(rng.integers(2, 9))
    G = nx.gnp_random_graph(n, 0.5, seed=int(rng.integers(1 << 30)), directed=bool(rng.random() < 0.5))
    for u, v in G.edges:
        if rng.random() < 0.95:
            G[u][v]["capacity"] = float(rng.random() * 10) if real else int(rng.integers(0, 9))
    return nx.relabel_nodes(G, str), "0", "1"


def check_residual(R, G, s, t):
    value = R.graph["flow_value"]
    for u in R:
        excess = 0
        for v, arc in R[u].items():
            assert arc["flow"] == -R[v][u]["flow"]
            assert arc["flow"] <= arc["capacity"]
            assert isinstance(arc["flow"], int | float)
            excess -= arc["flow"]
        assert excess == pytest.approx({s: -value, t: value}.get(u, 0), abs=1e-9)


@pytest.mark.parametrize("real", [False, True])
def test_residual_networks_are_networkxs(real):
    rng = np.random.default_rng(1)
    bounded = 0
    for _ in range(100):
        G, s, t = random_network(rng, real)
        try:
            expected = edmonds_karp(G, s, t)
        except nx.NetworkXUnbounded:
            with pytest.raises(nx.NetworkXUnbounded):
                flow_func(G, s, t)
            continue
        bounded += 1
        R = flow_func(G, s, t)
        assert R.graph == {**expected.graph, "flow_value": R.graph["flow_value"], "algorithm": "konig"}
        assert R.graph["flow_value"] == pytest.approx(expected.graph["flow_value"], rel=1e-12)
        assert real or type(R.graph["flow_value"]) is int
        assert {(u, v): d["capacity"] for u, v, d in R.edges(data=True)} == {
            (u, v): d["capacity"] for u, v, d in expected.edges(data=True)
        }
        check_residual(R, G, s, t)
        cut, (source_side, sink_side) = nx.minimum_cut(G, s, t, flow_func=flow_func)
        assert cut == R.graph["flow_value"]
        assert s in source_side
        assert t in sink_side
        if not real:
            assert (source_side, sink_side) == nx.minimum_cut(G, s, t)[1]
    assert bounded > 50


def test_a_residual_network_is_used_again():
    rng = np.random.default_rng(2)
    G, s, t = random_network(rng)
    nx.set_edge_attributes(G, 3, "capacity")
    R = build_residual_network(G, "capacity")
    for u, v in ((s, t), (t, s), (s, t)):
        assert flow_func(G, u, v, residual=R, value_only=True) is R
        check_residual(R, G, u, v)
        assert R.graph["flow_value"] == nx.maximum_flow_value(G, u, v)
    arc = next(arc for arc in R[s].values() if arc["capacity"])
    arc["capacity"] += 1  # what counts are the capacities of the residual network
    other = nx.DiGraph((u, v, d) for u, v, d in R.edges(data=True))
    assert flow_func(G, s, t, residual=R).graph["flow_value"] == nx.maximum_flow_value(other, s, t)


@pytest.mark.parametrize(
    ("cutoff", "value"),
    [(None, 6), (float("inf"), 6), (10**30, 6), (7, 6), (4, 4), (3.5, 4), (0, 0), (-1, 0)],
)
def test_no_more_than_the_cutoff_is_looked_for(cutoff, value):
    G = nx.complete_graph(7)
    nx.set_edge_attributes(G, 1, "capacity")
    R = flow_func(G, 0, 6, cutoff=cutoff)
    assert R.graph["flow_value"] == value
    assert type(R.graph["flow_value"]) is int
    check_residual(R, G, 0, 6)
    assert nx.maximum_flow_value(G, 0, 6, flow_func=flow_func, cutoff=cutoff) == value


def test_networkxs_functions_take_it():
    G = nx.krackhardt_kite_graph()
    for function in (nx.node_connectivity, nx.edge_connectivity, nx.average_node_connectivity):
        assert function(G, flow_func=flow_func) == function(G)
    assert nx.all_pairs_node_connectivity(G, flow_func=flow_func) == nx.all_pairs_node_connectivity(G)
    assert len(nx.minimum_edge_cut(G, 0, 9, flow_func=flow_func)) == 1
    assert nx.minimum_node_cut(G, 0, 9, flow_func=flow_func) in ({7}, {8})
    assert len(list(nx.node_disjoint_paths(G, 0, 6, flow_func=flow_func))) == nx.node_connectivity(G, 0, 6)
    assert len(list(nx.edge_disjoint_paths(G, 0, 6, flow_func=flow_func))) == nx.edge_connectivity(G, 0, 6)
    nx.set_edge_attributes(G, 1, "capacity")
    tree, theirs = nx.gomory_hu_tree(G, flow_func=flow_func), nx.gomory_hu_tree(G)
    weights = [sorted(nx.get_edge_attributes(T, "weight").values()) for T in (tree, theirs)]
    assert weights[0] == weights[1]
    assert nx.maximum_flow(G, 0, 9, flow_func=flow_func)[0] == 1


@pytest.mark.parametrize("ends", [(0, 9), (9, 0), (1, 1)])
def test_bad_terminals_are_networkxs_errors(ends):
    with pytest.raises(nx.NetworkXError):
        flow_func(nx.path_graph(3), *ends)


def test_graphs_and_capacities_that_are_not_taken():
    with pytest.raises(nx.NetworkXError, match="MultiGraph"):
        flow_func(nx.MultiGraph([(0, 1)]), 0, 1)
    G = nx.DiGraph()
    for capacity in (Fraction(1, 3), 2**70):
        G.add_edge(0, 1, capacity=capacity)
        with pytest.raises(nx.NetworkXNotImplemented, match="'capacity': konig takes integers"):
            nx.maximum_flow(G, 0, 1, flow_func=flow_func)


def test_floats_of_any_size():
    G = nx.path_graph(3, nx.DiGraph)
    nx.set_edge_attributes(G, {(0, 1): 1e300, (1, 2): 1e-300}, "capacity")
    assert nx.maximum_flow_value(G, 0, 2, flow_func=flow_func) == 1e-300
