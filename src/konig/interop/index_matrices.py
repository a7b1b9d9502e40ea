"""Matrices of CuPy, PyTorch and JAX taken apart into index arrays, without a copy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from konig.interop.arrays import Place, is_jax_sparse, plain, to_numpy


@dataclass(frozen=True)
class ArrayMatrix:
    """A matrix as plain index arrays: NumPy's, or CuPy's on the GPU of its place.

    ``first`` and ``second`` are indptr and indices of a ``csr`` or ``csc``, rows and columns of ``pairs``.
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
        return ArrayMatrix("pairs", plain(A[0], place), plain(A[1], place), shape)
    if shape is not None:
        raise TypeError(f"shape is only for a tuple (rows, cols); {name} has a shape of its own")
    if place.library == "cupy" and hasattr(A, "format"):
        return _from_cupy_sparse(A, name)
    if place.library == "torch" and str(A.layout) != "torch.strided":
        return _from_torch_sparse(A, place, name)
    if place.library == "jax" and is_jax_sparse(A):
        return _from_jax_sparse(A, place, name)
    return _from_dense(A, place, name)


def _from_cupy_sparse(A: Any, name: str) -> ArrayMatrix:
    _check_dimensions(A.shape, name)
    if A.format not in ("csr", "csc", "coo"):
        A = A.tocsr()
    arrays = (A.row, A.col) if A.format == "coo" else (A.indptr, A.indices)
    kind = "pairs" if A.format == "coo" else str(A.format)
    return ArrayMatrix(kind, *arrays, _extent(A), lambda: A.data == 0)


def _from_torch_sparse(A: Any, place: Place, name: str) -> ArrayMatrix:
    kind, first, second, values = torch_parts(A, name)

    def zeros() -> Any:
        import torch

        return plain((values.detach() == 0).view(torch.uint8), place).astype(bool)

    return ArrayMatrix(kind, plain(first, place), plain(second, place), _extent(A), zeros)


def torch_parts(A: Any, name: str) -> tuple[str, Any, Any, Any]:
    """The kind and the index arrays of a sparse tensor, as in `ArrayMatrix`, and its values."""
    layout = str(A.layout).removeprefix("torch.sparse_")
    if layout == "coo":
        _require_matrix(A.sparse_dim() == len(A.shape) == 2, A.shape, name)
        indices = A._indices()  # those of a tensor that is not coalesced, too
        return "pairs", indices[0], indices[1], A._values()
    if layout not in ("csr", "csc"):
        raise TypeError(f"{name} must be a dense, COO, CSR or CSC tensor, not {A.layout}")
    values = A.values()
    _require_matrix(len(A.shape) == 2 and values.ndim == 1, A.shape, name)
    if layout == "csr":
        return layout, A.crow_indices(), A.col_indices(), values
    return layout, A.ccol_indices(), A.row_indices(), values


def _from_jax_sparse(A: Any, place: Place, name: str) -> ArrayMatrix:
    kind, first, second, values = jax_parts(A, name)
    return ArrayMatrix(
        kind,
        plain(first, place),
        plain(second, place),
        _extent(A),
        lambda: plain((values == 0).astype("uint8"), place).astype(bool),
    )


def jax_parts(A: Any, name: str) -> tuple[str, Any, Any, Any]:
    """The same of a sparse matrix of JAX."""
    unbatched = not getattr(A, "n_batch", 0) and not getattr(A, "n_dense", 0)
    _require_matrix(unbatched and len(A.shape) == 2, A.shape, name)
    kind = type(A).__name__.removeprefix("B").lower()
    if kind != "coo":
        return kind, A.indptr, A.indices, A.data
    rows, cols = (A.indices[:, 0], A.indices[:, 1]) if hasattr(A, "indices") else (A.row, A.col)
    # JAX fills up unused room with the indices just behind the last row and column.
    stored = (rows < A.shape[0]) | (cols < A.shape[1])
    if bool(stored.all()):
        return "pairs", rows, cols, A.data
    return "pairs", rows[stored], cols[stored], A.data[stored]


def _from_dense(A: Any, place: Place, name: str) -> ArrayMatrix:
    """The nonzeros of a dense matrix, found by its own library, which knows all its types."""
    if place.library == "torch":
        _check_dimensions(A.shape, name)
        rows, cols = A.detach().nonzero(as_tuple=True)
    elif place.library == "jax":
        _check_dimensions(A.shape, name)
        rows, cols = A.nonzero()
    else:
        A = plain(A, place)
        _check_dimensions(A.shape, name)
        if A.dtype.kind not in "biufc":
            raise TypeError(f"{name} must hold numbers or booleans, not {A.dtype}")
        rows, cols = A.nonzero()
    return ArrayMatrix("pairs", plain(rows, place), plain(cols, place), _extent(A))


def _check_dimensions(shape: Any, name: str) -> None:
    if len(shape) != 2:
        raise ValueError(f"{name} must have two dimensions, not {len(shape)}")


def _require_matrix(holds: bool, shape: Any, name: str) -> None:
    if not holds:
        raise ValueError(f"{name} must have two sparse dimensions and no others, not shape {tuple(shape)}")


def _extent(A: Any) -> tuple[int, int]:
    rows, cols = A.shape
    return int(rows), int(cols)
