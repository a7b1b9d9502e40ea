"""Graphs of NetworkX and igraph and tables of edges, and answers by name."""

from __future__ import annotations

import numpy as np
import pytest

import konig

ROADS = {"from": ["s", "s", "a", "b"], "to": ["a", "b", "t", "t"], "cars": [3, 2, 2, 4]}
SKILLS = {"who": ["ann", "ann", "bob"], "what": ["cook", "drive", "cook"], "euro": [3.5, 7.0, 2.0]}


def check_roads(graph):
    flow = konig.maximum_flow(graph.matrix, graph.row("s"), graph.row("t"), undirected=not graph.directed)
    flow.verify(graph.matrix, graph.row("s"), graph.row("t"), undirected=not graph.directed)
    assert flow.value == 4
    assert graph.flows(flow) == {("s", "a"): 2, ("s", "b"): 2, ("a", "t"): 2, ("b", "t"): 2}
    assert set(graph.source_side(flow)) == {"s", "a"}


def check_skills(graph):
    assert set(graph.row_names) == {"ann", "bob"}
    assert set(graph.col_names) == {"cook", "drive"}
    wanted = {"ann": "drive", "bob": "cook"}
    assert graph.pairs(konig.maximum_matching(graph.matrix)) == wanted
    answer = konig.linear_assignment(graph.matrix)
    assert graph.pairs(answer) == wanted
    return answer.cost


def frames(table):
    yield lambda: table
    yield lambda: pytest.importorskip("pandas").DataFrame(table)
    yield lambda: pytest.importorskip("polars").DataFrame(table)
    yield lambda: pytest.importorskip("pyarrow").table(table)
    yield lambda: np.array(
        list(zip(*table.values(), strict=True)),
        dtype=[(name, "U9" if k < 2 else "f8") for k, name in enumerate(table)],
    )


@pytest.mark.parametrize("number", range(5), ids=["dict", "pandas", "polars", "arrow", "structured"])
def test_tables_of_edges(number):
    check_roads(konig.from_frame(list(frames(ROADS))[number](), "from", "to", "cars"))
    skills = konig.from_frame(list(frames(SKILLS))[number](), "who", "what", "euro", bipartite=True)
    assert check_skills(skills) == 9.0


@pytest.mark.parametrize("kind", ["DiGraph", "MultiDiGraph", "Graph"])
def test_networks_of_networkx(kind):
    nx = pytest.importorskip("networkx")
    G = getattr(nx, kind)()
    for tail, head, cars in zip(*ROADS.values(), strict=True):
        G.add_edge(tail, head, capacity=cars)
    graph = konig.from_networkx(G, "capacity")
    assert graph.directed == G.is_directed()
    check_roads(graph)


def test_parallel_edges_add_up_and_missing_values_are_named():
    nx = pytest.importorskip("networkx")
    G = nx.MultiDiGraph([(0, 1, {"c": 2}), (0, 1, {"c": 3}), (1, (2, "x"), {})])
    with pytest.raises(ValueError, match=r"the edge from 1 to \(2, 'x'\) has no 'c'; pass missing="):
        konig.from_networkx(G, "c")
    graph = konig.from_networkx(G, "c", missing=np.inf)
    assert graph.matrix.toarray().tolist() == [[0, 5, 0], [0, 0, np.inf], [0, 0, 0]]
    assert graph.row((2, "x")) == 2


@pytest.mark.parametrize("values", [([1], 5), ([1], [2]), ([1], [2, 3])])
def test_a_list_where_a_number_should_be_is_named(values):
    nx = pytest.importorskip("networkx")
    G = nx.DiGraph([(k, k + 1, {"c": value}) for k, value in enumerate(values)])
    with pytest.raises(ValueError, match=r"'c' of the edge from 0 to 1 is \[1\], not a number"):
        konig.from_networkx(G, "c")


@pytest.mark.parametrize("rows", [["ann", "bob"], "bipartite"])
def test_bipartite_graphs_of_networkx(rows):
    nx = pytest.importorskip("networkx")
    G = nx.Graph()
    G.add_nodes_from(["cook", "drive"], bipartite=1)
    G.add_nodes_from(["ann", "bob"], bipartite=0)
    for who, what, euro in zip(*SKILLS.values(), strict=True):
        G.add_edge(what, who, euro=euro)
    assert check_skills(konig.from_networkx(G, "euro", rows=rows)) == 9.0
    check_skills(konig.from_networkx(G, rows=rows))


def test_graphs_of_igraph():
    igraph = pytest.importorskip("igraph")
    edges = list(zip(*ROADS.values(), strict=True))
    g = igraph.Graph.TupleList(edges, directed=True, edge_attrs=["cars"])
    check_roads(konig.from_igraph(g, "cars"))
    b = igraph.Graph.TupleList(list(zip(*SKILLS.values(), strict=True)), edge_attrs=["euro"])
    b.vs["type"] = [name in ("cook", "drive") for name in b.vs["name"]]
    assert check_skills(konig.from_igraph(b, "euro", rows="type")) == 9.0
    unnamed = konig.from_igraph(igraph.Graph([(0, 1), (1, 2)], directed=True))
    assert (unnamed.row_names, unnamed.matrix.nnz) == ((0, 1, 2), 2)
    g.vs["name"] = ["s", "s", "b", "t"]
    with pytest.raises(ValueError, match="two vertices have the name 's'"):
        konig.from_igraph(g)
    with pytest.raises(ValueError, match="has no 'tolls'"):
        konig.from_igraph(igraph.Graph([(0, 1)]), "tolls")


def test_vertices_without_edges_are_there():
    nx = pytest.importorskip("networkx")
    G = nx.DiGraph()
    G.add_nodes_from("abc")
    graph = konig.from_networkx(G, "capacity")
    assert graph.matrix.shape == (3, 3)
    assert konig.maximum_flow(graph.matrix, graph.row("a"), graph.row("c")).value == 0
    assert konig.from_networkx(nx.DiGraph()).matrix.shape == (0, 0)
    assert konig.from_frame({"a": [], "b": []}, "a", "b").matrix.shape == (0, 0)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((ROADS, "form", "to"), ValueError, "source: the frame has no column 'form'; did you mean 'from'"),
        ((ROADS, "from", "zzz"), ValueError, "target: .* its columns are 'from', 'to', 'cars'"),
        (([1, 2], "a", "b"), TypeError, "frame must be a frame of pandas or polars"),
        (({"a": ["x", None], "b": [1, 2]}, "a", "b"), ValueError, "row 1 of column 'a' has no name"),
        (({"a": ["x"], "b": [1, 2]}, "a", "b"), ValueError, "'a' has 1 rows and 'b' has 2"),
        (({"a": [1], "b": [2], "c": [1, 2]}, "a", "b", "c"), ValueError, "'a' has 1 rows and 'c' has 2"),
        (({"a": [1], "b": [2], "c": ["x"]}, "a", "b", "c"), ValueError, "'c' of the edge from 1 to 2 is 'x'"),
        (
            ({"a": [1], "b": [2], "c": [np.nan]}, "a", "b", "c"),
            ValueError,
            "'c' of the edge from 1 to 2 is nan",
        ),
        (({"a": [[1, 2]], "b": [2]}, "a", "b"), ValueError, "column 'a' must have one dimension"),
        (
            ({"a": np.array([[1], None], object)[:1], "b": [2]}, "a", "b"),
            TypeError,
            r"row 0 of column 'a' is \[1\], and names must be hashable",
        ),
    ],
)
def test_bad_tables_are_named(arguments, error, message):
    with pytest.raises(error, match=message):
        konig.from_frame(*arguments)


def test_bad_graphs_and_answers_are_named():
    nx = pytest.importorskip("networkx")
    G = nx.path_graph(4)
    with pytest.raises(ValueError, match=r"the edge \(0, 1\) joins two rows"):
        konig.from_networkx(G, rows=[0, 1])
    with pytest.raises(ValueError, match="rows: 9 is not a vertex"):
        konig.from_networkx(G, rows=[0, 9])
    with pytest.raises(ValueError, match="attribute 'bipartite' of vertex 0 is None, not 0 or 1"):
        konig.from_networkx(G, rows="bipartite")
    with pytest.raises(TypeError, match="must be a graph of NetworkX, not dict"):
        konig.from_networkx({})
    with pytest.raises(TypeError, match="must be a graph of igraph, not Graph"):
        konig.from_igraph(G)
    graph = konig.from_frame(ROADS, "from", "to")
    with pytest.raises(ValueError, match="no row has the name 'q'"):
        graph.row("q")
    with pytest.raises(TypeError, match="answer must be a matching or an assignment, not int"):
        graph.pairs(3)
    with pytest.raises(TypeError, match=r"answer of konig.maximum_flow to graph.matrix"):
        graph.flows(konig.maximum_matching(graph.matrix))
    two_sided = konig.from_frame({"who": ["a", "b"], "what": ["x", "y"]}, "who", "what", bipartite=True)
    for read in (two_sided.flows, two_sided.source_side):
        with pytest.raises(ValueError, match="rows and columns are two sets of vertices"):
            read(konig.maximum_flow(two_sided.matrix, 0, 1))
    assert not konig.from_networkx(nx.DiGraph([(1, 0)]), rows=[0]).directed


def test_a_graph_given_as_it_is_gets_the_name_of_its_reader():
    nx = pytest.importorskip("networkx")
    with pytest.raises(TypeError, match=r"not DiGraph; konig.from_networkx reads it"):
        konig.maximum_flow(nx.DiGraph([(0, 1)]), 0, 1)
    with pytest.raises(TypeError, match=r"not Graph; konig.from_networkx reads it"):
        konig.maximum_matching(nx.Graph([(0, 1)]))


def test_integers_are_kept_exactly_or_refused():
    """Beyond 64 bits, and beside reals, NumPy makes float64 of them without a word."""

    def values(*euro):
        table = {
            "who": ["ann", "ann", "bob"][: len(euro)],
            "what": ["a", "b", "a"][: len(euro)],
            "euro": euro,
        }
        return konig.from_frame(table, "who", "what", "euro", bipartite=True).matrix.data.tolist()

    assert values(2**62 + 1, 1) == [2**62 + 1, 1]
    assert values(2**80, 1) == [2.0**80, 1.0]
    assert values(2**53, 0.5) == [2.0**53, 0.5]
    for euro in ((2**80 + 1, 1), (2**63 + 1, -1), (0, 2**60 + 1, 0.5), (10**400, 1)):
        with pytest.raises(ValueError, match=r"'euro' of the edge from 'ann' .* \d+, which fits neither"):
            values(*euro)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int16, np.uint64])
def test_parallel_edges_of_a_narrow_type_add_up(dtype):
    most = int(np.iinfo(dtype).max) if np.dtype(dtype).itemsize < 8 else 2**40
    frame = {"u": ["s", "s", "s"], "v": ["t", "t", "t"], "w": np.array([most, most, 1], dtype)}
    graph = konig.from_frame(frame, "u", "v", "w")
    assert konig.maximum_flow(graph.matrix, 0, 1).value == 2 * most + 1


def test_parallel_edges_beyond_64_bits_are_refused():
    frame = {"u": ["s"] * 3, "v": ["t"] * 3, "w": [2**62, 2**62, 5]}
    with pytest.raises(ValueError, match=r"from 's' to 't' adds up to 9223372036854775813, .* with a sign"):
        konig.from_frame(frame, "u", "v", "w")
    fitting = {"u": ["s"] * 3, "v": ["t"] * 3, "w": [2**63 - 1, 5, -10]}
    assert konig.from_frame(fitting, "u", "v", "w").matrix[0, 1] == 2**63 - 6
    without_sign = {"u": ["s", "t"], "v": ["t", "s"], "w": np.array([2**63 + 5, 1], np.uint64)}
    assert konig.from_frame(without_sign, "u", "v", "w").matrix[0, 1] == 2**63 + 5
    without_sign["u"], without_sign["v"] = ["s", "s"], ["t", "t"]
    without_sign["w"] = np.array([2**63, 2**63], np.uint64)
    with pytest.raises(ValueError, match=r"adds up to 18446744073709551616, beyond 64 bits$"):
        konig.from_frame(without_sign, "u", "v", "w")
    several = {"u": ["s", "s", "a"], "v": ["t", "a", "t"], "w": [2**62, 2**62, 2**62]}
    graph = konig.from_frame(several, "u", "v", "w")
    assert graph.matrix.max() == 2**62


def test_flows_of_both_entries_of_an_undirected_pair_add_up():
    edges = {"u": ["s", "a", "b", "b"], "v": ["a", "b", "a", "t"], "w": [9, 2, 3, 9]}
    graph = konig.from_frame(edges, "u", "v", "w")
    flow = konig.maximum_flow(graph.matrix, graph.row("s"), graph.row("t"), undirected=True)
    assert graph.flows(flow) == {("s", "a"): 5, ("a", "b"): 5, ("b", "t"): 5}
