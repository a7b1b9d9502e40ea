"""Arrays that are not what they seem are refused by name, in every problem, before a loop follows them."""

import re

import numpy as np
import pytest
import scipy.sparse as sp

import konig
from konig.interop.scipy import min_weight_full_bipartite_matching

EYE = sp.eye_array(4, format="csr")
SOLVERS = {
    "A": konig.maximum_matching,
    "C": konig.linear_assignment,
    "capacity": lambda capacity: konig.maximum_flow(capacity, 0, 1),
}
COSTS = {
    "C": (konig.linear_assignment, konig.bottleneck_assignment, konig.k_best_assignments),
    "W": (
        konig.maximum_weight_matching,
        lambda W: konig.maximum_weight_matching(W, cardinality=1),
    ),
}
CHECKS = {
    "A": konig.maximum_matching(EYE).verify,
    "C": konig.linear_assignment(EYE).verify,
    "capacity": lambda capacity: konig.maximum_flow(EYE, 0, 1).verify(capacity, 0, 1),
}


def broken(layout, member, position, value):
    """A matrix whose index arrays were changed after SciPy had looked at them."""
    matrix = (
        sp.eye_array(4).asformat(layout) if layout != "bsr" else sp.bsr_array(np.eye(4), blocksize=(2, 2))
    )
    if value == 0.5 or value > 2**31:
        setattr(matrix, member, getattr(matrix, member).astype(type(value)))
    getattr(matrix, member)[position] = value
    return matrix


@pytest.mark.parametrize("call", [SOLVERS, CHECKS], ids=["solve", "verify"])
@pytest.mark.parametrize("argument", ["A", "C", "capacity"])
@pytest.mark.parametrize(
    ("layout", "member", "position", "value", "message"),
    [
        ("csr", "indptr", 0, 1, "indptr must have 5 entries and begin with 0"),
        ("csr", "indptr", 2, -7, "indptr decreases at row 1"),
        ("csr", "indptr", 4, 99, "indptr ends at 99 but there are only 4 indices"),
        ("csr", "indices", 1, -1, "column index -1 of entry 1 (row 1) is out of range [0, 4)"),
        ("csr", "indices", 1, 2**32 + 1, "column index 4294967297 of entry 1 (row 1)"),
        ("csr", "indices", 1, 0.5, "indices must be integers, not float64"),
        ("csc", "indices", 3, 4, "row index 4 of entry 3 (column 3) is out of range [0, 4)"),
        ("csc", "indptr", 3, 1, "indptr decreases at column 2"),
        ("coo", "row", 2, -1, "row index -1 of pair 2 is out of range [0, 4)"),
        ("coo", "col", 2, 9, "column index 9 of pair 2 is out of range [0, 4)"),
        ("bsr", "indices", 1, 7, "column index 7 of entry 1 (row 1) is out of range [0, 2)"),
    ],
)
def test_a_sparse_matrix_with_wrong_indices_is_refused(
    call, argument, layout, member, position, value, message
):
    with pytest.raises((ValueError, TypeError)) as refused:
        call[argument](broken(layout, member, position, value))
    assert str(refused.value).startswith(f"{argument}: ")
    assert message in str(refused.value)


def rows_changed(**members):
    """A LIL matrix, row 1 of which has other columns or values."""
    matrix = sp.eye_array(4).tolil()
    for member, part in members.items():
        getattr(matrix, member)[1] = part
    return matrix


def key_added(key):
    matrix = sp.eye_array(4).todok()
    matrix._dict[key] = 1.0
    return matrix


def other_offsets(*offsets):
    matrix = sp.eye_array(4).todia()
    matrix.offsets = np.array(offsets)
    return matrix


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (rows_changed(rows=[77]), "column index 77 of entry 1 (row 1) is out of range [0, 4)"),
        (rows_changed(rows=[-1]), "column index -1 of entry 1 (row 1) is out of range [0, 4)"),
        (rows_changed(rows=[0, 1]), "row 1 has 2 columns and 1 values"),
        (rows_changed(data=[1.0] * 5000), "row 1 has 1 columns and 5000 values"),
        (rows_changed(rows=None), "rows must have lists of columns"),
        (key_added((0, 77)), "entry (0, 77) is out of range"),
        (key_added((-4, 0)), "entry (-4, 0) is out of range"),
        (key_added((0,)), "keys must be pairs"),
        (other_offsets(0, 1), "2 offsets for diagonals"),
        (other_offsets(2**40), "offset 1099511627776 of diagonal 0 is out of range"),
        (broken("csc", "indices", 1, 700), "row index 700 of entry 1 (column 1)"),
    ],
)
def test_costs_of_every_layout_are_checked_before_scipy_converts_them(matrix, message):
    for argument, solvers in {**{name: (solve,) for name, solve in SOLVERS.items()}, **COSTS}.items():
        for solve in solvers:
            with pytest.raises(ValueError, match=f"^{argument}: {re.escape(message)}"):
                solve(matrix)
    if matrix.format == "csc":
        with pytest.raises(ValueError, match=f"^biadjacency: {re.escape(message)}"):
            min_weight_full_bipartite_matching(matrix)


@pytest.mark.parametrize("argument", ["C", "capacity"])
def test_a_sparse_matrix_with_too_few_values_is_refused(argument):
    matrix = EYE.copy()
    matrix.data = matrix.data[:3]
    with pytest.raises(ValueError, match=f"^{argument}: 3 values for 4 entries"):
        SOLVERS[argument](matrix)


@pytest.mark.parametrize("layout", ["csr", "csc", "coo", "bsr"])
def test_too_few_values_to_tell_which_are_zero(layout):
    matrix = sp.eye_array(4).asformat(layout)
    matrix.data = matrix.data[:3]
    with pytest.raises(ValueError, match=r"^A: 3 values for 4 entries"):
        konig.maximum_matching(matrix, drop_zeros=True)


@pytest.mark.parametrize("argument", SOLVERS)
def test_a_masked_value_is_refused(argument):
    masked = np.ma.masked_equal([[1, 2], [3, 4]], 3)
    with pytest.raises(ValueError, match=rf"^{argument}\[1, 0\] is masked"):
        SOLVERS[argument](masked)
    SOLVERS[argument](np.ma.masked_array([[1, 2], [3, 4]]))  # nothing is


def test_masked_arrays_of_ids_and_capacities_are_refused():
    ids = np.ma.masked_array([0, 1], mask=[False, True])
    with pytest.raises(ValueError, match=r"^A: cols\[1\] is masked"):
        konig.maximum_matching(([0, 1], ids))
    with pytest.raises(ValueError, match=r"^capacity\[1\] is masked"):
        konig.maximum_flow(([0, 1], [1, 2], ids), 0, 2)
    with pytest.raises(ValueError, match=r"^source\[1\] is masked"):
        konig.maximum_flow(([0, 1], [1, 2], [3, 4]), ids, 2)
    with pytest.raises(ValueError, match=r"^initial\[1\] is masked"):
        konig.maximum_flow(([0, 1], [1, 2], [3, 4]), 0, 2, initial=ids)
    with pytest.raises(ValueError, match=r"^initial\[1\] is masked"):
        konig.maximum_matching(np.eye(2), initial=ids)
    with pytest.raises(ValueError, match=r"^row_counts\[1\] is masked"):
        konig.linear_assignment(np.zeros((2, 2, 2)), row_counts=ids)


@pytest.mark.parametrize(
    ("flag", "solve"),
    [
        ("drop_zeros", konig.maximum_matching),
        ("drop_zeros", konig.block_triangular_form),
        ("maximize", konig.linear_assignment),
        ("full", konig.linear_assignment),
        ("undirected", lambda C, undirected: konig.maximum_flow(C, 0, 1, undirected=undirected)),
    ],
)
def test_a_word_is_no_flag(flag, solve):
    C = np.array([[1, 2], [3, 4]])
    for word in ("no", 1, None):
        with pytest.raises(TypeError, match=f"^{flag} must be True or False, not {word!r}"):
            solve(C, **{flag: word})
    solve(C, **{flag: np.bool_(True)})


def test_a_shape_that_no_index_reaches_is_refused():
    with pytest.raises(ValueError, match=r"^shape must be below 2\*\*63"):
        konig.maximum_matching(([0], [0]), shape=(2**63, 1))


@pytest.mark.parametrize("dtype", [np.float16, ">f8", ">i4", "<u2"])
def test_any_real_type_of_any_byte_order_is_taken(dtype):
    given = np.array([[0, 3, 1], [0, 0, 2], [0, 0, 0]]).astype(dtype)
    assert konig.maximum_matching(given).size == 2
    assert konig.linear_assignment(given).cost == 0
    flow = konig.maximum_flow(given, 0, 2)
    assert flow.value == 3
    flow.verify(given, 0, 2)


@pytest.mark.parametrize("layout", ["csr", "csc", "coo", "bsr", "dia"])
@pytest.mark.parametrize("dtype", [np.float16, ">f8", ">u8"])
def test_sparse_numbers_that_scipy_does_not_convert_are_taken(layout, dtype):
    given = sp.csr_array(np.array([[0, 3, 1], [2, 0, 2], [1, 1, 0]], np.float64)).asformat(layout)
    given.data = given.data.astype(dtype)
    flow = konig.maximum_flow(given, 0, 2)
    flow.verify(given, 0, 2)
    assert flow.value == 3
    for solve in (konig.linear_assignment, konig.bottleneck_assignment, konig.maximum_matching):
        assert solve(given).size == 3
    found = konig.linear_assignment(given)
    found.verify(given)
    assert konig.structural_rank(given) == 3
    konig.block_triangular_form(given).verify(given)


def test_knobs_take_the_numbers_of_numpy():
    konig.maximum_matching(EYE, method="pr", relabel=np.float32(2))
    konig.maximum_matching(EYE, method="g-pr-shr", k=np.int16(2))
    with pytest.raises(TypeError, match=r"relabel=np\.True_: method 'pr' takes a float"):
        konig.maximum_matching(EYE, method="pr", relabel=np.True_)
