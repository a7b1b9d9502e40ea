"""Sparse matrices of CuPy, PyTorch and JAX, with their values, as matrices of SciPy on the host."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from konig.interop import arrays


def sparse_on_host(A: Any, place: arrays.Place, name: str = "A") -> Any:
    """The same matrix in SciPy's form, duplicates and stored zeros and all; None for what is not sparse."""
    if place.library == "cupy" and hasattr(A, "format"):
        return A.get()
    if place.library == "torch" and str(A.layout) != "torch.strided":
        return _of_torch(A.detach().cpu(), name)
    if place.library == "jax" and arrays.is_jax_sparse(A):
        return _of_jax(A, name)
    return None


def _of_torch(A: Any, name: str) -> Any:
    layout = str(A.layout).removeprefix("torch.sparse_")
    if layout == "coo":
        _require_matrix(A.sparse_dim() == len(A.shape) == 2, A.shape, name)
        rows, cols = A._indices().numpy()  # those of a tensor that is not coalesced, too
        return sp.coo_array((A._values().numpy(), (rows, cols)), shape=tuple(A.shape))
    _require_matrix(len(A.shape) == 2 and A.values().ndim == 1, A.shape, name)
    if layout == "csr":
        parts = A.values(), A.col_indices(), A.crow_indices()
        return sp.csr_array(tuple(part.numpy() for part in parts), shape=tuple(A.shape))
    if layout == "csc":
        parts = A.values(), A.row_indices(), A.ccol_indices()
        return sp.csc_array(tuple(part.numpy() for part in parts), shape=tuple(A.shape))
    raise TypeError(f"{name} must be a dense, COO, CSR or CSC tensor, not {A.layout}")


def _of_jax(A: Any, name: str) -> Any:
    plain = not getattr(A, "n_batch", 0) and not getattr(A, "n_dense", 0)
    _require_matrix(plain and len(A.shape) == 2, A.shape, name)
    kind, data = type(A).__name__.removeprefix("B").lower(), np.asarray(A.data)
    if kind == "coo":
        indices = np.asarray(A.indices).T if hasattr(A, "indices") else (np.asarray(A.row), np.asarray(A.col))
        # JAX fills up unused room with the indices just behind the last row and column.
        stored = (indices[0] < A.shape[0]) | (indices[1] < A.shape[1])
        return sp.coo_array((data[stored], (indices[0][stored], indices[1][stored])), shape=A.shape)
    form = sp.csr_array if kind == "csr" else sp.csc_array
    return form((data, np.asarray(A.indices), np.asarray(A.indptr)), shape=A.shape)


def _require_matrix(holds: bool, shape: Any, name: str) -> None:
    if not holds:
        raise ValueError(f"{name} must have two sparse dimensions and no others, not shape {tuple(shape)}")
