"""Sparse matrices of CuPy, PyTorch and JAX, with their values, as matrices of SciPy on the host."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from konig.interop import arrays
from konig.interop.index_matrices import jax_parts, torch_parts


def sparse_on_host(A: Any, place: arrays.Place, name: str = "A") -> Any:
    """The same matrix in SciPy's form, duplicates and stored zeros and all; None for what is not sparse."""
    if place.library == "cupy" and hasattr(A, "format"):
        return A.get()
    if place.library == "torch" and str(A.layout) != "torch.strided":
        kind, *parts = torch_parts(A.detach().cpu(), name)
        first, second, values = (part.numpy() for part in parts)
    elif place.library == "jax" and arrays.is_jax_sparse(A):
        kind, *parts = jax_parts(A, name)
        first, second, values = (np.asarray(part) for part in parts)
    else:
        return None
    if kind == "pairs":
        return sp.coo_array((values, (first, second)), shape=tuple(A.shape))
    form = sp.csr_array if kind == "csr" else sp.csc_array
    return form((values, second, first), shape=tuple(A.shape))
