"""Every method on every instance, each answer proved by its own certificate."""

import numpy as np
import pytest
import scipy.sparse as sp
from cases.data import needs_data, real_matrices
from cases.matrices import awkward_matrices
from hypothesis import given, settings
from hypothesis import strategies as st

import konig
from konig import io

METHODS = [method.name for method in konig.methods("matching")]
STARTS = ["none", "sgm", "ksm"]
AWKWARD = awkward_matrices()


def solve(A, method, start="", **options):
    knobs = {"init": start} if start and method != "auto" else {}
    m = konig.maximum_matching(A, method=method, **knobs, **options)
    m.verify(A)
    return m


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("method", METHODS)
def test_awkward_matrices(method, start):
    for name, A in AWKWARD.items():
        expected = konig.maximum_matching(A, method="hk").size
        assert solve(A, method, start).size == expected, name
        assert solve(sp.csr_array(A.T), method, start).size == expected, name


@st.composite
def patterns(draw):
    rows, cols = draw(st.integers(0, 14)), draw(st.integers(0, 14))
    entries = draw(st.integers(0, 60)) if rows and cols else 0
    pairs = [(draw(st.integers(0, rows - 1)), draw(st.integers(0, cols - 1))) for _ in range(entries)]
    return np.array(pairs, np.int64).reshape(-1, 2), (rows, cols)


@settings(max_examples=150, deadline=None)
@given(patterns(), st.integers(0, 2**32 - 1))
def test_methods_agree_and_duality_holds(pattern, seed):
    pairs, shape = pattern
    A = sp.coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=shape)
    sizes = {method: solve(A, method).size for method in METHODS}
    assert len(set(sizes.values())) == 1, sizes
    size = sizes["auto"]
    rng = np.random.default_rng(seed)
    row_perm, col_perm = rng.permutation(shape[0]), rng.permutation(shape[1])
    permuted = sp.coo_array((A.data, (row_perm[A.row], col_perm[A.col])), shape=shape)
    assert solve(permuted, "auto").size == size
    assert solve(sp.coo_array(A.T), "auto").size == size
    if shape[0] and shape[1]:
        more = sp.coo_array((np.ones(len(pairs) + 1), (np.r_[A.row, 0], np.r_[A.col, 0])), shape=shape)
        assert size <= solve(more, "auto").size <= size + 1


SMALL_ENOUGH = 30_000  # entries, so that all of them with all methods take about a minute


def check_real(matrix, methods, starts):
    A = io.read(matrix.path)
    assert A.shape == (matrix.rows, matrix.cols)
    for method in methods:
        if method.endswith("-csr") and matrix.entries + matrix.rows + matrix.cols > 5000:
            continue  # each step looks at all arcs
        for start in starts if method != "auto" else [""]:
            assert solve(A, method, start).size == matrix.answer, (matrix.path.name, method, start)
        dropped = solve(A, method, drop_zeros=True)
        assert dropped.size == matrix.answer_zeros_dropped, (matrix.path.name, method)


@needs_data
@pytest.mark.parametrize("method", METHODS)
def test_real_matrices_have_their_known_answer(method):
    for matrix in real_matrices():
        if matrix.entries <= SMALL_ENOUGH:
            check_real(matrix, [method], [""])


@needs_data
def test_auto_solves_all_real_matrices():
    for matrix in real_matrices():
        check_real(matrix, ["auto"], [""])


@pytest.mark.long
@needs_data
@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("method", METHODS[1:])
def test_every_method_and_start_on_all_real_matrices(method, start):
    for matrix in real_matrices():
        check_real(matrix, [method], [start])
