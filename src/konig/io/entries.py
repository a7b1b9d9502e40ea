"""Gathering the entries that a reader finds into one sparse array."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import coo_array

Array = np.ndarray[Any, Any]


class Entries:
    """Rows, columns and values, piece by piece, in file order. Entries without a value get a one."""

    def __init__(self) -> None:
        self.count = 0
        self._rows: list[Array] = []
        self._cols: list[Array] = []
        self._values: list[Array] = []

    def append(self, rows: Array, cols: Array, values: Array | None) -> None:
        """Take over one piece; indices count from 0."""
        self.count += rows.size
        self._rows.append(_narrowed(rows))
        self._cols.append(_narrowed(cols))
        self._values.append(np.ones(rows.size, dtype=np.int8) if values is None else values)

    def joined(self) -> tuple[Array, Array, Array]:
        """All pieces as three arrays. The pieces are given up on the way, to save memory."""
        return _joined(self._rows, np.int32), _joined(self._cols, np.int32), _joined(self._values, np.int8)


def sparse(rows: Array, cols: Array, values: Array, shape: tuple[int, int]) -> coo_array:
    """The entries as they are: duplicates and zeros stay; 32-bit indices where the shape allows."""
    index_type = np.int32 if max(shape) <= np.iinfo(np.int32).max else np.int64
    rows, cols = rows.astype(index_type, copy=False), cols.astype(index_type, copy=False)
    return coo_array((values, (rows, cols)), shape=shape)


def mirrored(rows: Array, cols: Array, values: Array, symmetry: str) -> tuple[Array, Array, Array]:
    """The entries, then those off the diagonal transposed: negated if skew, conjugated if hermitian."""
    off = rows != cols
    reflected = values[off]
    if symmetry == "skew-symmetric":
        reflected = -reflected
    elif symmetry == "hermitian":
        reflected = reflected.conj()
    return (
        np.concatenate((rows, cols[off])),
        np.concatenate((cols, rows[off])),
        np.concatenate((values, reflected)),
    )


def _narrowed(indices: Array) -> Array:
    if indices.size == 0 or indices.max() <= np.iinfo(np.int32).max:
        return indices.astype(np.int32, copy=False)
    return indices.astype(np.int64, copy=False)


def _joined(pieces: list[Array], type_when_empty: type) -> Array:
    whole = np.concatenate(pieces) if pieces else np.empty(0, dtype=type_when_empty)
    pieces.clear()
    return whole
