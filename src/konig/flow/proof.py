"""Is it a flow, is it a cut, and are they equal?"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from konig.errors import CertificateError
from konig.exact_reals import exact_sum, finest_exponent, float_above, multiples, whole_sum
from konig.flow.capacities import LARGEST_FLOW, Scale
from konig.refusal import Array, check_array, check_number, in_float64, refuse_if

_MOST_DIGITS = 62
_UNBOUNDED = np.iinfo(np.int64).max
_LOW = (1 << 31) - 1  # sums are kept in two halves: no number of arcs that fits memory makes them overflow


def check_flow(
    tail: Array, head: Array, capacity: Array, flow: Array, role: Array, undirected: bool = False
) -> int:
    """Check capacities and conservation in whole numbers; return the value of the flow.

    ``role`` is 1 at sources, 2 at sinks and 0 elsewhere. Directed arcs carry 0 to their capacity, and no pair
    of vertices carries flow both ways; undirected ones carry up to their capacity either way, with a sign.
    """
    check_array("the flow", flow, "i", capacity.shape)
    lowest = -capacity if undirected else np.zeros_like(capacity)
    wrong = np.flatnonzero((flow < lowest) | (flow > capacity))
    refuse_if(
        wrong,
        lambda k: f"arc {k} ({tail[k]} to {head[k]}) carries {flow[k]}, not in [{lowest[k]}, {capacity[k]}]",
    )
    _check_one_way(tail, head, flow)
    high, low = _net_outflow(tail, head, flow, len(role))
    wrong = np.flatnonzero((role == 0) & ((high != 0) | (low != 0)))
    refuse_if(wrong, lambda v: f"vertex {v} sends {(int(high[v]) << 31) + int(low[v])} more than it receives")
    return sum((int(high[s]) << 31) + int(low[s]) for s in np.flatnonzero(role == 1))


def _net_outflow(tail: Array, head: Array, flow: Array, vertices: int) -> tuple[Array, Array]:
    """What leaves each vertex minus what enters it, as (high, low) with 0 <= low < 2**31."""
    high, low = np.zeros(vertices, np.int64), np.zeros(vertices, np.int64)
    for sums, part in ((high, flow >> 31), (low, flow & _LOW)):
        np.add.at(sums, tail, part)
        np.subtract.at(sums, head, part)
    return high + (low >> 31), low & _LOW


def _check_one_way(tail: Array, head: Array, flow: Array) -> None:
    """No pair of vertices carries flow in both directions; a loop carries none."""
    used = np.flatnonzero(flow != 0)
    from_vertex = np.where(flow[used] > 0, tail[used], head[used]).astype(np.int64)
    to_vertex = np.where(flow[used] > 0, head[used], tail[used]).astype(np.int64)
    lesser, greater = np.minimum(from_vertex, to_vertex), np.maximum(from_vertex, to_vertex)
    order = np.lexsort((from_vertex, greater, lesser))
    same = (np.diff(lesser[order]) == 0) & (np.diff(greater[order]) == 0)
    turned = same & (np.diff(from_vertex[order]) != 0)
    wrong = order[np.flatnonzero(turned) + 1]
    refuse_if(wrong, lambda k: f"vertices {lesser[k]} and {greater[k]} carry flow both ways")
    loops = used[from_vertex == to_vertex]
    refuse_if(loops, lambda k: f"arc {k} is a loop at {tail[k]} and carries {flow[k]}")


def crossing_arcs(tail: Array, head: Array, cut: Array, undirected: bool = False) -> Array:
    """The arcs that lead from the source side to the sink side."""
    crosses = cut[tail] & ~cut[head]
    if undirected:
        crosses |= cut[head] & ~cut[tail]
    return np.flatnonzero(crosses)


def check_cut(
    tail: Array, head: Array, capacity: Array, cut: Array, role: Array, undirected: bool = False
) -> int:
    """Check that the mask parts the sources from the sinks; return the capacity of the cut."""
    check_array("the cut", cut, "b", role.shape)
    refuse_if(np.flatnonzero((role == 1) & ~cut), lambda v: f"source {v} is on the sink side of the cut")
    refuse_if(np.flatnonzero((role == 2) & cut), lambda v: f"sink {v} is on the source side of the cut")
    return whole_sum(capacity[crossing_arcs(tail, head, cut, undirected)])


def check_maximum_flow(
    tail: Array, head: Array, capacity: Array, flow: Array, cut: Array, role: Array, undirected: bool = False
) -> tuple[Fraction, Array]:
    """Prove by how much at most a flow falls short of a maximum one: no flow exceeds any cut.

    Capacities are integers or float64 numbers, which may be infinite. Returns the value of the flow and the
    capacities of the arcs of the cut, which bound it: a flow of as much as they sum up to is maximum.
    """
    check_array("the flow", flow, "if", capacity.shape)
    limits, units, exponent = _in_one_unit(capacity, flow)
    value = check_flow(tail, head, limits, units, role, undirected)
    check_cut(tail, head, limits, cut, role, undirected)
    across = capacity[crossing_arcs(tail, head, cut, undirected)]
    if capacity.dtype.kind == "f":
        refuse_if(np.flatnonzero(np.isinf(across)), lambda _: "the capacity of the cut is infinite")
    return value * Fraction(2) ** exponent, across


def _in_one_unit(capacity: Array, flow: Array) -> tuple[Array, Array, int]:
    """Capacities, rounded down, and flows as whole numbers of a power of two, and its exponent."""
    refuse_if(np.flatnonzero(~np.isfinite(flow)), lambda k: f"arc {k} carries {flow[k]}")
    if capacity.dtype.kind != "f":
        if flow.dtype.kind == "f":
            wrong = np.flatnonzero((flow % 1 != 0) | (np.abs(flow) > LARGEST_FLOW))
            refuse_if(wrong, lambda k: f"arc {k} carries {flow[k]}, no whole number up to 2**62")
        return capacity, flow.astype(np.int64), 0
    real = in_float64("the flow", flow)
    exponent = finest_exponent(real) or 0
    size = np.abs(real)
    if np.frexp(size.max(initial=0.0))[1] - exponent > _MOST_DIGITS:
        raise CertificateError(
            f"the flows are whole numbers of 2**{exponent} at best, and one of them takes more than "
            f"{_MOST_DIGITS} binary digits"
        )
    units = multiples(size, exponent, 0)
    return multiples(capacity, exponent, _UNBOUNDED), np.where(real < 0, -units, units), exponent


def check_gap(claimed: int | float, gap: int | float, value: Fraction, across: Array, scale: Scale) -> None:
    """Check the value that an answer claims, and that its cut is no larger than the gap allows.

    ``value`` and ``across`` are what `check_maximum_flow` returned.
    """
    check_number("value", claimed)
    check_number("gap", gap)
    capacity = exact_sum(across)
    lacking = capacity - value
    if lacking > 0 and not (math.isfinite(gap) and scale.explains(lacking, across)):
        raise CertificateError(
            f"the flow has value {_shown(value)} but the cut has capacity {_shown(capacity)}, "
            "more than rounding explains"
        )
    if not lacking <= gap <= float_above(lacking):
        raise CertificateError(
            f"the flow has value {_shown(value)} but the cut has capacity {_shown(capacity)}: "
            f"not the gap of {gap} that the answer claims"
        )
    if not math.isfinite(claimed) or value != Fraction(claimed):
        raise CertificateError(f"the answer claims value {claimed} but brings {_shown(value)}")


def _shown(number: Fraction) -> str:
    return str(number.numerator) if number.denominator == 1 else repr(float(number))
