"""Bottleneck assignments: the largest cost as small as possible, proved by a cover of what is cheaper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import scipy.sparse as sp

from konig import _native, registry
from konig.arguments import MOST_THREADS, checked_count, checked_flag, with_hints
from konig.assignment.inputs import (
    SparseCosts,
    check_sparse_costs,
    dense_costs,
    refuse_bad_costs,
    sparse_costs,
)
from konig.assignment.proof import Blocks, check_pairs, dense_blocks, entry_blocks
from konig.errors import CertificateError, InfeasibleError
from konig.index_arrays import as_array, check_sparse, storable
from konig.interop import arrays
from konig.interop.index_matrices import sparse_on_host
from konig.matching.proof import check_cover
from konig.matching.result import VertexCover
from konig.progress import Report, reporting
from konig.refusal import check_indices, check_number
from konig.results import Pairs, Result
from konig.threads import worth_sharing

TOP_BIT = np.uint64(1 << 63)


@dataclass(frozen=True, eq=False, repr=False)
class BottleneckAssignment(Pairs, Result):
    """An assignment whose largest cost is as small as possible, and its proof.

    Attributes
    ----------
    row_ind, col_ind : array
        The assigned pairs, rows ascending. Of several bottleneck assignments it is any.
    bottleneck : int, float or None
        Their largest cost, exactly (the smallest when maximising); None if nothing is assigned.
    cover : VertexCover
        The proof: rows and columns, fewer than pairs, that meet every entry below the bottleneck (above it
        when maximising). Without one of the other entries there is no assignment of that many pairs.
    size_cover : VertexCover or None
        Where not every row or column of the shorter side could be assigned (``full=False``): rows and
        columns, as many as pairs, that meet every allowed entry.
    shape : (int, int)
        The extent of the costs.
    maximize : bool
        Whether the smallest cost is as large as possible instead.
    method, device : str
        What solved it, and where.
    stats : dict
        ``thresholds``, how many were tested, and ``stats["seconds"]`` by part: convert and main.
    """

    row_ind: Any
    col_ind: Any
    bottleneck: Any
    cover: VertexCover
    shape: tuple[int, int]
    method: str
    device: str
    stats: Mapping[str, Any]
    maximize: bool = False
    size_cover: VertexCover | None = None
    place: arrays.Place = arrays.HOST

    PLACED = ("row_ind", "col_ind", "cover", "size_cover")

    def __repr__(self) -> str:
        rows, cols = self.shape
        return f"BottleneckAssignment(size={self.size} of {rows} x {cols}, bottleneck={self.bottleneck})"

    @property
    def size(self) -> int:
        """How many pairs are assigned."""
        return len(self.row_ind)

    def verify(self, C: Any) -> None:
        """Prove the answer against the costs, on the host and without any solver.

        Raises
        ------
        CertificateError
            Unless this is an assignment of ``C``, as large as can be, and its cover proves the bottleneck.

        Examples
        --------
        >>> import numpy as np, konig
        >>> C = np.array([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
        >>> konig.bottleneck_assignment(C).verify(C)
        """
        costs = _costs(C)
        blocks, answer = _blocks(costs), self.on_host()
        if not isinstance(answer.shape, tuple) or costs.shape != answer.shape:
            raise CertificateError(f"the answer is for costs of shape {answer.shape}, not {costs.shape}")
        check_pairs(costs.shape, answer.row_ind, answer.col_ind)
        values = _assigned_values(blocks, costs.shape[0], answer.row_ind, answer.col_ind)
        if len(values) != answer.size:
            raise CertificateError(f"{answer.size} pairs are assigned, but only {len(values)} are allowed")
        answer._check_bottleneck(values)
        answer._check_covers(blocks)

    def _check_bottleneck(self, values: np.ndarray) -> None:
        if not len(values):
            if self.bottleneck is not None:
                raise CertificateError(f"nothing is assigned, and the bottleneck is {self.bottleneck!r}")
            return
        check_number("bottleneck", self.bottleneck, whole=values.dtype.kind != "f")
        worst = (values.min() if self.maximize else values.max()).item()
        if self.bottleneck != worst:
            raise CertificateError(
                f"the answer claims bottleneck {self.bottleneck}, but its pairs' is {worst}"
            )

    def _check_covers(self, blocks: Blocks) -> None:
        for name, cover in (("cover", self.cover), ("size_cover", self.size_cover)):
            if cover is None and name == "size_cover":
                continue
            if not isinstance(cover, VertexCover):
                raise CertificateError(f"{name} is a {type(cover).__name__}, not a VertexCover")
            check_indices(f"{name}: rows", cover.rows)
            check_indices(f"{name}: cols", cover.cols)
        if self.size and len(self.cover) >= self.size:
            raise CertificateError(f"the cover has {len(self.cover)} lines for {self.size} pairs")
        if self.size:
            _check_met(blocks, self.shape, self.cover, lambda values: self._is_better(values))
        if self.size == min(self.shape):
            if self.size_cover is not None:
                raise CertificateError("the assignment is full, and still it has a size_cover")
            return
        if self.size_cover is None:
            raise CertificateError(
                f"{self.size} pairs of {min(self.shape)} are assigned, and nothing says why"
            )
        _check_met(blocks, self.shape, self.size_cover, np.isfinite)
        if len(self.size_cover) != self.size:
            raise CertificateError(f"{self.size} pairs are assigned, but {len(self.size_cover)} lines cover")

    def _is_better(self, values: np.ndarray) -> Any:
        bound = values.dtype.type(self.bottleneck)  # one of the values, so that nothing is rounded
        return (values > bound) if self.maximize else (values < bound)


@with_hints
def bottleneck_assignment(
    C: Any,
    *,
    maximize: bool = False,
    full: bool = True,
    device: str = "auto",
    threads: int | None = None,
    progress: bool | Report | None = None,
) -> BottleneckAssignment:
    """Assign rows to columns, each to at most one, so that the largest cost is as small as possible.

    Every row is assigned, or every column if there are fewer of them.

    Parameters
    ----------
    C : array or sparse matrix
        Costs, (n, m), of booleans, integers or floats of up to 64 bits. They are only compared, so that
        answers are exact, for all integers, too. ``inf`` forbids a pair (``-inf`` when maximising). In a
        sparse matrix what is not stored is forbidden, stored zeros cost 0 and duplicates add up. It is never
        modified.
    maximize : bool
        Make the smallest cost as large as possible instead.
    full : bool
        Whether a problem in which not all rows (or columns) can be assigned is an error. If not, the answer
        is one of the largest assignments.
    device : {"auto", "cpu", "cuda", "cuda:N"}
        Where to solve; "auto" is where the costs are. Sparse costs are solved on the CPU, wherever they are,
        and the answer goes back. On a GPU integers have up to 63 bits and a sign.
    threads : int, optional
        How many threads read large costs; if not given, as many as there are idle cores.
    progress : bool or callable, optional
        True for a bar on stderr, or a function called with (assigned at the last threshold, to be assigned).

    Returns
    -------
    BottleneckAssignment
        The pairs, the bottleneck, the cover that proves it, and ``verify``. Which of several such
        assignments it is, is not specified.

    Raises
    ------
    InfeasibleError
        If no assignment is full; it carries the rows (or columns) that have too few partners.

    Notes
    -----
    A search for the smallest threshold whose entries have a full matching, from the largest of the row and
    column minima up [1]_. Matchings grow from one threshold to the next. O(n m) to read the costs, a few
    times, plus the matchings.

    References
    ----------
    .. [1] R. Burkard, M. Dell'Amico and S. Martello, Assignment Problems, SIAM (2009), section 6.2.

    Examples
    --------
    >>> import numpy as np, konig
    >>> C = np.array([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
    >>> b = konig.bottleneck_assignment(C)
    >>> b.bottleneck, b.row_ind.tolist(), b.col_ind.tolist()
    (2, [0, 1, 2], [1, 0, 2])
    >>> b.verify(C)
    >>> konig.bottleneck_assignment(C, maximize=True).bottleneck
    2
    """
    began = perf_counter()
    maximize, full = checked_flag("maximize", maximize), checked_flag("full", full)
    workers = checked_count("threads", threads, most=MOST_THREADS)
    place = arrays.HOST if isinstance(C, np.ndarray) else arrays.place_of(C, "C") or arrays.HOST
    if device != "cpu" and (device != "auto" or place.gpu is not None):
        sparse = C if sp.issparse(C) else None if isinstance(C, np.ndarray) else sparse_on_host(C, place, "C")
        kind, number = registry.choose_device(None, device, None if sparse is not None else place.gpu)
        if kind == "cuda":
            return _on_gpu(C, sparse, place, number, device, maximize, full, progress, began)
        C = C if sparse is None else sparse
    costs = _costs(C)
    converted = perf_counter()
    with reporting(progress, "bottleneck assignment") as report:
        feasible, partner, cover, size_cover, stats = _solve(costs, maximize, full, workers, report)
    if not feasible:
        raise _infeasible(*cover)
    row_ind = np.flatnonzero(partner >= 0)
    col_ind = partner[row_ind].astype(np.int64)
    seconds = {"convert": converted - began, "main": perf_counter() - converted}
    pairs = place.give(row_ind), place.give(col_ind)
    for array in pairs:
        if isinstance(array, np.ndarray):
            array.setflags(write=False)
    return BottleneckAssignment(
        *pairs,
        _bottleneck(costs, row_ind, col_ind, maximize),
        _cover_in(place, *cover),
        costs.shape,
        method="threshold",
        device="cpu",
        stats={**stats, "seconds": seconds},
        maximize=maximize,
        size_cover=None if size_cover is None else _cover_in(place, *size_cover),
        place=place,
    )


def _on_gpu(
    C: Any,
    sparse: Any,
    place: arrays.Place,
    number: int | None,
    device: str,
    maximize: bool,
    full: bool,
    progress: bool | Report | None,
    began: float,
) -> BottleneckAssignment:
    """The same for dense costs, on a GPU."""
    from konig.assignment import bottleneck_gpu
    from konig.matching.gpu import MatchingGpu

    if sparse is not None:
        raise ValueError(
            f"device={device!r}: sparse costs are solved on the CPU, wherever they are; pass device='auto' "
            "or 'cpu', or dense costs with inf for forbidden pairs"
        )
    if not hasattr(C, "shape"):
        C = as_array(C, "C")
    with MatchingGpu(number, place) as gpu, reporting(progress, "bottleneck assignment") as report:
        xp = gpu.cupy
        costs, found, seconds = bottleneck_gpu.solve(gpu, C, place, maximize, full, report)
        if not found.feasible:
            raise _infeasible(*(arrays.to_numpy(lines) for lines in found.cover))
        row_ind = xp.flatnonzero(found.col_of_row >= 0)
        col_ind = found.col_of_row[row_ind].astype(np.int64)
        values = costs[row_ind, col_ind]
        bottleneck = (values.min() if maximize else values.max()).item() if len(values) else None
        covers = [
            None if lines is None else VertexCover(*(place.give(xp.flatnonzero(side)) for side in lines))
            for lines in (found.cover, found.size_cover)
        ]
        pairs = place.give(row_ind), place.give(col_ind)
        seconds["main"] = perf_counter() - began - sum(seconds.values())
    for array in pairs:
        if isinstance(array, np.ndarray):
            array.setflags(write=False)
    assert covers[0] is not None
    return BottleneckAssignment(
        *pairs,
        bottleneck,
        covers[0],
        tuple(costs.shape),
        method="threshold",
        device=str(gpu),
        stats={**found.stats, "seconds": seconds},
        maximize=maximize,
        size_cover=covers[1],
        place=place,
    )


def _costs(C: Any) -> np.ndarray | SparseCosts:
    """Dense costs in their own type, or lists; real numbers in two dimensions."""
    if not isinstance(C, np.ndarray):
        place = arrays.place_of(C, "C") or arrays.HOST
        listed = C if sp.issparse(C) else sparse_on_host(C, place, "C")
        if listed is not None:
            return _sparse_costs(listed)
        C = as_array(C, "C")
    if C.ndim != 2:
        raise ValueError(f"C must have two dimensions, not shape {C.shape}")
    if C.dtype.newbyteorder("=") == np.uint64:
        return np.asarray(as_array(C, "C"), np.uint64)
    by_columns = C.flags.f_contiguous and not C.flags.c_contiguous
    return dense_costs(C.T).T if by_columns else dense_costs(C)


def _sparse_costs(C: Any) -> SparseCosts:
    if C.ndim != 2 or C.dtype.newbyteorder("=") != np.uint64:
        return sparse_costs(C)
    check_sparse(C, "C")
    given = C = storable(C)
    if C.format != "csr" or not C.has_canonical_format:
        C = given.tocsr(copy=True)
        C.sum_duplicates()
    if C.nnz != given.nnz:  # sums of duplicates may be beyond 64 bits
        return sparse_costs(given)
    # Compared in their order, which is that of signed integers once the highest bit is turned.
    start = np.ascontiguousarray(C.indptr, np.int64)
    stored = slice(0, int(start[-1]))
    col = np.ascontiguousarray(C.indices[stored], np.int32)
    return SparseCosts(C.shape, start, col, np.ascontiguousarray(C.data[stored], np.uint64))


def _comparable(costs: np.ndarray) -> np.ndarray:
    """The same order in a type that the solver takes."""
    return (costs ^ TOP_BIT).view(np.int64) if costs.dtype == np.uint64 else costs


def _solve(
    costs: np.ndarray | SparseCosts, maximize: bool, full: bool, workers: int | None, report: Report | None
) -> Any:
    """Whether there is an assignment, partners of rows, two covers and counts."""
    if isinstance(costs, SparseCosts):
        values: Any = _comparable(costs.cost)
        threads = worth_sharing(len(values), workers)
        lists: tuple[Any, Any] = costs.start, costs.col
        found = _native.bottleneck_sparse(*lists, values, costs.shape[1], maximize, full, threads, report)
        if found is None:
            _refuse_sparse(costs, maximize)
        return found
    by_columns = costs.flags.f_contiguous and not costs.flags.c_contiguous
    rows: Any = _comparable(np.ascontiguousarray(costs.T if by_columns else costs))
    threads = worth_sharing(costs.size, workers)
    found = _native.bottleneck_dense(rows, maximize, full, threads, report)
    if found is None:
        _refuse_dense(costs, maximize)
    return _transposed(found, costs.shape[0]) if by_columns else found


def _transposed(found: Any, rows: int) -> Any:
    feasible, row_of_col, *covers, stats = found
    partner = np.full(rows, -1, row_of_col.dtype)
    assigned = np.flatnonzero(row_of_col >= 0)
    partner[row_of_col[assigned]] = assigned
    return feasible, partner, *(None if cover is None else cover[::-1] for cover in covers), stats


def _refuse_dense(costs: np.ndarray, maximize: bool) -> None:
    bad = np.isnan(costs) | (np.isposinf(costs) if maximize else np.isneginf(costs))
    refuse_bad_costs(costs, maximize, int(np.flatnonzero(bad.ravel())[0]), -1)


def _refuse_sparse(costs: SparseCosts, maximize: bool) -> None:
    check_sparse_costs(costs, maximize)


def _cover_in(place: arrays.Place, rows: np.ndarray, cols: np.ndarray) -> VertexCover:
    return VertexCover(place.give(np.flatnonzero(rows)), place.give(np.flatnonzero(cols)))


def _infeasible(row_cover: np.ndarray, col_cover: np.ndarray) -> InfeasibleError:
    """Lines of the shorter side outside a cover have entries only in the cover's lines of the other side."""
    if len(row_cover) <= len(col_cover):
        return InfeasibleError(np.flatnonzero(row_cover == 0), np.flatnonzero(col_cover))
    return InfeasibleError(np.flatnonzero(row_cover), np.flatnonzero(col_cover == 0))


def _blocks(costs: np.ndarray | SparseCosts) -> Blocks:
    if isinstance(costs, SparseCosts):
        return entry_blocks(costs.row, costs.col, costs.cost)
    return dense_blocks(costs)


def _assigned_values(blocks: Blocks, rows: int, row_ind: np.ndarray, col_ind: np.ndarray) -> np.ndarray:
    """The costs of those pairs that are allowed."""
    col_of_row = np.full(rows, -1, np.int64)
    col_of_row[row_ind] = col_ind
    parts = [
        values[(col_of_row[at_rows] == at_cols) & np.isfinite(values)]
        for at_rows, at_cols, values in blocks()
    ]
    return np.concatenate(parts)


def _bottleneck(
    costs: np.ndarray | SparseCosts, row_ind: np.ndarray, col_ind: np.ndarray, maximize: bool
) -> int | float | None:
    if not len(row_ind):
        return None
    if isinstance(costs, SparseCosts):
        values = _assigned_values(_blocks(costs), costs.shape[0], row_ind, col_ind)
    else:
        values = costs[row_ind, col_ind]
    bottleneck: int | float = (values.min() if maximize else values.max()).item()
    return bottleneck


def _check_met(blocks: Blocks, shape: tuple[int, int], cover: VertexCover, chosen: Any) -> None:
    """Check that lines meet all entries of a choice."""
    for at_rows, at_cols, values in blocks():
        at = np.nonzero(chosen(values))
        full = np.broadcast_shapes(at_rows.shape, at_cols.shape)
        edges = np.broadcast_to(at_rows, full)[at], np.broadcast_to(at_cols, full)[at]
        check_cover(*edges, shape, cover.rows, cover.cols)
