"""The residual network of a grid for synchronous push-relabel, made without lists of arcs.

Slot ``k`` of a pixel is its neighbour in direction k of :func:`konig.grid_offsets`; what leads out of the
grid leads nowhere. Written for ``xp``, NumPy or CuPy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from konig.exact_reals import whole_sum
from konig.flow.capacities import TOO_LARGE
from konig.flow.inputs import index_type
from konig.flow.residual import Residual, amount_type, columns, empty_slots


@dataclass(frozen=True, eq=False)
class BuiltGrid:
    """The residual network of a grid, and its capacities: none of them more than the largest flow and one."""

    xp: Any
    grid: Any
    residual: Residual
    bound: int
    _source: Any
    _sink: Any
    _between: Any

    def value(self) -> int | None:
        """What reaches the sink; None if that is above 2**62."""
        brought = whole_sum(self._sink - self.residual.to_sink)
        return None if brought >= TOO_LARGE else brought

    def flows(self) -> tuple[Any, Any, Any]:
        """The flow from the source, to the sink, and in each direction, after a solve."""
        xp, shape = self.xp, self.grid.shape
        source = self.residual.to_source.astype(np.int64).reshape(shape)
        sink = (self._sink - self.residual.to_sink).astype(np.int64).reshape(shape)
        left = columns(self.residual.slots.reshape(*shape, self.grid.connectivity, -1))[2]
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
    between = xp.minimum(xp.asarray(grid.neighbour.units), bound).reshape(-1, *shape)
    most = int(between.max()) if between.size else 0
    ids = index_type(n, n * degree // 2)
    amounts = amount_type(ids, most, supply, demand)
    slots = empty_slots(xp, n * degree, ids, amounts)
    other, mate, out, back = columns(slots.reshape(*shape, degree, -1))
    pixel = xp.arange(n, dtype=ids).reshape(shape)
    other[:] = pixel[..., np.newaxis]
    for k, (here, there, capacity) in enumerate(grid.steps(between)):
        opposite = (k + degree // 2) % degree
        other[(*here, k)] = pixel[there]
        mate[(*here, k)] = pixel[there] * degree + opposite
        out[(*here, k)] = capacity
        back[(*there, opposite)] = capacity
    at_once = xp.minimum(source, sink)
    to_sink, to_source, held = (part.astype(amounts) for part in (sink - at_once, source, source - at_once))
    residual = Residual(xp.arange(n + 1, dtype=ids) * degree, slots, to_sink, to_source, held, degree)
    return BuiltGrid(xp, grid, residual, bound, source, sink, between)
