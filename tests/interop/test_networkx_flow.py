"""Flows and cuts of NetworkX graphs are NetworkX's: same values, same cuts, same exceptions."""

import math
from decimal import Decimal
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

NAMES = (lambda i: i, lambda i: 7 - 3 * i, lambda i: f"v{i}", lambda i: (i % 3, i), lambda i: 10**30 + i)
FUNCTIONS = (nx.maximum_flow, nx.maximum_flow_value, nx.minimum_cut, nx.minimum_cut_value)


def random_network(rng, name=lambda i: i):
    """A random graph of at most eight nodes, with loops, arcs both ways, missing and odd capacities."""
    n = int(rng.integers(2, 9))
    G = nx.DiGraph() if rng.random() < 0.6 else nx.Graph()
    G.add_nodes_from(map(name, rng.permutation(n).tolist()))
    for _ in range(int(rng.integers(0, 3 * n))):
        u, v = (name(int(i)) for i in rng.integers(0, n, 2))
        G.add_edge(u, v, cost=1)
        if rng.random() < 0.8:
            G[u][v]["capacity"] = int(rng.integers(-1, 6))
    return G, name(0), name(1)


def check_flow(G, s, t, value, flow):
    assert list(flow) == list(G)
    balance = dict.fromkeys(G, 0)
    for u, near in flow.items():
        assert list(near) == list(G[u])
        for v, amount in near.items():
            limit = G[u][v].get("capacity", math.inf)
            assert 0 <= amount <= max(limit, 0)
            balance[u] -= amount
            balance[v] += amount
    assert balance.pop(t) == value
    assert balance.pop(s) == -value
    assert not any(balance.values())


@pytest.mark.parametrize("name", NAMES)
def test_values_flows_and_cuts_are_networkxs(name):
    rng = np.random.default_rng(1)
    unbounded = positive = 0
    for _ in range(150):
        G, s, t = random_network(rng, name)
        try:
            expected = nx.minimum_cut(G, s, t, backend="networkx")
        except nx.NetworkXUnbounded:
            unbounded += 1
            for function in FUNCTIONS:
                with pytest.raises(nx.NetworkXUnbounded, match="Infinite capacity path"):
                    function(G, s, t, backend="konig")
            continue
        positive += expected[0] > 0
        assert nx.minimum_cut(G, s, t, backend="konig") == expected
        assert nx.minimum_cut_value(G, s, t, backend="konig") == expected[0]
        assert nx.maximum_flow_value(G, s, t, backend="konig") == expected[0]
        value, flow = nx.maximum_flow(G, s, t, backend="konig")
        assert value == expected[0]
        assert type(value) is int
        check_flow(G, s, t, value, flow)
    assert unbounded > 5
    assert positive > 40


def test_the_attribute_may_have_any_name_and_place():
    G = nx.DiGraph()
    G.add_edge("s", "t", capacity=5, width=2)
    G.add_edge("s", "a", width=1)
    G.add_edge("a", "t", width=1)
    for function in FUNCTIONS[1::2]:
        assert function(G, "s", "t", "width", backend="konig") == 3
        assert function(G, "s", "t", "width", None, backend="konig") == 3
        assert function(flowG=G, _s="s", _t="t", capacity="width", backend="konig") == 3
    with pytest.raises(nx.NetworkXUnbounded):
        nx.maximum_flow(G, "s", "t", backend="konig")


@pytest.mark.parametrize("number", [float, np.float64, np.float32, np.int64, np.uint8, bool])
def test_results_are_python_numbers(number):
    G = nx.DiGraph()
    G.add_edge(0, 1, capacity=number(2))
    G.add_edge(1, 2)
    G.add_edge(1, 3, capacity=number(1))
    value, flow = nx.maximum_flow(G, 0, 2, backend="konig")
    kind = int if issubclass(number, int | np.integer) else float
    assert value == number(2)
    assert {type(x) for x in (value, *(x for near in flow.values() for x in near.values()))} == {kind}
    assert type(nx.minimum_cut(G, 0, 2, backend="konig")[0]) is kind


def test_floats_that_cannot_be_exact_are_close_and_their_cut_is_a_cut():
    rng = np.random.default_rng(2)
    for _ in range(30):
        G = nx.gnp_random_graph(12, 0.4, seed=int(rng.integers(1 << 30)), directed=True)
        for u, v in G.edges:
            G[u][v]["capacity"] = float(rng.random() * 10.0 ** rng.integers(-12, 12))
        value, (source_side, sink_side) = nx.minimum_cut(G, 0, 11, backend="konig")
        expected = nx.maximum_flow_value(G, 0, 11, backend="networkx")
        assert value == pytest.approx(expected, rel=1e-12)
        across = math.fsum(
            d["capacity"] for u, v, d in G.edges(data=True) if u in source_side and v in sink_side
        )
        assert across == pytest.approx(value, rel=1e-12)
        assert 0 in source_side
        assert 11 in sink_side
        assert source_side.isdisjoint(sink_side)
        assert source_side | sink_side == set(G)


@pytest.mark.parametrize(
    "capacities",
    [
        [Fraction(1, 3), Fraction(2, 3)],
        [Decimal("0.1"), Decimal("0.3")],
        [2**70, 2**71],
        [2**63, 2**63 + 1],
        [2**62, 2**62 + 2],
        [2**60 + 1, 0.5],
        [2**60 + 1, math.inf],
    ],
)
def test_other_numbers_are_left_to_networkx(capacities):
    G = nx.DiGraph()
    for i, capacity in enumerate(capacities):
        G.add_edge("s", i, capacity=capacity)
        G.add_edge(i, "t", capacity=capacity if capacity < math.inf else 1)
    expected = nx.maximum_flow(G, "s", "t", backend="networkx")
    with nx.config.backend_priority(algos=["konig"]):
        assert nx.maximum_flow(G, "s", "t") == expected
        assert nx.minimum_cut(G, "s", "t") == nx.minimum_cut(G, "s", "t", backend="networkx")
    with pytest.raises(NotImplementedError, match="konig"):
        nx.maximum_flow(G, "s", "t", backend="konig")


def test_integers_are_exact_up_to_the_largest_value():
    G = nx.DiGraph()
    G.add_edge("s", "a", capacity=2**62 - 1)
    G.add_edge("a", "t", capacity=2**63 - 1)
    G.add_edge("s", "t", capacity=1)
    assert nx.maximum_flow_value(G, "s", "t", backend="konig") == 2**62


def test_capacities_that_are_no_numbers_are_networkxs_errors():
    G = nx.DiGraph()
    G.add_edge(0, 1, capacity="much")
    with nx.config.backend_priority(algos=["konig"]), pytest.raises(TypeError):
        nx.maximum_flow(G, 0, 1)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(
    ("graph", "ends", "options", "message"),
    [
        (nx.path_graph(3), (0, 9), {}, "node 9 not in graph"),
        (nx.path_graph(3), (9, 0), {}, "node 9 not in graph"),
        (nx.path_graph(3), ([], 0), {}, "not in graph"),
        (nx.path_graph(3), (1, 1), {}, "the same node"),
        (nx.MultiGraph([(0, 1)]), (0, 1), {}, "MultiGraph"),
        (nx.MultiDiGraph([(0, 1)]), (0, 1), {}, "MultiGraph"),
        (nx.Graph(), (0, 1), {}, "node 0 not in graph"),
        (nx.path_graph(3), (0, 1), {"flow_func": "dinitz"}, "callable"),
        (nx.path_graph(3), (0, 1), {"cutoff": 3}, "explicitly set a flow_func"),
    ],
)
def test_bad_arguments_are_networkxs_errors(function, graph, ends, options, message):
    for backend in ("konig", "networkx"):
        with pytest.raises(nx.NetworkXError, match=message):
            function(graph, *ends, **options, backend=backend)


def test_a_flow_function_that_is_asked_for_is_called():
    asked = []

    def flow_func(G, s, t, **options):
        asked.append((s, t))
        return nx.algorithms.flow.dinitz(G, s, t, **options)

    G = nx.path_graph(3, nx.DiGraph)
    nx.set_edge_attributes(G, 4, "capacity")
    with nx.config.backend_priority(algos=["konig"]):
        assert nx.maximum_flow_value(G, 0, 2, flow_func=flow_func) == 4
        assert nx.minimum_cut_value(G, 0, 2, "capacity", flow_func) == 4
    assert asked == [(0, 2), (0, 2)]


def test_views_and_subclasses_are_read_as_they_look():
    class Streets(nx.DiGraph):
        edge_attr_dict_factory = type("Street", (dict,), {})

    G = Streets()
    for u, v, capacity in ((0, 1, 3), (1, 2, 2), (0, 2, 4), (0, 3, 5), (3, 2, 1)):
        G.add_edge(u, v, capacity=capacity)
    views = [
        G,
        G.reverse(copy=False).reverse(copy=False),
        G.subgraph([0, 1, 2]),
        nx.subgraph_view(G, filter_edge=lambda u, v: (u, v) != (0, 2)),
        G.to_undirected(as_view=True),
        nx.freeze(G.copy()),
    ]
    for view, value in zip(views, (7, 7, 6, 3, 7, 7), strict=True):
        found, flow = nx.maximum_flow(view, 0, 2, backend="konig")
        assert found == value
        check_flow(view, 0, 2, found, flow)
        assert nx.minimum_cut(view, 0, 2, backend="konig") == nx.minimum_cut(view, 0, 2)


def test_nodes_that_are_equal_are_one_node():
    G = nx.DiGraph()
    G.add_nodes_from([0, 1, 2])
    G.add_edge(0, 1.0, capacity=2)
    G.add_edge(True, np.int64(2), capacity=3)
    assert nx.maximum_flow(G, 0.0, 2, backend="konig") == (2, {0: {1: 2}, 1: {2: 2}, 2: {}})


def test_the_graph_is_not_changed():
    G, s, t = random_network(np.random.default_rng(5))
    before = nx.node_link_data(G, edges="edges")
    nx.maximum_flow_value(G, s, t, backend="konig")
    assert nx.node_link_data(G, edges="edges") == before
