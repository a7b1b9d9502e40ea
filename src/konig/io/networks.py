"""A network as files and generators give it: arcs in order, capacities, and the terminals if named."""

from __future__ import annotations

from dataclasses import dataclass

from scipy.sparse import coo_array

from konig.io.entries import Array, sparse


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
