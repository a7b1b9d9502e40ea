"""Sparse costs of other libraries, played by classes that look like theirs."""

import sys
import types

import numpy as np
import pytest
import scipy.sparse as sp

import konig
from konig.interop import arrays
from konig.interop.index_matrices import sparse_on_host

# A stored zero and a pair that is listed twice.
ROWS, COLS, VALUES = (
    np.array([0, 0, 1, 1, 2, 2, 2]),
    np.array([0, 1, 1, 2, 0, 0, 2]),
    np.array([5, 0, 2, 7, 1, 3, 4]),
)
COO = sp.coo_array((VALUES.astype(float), (ROWS, COLS)), shape=(3, 3))
BEST = konig.linear_assignment(COO)


class Tensor:
    """What is used of a tensor."""

    def __init__(self, array):
        self.array, self.ndim = array, array.ndim

    def __getitem__(self, k):
        return Tensor(self.array[k])

    def detach(self):
        return self

    def cpu(self):
        return self

    def numpy(self):
        return self.array


Tensor.__module__ = "torch"


class SparseTensor:
    """What is used of a sparse tensor; its parts are on the host."""

    def __init__(self, matrix, layout):
        self.matrix, self.shape, self.layout = matrix, matrix.shape, f"torch.sparse_{layout}"
        self.device = types.SimpleNamespace(type="cpu", index=None)

    def sparse_dim(self):
        return 2

    def _indices(self):
        return Tensor(np.array([self.matrix.row, self.matrix.col]))

    def values(self):
        return Tensor(self.matrix.data)

    _values = values

    def col_indices(self):
        return Tensor(self.matrix.indices)

    def crow_indices(self):
        return Tensor(self.matrix.indptr)

    row_indices, ccol_indices = col_indices, crow_indices


SparseTensor.__module__ = "torch.sparse"


@pytest.fixture
def torch(monkeypatch):
    """A module that gives arrays back as they are."""
    module = types.ModuleType("torch")
    module.from_numpy = lambda array: array
    monkeypatch.setitem(sys.modules, "torch", module)


@pytest.mark.parametrize("layout", ["coo", "csr", "csc"])
def test_sparse_tensors_are_solved_and_verified(torch, layout):
    tensor = SparseTensor(COO.asformat(layout), layout)
    a = konig.linear_assignment(tensor)
    assert (a.cost, a.device, a.place.library) == (BEST.cost, "cpu", "torch")
    a.verify(tensor)
    a.verify(COO)
    with pytest.raises(ValueError, match="sparse costs are solved on the CPU"):
        konig.linear_assignment(tensor, device="cuda")


def test_other_layouts_and_shapes_are_refused(torch):
    with pytest.raises(TypeError, match="C must be a dense, COO, CSR or CSC tensor"):
        konig.linear_assignment(SparseTensor(COO.tocsr(), "bsr"))
    hybrid = SparseTensor(COO, "coo")
    hybrid.shape = (3, 3, 2)
    with pytest.raises(ValueError, match="C must have two sparse dimensions and no others, not shape"):
        konig.linear_assignment(hybrid)


def test_sparse_matrices_of_jax_lose_their_padding():
    jax = arrays.Place("jax")
    indices = np.append(np.stack([ROWS, COLS], axis=1), [[3, 3]], axis=0)
    parts = {"shape": (3, 3), "data": np.append(VALUES, 0), "indices": indices, "n_batch": 0, "n_dense": 0}
    found = sparse_on_host(type("BCOO", (), parts)(), jax)
    assert found.nnz == len(VALUES)
    assert (found.toarray() == COO.toarray()).all()
    csr = COO.tocsr()
    parts = {"shape": (3, 3), "data": csr.data, "indices": csr.indices, "indptr": csr.indptr}
    assert (sparse_on_host(type("BCSR", (), parts)(), jax).toarray() == COO.toarray()).all()
    with pytest.raises(ValueError, match="two sparse dimensions"):
        sparse_on_host(type("BCSR", (), parts | {"n_batch": 1})(), jax)


def test_sparse_matrices_of_cupy_come_to_the_host():
    matrix = type("csr_matrix", (), {"format": "csr", "get": lambda self: COO.tocsr()})()
    assert sparse_on_host(matrix, arrays.Place("cupy", 0)).nnz == 6


def test_dense_arrays_are_not_sparse():
    assert sparse_on_host(np.eye(3), arrays.HOST) is None


@pytest.mark.parametrize("method", ["auto", "jv"])
def test_a_gpu_is_refused_for_sparse_costs(method):
    with pytest.raises(
        ValueError, match=r"device='cuda:1': sparse costs are solved on the CPU.*'auto' or 'cpu'"
    ):
        konig.linear_assignment(COO, method=method, device="cuda:1")
