"""Matrices on a GPU, for the tests of what happens to them."""

import numpy as np
import pytest
import scipy.sparse as sp

import konig

cupy = pytest.importorskip("cupy")
cupyx_sparse = pytest.importorskip("cupyx.scipy.sparse")


def matrix(rows=300, cols=260, density=0.01, seed=1):
    return sp.random_array((rows, cols), density=density, rng=np.random.default_rng(seed), format="csr")


A = matrix()
SIZE = konig.maximum_matching(A).size


def on_cupy(B):
    csr, csc, coo = B.tocsr(), B.tocsc(), B.tocoo()
    yield "csr", cupyx_sparse.csr_matrix(csr)
    yield "csc", cupyx_sparse.csc_matrix(csc)
    yield "coo", cupyx_sparse.coo_matrix(coo)
    yield "dense", cupy.asarray(B.toarray())
    yield "boolean", cupy.asarray(B.toarray() != 0)
