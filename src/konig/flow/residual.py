"""The residual network of arcs and the flow of arcs off it, on a CPU team or on a GPU.

The layout is that of ``konig/flow/residual.h``, the program that makes it ``konig/flow/build.h``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from konig import _native
from konig.flow.capacities import TOO_LARGE, total
from konig.gpu import cuda
from konig.gpu.programs import BLOCK_THREADS

INT32_MAX = np.iinfo(np.int32).max
SURVEY, ENTER, LAY_OUT, FEED, DEAL = range(5)  # enum Stage of konig/flow/build.h
# struct Totals, word by word; sums in two parts, of which the first counts in units of 2**LOW_BITS.
TOTALS = (
    *("supply", "supply_low", "demand", "demand_low", "straight", "straight_low"),
    *("inner", "neighbours", "longest", "budget", "hungry", "value", "value_low"),
)
LOW_BITS = 31
ENOUGH = 1 << 62
UNBOUNDED = (1 << 63) - 1

# The arrays in the order in which the stages take them.
_ARRAYS = (
    *("table", "slot_of_arc", "start", "degree", "supply", "demand"),
    *("slots", "to_sink", "to_source", "excess", "cut", "initial", "balance", "flow", "totals"),
)
_OF_AMOUNTS = ("slots", "to_sink", "to_source", "excess")
_OF_IDS = ("table", "slot_of_arc", "start", "degree")
Stage = Callable[[int, int, bool, dict[str, Any]], None]


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


def index_type(vertices: int, slots: int) -> Any:
    """The narrowest type for the ids of vertices and slots."""
    return np.int32 if max(vertices, slots) < INT32_MAX - 1 else np.int64


def amount_type(ids: Any, most: int, *totals: int) -> Any:
    """32 bits where ids have as many and all residual capacities and sums of excess fit.

    ``most`` is the largest capacity, ``totals`` are sums that the excess of a vertex may reach.
    """
    return np.int64 if ids == np.int64 or max(2 * most, *totals) > INT32_MAX else np.int32


def empty_slots(xp: Any, count: int, ids: Any, amounts: Any) -> Any:
    """Slots all zero: four words each, or three of which the first holds two ids."""
    return xp.zeros((count, 4 if ids == amounts else 3), amounts)


def columns(slots: Any) -> tuple[Any, Any, Any, Any]:
    """The parts of the slots as views: other end, mate, residual capacity out and in."""
    if slots.shape[-1] == 4:
        return slots[..., 0], slots[..., 1], slots[..., 2], slots[..., 3]
    ids = slots.view(np.int32)
    return ids[..., 0], ids[..., 1], slots[..., 1], slots[..., 2]


class Built:
    """The residual network of arcs, and what reads their flow off it."""

    def __init__(self, residual: Residual, arrays: dict[str, Any], role: Any, run: Stage, bound: int):
        self.residual = residual
        self.bound = bound  # more than the flow can bring
        self.straight = _sum(_read(arrays["totals"]), "straight")  # from the sources to the sinks at once
        self._arrays, self._role, self._run = arrays, role, run

    def value(self) -> int:
        """What the sinks receive."""
        return self.straight + total(self._arrays["demand"]) - total(self.residual.to_sink)

    def feed(self, source_side: Any) -> bool:
        """Whether the sources had more to give than they could at once, and have given some of it now.

        Only what the side of the sources does not hold gets more. That ends: a round that strands nothing has
        brought more than 2**62, and what stranded is on the side of the sources from then on.
        """
        totals = self._arrays["totals"]
        value = self.value()
        if _read(totals)["hungry"] == 0 or value >= TOO_LARGE:
            return False
        budget = TOO_LARGE - value
        totals[TOTALS.index("budget")], totals[TOTALS.index("hungry")] = budget, 0
        self._arrays["cut"] = source_side
        self._run(FEED, self.bound, True, self._arrays)
        return _read(totals)["budget"] < budget

    def answer(self, source_side: Any) -> tuple[int | None, Any, Any]:
        """The value (None if it is too large), the flow of each arc and the source side, after a solve."""
        self._run(DEAL, self.bound, False, self._arrays)
        value = _sum(_read(self._arrays["totals"]), "value")
        side = ((source_side != 0) | (self._role == 1)) & (self._role != 2)
        return (None if value >= TOO_LARGE else value), self._arrays["flow"], side


def _build(xp: Any, arcs: tuple[Any, Any, Any], role: Any, initial: Any, ids: Any, run: Stage) -> Built:
    """The residual network of arcs in arrays of ``xp``, with a flow to start from on it if one is given."""
    n, m = len(role), len(arcs[0])
    arrays: dict[str, Any] = {name: xp.empty(0, np.int64) for name in _ARRAYS}
    arrays |= {name: xp.empty(0, ids) for name in (*_OF_AMOUNTS, *_OF_IDS)}
    arrays |= {"totals": xp.zeros(len(TOTALS), np.int64), "cut": xp.empty(0, np.uint8), "initial": None}
    run(SURVEY, UNBOUNDED, False, arrays)
    words = _read(arrays["totals"])
    supply, demand, straight = (_sum(words, name) for name in ("supply", "demand", "straight"))
    bound = min(min(supply, demand) + straight, ENOUGH) + 1
    scarce = supply > ENOUGH
    places = 1 << max(1, (2 * words["inner"] - 1).bit_length())
    arrays |= {"table": xp.zeros(places, ids), "slot_of_arc": xp.empty(m, ids)}
    arrays |= {"start": xp.empty(n + 1, ids), "degree": xp.zeros(n, ids)}
    arrays |= {name: xp.zeros(n, np.int64) for name in ("supply", "demand")}
    run(ENTER, bound, False, arrays)
    words = _read(arrays["totals"])
    amounts = amount_type(ids, bound, supply, demand)
    arrays |= {name: xp.empty(n, amounts) for name in ("to_sink", "to_source", "excess")}
    slots = empty_slots(xp, 2 * words["neighbours"], ids, amounts)
    arrays |= {"table": xp.empty(0, ids), "slots": slots.reshape(-1), "flow": xp.empty(m, np.int64)}
    if scarce:
        arrays["cut"] = xp.zeros(n, np.uint8)
        arrays["totals"][TOTALS.index("budget")] = TOO_LARGE
    if initial is not None and total(xp.minimum(abs(initial), arcs[2])) <= ENOUGH:
        arrays |= {"initial": initial, "balance": xp.zeros(n, np.int64)}
    run(LAY_OUT, bound, scarce, arrays)
    arrays |= {"initial": None, "balance": xp.empty(0, np.int64)}
    parts = arrays["start"], slots, arrays["to_sink"], arrays["to_source"], arrays["excess"]
    residual = Residual(*parts, -_read(arrays["totals"])["longest"])
    return Built(residual, arrays, role, run, bound)


def build_on_team(
    arcs: tuple[np.ndarray, np.ndarray, np.ndarray],
    role: np.ndarray,
    undirected: bool,
    initial: np.ndarray | None = None,
    **workers: Any,
) -> Built:
    """The residual network of arcs on the host, by a team of CPU threads."""
    ids = index_type(len(role), 2 * len(arcs[0]))
    tail, head = (np.ascontiguousarray(end, ids) for end in arcs[:2])

    def run(stage: int, bound: int, scarce: bool, arrays: dict[str, Any]) -> None:
        given = tail, head, arcs[2], role, undirected, bound, scarce
        parts: tuple[Any, ...] = tuple(arrays[name] for name in _ARRAYS)
        _native.build_residual(*given, *parts, {"stage": stage, **workers})  # type: ignore[call-overload]

    return _build(np, arcs, role, initial, ids, run)


def build_on_gpu(
    cupy: Any,
    arcs: tuple[Any, Any, Any],
    role: Any,
    undirected: bool,
    seconds: dict[str, float],
    initial: Any = None,
) -> Built:
    """The same on the current device."""
    ids = index_type(len(role), 2 * len(arcs[0]))
    tail, head = (end.astype(ids, copy=False) for end in arcs[:2])
    control: dict[int, Any] = {}

    def run(stage: int, bound: int, scarce: bool, arrays: dict[str, Any]) -> None:
        bits = 8 * arrays["excess"].dtype.itemsize
        kernel = build_kernel(cupy, 8 * tail.dtype.itemsize, bits, seconds)
        wanted = max(1, -(-max(len(tail), len(role)) // BLOCK_THREADS))
        blocks = min(wanted, cuda.resident_blocks(cupy, kernel))
        if bits not in control:
            control[bits] = cuda.control(cupy, blocks)
        numbers = [np.int64(number) for number in (stage, len(role), len(tail))]
        more = [np.int64(number) for number in (undirected, bound, scarce, len(arrays["table"]))]
        parts = (np.uint64(0) if arrays[name] is None else arrays[name] for name in _ARRAYS)
        arguments = (*numbers, tail, head, arcs[2], role, *more, *parts, control[bits])
        kernel((blocks,), (BLOCK_THREADS,), (*arguments, np.int64(cuda.BUDGET_NS)))

    return _build(cupy, arcs, role, initial, ids, run)


def build_kernel(cupy: Any, id_bits: int, amount_bits: int, seconds: dict[str, float]) -> Any:
    """The kernel for ids and amounts of so many bits; its first compilation is added to ``seconds``."""
    with cuda.timed_compilation(seconds):
        options = (f"-DKONIG_AMOUNT_BITS={amount_bits}",)
        return cuda.module(cupy, "residual", id_bits, id_bits, False, options).get_function("residual")


def _read(totals: Any) -> dict[str, int]:
    host = totals if isinstance(totals, np.ndarray) else totals.get()
    return dict(zip(TOTALS, host.tolist(), strict=True))


def _sum(words: dict[str, int], name: str) -> int:
    return (words[name] << LOW_BITS) + words[f"{name}_low"]
