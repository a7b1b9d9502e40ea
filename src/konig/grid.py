"""Minimum cuts of grids: images and volumes as arrays of capacities, without lists of arcs."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

from konig import registry
from konig.backends import cpu_flow
from konig.capacities import Capacities, as_capacities
from konig.flow import maximum_flow
from konig.grid_network import GridNetwork, offsets
from konig.progress import Report, reporting
from konig.results.grid import GridCut

_ON_GRIDS = "bk"  # runs on the grid itself; the others run on its arcs


def grid_cut(
    source_capacity: Any,
    sink_capacity: Any,
    neighbour_capacity: Any,
    *,
    connectivity: int | None = None,
    method: str = "auto",
    device: str = "auto",
    progress: bool | Report | None = None,
    **knobs: Any,
) -> GridCut:
    """Cut an image or a volume in two at least cost: a minimum cut of the grid of its pixels.

    Parameters
    ----------
    source_capacity, sink_capacity : array of shape (height, width) or (depth, height, width)
        The capacity from the source to each pixel, and from each pixel to the sink: what it costs to put the
        pixel on the other side.
    neighbour_capacity : number or array
        The capacities between neighbours. A number for all; or an array for each direction of
        :func:`grid_offsets`, stacked: entry ``[k, ...]`` of a pixel belongs to the arc that leaves it in
        direction k. With half as many, for the first half of the directions, arcs have the same capacity both
        ways. What leads out of the grid is not looked at.
    connectivity : {4, 8, 6}, optional
        How many neighbours a pixel has: 4 (default) or 8 in the plane, 6 in space.
    method : str
        A name from ``konig.methods("flow")``. "auto" is "bk", which needs no lists of arcs; other methods
        make them.
    device, progress, **knobs
        As for :func:`konig.maximum_flow`.

    Returns
    -------
    GridCut
        The value, the side of each pixel, the flow that proves it, and what the method counted.

    Examples
    --------
    >>> import numpy as np, konig
    >>> bright = np.array([[9, 8, 2], [7, 1, 3], [9, 2, 1]])
    >>> c = konig.grid_cut(bright, 10 - bright, 2)
    >>> c.cut.astype(int).tolist()
    [[1, 1, 0], [1, 0, 0], [1, 0, 0]]
    >>> c.verify(bright, 10 - bright, 2)
    """
    began = perf_counter()
    chosen = registry.find(_ON_GRIDS if method == "auto" else method, "flow")
    registry.choose_device(chosen, device)
    settings = chosen.settings(knobs)
    grid = as_grid(source_capacity, sink_capacity, neighbour_capacity, connectivity)
    converted = perf_counter() - began
    if chosen.name != _ON_GRIDS:
        return _by_arcs(grid, chosen.name, progress, settings, began)
    with reporting(progress, f"grid cut ({chosen.name})") as report:
        units, (source_flow, sink_flow, flow), cut, stats = cpu_flow.run_grid(grid, report)
    if units is None:
        raise ValueError("the value of the cut is above 2**62; scale the capacities down")
    scale = grid.scale
    stats["seconds"] = {"convert": converted, **stats["seconds"], "total": perf_counter() - began}
    flow, source_flow, sink_flow = (scale.flows(part) for part in (flow, source_flow, sink_flow))
    value = scale.value(units)
    return GridCut(value, cut, flow, source_flow, sink_flow, chosen.name, "cpu", stats, grid)


def grid_offsets(connectivity: int) -> np.ndarray:
    """The steps (y, x) or (z, y, x) from a pixel to its neighbours; the second half is opposite to the first.

    Examples
    --------
    >>> import konig
    >>> konig.grid_offsets(4).tolist()
    [[0, 1], [1, 0], [0, -1], [-1, 0]]
    """
    return offsets(connectivity)


def as_grid(source: Any, sink: Any, neighbour: Any, connectivity: int | None) -> GridNetwork:
    """The grid of whatever the caller calls capacities; errors name the argument and the place."""
    arrays = [np.asarray(given) for given in (source, sink)]
    shape = arrays[0].shape
    if len(shape) not in (2, 3):
        raise ValueError(f"source_capacity must have two or three dimensions, not {len(shape)}")
    if arrays[1].shape != shape:
        raise ValueError(
            f"sink_capacity has shape {arrays[1].shape}, source_capacity {shape}: they must agree"
        )
    fitting = (4, 8) if len(shape) == 2 else (6,)
    if connectivity is None:
        connectivity = fitting[0]
    if connectivity not in fitting:
        words = " or ".join(map(str, fitting))
        raise ValueError(f"connectivity must be {words} for {len(shape)} dimensions, not {connectivity!r}")
    between = np.asarray(neighbour)
    half = connectivity // 2
    if between.ndim == 0:
        between = np.broadcast_to(between, (half, *shape))
    if between.shape not in ((half, *shape), (connectivity, *shape)):
        raise ValueError(
            f"neighbour_capacity must be a number or of shape {(half, *shape)} or {(connectivity, *shape)}, "
            f"not {between.shape}"
        )
    parts = {"source_capacity": arrays[0], "sink_capacity": arrays[1], "neighbour_capacity": between}
    return GridNetwork(shape, connectivity, *_in_one_unit(parts))


def _in_one_unit(parts: dict[str, np.ndarray]) -> tuple[Capacities, Capacities, Capacities]:
    """The capacities as whole numbers of the same unit."""

    def named(name: str, array: np.ndarray) -> Capacities:
        return as_capacities(
            array.reshape(-1), lambda k: f"{tuple(map(int, np.unravel_index(k, array.shape)))}", name
        )

    found = [named(name, array) for name, array in parts.items()]
    if any(part.real for part in found):
        exponent = min(part.exponent for part in found)
        found = [part.in_unit(exponent, name) for part, name in zip(found, parts, strict=True)]
    source, sink, neighbour = found
    return source, sink, neighbour


def _by_arcs(
    grid: GridNetwork, method: str, progress: bool | Report | None, knobs: dict[str, Any], began: float
) -> GridCut:
    """Solve on the arcs of the grid, and read the answer back."""
    tail, head, capacity = grid.arcs()
    n = grid.num_pixels
    f = maximum_flow(
        (tail, head, capacity), n, n + 1, num_vertices=n + 2, method=method, progress=progress, **knobs
    )
    source_flow, sink_flow, flow = grid.from_arcs(f.flow)
    scale = grid.scale
    cut = f.cut[:n].reshape(grid.shape)
    stats = {**f.stats, "seconds": {**f.stats["seconds"], "total": perf_counter() - began}}
    flow, source_flow, sink_flow = (scale.flows(part) for part in (flow, source_flow, sink_flow))
    value = scale.value(int(f.value))
    return GridCut(value, cut, flow, source_flow, sink_flow, f.method, f.device, stats, grid)
