"""What a result computes later, it computes from memory of its own: the caller's arrays may have changed."""

import copy
import pickle
from dataclasses import fields, replace
from functools import cached_property

import numpy as np
import pytest
import scipy.sparse as sp

import konig
from konig import io
from konig.interop.index_matrices import ArrayMatrix
from konig.matching.device_graph import DeviceAdjacency, DeviceArrays
from konig.matching.inputs import BipartiteGraph, from_arrays
from konig.matching.result import Matching

SMALL, LARGE = 60, 210_000  # the short way for plain arrays ends between them
FORMATS = ("csr", "csc", "coo", "bsr", "lil", "dok", "dia")


def singular(size, seed=3):
    """A pattern whose maximum matching leaves rows and columns unmatched."""
    rng = np.random.default_rng(seed)
    rows, cols = rng.integers(0, size, (2, 2 * size))
    return sp.coo_array((np.ones(2 * size), (rows, cols)), (size, size + 7)).tocsr()


def scribble(array):
    """Overwrite an array of the caller's with what would crash whoever followed it."""
    array[...] = 10**8 if array.dtype.kind in "iu" and array.itemsize >= 4 else 1


def given_as(A, form, folder):
    """The matrix in some form, and a function that spoils it."""
    if form == "pairs":
        coo = A.tocoo()
        pairs = coo.row.copy(), coo.col.copy()
        return pairs, {"shape": A.shape}, lambda: [scribble(ids) for ids in pairs]
    if form == "dense":
        dense = A.toarray()
        return dense, {}, lambda: scribble(dense)
    if form == "path":
        path = folder / "a matrix.mtx"
        io.write(path, A)
        return path, {}, lambda: path.write_bytes(b"nothing")
    matrix = A.asformat(form, copy=True)

    def spoil():
        if form in ("lil", "dok"):
            matrix.clear() if form == "dok" else scribble_lists(matrix)
            return
        for name in ("indptr", "indices", "row", "col", "offsets", "data"):
            if isinstance(getattr(matrix, name, None), np.ndarray):
                scribble(getattr(matrix, name))

    return matrix, {}, spoil


def scribble_lists(matrix):
    for row in matrix.rows:
        row[:] = [10**8] * len(row)


def touch(answer):
    """Every public attribute of an answer, those that are found on first use too."""
    names = {field.name for field in fields(answer)}
    for cls in type(answer).__mro__:
        names |= {n for n, part in vars(cls).items() if isinstance(part, property | cached_property)}
    return {name: getattr(answer, name) for name in sorted(names)}


SOLVERS = [konig.maximum_matching, konig.dulmage_mendelsohn, konig.block_triangular_form]


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: solver.__name__)
@pytest.mark.parametrize("form", [*FORMATS, "pairs", "dense", "path"])
@pytest.mark.parametrize("size", [SMALL, 2_000])
def test_an_answer_outlives_what_the_caller_does_to_his_arrays(solver, form, size, tmp_path):
    A = singular(size)
    given, options, spoil = given_as(A, form, tmp_path)
    answer = solver(given, **options)
    spoil()
    touch(answer)
    answer.verify(A)
    for twin in (
        pickle.loads(pickle.dumps(answer)),
        copy.copy(answer),
        copy.deepcopy(answer),
        replace(answer),
    ):
        touch(twin)
        twin.verify(A)


@pytest.mark.parametrize("method", ["auto", "hk", "p-pfp", "pr", "apfb-gpubfs-wr-ct", "flow-tlpns-rcsr"])
@pytest.mark.parametrize("ids", [np.int32, np.int64])
def test_whatever_the_method(method, ids):
    A = singular(LARGE)
    pristine = A.copy()
    A.indptr, A.indices = A.indptr.astype(ids), A.indices.astype(ids)
    m = konig.maximum_matching(A, method=method)
    A.indices += 50_000_000
    assert len(m.cover) == m.size < min(A.shape)
    m.verify(pristine)


def test_entries_that_the_caller_removes_later_are_still_proved():
    A = singular(SMALL)
    A.data[::2] = 0
    m = konig.maximum_matching(A)
    pristine = A.copy()
    A.eliminate_zeros()
    m.verify(pristine)


def test_an_answer_that_is_full_keeps_no_graph():
    for A in (sp.csr_array(np.eye(5)), sp.eye_array(200_000, format="csc"), sp.csr_array(np.ones((3, 9)))):
        m = konig.maximum_matching(A)
        assert m.graph is None
        assert len(m.cover) == m.size == min(A.shape)
        m.verify(A)


def test_a_matching_that_was_given_is_not_followed_later():
    A = singular(SMALL)
    partners = konig.maximum_matching(A).col_of_row.copy()
    form = konig.block_triangular_form(A, matching=partners)
    scribble(partners)
    touch(form)
    form.verify(A)


@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
def test_a_graph_on_a_device_is_kept_in_memory_of_its_own(kind):
    A = singular(SMALL).asformat(kind)
    first, second = (A.row, A.col) if kind == "coo" else (A.indptr, A.indices)
    graph = from_arrays(ArrayMatrix(kind, first, second, A.shape), False, "A", DeviceArrays(np))
    kept = graph.owned()
    assert isinstance(kept._given, DeviceAdjacency)
    expected = set(zip(*graph.on_host().edges(), strict=True))
    for array in (first, second):
        scribble(array)
    assert set(zip(*kept.on_host().edges(), strict=True)) == expected
    again = pickle.loads(pickle.dumps(kept))
    assert set(zip(*again.edges(), strict=True)) == expected


def test_a_graph_that_was_shipped_to_a_device_lets_go_of_the_callers_arrays():
    A = singular(SMALL)
    there = from_arrays(
        ArrayMatrix("csr", A.indptr.copy(), A.indices.copy(), A.shape), False, "A", DeviceArrays(np)
    )
    lists = there._of_row.owned()
    host = from_arrays(ArrayMatrix("csr", A.indptr, A.indices, A.shape), False, "A")
    shipped = BipartiteGraph(*A.shape, lists, host=host)
    kept = shipped.owned()
    assert kept._host is None
    mates = konig.maximum_matching(A)
    answer = Matching(mates.size, mates.col_of_row, mates.row_of_col, "apfb", "cuda:0", {}, A.nnz, kept)
    pristine = A.copy()
    scribble(A.indices)
    assert len(answer.cover) == answer.size
    pickle.loads(pickle.dumps(answer)).verify(pristine)
