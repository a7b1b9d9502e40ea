"""Matrix Market: what is read, and what is refused with which message."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.io
from scipy.sparse import coo_array

from konig.io import read

REAL = "%%MatrixMarket matrix coordinate real general\n"
PATTERN = "%%MatrixMarket matrix coordinate pattern general\n"
INTEGER = "%%MatrixMarket matrix coordinate integer general\n"
ARRAY = "%%MatrixMarket matrix array real general\n"


def triplets(matrix: coo_array) -> list[tuple[int, int, object]]:
    return list(zip(matrix.row.tolist(), matrix.col.tolist(), matrix.data.tolist(), strict=True))


def test_entries_come_in_file_order_with_zeros_and_duplicates(saved, chunk_bytes):
    matrix = read(saved(REAL + "2 3 4\n2 3 1.5\n1 1 0\n2 3 -2e-1\n2 1 7\n"))
    assert matrix.shape == (2, 3)
    assert triplets(matrix) == [(1, 2, 1.5), (0, 0, 0.0), (1, 2, -0.2), (1, 0, 7.0)]
    assert matrix.data.dtype == np.float64


def test_pattern_entries_are_small_ones(saved, chunk_bytes):
    matrix = read(saved(PATTERN + "2 2 2\n1 2\n2 1\n"))
    assert triplets(matrix) == [(0, 1, 1), (1, 0, 1)]
    assert matrix.data.dtype == np.int8


@pytest.mark.parametrize(
    ("field", "text", "value", "dtype"),
    [
        ("integer", "-9223372036854775808", -(2**63), np.int64),
        ("unsigned-integer", "18446744073709551615", 2**64 - 1, np.uint64),
        ("real", ".5", 0.5, np.float64),
        ("real", "5.", 5.0, np.float64),
        ("double", "1E+2", 100.0, np.float64),
        ("real", "+3.25", 3.25, np.float64),
        ("real", "-inf", -np.inf, np.float64),
        ("real", "+Infinity", np.inf, np.float64),
        ("real", "1e-999", 0.0, np.float64),
        ("complex", "1 -2", 1 - 2j, np.complex128),
    ],
)
def test_values_of_every_field(saved, field, text, value, dtype):
    matrix = read(saved(f"%%MatrixMarket matrix coordinate {field} general\n1 1 1\n1 1 {text}\n"))
    assert triplets(matrix) == [(0, 0, value)]
    assert matrix.data.dtype == dtype


def test_nan_is_a_value(saved):
    assert np.isnan(read(saved(REAL + "1 1 1\n1 1 NaN\n")).data).all()


@pytest.mark.parametrize(
    ("banner", "value", "reflected"),
    [
        ("real symmetric", "4", 4),
        ("real skew-symmetric", "4", -4),
        ("complex hermitian", "4 1", 4 - 1j),
        ("complex symmetric", "4 1", 4 + 1j),
        ("real hermitian", "4", 4),
        ("pattern symmetric", "", 1),
        ("pattern skew-symmetric", "", 1),
    ],
)
@pytest.mark.parametrize("place", ["2 1", "1 2"])
def test_symmetric_files_are_expanded(saved, banner, value, reflected, place):
    diagonal = "3 3 0 0" if "complex" in banner else "3 3" if "pattern" in banner else "3 3 0"
    matrix = read(saved(f"%%MatrixMarket matrix coordinate {banner}\n3 3 2\n{place} {value}\n{diagonal}\n"))
    (row, col, _), (_, _, _), last = triplets(matrix)
    assert last == (col, row, reflected)


def test_array_has_its_nonzeros_by_column(saved, chunk_bytes):
    matrix = read(saved(ARRAY + "2 2\n1\n2\n0\n4\n"))
    np.testing.assert_array_equal(matrix.toarray(), [[1, 0], [2, 4]])
    assert matrix.nnz == 3


@pytest.mark.parametrize(
    ("banner", "body", "expected"),
    [
        ("real symmetric", "1 2 3 4 5 6", [[1, 2, 3], [2, 4, 5], [3, 5, 6]]),
        ("integer skew-symmetric", "1 2 3", [[0, -1, -2], [1, 0, -3], [2, 3, 0]]),
    ],
)
def test_symmetric_array_is_its_lower_triangle(saved, banner, body, expected):
    text = f"%%MatrixMarket matrix array {banner}\n3 3\n" + body.replace(" ", "\n")
    np.testing.assert_array_equal(read(saved(text)).toarray(), expected)


def test_hermitian_array(saved):
    text = "%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 3\n4 0\n"
    np.testing.assert_array_equal(read(saved(text)).toarray(), [[1, 2 - 3j], [2 + 3j, 4]])


@pytest.mark.parametrize("size", ["0 0", "0 5", "5 0"])
def test_matrices_without_entries(saved, size):
    shape = tuple(map(int, size.split()))
    assert read(saved(f"{REAL}{size} 0\n")).shape == shape
    assert read(saved(f"{ARRAY}{size}\n")).shape == shape
    assert read(saved(f"{REAL}{size} 0")).dtype == np.float64


@pytest.mark.parametrize(
    "text",
    [
        REAL.upper() + "2 2 2\n1 1 3\n2 2 4\n",
        REAL + "2 2 2\n1 1 3\n2 2 4",
        (REAL + "2 2 2\n1 1 3\n2 2 4\n").replace("\n", "\r\n"),
        REAL + "% comment\n\n %another\n2 2 2\n% in the body\n\n1 1 3\n   \n\t2\t 2   4 \n\n%end\n",
    ],
    ids=["case", "no last newline", "crlf", "blanks and comments"],
)
def test_harmless_freedoms(saved, text, chunk_bytes):
    assert triplets(read(saved(text))) == [(0, 0, 3.0), (1, 1, 4.0)]


def test_index_types_follow_the_shape(saved):
    small = read(saved(PATTERN + f"{2**31 - 1} 2 1\n1 1\n"))
    large = read(saved(PATTERN + f"{10**18} 2 1\n{10**18} 1\n"))
    assert small.row.dtype == small.col.dtype == np.int32
    assert large.row.dtype == large.col.dtype == np.int64
    assert large.row.tolist() == [10**18 - 1]


def test_reads_what_scipy_reads(saved, chunk_bytes):
    random = np.random.default_rng(5)
    matrix = coo_array(
        (
            random.standard_normal(200) * 10.0 ** random.integers(-300, 300, 200),
            random.integers(0, 50, (2, 200)),
        ),
        shape=(50, 50),
    )
    path = saved(b"")
    scipy.io.mmwrite(path, matrix, symmetry="general")
    ours, theirs = read(path), scipy.io.mmread(path)
    for name in ("row", "col", "data"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))


MALFORMED = {
    "wrong banner": ("%%MatrixMarkt matrix coordinate real general\n1 1 0\n", 1, "expected the banner"),
    "short banner": ("%%MatrixMarket matrix coordinate\n1 1 0\n", 1, "FORMAT FIELD SYMMETRY"),
    "vector": ("%%MatrixMarket vector coordinate real general\n1 0\n", 1, "expected matrix in the banner"),
    "unknown field": ("%%MatrixMarket matrix coordinate octonion general\n", 1, "found 'octonion'"),
    "unknown symmetry": ("%%MatrixMarket matrix coordinate real odd\n", 1, "found 'odd'"),
    "pattern array": (
        "%%MatrixMarket matrix array pattern general\n1 1\n",
        1,
        "cannot have the field pattern",
    ),
    "unsigned skew": (
        "%%MatrixMarket matrix coordinate unsigned-integer skew-symmetric\n1 1 0\n",
        1,
        "cannot be unsigned",
    ),
    "skew without negative": (
        f"%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 {-(2**63)}\n",
        3,
        "has no negative of 64 bits",
    ),
    "no size line": (REAL + "% only this\n", 2, "ends before the size line"),
    "short size line": (REAL + "2 2\n", 2, "size line 'rows columns entries', found '2 2'"),
    "long size line": (ARRAY + "2 2 4\n", 2, "size line 'rows columns', found '2 2 4'"),
    "negative size": (REAL + "%\n-2 2 1\n1 1 1\n", 3, "size line"),
    "fractional size": (REAL + "2.5 2 1\n1 1 1\n", 2, "size line"),
    "size too large": (REAL + f"{2**63 - 1} 2 1\n1 1 1\n", 2, "is not in 0..9223372036854775806"),
    "size far too large": (REAL + f"{10**30} 2 1\n1 1 1\n", 2, "is not in 0..9223372036854775806"),
    "oblong symmetric": (
        "%%MatrixMarket matrix array real symmetric\n2 5\n",
        2,
        "must be square, not (2, 5)",
    ),
    "too few entries": (REAL + "2 2 3\n1 1 3\n2 2 4\n", 4, "ends after 2 of 3 entries"),
    "too many entries": (REAL + "2 2 1\n1 1 3\n\n2 2 4\n", 5, "more entries than the 1 promised"),
    "absurdly many": (REAL + f"2 2 {10**18}\n1 1 3\n", 3, f"ends after 1 of {10**18} entries"),
    "absurd array": (ARRAY + f"{10**9} {10**9}\n1\n", 3, f"ends after 1 of {10**18} entries"),
    "array too long": (ARRAY + "1 2\n1\n2\n3\n", 5, "more entries than the 2 promised"),
    "array in one line": (ARRAY + "1 2\n1 2\n", 3, "expected 'value', found 2 columns: '1 2'"),
    "row 0": (REAL + "2 2 2\n1 1 1\n0 1 3\n", 4, "row '0' is not in 1..2"),
    "column beyond": (REAL + "2 2 1\n1 3 3\n", 3, "column '3' is not in 1..2"),
    "negative row": (REAL + "2 2 1\n-1 1 3\n", 3, "row '-1' is not in 1..2"),
    "huge column": (REAL + "2 2 1\n1 " + "9" * 60 + " 3\n", 3, "'... is not in 1..2"),
    "fractional column": (REAL + "2 2 1\n1 1.0 3\n", 3, "column '1.0' is not a whole number"),
    "no value": (REAL + "2 2 2\n1 1 3\n2 2\n", 4, "expected 'row column value', found 2 columns: '2 2'"),
    "cut in a line": (REAL + "2 2 2\n1 1 3\n2 ", 4, "found 1 column: '2'"),
    "one column more": (REAL + "2 2 1\n1 1 3 5\n", 3, "found 4 columns"),
    "value in a pattern": (PATTERN + "2 2 1\n1 1 3\n", 3, "expected 'row column', found 3 columns"),
    "word for a value": (REAL + "2 2 1\n1 1 abc\n", 3, "value 'abc' is not a number"),
    "word after a value": (REAL + "2 2 1\n1 1 3abc\n", 3, "value '3abc' is not a number"),
    "two points": (REAL + "2 2 1\n1 1 1.2.3\n", 3, "value '1.2.3' is not a number"),
    "Fortran exponent": (REAL + "2 2 1\n1 1 1.2D3\n", 3, "value '1.2D3' is not a number"),
    "lonely exponent": (REAL + "2 2 1\n1 1 e5\n", 3, "value 'e5' is not a number"),
    "value overflows": (REAL + "2 2 1\n1 1 1e999\n", 3, "value '1e999' does not fit in 64 bits"),
    "integer overflows": (INTEGER + f"2 2 1\n1 1 {2**63}\n", 3, "does not fit in 64 bits"),
    "real for an integer": (INTEGER + "2 2 1\n1 1 1.5\n", 3, "value '1.5' is not a whole number"),
    "half a complex": (
        "%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 1 1\n",
        3,
        "expected 'row column real part imaginary part', found 3 columns",
    ),
    "skew diagonal": (
        "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 2\n2 1 1\n\n2 2 5\n",
        5,
        "diagonal of a skew-symmetric matrix must be zero",
    ),
    "hermitian diagonal": (
        "%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 2 5 1\n",
        3,
        "diagonal of a hermitian matrix must be real",
    ),
    "trailing words": (REAL + "1 1 1\n1 1 1\nthe end\n", 4, "more entries than the 1 promised"),
    "zero byte": (PATTERN + "2 2 1\n1 \0 1\n", 3, "found 3 columns: '1 \\x00 1'"),
    "form feed": (PATTERN + "2 2 1\n1\f1\n", 3, "found 1 column"),
    "lonely carriage return": (PATTERN + "2 2 2\n1 1\r2 2\n", 3, "found 3 columns"),
    "binary junk": (bytes(range(256)), 1, "expected the banner"),
    "only a newline": ("\n", 1, "expected the banner"),
    "empty": ("", 1, "is empty"),
}


@pytest.mark.parametrize(("text", "line", "message"), MALFORMED.values(), ids=MALFORMED)
def test_malformed_files_are_refused_at_their_line(refused, text, line, message, chunk_bytes):
    assert message in str(refused(text, line=line))


def test_line_57_is_named(refused, chunk_bytes):
    lines = [f"{k} {k}" for k in range(1, 101)]
    lines[57 - 3] = "55 x"
    text = PATTERN + "100 100 100\n" + "\n".join(lines)
    assert "column 'x' is not a whole number" in str(refused(text, line=57))


def test_endless_line_is_refused(refused):
    assert "line longer than" in str(refused(PATTERN + "2 2 1\n" + "1" * (3 << 20), line=3))
