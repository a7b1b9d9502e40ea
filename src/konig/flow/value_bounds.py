"""Bounds on the value of a flow of real capacities, found before it is: they choose the unit to solve in."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from konig.flow.grid_network import GridNetwork
from konig.flow.inputs import SINK, SOURCE, FlowNetwork

if TYPE_CHECKING:
    from konig.flow.device_network import DeviceNetwork

_ROUNDING = 1 + 2.0**-20  # more than float64 sums of as many numbers as fit memory can be off
_LOST = Fraction(2) ** -1074  # more than scaling can have taken from a number


def network_bound(network: FlowNetwork | DeviceNetwork) -> Fraction:
    """No flow of the network is larger, unless arcs without bound lead from a source to a sink."""
    xp, n = network.xp, len(network.role)
    scaled, exponent = _scaled(network.capacities.given)
    amounts, role = xp.asarray(scaled), xp.asarray(network.role)
    tail, head = network.ends_as_given()
    if network.undirected:
        tail, head = xp.concatenate((tail, head)), xp.concatenate((head, tail))
        amounts = xp.concatenate((amounts, amounts))
    own, other = role[tail], role[head]
    from_source = xp.flatnonzero((own == SOURCE) & (other != SOURCE))
    to_sink = xp.flatnonzero((other == SINK) & (own != SINK))
    supply, demand = (
        xp.bincount(end[arcs], amounts[arcs], n) for end, arcs in ((head, from_source), (tail, to_sink))
    )
    leaving, entering = (xp.bincount(end, amounts, n).astype(np.float64) for end in (tail, head))
    leaving[role == SINK] = np.inf
    entering[role == SOURCE] = np.inf
    return _bound(((supply, leaving), (demand, entering)), amounts, exponent)


def grid_bound(grid: GridNetwork) -> Fraction:
    """The same for the cut of a grid."""
    parts = (grid.source.given, grid.sink.given, grid.neighbour.given)
    scaled, exponent = _scaled(np.concatenate([part.ravel() for part in parts]))
    n = grid.num_pixels
    source, sink, between = scaled[:n], scaled[n : 2 * n], scaled[2 * n :].reshape(-1, *grid.shape)
    leaving, entering = np.zeros(grid.shape), np.zeros(grid.shape)
    for here, there, capacity in grid.steps(between):
        leaving[here] += capacity
        entering[there] += capacity
    ways = (source, leaving.ravel() + sink), (sink, entering.ravel() + source)
    return _bound(ways, scaled, exponent)


def _scaled(given: np.ndarray) -> tuple[np.ndarray, int]:
    """The numbers over a power of two not below any finite one, and its exponent: their sums are finite."""
    exponent = int(np.frexp(given[np.isfinite(given)].max(initial=0.0))[1])
    with np.errstate(under="ignore"):
        return np.ldexp(given, -exponent), exponent


def _bound(ways: Any, scaled: np.ndarray, exponent: int) -> Fraction:
    """What links to a terminal let through is no more than what their vertices pass on."""
    sums = [float(np.minimum(links, passed_on).sum()) for links, passed_on in ways]
    sums.append(float(scaled[scaled < np.inf].sum()))
    return (Fraction(min(sums) * _ROUNDING) + (len(scaled) + 1) * _LOST) * Fraction(2) ** exponent
