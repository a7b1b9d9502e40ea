"""Inputs that live on a GPU: solved there, answered there, as they are."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from device_cases import SIZE, A, cupy, cupyx_sparse, matrix, on_cupy

import konig

pytestmark = pytest.mark.gpu


def test_cupy_answers_stay_on_the_device():
    for name, B in on_cupy(A):
        m = konig.maximum_matching(B, device="cuda")
        assert m.method == "ms-bfs"
        m = konig.maximum_matching(B)
        assert m.size == SIZE, name
        assert m.device == "cuda:0"
        assert isinstance(m.col_of_row, cupy.ndarray)
        assert isinstance(m.row_of_col, cupy.ndarray)
        assert m.col_of_row.shape == (300,)
        assert m.row_of_col.shape == (260,)
        m.verify(B)
        m.verify(A)
        assert isinstance(m.cover.rows, cupy.ndarray)
        assert len(m.cover) == SIZE


@pytest.mark.parametrize("method", ["apfb-gpubfs-ct", "apsb-gpubfs-wr-mt"])
def test_named_methods_search_from_the_columns(method):
    for name, B in on_cupy(A):
        m = konig.maximum_matching(B, method=method)
        assert m.size == SIZE, name
        m.verify(A)


@pytest.mark.parametrize("shape", [(0, 0), (0, 5), (5, 0), (4, 6)])
def test_empty_matrices(shape):
    empty = sp.csr_array(shape)
    for B in (cupy.zeros(shape), (cupy.zeros(0, np.int32), cupy.zeros(0, np.int32))):
        options = {"shape": shape} if isinstance(B, tuple) else {}
        m = konig.maximum_matching(B, **options)
        assert m.size == 0
        assert m.col_of_row.shape == (shape[0],)
        m.verify(empty)


@pytest.mark.parametrize("ids", [np.int32, np.int64, np.uint16])
def test_pairs_of_any_integers(ids):
    coo = A.tocoo()
    B = (cupy.asarray(coo.row.astype(ids)), cupy.asarray(coo.col.astype(ids)))
    m = konig.maximum_matching(B, shape=A.shape)
    assert m.size == SIZE
    m.verify(B)


def test_lists_of_64_bits_stay_as_they_come():
    from konig.interop.index_matrices import ArrayMatrix
    from konig.matching.device_graph import DeviceArrays
    from konig.matching.inputs import from_arrays

    csc = A.tocsc()
    for id_type, offset_type in ((np.int32, np.int32), (np.int32, np.int64), (np.int64, np.int64)):
        start, rows = cupy.asarray(csc.indptr.astype(offset_type)), cupy.asarray(csc.indices.astype(id_type))
        graph = from_arrays(ArrayMatrix("csc", start, rows, A.shape), False, "A", DeviceArrays(cupy))
        assert graph.of_col.neighbour is rows or graph.of_col.neighbour.data.ptr == rows.data.ptr
        for lists, expected in ((graph.of_row, A), (graph.of_col, csc)):
            assert lists.neighbour.dtype == id_type
            assert lists.start.dtype == offset_type
            assert np.array_equal(lists.start.get(), expected.indptr)


def test_transposition_agrees_with_the_host():
    from konig.interop.index_matrices import ArrayMatrix
    from konig.matching.device_graph import DeviceArrays
    from konig.matching.inputs import as_graph, from_arrays

    big = matrix(20_000, 30_000, 2e-4, 5)
    start, cols = cupy.asarray(big.indptr), cupy.asarray(big.indices)
    graph = from_arrays(ArrayMatrix("csr", start, cols, big.shape), False, "A", DeviceArrays(cupy))
    host = as_graph(big)
    assert np.array_equal(graph.of_col.start.get(), host.of_col.start)
    assert np.array_equal(graph.of_col.neighbour.get(), host.of_col.neighbour)


def test_duplicates_and_stored_zeros():
    rows, cols = cupy.asarray([0, 0, 1, 1]), cupy.asarray([1, 1, 0, 1])
    assert konig.maximum_matching((rows, cols)).size == 2
    B = cupyx_sparse.csr_matrix(sp.csr_matrix(([1.0, 0.0, 2.0], ([0, 1, 1], [0, 1, 0])), (2, 2)))
    assert konig.maximum_matching(B).size == 2
    assert konig.maximum_matching(B, drop_zeros=True).size == 1
    konig.maximum_matching(B, drop_zeros=True).verify(B)


@pytest.mark.parametrize(
    ("rows", "cols", "shape"),
    [
        ([0, 1], [0], None),
        ([0, 5, 7], [0, 0, 0], (5, 1)),
        ([0, 1], [0, -3], (5, 1)),
        ([0.5], [0], None),
        ([[0]], [0], None),
    ],
)
def test_errors_are_those_of_the_host(rows, cols, shape):
    with pytest.raises((ValueError, TypeError)) as host:
        konig.maximum_matching((np.asarray(rows), np.asarray(cols)), shape=shape)
    with pytest.raises(type(host.value)) as there:
        konig.maximum_matching((cupy.asarray(rows), cupy.asarray(cols)), shape=shape)
    assert str(there.value) == str(host.value)


def test_errors_of_lists_name_the_entry():
    B = cupyx_sparse.csr_matrix(A)
    B.indices[7] = 999
    with pytest.raises(ValueError, match=r"A: column index 999 of entry 7 \(row \d+\) is out of range"):
        konig.maximum_matching(B)
    with pytest.raises(ValueError, match="A must have two dimensions, not 3"):
        konig.maximum_matching(cupy.ones((2, 2, 2)))
    with pytest.raises(ValueError, match="rows are on cuda:0 and cols on the host"):
        konig.maximum_matching((cupy.arange(3), np.arange(3)))


def test_the_input_is_not_modified():
    for name, B in on_cupy(A):
        if name == "dense":
            before = B.copy()
            konig.maximum_matching(B)
            assert bool((before == B).all())
        elif name in ("csr", "csc"):
            before = B.indptr.copy(), B.indices.copy(), B.data.copy()
            konig.maximum_matching(B)
            konig.maximum_matching(B, drop_zeros=True, method="apfb-gpubfs-ct")
            after = B.indptr, B.indices, B.data
            assert all(bool((x == y).all()) for x, y in zip(before, after, strict=True))


def test_the_cuda_array_interface_alone():
    class Bare:
        def __init__(self, array):
            self.kept = array
            self.__cuda_array_interface__ = array.__cuda_array_interface__

    coo = A.tocoo()
    B = (Bare(cupy.asarray(coo.row)), Bare(cupy.asarray(coo.col)))
    m = konig.maximum_matching(B, shape=A.shape)
    assert m.size == SIZE
    assert isinstance(m.col_of_row, cupy.ndarray)
    assert konig.maximum_matching(Bare(cupy.asarray(A.toarray()))).size == SIZE


def test_block_triangular_form_of_a_device_matrix():
    form = konig.block_triangular_form(cupyx_sparse.csr_matrix(A))
    form.verify(A)
    expected = konig.block_triangular_form(A)
    assert np.array_equal(form.row_blocks, expected.row_blocks)


@pytest.mark.parametrize("form", ["csr", "csc"])
@pytest.mark.parametrize("method", ["auto", "g-pr-shr"])
def test_what_the_caller_does_to_his_arrays_later_is_of_no_consequence(form, method):
    B = getattr(cupyx_sparse, f"{form}_matrix")(A.asformat(form))
    m = konig.maximum_matching(B, method=method)
    B.indices += 50_000_000
    B.indptr[...] = 7
    assert len(m.cover) == SIZE
    m.verify(A)


def test_an_answer_from_a_gpu_to_the_host_keeps_nothing_of_the_callers():
    B = A.copy()
    m = konig.maximum_matching(B, device="cuda")
    B.indices += 50_000_000
    assert len(m.cover) == SIZE
    m.verify(A)
    pickle.loads(pickle.dumps(m)).verify(A)
