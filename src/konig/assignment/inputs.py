"""Costs of an assignment problem, as the solvers take them: one of four types, row after row, checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from konig import _native
from konig.exact_reals import group_sums
from konig.index_arrays import as_array, check_sparse, storable

# Every type that is taken, and the type that it is solved in, which holds all of its values.
SOLVED_AS = {
    np.dtype(given): np.dtype(solved)
    for given, solved in (
        (np.bool_, np.int32),
        (np.int8, np.int32),
        (np.int16, np.int32),
        (np.int32, np.int32),
        (np.int64, np.int64),
        (np.uint8, np.int32),
        (np.uint16, np.int32),
        (np.uint32, np.int64),
        (np.uint64, np.int64),
        (np.float16, np.float32),
        (np.float32, np.float32),
        (np.float64, np.float64),
    )
}
MOST_IDS = 2**31 - 1  # columns are numbered in 32 bits
# Of these, and of their negatives when maximising, 2**63 - 1 stands for a forbidden pair.
INTEGER_RANGE = "integers must be from -2**63 + 2 to 2**63 - 2"


class Extent(NamedTuple):
    """The least and the greatest finite cost (zeros where there is none), and whether pairs are forbidden."""

    least: Any
    greatest: Any
    forbids: bool


def dense_costs(C: Any, name: str = "C") -> np.ndarray:
    """Dense costs in the type that they are solved in; no copy where they are that already."""
    if type(C) is not np.ndarray:
        C = as_array(C, name)
    solved = SOLVED_AS.get(C.dtype)
    if solved is None:
        C = _native_order(C, name)
        solved = SOLVED_AS[C.dtype]
    if C.ndim not in (2, 3):
        raise ValueError(
            f"{name} must have two dimensions (rows, columns), or three for a batch, not shape {C.shape}"
        )
    if C.dtype == np.uint64 and C.size and C.max() > np.iinfo(np.int64).max:
        where = np.unravel_index(int(np.flatnonzero(C.ravel() > np.iinfo(np.int64).max)[0]), C.shape)
        shown = ", ".join(str(int(i)) for i in where)
        raise ValueError(f"{name}[{shown}] = {C[where]}: {INTEGER_RANGE}")
    costs = np.ascontiguousarray(C, solved)
    return costs if costs.flags.aligned else costs.copy()


@dataclass(frozen=True)
class SparseCosts:
    """The allowed pairs of a sparse matrix, row after row, each at most once, and what they cost."""

    shape: tuple[int, int]
    start: np.ndarray
    col: np.ndarray
    cost: np.ndarray

    @property
    def row(self) -> np.ndarray:
        """The row of each pair."""
        return np.repeat(np.arange(self.shape[0], dtype=np.int32), np.diff(self.start))

    def transposed(self) -> SparseCosts:
        return sparse_costs(self.matrix().T)

    def matrix(self) -> Any:
        """The same as a scipy.sparse array."""
        return sp.csr_array((self.cost, self.col, self.start), shape=self.shape)

    def part(self, rows: np.ndarray, cols: np.ndarray) -> SparseCosts:
        """The pairs of some rows with some columns, renumbered."""
        return sparse_costs(self.matrix()[rows][:, cols])


def sparse_costs(C: Any, name: str = "C") -> SparseCosts:
    """The costs of anything from scipy.sparse: stored zeros cost 0, duplicates add up."""
    if C.ndim != 2:
        raise ValueError(f"{name} must have two dimensions, not shape {C.shape}")
    if max(C.shape) > MOST_IDS:
        raise ValueError(f"{name} must have fewer than 2**31 rows and columns, not shape {C.shape}")
    solved = SOLVED_AS.get(C.dtype.newbyteorder("="))
    if solved is None:
        raise not_real(C.dtype, name)
    check_sparse(C, name)
    C = storable(C)
    if C.dtype == np.uint64:
        _refuse_beyond_int64(C.tocoo(), name)  # not every format has an array of values
    if C.format != "csr" or not C.has_canonical_format:
        C = _added_up(C, name)
        solved = C.dtype
    start = np.ascontiguousarray(C.indptr, np.int64)
    stored = slice(0, int(start[-1]))
    col = np.ascontiguousarray(C.indices[stored], np.int32)
    return SparseCosts(C.shape, start, col, np.ascontiguousarray(C.data[stored], solved))


def _added_up(C: Any, name: str) -> Any:
    """Compressed rows without duplicates, which are added up in the widest type of their kind."""
    wide = np.float64 if C.dtype.kind == "f" else np.int64
    C = C.astype(wide)
    rows = C.tocsr()
    rows.sum_duplicates()
    if rows.nnz < C.nnz:  # or the diagonals of a DIA matrix hold zeros
        _refuse_sums_beyond_64_bits(C.tocoo(), name)
    return rows


def _refuse_sums_beyond_64_bits(C: Any, name: str) -> None:
    """Refuse duplicates whose sum has wrapped around, or become infinite."""
    most = 2.0**62 if C.dtype.kind == "i" else 2.0**1023
    if np.abs(C.data.astype(np.float64)).max(initial=0.0) < most / max(1, len(C.data)):
        return
    order = np.lexsort((C.col, C.row))
    row, col, data = C.row[order], C.col[order], C.data[order]
    first = np.flatnonzero(np.r_[True, (np.diff(row) != 0) | (np.diff(col) != 0)])
    _, wrong = group_sums(data, first)
    if len(wrong):
        where = first[wrong[0]]
        raise ValueError(
            f"{name}[{row[where]}, {col[where]}]: its duplicates do not add up to a number of 64 bits"
        )


def _refuse_beyond_int64(C: Any, name: str) -> None:
    beyond = np.flatnonzero(C.data > np.iinfo(np.int64).max)
    if len(beyond):
        first = int(beyond[0])
        where = f"{name}[{C.row[first]}, {C.col[first]}]"
        raise ValueError(f"{where} = {C.data[first]}: {INTEGER_RANGE}")


def with_room_for_sums(costs: Any) -> Any:
    """The same problem in float64, divided by a power of two so that no sum of costs overflows."""
    return costs.astype(np.float64) * 2.0**-64


def check_sparse_costs(C: SparseCosts, maximize: bool, name: str = "C") -> float:
    """The largest finite |cost|; NaN and other bad costs are errors."""
    largest, first_nan, first_wrong, _ = _native.check_costs(C.cost, maximize)
    for entry in (first_nan, first_wrong):
        if entry >= 0:
            row = int(np.searchsorted(C.start, entry, "right")) - 1
            refuse(C.cost[entry], (row, C.col[entry]), maximize, name)
    return float(largest)


def refuse(cost: Any, position: Any, maximize: bool, name: str = "C") -> None:
    """Raise the error that says what is wrong with a cost."""
    where = f"{name}[{', '.join(str(int(i)) for i in position)}]"
    if np.isnan(cost):
        raise ValueError(f"{where} is NaN; costs must be numbers")
    if cost.dtype.kind == "i":
        raise ValueError(f"{where} = {cost}: {INTEGER_RANGE}")
    aim, forbids_by = ("maximising", "-inf") if maximize else ("minimising", "inf")
    raise ValueError(f"{where} = {cost}: {aim}, a pair is forbidden by {forbids_by}")


def _native_order(C: np.ndarray, name: str) -> np.ndarray:
    swapped = C.dtype.newbyteorder("=")
    if C.dtype.names is None and swapped in SOLVED_AS:
        return C.astype(swapped)
    if C.size == 0 and C.dtype == object:
        return C.astype(np.float64)
    raise not_real(C.dtype, name)


def not_real(dtype: Any, name: str) -> TypeError:
    known = ", ".join(str(taken) for taken in SOLVED_AS)
    return TypeError(f"{name} must be an array of real numbers ({known}), not of {dtype}")


def check_dense_costs(C: np.ndarray, maximize: bool, threads: int = 1, name: str = "C") -> tuple[float, bool]:
    """The largest finite |cost| and whether pairs are forbidden; NaN and other bad costs are errors."""
    largest, first_nan, first_wrong, forbids = _native.check_costs(C, maximize, threads)
    refuse_bad_costs(C, maximize, first_nan, first_wrong, name)
    return largest, forbids


def refuse_bad_costs(
    C: Any, maximize: bool, first_nan: int, first_wrong: int, name: str = "C", first_row: int = 0
) -> None:
    """Raise an error about the first cost that no solver may see; positions are -1 where there is none.

    The first row of ``C`` may be a later one of the whole matrix.
    """
    for flat in (first_nan, first_wrong):
        if flat >= 0:
            first, *others = (int(i) for i in np.unravel_index(flat, C.shape))
            refuse(C[first, *others], (first_row + first, *others), maximize, name)
