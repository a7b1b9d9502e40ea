"""The checkers of decompositions accept what is right and refuse each kind of corruption."""

from dataclasses import replace

import numpy as np
import pytest
from corruption import FORM, changed, refused

import konig
from konig.matching.alternating import AlternatingForest, alternating_forest
from konig.matching.inputs import as_graph
from konig.matching.proof import check_block_triangular_form

ARRAYS = ("row_perm", "col_perm", "row_blocks", "col_blocks", "row_parts", "col_parts")


@pytest.fixture
def form():
    return konig.block_triangular_form(FORM)


def check_with_forest(A, form, change):
    """Check a form by a witness that has been changed."""
    graph, matching = as_graph(A), form.matching

    def find_forest(*blocks):
        return change(alternating_forest(graph, matching.col_of_row, matching.row_of_col, *blocks))

    check_block_triangular_form(*graph.edges(), form, find_forest)


def found_forest(form):
    """The witness that a form of FORM is checked by."""
    found = []
    check_with_forest(FORM, form, lambda forest: found.append(forest) or forest)
    return found[0]


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
    with refused("row 3 is not connected to its block"):
        form.verify(sparser)
    with refused("10 x 10 matrix, not 9 x 10"):
        form.verify(FORM[:9])


@pytest.mark.parametrize("name", ["col_before_row", "row_after_col"])
def test_a_corrupted_forest_is_refused(form, name):
    """In each place where the forest matters: no path, a column that is not there, and a wrong one."""
    witness = getattr(found_forest(form), name)

    def check_with(changed_witness):
        check_with_forest(FORM, form, lambda forest: forest._replace(**{name: changed_witness}))

    meaningful = np.flatnonzero(witness >= 0)
    assert len(meaningful) >= 7
    for place in meaningful:
        for wrong in (-1, 10, -5):
            with refused("not connected to its block"):
                check_with(changed(witness, place, wrong))
    with refused("the forest is not one for"):
        check_with(witness[:-1])
    not_an_entry = {"col_before_row": changed(witness, 2, 9), "row_after_col": changed(witness, 9, 2)}
    with refused("is no entry"):
        check_with(not_an_entry[name])
    other_block = {"col_before_row": changed(witness, 2, 6), "row_after_col": changed(witness, 6, 2)}
    with refused("of another block"):
        check_with(other_block[name])


def test_a_forest_that_runs_in_a_circle_is_refused():
    # Two cycles one after the other, claimed to be one block: each witness is an entry of the block, but the
    # second cycle is connected only to itself.
    A = np.kron(np.eye(2), np.array([[1, 1], [1, 1]])).astype(int)
    A[0, 2] = 1
    form = konig.block_triangular_form(A)
    joined = replace(form, row_blocks=np.array([0, 4]), col_blocks=np.array([0, 4]))
    col_of_row, row_of_col = form.matching.col_of_row, form.matching.row_of_col
    other_row = np.array([1, 0, 3, 2])
    circles = AlternatingForest(col_of_row[other_row], row_of_col[other_row])
    with refused("only in a circle"):
        check_with_forest(A, joined, lambda _: circles)


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


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_that_are_no_indices_are_refused(form, name):
    array = getattr(form, name)
    for spoilt in (array.astype(float), array.astype(np.uint64), array[:, None], array.tolist(), None):
        with refused(f"{name}: .* no (array of )?indices"):
            replace(form, **{name: spoilt}).verify(FORM)


def test_nothing_out_of_range_reaches_native_code(form, monkeypatch):
    """The search for the witness of a corrupted form is not begun, or sees valid indices."""
    seen = []

    def forest(graph, col_of_row, row_of_col, block_of_row, block_of_col, first_rows, first_cols):
        for array, extent in ((col_of_row, 10), (row_of_col, 10), (first_rows, 10), (first_cols, 10)):
            assert ((array >= -1) & (array < extent)).all()
        assert len(block_of_row) == len(block_of_col) == 10
        seen.append(1)
        return AlternatingForest(np.full(10, -1), np.full(10, -1))

    monkeypatch.setattr("konig.matching.triangular.alternating_forest", forest)
    rng = np.random.default_rng(1)
    for _ in range(300):
        name = ARRAYS[rng.integers(len(ARRAYS))]
        array = getattr(form, name)
        spoilt = changed(array, rng.integers(len(array)), rng.integers(-3, 14))
        with refused("."):
            replace(form, **{name: spoilt}).verify(FORM)
    with refused("not connected"):
        replace(form).verify(FORM)
    assert seen


@pytest.mark.parametrize("ids", [np.int8, np.int64])
def test_any_integer_type_is_accepted(form, ids):
    replace(form, **{name: getattr(form, name).astype(ids) for name in ARRAYS}).verify(FORM)
