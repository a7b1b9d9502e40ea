"""Real matrices, where a folder with them is at hand: `KONIG_DATA`, or ``shared/data`` beside the project."""

from __future__ import annotations

import pytest
from cases.data import RealMatrix, needs_data, real_matrices

from konig.io import read

pytestmark = needs_data


def market_files() -> list[RealMatrix]:
    return [matrix for matrix in real_matrices() if matrix.path.name.endswith(".mtx.xz")]


def assert_size_is_as_listed(real: RealMatrix) -> None:
    matrix = read(real.path)
    assert (*matrix.shape, matrix.nnz) == (real.rows, real.cols, real.entries), real.path


def test_small_files_have_their_listed_size():
    files = sorted(market_files(), key=lambda real: real.entries)
    for real in files[:: max(1, len(files) // 20)][:12]:
        assert_size_is_as_listed(real)


@pytest.mark.long
def test_all_files_have_their_listed_size():
    for real in market_files():
        assert_size_is_as_listed(real)
