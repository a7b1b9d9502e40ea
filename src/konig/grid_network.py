"""The container for grids: capacities by pixel and direction, and their arcs when someone needs them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from konig.capacities import Capacities
from konig.interop.arrays import to_numpy

_FIRST_HALF = {
    4: ((0, 1), (1, 0)),
    8: ((0, 1), (1, 0), (1, 1), (1, -1)),
    6: ((0, 0, 1), (0, 1, 0), (1, 0, 0)),
}


def offsets(connectivity: int) -> np.ndarray:
    """Steps to the neighbours; direction k + connectivity / 2 is opposite to k."""
    if connectivity not in _FIRST_HALF:
        raise ValueError(f"connectivity must be 4, 8 or 6, not {connectivity!r}")
    half = np.array(_FIRST_HALF[connectivity])
    return np.concatenate([half, -half])


@dataclass(frozen=True, eq=False)
class GridNetwork:
    """Pixels, their links to the terminals, and arcs to their neighbours, in whole units.

    ``neighbour`` holds an array for each direction, or for the first half if arcs are the same both ways.
    """

    shape: tuple[int, ...]
    connectivity: int
    source: Capacities
    sink: Capacities
    neighbour: Capacities

    @property
    def num_pixels(self) -> int:
        return int(np.prod(self.shape))

    @property
    def symmetric(self) -> bool:
        return len(self.neighbour.units) != self.connectivity * self.num_pixels

    def on_host(self) -> GridNetwork:
        """The same grid with NumPy's arrays."""
        parts = (
            replace(part, units=to_numpy(part.units)) for part in (self.source, self.sink, self.neighbour)
        )
        return GridNetwork(self.shape, self.connectivity, *parts)

    @property
    def scale(self) -> Capacities:
        """What turns units into the caller's terms."""
        return self.source

    def directions(self) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """For each direction the pixels that have a neighbour there, that neighbour, and the capacity."""
        ids = np.arange(self.num_pixels).reshape(self.shape)
        half = self.connectivity // 2
        arrays = self.neighbour.units.reshape(-1, *self.shape)
        for k, step in enumerate(offsets(self.connectivity)):
            here = tuple(slice(max(0, -s), -s if s > 0 else None) for s in step)
            there = tuple(slice(max(0, s), s if s < 0 else None) for s in step)
            capacity = arrays[k - half][there] if self.symmetric and k >= half else arrays[k][here]
            yield ids[here].ravel(), ids[there].ravel(), capacity.ravel()

    def arcs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Tails, heads and capacities: by direction, then from the source and to the sink.

        The source is vertex ``num_pixels`` and the sink the one after it.
        """
        n = self.num_pixels
        pixels = np.arange(n)
        tails, heads, capacities = zip(*self.directions(), strict=True)
        return (
            np.concatenate([*tails, np.full(n, n), pixels]),
            np.concatenate([*heads, pixels, np.full(n, n + 1)]),
            np.concatenate([*capacities, self.source.units, self.sink.units]),
        )

    def from_arcs(self, per_arc: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Numbers in the order of :meth:`arcs` by pixel: source, sink and neighbours."""
        n = self.num_pixels
        between = np.zeros((self.connectivity, n), per_arc.dtype)
        begin = 0
        for k, (tail, _, _) in enumerate(self.directions()):
            between[k, tail] = per_arc[begin : begin + len(tail)]
            begin += len(tail)
        links = per_arc[begin:]
        return links[:n].reshape(self.shape), links[n:].reshape(self.shape), between.reshape(-1, *self.shape)

    def to_arcs(self, source: np.ndarray, sink: np.ndarray, between: np.ndarray) -> np.ndarray:
        """The other way round: numbers by pixel in the order of :meth:`arcs`."""
        by_direction = between.reshape(self.connectivity, -1)
        parts = [by_direction[k, tail] for k, (tail, _, _) in enumerate(self.directions())]
        return np.concatenate([*parts, source.ravel(), sink.ravel()])
