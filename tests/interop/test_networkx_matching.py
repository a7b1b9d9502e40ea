"""Matchings and covers of bipartite NetworkX graphs are as NetworkX's, with its exceptions."""

import pickle
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from networkx.algorithms import bipartite

NAMES = (lambda i: i, lambda i: -5 * i, lambda i: f"v{i}", lambda i: frozenset((i, "x")))
MATCHINGS = (bipartite.hopcroft_karp_matching, bipartite.eppstein_matching, bipartite.maximum_matching)


def random_bipartite(rng, name=lambda i: i, kind=nx.Graph):
    n, m = (int(i) for i in rng.integers(1, 9, 2))
    top = [name(i) for i in range(n)]
    G = kind()
    G.add_nodes_from(name(int(i)) for i in rng.permutation(n + m))
    for _ in range(int(rng.integers(0, n * m + 1))):
        G.add_edge(top[rng.integers(n)], name(n + int(rng.integers(m))), weight=int(rng.integers(-9, 10)))
    return G, top


def check_matching(G, matching):
    for u, v in matching.items():
        assert matching[v] == u
        assert G.has_edge(u, v)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", [nx.Graph, nx.MultiGraph])
def test_matchings_and_their_covers(name, kind):
    rng = np.random.default_rng(1)
    for _ in range(80):
        G, top = random_bipartite(rng, name, kind)
        expected = bipartite.maximum_matching(G, top, backend="networkx")
        for function in MATCHINGS:
            found = function(G, top, backend="konig")
            check_matching(G, found)
            assert len(found) == len(expected)
        for matching in (expected, found, {u: found[u] for u in top if u in found}):
            cover = bipartite.to_vertex_cover(G, matching, top, backend="konig")
            assert cover == bipartite.to_vertex_cover(G, matching, top, backend="networkx")
            assert 2 * len(cover) == len(found)
            assert all(u in cover or v in cover for u, v in G.edges())


@pytest.mark.parametrize("name", NAMES)
def test_sides_that_are_not_given_are_found(name):
    rng = np.random.default_rng(2)
    seen = set()
    for _ in range(150):
        G, _ = random_bipartite(rng, name)
        if rng.random() < 0.2:
            G.add_edge(name(0), name(int(rng.integers(0, 2))))
        answers = []
        for backend in ("networkx", "konig"):
            try:
                answers.append(len(bipartite.maximum_matching(G, backend=backend)))
            except nx.NetworkXException as error:
                answers.append((type(error), str(error)))
        assert answers[0] == answers[1]
        seen.add(answers[0] if isinstance(answers[0], tuple) else "matched")
    assert len(seen) == 3, "matched, ambiguous and not bipartite"


def test_graphs_with_hardly_anything_in_them():
    for backend in ("networkx", "konig"):
        for function in MATCHINGS:
            with pytest.raises(nx.NetworkXPointlessConcept):
                function(nx.Graph(), backend=backend)
            assert function(nx.Graph(), [], backend=backend) == {}
            assert function(nx.empty_graph(1), backend=backend) == {}
            assert function(nx.empty_graph(3), [0, 1], backend=backend) == {}
            with pytest.raises(nx.AmbiguousSolution):
                function(nx.empty_graph(3), backend=backend)
            with pytest.raises(nx.NetworkXError, match="not bipartite"):
                function(nx.Graph([(0, 0)]), backend=backend)
        assert bipartite.min_edge_cover(nx.Graph(), backend=backend) == set()
        assert bipartite.to_vertex_cover(nx.empty_graph(2), {}, [0], backend=backend) == set()


def test_a_directed_graph_has_the_arcs_that_leave_the_left():
    G = nx.DiGraph([("a", 1), ("b", 1), (2, "b"), ("c", 3)])
    assert len(bipartite.maximum_matching(G, ["a", "b", "c"], backend="konig")) == 4
    assert len(bipartite.maximum_matching(G, ["a", "b", "c"], backend="networkx")) == 4
    path = nx.path_graph(4, nx.DiGraph)
    assert bipartite.maximum_matching(path, backend="konig") == bipartite.maximum_matching(path)


@pytest.mark.parametrize("top", [[0, 1], [0, 99], "ab"])
def test_top_nodes_that_are_no_side_are_left_to_networkx(top):
    G = nx.path_graph(4)
    with nx.config.backend_priority(algos=["konig"]), pytest.raises(KeyError):
        bipartite.hopcroft_karp_matching(G, top)
    with pytest.raises(NotImplementedError, match="konig"):
        bipartite.hopcroft_karp_matching(G, top, backend="konig")


def test_top_nodes_may_be_read_once_or_come_in_any_container():
    G = bipartite.random_graph(20, 20, 0.3, seed=1)
    for i in range(20):
        G.add_edge(i, 20 + i)
    containers = range(20), set(range(20)), dict.fromkeys(range(20)), np.arange(20), [*range(20), 3]
    with nx.config.backend_priority(algos=["konig"]):
        for top in containers:
            assert len(bipartite.maximum_matching(G, top)) == 40
        assert len(bipartite.maximum_matching(G, iter(range(20)))) == 40
        assert len(bipartite.maximum_matching(G, top_nodes=(i for i in range(20)))) == 40


def test_a_cover_of_what_is_no_matching_is_left_to_networkx():
    G = nx.path_graph(4)
    for matching in ({0: 3, 3: 0}, {0: 1, 1: 0, 2: 1}, {1: 0}, {0: "?"}):
        with nx.config.backend_priority(algos=["konig"]):
            found = bipartite.to_vertex_cover(G, matching, [0, 2])
        assert found == bipartite.to_vertex_cover(G, matching, [0, 2], backend="networkx")
        with pytest.raises(NotImplementedError, match="konig"):
            bipartite.to_vertex_cover(G, matching, [0, 2], backend="konig")
    # One that is not maximum is a matching; NetworkX makes a cover of it, too.
    for matching in ({}, {2: 1, 1: 2}):
        found = bipartite.to_vertex_cover(G, matching, [0, 2], backend="konig")
        assert found == bipartite.to_vertex_cover(G, matching, [0, 2], backend="networkx")


def test_smallest_edge_covers():
    rng = np.random.default_rng(3)
    seen = set()
    for _ in range(100):
        G, _ = random_bipartite(rng, NAMES[2])
        try:
            expected = bipartite.min_edge_cover(G, backend="networkx")
        except nx.NetworkXException as error:
            seen.add(type(error))
            with pytest.raises(type(error), match=str(error)):
                bipartite.min_edge_cover(G, backend="konig")
            continue
        found = bipartite.min_edge_cover(G, backend="konig")
        assert len(found) == len(expected)
        assert all((v, u) in found and G.has_edge(u, v) for u, v in found)
        assert nx.is_edge_cover(G, found)
        seen.add("covered")
    assert seen == {nx.NetworkXException, nx.AmbiguousSolution, "covered"}


@pytest.mark.parametrize("kind", [nx.DiGraph, nx.MultiGraph])
def test_edge_covers_are_not_for_every_graph(kind):
    with pytest.raises(nx.NetworkXNotImplemented):
        bipartite.min_edge_cover(kind([(0, 1)]), backend="konig")


def test_a_matching_algorithm_that_is_asked_for_is_called():
    asked = []

    def algorithm(G):
        asked.append(G)
        return bipartite.eppstein_matching(G)

    with nx.config.backend_priority(algos=["konig"]):
        assert len(bipartite.min_edge_cover(nx.path_graph(4), algorithm)) == 4
    assert asked


@pytest.mark.parametrize("name", NAMES)
def test_lightest_full_matchings(name):
    rng = np.random.default_rng(4)
    infeasible = 0
    for round_number in range(120):
        G, top = random_bipartite(rng, name)
        if round_number % 3 == 0:
            G.add_edges_from((u, v) for u in top for v in set(G) - set(top))  # without a weight: 1 each
        try:
            expected = bipartite.minimum_weight_full_matching(G, top, backend="networkx")
        except ValueError:
            infeasible += 1
            with pytest.raises(ValueError, match="no full matching exists"):
                bipartite.minimum_weight_full_matching(G, top, backend="konig")
            continue
        found = bipartite.minimum_weight_full_matching(G, top, backend="konig")
        check_matching(G, found)
        assert len(found) == len(expected)
        ours, theirs = (sum(G[u][v].get("weight", 1) for u, v in m.items()) for m in (found, expected))
        assert ours == theirs
    assert 20 < infeasible < 100


def test_an_infeasible_matching_names_the_nodes():
    G = nx.Graph([("ann", "red"), ("bob", "red"), ("cid", "red"), ("cid", "blue"), ("cid", "green")])
    with pytest.raises(ValueError, match=r"2 nodes \('ann', 'bob'\) have 1 neighbours"):
        bipartite.minimum_weight_full_matching(G, ["ann", "bob", "cid"], backend="konig")


def test_the_weight_may_have_any_name_and_place():
    G = nx.complete_bipartite_graph(2, 2)
    for (u, v), toll in {(0, 2): 1, (0, 3): 9, (1, 2): 9, (1, 3): 1}.items():
        G[u][v].update(weight=10 - toll, toll=toll)
    straight, crossed = {0: 2, 1: 3, 2: 0, 3: 1}, {0: 3, 1: 2, 2: 1, 3: 0}
    lightest = bipartite.minimum_weight_full_matching
    assert lightest(G, backend="konig") == crossed
    assert lightest(G, [0, 1], "toll", backend="konig") == straight
    assert lightest(G, top_nodes=[0, 1], weight="toll", backend="konig") == straight
    assert len(lightest(G, [0, 1], None, backend="konig")) == 4
    assert len(lightest(G, [0, 1], "missing", backend="konig")) == 4


def test_weights_are_exact_where_networkx_rounds():
    G = nx.Graph()
    G.add_edge("a", 0, weight=2**60)
    G.add_edge("a", 1, weight=2**60 + 1)
    G.add_edge("b", 0, weight=2**60 + 1)
    G.add_edge("b", 1, weight=2**60 + 3)
    found = bipartite.minimum_weight_full_matching(G, ["a", "b"], backend="konig")
    assert found["a"] == 1


@pytest.mark.parametrize("weight", [2**63 - 1, -(2**63)])
def test_weights_at_the_end_of_the_range_are_left_to_networkx(weight):
    G = nx.complete_bipartite_graph(3, 3)
    nx.set_edge_attributes(G, weight, "weight")
    with nx.config.backend_priority(algos=["konig"]):
        assert len(bipartite.minimum_weight_full_matching(G, [0, 1, 2])) == 6
    with pytest.raises(NotImplementedError, match="konig"):
        bipartite.minimum_weight_full_matching(G, [0, 1, 2], backend="konig")


def test_infinite_weights_forbid_and_others_are_errors():
    G = nx.complete_bipartite_graph(2, 2)
    nx.set_edge_attributes(G, {(0, 2): float("inf")}, "weight")
    assert bipartite.minimum_weight_full_matching(G, [0, 1], backend="konig") == {0: 3, 1: 2, 2: 1, 3: 0}
    for weight in (float("nan"), -float("inf")):
        nx.set_edge_attributes(G, {(0, 2): weight}, "weight")
        for backend in ("konig", "networkx"):
            with pytest.raises(ValueError):  # noqa: PT011 - each in its own words
                bipartite.minimum_weight_full_matching(G, [0, 1], backend=backend)


def test_other_weights_and_graphs_are_left_to_networkx():
    G = nx.complete_bipartite_graph(2, 2)
    nx.set_edge_attributes(G, {(0, 2): Fraction(1, 3)}, "weight")
    lightest = bipartite.minimum_weight_full_matching
    parallel = nx.MultiGraph([(0, 1, {"weight": 1})])
    with nx.config.backend_priority(algos=["konig"]):
        assert lightest(parallel, [0]) == {0: 1, 1: 0}
        with pytest.raises(ValueError, match="dtype object"):
            lightest(G, [0, 1])
    for graph, top in ((G, [0, 1]), (parallel, [0])):
        with pytest.raises(NotImplementedError, match="konig"):
            lightest(graph, top, backend="konig")


def test_empty_sides():
    lightest = bipartite.minimum_weight_full_matching
    for backend in ("konig", "networkx"):
        with pytest.raises(nx.NetworkXError, match="row_order is empty"):
            lightest(nx.empty_graph(2), [], backend=backend)
        assert lightest(nx.empty_graph(2), [0, 1], backend=backend) == {}
        with pytest.raises(ValueError):  # noqa: PT011 - each in its own words
            lightest(nx.empty_graph(2), [0], backend=backend)


def test_graphs_and_functions_can_be_pickled_after_use():
    G = nx.complete_bipartite_graph(3, 3)
    with nx.config.backend_priority(algos=["konig"]):
        before = bipartite.maximum_matching(G)
        copy, function = pickle.loads(pickle.dumps((G, bipartite.maximum_matching)))
        assert nx.utils.graphs_equal(copy, G)
        assert len(function(copy)) == len(before) == 6
