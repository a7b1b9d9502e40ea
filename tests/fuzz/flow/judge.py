"""Is this a maximum flow, and is that a minimum cut? Decided in exact arithmetic."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from ..case import Violation
from ..exact import as_integers, fraction, power, ratio, shown, ulp
from ..knobs import beyond_a_method
from .network import Network

# Integer values above this are refused, and nothing below.
LARGEST = 2**62
# What a certificate must never let pass.
GRAVE = frozenset(
    {
        "shape",
        "flow type",
        "capacity exceeded",
        "not conserved",
        "value",
        "not maximum",
        "cut",
        "cut not minimum",
    }
    | {"gap below proof", "gap too large"}
)


def judge(
    network: Network, value: Any, flow: np.ndarray, cut: Any, gap: Any = None, *, gap_required: bool = False
) -> Iterator[Violation]:
    """Every way in which a flow (one number for each arc of the network) and a cut break the contract."""
    side = np.asarray(cut)
    if flow.shape != network.tail.shape or side.shape != (network.num_vertices,):
        yield Violation("shape", f"a flow of shape {flow.shape} and a cut of shape {side.shape}")
        return
    if flow.dtype.kind != ("i" if network.whole else "f") or side.dtype != bool:
        yield Violation("flow type", f"flow {flow.dtype}, cut {side.dtype} for {network.capacity.dtype}")
        return
    if not network.whole and not np.isfinite(flow).all():
        yield Violation("capacity exceeded", "a flow is not finite")
        return
    (units,), exponent = as_integers(flow)
    carried, unit = units.tolist(), power(exponent)
    yield from _judge_capacities(network, carried, exponent)
    net = _net(network, carried)
    terminals = set(network.sources) | set(network.sinks)
    lost = next((v for v in range(network.num_vertices) if v not in terminals and net[v]), None)
    if lost is not None:
        size = ratio(Fraction(abs(net[lost])), Fraction(sum(map(abs, carried))))
        yield Violation("not conserved", f"vertex {lost} keeps {shown(-net[lost] * unit)}", size)
    brought = sum(net[v] for v in set(network.sources)) * unit
    yield from _judge_value(network, value, brought)
    yield from _judge_optimality(network, brought, side, gap, gap_required)
    yield from _judge_circulation(network, carried)


def _judge_capacities(network: Network, carried: list[int], exponent: int) -> Iterator[Violation]:
    units, of_capacities = network.exact
    low = min(exponent, of_capacities)
    up, up_capacity = exponent - low, of_capacities - low
    for k, (f, c) in enumerate(zip(carried, units, strict=True)):
        negative = f < 0 and not network.undirected
        if negative or (c is not None and abs(f) << up > c << up_capacity):
            carries = shown(f * power(exponent))
            yield Violation("capacity exceeded", f"arc {k} carries {carries} of {network.capacity[k]!r}")
            return


def _net(network: Network, carried: list[int]) -> list[int]:
    """What leaves each vertex, less what enters it."""
    net = [0] * network.num_vertices
    for (t, h), f in zip(network.ends, carried, strict=True):
        if f and t != h:
            net[t] += f
            net[h] -= f
    return net


def _judge_value(network: Network, value: Any, brought: Fraction) -> Iterator[Violation]:
    if network.whole:
        if not isinstance(value, int | np.integer) or value != brought:
            yield Violation("value", f"value={value!r}, but the flow brings {shown(brought)}")
    elif not isinstance(value, float | np.floating) or not math.isfinite(value):
        yield Violation("value", f"value={value!r} is no finite float")
    elif abs(fraction(value) - brought) > ulp(value):
        size = ratio(abs(fraction(value) - brought), brought)
        yield Violation("value", f"value={value!r}, but the flow brings {shown(brought)}", size)


def _judge_optimality(
    network: Network, brought: Fraction, side: np.ndarray, gap: Any, gap_required: bool
) -> Iterator[Violation]:
    best = network.optimum
    if best is None:
        yield Violation("accepted though unbounded", f"a value of {shown(brought)}")
        return
    if not all(side[list(network.sources)]) or any(side[list(network.sinks)]):
        yield Violation("cut", "it does not part the sources from the sinks")
        return
    across = network.cut_capacity(side.tolist())
    exactly = representable(network)
    limit = Fraction(0) if exactly else rounding(network)
    if best - brought > limit:
        size = ratio(best - brought, best)
        yield Violation("not maximum", f"{shown(brought)}, but {shown(best)} is possible", size)
    if across is None or across - best > limit:
        size = ratio(across - best, best) if across is not None else math.inf
        yield Violation("cut not minimum", f"it has {across if across is None else shown(across)}", size)
        return
    if network.whole:
        if gap is not None and gap != 0:
            yield Violation("gap too large", f"gap={gap!r} for integers")
        return
    if gap is None:
        if gap_required:
            yield Violation("gap missing", "the answer has no gap")
    elif not isinstance(gap, int | float) or not 0 <= gap < math.inf:
        yield Violation("gap too large", f"gap={gap!r}")
    elif fraction(gap) < across - brought:
        yield Violation(
            "gap below proof", f"gap={gap!r}, but the cut is {shown(across - brought)} above the flow"
        )
    elif fraction(gap) > 2 * limit:
        yield Violation(
            "gap too large", f"gap={gap!r}, at most {shown(2 * limit)}", ratio(fraction(gap), best)
        )


def excused(network: Network, how: dict[str, Any], error: Exception) -> bool:
    """Values beyond 2**62, flows without bound and too many arcs for a method without lists are refused."""
    if network.optimum is None or beyond_a_method(error):
        return True
    if network.whole:
        return network.optimum > LARGEST or any(int(c) >= 2**63 for c in network.capacity.tolist())
    return bool(how.get("exact")) and not representable(network)


def representable(network: Network) -> bool:
    """Whether every flow is a multiple of the unit that float64 holds: then nothing need be rounded."""
    return network.whole or usable(network) < 2**53


def usable(network: Network) -> int:
    """An upper bound for what any arc can carry, in units: what the terminals' arcs and all arcs allow."""
    out, into = 0, 0
    sources, sinks = set(network.sources), set(network.sinks)
    beyond = network.finite_sum
    for (t, h), c in zip(network.ends, network.exact[0], strict=True):
        c = beyond if c is None else c
        if (t in sources) != (h in sources) and (t in sources or network.undirected):
            out += c
        if (t in sinks) != (h in sinks) and (h in sinks or network.undirected):
            into += c
    return min(out, into, network.finite_sum)


def rounding(network: Network) -> Fraction:
    """What may be lost where capacities are rounded once: a few units in the last place for each arc."""
    return len(network.tail) * usable(network) * network.unit * power(-50)


def _judge_circulation(network: Network, carried: list[int]) -> Iterator[Violation]:
    """Flow in a circle could be cancelled; several terminals act as one."""
    merged = dict.fromkeys(network.sources, -1) | dict.fromkeys(network.sinks, -2)
    successors: dict[int, list[int]] = {}
    entering: Counter[int] = Counter()
    for (t, h), f in zip(network.ends, carried, strict=True):
        if f:
            a, b = (t, h) if f > 0 else (h, t)
            successors.setdefault(merged.get(a, a), []).append(merged.get(b, b))
            entering[merged.get(b, b)] += 1
    # What can be put in an order along the flow lies on no circle.
    queue = [v for v in successors if not entering[v]]
    for v in queue:
        for w in successors.pop(v, ()):
            entering[w] -= 1
            if not entering[w]:
                queue.append(w)
    if successors:
        arcs = sorted((v, w) for v, heads in successors.items() for w in heads if w in successors)
        yield Violation("circulation", f"flow runs in circles: {arcs[:6]} (-1, -2: the terminals)")
