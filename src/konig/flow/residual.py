"""The residual network of arcs or of a grid, and the flow off it, on a CPU team or on a GPU.

The layout is that of ``konig/flow/residual.h``. Of arcs, the programs ``konig/flow/profile.h`` and
``konig/flow/build.h`` make it. A grid needs no lists of arcs: slot ``k`` of a pixel is its neighbour in
direction k of `konig.grid_offsets`; what leads out of the grid leads nowhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from konig._native import Program
from konig.exact_reals import digits, whole_sum
from konig.flow import programs, reals
from konig.flow.capacities import LARGEST_FLOW, TOO_LARGE, UNBOUNDED
from konig.flow.inputs import INT32_MAX, FlowNetwork, TwoTerminals, index_type, two_terminals
from konig.flow.programs import sum_of
from konig.index_arrays import array_module
from konig.machine import Machine, Solve
from konig.programs import Task

# Binary digits of the sum of all capacities, in the units that a bound is counted in: as many numbers as fit
# memory may be rounded up and not reach the largest int64.
COARSE_DIGITS = 60


@dataclass(frozen=True, eq=False)
class Residual:
    """A residual network as the solvers take it, and work on it in place.

    ``slots`` holds the neighbours of all vertices: the other end, the slot of the other direction, the
    residual capacity there and back. ``start`` says where those of a vertex begin. ``to_sink`` and
    ``to_source`` are what a vertex may still send to the sink, and back to the source; ``excess`` is what it
    holds; ``longest`` is the number of slots of the vertex that has most.
    """

    start: Any
    slots: Any
    to_sink: Any
    to_source: Any
    excess: Any
    longest: int

    @property
    def vertices(self) -> int:
        return len(self.excess)


def amount_type(ids: Any, largest: int, *totals: int) -> Any:
    """32 bits where ids have as many and all residual capacities and sums of excess fit.

    ``largest`` is the largest capacity, ``totals`` are sums that the excess of a vertex may reach.
    """
    return np.int64 if ids == np.int64 or max(2 * largest, *totals) > INT32_MAX else np.int32


def empty_slots(xp: Any, count: int, ids: Any, amounts: Any) -> Any:
    """Slots all zero: four words each, or three of which the first holds two ids."""
    return xp.zeros((count, 4 if ids == amounts else 3), amounts)


def columns(slots: Any) -> tuple[Any, Any, Any, Any]:
    """The parts of the slots as views: other end, reverse, residual capacity out and in."""
    if slots.shape[-1] == 4:
        return slots[..., 0], slots[..., 1], slots[..., 2], slots[..., 3]
    ids = slots.view(np.int32)
    return ids[..., 0], ids[..., 1], slots[..., 1], slots[..., 2]


@dataclass(frozen=True, eq=False)
class Built:
    """The residual network of arcs, and what reads their flow off it.

    ``begun`` is the preflow that it starts from and what that leaves at each vertex, None for none.
    """

    residual: Residual
    direct: int  # capacity of the arcs from a source to a sink
    bound: int  # more than the flow can bring
    begun: tuple[Any, Any] | None
    _total_demand: int
    _task: Task
    _solve: Solve
    virtual: TwoTerminals | None = None  # the arcs with a virtual source, if that was needed

    def value(self) -> int:
        """What the sinks receive."""
        return self.direct + self._total_demand - whole_sum(self.residual.to_sink)

    def answer(self, source_side: Any) -> tuple[int | None, Any, Any]:
        """The value (None if it is too large), the flow of each arc and the source side, after a solve."""
        value, given = self.value(), self._task.given
        given.update(cut=source_side, side=array_module(source_side).empty(len(given["role"]), np.uint8))
        self._solve.run(self._task, None)
        if self.virtual is not None:
            return self.virtual.answer(value, given["flow"], given["side"])
        return (None if value >= TOO_LARGE else value), given["flow"], given["side"].view(bool)


def build(
    machine: Machine,
    arcs: tuple[Any, Any, Any],
    role: Any,
    undirected: bool,
    initial: Any = None,
    solver: Callable[..., Program] | None = None,
    either_way: bool = False,
) -> Built:
    """The residual network of arcs in arrays of the machine's, with a flow to start from if one is given.

    ``solver(ids, amounts)`` is the program that will run on it, which may be compiled meanwhile. It may be
    built ``either_way``: with all arcs turned round and sinks as sources where the sinks could take less than
    the sources give. Excess that never reaches the other end is what push-relabel spends its time on: over
    106 random networks that took 8 times fewer supersteps where one side had ten times as much as the other,
    1.4 times fewer from a fifth more on, and 0.96 where both had the same. Where the sources could give more
    than fits a word, it is that of the arcs with a virtual source.
    """
    xp, n, m = machine.xp, len(role), len(arcs[0])
    ids = index_type(n, m)
    tail, head = (xp.ascontiguousarray(end, ids) for end in arcs[:2])
    task = programs.profile({"tail": tail, "head": head, "capacity": arcs[2], "role": role}, undirected)
    slot_count, supply, demand, direct, bound = _profiled(machine, task, True)
    if either_way and demand < supply:
        supply, demand = demand, supply
        task.given.update(supply=task.given["demand"], demand=task.given["supply"])
        task.numbers["turned"] = 1
    task.numbers["bound"] = bound
    if supply > TOO_LARGE:
        fed = two_terminals(xp, *arcs, role, undirected)
        built = build(machine, *fed.arcs_and_roles(), False, fed.given_flow(initial), solver, either_way)
        return replace(built, virtual=fed)
    amounts = amount_type(ids, bound, supply, demand)
    if solver is not None:
        machine.expect(solver(np.dtype(ids), np.dtype(amounts)), ())
    warm = initial is not None and whole_sum(xp.minimum(abs(initial), arcs[2])) <= LARGEST_FLOW
    task = programs.build(
        amounts,
        task,
        slot_count,
        start=xp.empty(n + 1, ids),
        slots=empty_slots(xp, slot_count, ids, amounts),
        **{name: xp.empty(n, amounts) for name in ("to_sink", "to_source", "excess")},
        initial=initial if warm else None,
        balance=xp.zeros(n, np.int64) if warm else None,
        flow=xp.empty(m, np.int64),
        cut=None,
        side=None,
    )
    solve = machine.start(task)
    words = solve.run(task, None).words
    begun = (task.given["flow"], task.given["balance"]) if warm else None
    task.given.update(initial=None, balance=None)
    arrays = {name: task.given[name] for name in ("start", "slots", "to_sink", "to_source", "excess")}
    residual = Residual(**arrays, longest=words["longest"])
    return Built(residual, direct, bound, begun, demand, task, solve)


def _profiled(machine: Machine, task: Task, find_neighbours: bool) -> tuple[int, int, int, int, int]:
    """What the profile of arcs tells.

    How many slots they take, if that is asked for; what the sources can give and the sinks can take, after
    cuts; what goes from a source straight to a sink; and a bound that is more than a flow can bring.
    """
    xp, n, ids = machine.xp, len(task.given["role"]), task.given["tail"].dtype
    solve = machine.start(task)
    words = solve.run(task, None).words
    supply, demand, direct = (sum_of(words, name) for name in ("supply", "demand", "straight"))
    bound = min(min(supply, demand) + direct, LARGEST_FLOW) + 1
    table_size = 1 << max(1, (2 * words["inner"] - 1).bit_length()) if find_neighbours else 0
    task.numbers.update(bound=bound, places=table_size)
    task.given.update({name: xp.zeros(n, np.int64) for name in ("supply", "demand", *programs.WAYS)})
    task.given.update(aside=xp.zeros(n, np.uint8))
    if find_neighbours:
        task.given.update(table=xp.zeros(table_size, ids), degree=xp.zeros(n, ids))
        task.given.update(slot_of_arc=xp.empty(len(task.given["tail"]), ids))
    words = solve.run(task, None).words
    for name in ("table", *programs.WAYS):
        del task.given[name]
    supply, demand = (sum_of(words, name) for name in ("cut_supply", "cut_demand"))
    return 2 * words["neighbours"], supply, demand, direct, min(bound, min(supply, demand) + direct + 1)


def bound_on_device(network: FlowNetwork) -> Fraction:
    """What `konig.flow.inputs.network_bound` gives, for real capacities on a GPU.

    All of them together, where the finest unit will do for that; else by their profile in whole numbers.
    """
    given = network.capacities.given
    found = reals.profile(given)
    of_all = reals.sum_bound(len(given), found)
    if network.scale.exponent_for(of_all) == network.scale.finest:
        return of_all
    exponent = digits(of_all) - COARSE_DIGITS
    units = reals.multiples(given, exponent, UNBOUNDED, up=True)
    machine = reals.machine_of(given)
    ends = {"tail": network.tail, "head": network.head, "role": machine.xp.asarray(network.role)}
    task = programs.profile({**ends, "capacity": units}, network.undirected)
    *_, bound = _profiled(machine, task, False)
    return min(of_all, bound * Fraction(2) ** exponent)


@dataclass(frozen=True, eq=False)
class BuiltGrid:
    """The residual network of a grid, and its capacities: none of them more than the largest flow and one."""

    xp: Any
    grid: Any
    residual: Residual
    bound: int
    _sink: Any
    _between: Any

    def value(self) -> int | None:
        """What reaches the sink; None if that is above 2**62."""
        brought = whole_sum(self._sink - self.residual.to_sink)
        return None if brought >= TOO_LARGE else brought

    def flows(self) -> tuple[Any, Any, Any]:
        """The flow from the source, to the sink, and in each direction, after a solve."""
        xp, shape, slots = self.xp, self.grid.shape, self.residual.slots
        source = self.residual.to_source.astype(np.int64).reshape(shape)
        sink = (self._sink - self.residual.to_sink).astype(np.int64).reshape(shape)
        left = columns(slots.reshape(*shape, self.grid.connectivity, slots.shape[1]))[2]
        flow = xp.zeros((self.grid.connectivity, *shape), np.int64)
        for k, (here, _, capacity) in enumerate(self.grid.steps(self._between)):
            flow[(k, *here)] = xp.maximum(capacity - left[(*here, k)], 0)
        return source, sink, flow


def build_grid(xp: Any, grid: Any) -> BuiltGrid | None:
    """The layout of a grid; None if what leaves the source may not fit a word."""
    source, sink = xp.asarray(grid.source.units), xp.asarray(grid.sink.units)
    bound = min(whole_sum(source), whole_sum(sink), TOO_LARGE - 1) + 1
    source, sink = xp.minimum(source, bound), xp.minimum(sink, bound)
    supply, demand = whole_sum(source), whole_sum(sink)
    if max(supply, demand) > TOO_LARGE:
        return None
    shape, degree, n = grid.shape, grid.connectivity, grid.num_pixels
    between = grid.by_direction(xp.minimum(xp.asarray(grid.neighbour.units), bound))
    largest = int(between.max()) if between.size else 0
    ids = index_type(n, n * degree // 2)
    amounts = amount_type(ids, largest, supply, demand)
    slots = empty_slots(xp, n * degree, ids, amounts)
    other, reverse, out, back = columns(slots.reshape(*shape, degree, slots.shape[1]))
    pixel = xp.arange(n, dtype=ids).reshape(shape)
    other[:] = pixel[..., np.newaxis]
    for k, (here, there, capacity) in enumerate(grid.steps(between)):
        opposite = (k + degree // 2) % degree
        other[(*here, k)] = pixel[there]
        reverse[(*here, k)] = pixel[there] * degree + opposite
        out[(*here, k)] = capacity
        back[(*there, opposite)] = capacity
    at_once = xp.minimum(source, sink)
    to_sink, to_source, held = (part.astype(amounts) for part in (sink - at_once, source, source - at_once))
    residual = Residual(xp.arange(n + 1, dtype=ids) * degree, slots, to_sink, to_source, held, degree)
    return BuiltGrid(xp, grid, residual, bound, sink, between)
