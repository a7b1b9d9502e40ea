"""Networks in files: DIMACS ``max``, and matrices and edge lists read as networks."""

from __future__ import annotations

import numpy as np
import pytest
from cases.data import listed, needs_data

from konig import io
from konig.errors import FileFormatError
from konig.io import Network, read_network, write_network

HEADER = "p max 4 2\nn 1 s\nn 4 t\n"
BIG = 2**63 - 1


@pytest.fixture
def refused_network(saved):
    def refuse(content: str, line: int | None, name: str = "net.max") -> str:
        path = saved(content, name)
        with pytest.raises(FileFormatError) as caught:
            read_network(path)
        assert caught.value.line == line, str(caught.value)
        return caught.value.problem

    return refuse


@pytest.mark.usefixtures("chunk_bytes")
def test_arcs_come_in_file_order_with_parallel_arcs_and_loops(saved):
    text = f"c by hand\n{HEADER}a 1 2 5\nc between\n\n a\t1 2  6 \r\n".replace("max 4 2", "max 4 4")
    text += f"a 3 3 0\na 2 4 {BIG}"
    net = read_network(saved(text, "net.max"))
    assert (net.num_vertices, net.source, net.sink, net.num_arcs) == (4, 0, 3, 4)
    assert net.tail.tolist() == [0, 0, 2, 1]
    assert net.head.tolist() == [1, 1, 2, 3]
    assert net.capacity.tolist() == [5, 6, 0, BIG]
    assert net.capacity.dtype == np.int64
    assert io.read(saved(text, "net.max")).shape == (4, 4)


@pytest.mark.usefixtures("chunk_bytes")
@pytest.mark.parametrize(
    ("body", "line", "message"),
    [
        ("a 1 2 5\na 1 5 5\n", 5, "head '5' is not in 1..4"),
        ("a 1 2 5\na 0 1 5\n", 5, "tail '0' is not in 1..4"),
        ("a 1 2 -5\na 1 2 5\n", 4, "capacity '-5' is not"),
        ("a 1 2 5.5\na 1 2 5\n", 4, "capacity '5.5' is not a whole number"),
        (f"a 1 2 5\na 1 2 {BIG + 1}\n", 5, f"capacity '{BIG + 1}' is not in 0..{BIG}"),
        ("a 1 2\na 1 2 5\n", 4, "expected 'a tail head capacity', found 2 columns"),
        ("a 1 2 5\n\nb 1 2 5\n", 6, "expected 'a tail head capacity', found 'b 1 2 5'"),
        ("a 1 2 5\nA 1 2 5\n", 5, "expected 'a tail head capacity', found 'A 1 2 5'"),
        ("a 1 2 5\na1 2 5\n", 5, "expected 'a tail head capacity'"),
        ("a 1 2 5\n1 2 5\n", 5, "expected 'a tail head capacity'"),
        ("a 1 2 5\nn 3 s\n", 5, "expected 'a tail head capacity', found 'n 3 s'"),
        ("a 1 2 5\n", 4, "ends after 1 of 2 entries"),
        ("a 1 2 5\na 1 2 5\na 1 2 5\n", 6, "more entries than the 2 promised"),
        ("", 3, "ends after 0 of 2 entries"),
    ],
)
def test_a_wrong_arc_is_named_with_its_line(refused_network, body, line, message):
    assert message in refused_network(HEADER + body, line)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("c nothing\n", 1, "no line 'p max VERTICES ARCS'"),
        ("c no\na 1 2 3\n", 1, "no line 'p max VERTICES ARCS'"),
        ("p min 4 2\n", 1, "expected 'p max VERTICES ARCS', found 'p min 4 2'"),
        ("p max 4\n", 1, "expected 'p max VERTICES ARCS'"),
        ("p max -4 2\n", 1, "expected 'p max VERTICES ARCS'"),
        ("p max 4 2\np max 4 2\n", 2, "a second problem line"),
        ("p max 999999999999999999 0\n", 1, "is not in 0..9007199254740992"),
        ("n 1 s\n", 1, "before the first vertex"),
        ("p max 4 0\nn 5 s\n", 2, "source '5' is not in 1..4"),
        ("p max 4 0\nn 0 t\n", 2, "sink '0' is not in 1..4"),
        ("p max 4 0\nn 1 x\n", 2, "expected 'n VERTEX s' or 'n VERTEX t'"),
        ("p max 4 0\nn one s\n", 2, "expected 'n VERTEX s' or 'n VERTEX t'"),
        ("p max 4 0\nn 1 s\nn 2 s\n", 3, "a second source"),
        ("p max 4 0\nn 1 s\nn 1 t\n", 3, "both source and sink"),
        ("p max 4 0\nn 1 s\n", 2, "where is the sink?"),
        ("p max 4 1\nn 1 t\na 1 2 3\n", 2, "where is the source?"),
        ("p max 4 0\nq 1\n", 2, "begins with c, p, n or a"),
    ],
)
def test_a_wrong_header_is_named_with_its_line(refused_network, text, line, message):
    assert message in refused_network(text, line)


def test_matrices_and_edge_lists_are_networks_without_terminals(saved):
    market = "%%MatrixMarket matrix coordinate integer general\n3 3 2\n1 2 7\n2 3 4\n"
    for net, capacity in (
        (read_network(saved(market, "a.mtx")), [7, 4]),
        (read_network(saved("0 1\n1 2\n", "a.txt")), [1, 1]),
        (read_network(saved("% asym weighted\n1 2 0.5\n2 3 4\n", "out.a")), [0.5, 4]),
    ):
        assert (net.tail.tolist(), net.head.tolist(), net.num_vertices) == ([0, 1], [1, 2], 3)
        assert net.capacity.tolist() == capacity
        assert (net.source, net.sink) == (None, None)


def test_a_matrix_that_is_not_square_is_no_network(refused_network):
    text = "%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 2\n"
    assert "not 2 x 3" in refused_network(text, None, "a.mtx")


@pytest.mark.parametrize("suffix", [".max", ".max.gz", ".max.xz", ".max.bz2"])
def test_what_is_written_comes_back(tmp_path, suffix):
    rng = np.random.default_rng(1)
    tail, head = rng.integers(0, 9, (2, 50))
    capacity = np.r_[rng.integers(0, 1000, 48), 0, BIG]
    path = tmp_path / f"net{suffix}"
    write_network(path, Network(tail, head, capacity, 9, 3, 8))
    net = read_network(path)
    for ours, theirs in zip(net.arcs, (tail, head, capacity), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert (net.num_vertices, net.source, net.sink) == (9, 3, 8)


def test_arcs_are_written_in_pieces(tmp_path, monkeypatch):
    monkeypatch.setattr("konig.io.dimacs._ARCS_AT_A_TIME", 3)
    ones = np.ones(8, np.int8)
    write_network(tmp_path / "net.max", Network(np.arange(8), np.arange(8)[::-1], ones, 8, 0, 7))
    net = read_network(tmp_path / "net.max")
    assert net.head.tolist() == [7, 6, 5, 4, 3, 2, 1, 0]
    assert net.capacity.tolist() == [1] * 8


def test_an_empty_network_is_written(tmp_path):
    none = np.zeros(0, np.int64)
    write_network(tmp_path / "net.max", Network(none, none, none, 2, 0, 1))
    assert read_network(tmp_path / "net.max").num_arcs == 0


@pytest.mark.parametrize(
    ("net", "error", "message"),
    [
        (Network(np.array([0]), np.array([1]), np.array([1]), 2), ValueError, "source and a sink"),
        (Network(np.array([0]), np.array([1]), np.array([0.5]), 2, 0, 1), TypeError, "whole capacities"),
        (Network(np.array([0]), np.array([1]), np.array([-1]), 2, 0, 1), ValueError, "arc 0 is -1"),
    ],
)
def test_what_the_format_cannot_hold_is_refused(tmp_path, net, error, message):
    with pytest.raises(error, match=message):
        write_network(tmp_path / "net.max", net)


def test_networks_go_to_max_files_only(tmp_path):
    with pytest.raises(ValueError, match=r"must end in \.max"):
        write_network(tmp_path / "net.mtx", Network(np.array([0]), np.array([1]), np.array([1]), 2, 0, 1))


@needs_data
def test_real_files_have_their_listed_size():
    found = list(listed("maxflow"))
    assert found
    for path, row in found:
        if int(row["nnz_or_edges"]) < 50_000:
            net = read_network(path)
            assert (net.num_vertices, net.num_arcs) == (int(row["rows"]), int(row["nnz_or_edges"]))
