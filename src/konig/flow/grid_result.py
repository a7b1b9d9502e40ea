"""A minimum cut of a grid and its proof."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from konig.errors import CertificateError
from konig.flow.grid_network import GridNetwork
from konig.flow.proof import check_gap, check_maximum_flow
from konig.interop import arrays

_ARRAYS = ("cut", "flow", "source_flow", "sink_flow")


@dataclass(frozen=True, eq=False)
class GridCut:
    """A minimum cut of a grid, and the maximum flow that proves it.

    Attributes
    ----------
    value : int or float
        What the flow brings; float for real capacities. The capacity of the cut, less the gap.
    cut : array of bool
        True where a pixel is on the source side.
    flow : array of shape (connectivity, ...)
        The flow that leaves each pixel in each direction of :func:`konig.grid_offsets`.
    source_flow, sink_flow : array
        The flow from the source to each pixel, and from each pixel to the sink.
    gap : int or float
        A proven bound on how much dearer this cut is than the cheapest: its capacity less the value. 0 for
        integers, and for real capacities unless they had to be rounded.
    method, device : str
        What actually ran.
    stats : dict
        What the method counted, and ``stats["seconds"]`` by part.
    """

    value: int | float
    cut: np.ndarray
    flow: np.ndarray
    source_flow: np.ndarray
    sink_flow: np.ndarray
    gap: int | float
    method: str
    device: str
    stats: Mapping[str, Any]
    grid: GridNetwork = field(repr=False)
    place: arrays.Place = field(default=arrays.HOST, repr=False)

    def given_to(self, place: arrays.Place) -> GridCut:
        """The same answer where the caller's arrays are."""
        if place == arrays.HOST and isinstance(self.cut, np.ndarray):
            return self
        parts: dict[str, Any] = {name: place.give(getattr(self, name)) for name in _ARRAYS}
        return replace(self, place=place, **parts)

    def on_host(self) -> GridCut:
        """The same answer in arrays of NumPy; what is on a GPU is copied."""
        if self.place == arrays.HOST:
            return self
        with self.place.entered():
            parts: dict[str, Any] = {name: arrays.to_numpy(getattr(self, name)) for name in _ARRAYS}
            return replace(self, grid=self.grid.on_host(), place=arrays.HOST, **parts)

    def verify(self, source_capacity: Any, sink_capacity: Any, neighbour_capacity: Any) -> None:
        """Prove the answer against the grid, exactly and without any solver.

        Raises
        ------
        CertificateError
            Unless the flow is one of this grid, and the capacity of the cut is its value and no more than the
            gap, which must be one that rounding can have caused.
        """
        from konig.flow.grid import as_grid

        if self.place != arrays.HOST:
            self.on_host().verify(source_capacity, sink_capacity, neighbour_capacity)
            return
        connectivity = self.grid.connectivity
        grid = as_grid(source_capacity, sink_capacity, neighbour_capacity, connectivity)
        expected = {"cut": grid.shape, "source_flow": grid.shape, "sink_flow": grid.shape}
        expected["flow"] = (connectivity, *grid.shape)
        for name, shape in expected.items():
            found = np.shape(getattr(self, name))
            if found != shape:
                raise CertificateError(f"{name} has shape {found}, not {shape}")
        self._check_border(grid)
        flow = grid.to_arcs(self.source_flow, self.sink_flow, self.flow)
        role = np.zeros(grid.num_pixels + 2, np.uint8)
        role[-2:] = 1, 2
        cut = np.concatenate([self.cut.ravel(), [True, False]])
        value, across = check_maximum_flow(*grid.arcs(given=True), flow, cut, role)
        check_gap(self.value, self.gap, value, across, grid.scale)

    def _check_border(self, grid: GridNetwork) -> None:
        """No flow leaves the grid."""
        by_direction = self.flow.reshape(grid.connectivity, -1)
        for k, (tail, _, _) in enumerate(grid.directions(grid.neighbour.given)):
            leaves = np.ones(grid.num_pixels, bool)
            leaves[tail] = False
            if by_direction[k, leaves].any():
                raise CertificateError(f"flow of direction {k} leaves the grid")
