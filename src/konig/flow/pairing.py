"""Pairs of neighbours from arcs, and flows of arcs from pairs, on a CPU team or on a GPU.

The program is ``konig/flow/pairing.h``: the fast way to what :mod:`konig.flow.paired_arcs` makes with array
operations, for networks whose ids take 32 bits and whose sums of capacities fit a word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from konig import _native
from konig.flow.group_sums import TOO_LARGE
from konig.flow.paired_arcs import INT32_MAX, Pairs, empty_slots, widths
from konig.gpu import cuda
from konig.gpu.programs import BLOCK_THREADS

SURVEY, ENTER, LAY_OUT, DEAL = range(4)  # enum Stage of konig/flow/pairing.h
# struct Totals, word by word; sums in two parts, of which the second has LOW_BITS bits more than the first.
TOTALS = (
    *("supply", "supply_low", "demand", "demand_low", "straight", "straight_low", "inner", "widest"),
    *("pairs", "widest_pair", "longest", "value", "value_low"),
)
LOW_BITS = 31
ENOUGH = 1 << 62
UNBOUNDED = (1 << 63) - 1

# The arrays in the order in which the stages take them.
_ARRAYS = (
    *("keys", "up", "down", "at", "entry", "start", "degree", "supply", "demand"),
    *("slots", "to_sink", "to_source", "excess", "flow", "totals"),
)
_OF_AMOUNTS = ("slots", "to_sink", "to_source", "excess")
_OF_IDS = ("at", "entry", "start", "degree")
Stage = Callable[[int, int, dict[str, Any]], None]


@dataclass(frozen=True, eq=False)
class PairedNetwork:
    """The pairs of a network, and what reads the flow of its arcs off them."""

    pairs: Pairs
    straight: int  # what goes from the sources to the sinks at once
    bound: int  # more than the flow can bring
    role: Any
    _arrays: dict[str, Any]
    _run: Stage

    def answer(self, source_side: Any) -> tuple[int | None, Any, Any]:
        """The value (None if it is too large), the flow of each arc and the source side, after a solve."""
        arrays = self._arrays
        self._run(DEAL, self.bound, arrays)
        value = _sum(_read(arrays["totals"]), "value")
        side = ((source_side != 0) | (self.role == 1)) & (self.role != 2)
        return (None if value >= TOO_LARGE else value), arrays["flow"], side


def pair_network(
    xp: Any, tail: Any, head: Any, capacity: Any, role: Any, undirected: bool, run: Stage
) -> PairedNetwork | None:
    """The pairs of a network in arrays of ``xp``; None if it has too many vertices or too large sums."""
    n, m = len(role), len(tail)
    if max(n, 2 * m * (1 + undirected)) >= INT32_MAX - 1:
        return None
    arrays: dict[str, Any] = {name: xp.empty(0, np.int64) for name in _ARRAYS}
    arrays |= {name: xp.empty(0, np.int32) for name in (*_OF_AMOUNTS, *_OF_IDS)}
    arrays["totals"] = xp.zeros(len(TOTALS), np.int64)
    run(SURVEY, UNBOUNDED, arrays)
    words = _read(arrays["totals"])
    supply, demand, straight = (_sum(words, name) for name in ("supply", "demand", "straight"))
    bound = min(min(supply, demand) + straight, ENOUGH) + 1
    if max(supply, demand) + straight > ENOUGH or min(-words["widest"], bound) * words["inner"] * 2 > ENOUGH:
        return None
    places = 1 << max(1, (2 * words["inner"] - 1).bit_length())
    arrays |= {name: xp.zeros(places, np.int64) for name in ("keys", "up", "down")}
    arrays |= {name: xp.zeros(n, np.int64) for name in ("supply", "demand")}
    arrays |= {"at": xp.empty(places, np.int32), "entry": xp.empty(m, np.int32)}
    arrays |= {"start": xp.empty(n + 1, np.int32), "degree": xp.zeros(n, np.int32)}
    run(ENTER, bound, arrays)
    words = _read(arrays["totals"])
    ids, amounts = widths(n, words["pairs"], -words["widest_pair"], (supply, demand))
    arrays |= {name: xp.empty(n, amounts) for name in ("to_sink", "to_source", "excess")}
    slots = empty_slots(xp, 2 * words["pairs"], ids, amounts)
    arrays |= {"slots": slots.reshape(-1), "flow": xp.empty(m, np.int64)}
    run(LAY_OUT, bound, arrays)
    words = _read(arrays["totals"])
    parts = arrays["start"], slots, arrays["to_sink"], arrays["to_source"], arrays["excess"]
    return PairedNetwork(Pairs(*parts, -words["longest"]), straight, bound, role, arrays, run)


def on_team(
    tail: np.ndarray,
    head: np.ndarray,
    capacity: np.ndarray,
    role: np.ndarray,
    undirected: bool,
    **workers: Any,
) -> PairedNetwork | None:
    """The pairs of a network on the host, by a team of CPU threads."""
    if len(role) >= INT32_MAX:
        return None
    tail, head = (np.ascontiguousarray(end, np.int32) for end in (tail, head))

    def run(stage: int, bound: int, arrays: dict[str, Any]) -> None:
        given = tail, head, capacity, role, undirected, bound
        parts: tuple[Any, ...] = tuple(arrays[name] for name in _ARRAYS)
        _native.pair_arcs(*given, *parts, {"stage": stage, **workers})  # type: ignore[call-overload]

    return pair_network(np, tail, head, capacity, role, undirected, run)


def on_gpu(
    cupy: Any, tail: Any, head: Any, capacity: Any, role: Any, undirected: bool, seconds: dict[str, float]
) -> PairedNetwork | None:
    """The same on the current device."""
    if len(role) >= INT32_MAX:
        return None
    tail, head = (end.astype(np.int32, copy=False) for end in (tail, head))
    control: dict[int, Any] = {}

    def run(stage: int, bound: int, arrays: dict[str, Any]) -> None:
        bits = 8 * arrays["excess"].dtype.itemsize
        kernel = pairing_kernel(cupy, bits, seconds)
        wanted = max(1, -(-max(len(tail), len(role)) // BLOCK_THREADS))
        blocks = min(wanted, cuda.resident_blocks(cupy, kernel))
        if bits not in control:
            control[bits] = cuda.control(cupy, blocks)
        numbers = [np.int64(number) for number in (stage, len(role), len(tail))]
        more = [np.int64(number) for number in (undirected, bound, len(arrays["keys"]))]
        parts = (arrays[name] for name in _ARRAYS)
        arguments = (*numbers, tail, head, capacity, role, *more, *parts, control[bits])
        kernel((blocks,), (BLOCK_THREADS,), (*arguments, np.int64(cuda.BUDGET_NS)))

    return pair_network(cupy, tail, head, capacity, role, undirected, run)


def pairing_kernel(cupy: Any, amount_bits: int, seconds: dict[str, float]) -> Any:
    """The kernel for amounts of so many bits; what its first compilation takes is added to ``seconds``."""
    with cuda.timed_compilation(seconds):
        options = (f"-DKONIG_AMOUNT_BITS={amount_bits}",)
        return cuda.module(cupy, "pairing", 32, 32, False, options).get_function("pairing")


def _read(totals: Any) -> dict[str, int]:
    host = totals if isinstance(totals, np.ndarray) else totals.get()
    return dict(zip(TOTALS, host.tolist(), strict=True))


def _sum(words: dict[str, int], name: str) -> int:
    return (words[name] << LOW_BITS) + words[f"{name}_low"]
