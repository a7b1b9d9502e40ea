"""Networks in plain arrays of integers: one native call, and next to no Python around it.

What is not plain (real capacities, several sources, bad ids) is None here and goes the long way, which finds
out what there is to say about it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from konig import _native
from konig.flow_network import as_network
from konig.interop import arrays
from konig.results import Flow

_UNITS = np.dtype(np.int64)
_PARTS = ("build", "start", "solve", "extract")


def plain_flow(capacity: Any, source: int, sink: int, num_vertices: int | None) -> Flow | None:
    """The answer of ``auto`` to a plain problem, or None."""
    if num_vertices is not None and num_vertices < 0:
        return None
    found: Any = None
    if type(capacity) is tuple and len(capacity) == 3:
        tail, head, amount = capacity
        if type(tail) is type(head) is type(amount) is np.ndarray:
            vertices = -1 if num_vertices is None else num_vertices
            found = _native.flow_of_arcs(tail, head, amount, vertices, source, sink)
    elif sp.issparse(capacity) and capacity.format == "csr" and num_vertices is None:
        rows, cols = capacity.shape
        start, head, amount = capacity.indptr, capacity.indices, capacity.data
        if rows == cols and type(start) is type(head) is type(amount) is np.ndarray:
            found = _native.flow_of_lists(start, head, amount, rows, source, sink)
    if found is None:
        return None
    return Flow.from_packed(_unpack, (capacity, source, sink, *found))


def _unpack(
    name: str,
    capacity: Any,
    source: int,
    sink: int,
    packed: bytes,
    value: int,
    counts: Any,
    seconds: float,
    arcs: int,
    vertices: int,
) -> dict[str, Any]:
    if name == "network":
        known = None if sp.issparse(capacity) else vertices
        return {"network": as_network(capacity, source, sink, num_vertices=known)}
    flow: Any = np.frombuffer(packed, _UNITS, arcs)
    if name == "flow" and sp.issparse(capacity):
        head, start = capacity.indices[:arcs].astype(np.int32), capacity.indptr.astype(np.int32)
        return {"flow": sp.csr_array((flow.copy(), head, start), shape=capacity.shape)}
    stats = _native.counts_of(counts)
    parts = {part: stats.pop(f"{part}_seconds", 0.0) for part in _PARTS}
    trees = stats.pop("trees")
    return {
        "value": value,
        **({} if sp.issparse(capacity) else {"flow": flow}),
        "cut": np.frombuffer(packed, np.bool_, vertices, 8 * arcs),
        "method": "bk" if trees and not stats["handed_over"] else "hl-pr",
        "device": "cpu",
        "stats": {**stats, "seconds": {"convert": 0.0, **parts, "main": seconds, "total": seconds}},
        "place": arrays.HOST,
    }
