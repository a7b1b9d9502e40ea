"""Minimum cuts of grids: images and volumes as arrays of capacities, without lists of arcs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from time import perf_counter
from typing import Any

import numpy as np

from konig import registry
from konig.arguments import checked_flag
from konig.flow import cpu as cpu_flow
from konig.flow import gpu_for, solve_network
from konig.flow import sync_pr as synchronous_flow
from konig.flow.capacities import Capacities, Scale, as_capacities, scale_of
from konig.flow.device_network import device_capacities
from konig.flow.grid_network import GridNetwork, offsets
from konig.flow.grid_pairs import paired_grid
from konig.flow.grid_result import GridCut
from konig.flow.inputs import as_network
from konig.flow.rounding import Solved, not_exact, solved_in_unit
from konig.flow.value_bounds import grid_bound
from konig.interop import arrays
from konig.progress import Report, reporting

_ON_CPU, _ON_GPU = "bk", "sync-pr"  # run on the grid itself; the others run on its arcs
PARTS = ("source_capacity", "sink_capacity", "neighbour_capacity")


def grid_cut(
    source_capacity: Any,
    sink_capacity: Any,
    neighbour_capacity: Any,
    *,
    connectivity: int | None = None,
    method: str = "auto",
    device: str = "auto",
    initial: GridCut | None = None,
    progress: bool | Report | None = None,
    exact: bool = False,
    **knobs: Any,
) -> GridCut:
    """Cut an image or a volume in two at least cost: a minimum cut of the grid of its pixels.

    Parameters
    ----------
    source_capacity, sink_capacity : array of shape (height, width) or (depth, height, width)
        The capacity from the source to each pixel, and from each pixel to the sink: what it costs to put the
        pixel on the other side. Arrays may also be those of CuPy, PyTorch or JAX; on a GPU they stay there.
    neighbour_capacity : number or array
        The capacities between neighbours. A number for all; or an array for each direction of
        :func:`grid_offsets`, stacked: entry ``[k, ...]`` of a pixel belongs to the arc that leaves it in
        direction k. With half as many, for the first half of the directions, arcs have the same capacity both
        ways. What leads out of the grid is not looked at.
    connectivity : {4, 8, 6}, optional
        How many neighbours a pixel has: 4 (default) or 8 in the plane, 6 in space.
    method : str
        A name from ``konig.methods("flow")``. "auto" is "bk" on the CPU and "sync-pr" on a GPU: they need no
        lists of arcs, which other methods make.
    initial : GridCut, optional
        A warm start: an earlier answer for a grid of the same shape and connectivity. Capacities may have
        changed; "bk" starts from the flow where it still is one, and other methods cut off what is too much.
    device, progress, exact, **knobs
        As for :func:`konig.maximum_flow`.

    Returns
    -------
    GridCut
        The value, the side of each pixel, the flow that proves it, and what the method counted. ``gap`` is 0,
        or how much cheaper a cut may be where real capacities had to be rounded.

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
    capacities = (source_capacity, sink_capacity, neighbour_capacity)
    place = _place_of({name: _one_array(part, name) for name, part in zip(PARTS, capacities, strict=True)})
    kind = registry.parse_device(device)[0]
    on_gpu = kind == "cuda" or (kind == "auto" and place.gpu is not None)
    chosen = registry.find((_ON_GPU if on_gpu else _ON_CPU) if method == "auto" else method, "flow")
    kind, number = registry.choose_device(chosen, device, place.gpu)
    settings = chosen.settings(knobs)
    gpu = gpu_for(number, place) if kind == "cuda" else None
    where = str(gpu) if gpu else "cpu"
    with gpu or nullcontext(), reporting(progress, f"grid cut ({chosen.name})") as report:
        grid = as_grid(source_capacity, sink_capacity, neighbour_capacity, connectivity, gpu)
        converted = perf_counter() - began

        def solve(scaled: GridNetwork) -> Solved:
            if chosen.name == _ON_CPU:
                return Solved(*cpu_flow.run_grid(scaled, _starting_flows(initial, scaled), report))
            on_pairs = chosen.name == _ON_GPU and initial is None
            found = _by_pairs(scaled, gpu, settings, report) if on_pairs else None
            # The sums of the capacities may need the care that arcs get.
            return found or _by_arcs(scaled.on_host(), initial, chosen, settings, report, gpu)

        grid, solved, gap = solved_in_unit(
            grid,
            checked_flag("exact", exact),
            lambda: grid_bound(grid),
            solve,
            lambda scaled, cut: scaled.across(arrays.to_numpy(cut)),
        )
        if solved.value is None:
            raise _overflow(grid)
        value = grid.scale.value(solved.value)
        source_flow, sink_flow, flow = (_in_caller_terms(grid.scale, part, gpu) for part in solved.flow)
        stats = solved.stats
        stats["seconds"] = {"convert": converted, **stats["seconds"], "total": perf_counter() - began}
        flows = flow, source_flow, sink_flow
        return GridCut(value, solved.cut, *flows, gap, chosen.name, where, stats, grid).given_to(place)


def _overflow(grid: GridNetwork) -> ValueError:
    """Why there is no value: pixels without bound between the terminals, or a value that is too large."""
    if not grid.scale.real:
        return ValueError("the value of the cut is above 2**62; scale the capacities down")
    tail, head, capacity = grid.on_host().arcs(given=True)
    unbounded = np.isinf(capacity)
    reached = np.zeros(grid.num_pixels + 2, bool)
    reached[-2] = True
    while not reached[-1] and (found := unbounded & reached[tail] & ~reached[head]).any():
        reached[head[found]] = True
    if reached[-1]:
        return ValueError("infinite capacities lead from the source to the sink: every cut is infinite")
    return not_exact(grid.scale)


def _in_caller_terms(scale: Scale, units: Any, gpu: Any) -> Any:
    """Flows as the caller's kind of numbers, where they are; real ones pass through the host."""
    if gpu is None or not scale.real:
        return scale.flows(units)
    return gpu.cupy.asarray(scale.flows(arrays.to_numpy(units)))


def _by_pairs(grid: GridNetwork, gpu: Any, settings: dict[str, Any], report: Report | None) -> Solved | None:
    """Solve on the grid with synchronous push-relabel; None if sums of capacities may not fit a word."""
    began = perf_counter()
    layout = paired_grid(gpu.cupy if gpu else np, grid)
    if layout is None:
        return None
    most = 0, layout.bound - 1
    seconds: dict[str, float] = {}
    if gpu:
        gpu.cupy.cuda.get_current_stream().synchronize()
        built = perf_counter()
        side, stats = synchronous_flow.solve_on_gpu(gpu.cupy, layout.pairs, settings, most, report, seconds)
    else:
        built = perf_counter()
        workers = synchronous_flow.team(settings)
        side, stats = synchronous_flow.solve_on_team(layout.pairs, settings, most, report, workers)
    solved = perf_counter()
    units, flows = layout.value(), layout.flows()
    if units is not None:
        grid.cancel_circulations(flows[2])
    cut = side.reshape(grid.shape) != 0
    if gpu:
        gpu.cupy.cuda.get_current_stream().synchronize()
    ended = perf_counter()
    seconds = {"build": built - began, "solve": solved - built, **seconds, "extract": ended - solved}
    seconds["main"] = ended - began - seconds.get("compile", 0.0)
    return Solved(units, flows, cut, stats | {"seconds": seconds})


def grid_offsets(connectivity: int) -> np.ndarray:
    """The steps (y, x) or (z, y, x) from a pixel to its neighbours; the second half is opposite to the first.

    Examples
    --------
    >>> import konig
    >>> konig.grid_offsets(4).tolist()
    [[0, 1], [1, 0], [0, -1], [-1, 0]]
    """
    return offsets(connectivity)


def as_grid(source: Any, sink: Any, neighbour: Any, connectivity: int | None, gpu: Any = None) -> GridNetwork:
    """The grid of whatever the caller calls capacities; errors name the argument and the place.

    It is on the host, or on the GPU given.
    """
    xp = gpu.cupy if gpu else np
    given = dict(zip(PARTS, (source, sink, neighbour), strict=True))
    parts = {name: _here(part, name, gpu) for name, part in given.items()}
    links = parts["source_capacity"], parts["sink_capacity"]
    shape = links[0].shape
    if len(shape) not in (2, 3):
        raise ValueError(f"source_capacity must have two or three dimensions, not {len(shape)}")
    if links[1].shape != shape:
        raise ValueError(
            f"sink_capacity has shape {links[1].shape}, source_capacity {shape}: they must agree"
        )
    fitting = (4, 8) if len(shape) == 2 else (6,)
    if connectivity is None:
        connectivity = fitting[0]
    if connectivity not in fitting:
        words = " or ".join(map(str, fitting))
        raise ValueError(f"connectivity must be {words} for {len(shape)} dimensions, not {connectivity!r}")
    between = parts["neighbour_capacity"]
    half = connectivity // 2
    if between.ndim == 0:
        between = xp.broadcast_to(between, (half, *shape))
    if between.shape not in ((half, *shape), (connectivity, *shape)):
        raise ValueError(
            f"neighbour_capacity must be a number or of shape {(half, *shape)} or {(connectivity, *shape)}, "
            f"not {between.shape}"
        )
    parts["neighbour_capacity"] = between
    if gpu is not None and all(part.dtype.kind in "iu" for part in parts.values()):
        whole = [device_capacities(xp, part.reshape(-1), name, _named(part)) for name, part in parts.items()]
        return GridNetwork(shape, connectivity, *whole)
    on_host = {name: arrays.to_numpy(part) for name, part in parts.items()}
    return GridNetwork(shape, connectivity, *_in_one_scale(on_host))


def _here(part: Any, name: str, gpu: Any) -> Any:
    """An argument as an array of NumPy, or of CuPy on the GPU given."""
    part = _one_array(part, name)
    if gpu is not None:
        return arrays.to_cupy(gpu.cupy, part if hasattr(part, "shape") else np.asarray(part), name)
    return arrays.to_numpy(part)


def _one_array(part: Any, name: str) -> Any:
    """Lists and tuples as one array of NumPy; what is not one is named."""
    if not isinstance(part, (list, tuple)):
        return part
    try:
        return np.asarray(part)
    except (TypeError, ValueError) as refused:
        raise ValueError(f"{name} must be a number or one array, its parts stacked: {refused}") from None


def _place_of(given: dict[str, Any]) -> arrays.Place:
    """Where the arrays live; all of them in one place, but a number may be anywhere."""
    found = {
        name: arrays.place_of(part, name) or arrays.HOST for name, part in given.items() if np.ndim(part) > 0
    }
    places = list(found.values()) or [arrays.HOST]
    for name, place in found.items():
        if place.gpu != places[0].gpu:
            raise ValueError(
                f"the capacities must be in one place, but {next(iter(found))} is on {places[0]} "
                f"and {name} on {place}"
            )
    return next((place for place in places if place.library != "numpy"), places[0])


def _named(array: Any) -> Callable[[int], str]:
    return lambda k: f"{tuple(map(int, np.unravel_index(k, array.shape)))}"


def _in_one_scale(parts: dict[str, np.ndarray]) -> tuple[Capacities, ...]:
    """The capacities on the host, all of them real or none."""
    found = [as_capacities(part.reshape(-1), _named(part), name) for name, part in parts.items()]
    if not any(part.scale.real for part in found):
        return tuple(found)
    for part, (name, array) in zip(found, parts.items(), strict=True):
        beyond = np.flatnonzero(part.given.astype(np.float64).astype(part.given.dtype) != part.given)
        if len(beyond):
            place = _named(array)(int(beyond[0]))
            raise ValueError(
                f"{name}: {place} is {part.given[beyond[0]]}, which float64 does not hold, and other "
                "capacities are real"
            )
    given = [part.given.astype(np.float64) for part in found]
    scale = scale_of(*given)
    return tuple(Capacities(part, scale) for part in given)


def _starting_flows(initial: Any, grid: GridNetwork) -> tuple[np.ndarray, ...] | None:
    """The flows of an earlier answer in units: from the source, to the sink, and in each direction."""
    if initial is None:
        return None
    if not isinstance(initial, GridCut):
        raise TypeError(f"initial must be a GridCut, not {type(initial).__name__}")
    initial = initial.on_host()
    if initial.flow.shape != (grid.connectivity, *grid.shape):
        raise ValueError(
            f"initial is for a grid of shape {initial.flow.shape[1:]} with {len(initial.flow)} directions, "
            f"not {grid.shape} with {grid.connectivity}"
        )
    flows = (initial.source_flow, initial.sink_flow, initial.flow)
    return tuple(grid.scale.whole_units(flow) for flow in flows)


def _by_arcs(
    grid: GridNetwork,
    initial: Any,
    chosen: registry.Method,
    settings: dict[str, Any],
    report: Report | None,
    gpu: Any,
) -> Solved:
    """Solve on the arcs of the grid, in its unit, and read the answer back."""
    n = grid.num_pixels
    network = as_network(grid.arcs(), n, n + 1, num_vertices=n + 2)
    start = _starting_flows(initial, grid)
    given = None if start is None else grid.to_arcs(*start)
    solved = solve_network(network, given, chosen, settings, report, gpu=gpu)
    if solved.value is None:
        return solved
    return solved._replace(flow=grid.from_arcs(solved.flow), cut=solved.cut[:n].reshape(grid.shape))
