"""The containers on a GPU: compressed lists that are made, checked and transposed where they live.

Everything here is written for ``xp``, which is CuPy; NumPy serves as well, so tests need no GPU. Sorting does
what the native loops do on the host, so lists come out in increasing order and always the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from konig.matching.inputs import Adjacency, BipartiteGraph, HostArrays

# Bytes an entry takes while pairs are sorted: the keys, and as many again for the sort or the owners twice.
SORTING_BYTES = 24
KEY_LIMIT = 2**62


@dataclass(frozen=True)
class DeviceAdjacency(Adjacency):
    """Compressed lists whose arrays are those of ``xp``."""

    xp: Any
    on_gpu = True

    def transposed(self, others: int, threads: int | None = 1) -> DeviceAdjacency:
        ids, offsets = self.neighbour.dtype, self.start.dtype
        return compressed(self.xp, self.neighbour, self.endpoints()[0], others, self.vertices, ids, offsets)


class DeviceArrays(HostArrays):
    """What it takes to make a graph on a GPU.

    ``require(needed, rows, cols, entries)`` is asked before memory is; it raises MemoryError. ``look(start,
    neighbour, minor)`` is where sound lists end, or None.
    """

    def __init__(self, xp: Any, require: Any = None, look: Any = None):
        self.xp = xp
        self.require = require
        self.look = look

    def end_of_sound_lists(self, start: Any, neighbour: Any, minor: int) -> int | None:
        return None if self.look is None else self.look(start, neighbour, minor)

    def first_out_of_range(self, values: Any, bound: int) -> int:
        if len(values) == 0 or (int(values.min()) >= 0 and int(values.max()) < bound):
            return -1
        wrong = values < 0
        if bound <= np.iinfo(values.dtype).max:
            wrong |= values >= bound
        return int(wrong.argmax())

    def first_decrease(self, start: Any) -> int:
        falls = start[1:] < start[:-1]
        return int(falls.argmax()) + 1 if bool(falls.any()) else -1

    def from_lists(self, rows: int, cols: int, of_row: Any = None, of_col: Any = None) -> BipartiteGraph:
        of_row, of_col = (
            None if lists is None else DeviceAdjacency(lists[0], lists[1], self.xp, borrowed=True)
            for lists in (of_row, of_col)
        )
        return BipartiteGraph(rows, cols, of_row, of_col)

    def from_pairs(
        self, row_ids: Any, col_ids: Any, rows: int, cols: int, ids_type: Any, offsets_type: Any
    ) -> BipartiteGraph:
        """Pairs become the lists of the columns, which is what the solvers on a GPU read."""
        if self.require is not None:
            entries, id_bytes = len(row_ids), np.dtype(ids_type).itemsize
            lists = lists_bytes(cols, entries, id_bytes, np.dtype(offsets_type).itemsize)
            needed = entries * SORTING_BYTES + lists + workspace_bytes(rows, cols, entries, id_bytes)
            self.require(needed, rows, cols, entries)
        of_col = compressed(self.xp, col_ids, row_ids, cols, rows, ids_type, offsets_type)
        return BipartiteGraph(rows, cols, None, of_col)


def compressed(
    xp: Any, major: Any, minor: Any, majors: int, minors: int, ids_type: Any, offsets_type: Any
) -> DeviceAdjacency:
    """The lists of the major vertices, each in increasing order; the pairs are in range."""
    if len(major) == 0:
        return DeviceAdjacency(xp.zeros(majors + 1, offsets_type), xp.zeros(0, ids_type), xp)
    if majors * minors < KEY_LIMIT:
        keys = major.astype(np.int64)
        keys *= minors
        keys += minor
        keys.sort()
        start = xp.searchsorted(keys, xp.arange(majors + 1, dtype=np.int64) * minors)
        keys %= minors
        neighbour = keys
    else:
        order = xp.argsort(minor, kind="stable")
        order = order[xp.argsort(major[order], kind="stable")]
        start = xp.searchsorted(major[order], xp.arange(majors + 1, dtype=major.dtype))
        neighbour = minor[order]
    return DeviceAdjacency(start.astype(offsets_type), neighbour.astype(ids_type), xp)


def lists_bytes(vertices: int, entries: int, id_bytes: int, offset_bytes: int) -> int:
    """What compressed lists take."""
    return (vertices + 1) * offset_bytes + entries * id_bytes


def workspace_bytes(rows: int, cols: int, entries: int, id_bytes: int) -> int:
    """A bound on what a solve takes beside the lists, for whichever method takes most."""
    return (12 * rows + 20 * cols + entries // 8) * id_bytes
