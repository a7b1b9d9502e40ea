"""Minimum cuts of grids: images and volumes as arrays of capacities, without lists of arcs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from fractions import Fraction
from time import perf_counter
from typing import Any

import numpy as np

from konig import registry
from konig.arguments import checked_flag, integer, with_hints
from konig.errors import CertificateError, UnboundedError
from konig.flow import cpu, plan_for, push_relabel, reached_along, solve_network
from konig.flow.auto import How
from konig.flow.capacities import (
    Capacities,
    Scale,
    Solved,
    as_capacities,
    bound_of_links,
    not_exact,
    scale_of,
    scaled_down,
    solved_in_unit,
)
from konig.flow.circulations import without_circulation
from konig.flow.inputs import FlowNetwork, as_network, index_type, roles
from konig.flow.programs import shown
from konig.flow.proof import check_gap, check_maximum_flow
from konig.flow.residual import build_grid
from konig.gpu.device import Gpu
from konig.index_arrays import array_module, as_array
from konig.interop import arrays
from konig.machine import on_gpu, on_threads
from konig.progress import Report, reporting
from konig.refusal import check_array
from konig.results import Result

_ON_CPU, _ON_GPU = "bk", "sync-pr"  # run on the grid itself; the others run on its arcs
PARTS = ("source_capacity", "sink_capacity", "neighbour_capacity")
CUT_VALUE = f"{', '.join(PARTS)}: the value of the cut"  # of which every part has its share
Slices = tuple[slice, ...]
_FIRST_HALF = {
    4: ((0, 1), (1, 0)),
    8: ((0, 1), (1, 0), (1, 1), (1, -1)),
    6: ((0, 0, 1), (0, 1, 0), (1, 0, 0)),
}


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
        `grid_offsets`, stacked: entry ``[k, ...]`` of a pixel belongs to the arc that leaves it in
        direction k. With half as many, for the first half of the directions, arcs have the same capacity both
        ways. What leads out of the grid is not looked at.
    connectivity : {4, 8, 6}, optional
        How many neighbours a pixel has: 4 (default) or 8 in the plane, 6 in space.
    method : str
        A name from ``konig.methods("flow")``. "auto" is "dinic-two-sided", "bk" or "hl-pr" on the CPU,
        and "sync-pr" on a GPU: they need no lists of arcs, which other methods make.
    initial : GridCut, optional
        A warm start: an earlier answer for a grid of the same shape and connectivity. Capacities may have
        changed; "auto" and "bk" start from the flow where it still is one, and other methods cut off what is
        too much.
    device, progress, exact, **knobs
        As for `konig.maximum_flow`.

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
    plan = plan_for(method, device, place, grid=True)
    chosen = registry.find(plan.method, "flow")
    kind, number = registry.choose_device(chosen, device, place.gpu)
    if method == "auto" and knobs:
        raise registry.unknown_argument(grid_cut, knobs)
    settings = chosen.settings(knobs)
    gpu = Gpu(number, place) if kind == "cuda" else None
    where = str(gpu) if gpu else "cpu"
    with gpu or nullcontext(), reporting(progress, f"grid cut ({chosen.name})") as report:
        grid = as_grid(source_capacity, sink_capacity, neighbour_capacity, connectivity, gpu)
        how = How(plan, settings, report, cupy=gpu.cupy if gpu else None)
        converted = perf_counter() - began

        def solve(scaled: GridNetwork) -> Solved:
            if chosen.name == _ON_CPU or plan.trees is not None:
                return cpu.run_grid(how, scaled, _starting_flows(initial, scaled))
            on_pixels = chosen.name == _ON_GPU and initial is None
            found = _by_pixels(scaled, how) if on_pixels else None
            # The sums of the capacities may need the care that arcs get.
            return found or _by_arcs(scaled.on_host(), initial, how)

        grid, solved, gap = solved_in_unit(
            grid,
            checked_flag("exact", exact),
            lambda: grid_bound(grid),
            solve,
            lambda scaled, cut: scaled.across(arrays.to_numpy(cut)),
        )
        if solved.value is None:
            raise _overflow(grid)
        value = grid.scale.value(solved.value, CUT_VALUE)
        source_flow, sink_flow, flow = map(grid.scale.flows, solved.flow)
        cut, flow, source_flow, sink_flow = map(place.give, (solved.cut, flow, source_flow, sink_flow))
        stats = solved.stats
        stats["seconds"] = {"convert": converted, **stats["seconds"], "total": perf_counter() - began}
        flows = flow, source_flow, sink_flow
        ran = stats.pop("method", chosen.name)
        return GridCut(value, cut, *flows, gap, ran, where, stats, grid, place)


def _overflow(grid: GridNetwork) -> ValueError:
    """Why there is no value: pixels without bound between the terminals, or a value that is too large."""
    if not grid.scale.real:
        return ValueError(f"{CUT_VALUE} is above 2**62; scale the capacities down")
    tail, head, capacity = grid.on_host().arcs(given=True)
    unbounded = np.isinf(capacity)
    source = np.arange(grid.num_pixels + 2) == grid.num_pixels
    if reached_along(tail[unbounded], head[unbounded], source)[-1]:
        return UnboundedError("infinite capacities lead from the source to the sink: every cut is infinite")
    return not_exact(grid.scale)


def _by_pixels(grid: GridNetwork, how: How) -> Solved | None:
    """Solve on the grid with synchronous push-relabel; None if sums of capacities may not fit a word."""
    settings = how.settings
    machine = on_threads(settings) if how.cupy is None else on_gpu(how.cupy, settings)
    laps = [machine.lap()]
    layout = build_grid(machine.xp, grid)
    if layout is None:
        return None
    laps.append(machine.lap())
    report = shown(how.report, 0, layout.bound - 1)
    side, stats, *_ = push_relabel.synchronous(machine, layout.residual, settings, report)
    laps.append(machine.lap())
    units, flows = layout.value(), layout.flows()
    if units is not None:
        arcs = FlowNetwork(*grid.ends(machine.xp), None, grid.source, grid.role)
        flows = grid.from_arcs(without_circulation(arcs, grid.to_arcs(*flows)))
    cut = side.reshape(grid.shape) != 0
    laps.append(machine.lap())
    return Solved(units, flows, cut, stats | {"seconds": machine.timed(laps, "build", "solve", "extract")})


@with_hints
def grid_offsets(connectivity: int) -> np.ndarray:
    """The steps (y, x) or (z, y, x) from a pixel to its neighbours; the second half is opposite to the first.

    Examples
    --------
    >>> import konig
    >>> konig.grid_offsets(4).tolist()
    [[0, 1], [1, 0], [0, -1], [-1, 0]]
    """
    directions = integer("connectivity", connectivity)
    if directions not in _FIRST_HALF:
        raise ValueError(f"connectivity must be 4, 8 or 6, not {directions}")
    half = np.array(_FIRST_HALF[directions])
    return np.concatenate([half, -half])


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
    connectivity = fitting[0] if connectivity is None else integer("connectivity", connectivity)
    if connectivity not in fitting:
        words = " or ".join(map(str, fitting))
        raise ValueError(f"connectivity must be {words} for {len(shape)} dimensions, not {connectivity}")
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
    return GridNetwork(shape, connectivity, *_in_one_scale(parts))


def _here(part: Any, name: str, gpu: Any) -> Any:
    """An argument as an array of NumPy, or of CuPy on the GPU given."""
    part = _one_array(part, name)
    return arrays.to_numpy(part) if gpu is None else arrays.to_cupy(gpu.cupy, part, name)


def _one_array(part: Any, name: str) -> Any:
    """Arrays of other libraries as they are, and anything else as an array of NumPy."""
    if isinstance(part, list | tuple) or arrays.place_of(part, name) is None:
        return as_array(part, name, "a number or one array, its parts stacked")
    return part


def _place_of(given: dict[str, Any]) -> arrays.Place:
    """Where the arrays live; all of them in one place, but a number may be anywhere."""
    names = [name for name, part in given.items() if np.ndim(part) > 0]
    if not names:
        return arrays.HOST
    places = [arrays.place_of(given[name], name) or arrays.HOST for name in names]
    arrays.require_one_place(places, "the capacities", (f"{names[0]} is", *names[1:]))
    return next((place for place in places if place.library != "numpy"), places[0])


def _named(array: Any) -> Callable[[int], str]:
    return lambda k: f"{tuple(map(int, np.unravel_index(k, array.shape)))}"


def _in_one_scale(parts: dict[str, Any]) -> tuple[Capacities, ...]:
    """The capacities, all of them real, and on the host, or none."""
    found = [as_capacities(part.reshape(-1), _named(part), name) for name, part in parts.items()]
    if not any(part.scale.real for part in found):
        return tuple(found)
    given = [arrays.to_numpy(part.given) for part in found]
    for part, (name, array) in zip(given, parts.items(), strict=True):
        beyond = np.flatnonzero(part.astype(np.float64).astype(part.dtype) != part)
        if len(beyond):
            place = _named(array)(int(beyond[0]))
            raise ValueError(
                f"{name}: {place} is {part[beyond[0]]}, which float64 does not hold, and other "
                "capacities are real"
            )
    given = [part.astype(np.float64) for part in given]
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


def _by_arcs(grid: GridNetwork, initial: Any, how: How) -> Solved:
    """Solve on the arcs of the grid, in its unit, and read the answer back."""
    n = grid.num_pixels
    network = as_network(grid.arcs(), n, n + 1, num_vertices=n + 2)
    start = _starting_flows(initial, grid)
    given = None if start is None else grid.to_arcs(*start)
    solved = solve_network(network, given, how)
    if solved.value is None:
        return solved
    return solved._replace(flow=grid.from_arcs(solved.flow), cut=solved.cut[:n].reshape(grid.shape))


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

    def by_direction(self, values: Any) -> Any:
        """Numbers of arcs between neighbours, as ``neighbour`` holds them: an array for each direction."""
        directions = self.connectivity // 2 if self.symmetric else self.connectivity
        return values.reshape(directions, *self.shape)

    def on_host(self) -> GridNetwork:
        """The same grid with NumPy's arrays."""
        return self._changed(lambda part: replace(part, given=arrays.to_numpy(part.given)))

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

    def ways(self) -> Iterator[tuple[Slices, Slices]]:
        """For each direction where pixels with a neighbour there are, and where that is."""
        for step in grid_offsets(self.connectivity).tolist():
            here = tuple(slice(max(0, -s), -s if s > 0 else None) for s in step)
            yield here, tuple(slice(max(0, s), s if s < 0 else None) for s in step)

    def steps(self, between: Any) -> Iterator[tuple[Slices, Slices, Any]]:
        """The same with capacities: ``between`` holds an array for each direction of ``neighbour``."""
        half = self.connectivity // 2
        for k, (here, there) in enumerate(self.ways()):
            yield here, there, between[k - half][there] if self.symmetric and k >= half else between[k][here]

    @property
    def role(self) -> np.ndarray:
        """That of each vertex of `arcs`: pixels, the source, and the sink."""
        return roles(self.num_pixels + 2, self.num_pixels, self.num_pixels + 1)

    def ends(self, xp: Any) -> tuple[Any, Any]:
        """Tails and heads of the arcs: by direction, then those of the source and the sink."""
        n = self.num_pixels
        pixels = xp.arange(n, dtype=index_type(n, (self.connectivity + 2) * n)).reshape(self.shape)
        steps = [(pixels[here], pixels[there]) for here, there in self.ways()]
        links = (xp.full_like(pixels, n), pixels), (pixels, xp.full_like(pixels, n + 1))
        tail, head = (
            xp.concatenate([part.ravel() for part in ends]) for ends in zip(*steps, *links, strict=True)
        )
        return tail, head

    def arcs(self, given: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Tails, heads, and capacities in units or as given, on the host."""
        parts = self.source, self.sink, self.neighbour
        source, sink, between = (part.given if given else part.units for part in parts)
        steps = [capacity.ravel() for _, _, capacity in self.steps(self.by_direction(between))]
        return *self.ends(np), np.concatenate([*steps, source, sink])

    def across(self, cut: np.ndarray) -> np.ndarray:
        """The given capacities of the arcs from the source side to the sink side."""
        links = self.source.given[~cut.ravel()], self.sink.given[cut.ravel()]
        steps = self.steps(self.by_direction(self.neighbour.given))
        between = [capacity[cut[here] & ~cut[there]] for here, there, capacity in steps]
        return np.concatenate([*links, *between])

    def from_arcs(self, per_arc: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Numbers in the order of `arcs` by pixel: source, sink and neighbours."""
        n = self.num_pixels
        between: Any = array_module(per_arc).zeros((self.connectivity, *self.shape), per_arc.dtype)
        begin = 0
        for k, (here, _) in enumerate(self.ways()):
            part = between[(k, *here)]
            part[...] = per_arc[begin : begin + part.size].reshape(part.shape)
            begin += part.size
        links = per_arc[begin:]
        return links[:n].reshape(self.shape), links[n:].reshape(self.shape), between

    def to_arcs(self, source: Any, sink: Any, between: Any) -> Any:
        """The other way round: numbers by pixel in the order of `arcs`."""
        parts = [between[(k, *here)] for k, (here, _) in enumerate(self.ways())]
        return array_module(between).concatenate([part.ravel() for part in (*parts, source, sink)])


def grid_bound(grid: GridNetwork) -> Fraction:
    """No flow of the grid is larger, unless pixels without bound lead from the source to the sink."""
    parts = (grid.source.given, grid.sink.given, grid.neighbour.given)
    scaled, exponent = scaled_down(np.concatenate([part.ravel() for part in parts]))
    n = grid.num_pixels
    source, sink, between = scaled[:n], scaled[n : 2 * n], grid.by_direction(scaled[2 * n :])
    leaving, entering = np.zeros(grid.shape), np.zeros(grid.shape)
    for here, there, capacity in grid.steps(between):
        leaving[here] += capacity
        entering[there] += capacity
    ways = (source, leaving.ravel() + sink), (sink, entering.ravel() + source)
    return bound_of_links(ways, scaled, exponent)


@dataclass(frozen=True, eq=False)
class GridCut(Result):
    """A minimum cut of a grid, and the maximum flow that proves it.

    Attributes
    ----------
    value : int or float
        What the flow brings; float for real capacities. The capacity of the cut, less the gap.
    cut : array of bool
        True where a pixel is on the source side.
    flow : array of shape (connectivity, ...)
        The flow that leaves each pixel in each direction of `konig.grid_offsets`.
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

    PLACED = ("cut", "flow", "source_flow", "sink_flow", "grid")

    def verify(self, source_capacity: Any, sink_capacity: Any, neighbour_capacity: Any) -> None:
        """Prove the answer against the grid, exactly and without any solver.

        Raises
        ------
        CertificateError
            Unless the flow is one of this grid, and the capacity of the cut is its value and no more than the
            gap, which must be one that rounding can have caused.
        """
        answer = self.on_host()
        connectivity = answer.grid.connectivity
        grid = as_grid(source_capacity, sink_capacity, neighbour_capacity, connectivity)
        expected = {"cut": grid.shape, "source_flow": grid.shape, "sink_flow": grid.shape}
        expected["flow"] = (connectivity, *grid.shape)
        kinds = "if" if grid.scale.real else "i"
        for name, shape in expected.items():
            check_array(name, getattr(answer, name), "b" if name == "cut" else kinds, shape)
        for k, (here, _) in enumerate(grid.ways()):
            outward = answer.flow[k].copy()
            outward[here] = 0
            if outward.any():
                raise CertificateError(f"flow of direction {k} leaves the grid")
        flow = grid.to_arcs(answer.source_flow, answer.sink_flow, answer.flow)
        cut = np.concatenate([answer.cut.ravel(), [True, False]])
        value, across = check_maximum_flow(*grid.arcs(given=True), flow, cut, grid.role)
        check_gap(self.value, self.gap, value, across, grid.scale)
