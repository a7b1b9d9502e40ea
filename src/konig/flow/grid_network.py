"""The container for grids: capacities by pixel and direction, and their arcs when someone needs them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from konig import _native
from konig.flow.capacities import Capacities, Scale
from konig.interop.arrays import to_numpy

Slices = tuple[slice, ...]
_FIRST_HALF = {
    4: ((0, 1), (1, 0)),
    8: ((0, 1), (1, 0), (1, 1), (1, -1)),
    6: ((0, 0, 1), (0, 1, 0), (1, 0, 0)),
}

ROUNDS = 16  # of taking pixels off a flow on a GPU


def offsets(connectivity: int) -> np.ndarray:
    """Steps to the neighbours; direction k + connectivity / 2 is opposite to k."""
    if connectivity not in _FIRST_HALF:
        raise ValueError(f"connectivity must be 4, 8 or 6, not {connectivity!r}")
    half = np.array(_FIRST_HALF[connectivity])
    return np.concatenate([half, -half])


@dataclass(frozen=True, eq=False)
class GridNetwork:
    """Pixels, their links to the terminals, and arcs to their neighbours, all in one scale.

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
        return len(self.neighbour.given) != self.connectivity * self.num_pixels

    def on_host(self) -> GridNetwork:
        """The same grid with NumPy's arrays."""
        return self._changed(lambda part: replace(part, given=to_numpy(part.given)))

    @property
    def scale(self) -> Scale:
        """What turns units into the caller's terms."""
        return self.source.scale

    def in_unit(self, exponent: int) -> GridNetwork:
        """The same grid with capacities in units of 2**exponent."""
        return self._changed(lambda part: part.in_unit(exponent))

    def _changed(self, change: Callable[[Capacities], Capacities]) -> GridNetwork:
        return GridNetwork(
            self.shape, self.connectivity, *map(change, (self.source, self.sink, self.neighbour))
        )

    def steps(self, between: Any) -> Iterator[tuple[Slices, Slices, Any]]:
        """For each direction where pixels with a neighbour there are, where that is, and the capacities.

        ``between`` holds capacities by direction as ``neighbour`` does, in an array for each.
        """
        half = self.connectivity // 2
        for k, step in enumerate(offsets(self.connectivity).tolist()):
            here = tuple(slice(max(0, -s), -s if s > 0 else None) for s in step)
            there = tuple(slice(max(0, s), s if s < 0 else None) for s in step)
            yield here, there, between[k - half][there] if self.symmetric and k >= half else between[k][here]

    def directions(self, between: Any) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """For each direction the pixels that have a neighbour there, that neighbour, and the capacity."""
        ids = np.arange(self.num_pixels).reshape(self.shape)
        for here, there, capacity in self.steps(between.reshape(-1, *self.shape)):
            yield ids[here].ravel(), ids[there].ravel(), capacity.ravel()

    def arcs(self, given: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Tails, heads, and capacities in units or as given: by direction, then of the source and the sink.

        The source is vertex ``num_pixels`` and the sink the one after it.
        """
        n = self.num_pixels
        pixels = np.arange(n)
        parts = self.source, self.sink, self.neighbour
        source, sink, between = (part.given if given else part.units for part in parts)
        tails, heads, capacities = zip(*self.directions(between), strict=True)
        return (
            np.concatenate([*tails, np.full(n, n), pixels]),
            np.concatenate([*heads, pixels, np.full(n, n + 1)]),
            np.concatenate([*capacities, source, sink]),
        )

    def across(self, cut: np.ndarray) -> np.ndarray:
        """The given capacities of the arcs from the source side to the sink side."""
        links = self.source.given[~cut.ravel()], self.sink.given[cut.ravel()]
        steps = self.steps(self.neighbour.given.reshape(-1, *self.shape))
        between = [capacity[cut[here] & ~cut[there]] for here, there, capacity in steps]
        return np.concatenate([*links, *between])

    def from_arcs(self, per_arc: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Numbers in the order of :meth:`arcs` by pixel: source, sink and neighbours."""
        n = self.num_pixels
        between = np.zeros((self.connectivity, n), per_arc.dtype)
        begin = 0
        for k, (tail, _, _) in enumerate(self.directions(self.neighbour.given)):
            between[k, tail] = per_arc[begin : begin + len(tail)]
            begin += len(tail)
        links = per_arc[begin:]
        return links[:n].reshape(self.shape), links[n:].reshape(self.shape), between.reshape(-1, *self.shape)

    def to_arcs(self, source: np.ndarray, sink: np.ndarray, between: np.ndarray) -> np.ndarray:
        """The other way round: numbers by pixel in the order of :meth:`arcs`."""
        by_direction = between.reshape(self.connectivity, -1)
        parts = [
            by_direction[k, tail] for k, (tail, _, _) in enumerate(self.directions(self.neighbour.given))
        ]
        return np.concatenate([*parts, source.ravel(), sink.ravel()])

    def cancel_circulations(self, flow: Any) -> None:
        """Take all circulation off the flow of each direction, in place.

        Flow on a GPU comes to the host for it unless pixels that no flow enters, or leaves, are all of them
        when those are taken off repeatedly.
        """
        if isinstance(flow, np.ndarray):
            _native.cancel_grid_circulations(list((1, *self.shape)[-3:]), flow.reshape(-1))
        elif self._may_go_round(flow):
            host = to_numpy(flow)
            self.cancel_circulations(host)
            flow.set(host)

    def _may_go_round(self, flow: Any) -> bool:
        ways = [(here, there) for here, there, _ in self.steps(flow)]
        left = (flow > 0).any(axis=0)
        for _ in range(ROUNDS):
            entered = left & False
            for k, (here, there) in enumerate(ways):
                entered[there] |= left[here] & (flow[(k, *here)] > 0)
            found = left & entered
            left = found & False
            for k, (here, there) in enumerate(ways):
                left[here] |= found[there] & (flow[(k, *here)] > 0)
            left &= found
        return bool(left.any())
