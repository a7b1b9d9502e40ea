"""What is written comes back as it was."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.io._fast_matrix_market as mmio_settings
from scipy.sparse import coo_array, coo_matrix, csr_array

from konig.io import read, write

SUFFIXES = [".mtx", ".mtx.gz", ".mtx.xz", ".mtx.bz2", ".npz"]


def assert_same_entries(ours: coo_array, theirs: coo_array) -> None:
    assert ours.shape == theirs.shape
    for name in ("row", "col", "data"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    "data",
    [
        np.ones(4, dtype=np.int8),
        np.ones(4, dtype=bool),
        np.array([1, 0, 1, 1], dtype=bool),
        np.array([-(2**63), 0, 3, 2**63 - 1]),
        np.array([0, 2**64 - 1, 1, 1], dtype=np.uint64),
        np.array([0.1, -1e-320, np.inf, np.nan]),
        np.array([0, 0.1, 3, 4], dtype=np.longdouble).astype(float).astype(np.longdouble),
        np.array([1, 2j, 0, -0.5]),
    ],
    ids=lambda data: data.dtype.name,
)
def test_round_trip_keeps_zeros_and_duplicates(tmp_path, suffix, data):
    matrix = coo_array((data, ([2, 0, 0, 1], [1, 3, 3, 0])), shape=(3, 4))
    write(tmp_path / f"a{suffix}", matrix)
    assert matrix.row.tolist() == [2, 0, 0, 1], "the input was modified"
    assert_same_entries(read(tmp_path / f"a{suffix}"), matrix)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0), (3, 3)])
def test_round_trip_without_entries(tmp_path, suffix, shape):
    write(tmp_path / f"a{suffix}", coo_array(shape))
    result = read(tmp_path / f"a{suffix}")
    assert (result.shape, result.nnz) == (shape, 0)


@pytest.mark.parametrize("convert", [np.asarray, csr_array, coo_matrix, np.ndarray.tolist])
def test_anything_that_is_a_matrix_can_be_written(tmp_path, convert):
    write(tmp_path / "a.mtx", convert(np.array([[1, 2], [2, 1]])))
    assert read(tmp_path / "a.mtx").toarray().tolist() == [[1, 2], [2, 1]]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_64_bit_indices(tmp_path, suffix):
    matrix = coo_array(([5], ([2**40], [1])), shape=(2**41, 2))
    write(tmp_path / f"a{suffix}", matrix)
    assert_same_entries(read(tmp_path / f"a{suffix}"), matrix)


def test_pattern_has_no_values_in_the_file(tmp_path):
    write(tmp_path / "a.mtx", coo_array(np.eye(2, dtype=np.int8)))
    assert (tmp_path / "a.mtx").read_text().splitlines()[0].split()[3] == "pattern"


@pytest.mark.parametrize("suffix", [".mtx.gz", ".mtx.xz"])
def test_same_matrix_gives_the_same_bytes(tmp_path, suffix):
    for name in ("one", "two"):
        write(tmp_path / f"{name}{suffix}", np.eye(3))
    assert (tmp_path / f"one{suffix}").read_bytes() == (tmp_path / f"two{suffix}").read_bytes()


def test_unknown_suffix_leaves_no_file(tmp_path):
    with pytest.raises(ValueError, match=r"path must end in \.mtx"):
        write(tmp_path / "a.csv", np.eye(2))
    with pytest.raises(ValueError, match=r"path must end in \.mtx"):
        write(tmp_path / "a.npz.gz", np.eye(2))
    assert not list(tmp_path.iterdir())


def test_one_dimension_is_not_a_matrix(tmp_path):
    with pytest.raises(ValueError, match="matrix must have two dimensions"):
        write(tmp_path / "a.mtx", coo_array([1, 2, 3]))


def test_the_settings_of_mmwrite_are_put_back(tmp_path):
    before = mmio_settings.PARALLELISM
    write(tmp_path / "a.mtx", np.eye(2))
    assert before == mmio_settings.PARALLELISM
