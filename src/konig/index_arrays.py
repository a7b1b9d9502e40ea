"""Index arrays as they come in, checked before any loop follows them."""

from __future__ import annotations

from importlib import import_module
from itertools import chain
from typing import Any

import numpy as np
import scipy.sparse as sp

from konig import _native
from konig.interop.arrays import library_of, to_numpy
from konig.threads import worth_sharing

CHECKS_PER_THREAD = 1 << 18  # below which a thread costs more than it saves, when values are checked


class Checks:
    """Checks every value of arrays on the host, with up to ``threads`` threads."""

    xp: Any = np

    def __init__(self, threads: int | None = 1):
        self.threads = threads

    def first_out_of_range(self, values: Any, bound: int) -> int:
        """The first position whose value is not in [0, bound), or -1."""
        workers = worth_sharing(len(values), self.threads, CHECKS_PER_THREAD)
        return int(_native.first_out_of_range(values, bound, workers))

    def first_decrease(self, start: Any) -> int:
        """The first position whose offset is less than the one before, or -1."""
        workers = worth_sharing(len(start), self.threads, CHECKS_PER_THREAD)
        return int(_native.first_decrease(start, workers))

    def end_of_sound_lists(self, start: Any, neighbour: Any, minor: int) -> int | None:
        """Where the lists end if all of them are sound, else None; on a GPU one pass instead of several."""
        return None


ONE_THREAD = Checks()


def as_ids(ids: Any, name: str, xp: Any = np) -> Any:
    """A contiguous int32 or int64 array of the same values; no copy where the input is one already."""
    array = xp.asarray(unmasked(ids, name))
    if array.ndim != 1:
        raise ValueError(f"{name} must have one dimension, not {array.ndim}")
    check_listed_integers(ids, name, array.dtype)
    if array.dtype.kind not in "iu":
        if len(array) == 0:
            return xp.zeros(0, np.int32)
        raise TypeError(f"{name} must be integers, not {array.dtype}")
    if array.dtype == np.uint64 and len(array) and int(array.max()) > np.iinfo(np.int64).max:
        raise ValueError(f"{name}: {array.max()} is too large")
    wide = array.dtype.itemsize == 8 or array.dtype == np.uint32
    return xp.ascontiguousarray(array, np.int64 if wide else np.int32)


def check_listed_integers(given: Any, name: str, dtype: np.dtype) -> None:
    """Check the integers of a list, which has become an array of this type.

    There True beside an integer is 1, and integers of more than 64 bits are objects or reals.
    """
    listed = given if isinstance(given, list | tuple) else (given,)
    if not set(map(type, listed)).isdisjoint((bool, np.bool_)):
        k = next(k for k, value in enumerate(listed) if isinstance(value, bool | np.bool_))
        raise TypeError(f"{_entry(name, given, k)} must be an integer, not {listed[k]!r}")
    if dtype.kind not in "iu":
        for k, value in enumerate(listed):
            if isinstance(value, int) and not -(2**63) <= value < 2**63:
                raise ValueError(f"{_entry(name, given, k)} = {value} does not fit into 64 bits")


def refuse_wide_integers(array: Any, name: str) -> None:
    """Raise the error about an integer of more than 64 bits, which NumPy takes for an object."""
    for where, value in np.ndenumerate(array) if array.dtype == object else ():
        if isinstance(value, int) and not -(2**63) <= value < 2**64:
            place = f"[{', '.join(map(str, where))}]" if where else ""
            raise ValueError(f"{name}{place} = {value} does not fit into 64 bits")


def _entry(name: str, given: Any, position: int) -> str:
    return f"{name}[{position}]" if isinstance(given, list | tuple) else name


def array_module(array: Any) -> Any:
    """Whose array it is: NumPy's or CuPy's."""
    return np if isinstance(array, np.ndarray) else import_module("cupy")


def is_sparse(matrix: Any) -> bool:
    """Whether it is a sparse matrix of SciPy or of CuPy."""
    return sp.issparse(matrix) or (library_of(matrix) == "cupy" and hasattr(matrix, "format"))


def owners(start: Any, entries: int, ids: Any) -> Any:
    """Which of the compressed lists that begin at ``start`` each entry is in."""
    xp = array_module(start)
    if entries == 0:
        return xp.zeros(0, ids)
    if xp is np:
        return np.repeat(np.arange(len(start) - 1, dtype=ids), np.diff(start))
    return (xp.searchsorted(start, xp.arange(entries, dtype=start.dtype), side="right") - 1).astype(ids)


def checked_lists(
    indptr: Any, indices: Any, major: int, minor: int, name: str, major_name: str, checks: Checks = ONE_THREAD
) -> tuple[Any, Any]:
    """The arrays of a CSR or CSC matrix, as they come where types allow, every value checked."""
    minor_name = "column" if major_name == "row" else "row"
    neighbour = as_ids(indices, f"{name}: indices", checks.xp)
    start = as_ids(indptr, f"{name}: indptr", checks.xp)
    if neighbour.dtype == np.int64:
        start = start.astype(np.int64, copy=False)
    if len(start) == major + 1:
        end = checks.end_of_sound_lists(start, neighbour, minor)
        if end is not None:
            return start, neighbour[:end]
    if len(start) != major + 1 or int(start[0]) != 0:
        raise ValueError(f"{name}: indptr must have {major + 1} entries and begin with 0")
    fall = checks.first_decrease(start)
    if fall >= 0:
        raise ValueError(f"{name}: indptr decreases at {major_name} {fall - 1}")
    end = int(start[-1])
    if end > len(neighbour):
        raise ValueError(f"{name}: indptr ends at {end} but there are only {len(neighbour)} indices")
    neighbour = neighbour[:end]
    bad = checks.first_out_of_range(neighbour, minor)
    if bad >= 0:
        owner = int((start <= bad).sum()) - 1
        raise ValueError(
            f"{name}: {minor_name} index {neighbour[bad]} of entry {bad} ({major_name} {owner}) "
            f"is out of range [0, {minor})"
        )
    return start, neighbour


def check_pairs(row_ids: Any, col_ids: Any, rows: int, cols: int, name: str, checks: Checks) -> None:
    """Check the ids of entries, of which there are as many of rows as of columns."""
    if len(row_ids) != len(col_ids):
        raise ValueError(f"{name}: {len(row_ids)} row ids but {len(col_ids)} column ids")
    for ids, bound, what in ((row_ids, rows, "row"), (col_ids, cols, "column")):
        bad = checks.first_out_of_range(ids, bound)
        if bad >= 0:
            raise ValueError(f"{name}: {what} index {ids[bad]} of pair {bad} is out of range [0, {bound})")


def check_sparse(A: Any, name: str) -> None:
    """Check the index arrays of a matrix of scipy.sparse, whose own conversions trust them."""
    rows, cols = A.shape
    if A.format == "coo":
        row_ids, col_ids = as_ids(A.row, f"{name}: rows"), as_ids(A.col, f"{name}: cols")
        check_pairs(row_ids, col_ids, rows, cols, name, ONE_THREAD)
        stored = len(row_ids)
    elif A.format in ("csr", "csc", "bsr"):
        if A.format == "bsr":
            rows, cols = rows // A.blocksize[0], cols // A.blocksize[1]
        sides = (cols, rows, "column") if A.format == "csc" else (rows, cols, "row")
        stored = len(checked_lists(A.indptr, A.indices, *sides[:2], name, sides[2])[1])
    else:
        {"lil": _check_lists_of_rows, "dok": _check_keys, "dia": _check_diagonals}[A.format](A, name)
        return
    check_values(A.data, stored, name)


def _check_lists_of_rows(A: Any, name: str) -> None:
    """Check a LIL matrix: a list of columns for each row, and a list of as many values."""
    rows, cols = A.shape
    if not len(A.rows) == len(A.data) == rows:
        raise ValueError(f"{name}: {len(A.rows)} lists of columns and {len(A.data)} of values, not {rows}")
    try:
        columns, values = ([len(part) for part in lists] for lists in (A.rows, A.data))
        start = np.cumsum([0, *columns])
        ids = np.fromiter(chain.from_iterable(A.rows), np.int64, int(start[-1]))
    except (TypeError, ValueError, OverflowError) as refused:
        raise ValueError(f"{name}: rows must have lists of columns and of values: {refused}") from None
    checked_lists(start, ids, rows, cols, name, "row")
    if columns != values:
        row = int((np.array(columns) != values).argmax())
        raise ValueError(f"{name}: row {row} has {columns[row]} columns and {values[row]} values")


def _check_keys(A: Any, name: str) -> None:
    """Check a DOK matrix, whose keys are pairs (row, column)."""
    rows, cols = A.shape
    try:
        wrong = next((key for key, _ in A.items() if not (0 <= key[0] < rows and 0 <= key[1] < cols)), None)
    except (TypeError, IndexError):
        raise ValueError(f"{name}: keys must be pairs (row, column)") from None
    if wrong is not None:
        raise ValueError(f"{name}: entry {wrong} is out of range: the shape is {A.shape}")


def _check_diagonals(A: Any, name: str) -> None:
    """Check a DIA matrix: an offset for each diagonal; it may be outside the matrix."""
    offsets = as_ids(A.offsets, f"{name}: offsets")
    if A.data.ndim != 2 or len(offsets) != len(A.data):
        raise ValueError(f"{name}: {len(offsets)} offsets for diagonals of shape {A.data.shape}")
    wrong = np.flatnonzero(np.abs(offsets.astype(np.float64)) >= 2.0**31)  # SciPy's are of 32 bits
    if len(wrong):
        raise ValueError(f"{name}: offset {offsets[wrong[0]]} of diagonal {wrong[0]} is out of range")


def check_values(values: Any, entries: int, name: str) -> None:
    """Check that a matrix has a value for each of its entries."""
    if len(values) < entries:
        raise ValueError(f"{name}: {len(values)} values for {entries} entries")


def storable(numbers: Any) -> Any:
    """The same numbers in a type that scipy.sparse takes: in this machine's byte order, no half floats."""
    wider = np.float32 if numbers.dtype == np.float16 else numbers.dtype.newbyteorder("=")
    return numbers.astype(wider, copy=False)


def as_array(values: Any, name: str, wanted: str = "one array") -> np.ndarray:
    """Numbers, lists of them and arrays of any library as an array of NumPy; it may be the same memory.

    What hides some of its values, or is no array, is an error that names it.
    """
    if type(values) is np.ndarray:
        return values
    if sp.issparse(values):
        raise TypeError(f"{name} must be dense, not a sparse matrix: toarray() makes it so")
    is_list = isinstance(values, list | tuple)
    try:
        array = np.asarray(values) if is_list else to_numpy(values)
    except (TypeError, ValueError) as refused:
        raise type(refused)(f"{name} must be {wanted}: {refused}") from None
    refuse_wide_integers(array, name)
    for k, part in enumerate(values if is_list else ()):
        unmasked(part, f"{name}[{k}]")
    return np.asarray(unmasked(array, name))


def unmasked(values: Any, name: str) -> Any:
    """The values themselves, or an error where a mask says that one of them is none."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        where = np.argwhere(np.ma.getmaskarray(values))[0].tolist()
        place = f"{name}{where}" if where else name
        raise ValueError(f"{place} is masked: say what it stands for, with numpy.ma.filled")
    return values
