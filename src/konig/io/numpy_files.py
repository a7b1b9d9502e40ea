"""NumPy files: .npy with a dense matrix, .npz with a sparse or a dense one. Pickles are never opened.

The bytes of an array are read before room for it is made, so a header that promises more than the file holds
costs nothing. Index arrays are checked here because SciPy's conversions trust them.
"""

from __future__ import annotations

import math
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, cast

import numpy as np
from scipy.sparse import coo_array

from konig.index_arrays import storable
from konig.io.entries import Array, sparse
from konig.io.files import Source

NPY_MAGIC = b"\x93NUMPY"
ZIP_MAGIC = b"PK\x03\x04"

_MOST_SHOWN = 60
_PIECE_BYTES = 16 << 20
_MOST_BYTES = np.iinfo(np.intp).max


class _ContentError(Exception):
    """What is wrong with the content; `_content` adds the file's name."""


def read_npy(source: Source, costs: bool = False) -> Any:
    """The nonzeros of a dense matrix; of costs the matrix itself, or a batch of them."""
    with _content(source) as stream:
        return _from_dense(_read_array(stream, "the array"), costs)


def read_npz(source: Source, costs: bool = False) -> Any:
    """A matrix saved by `scipy.sparse.save_npz`, as arrays ``rows`` and ``cols``, or as one dense array."""
    with _content(source) as stream:
        return _from_members(_read_members(stream), costs)


@contextmanager
def _content(source: Source) -> Iterator[BinaryIO]:
    """The bytes of a file; what is wrong with them becomes an error that names it."""
    with source.open() as stream:
        try:
            yield stream
        except _ContentError as problem:
            raise source.error(str(problem)) from problem


def _read_members(stream: BinaryIO) -> dict[str, Array]:
    arrays = {}
    try:
        with zipfile.ZipFile(stream) as archive:
            for name in archive.namelist():
                if name.endswith(".npy"):
                    with archive.open(name) as member:
                        key = name.removesuffix(".npy")
                        arrays[key] = _read_array(cast(BinaryIO, member), f"array '{key}'")
    except (_ContentError, MemoryError):
        raise
    except Exception as error:
        # zipfile answers damaged archives with a dozen kinds of exception, struct.error among them.
        raise _ContentError(f"is not a readable .npz archive ({error})") from error
    return arrays


def _read_array(stream: BinaryIO, name: str) -> Array:
    try:
        # Version 3 differs from 2 only in the names of structured fields, which no matrix has.
        first = np.lib.format.read_magic(stream) == (1, 0)
        reader = np.lib.format.read_array_header_1_0 if first else np.lib.format.read_array_header_2_0
        shape, fortran_order, dtype = reader(stream)
    except zipfile.BadZipFile:
        raise
    except Exception as error:
        # The header is a Python literal: a damaged one fails in the tokeniser, the parser or NumPy.
        raise _ContentError(f"{name} has no valid .npy header ({type(error).__name__}: {error})") from error
    if dtype.kind not in "biufcSU" or not dtype.itemsize or min(shape, default=0) < 0:
        raise _ContentError(f"{name} has type {dtype} and shape {_shown(shape)}, expected numbers")
    # NumPy counts the bytes of an array without entries as if it had one in each dimension that is 0.
    if math.prod(max(extent, 1) for extent in shape) * dtype.itemsize > _MOST_BYTES:
        raise _ContentError(f"{name} has the shape {_shown(shape)}, which is too large")
    size = math.prod(shape) * dtype.itemsize
    content = bytearray()
    while len(content) < size:
        piece = stream.read(min(_PIECE_BYTES, size - len(content)))
        if not piece:
            raise _ContentError(f"{name} ends after {len(content)} of {size} bytes")
        content += piece
    # Reading on to the end of a zip member is what makes zipfile compare the checksum.
    if stream.read(1):
        raise _ContentError(f"{name} is followed by bytes that do not belong to it")
    array = np.frombuffer(content, dtype=dtype, count=math.prod(shape))
    return array.reshape(shape, order="F" if fortran_order else "C")


def _shown(shape: tuple[int, ...]) -> str:
    words = str(shape)
    return words if len(words) < _MOST_SHOWN else f"{words[:_MOST_SHOWN]}..."


def _from_members(arrays: dict[str, Array], costs: bool) -> Any:
    if "format" in arrays:
        matrix = _from_scipy(arrays)
    elif "rows" in arrays and "cols" in arrays:
        shape = _shape(arrays["shape"]) if "shape" in arrays else None
        matrix = _from_pairs(arrays["rows"], arrays["cols"], arrays.get("data"), shape)
    elif len(arrays) == 1:
        return _from_dense(next(iter(arrays.values())), costs)
    else:
        names = ", ".join(sorted(arrays)) or "none"
        expected = "a saved sparse matrix, arrays 'rows' and 'cols', or one array"
        raise _ContentError(f"expected {expected}; found {names}")
    _check_type(matrix, costs)
    return matrix


def _from_dense(array: Array, costs: bool) -> Any:
    if array.ndim != 2 and not (costs and array.ndim == 3):
        expected = "a matrix or a batch" if costs else "a matrix"
        raise _ContentError(f"expected {expected}, found an array with {array.ndim} dimensions")
    _check_type(array, costs)
    numbers = _numbers(array, "the array")
    if costs:
        return numbers
    rows, cols = np.nonzero(numbers)
    return sparse(rows, cols, numbers[rows, cols], (array.shape[0], array.shape[1]))


def _check_type(matrix: Array | coo_array, costs: bool) -> None:
    if costs and matrix.dtype.kind == "c":
        raise _ContentError("costs must be real, and these are complex")


def _from_pairs(rows: Array, cols: Array, data: Array | None, shape: tuple[int, int] | None) -> coo_array:
    rows, cols = _indices(rows, "rows"), _indices(cols, "cols")
    data = np.ones(rows.size, dtype=np.int8) if data is None else _numbers(data, "data")
    if not rows.shape == cols.shape == data.shape:
        raise _ContentError(f"the lengths differ: {rows.size} rows, {cols.size} columns, {data.size} values")
    if shape is None:
        shape = (int(rows.max()) + 1, int(cols.max()) + 1) if rows.size else (0, 0)
    _check_below(rows, shape[0], "rows")
    _check_below(cols, shape[1], "cols")
    return sparse(rows, cols, data, shape)


def _from_scipy(arrays: dict[str, Array]) -> coo_array:
    layout = arrays["format"]
    kind = layout.item() if layout.shape == () else None
    kind = kind.decode("latin-1") if isinstance(kind, bytes) else kind
    builders: dict[Any, Callable[[dict[str, Array]], coo_array]] = {
        "coo": lambda a: _from_pairs(*_coordinates(a), a["data"], _shape(a["shape"])),
        "csr": lambda a: _from_compressed(a, major=0),
        "csc": lambda a: _from_compressed(a, major=1),
        "bsr": _from_blocks,
        "dia": _from_diagonals,
    }
    if kind not in builders:
        raise _ContentError(f"holds a sparse matrix in the unknown format {kind!r}")
    try:
        return builders[kind](arrays)
    except KeyError as error:
        raise _ContentError(f"holds a sparse matrix without the array {error}") from error


def _coordinates(arrays: dict[str, Array]) -> tuple[Array, Array]:
    if "coords" not in arrays:
        return arrays["row"], arrays["col"]
    if arrays["coords"].ndim != 2 or arrays["coords"].shape[0] != 2:
        raise _ContentError(f"expected two rows of coordinates, found the shape {arrays['coords'].shape}")
    return arrays["coords"][0], arrays["coords"][1]


def _from_compressed(arrays: dict[str, Array], major: int) -> coo_array:
    shape = _shape(arrays["shape"])
    outer, inner = _uncompressed(arrays, shape[major], shape[1 - major])
    rows, cols = (outer, inner) if major == 0 else (inner, outer)
    return _from_pairs(rows, cols, arrays["data"], shape)


def _from_blocks(arrays: dict[str, Array]) -> coo_array:
    data, shape = arrays["data"], _shape(arrays["shape"])
    if data.ndim != 3 or 0 in data.shape[1:] or shape[0] % data.shape[1] or shape[1] % data.shape[2]:
        raise _ContentError(f"blocks of shape {data.shape} do not divide a matrix of shape {shape}")
    blocks, height, width = data.shape
    outer, inner = _uncompressed(arrays, shape[0] // height, shape[1] // width)
    if blocks != inner.size:
        raise _ContentError(f"the lengths differ: {blocks} blocks, {inner.size} indices")
    block, i, j = np.indices(data.shape).reshape(3, -1)
    return _from_pairs(outer[block] * height + i, inner[block] * width + j, data.ravel(), shape)


def _from_diagonals(arrays: dict[str, Array]) -> coo_array:
    """Diagonal k has its entry of column j at data[k, j]; what sticks out of the matrix does not count."""
    data, shape, offsets = _numbers(arrays["data"], "data"), _shape(arrays["shape"]), arrays["offsets"]
    if offsets.dtype.kind not in "iu" or data.ndim != 2 or offsets.shape != data.shape[:1]:
        raise _ContentError(
            f"'offsets' has type {offsets.dtype} and shape {offsets.shape} for data {data.shape}"
        )
    if np.unique(offsets).size != offsets.size:
        raise _ContentError("'offsets' names a diagonal twice")
    inside = (offsets > -shape[0]) & (offsets < shape[1])
    data, offsets = data[inside], offsets[inside].astype(np.int64)
    diagonals, cols = np.nonzero(data)
    rows = cols - offsets[diagonals]
    keep = (rows >= 0) & (rows < shape[0]) & (cols < shape[1])
    return _from_pairs(rows[keep], cols[keep], data[diagonals, cols][keep], shape)


def _uncompressed(arrays: dict[str, Array], outer_size: int, inner_size: int) -> tuple[Array, Array]:
    """The outer index of every inner one, both checked."""
    starts, inner = _indices(arrays["indptr"], "indptr"), _indices(arrays["indices"], "indices")
    steps = np.diff(starts)
    if starts.size != outer_size + 1 or starts[0] != 0 or starts[-1] != inner.size or (steps < 0).any():
        raise _ContentError(f"'indptr' does not divide {inner.size} indices into {outer_size} parts")
    _check_below(inner, inner_size, "indices")
    return np.repeat(np.arange(outer_size), steps), inner


def _numbers(array: Array, name: str) -> Array:
    """The array in a type that scipy.sparse takes."""
    if array.dtype.kind not in "biufc":
        raise _ContentError(f"{name} has type {array.dtype}, expected numbers")
    return cast(Array, storable(array))


def _indices(array: Array, name: str) -> Array:
    if array.dtype.kind not in "iu" or array.ndim != 1:
        raise _ContentError(
            f"'{name}' has type {array.dtype} and shape {array.shape}, expected a list of integers"
        )
    wrong = np.flatnonzero((array < 0) | (array > np.iinfo(np.int64).max - 1))
    if wrong.size:
        at = int(wrong[0])
        raise _ContentError(f"'{name}'[{at}] is {array[at]}, which is not an index")
    return array.astype(np.int64, copy=False)


def _check_below(indices: Array, size: int, name: str) -> None:
    wrong = np.flatnonzero(indices >= size)
    if wrong.size:
        at = int(wrong[0])
        raise _ContentError(f"'{name}'[{at}] is {indices[at]}, expected less than {size}")


def _shape(array: Array) -> tuple[int, int]:
    sizes = _indices(array, "shape")
    if sizes.size != 2:
        raise _ContentError(f"'shape' has {sizes.size} numbers, expected 2")
    return int(sizes[0]), int(sizes[1])
