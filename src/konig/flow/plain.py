"""Networks in plain arrays of integers: one native call, and next to no Python around it.

What is not plain (real capacities, several sources, bad ids) is None here and goes the long way, which finds
out what there is to say about it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from konig import _native
from konig.flow.capacities import Capacities
from konig.flow.cpu import default_plan
from konig.flow.inputs import ArcEnds, FlowNetwork, SortedLists, roles
from konig.flow.result import Flow
from konig.interop import arrays

_UNITS = np.dtype(np.int64)
# Beyond this the long way costs no more: fresh pages of bytes cost more than arrays in large pages.
MOST_ARCS = 1 << 18
_PARTS = ("build", "start", "solve", "extract")


def plain_flow(capacity: Any, source: int, sink: int, num_vertices: int | None) -> Flow | None:
    """The answer of ``auto`` to a plain problem, or None."""
    if num_vertices is not None and num_vertices < 0:
        return None
    found: Any = None
    matrix = False
    if type(capacity) is tuple and len(capacity) == 3:
        tail, head, amount = capacity
        if type(tail) is type(head) is type(amount) is np.ndarray and len(tail) <= MOST_ARCS:
            vertices = -1 if num_vertices is None else num_vertices
            found = _native.flow_of_arcs(tail, head, amount, vertices, source, sink, default_plan())
    elif sp.issparse(capacity) and capacity.format == "csr" and num_vertices is None:
        matrix = True
        rows, cols = capacity.shape
        start, head, amount = capacity.indptr, capacity.indices, capacity.data
        plain = type(start) is type(head) is type(amount) is np.ndarray
        if plain and rows == cols and len(head) <= MOST_ARCS:
            found = _native.flow_of_lists(start, head, amount, rows, source, sink, default_plan())
    if found is None:
        return None
    return Flow.from_packed(_unpack, (matrix, source, sink, *found))


def _unpack(
    name: str,
    matrix: bool,
    source: int,
    sink: int,
    packed: bytes,
    value: int,
    counts: Any,
    seconds: float,
    arcs: int,
    vertices: int,
) -> dict[str, Any]:
    """Fields of the answer, made of the bytes that the native call packed: nothing else is read."""
    count = vertices + 1 if matrix else arcs  # of the places where lists begin, or of the tails
    flow: Any = np.frombuffer(packed, _UNITS, arcs)
    if name == "network" or (name == "flow" and matrix):
        head: Any = np.frombuffer(packed, np.int32, arcs, 16 * arcs)
        ends: Any = np.frombuffer(packed, np.int32, count, 20 * arcs)
        shape = (vertices, vertices) if matrix else None
        if name == "flow":
            return {"flow": sp.csr_array((flow.copy(), head.copy(), ends.copy()), shape=shape)}
        capacity: Any = np.frombuffer(packed, _UNITS, arcs, 8 * arcs)
        lists = ArcEnds(SortedLists(ends, head) if matrix else (ends, head), vertices)
        role = roles(vertices, source, sink)
        return {"network": FlowNetwork(lists, Capacities(capacity), role, shape=shape)}
    stats = _native.counts_of(counts)
    parts = {part: stats.pop(f"{part}_seconds", 0.0) for part in _PARTS}
    trees = stats.pop("trees")
    return {
        "value": value,
        **({} if matrix else {"flow": flow}),
        "cut": np.frombuffer(packed, np.bool_, vertices, 20 * arcs + 4 * count),
        "gap": 0,
        "method": "bk" if trees and not stats["handed_over"] else "hl-pr",
        "device": "cpu",
        "stats": {**stats, "seconds": {"convert": 0.0, **parts, "main": seconds, "total": seconds}},
        "place": arrays.HOST,
    }
