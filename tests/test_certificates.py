"""Every checker accepts what is right and refuses each kind of corruption."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

import konig
from konig import certificates
from konig.alternating import AlternatingForest
from konig.results import Part

EDGE_ROWS = np.array([0, 0, 1, 2, 2, 3])
EDGE_COLS = np.array([0, 1, 0, 2, 3, 2])
COL_OF_ROW = np.array([1, 0, 3, 2])
ROW_OF_COL = np.array([1, 0, 3, 2])


def changed(array, position, value):
    copy = np.array(array)
    copy[position] = value
    return copy


def refused(message):
    return pytest.raises(konig.CertificateError, match=message)


def test_a_matching_is_accepted_with_its_size():
    assert certificates.check_matching(EDGE_ROWS, EDGE_COLS, COL_OF_ROW, ROW_OF_COL) == 4
    nothing = np.full(4, -1)
    assert certificates.check_matching(EDGE_ROWS, EDGE_COLS, nothing, nothing) == 0


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
        certificates.check_matching(EDGE_ROWS, EDGE_COLS, col_of_row, row_of_col)


def test_a_cover_is_accepted_with_its_size():
    cover = np.array([0, 2]), np.array([0, 2])
    assert certificates.check_cover(EDGE_ROWS, EDGE_COLS, (4, 4), *cover) == 4


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
        certificates.check_cover(EDGE_ROWS, EDGE_COLS, (4, 4), np.array(rows), np.array(cols))


def test_a_matching_that_is_not_maximum_is_refused():
    col_of_row, row_of_col = np.array([0, -1, 3, 2]), np.array([0, -1, 3, 2])
    cover = np.array([0, 2]), np.array([0, 2])
    with refused("3 pairs but its cover has 4"):
        certificates.check_maximum_matching(EDGE_ROWS, EDGE_COLS, col_of_row, row_of_col, *cover)


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


# A form with both rectangular parts, blocks of size 2, 1 and 2, and entries above them. Rows and columns are
# already in order: a horizontal part of 2 x 3 and a vertical part of 3 x 2 around them.
FORM = np.array(
    [
        # horizontal | square        | vertical
        [1, 1, 0, 0, 0, 1, 0, 0, 0, 0],
        [0, 1, 1, 0, 1, 0, 0, 0, 0, 0],
        [0, 0, 0, 1, 1, 0, 1, 0, 0, 0],
        [0, 0, 0, 1, 1, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 1, 0, 1, 0, 0],
        [0, 0, 0, 0, 0, 0, 1, 1, 1, 0],
        [0, 0, 0, 0, 0, 0, 1, 1, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 1, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 1, 1],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    ]
)


@pytest.fixture
def form():
    return konig.block_triangular_form(FORM)


def with_forest(form, **changes):
    """A copy with a corrupted witness."""
    copy = replace(form)
    forest = {"col_before_row": form.forest.col_before_row, "row_after_col": form.forest.row_after_col}
    copy.__dict__["forest"] = AlternatingForest(**forest | changes)
    return copy


def test_a_block_triangular_form_is_accepted(form):
    form.verify(FORM)
    assert np.diff(form.row_blocks).tolist() == [2, 2, 1, 2, 3]
    assert np.diff(form.col_blocks).tolist() == [3, 2, 1, 2, 2]
    assert form.row_parts.tolist() == [0, 2, 7, 10]
    assert form.col_parts.tolist() == [0, 3, 8, 10]
    form.coarse.verify(FORM)


@pytest.mark.parametrize("name", ["row_perm", "col_perm"])
def test_a_broken_permutation_is_refused(form, name):
    perm = getattr(form, name)
    for wrong, message in (
        (changed(perm, 0, perm[1]), "exactly once"),
        (changed(perm, 0, 10), r"not in \[0, 10\)"),
        (changed(perm, 0, -1), r"not in \[0, 10\)"),
        (perm[:-1], "9 indices, not 10"),
        (perm.astype(float), "no indices"),
    ):
        with refused(f"{name}: .*{message}"):
            replace(form, **{name: wrong}).verify(FORM)


@pytest.mark.parametrize("name", ["row_perm", "col_perm"])
@pytest.mark.parametrize("pair", [(0, 1), (2, 3), (3, 4), (5, 6), (8, 9), (0, 9)])
def test_a_permutation_that_moves_the_matching_off_the_diagonal_is_refused(form, name, pair):
    perm = changed(getattr(form, name), list(pair), getattr(form, name)[list(pair[::-1])])
    with refused("of the diagonal is not matched"):
        replace(form, **{name: perm}).verify(FORM)


def test_blocks_in_the_wrong_order_are_refused(form):
    # The block of size 1 and the one of size 2 after it change places; an entry joins them.
    order = np.array([0, 1, 2, 3, 5, 6, 4, 7, 8, 9])
    rows = form.row_perm[order]
    cols = form.col_perm[np.array([0, 1, 2, 3, 4, 6, 7, 5, 8, 9])]
    swapped = replace(
        form,
        row_perm=rows,
        col_perm=cols,
        row_blocks=np.array([0, 2, 4, 6, 7, 10]),
        col_blocks=np.array([0, 3, 5, 7, 8, 10]),
    )
    with refused("below the diagonal blocks"):
        swapped.verify(FORM)


@pytest.mark.parametrize(
    ("rows", "cols", "message"),
    [
        ([0, 2, 3, 4, 5, 7, 10], [0, 3, 4, 5, 6, 8, 10], "below the diagonal blocks"),  # one split
        ([0, 2, 4, 7, 10], [0, 3, 5, 8, 10], "not connected to its block"),  # two joined
        ([0, 2, 7, 10], [0, 3, 8, 10], "not connected to its block"),  # all joined
        ([0, 4, 5, 7, 10], [0, 5, 6, 8, 10], "disagree about the square part"),  # one given to the wide part
        ([0, 2, 4, 5, 7], [0, 3, 5, 6, 8], "does not run from 0 to 10"),
        ([0, 2, 4, 4, 5, 7, 10], [0, 3, 5, 5, 6, 8, 10], "empty or not square"),
        ([0, 2, 3, 5, 7, 10], [0, 3, 5, 6, 8, 10], "empty or not square"),
        ([0, 2, 5, 4, 7, 10], [0, 3, 6, 5, 8, 10], "decreases"),
        ([0, 2, 4, 5, 7, 10], [0, 3, 5, 8, 10], "5 blocks of rows but 4 blocks of columns"),
        ([0, 10], [0, 10], "too few"),
    ],
)
def test_wrong_block_boundaries_are_refused(form, rows, cols, message):
    broken = replace(form, row_blocks=np.array(rows), col_blocks=np.array(cols))
    with refused(message):
        broken.verify(FORM)


@pytest.mark.parametrize(
    ("rows", "cols", "message"),
    [
        ([0, 4, 7, 10], [0, 5, 8, 10], "disagree about the square part"),
        ([0, 2, 5, 10], [0, 3, 6, 10], "disagree about the square part"),
        ([0, 2, 7], [0, 3, 8], "does not run"),
        ([0, 2, 10], [0, 3, 10], "four boundaries"),
        ([0, 7, 2, 10], [0, 8, 3, 10], "decreases"),
    ],
)
def test_wrong_part_boundaries_are_refused(form, rows, cols, message):
    broken = replace(form, row_parts=np.array(rows), col_parts=np.array(cols))
    with refused(message):
        broken.verify(FORM)


def test_a_square_block_hidden_in_a_rectangular_part_is_refused(form):
    for parts, blocks, side in (
        (([0, 4, 7, 10], [0, 5, 8, 10]), ([0, 4, 5, 7, 10], [0, 5, 6, 8, 10]), "row"),
        (([0, 2, 5, 10], [0, 3, 6, 10]), ([0, 2, 4, 5, 10], [0, 3, 5, 6, 10]), "column"),
    ):
        broken = replace(
            form,
            row_parts=np.array(parts[0]),
            col_parts=np.array(parts[1]),
            row_blocks=np.array(blocks[0]),
            col_blocks=np.array(blocks[1]),
        )
        with refused(f"{side} . is not connected to its block"):
            broken.verify(FORM)


def test_a_form_of_another_matrix_is_refused(form):
    fuller = FORM.copy()
    fuller[9, 0] = 1
    with refused("below the diagonal blocks"):
        form.verify(fuller)
    sparser = FORM.copy()
    sparser[3, 3] = 0
    with refused("is no entry|not an entry"):
        form.verify(sparser)
    with refused("10 x 10 matrix, not 9 x 10"):
        form.verify(FORM[:9])


@pytest.mark.parametrize("name", ["col_before_row", "row_after_col"])
def test_a_corrupted_forest_is_refused(form, name):
    """In each place where the forest matters: no path, a column that is not there, and a wrong one."""
    witness = getattr(form.forest, name)
    meaningful = np.flatnonzero(witness >= 0)
    assert len(meaningful) >= 7
    for place in meaningful:
        for wrong in (-1, 10, -5):
            with refused("not connected to its block"):
                with_forest(form, **{name: changed(witness, place, wrong)}).verify(FORM)
    with refused("the forest is not one for"):
        with_forest(form, **{name: witness[:-1]}).verify(FORM)
    not_an_entry = {"col_before_row": changed(witness, 2, 9), "row_after_col": changed(witness, 9, 2)}
    with refused("is no entry"):
        with_forest(form, **{name: not_an_entry[name]}).verify(FORM)
    other_block = {"col_before_row": changed(witness, 2, 6), "row_after_col": changed(witness, 6, 2)}
    with refused("of another block"):
        with_forest(form, **{name: other_block[name]}).verify(FORM)


def test_a_forest_that_runs_in_a_circle_is_refused():
    # Two cycles one after the other, claimed to be one block: each witness is an entry of the block, but the
    # second cycle is connected only to itself.
    A = np.kron(np.eye(2), np.array([[1, 1], [1, 1]])).astype(int)
    A[0, 2] = 1
    form = konig.block_triangular_form(A)
    joined = replace(form, row_blocks=np.array([0, 4]), col_blocks=np.array([0, 4]))
    col_of_row, row_of_col = form.matching.col_of_row, form.matching.row_of_col
    other_row = np.array([1, 0, 3, 2])
    joined.__dict__["forest"] = AlternatingForest(col_of_row[other_row], row_of_col[other_row])
    with refused("only in a circle"):
        joined.verify(A)


def test_a_matching_that_is_not_maximum_does_not_pass_for_one(form):
    matching = form.matching
    row = int(form.row_perm[3])
    fewer = replace(
        matching,
        size=matching.size - 1,
        col_of_row=changed(matching.col_of_row, row, -1),
        row_of_col=changed(matching.row_of_col, matching.col_of_row[row], -1),
    )
    broken = replace(form, matching=fewer)
    with refused("columns are unmatched"):
        broken.verify(FORM)
    with refused("is unmatched but not in the horizontal part"):
        broken.coarse.verify(FORM)


def moved(source, target, rows, cols):
    """The coarse decomposition with some rows and columns in another part."""
    rows, cols = np.array(rows, int), np.array(cols, int)
    coarse = konig.dulmage_mendelsohn(FORM)
    parts = {name: getattr(coarse, name) for name in ("horizontal", "square", "vertical")}
    parts[source] = Part(np.setdiff1d(parts[source].rows, rows), np.setdiff1d(parts[source].cols, cols))
    parts[target] = Part(np.union1d(parts[target].rows, rows), np.union1d(parts[target].cols, cols))
    return replace(coarse, **parts)


@pytest.mark.parametrize(
    ("source", "target", "rows", "cols", "message"),
    [
        ("horizontal", "square", [0], [], "lies below the parts"),
        ("horizontal", "square", [], [0], "lies below|different parts|unmatched but not"),
        ("horizontal", "square", [0, 1], [0, 1, 2], "unmatched but not in the horizontal part"),
        ("square", "horizontal", [2, 3], [3, 4], "row 2 is not connected"),
        ("square", "horizontal", [], [3], "lies below the parts"),
        ("square", "vertical", [5, 6], [6, 7], "column 6 is not connected"),
        ("square", "vertical", [5], [], "lies below the parts"),
        ("vertical", "square", [7, 8, 9], [8, 9], "unmatched but not in the vertical part"),
        ("horizontal", "vertical", [0], [], "lies below the parts"),
    ],
)
def test_wrong_coarse_parts_are_refused(source, target, rows, cols, message):
    with refused(message):
        moved(source, target, rows, cols).verify(FORM)


def test_coarse_parts_that_overlap_or_leave_something_out_are_refused():
    coarse = konig.dulmage_mendelsohn(FORM)
    with refused("the rows of the parts: 9 indices"):
        moved_out = Part(coarse.square.rows[1:], coarse.square.cols)
        replace(coarse, square=moved_out).verify(FORM)
    with refused("the columns of the parts: . does not occur exactly once"):
        repeated = Part(coarse.square.rows, changed(coarse.square.cols, 0, coarse.horizontal.cols[0]))
        replace(coarse, square=repeated).verify(FORM)


def test_partners_out_of_range_are_refused_before_native_code_reads_them(form):
    matching = replace(form.matching, col_of_row=changed(form.matching.col_of_row, 3, 10**8))
    coarse = replace(konig.dulmage_mendelsohn(FORM), matching=matching)
    for answer in (matching, replace(form, matching=matching), coarse):
        with refused(r"col_of_row\[3\] = 100000000"):
            answer.verify(FORM)


def test_a_form_of_no_rows_or_columns_is_accepted():
    for shape in ((0, 0), (0, 5), (5, 0)):
        A = np.zeros(shape)
        konig.block_triangular_form(A).verify(A)
        konig.dulmage_mendelsohn(A).verify(A)
