"""Costs of assignment problems in files: `konig.io.read_costs` and `konig.io.write_costs`."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import IO, Any, TypeAlias

import numpy as np
from scipy.sparse import coo_array, issparse, save_npz

from konig.io import compression, dimacs_assignment, konect, matrix_market, numpy_files, orlib, snap
from konig.io.entries import Array

Costs: TypeAlias = Array | coo_array

READERS: dict[str, Callable[[compression.Source], Costs]] = {
    "mtx": matrix_market.read_costs,
    "npz": numpy_files.read_npz_costs,
    "npy": numpy_files.read_npy_costs,
    "asn": dimacs_assignment.read,
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
    with compression.open_for_writing(path) as stream:
        (_write_sparse if issparse(costs) else _write_dense)(stream, costs, kind)


def _write_sparse(stream: IO[bytes], costs: coo_array, kind: str) -> None:
    if costs.dtype == np.bool_:
        costs = coo_array((costs.data.astype(np.int8), (costs.row, costs.col)), shape=costs.shape)
    if kind == ".npy":
        whole = costs.tocsr().tocoo()
        dense = np.full(costs.shape, np.inf, dtype=np.result_type(costs.dtype, np.float32))
        dense[whole.row, whole.col] = whole.data
        np.save(stream, dense)
    elif kind == ".npz":
        save_npz(stream, costs)
    elif kind == ".mtx":
        matrix_market.write(stream, costs)
    else:
        dimacs_assignment.write(stream, costs)


def _write_dense(stream: IO[bytes], costs: Array, kind: str) -> None:
    if costs.dtype == np.bool_:
        costs = costs.astype(np.int8)
    if kind == ".npy":
        np.save(stream, costs)
    elif kind == ".npz":
        np.savez(stream, costs=costs)
    elif kind == ".mtx":
        matrix_market.write_dense(stream, costs)
    else:
        rows, cols = np.nonzero(np.isfinite(costs))
        dimacs_assignment.write(stream, coo_array((costs[rows, cols], (rows, cols)), shape=costs.shape))
