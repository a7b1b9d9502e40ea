"""In place of ``scipy.sparse.csgraph.maximum_flow``."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

import konig
from konig import _native

# What runs under SciPy's names. Edmonds and Karp augment along one shortest path at a time, Dinic along all
# of one length before longer ones.
_DINIC = {"method": "dinic", "nearest": True}
METHODS: dict[str, dict[str, Any]] = {"auto": {}, "dinic": _DINIC, "edmonds_karp": _DINIC}


@dataclass(frozen=True, eq=False, repr=False)
class MaximumFlowResult:
    """What SciPy returns, and the minimum cut.

    Attributes
    ----------
    flow_value : int
        The value of the flow.
    flow : csr_array or csr_matrix
        Entry (i, j) is the net flow from i to j, so (j, i) is its negative.
    cut : array of bool
        True on the source side of a minimum cut; SciPy has nothing like it.
    """

    flow_value: int
    flow: Any
    cut: np.ndarray

    def __repr__(self) -> str:
        return f"MaximumFlowResult with value of {self.flow_value}"


def maximum_flow(csgraph: Any, source: int, sink: int, *, method: str = "auto") -> MaximumFlowResult:
    """A maximum flow between two vertices, as ``scipy.sparse.csgraph.maximum_flow`` returns it.

    Parameters
    ----------
    csgraph : csr_array or csr_matrix
        Square, of integers: entry (i, j) is the capacity of the arc from i to j.
    source, sink : int
        The vertices.
    method : {"auto", "dinic", "edmonds_karp"}
        "auto", the default, is what ``konig.maximum_flow`` chooses. SciPy's own names are both ``dinic``,
        which brings flow along shortest paths first as SciPy does, and on most networks is slower.

    Returns
    -------
    MaximumFlowResult
        ``flow_value`` and the antisymmetric ``flow``, in the class of the input, of int32 where that holds
        every flow as in SciPy and of int64 else; and ``cut``.

    Raises
    ------
    TypeError
        If the graph is not in CSR format.
    ValueError
        If it is not square or not of integers, a capacity is negative, the vertices are out of range or the
        same, or the value is above 2**62. (SciPy takes negative capacities, and wraps large ones around.)

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from konig.interop.scipy import maximum_flow
    >>> result = maximum_flow(csr_array([[0, 5, 0], [0, 0, 3], [0, 0, 0]]), 0, 2)
    >>> result.flow_value, result.flow.toarray().tolist(), result.cut.tolist()
    (3, [[0, 3, 0], [-3, 0, 3], [0, -3, 0]], [True, True, False])
    """
    if not (sp.issparse(csgraph) and csgraph.format == "csr"):
        raise TypeError("graph must be in CSR format")
    if csgraph.dtype.kind not in "iu":
        raise ValueError("graph capacities must be integers")
    if method not in METHODS:
        raise ValueError(f"{method} method is not supported yet.")
    vertices = csgraph.shape[0]
    if csgraph.shape[1] != vertices:
        raise ValueError("graph must be specified as a square matrix.")
    ends = {"source": operator.index(source), "sink": operator.index(sink)}
    for name, vertex in ends.items():
        if not 0 <= vertex < vertices:
            raise ValueError(f"{name} value ({vertex}) must be between 0 and {vertices - 1}")
    if ends["source"] == ends["sink"]:
        raise ValueError("source and sink vertices must differ")
    answer = konig.maximum_flow(csgraph, ends["source"], ends["sink"], **METHODS[method])
    return MaximumFlowResult(int(answer.value), _antisymmetric(answer.flow, type(csgraph)), answer.cut)


def _antisymmetric(flow: sp.csr_array, container: Any) -> Any:
    """The flow minus its transpose on the entries of both, zeros kept as SciPy keeps them."""
    start, head, data = flow.indptr, flow.indices, flow.data
    net_start, net_head = np.empty_like(start), np.empty(2 * len(head), head.dtype)
    net_flow: Any = np.empty(2 * len(head), np.int64)
    count = _native.net_flows(start, head, data, net_start, net_head, net_flow)
    net_head, net_flow = net_head[:count], net_flow[:count]
    if np.abs(net_flow).max(initial=0) <= np.iinfo(np.int32).max:
        net_flow = net_flow.astype(np.int32)
    return container((net_flow, net_head, net_start), shape=flow.shape)
