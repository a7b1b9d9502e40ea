"""What files are read into: sparse arrays of entries in file order, and networks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import coo_array

Array = np.ndarray[Any, Any]


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


@dataclass(frozen=True, eq=False)
class Network:
    """Arcs with capacities; parallel arcs, antiparallel arcs and loops as they come.

    Attributes
    ----------
    tail, head : array of int
        Where each arc begins and ends; vertices count from 0.
    capacity : array
    num_vertices : int
    source, sink : int or None
        The terminals; None where none are named.

    Examples
    --------
    >>> import numpy as np, konig
    >>> from konig.io import Network
    >>> net = Network(np.array([0, 1]), np.array([1, 2]), np.array([5, 3]), 3, 0, 2)
    >>> konig.maximum_flow(net.arcs, net.source, net.sink).value
    3
    """

    tail: Array
    head: Array
    capacity: Array
    num_vertices: int
    source: int | None = None
    sink: int | None = None

    @property
    def arcs(self) -> tuple[Array, Array, Array]:
        """What `konig.maximum_flow` takes."""
        return self.tail, self.head, self.capacity

    @property
    def num_arcs(self) -> int:
        return len(self.tail)

    def matrix(self) -> coo_array:
        """The capacities as a square matrix, an entry for each arc in order."""
        return sparse(self.tail, self.head, self.capacity, (self.num_vertices, self.num_vertices))
