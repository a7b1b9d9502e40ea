"""Costs of assignment problems in files: `konig.io.read_costs` and `konig.io.write_costs`."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import IO, Any, TypeAlias

import numpy as np
from scipy.sparse import coo_array, issparse, save_npz

from konig.io import compression, dimacs, konect, matrix_market, numpy_files, orlib, snap
from konig.io.entries import Array, sparse

Costs: TypeAlias = Array | coo_array

READERS: dict[str, Callable[[compression.Source], Costs]] = {
    "mtx": matrix_market.read_costs,
    "npz": numpy_files.read_npz_costs,
    "npy": numpy_files.read_npy_costs,
    "asn": dimacs.read_costs,
    "orlib": orlib.read,
    "snap": snap.read,
    "konect": konect.read,
}
_TEXTS = tuple(kind + packed for kind in (".mtx", ".asn") for packed in ("", *compression.SUFFIXES))
SUFFIXES = (".npy", ".npz", *_TEXTS)
_NUMBER_TYPES = "?bhilqBHILQefd"


def write(path: str | os.PathLike[str], costs: Any) -> None:
    """Write costs as the suffix says; see `konig.io.write_costs`."""
    name = os.fspath(path).lower()
    if not name.endswith(SUFFIXES):
        raise ValueError(f"path must end in {', '.join(SUFFIXES)}: {os.fspath(path)!r}")
    kind = compression.strip_suffix(name)[-4:]
    costs = costs.tocoo() if issparse(costs) else np.asarray(costs)
    if costs.ndim != 2:
        raise ValueError(f"costs must have two dimensions, not {costs.ndim}")
    if costs.dtype.char not in _NUMBER_TYPES:
        raise TypeError(f"costs must be real numbers, not {costs.dtype}")
    if costs.dtype == np.bool_ and issparse(costs):
        # The matrix's own astype would add up duplicates.
        costs = sparse(costs.row, costs.col, costs.data.astype(np.int8), costs.shape)
    elif costs.dtype == np.bool_:
        costs = costs.astype(np.int8)
    with compression.open_for_writing(path) as stream:
        (_SPARSE if issparse(costs) else _DENSE)[kind](stream, costs)


def _save_with_infinity(stream: IO[bytes], costs: coo_array) -> None:
    whole = costs.tocsr().tocoo()
    dense = np.full(costs.shape, np.inf, dtype=np.result_type(costs.dtype, np.float32))
    dense[whole.row, whole.col] = whole.data
    np.save(stream, dense)


def _write_finite(stream: IO[bytes], costs: Array) -> None:
    rows, cols = np.nonzero(np.isfinite(costs))
    dimacs.write_costs(stream, coo_array((costs[rows, cols], (rows, cols)), shape=costs.shape))


_SPARSE: dict[str, Callable[[Any, Any], None]] = {
    ".npy": _save_with_infinity,
    ".npz": save_npz,
    ".mtx": matrix_market.write,
    ".asn": dimacs.write_costs,
}
_DENSE: dict[str, Callable[[Any, Any], None]] = {
    ".npy": np.save,
    ".npz": lambda stream, costs: np.savez(stream, costs=costs),
    ".mtx": matrix_market.write_dense,
    ".asn": _write_finite,
}
