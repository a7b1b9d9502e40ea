"""Matrices as text: what is one, what it holds, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from konig.errors import FileFormatError
from konig.io import read, read_costs, read_network

COSTS = [[4, 1, 3], [2, 0, 5]]


@pytest.mark.parametrize(
    "text",
    [
        "4,1,3\n2,0,5\n",
        "4, 1, 3\r\n2, 0, 5",
        "4;1;3\n2;0;5\n",
        "# costs\n\n4,1,3,\n2,0,5,\n",
        "4\t1\t3\n2 0 5\n",
    ],
)
def test_costs_of_a_csv_file_are_dense(saved, chunk_bytes, text):
    costs = read_costs(saved(text, "costs.csv"))
    assert costs.dtype == np.int64
    assert costs.tolist() == COSTS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.5 2\n3 4\n", [[1.5, 2], [3, 4]]),
        ("-1 2\n3 4\n", [[-1, 2], [3, 4]]),
        ("1 2 3 4\n5 6 7 8\n", [[1, 2, 3, 4], [5, 6, 7, 8]]),
        ("1,2\n3,4\n", [[1, 2], [3, 4]]),
        ("inf 2\n3 1e3\n", [[np.inf, 2], [3, 1000]]),
        ("0.5\n", [[0.5]]),
    ],
)
@pytest.mark.parametrize("name", ["costs.txt", "costs"])
def test_costs_that_cannot_be_edges_are_a_matrix(saved, text, expected, name):
    np.testing.assert_array_equal(read_costs(saved(text, name)), expected)


def test_rows_longer_than_what_is_looked_at_first(saved):
    costs = np.random.default_rng(1).random((3, 5000))
    path = saved("", "costs.txt")
    np.savetxt(path, costs)
    np.testing.assert_array_equal(read_costs(path), costs)


def test_edges_stay_edges(saved):
    edges = saved("0 1 5\n2 0 7\n", "edges.txt")
    assert read_costs(edges).shape == (3, 3)
    assert read_costs(edges, format="text").tolist() == [[0, 1, 5], [2, 0, 7]]
    assert read(saved("0 1 5 1234567\n", "stamped.txt")).shape == (2, 2)


def test_patterns_and_networks(saved):
    path = saved("0,1,0\n2,0,1\n0,0,0\n", "a.csv")
    matrix = read(path, format="text")
    assert matrix.toarray().tolist() == [[0, 1, 0], [2, 0, 1], [0, 0, 0]]
    assert matrix.nnz == 3
    assert read_network(path, format="text").capacity.tolist() == [1, 2, 1]
    assert read(saved("0,1,0,1\n", "b.csv")).col.tolist() == [1, 3]
    with pytest.raises(
        FileFormatError, match="line 1: two or three whole numbers a line: name the format text"
    ):
        read(path)


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("1,2\n3\n", 2, "expected 'column 1 column 2', found 1 column"),
        ("1,2\n\n3,4,5\n", 3, "found 3 columns"),
        ("1,2\n3,x\n", 2, "column 2 'x' is not a number"),
        ("from,to\n1,2\n", 1, "konig.from_frame"),
        ("# nothing\n", 1, "holds no numbers"),
        (",".join("1" * 20) + "\n1\n", 2, "expected '20 numbers', found 1 column"),
    ],
)
def test_what_is_no_matrix_is_refused_with_its_line(saved, text, line, problem):
    with pytest.raises(FileFormatError, match=problem) as caught:
        read_costs(saved(text, "costs.csv"))
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("1,,2\n3,4,5\n", 1, "a cell without a number"),
        ("1,2\n ,3,4\n", 2, "a cell without a number"),
        ("# a,,b\n1;2;3\n4; ;5\n", 3, "a cell without a number"),
        ("1,5;2,5\n3,0;4,0\n", 1, "commas and semicolons"),
    ],
)
def test_cells_that_are_not_clear_are_refused(saved, chunk_bytes, text, line, problem):
    with pytest.raises(FileFormatError, match=rf"line {line}: .*{problem}"):
        read_costs(saved(text, "costs.csv"))


def test_what_separates_in_a_comment_does_not_matter(saved, chunk_bytes):
    assert read_costs(saved("# a,,b; c\n1,2\n3,4\n", "costs.csv")).tolist() == [[1, 2], [3, 4]]
