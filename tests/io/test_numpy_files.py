""".npy and .npz: what is read, and what is refused with which message."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest
import scipy.sparse

from konig.io import read


def archive(**arrays) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def dense(array, **options) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, **options)
    return stream.getvalue()


def pattern(**changes) -> dict:
    """A 2 by 3 matrix in compressed rows, as `scipy.sparse.save_npz` lays it out."""
    arrays = {
        "format": b"csr",
        "shape": [2, 3],
        "indptr": [0, 2, 3],
        "indices": [0, 2, 1],
        "data": [1.0, 0.0, 3.0],
    }
    return {key: value for key, value in {**arrays, **changes}.items() if value is not None}


@pytest.mark.parametrize("layout", ["coo", "csr", "csc", "bsr", "dia"])
@pytest.mark.parametrize("compressed", [True, False])
def test_saved_sparse_matrices(tmp_path, layout, compressed):
    random = np.random.default_rng(1)
    matrix = scipy.sparse.random_array((12, 18), density=0.2, rng=random).asformat(layout)
    scipy.sparse.save_npz(tmp_path / "a.npz", matrix, compressed=compressed)
    np.testing.assert_array_equal(read(tmp_path / "a.npz").toarray(), matrix.toarray())


def test_diagonals_may_stick_out(saved):
    data = np.arange(1, 16).reshape(3, 5)
    arrays = {"format": b"dia", "shape": [2, 4], "offsets": [-1, 2, 99], "data": data}
    expected = scipy.sparse.dia_array((data[:2], [-1, 2]), shape=(2, 4)).toarray()
    np.testing.assert_array_equal(read(saved(archive(**arrays), "a.npz")).toarray(), expected)


def test_a_shape_that_lies_costs_nothing(saved):
    arrays = {"format": b"dia", "shape": [2**40, 2**40], "offsets": [0], "data": np.ones((1, 2))}
    assert read(saved(archive(**arrays), "a.npz")).nnz == 2


@pytest.mark.parametrize("layout", ["csr", "csc", "coo"])
def test_saved_zeros_and_duplicates_stay(tmp_path, layout):
    arrays = {
        "csr": ([1.0, 2.0, 0.0], [1, 1, 0], [0, 2, 3]),
        "csc": ([1.0, 2.0, 0.0], [0, 0, 1], [0, 0, 2, 3]),
        "coo": ([1.0, 2.0, 0.0], ([0, 0, 1], [1, 1, 2])),
    }[layout]
    matrix = getattr(scipy.sparse, f"{layout}_array")(arrays, shape=(2, 3))
    scipy.sparse.save_npz(tmp_path / "a.npz", matrix)
    assert sorted(read(tmp_path / "a.npz").data.tolist()) == [0.0, 1.0, 2.0]


def test_index_arrays_without_and_with_shape_and_data(saved):
    pairs = read(saved(archive(rows=[0, 4, 4], cols=[1, 0, 0]), "a.npz"))
    assert (pairs.shape, pairs.nnz, pairs.dtype) == ((5, 2), 3, np.int8)
    assert pairs.row.dtype == np.int32
    weighted = read(saved(archive(rows=[0], cols=[1], shape=[7, 8], data=[0.5]), "a.npz"))
    assert (weighted.shape, weighted.data.tolist()) == ((7, 8), [0.5])
    empty = np.empty(0, dtype=np.int32)
    assert read(saved(archive(rows=empty, cols=empty), "a.npz")).shape == (0, 0)


def test_indices_beyond_32_bits(saved):
    matrix = read(saved(archive(rows=[2**40], cols=np.array([3], dtype=np.uint64)), "a.npz"))
    assert matrix.row.tolist() == [2**40]
    assert matrix.row.dtype == matrix.col.dtype == np.int64


@pytest.mark.parametrize("dtype", ["?", "i1", "u8", "<f2", ">f4", ">i8", "f8", "g", "c8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_dense_matrices_of_every_type(saved, dtype, order):
    matrix = np.array([[0, 1, 0], [1, 0, 1]]).astype(dtype, order=order)
    for content, name in ((dense(matrix), "a.npy"), (archive(anything=matrix), "a.npz")):
        result = read(saved(content, name))
        np.testing.assert_array_equal(result.toarray(), matrix)
        assert result.nnz == 3


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0)])
def test_dense_matrices_without_entries(saved, shape):
    assert read(saved(dense(np.zeros(shape)), "a.npy")).shape == shape


def header(shape, descr="'<f8'") -> bytes:
    text = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}".encode()
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


REFUSED_DENSE = {
    "three dimensions": (dense(np.zeros((1, 2, 3))), "3 dimensions"),
    "one dimension": (dense(np.zeros(3)), "1 dimensions"),
    "objects": (dense(np.array([[None]]), allow_pickle=True), "expected numbers"),
    "strings": (dense(np.array([["a"]])), "expected numbers"),
    "dates": (dense(np.array([["2020-01-01"]], dtype="M8[D]")), "expected numbers"),
    "records": (dense(np.zeros((1, 1), dtype="i4,i4")), "expected numbers"),
    "cut short": (dense(np.ones((4, 4)))[:-1], "ends after 127 of 128 bytes"),
    "bytes left over": (dense(np.ones((4, 4))) + b"x", "followed by bytes"),
    "cut in the header": (dense(np.ones((4, 4)))[:20], "no valid .npy header"),
    "absurd size": (header("(1000000000, 1000000000)"), f"ends after 0 of {8 * 10**18} bytes"),
    "negative size": (header("(-1, 1)"), "shape (-1, 1)"),
    "deep header": (header("(" * 3000), "no valid .npy header"),
    "future version": (b"\x93NUMPY\x09\x00" + b"\0" * 80, "no valid .npy header"),
    "text": (b"1 2\n", "no valid .npy header"),
}


@pytest.mark.parametrize(("content", "message"), REFUSED_DENSE.values(), ids=REFUSED_DENSE)
def test_unusable_arrays_are_refused(refused, content, message):
    assert message in str(refused(content, "a.npy", line=None))


REFUSED_ARCHIVES = {
    "no zip": (b"PK\x03\x04 nothing", "not a readable .npz archive"),
    "empty zip": (b"PK\x05\x06" + bytes(18), "found none"),
    "several arrays": (archive(a=np.eye(2), b=np.eye(2)), "found a, b"),
    "rows alone": (archive(rows=[1], shape=[2, 2]), "found rows, shape"),
    "lengths": (archive(rows=[0, 1], cols=[0]), "the lengths differ: 2 rows, 1 columns"),
    "data length": (archive(rows=[0], cols=[0], data=[1, 2]), "the lengths differ"),
    "negative": (archive(rows=[0, -1], cols=[0, 0]), "'rows'[1] is -1"),
    "beyond the shape": (
        archive(rows=[0, 0], cols=[0, 9], shape=[2, 3]),
        "'cols'[1] is 9, expected less than 3",
    ),
    "fractions": (archive(rows=[0.5], cols=[0]), "expected a list of integers"),
    "too large": (archive(rows=[2**63 - 1], cols=[0]), "not an index"),
    "short shape": (archive(rows=[0], cols=[0], shape=[3]), "'shape' has 1 numbers, expected 2"),
    "pickle": (archive(rows=np.array([None]), cols=[0]), "expected numbers"),
    "unknown layout": (archive(**pattern(format=b"lil")), "unknown format 'lil'"),
    "layout no string": (archive(**pattern(format=[1])), "unknown format"),
    "missing array": (archive(**pattern(indices=None)), "without the array 'indices'"),
    "rows not divided": (archive(**pattern(indptr=[0, 2])), "'indptr' does not divide"),
    "falling starts": (archive(**pattern(indptr=[0, 4, 3])), "'indptr' does not divide"),
    "wrong start": (archive(**pattern(indptr=[1, 2, 3])), "'indptr' does not divide"),
    "wrong end": (archive(**pattern(indptr=[0, 2, 2**40])), "'indptr' does not divide"),
    "column beyond": (archive(**pattern(indices=[0, 2, 3])), "'indices'[2] is 3, expected less than 3"),
    "flat shape": (archive(**pattern(format=b"csc", shape=6)), "'shape' has type"),
    "blocks": (archive(**pattern(format=b"bsr", data=np.ones((3, 2, 2)))), "do not divide a matrix"),
    "number of blocks": (archive(**pattern(format=b"bsr", data=np.ones((2, 1, 1)))), "2 blocks, 3 indices"),
    "block beyond": (
        archive(**pattern(format=b"bsr", data=np.ones((3, 1, 1)), indices=[0, 2, 99])),
        "'indices'[2] is 99, expected less than 3",
    ),
    "diagonals": (
        archive(**pattern(format=b"dia", offsets=[0, 0], data=np.ones((2, 3)))),
        "a diagonal twice",
    ),
    "offsets": (archive(**pattern(format=b"dia", offsets=[0.5], data=np.ones((1, 3)))), "'offsets' has type"),
}


@pytest.mark.parametrize(("content", "message"), REFUSED_ARCHIVES.values(), ids=REFUSED_ARCHIVES)
def test_unusable_archives_are_refused(refused, content, message):
    assert message in str(refused(content, "a.npz", line=None))


def test_damage_inside_an_archive_is_noticed(refused):
    content = bytearray(archive(array=np.ones((5, 5))))
    content[content.index(np.float64(1).tobytes()) + 30] ^= 1
    assert "not a readable .npz archive" in str(refused(bytes(content), "a.npz", line=None))


def test_members_that_are_no_arrays_are_passed_over(saved):
    stream = io.BytesIO(archive(matrix=np.eye(2)))
    with zipfile.ZipFile(stream, "a") as extended:
        extended.writestr("README", "not an array")
    assert read(saved(stream.getvalue(), "a.npz")).nnz == 2
