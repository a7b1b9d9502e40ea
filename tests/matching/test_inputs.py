"""What maximum_matching takes for a matrix, and what it says to everything else."""

import numpy as np
import pytest
import scipy.sparse as sp

import konig
from konig.matching.inputs import as_graph

PATTERN = np.array([[1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 2]])


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "bsr", "lil", "dok", "dia"])
@pytest.mark.parametrize("kind", ["array", "matrix"])
def test_every_sparse_format_gives_the_same_answer(form, kind):
    A = getattr(sp, f"{form}_{kind}")(PATTERN)
    m = konig.maximum_matching(A)
    assert m.size == 3
    m.verify(PATTERN)


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint16, np.int64, np.float32, np.float64, np.complex128])
def test_dense_arrays_count_their_nonzeros(dtype):
    assert konig.maximum_matching(PATTERN.astype(dtype)).size == 3


def test_pairs_take_a_shape_or_find_it():
    rows, cols = np.nonzero(PATTERN)
    assert konig.maximum_matching((rows, cols)).col_of_row.shape == (3,)
    m = konig.maximum_matching((rows, cols), shape=(5, 6))
    assert (len(m.col_of_row), len(m.row_of_col)) == (5, 6)
    m.verify((rows, cols))
    assert konig.maximum_matching((rows.tolist(), cols.tolist())).size == 3


def test_a_list_is_a_dense_matrix_and_only_a_tuple_is_pairs():
    dense = [[0, 1], [1, 1]]
    for solver in (konig.maximum_matching, konig.dulmage_mendelsohn, konig.block_triangular_form):
        answer = solver(dense)
        answer.verify(dense)
        answer.verify(np.array(dense))
        solver(PATTERN.tolist()).verify(PATTERN)
    assert konig.maximum_matching(dense).nonzeros == 3
    assert konig.maximum_matching(([0, 1], [1, 1])).nonzeros == 2
    assert konig.structural_rank([[0, 1], [0, 1]]) == 1
    assert konig.structural_rank(([0, 1], [0, 1])) == 2
    assert konig.block_triangular_form(dense).permuted(dense).nnz == 3
    assert konig.structural_rank([[]]) == 0
    with pytest.raises(TypeError, match=r"shape is only for a tuple \(rows, cols\)"):
        konig.maximum_matching([[0, 1], [0, 1]], shape=(2, 2))
    with pytest.raises(ValueError, match=r"A must be rows of equal length .* index arrays are a tuple"):
        konig.maximum_matching([[0, 1], [0]])
    with pytest.raises(TypeError, match="not a tuple of 3"):
        konig.maximum_matching(([0], [0], [1]))


def test_paths_are_read(tmp_path):
    path = tmp_path / "a.npz"
    sp.save_npz(path, sp.csr_array(PATTERN))
    assert konig.maximum_matching(path).size == 3
    assert konig.maximum_matching(str(path)).size == 3


def test_the_input_is_never_modified():
    A = sp.csr_array(PATTERN)
    copies = A.data.copy(), A.indices.copy(), A.indptr.copy()
    for array in (A.data, A.indices, A.indptr):
        array.setflags(write=False)
    konig.maximum_matching(A, method="hkdw")
    for before, after in zip(copies, (A.data, A.indices, A.indptr), strict=True):
        np.testing.assert_array_equal(before, after)


def test_stored_zeros_are_entries_unless_dropped():
    A = sp.csr_array(([0.0, 1.0, 0.0], ([0, 1, 1], [0, 0, 1])), shape=(2, 2))
    for B in (A, A.tocsc(), A.tocoo()):
        assert konig.maximum_matching(B).size == 2
        dropped = konig.maximum_matching(B, drop_zeros=True)
        assert dropped.size == 1
        dropped.verify(B)
        with pytest.raises(konig.CertificateError):
            konig.maximum_matching(B).verify(B, drop_zeros=True)


def test_duplicates_merge():
    A = sp.coo_array((np.ones(4), ([0, 0, 0, 1], [1, 1, 1, 1])), shape=(2, 3))
    for method in konig.methods("matching"):
        m = konig.maximum_matching(A, method=method.name)
        assert m.size == 1
        m.verify(A)


@pytest.mark.parametrize("ids", [np.int32, np.int64])
@pytest.mark.parametrize("offsets", [np.int32, np.int64])
def test_index_types_are_used_as_they_come(ids, offsets):
    A = sp.random_array((200, 150), density=0.02, format="csr", rng=1)
    B = sp.csr_array(A.shape)
    B.data, B.indices, B.indptr = A.data, A.indices.astype(ids), A.indptr.astype(offsets)
    graph = as_graph(B)
    assert graph.of_row.neighbour.dtype == ids
    assert graph.of_row.neighbour is B.indices or graph.of_row.neighbour.base is B.indices
    expected = konig.maximum_matching(A).size
    for method in konig.methods("matching"):
        m = konig.maximum_matching(B, method=method.name)
        assert m.size == expected
        assert m.col_of_row.dtype == ids
        m.verify(B)


@pytest.mark.parametrize(
    ("bad", "error", "words"),
    [
        (3, TypeError, "A must be a scipy.sparse matrix"),
        ("no-such-file.mtx", FileNotFoundError, "no-such-file.mtx"),
        (np.ones(3), ValueError, "two dimensions, not 1"),
        (np.array([["a"]]), TypeError, "numbers or booleans"),
        (([0, 1], [0]), ValueError, "2 row ids but 1 column ids"),
        (([0, -1], [0, 0]), ValueError, "row index -1 of pair 1 is out of range"),
        (([0.5], [0]), TypeError, "A: rows must be integers"),
        (([[0]], [0]), ValueError, "A: rows must have one dimension"),
        (([0, True], [0, 1]), TypeError, r"A: rows\[1\] must be an integer, not True"),
        (([0, 1], [2**70, 1]), ValueError, rf"A: cols\[0\] = {2**70} does not fit into 64 bits"),
    ],
)
def test_bad_matrices_are_named(bad, error, words):
    with pytest.raises(error, match=words):
        konig.maximum_matching(bad)


def test_pairs_outside_their_shape_are_refused():
    with pytest.raises(ValueError, match=r"column index 4 of pair 1 is out of range \[0, 4\)"):
        konig.maximum_matching(([0, 1], [0, 4]), shape=(2, 4))
    with pytest.raises(ValueError, match="must not be negative"):
        konig.maximum_matching(([], []), shape=(-1, 4))
    with pytest.raises(TypeError, match="pair of integers"):
        konig.maximum_matching(([], []), shape=3)
    for shape in ((2.5, 3), "34", (3,), (3, 4, 5), (None, 3), (True, 3)):
        with pytest.raises(TypeError, match="shape must be a pair of integers"):
            konig.maximum_matching(([0], [0]), shape=shape)
    with pytest.raises(TypeError, match="shape is only for"):
        konig.maximum_matching(PATTERN, shape=(3, 4))


def test_broken_compressed_arrays_are_refused_before_they_are_read():
    def broken(**arrays):
        A = sp.csr_array(PATTERN)
        for name, values in arrays.items():
            setattr(A, name, np.asarray(values, np.int32))
        return A

    with pytest.raises(ValueError, match=r"column index 9 of entry 1 \(row 0\) is out of range \[0, 4\)"):
        konig.maximum_matching(broken(indices=[0, 9, 0, 3]))
    with pytest.raises(ValueError, match="indptr decreases at row 1"):
        konig.maximum_matching(broken(indptr=[0, 2, 1, 4]))
    with pytest.raises(ValueError, match="only 4 indices"):
        konig.maximum_matching(broken(indptr=[0, 2, 3, 9]))
    with pytest.raises(ValueError, match="begin with 0"):
        konig.maximum_matching(broken(indptr=[1, 2, 3, 4]))
