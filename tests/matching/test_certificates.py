"""The checker of matchings accepts what is right and refuses each kind of corruption."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from corruption import changed, refused

import konig
from konig.matching.inputs import as_graph
from konig.matching.proof import check_cover, check_matching, check_maximum_matching

EDGE_ROWS = np.array([0, 0, 1, 2, 2, 3])
EDGE_COLS = np.array([0, 1, 0, 2, 3, 2])
COL_OF_ROW = np.array([1, 0, 3, 2])
ROW_OF_COL = np.array([1, 0, 3, 2])


def test_a_matching_is_accepted_with_its_size():
    assert check_matching(EDGE_ROWS, EDGE_COLS, COL_OF_ROW, ROW_OF_COL) == 4
    nothing = np.full(4, -1)
    assert check_matching(EDGE_ROWS, EDGE_COLS, nothing, nothing) == 0


@pytest.mark.parametrize(
    ("col_of_row", "row_of_col", "message"),
    [
        (changed(COL_OF_ROW, 2, 4), ROW_OF_COL, r"col_of_row\[2\] = 4"),
        (changed(COL_OF_ROW, 2, -2), ROW_OF_COL, r"col_of_row\[2\] = -2"),
        (COL_OF_ROW, changed(ROW_OF_COL, 0, 9), r"row_of_col\[0\] = 9"),
        (changed(COL_OF_ROW, 0, 0), ROW_OF_COL, "row 0 claims column 0"),
        (COL_OF_ROW, changed(ROW_OF_COL, 1, -1), "row 0 claims column 1"),
        (changed(COL_OF_ROW, 0, -1), ROW_OF_COL, "column 1 claims row 0"),
        (np.array([1, 3, -1, 2]), np.array([-1, 0, 3, 1]), "row 1 is matched to column 3, .* not an entry"),
    ],
)
def test_a_corrupted_matching_is_refused(col_of_row, row_of_col, message):
    with refused(message):
        check_matching(EDGE_ROWS, EDGE_COLS, col_of_row, row_of_col)


def test_a_cover_is_accepted_with_its_size():
    cover = np.array([0, 2]), np.array([0, 2])
    assert check_cover(EDGE_ROWS, EDGE_COLS, (4, 4), *cover) == 4


@pytest.mark.parametrize(
    ("rows", "cols", "message"),
    [
        ([0], [0, 2], r"entry \(2, 3\) is not covered"),
        ([0, 2], [0], r"entry \(3, 2\) is not covered"),
        ([0, 4], [0, 2], "rows leave"),
        ([0, 2], [-1, 2], "cols leave"),
        ([0, 0, 2], [0, 2], "rows repeat"),
    ],
)
def test_a_corrupted_cover_is_refused(rows, cols, message):
    with refused(message):
        check_cover(EDGE_ROWS, EDGE_COLS, (4, 4), np.array(rows), np.array(cols))


def test_a_matching_that_is_not_maximum_is_refused():
    col_of_row, row_of_col = np.array([0, -1, 3, 2]), np.array([0, -1, 3, 2])
    cover = np.array([0, 2]), np.array([0, 2])
    with refused("3 pairs but its cover has 4"):
        check_maximum_matching(EDGE_ROWS, EDGE_COLS, col_of_row, row_of_col, *cover)


def test_an_answer_for_another_matrix_is_refused():
    A = sp.csr_array(np.eye(3))
    m = konig.maximum_matching(A)
    with refused("not an entry"):
        m.verify(sp.csr_array(np.eye(3)[::-1]))
    with refused("3 x 3 matrix, not 3 x 4"):
        m.verify(np.ones((3, 4)))
    with refused("is not covered"):
        konig.maximum_matching(np.diag([1, 0])).verify(np.eye(2))
    with refused("claims size 2"):
        replace(m, size=2).verify(A)


NOT_INDICES = [
    lambda array: array.astype(float),
    lambda array: array.astype(str),
    lambda array: array[:, None],
    lambda array: array.tolist(),
    lambda array: None,
]


@pytest.mark.parametrize("name", ["col_of_row", "row_of_col"])
@pytest.mark.parametrize("spoil", NOT_INDICES)
def test_partners_that_are_no_indices_are_refused(name, spoil):
    A = np.eye(3)
    m = konig.maximum_matching(A)
    spoilt = {"col_of_row": m.col_of_row, "row_of_col": m.row_of_col}
    spoilt[name] = spoil(spoilt[name])
    with refused(f"{name}: .* no (array of )?indices"):
        check_matching(*as_graph(A).edges(), **spoilt)


def test_a_cover_that_is_no_indices_is_refused():
    with refused("the cover's rows: float64 .* no indices"):
        check_cover(EDGE_ROWS, EDGE_COLS, (4, 4), np.array([0.0, 2.0]), np.array([0, 2]))


@pytest.mark.parametrize("ids", [np.int8, np.int16, np.int64])
def test_partners_of_any_integer_type_are_accepted(ids):
    A = sp.csr_array(np.eye(3))
    m = konig.maximum_matching(A)
    replace(m, col_of_row=m.col_of_row.astype(ids), row_of_col=m.row_of_col.astype(ids)).verify(A)


@pytest.mark.parametrize("shape", [(2, 2), (400, 500), (3, 2)])
def test_a_graph_of_another_shape_is_refused_before_native_code_reads_it(shape):
    A = np.diag([1, 1, 0])
    m = replace(konig.maximum_matching(A), graph=as_graph(np.ones(shape)))
    with refused("the graph is one of"):
        m.verify(A)
