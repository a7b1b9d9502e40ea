"""Patterns of matrices in files, for caches."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy import sparse

from konig.lab.suites import write_whole


def save(path: Path, matrix: sparse.csr_array) -> None:
    """Keep a pattern; whoever looks finds a whole file or none."""
    arrays = {"indptr": matrix.indptr, "indices": matrix.indices, "shape": np.array(matrix.shape)}
    write_whole(path, arrays)


def load(path: Path) -> sparse.csr_array:
    """The pattern of a file, as ones."""
    with np.load(path) as arrays:
        indptr, indices, shape = arrays["indptr"], arrays["indices"], tuple(arrays["shape"].tolist())
    return sparse.csr_array((np.ones(len(indices), np.int8), indices, indptr), shape=shape)
