"""Odd but legal forms of one matrix give one answer, and what is no matrix is refused by name."""

import numpy as np
import pytest
import scipy.sparse as sp

import konig
from konig import io

PATTERN = (np.random.default_rng(0).random((7, 9)) < 0.3).astype(float)
RANK = konig.structural_rank(PATTERN)
ROWS, COLS = np.nonzero(PATTERN)


class Subclass(np.ndarray):
    """An array of another class."""


class SparseSubclass(sp.csr_array):
    """A sparse array of another class."""


def csr(indptr=lambda ids: ids, indices=lambda ids: ids):
    """The matrix with index arrays of another kind."""
    A = sp.csr_array(PATTERN)
    A.indptr, A.indices = indptr(A.indptr), indices(A.indices)
    return A


def unaligned(ids):
    room = np.zeros(ids.nbytes + 1, np.uint8)[1:].view(ids.dtype)
    room[:] = ids
    return room


def read_only(ids):
    ids = ids.copy()
    ids.setflags(write=False)
    return ids


def mapped(tmp_path):
    there = np.memmap(tmp_path / "dense.bin", dtype=float, mode="w+", shape=PATTERN.shape)
    there[:] = PATTERN
    return there


FORMS = {
    "Fortran's order": lambda _: np.asfortranarray(PATTERN),
    "negative strides": lambda _: np.ascontiguousarray(PATTERN[::-1, ::-1])[::-1, ::-1],
    "other byte order": lambda _: PATTERN.astype(">f8"),
    "half floats": lambda _: PATTERN.astype(np.float16),
    "long doubles": lambda _: PATTERN.astype(np.longdouble),
    "nan and inf": lambda _: np.where(PATTERN > 0, np.nan, 0),
    "subclass": lambda _: PATTERN.view(Subclass),
    "np.matrix": lambda _: PATTERN.view(np.matrix),
    "mask of nothing": lambda _: np.ma.masked_array(PATTERN, mask=False),
    "memory map": mapped,
    "list of arrays": lambda _: list(PATTERN),
    "sparse subclass": lambda _: SparseSubclass(PATTERN),
    "csr of other byte order": lambda _: csr(lambda p: p.astype(">i4"), lambda i: i.astype(">i8")),
    "csr with gaps": lambda _: csr(lambda p: np.repeat(p, 3)[::3], lambda i: np.repeat(i, 2)[::2]),
    "csr backwards": lambda _: csr(lambda p: p[::-1].copy()[::-1], lambda i: i[::-1].copy()[::-1]),
    "csr read-only": lambda _: csr(read_only, read_only),
    "csr unaligned": lambda _: csr(unaligned, unaligned),
    "csr of bytes": lambda _: csr(lambda p: p.astype(np.int16), lambda i: i.astype(np.uint8)),
    "csr unsigned": lambda _: csr(lambda p: p.astype(np.uint64), lambda i: i.astype(np.uint32)),
    "csr with room": lambda _: csr(indices=lambda i: np.append(i, [99, -99])),
    "pairs of tuples": lambda _: (tuple(ROWS.tolist()), tuple(COLS.tolist())),
    "pairs backwards": lambda _: (ROWS[::-1], COLS[::-1]),
    "pairs of other byte order": lambda _: (ROWS.astype(">i2"), COLS.astype(">i8")),
    "pairs of lists": lambda _: (ROWS.tolist(), COLS.tolist()),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_odd_forms_give_the_same_answer(form, tmp_path):
    A = FORMS[form](tmp_path)
    options = {"shape": PATTERN.shape} if isinstance(A, tuple) else {}
    for solver in (konig.maximum_matching, konig.dulmage_mendelsohn, konig.block_triangular_form):
        answer = solver(A, **options)
        answer.verify(A)
        answer.verify(PATTERN)
    assert answer.matching.size == konig.structural_rank(A, **options) == RANK
    if "csr" not in form:
        assert answer.permuted(A).nnz == len(ROWS)


@pytest.mark.parametrize("shape", [(0, 0), (1, 0), (0, 1), (3, 0)])
@pytest.mark.parametrize("form", [np.zeros, sp.csr_array, sp.csc_array, sp.coo_array, sp.dok_array])
def test_matrices_of_nothing(shape, form):
    A = form(shape)
    for solver in (konig.maximum_matching, konig.dulmage_mendelsohn, konig.block_triangular_form):
        solver(A).verify(A)


MASKED = np.ma.masked_array(PATTERN, mask=PATTERN > 0)
REFUSED = {
    "a number": (5, TypeError, "A must be a scipy.sparse matrix"),
    "no dimension": (np.array(1), ValueError, "two dimensions, not 0"),
    "no rows": ([], ValueError, "two dimensions, not 1"),
    "three dimensions": ([[[1]]], ValueError, "two dimensions, not 3"),
    "objects": (PATTERN.astype(object), TypeError, "numbers or booleans, not object"),
    "text": (PATTERN.astype(str), TypeError, "numbers or booleans, not <U"),
    "dates": (PATTERN.astype(int).astype("M8[s]"), TypeError, "numbers or booleans, not datetime"),
    "masked": (MASKED, ValueError, r"A\[0, 1\] is masked"),
    "masked pairs": ((np.ma.masked_array(ROWS, mask=ROWS > 2), COLS), ValueError, r"A: rows\[.*\] is masked"),
    "ids beyond 64 bits": (
        (np.array([2**64 - 1], np.uint64), np.array([0])),
        ValueError,
        "A: rows: 18446744073709551615 is too large",
    ),
    "boolean ids": ((ROWS > 0, COLS > 0), TypeError, "A: rows must be integers, not bool"),
    "null in a path": ("a\0b", ValueError, r"path 'a\\x00b'"),
}


@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.parametrize(
    "solver",
    [konig.maximum_matching, konig.structural_rank, konig.dulmage_mendelsohn, konig.block_triangular_form],
)
def test_what_is_no_matrix_is_refused_by_name(case, solver):
    A, error, message = REFUSED[case]
    with pytest.raises(error, match=message):
        solver(A)


@pytest.mark.parametrize("argument", ["initial", "matching"])
def test_partners_that_are_masked_or_ragged_are_refused(argument):
    solver = konig.maximum_matching if argument == "initial" else konig.block_triangular_form
    partners = konig.maximum_matching(PATTERN).col_of_row
    answer = solver(PATTERN, **{argument: np.ma.masked_array(partners, mask=False)})
    answer.verify(PATTERN)
    with pytest.raises(ValueError, match=rf"{argument}\[.\] is masked"):
        solver(PATTERN, **{argument: np.ma.masked_array(partners, mask=partners > 3)})
    with pytest.raises(ValueError, match=f"{argument} must be an array of integers"):
        solver(PATTERN, **{argument: [[1], [2, 3]]})


def test_a_flag_of_verify_is_checked():
    with pytest.raises(TypeError, match="drop_zeros must be True or False, not 'no'"):
        konig.maximum_matching(PATTERN).verify(PATTERN, drop_zeros="no")


@pytest.mark.parametrize("suffix", [".mtx", ".npz"])
def test_odd_matrices_are_written(tmp_path, suffix):
    path = tmp_path / f"odd Größe{suffix}"
    for odd in (PATTERN.astype(np.float16), PATTERN.astype(">f8"), np.asfortranarray(PATTERN)):
        io.write(path, odd)
        assert (io.read(path).toarray() == PATTERN).all()
    with pytest.raises(TypeError, match="matrix must hold numbers or booleans, not object"):
        io.write(path, PATTERN.astype(object))
    with pytest.raises(ValueError, match=r"matrix\[0, 1\] is masked"):
        io.write(path, MASKED)


def test_a_path_may_be_bytes(tmp_path):
    path = tmp_path / "größe.mtx"
    io.write(path, PATTERN)
    assert io.read(bytes(path)).nnz == len(ROWS)
    with pytest.raises(TypeError, match=r"network must be a konig\.io\.Network, not NoneType"):
        io.write_network(tmp_path / "n.max", None)
