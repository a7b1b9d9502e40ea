"""Matrices of CuPy, PyTorch and JAX: their index arrays without a copy, or all of them as SciPy's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import scipy.sparse as sp

from konig.interop.arrays import Place, is_jax_sparse, plain, to_numpy


@dataclass(frozen=True)
class ArrayMatrix:
    """A matrix as plain index arrays: NumPy's, or CuPy's on the GPU of its place.

    ``first`` and ``second`` are indptr and indices of a ``csr`` or ``csc``, rows and columns of a ``coo``.
    ``zeros`` gives the mask of the stored zeros; None where nothing is known to be zero.
    """

    kind: str
    first: Any
    second: Any
    shape: tuple[int, int] | None
    zeros: Callable[[], Any] | None = None

    def on_host(self) -> ArrayMatrix:
        zeros = self.zeros
        return replace(
            self,
            first=to_numpy(self.first),
            second=to_numpy(self.second),
            zeros=None if zeros is None else lambda: to_numpy(zeros()),
        )


def take_apart(A: Any, place: Place, shape: tuple[int, int] | None, name: str = "A") -> ArrayMatrix:
    """The index arrays of a matrix of another library; the place has been entered."""
    if isinstance(A, tuple):
        return ArrayMatrix("coo", plain(A[0], place), plain(A[1], place), shape)
    if shape is not None:
        raise TypeError(f"shape is only for a tuple (rows, cols); {name} has a shape of its own")
    parts = _sparse_parts(A, place, name)
    if parts is None:
        return _from_dense(A, place, name)
    kind, first, second, values = parts

    def zeros() -> Any:
        mask = values == 0
        # As bytes: not every library exports booleans.
        return plain(mask.byte() if place.library == "torch" else mask.astype("uint8"), place).astype(bool)

    return ArrayMatrix(kind, plain(first, place), plain(second, place), _extent(A), zeros)


def sparse_on_host(A: Any, place: Place, name: str = "A") -> Any:
    """The same matrix in SciPy's form, duplicates and stored zeros and all; None for what is not sparse."""
    if place.library == "cupy" and hasattr(A, "format"):
        return A.get()
    parts = _sparse_parts(A, place, name)
    if parts is None:
        return None
    kind, *arrays = parts
    first, second, values = map(to_numpy, arrays)
    if kind == "coo":
        return sp.coo_array((values, (first, second)), shape=tuple(A.shape))
    form = sp.csr_array if kind == "csr" else sp.csc_array
    return form((values, second, first), shape=tuple(A.shape))


def _sparse_parts(A: Any, place: Place, name: str) -> tuple[str, Any, Any, Any] | None:
    """The kind and the index arrays of a sparse matrix, as in `ArrayMatrix`, and its values."""
    if place.library == "cupy" and hasattr(A, "format"):
        return _cupy_parts(A, name)
    if place.library == "torch" and str(A.layout) != "torch.strided":
        return _torch_parts(A, name)
    if place.library == "jax" and is_jax_sparse(A):
        return _jax_parts(A, name)
    return None


def _cupy_parts(A: Any, name: str) -> tuple[str, Any, Any, Any]:
    _check_dimensions(A.shape, name)
    if A.format == "coo":
        return "coo", A.row, A.col, A.data
    if A.format not in ("csr", "csc"):
        A = A.tocsr()
    return str(A.format), A.indptr, A.indices, A.data


def _torch_parts(A: Any, name: str) -> tuple[str, Any, Any, Any]:
    layout = str(A.layout).removeprefix("torch.sparse_")
    if layout == "coo":
        _require_matrix(A.sparse_dim() == len(A.shape) == 2, A.shape, name)
        indices = A._indices()  # those of a tensor that is not coalesced, too
        return "coo", indices[0], indices[1], A._values()
    if layout not in ("csr", "csc"):
        raise TypeError(f"{name} must be a dense, COO, CSR or CSC tensor, not {A.layout}")
    values = A.values()
    _require_matrix(len(A.shape) == 2 and values.ndim == 1, A.shape, name)
    if layout == "csr":
        return layout, A.crow_indices(), A.col_indices(), values
    return layout, A.ccol_indices(), A.row_indices(), values


def _jax_parts(A: Any, name: str) -> tuple[str, Any, Any, Any]:
    unbatched = not getattr(A, "n_batch", 0) and not getattr(A, "n_dense", 0)
    _require_matrix(unbatched and len(A.shape) == 2, A.shape, name)
    kind = type(A).__name__.removeprefix("B").lower()
    if kind != "coo":
        return kind, A.indptr, A.indices, A.data
    rows, cols = (A.indices[:, 0], A.indices[:, 1]) if hasattr(A, "indices") else (A.row, A.col)
    # JAX fills up unused room with the indices just behind the last row and column.
    stored = (rows < A.shape[0]) | (cols < A.shape[1])
    if bool(stored.all()):
        return "coo", rows, cols, A.data
    return "coo", rows[stored], cols[stored], A.data[stored]


def _from_dense(A: Any, place: Place, name: str) -> ArrayMatrix:
    """The nonzeros of a dense matrix, found by its own library, which knows all its types."""
    if place.library not in ("torch", "jax"):
        A = plain(A, place)
    _check_dimensions(A.shape, name)
    if place.library == "torch":
        rows, cols = A.detach().nonzero(as_tuple=True)
    elif place.library != "jax" and A.dtype.kind not in "biufc":
        raise TypeError(f"{name} must hold numbers or booleans, not {A.dtype}")
    else:
        rows, cols = A.nonzero()
    return ArrayMatrix("coo", plain(rows, place), plain(cols, place), _extent(A))


def _check_dimensions(shape: Any, name: str) -> None:
    if len(shape) != 2:
        raise ValueError(f"{name} must have two dimensions, not {len(shape)}")


def _require_matrix(holds: bool, shape: Any, name: str) -> None:
    if not holds:
        raise ValueError(f"{name} must have two sparse dimensions and no others, not shape {tuple(shape)}")


def _extent(A: Any) -> tuple[int, int]:
    rows, cols = A.shape
    return int(rows), int(cols)
