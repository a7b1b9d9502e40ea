"""Drop-ins for SciPy's functions: the same arguments, results and errors, solved and proved by konig.

>>> from konig.interop.scipy import maximum_flow  # instead of scipy.sparse.csgraph
"""

from __future__ import annotations

import operator
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

import konig
from konig import _native
from konig.assignment.inputs import with_room_for_sums
from konig.assignment.result import Assignment
from konig.assignment.small import assign_small
from konig.errors import InfeasibleError
from konig.exact_reals import exact_sum
from konig.index_arrays import check_sparse

__all__ = [
    "MaximumFlowResult",
    "linear_sum_assignment",
    "maximum_bipartite_matching",
    "maximum_flow",
    "min_weight_full_bipartite_matching",
    "structural_rank",
]

Array = np.ndarray[Any, Any]
# The rounding of two subtractions in float64, generously.
ROUNDING = 2.0**-50
# What runs under SciPy's names. Edmonds and Karp augment along one shortest path at a time, Dinic along all
# of one length before longer ones.
_DINIC = {"method": "dinic", "nearest": True}
METHODS: dict[str, dict[str, Any]] = {"auto": {}, "dinic": _DINIC, "edmonds_karp": _DINIC}


def linear_sum_assignment(cost_matrix: Any, maximize: bool = False) -> tuple[Array, Array]:
    """The cheapest assignment, as ``scipy.optimize.linear_sum_assignment`` returns it.

    Parameters
    ----------
    cost_matrix : array_like
        Costs in two dimensions. ``inf`` forbids a pair (``-inf`` when maximising).
    maximize : bool
        Find the largest sum and not the smallest.

    Returns
    -------
    row_ind, col_ind : array of int64
        The assigned pairs, rows ascending.

    Raises
    ------
    ValueError
        "cost matrix is infeasible" if no assignment is full; "matrix contains invalid numeric entries" for
        NaN and the wrong infinity.

    Notes
    -----
    As SciPy's, but 64-bit integers are exact (unless the two ends of int64 are among them, or duals do not
    fit into it: those are solved as doubles), the GIL is released, and Ctrl-C works. For the duals, and for
    the rows that make a problem infeasible, see `konig.linear_assignment`. Where several assignments are
    optimal it may return another one than SciPy does, but the diagonal whenever that is one of them.

    Examples
    --------
    >>> import numpy as np
    >>> from konig.interop.scipy import linear_sum_assignment
    >>> cost = np.array([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
    >>> row_ind, col_ind = linear_sum_assignment(cost)
    >>> row_ind, col_ind, cost[row_ind, col_ind].sum()
    (array([0, 1, 2]), array([1, 0, 2]), np.int64(5))
    """
    if maximize is False or maximize is True:
        a: Any = assign_small(cost_matrix, maximize)
        if a is not None:
            a.row_ind.flags.writeable = a.col_ind.flags.writeable = True
            pairs = a.row_ind, a.col_ind
            found = a.found  # reading the fields would keep them
            return _or_diagonal(cost_matrix, pairs, found.gap, found.row_dual, found.col_dual, maximize)
    maximize = bool(maximize)
    costs = _costs(cost_matrix)
    try:
        costs, answer = solved_as_doubles(costs, maximize=maximize)
    except InfeasibleError:
        raise ValueError("cost matrix is infeasible") from None
    except ValueError:
        if costs.dtype.kind == "f":
            raise ValueError("matrix contains invalid numeric entries") from None
        return linear_sum_assignment(costs.astype(np.float64), maximize)
    pairs = np.array(answer.row_ind, np.int64), np.array(answer.col_ind, np.int64)
    return _or_diagonal(costs, pairs, answer.gap, answer.row_dual, answer.col_dual, maximize)


def solved_as_doubles(costs: Any, **options: Any) -> tuple[Any, Assignment]:
    """The costs that were solved, and their assignment, for callers of libraries that compute in doubles.

    Integers beyond what the exact arithmetic takes are solved as doubles. Reals whose duals exceed float64
    are scaled down: these callers do not get the duals.
    """
    try:
        answer = konig.linear_assignment(costs, **options)
    except OverflowError:
        costs = with_room_for_sums(costs)
        answer = konig.linear_assignment(costs, **options)
    assert isinstance(answer, Assignment), "costs have two dimensions"
    return costs, answer


def _or_diagonal(
    costs: Array, pairs: tuple[Array, Array], gap: float, row_dual: Array, col_dual: Array, maximize: bool
) -> tuple[Array, Array]:
    """The diagonal if it costs as little as the pairs, else these.

    It can only where none of its entries is above its duals by more than the gap: complementary slackness,
    which most answers fail at the first entries.
    """
    size = len(pairs[0])
    for i in range(size):
        cost, row, col = costs.item(i, i), row_dual.item(i), col_dual.item(i)
        slack = row + col - cost if maximize else cost - row - col
        if slack > gap + ROUNDING * abs(row) + ROUNDING * abs(col):
            return pairs
    diagonal, chosen = _total(costs.diagonal()), _total(costs[pairs])
    as_good = diagonal >= chosen if maximize else diagonal <= chosen
    return (np.arange(size), np.arange(size)) if as_good else pairs


def _costs(cost_matrix: Any) -> Array:
    """The costs in their own type if every value of it is a double; SciPy's errors otherwise."""
    costs = np.asarray(cost_matrix)
    if not isinstance(cost_matrix, np.ndarray) and costs.dtype.kind not in "biuf":
        costs = np.asarray(cost_matrix, dtype=np.float64)
    if not np.can_cast(costs.dtype, np.float64, "safe"):
        raise TypeError(
            f"Cannot cast array data from {costs.dtype!r} to dtype('float64') according to the rule 'safe'"
        )
    if costs.ndim != 2:
        raise ValueError(f"expected a matrix (2-D array), got a {costs.ndim} array")
    return costs


def _total(costs: Array) -> Any:
    return exact_sum(costs) if costs.dtype.kind == "f" else sum(costs.tolist())


def min_weight_full_bipartite_matching(biadjacency: Any, maximize: bool = False) -> tuple[Array, Array]:
    """The full matching of least weight, as SciPy's function of this name in ``csgraph`` returns it.

    Parameters
    ----------
    biadjacency : sparse array or matrix
        Weights, in CSR, CSC or COO form. What is not stored is no edge. Stored zeros are none either, and
        come with a warning; nor is ``inf`` (``-inf`` when maximising).
    maximize : bool
        Find the largest weight and not the smallest.

    Returns
    -------
    row_ind, col_ind : array
        The matched pairs, rows ascending; int64 for the shorter side and int32 for the longer one, as in
        SciPy.

    Raises
    ------
    ValueError
        "no full matching exists" if there is none, and for weights that are NaN.
    TypeError
        When the input is not sparse in one of the three forms.

    Notes
    -----
    In `konig.linear_assignment` stored zeros are edges of weight zero.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from konig.interop.scipy import min_weight_full_bipartite_matching
    >>> row_ind, col_ind = min_weight_full_bipartite_matching(csr_array([[3, 3, 6], [4, 3, 5], [10, 1, 8]]))
    >>> col_ind
    array([0, 2, 1], dtype=int32)
    """
    weights = _weights(biadjacency, maximize := bool(maximize))
    try:
        _, answer = solved_as_doubles(weights, maximize=maximize)
    except InfeasibleError:
        raise ValueError("no full matching exists") from None
    rows, cols = weights.shape
    row_type, col_type = (np.int64, np.int32) if rows <= cols else (np.int32, np.int64)
    return np.array(answer.row_ind, dtype=row_type), np.array(answer.col_ind, dtype=col_type)


def _weights(biadjacency: Any, maximize: bool) -> Any:
    """The edges that SciPy would see, in compressed rows."""
    if not sp.issparse(biadjacency):
        raise TypeError("graph must be sparse")
    if biadjacency.format not in ("csr", "csc", "coo"):
        raise TypeError("graph must be in CSC, CSR, or COO format.")
    if not (np.issubdtype(biadjacency.dtype, np.number) or biadjacency.dtype == np.bool_):
        raise ValueError(f"expected a matrix containing numerical entries, got {biadjacency.dtype}")
    check_sparse(biadjacency, "biadjacency")  # SciPy's conversions trust the indices
    if not np.all(biadjacency.data):
        warnings.warn("explicit zero weights are removed before matching", UserWarning, stacklevel=3)
    if biadjacency.dtype.kind in "bi" or biadjacency.dtype in (np.uint8, np.uint16, np.uint32):
        biadjacency = biadjacency.astype(np.int64)  # duplicates are added up in a type that holds their sum
    elif biadjacency.dtype.kind != "u":
        biadjacency = biadjacency.astype(np.float64)
    weights = biadjacency.tocsr(copy=True)
    weights.sum_duplicates()
    if weights.dtype.kind == "f":
        weights.data[weights.data == (-np.inf if maximize else np.inf)] = 0
    weights.eliminate_zeros()
    return weights


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


def maximum_bipartite_matching(graph: Any, perm_type: str = "row") -> np.ndarray:
    """A maximum matching, as ``scipy.sparse.csgraph.maximum_bipartite_matching`` returns it.

    Parameters
    ----------
    graph : sparse array or matrix
        Rows and columns are the two sides; each stored entry is an edge, zeros too.
    perm_type : {"row", "column"}
        "row" for the row matched to each column, "column" for the column matched to each row.

    Returns
    -------
    array of int32
        -1 where there is no partner.

    Raises
    ------
    TypeError
        If the graph is not sparse.
    ValueError
        If `perm_type` is neither. (SciPy takes anything else for "row".)

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from konig.interop.scipy import maximum_bipartite_matching
    >>> maximum_bipartite_matching(csr_array([[1, 1], [1, 0], [0, 0]]), perm_type="column")
    array([ 1,  0, -1], dtype=int32)
    """
    if not sp.issparse(graph):
        raise TypeError("graph must be sparse")
    if perm_type not in ("row", "column"):
        raise ValueError(f"perm_type must be 'row' or 'column', not {perm_type!r}")
    answer = konig.maximum_matching(graph)
    mates: np.ndarray = answer.row_of_col if perm_type == "row" else answer.col_of_row
    return mates.astype(np.int32)


def structural_rank(graph: Any) -> Any:
    """The size of a maximum matching, as ``scipy.sparse.csgraph.structural_rank`` returns it.

    Parameters
    ----------
    graph : sparse array or matrix
        Rows and columns are the two sides; each stored entry is an edge, zeros too.

    Returns
    -------
    int64
        The rank.

    Raises
    ------
    TypeError
        If the graph is not sparse.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from konig.interop.scipy import structural_rank
    >>> structural_rank(csr_array([[1, 1], [1, 0], [0, 0]]))
    np.int64(2)
    """
    if not sp.issparse(graph):
        raise TypeError("Input must be sparse")
    return np.int64(konig.structural_rank(graph))
