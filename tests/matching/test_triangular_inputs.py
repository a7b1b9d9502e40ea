"""What the Dulmage-Mendelsohn decomposition and the block triangular form take, and what they refuse."""

import numpy as np
import pytest
import scipy.sparse as sp
from cases.matrices import random_pattern
from triangular_cases import blocks_as_sets, checked_form

import konig


@pytest.mark.parametrize("convert", [sp.csr_array, sp.csc_array, sp.coo_array, sp.csr_matrix, sp.lil_array])
def test_every_format_gives_the_same_blocks(convert):
    A = random_pattern(np.random.default_rng(9), 30, 35, 1.5)
    expected = blocks_as_sets(checked_form(A.toarray()))
    assert blocks_as_sets(checked_form(convert(A))) == expected
    form = checked_form(convert(A))
    assert np.array_equal(form.permuted(convert(A)).toarray(), A.toarray()[form.row_perm][:, form.col_perm])


def test_pairs_take_a_shape():
    rows, cols = np.array([0, 1, 1, 1]), np.array([0, 0, 1, 1])
    form = konig.block_triangular_form((rows, cols), shape=(3, 2))
    form.verify((rows, cols))
    assert form.coarse.vertical.shape == (1, 0)
    assert form.permuted((rows, cols)).toarray().astype(int).tolist() == [[1, 1], [0, 1], [0, 0]]


@pytest.mark.parametrize("ids", [np.int32, np.int64])
@pytest.mark.parametrize("offsets", [np.int32, np.int64])
def test_index_types(ids, offsets):
    A = random_pattern(np.random.default_rng(10), 50, 55, 1.5)
    expected = blocks_as_sets(checked_form(A))
    A.indices, A.indptr = A.indices.astype(ids), A.indptr.astype(offsets)
    form = checked_form(A)
    assert form.row_perm.dtype == ids
    assert blocks_as_sets(form) == expected


def test_duplicates_count_once():
    rows, cols = np.array([0, 0, 0, 1, 1, 1]), np.array([0, 0, 1, 1, 1, 1])
    A = sp.coo_array((np.ones(6), (rows, cols)), (2, 2))
    form = checked_form(A)
    assert form.num_blocks == 2
    assert form.permuted(A).toarray().tolist() == [[2, 1], [0, 3]]


def test_stored_zeros_are_entries_unless_dropped():
    A = sp.csr_array((np.array([1.0, 0.0, 1.0, 1.0]), ([0, 1, 0, 1], [0, 0, 1, 1])), (2, 2))
    assert A.nnz == 4
    assert checked_form(A).num_blocks == 1
    dropped = konig.block_triangular_form(A, drop_zeros=True)
    dropped.verify(A)
    assert dropped.num_blocks == 2
    assert dropped.permuted(A).nnz == 3
    assert A.nnz == 4
    assert konig.dulmage_mendelsohn(A, drop_zeros=True).matching.drop_zeros
    with pytest.raises(konig.CertificateError, match="below the diagonal blocks"):
        dropped.verify(A, drop_zeros=False)


def test_the_input_is_not_modified():
    A = random_pattern(np.random.default_rng(11), 30, 30, 2.0)
    before = A.copy()
    form = konig.block_triangular_form(A, drop_zeros=True)
    form.permuted(A)
    for name in ("data", "indices", "indptr"):
        assert np.array_equal(getattr(A, name), getattr(before, name))


def test_a_matching_may_be_given():
    A = random_pattern(np.random.default_rng(12), 80, 90, 1.5)
    matching = konig.maximum_matching(A, method="hkdw")
    for given_matching in (matching, matching.col_of_row, matching.col_of_row.astype(np.int64)):
        form = checked_form(A, matching=given_matching)
        assert np.array_equal(form.matching.col_of_row, matching.col_of_row)
        assert blocks_as_sets(form) == blocks_as_sets(konig.block_triangular_form(A))
    assert konig.dulmage_mendelsohn(A, matching=matching).matching.method == "hkdw"


def test_a_wrong_matching_is_an_error():
    A = np.array([[1, 1], [1, 0]])
    for decompose in (konig.dulmage_mendelsohn, konig.block_triangular_form):
        with pytest.raises(ValueError, match="not maximum: an augmenting path leads to row 1"):
            decompose(A, matching=[0, -1])
        with pytest.raises(ValueError, match="matching is not a matching of A"):
            decompose(A, matching=[0, 1])
        with pytest.raises(ValueError, match=r"matching: row 0 has partner 2"):
            decompose(A, matching=[2, 0])
        with pytest.raises(ValueError, match="matching must be a Matching or 2 integers"):
            decompose(A, matching=[0, 1, 2])
        with pytest.raises(TypeError, match="matching is given, so method would have no effect"):
            decompose(A, matching=[1, 0], method="hk")


def test_unknown_options_are_errors():
    with pytest.raises(TypeError, match="has no argument 'initialise'; did you mean 'initial'"):
        konig.block_triangular_form(np.eye(2), initialise="ksm")
    with pytest.raises(ValueError, match="is not a matching method"):
        konig.dulmage_mendelsohn(np.eye(2), method="dm")
    with pytest.raises(ValueError, match="A is 3 x 3, but the form is that of a 2 x 2 matrix"):
        konig.block_triangular_form(np.eye(2)).permuted(np.eye(3))


def test_the_coarse_decomposition_agrees_with_the_form():
    A = random_pattern(np.random.default_rng(13), 300, 320, 2.0)
    form, coarse = konig.block_triangular_form(A), konig.dulmage_mendelsohn(A)
    coarse.verify(A)
    for mine, theirs in zip(form.coarse.parts, coarse.parts, strict=True):
        assert np.array_equal(mine.rows, theirs.rows)
        assert np.array_equal(mine.cols, theirs.cols)
    assert set(coarse.stats["seconds"]) == {"convert", "matching", "coarse", "total"}
    assert set(form.stats["seconds"]) == {"convert", "matching", "coarse", "fine", "total"}


def test_answers_are_frozen():
    form = konig.block_triangular_form(np.eye(3))
    with pytest.raises(AttributeError):
        form.row_perm = None
    with pytest.raises(ValueError, match="read-only"):
        form.row_perm[0] = 1
