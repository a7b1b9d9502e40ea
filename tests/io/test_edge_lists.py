"""SNAP and KONECT edge lists: what is read, and what is refused with which message."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import coo_array

from konig.io import read


def triplets(matrix: coo_array) -> list[tuple[int, int, object]]:
    return list(zip(matrix.row.tolist(), matrix.col.tolist(), matrix.data.tolist(), strict=True))


def test_snap_has_one_id_space_from_zero(saved, chunk_bytes):
    matrix = read(saved("# a graph\n# FromNodeId\tToNodeId\n0\t1\n5\t2\n0\t1\n", "graph.txt"))
    assert matrix.shape == (6, 6)
    assert triplets(matrix) == [(0, 1, 1), (5, 2, 1), (0, 1, 1)]
    assert matrix.dtype == np.int8
    assert matrix.row.dtype == np.int32


def test_snap_nodes_comment_counts_only_if_larger(saved):
    assert read(saved("# Nodes: 9 Edges: 1\n0 1\n", "g.txt")).shape == (9, 9)
    assert read(saved("# Nodes: 2 Edges: 1\n0 100\n", "g.txt")).shape == (101, 101)
    assert read(saved("# Nodes: 4 Edges: 0\n", "g.txt")).shape == (4, 4)
    assert read(saved("# nothing\n", "g.txt")).shape == (0, 0)


def test_third_column_is_the_value(saved, chunk_bytes):
    whole = read(saved("0 1 -7\n1 0 0\n", "g.el"))
    assert triplets(whole) == [(0, 1, -7), (1, 0, 0)]
    assert whole.dtype == np.int64
    real = read(saved("0 1 7 1082040961\n1 0 2.5 1082040962\n", "g.el"))
    assert triplets(real) == [(0, 1, 7.0), (1, 0, 2.5)]
    assert real.dtype == np.float64


def test_weights_beyond_64_bits_become_real(saved):
    assert read(saved("0 1 100000000000000000000\n", "g.el")).data.tolist() == [1e20]


def test_large_ids_get_64_bit_indices(saved):
    matrix = read(saved(f"0 {2**31}\n1 2\n", "g.el"))
    assert matrix.col.tolist() == [2**31, 2]
    assert matrix.row.dtype == matrix.col.dtype == np.int64
    assert read(saved(f"0 {2**53 - 1} 0.5\n", "g.el")).col.tolist() == [2**53 - 1]


def test_snap_freedoms(saved, chunk_bytes):
    matrix = read(saved("\r\n# c\r\n  0   1\r\n\r\n# in between\r\n+2 0\t\r\n   \r\n1 1", "g.edges"))
    assert triplets(matrix) == [(0, 1, 1), (2, 0, 1), (1, 1, 1)]


def test_konect_bipartite_has_two_id_spaces_from_one(saved, chunk_bytes):
    matrix = read(saved("% bip unweighted\n1 1\n3 2\n", "out.actors"))
    assert matrix.shape == (3, 2)
    assert triplets(matrix) == [(0, 0, 1), (2, 1, 1)]


def test_konect_declared_sizes_count(saved):
    matrix = read(saved("% bip weighted\n% 2 5 4\n1 1 0.5\n3 2 4\n", "out.actors"))
    assert matrix.shape == (5, 4)
    assert triplets(matrix) == [(0, 0, 0.5), (2, 1, 4.0)]
    assert read(saved("% bip unweighted\n% 0 5 4\n", "out.actors")).shape == (5, 4)
    assert read(saved("% bip unweighted\n", "out.actors")).shape == (0, 0)


def test_konect_symmetric_edges_go_both_ways_but_loops_once(saved):
    matrix = read(saved("% sym posweighted\n% 2 4 4\n1 2 3\n3 3 1\n", "out.people"))
    assert matrix.shape == (4, 4)
    assert triplets(matrix) == [(0, 1, 3), (2, 2, 1), (1, 0, 3)]


def test_konect_directed_is_square(saved):
    matrix = read(saved("% asym unweighted\n1 4\n2 1\n", "links.konect"))
    assert matrix.shape == (4, 4)
    assert triplets(matrix) == [(0, 3, 1), (1, 0, 1)]


MALFORMED = {
    "one column": ("0 1\n3\n", "g.txt", 2, "expected 'source target', found 1 column: '3'"),
    "first line short": ("# c\n3\n", "g.txt", 2, "found 1 column"),
    "ragged": ("0 1\n1 2 3\n", "g.txt", 2, "expected 'source target', found 3 columns: '1 2 3'"),
    "word": ("# c\n0 1\n\n1 two\n", "g.txt", 4, "target 'two' is not a whole number"),
    "header words": ("source target\n1 2\n", "g.txt", 1, "source 'source' is not a whole number"),
    "negative": ("0 1\n-1 2\n", "g.txt", 2, "source '-1' is not in 0.."),
    "minus zero": ("0 1\n-0 2\n", "g.txt", 2, "source '-0' is not in 0.."),
    "fraction": ("0 1\n1 2.0\n", "g.txt", 2, "target '2.0' is not a whole number"),
    "comma": ("0,1\n1,2\n", "g.txt", 1, "name the format text if this is a matrix; konig.from_frame reads"),
    "bad weight": ("0 1 2\n0 2 x\n", "g.txt", 2, "value 'x' is not a number"),
    "weight overflows": ("0 1 2\n0 2 1e400\n", "g.txt", 2, "value '1e400' does not fit in 64 bits"),
    "bad time": ("0 1 2 3\n0 2 1 ?\n", "g.txt", 2, "column 4 '?' is not a number"),
    "id too large": (f"0 1\n0 {2**53}\n", "g.txt", 2, f"not in 0..{2**53 - 1}"),
    "id far too large": (f"0 1\n0 {10**40}\n", "g.txt", 2, f"not in 0..{2**53 - 1}"),
    "trailing comment": ("0 1\n1 2 # why\n", "g.txt", 2, "found 4 columns"),
    "too many nodes": (
        "# c\n# Nodes: 99999999999999999 Edges: 1\n0 1\n",
        "g.txt",
        2,
        "is not in 0..9007199254740992",
    ),
    "binary junk": (bytes(range(256)), "g.txt", 1, "expected 'source target'"),
    "no first line": ("1 2\n", "out.g", 1, "expected '% bip ...', '% sym ...' or '% asym ...', found '1 2'"),
    "unknown kind": ("% tri unweighted\n1 2\n", "out.g", 1, "expected '% bip"),
    "id 0": ("% bip unweighted\n1 1\n0 2\n", "out.g", 3, "row '0' is not in 1.."),
    "beyond the rows": ("% bip unweighted\n% 2 5 4\n1 1\n6 2\n", "out.g", 4, "row '6' is not in 1..5"),
    "beyond the columns": ("% bip unweighted\n% 2 5 4\n1 5\n6 2\n", "out.g", 3, "column '5' is not in 1..4"),
    "too many rows": (
        "% bip unweighted\n% 2 999999999999999999 4\n1 5\n",
        "out.g",
        2,
        "is not in 0..9007199254740992",
    ),
    "empty": ("", "g.txt", 1, "is empty"),
}


@pytest.mark.parametrize(("text", "name", "line", "message"), MALFORMED.values(), ids=MALFORMED)
def test_malformed_lists_are_refused_at_their_line(refused, text, name, line, message, chunk_bytes):
    assert message in str(refused(text, name, line=line))


@pytest.mark.parametrize("name", ["g.txt", "out.g"])
def test_endless_line_is_refused(refused, name):
    start = "% bip unweighted\n1 1\n" if name == "out.g" else "# c\n1 1\n"
    assert "line longer than" in str(refused(start + "1" * (3 << 20), name, line=3))
    assert "line longer than" in str(refused("%" * (3 << 20), name, line=1))
