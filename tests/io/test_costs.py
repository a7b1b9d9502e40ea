"""Costs of assignment problems: what is read and written, and what is refused with which message."""

from __future__ import annotations

import io

import numpy as np
import pytest
import scipy.sparse as sp
from cases.data import listed, needs_data

import konig
from konig.errors import FileFormatError
from konig.io import read_costs, write_costs

ASN = "c three jobs\np asn 5 4\nn 1\nn 3\nc the others\na 1 2 7\n\na 1 4 -2\nc last\na 3 5 0\na 3 2 1\n"
SUFFIXES = [".npy", ".npz", ".mtx", ".mtx.gz", ".asn", ".asn.xz"]


def market(banner: str, body: str) -> str:
    return f"%%MatrixMarket matrix {banner}\n{body}\n"


def saved_arrays(save, *arrays, **named) -> bytes:
    stream = io.BytesIO()
    save(stream, *arrays, **named)
    return stream.getvalue()


@pytest.fixture
def refused_costs(saved):
    """Read costs that must be refused; return what the error says after the file and the line."""

    def refuse(content, name, *, line, format=None):
        path = saved(content, name)
        with pytest.raises(FileFormatError) as caught:
            read_costs(path, format=format)
        assert (caught.value.path, caught.value.line) == (str(path), line), str(caught.value)
        return caught.value.problem

    return refuse


def dense(costs) -> np.ndarray:
    """The costs as a matrix, infinity where a pair is missing."""
    if isinstance(costs, np.ndarray):
        return costs
    whole = costs.tocsr().tocoo()
    matrix = np.full(costs.shape, np.inf, dtype=object)
    matrix[whole.row, whole.col] = whole.data
    return matrix


@pytest.mark.parametrize("name", ["a.asn", "a", "a.txt"])
def test_dimacs_rows_are_the_nodes_with_n_lines(saved, chunk_bytes, name):
    costs = read_costs(saved(ASN, name))
    assert costs.shape == (2, 3)
    assert costs.dtype == np.int64
    assert costs.row.dtype == np.int32
    inf = np.inf
    assert dense(costs).tolist() == [[7, -2, inf], [1, inf, 0]]


def test_dimacs_rows_come_in_the_order_of_their_lines(saved):
    costs = read_costs(saved("p asn 4 2\nn 4\nn 1\na 4 3 5\na 1 2 6\n", "a.asn"))
    assert sorted(zip(costs.row, costs.col, costs.data, strict=True)) == [(0, 1, 5), (1, 0, 6)]


def test_dimacs_freedoms(saved, chunk_bytes):
    costs = read_costs(saved("\r\n p  asn\t4 2\r\n n 1\r\nn 2\r\n  a 1  3 2.5\t\r\na 2 4 +1e2", "a.asn"))
    assert costs.data.tolist() == [2.5, 100.0]
    assert read_costs(saved("p asn 3 0\n", "a.asn")).shape == (0, 3)
    assert read_costs(saved("p asn 0 0\n", "a.asn")).shape == (0, 0)
    assert read_costs(saved("p asn 9000000000000000 0\nn 5\n", "a.asn")).shape == (1, 9 * 10**15 - 1)


REFUSED_DIMACS = {
    "no problem": ("c nothing\n", 1, "ends before the line 'p asn NODES ARCS'"),
    "another problem": ("p max 4 3\n", 1, "expected 'p asn NODES ARCS', found 'p max 4 3'"),
    "an arc first": ("c\na 1 2 3\n", 2, "expected 'p asn NODES ARCS'"),
    "sizes": ("p asn 4\n", 1, "expected 'p asn NODES ARCS'"),
    "negative size": ("p asn -4 1\n", 1, "expected 'p asn NODES ARCS'"),
    "too many nodes": ("p asn 9999999999999999 1\n", 1, "is not in 0..9007199254740991"),
    "second problem": ("p asn 2 1\np asn 2 1\n", 2, "expected 'n ID' or 'a ROW COLUMN COST'"),
    "node beyond": ("p asn 2 1\nn 3\n", 2, "expected a node in 1..2, found 'n 3'"),
    "node zero": ("p asn 2 1\nn 0\n", 2, "expected a node in 1..2"),
    "node twice": ("p asn 2 1\nn 1\nn 1\n", 3, "1 has an 'n' line already"),
    "node word": ("p asn 2 1\nn x\n", 2, "expected 'n ID'"),
    "late node": ("p asn 4 2\nn 1\na 1 3 5\nn 2\na 2 4 1\n", 4, "expected 'a row column cost', found 'n 2'"),
    "short arc": ("p asn 4 1\nn 1\na 1 3\n", 3, "expected 'a row column cost', found 2 columns"),
    "long arc": ("p asn 4 1\nn 1\na 1 3 4 5\n", 3, "found 4 columns"),
    "letters": ("p asn 4 1\nn 1\na 1 3 five\n", 3, "cost 'five' is not a number"),
    "id beyond": ("p asn 4 1\nn 1\na 1 5 1\n", 3, "column '5' is not in 1..4"),
    "fraction": ("p asn 4 1\nn 1\na 1 2.5 1\n", 3, "column '2.5' is not a whole number"),
    "overflow": ("p asn 4 1\nn 1\na 1 2 1e999\n", 3, "does not fit"),
    "from a column": ("p asn 4 2\nn 1\na 1 2 5\n\na 3 2 1\n", 5, "leaves node 3, which has no 'n' line"),
    "into a row": ("p asn 4 2\nn 1\nn 2\na 1 3 5\na 1 2 1\n", 5, "enters node 2, which has an 'n' line"),
    "too few": ("p asn 4 2\nn 1\na 1 3 5\n", 3, "ends after 1 of 2 entries"),
    "too many": ("p asn 4 1\nn 1\na 1 3 5\nc\na 1 2 5\n", 5, "more entries than the 1 promised"),
    "a comment too long": ("c" + "x" * (1 << 20), 1, "line longer than"),
}


@pytest.mark.parametrize(("text", "line", "message"), REFUSED_DIMACS.values(), ids=REFUSED_DIMACS)
def test_malformed_dimacs_files_are_refused_at_their_line(refused_costs, chunk_bytes, text, line, message):
    assert message in refused_costs(text, "a.asn", line=line)


def test_line_57_is_named(refused_costs, chunk_bytes):
    lines = ["p asn 200 98", "n 1", *(f"a 1 {k} 5" for k in range(2, 100))]
    lines[56] = "a 1 x 5"
    assert "column 'x' is not a whole number" in refused_costs("\n".join(lines), "a.asn", line=57)


@pytest.mark.parametrize(
    "text", ["2\n 1 2\n3 4\n", " 2 \r\n 1 2 3\r\n 4\r\n", "2\n1\n2\n3\n4", "2\n1 2 3 4\n\n"]
)
@pytest.mark.parametrize("name", ["assign2.txt", "a"])
def test_or_library_lines_mean_nothing(saved, chunk_bytes, text, name):
    costs = read_costs(saved(text, name))
    assert costs.tolist() == [[1, 2], [3, 4]]
    assert costs.dtype == np.int64


def test_or_library_costs_may_be_real(saved, chunk_bytes):
    assert read_costs(saved("2\n1 2\n3.5 -4e1\n", "a.txt")).tolist() == [[1.0, 2.0], [3.5, -40.0]]
    assert read_costs(saved("0\n", "a.txt")).shape == (0, 0)
    assert read_costs(saved("1 7\n", "a.txt"), format="orlib").tolist() == [[7]]


REFUSED_ORLIB = {
    "too few": ("2\n1 2\n3\n", 3, "ends after 3 of 2 x 2 costs"),
    "too many": ("2\n1 2\n3 4\n\n5\n", 5, "more costs than the 2 x 2 promised"),
    "letters": ("2\n1 2\n3 x\n", 3, "cost 'x' is not a number"),
    "zero byte": ("2\n1 2\n3 \0\n", 3, "cost '\\x00' is not a number"),
    "overflow": ("1\n1e999\n", 2, "does not fit in 64 bits"),
    "real size": ("1.5\n1\n", 1, "the number of rows '1.5' is not a whole number"),
    "negative size": ("-1\n1\n", 1, "the number of rows '-1' is not in"),
    "nothing": ("\n \n", 2, "ends before the number of rows"),
    "huge": ("123456789\n1\n", 2, "ends after 1 of 123456789 x 123456789 costs"),
    "endless": ("1" * (3 << 20), 1, "line longer than"),
}


@pytest.mark.parametrize(("text", "line", "message"), REFUSED_ORLIB.values(), ids=REFUSED_ORLIB)
def test_malformed_or_library_files_are_refused_there(refused_costs, chunk_bytes, text, line, message):
    assert message in refused_costs(text, "a.txt", line=line, format="orlib")


@pytest.mark.parametrize("name", ["assignp4.txt", "a"])
def test_or_library_files_may_list_pairs(saved, chunk_bytes, name):
    text = " 4\n\n 1 2 5\n1 1 0\r\n 2 4 -7\n4 3 2\n3 1 9\n"
    costs = read_costs(saved(text, name))
    assert costs.shape == (4, 4)
    assert costs.dtype == np.int64
    assert costs.row.tolist() == [0, 0, 1, 3, 2]
    assert costs.col.tolist() == [1, 0, 3, 2, 0]
    assert costs.data.tolist() == [5, 0, -7, 2, 9]
    real = read_costs(saved("2\n1 2 2.5\n2 1 1\n", name))
    assert real.data.tolist() == [2.5, 1]
    assert konig.linear_assignment(real).cost == 3.5


def test_which_or_library_files_list_pairs(saved):
    threes = "3\n1 2 3\n2 3 1\n3 1 2\n"
    assert read_costs(saved(threes, "a.txt")).tolist() == [[1, 2, 3], [2, 3, 1], [3, 1, 2]]
    pairs = "6\n" + "".join(f"{i} {j} 1\n" for i in range(1, 7) for j in (1, 2))
    assert read_costs(saved(pairs, "a.txt")).nnz == 12
    costs = "6\n" + "1 1 1\n" * 12
    assert read_costs(saved(costs, "a.txt")).tolist() == np.ones((6, 6)).tolist()
    wide = "6\n" + "7 8 9\n" * 12
    assert read_costs(saved(wide, "a.txt")).shape == (6, 6)


REFUSED_PAIRS = {
    "row": ("4\n1 2 5\n5 1 1\n", 3, "row '5' is not in 1..4"),
    "column": ("4\n1 2 5\n\n1 0 1\n", 4, "column '0' is not in 1..4"),
    "short": ("4\n1 2 5\n1 1\n", 3, "expected 'row column cost', found 2 columns"),
    "letters": ("4\n1 2 5\n1 1 x\n", 3, "cost 'x' is not a number"),
    "real row": ("4\n1 2 5\n1.5 1 3\n", 3, "row '1.5' is not a whole number"),
}


@pytest.mark.parametrize(("text", "line", "message"), REFUSED_PAIRS.values(), ids=REFUSED_PAIRS)
def test_malformed_lists_of_pairs_are_refused_there(refused_costs, chunk_bytes, text, line, message):
    assert message in refused_costs(text, "a.txt", line=line)


def test_arrays_keep_their_zeros(saved):
    zeros = np.array([[0, 1], [2, 0]])
    assert read_costs(saved(saved_arrays(np.save, zeros), "a.npy")).tolist() == zeros.tolist()
    assert read_costs(saved(saved_arrays(np.savez, zeros), "a.npz")).tolist() == zeros.tolist()
    text = market("array integer general", "2 2\n0\n2\n1\n0")
    assert read_costs(saved(text, "a.mtx")).tolist() == zeros.tolist()
    symmetric = market("array real symmetric", "2 2\n0\n2\n1.5")
    assert read_costs(saved(symmetric, "a.mtx")).tolist() == [[0, 2], [2, 1.5]]
    skew = market("array integer skew-symmetric", "3 3\n1\n2\n3")
    assert read_costs(saved(skew, "a.mtx")).tolist() == [[0, -1, -2], [1, 0, -3], [2, 3, 0]]
    assert read_costs(saved(market("array real general", "0 5"), "a.mtx")).shape == (0, 5)


def test_coordinates_and_edge_lists_are_sparse(saved):
    costs = read_costs(saved(market("coordinate integer general", "2 3 2\n1 1 0\n2 3 5"), "a.mtx"))
    assert dense(costs).tolist() == [[0, np.inf, np.inf], [np.inf, np.inf, 5]]
    assert read_costs(saved("% bip posweighted\n1 2 3.5\n2 1 1\n", "out.a")).nnz == 2
    assert read_costs(saved("0 1 5\n1 0 6\n", "a.txt")).nnz == 2


def test_complex_costs_are_refused(refused_costs):
    assert "complex" in refused_costs(market("array complex general", "1 1\n1 0"), "a.mtx", line=1)
    assert "complex" in refused_costs(saved_arrays(np.save, np.eye(2) * 1j), "a.npy", line=None)
    assert "complex" in refused_costs(saved_arrays(np.savez, np.eye(2) * 1j), "a.npz", line=None)
    archive = saved_arrays(np.savez, rows=[0], cols=[0], data=[1j])
    assert "complex" in refused_costs(archive, "a.npz", line=None)


def test_arrays_of_three_dimensions_are_batches(saved, refused_costs):
    batch = np.arange(12.0).reshape(2, 2, 3)
    assert read_costs(saved(saved_arrays(np.save, batch), "a.npy")).tolist() == batch.tolist()
    assert read_costs(saved(saved_arrays(np.savez, batch), "a.npz")).tolist() == batch.tolist()
    for wrong in (np.ones(3), np.ones((1, 1, 1, 1))):
        message = f"{wrong.ndim} dimensions"
        assert message in refused_costs(saved_arrays(np.save, wrong), "a.npy", line=None)


def test_networks_are_no_costs(refused_costs):
    text = "p max 2 1\nn 1 s\nn 2 t\na 1 2 5\n"
    assert "is a network" in refused_costs(text, "a", line=1)


def test_unknown_formats_are_refused(saved):
    with pytest.raises(ValueError, match="format must be one of mtx, npz, npy, asn, orlib, snap, konect"):
        read_costs(saved("1\n1\n", "a"), format="csv")


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("dtype", ["?", "i1", "u8", "i8", "f4", "f8"])
def test_written_costs_come_back(tmp_path, suffix, dtype):
    path = tmp_path / f"a{suffix}"
    costs = np.array([[0, 1, 1], [1, 0, 0]]).astype(dtype)
    if dtype == "i8":
        costs[0, 0] = 2**62 + 1
    if dtype == "f8":
        costs[1, 1:] = 0.1, np.inf
    write_costs(path, costs)
    assert dense(read_costs(path)).tolist() == costs.tolist()
    sparse = sp.coo_array((costs[[0, 1], [2, 0]], ([0, 1], [2, 0])), shape=(2, 3))
    write_costs(path, sparse)
    assert dense(read_costs(path)).tolist() == dense(sparse).tolist()


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0)])
def test_empty_costs_come_back(tmp_path, suffix, shape):
    for costs in (np.zeros(shape), sp.coo_array(shape)):
        write_costs(tmp_path / f"a{suffix}", costs)
        assert read_costs(tmp_path / f"a{suffix}").shape == shape


def test_what_cannot_be_written_leaves_no_file(tmp_path):
    for name, costs, error in (
        ("a.txt", np.eye(2), ValueError),
        ("a.npy.gz", np.eye(2), ValueError),
        ("a.npy", np.ones(3), ValueError),
        ("a.mtx", np.eye(2) * 1j, TypeError),
    ):
        with pytest.raises(error):
            write_costs(tmp_path / name, costs)
    assert not list(tmp_path.iterdir())


@needs_data
def test_real_files_are_read():
    found = list(listed("lap"))
    assert found
    for path, row in found:
        assert read_costs(path).shape == (int(row["rows"]), int(row["cols"]))
