"""Tables of two ids and a value a line, and the sparse arrays that are made of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, BinaryIO

import numpy as np
from scipy.sparse import coo_array

from konig.io.bad_lines import malformed_table
from konig.io.compression import Source
from konig.io.number_tables import (
    Chunk,
    Layout,
    TableError,
    parse_numbers,
    parse_whole_or_real,
    read_chunks,
)

Array = np.ndarray[Any, Any]


Parse = Callable[[Chunk, Layout], tuple[Array, Array, Array | None]]


def read_table(
    source: Source,
    stream: BinaryIO,
    layout: Layout,
    lines_before: int,
    first_line: bytes = b"",
    promised: int | None = None,
) -> tuple[Array, Array, Array]:
    """The ids of every line, counted from 0, and its value: the third column, or ones.

    Parameters
    ----------
    layout : Layout
        Two columns of ids, and perhaps one of values. Those beyond must be numbers and are ignored.
    lines_before : int
        How many lines of the file come before the table.
    first_line : bytes
        A line of the table that was read before.
    promised : int or None
        How many lines there must be.

    Raises
    ------
    konig.errors.FileFormatError
        For the first line that does not follow the layout, or that is missing or too many.
    """
    try:
        return read_entries(stream, layout, first_line, promised)
    except TableError as error:
        raise malformed_table(source, layout, lines_before, promised) from error


def parse_ids_and_value(chunk: Chunk, layout: Layout) -> tuple[Array, Array, Array | None]:
    """The ids counted from 0 and the values of a chunk; `TableError` for an id out of its column's range."""
    width = len(layout.columns)
    whole = all(column.kind == "index" for column in layout.columns[2:])
    numbers = parse_numbers(chunk, width, "integer") if whole else parse_whole_or_real(chunk, width)
    for k, column in enumerate(layout.columns):
        values = numbers[:, k]
        if column.kind == "index" and not (column.lowest <= values.min() and values.max() <= column.highest):
            raise TableError
    rows, cols = (numbers[:, k].astype(np.int64) - layout.columns[k].lowest for k in (0, 1))
    return rows, cols, numbers[:, 2].copy() if width > 2 else None


def read_entries(
    stream: BinaryIO,
    layout: Layout,
    first_line: bytes = b"",
    promised: int | None = None,
    parse: Parse = parse_ids_and_value,
) -> tuple[Array, Array, Array]:
    """As `read_table`, with a `TableError` that does not say which line is wrong."""
    pieces: tuple[list[Array], list[Array], list[Array]] = [], [], []
    count = 0
    for chunk in read_chunks(stream, layout, first_line):
        count += chunk.rows
        if promised is not None and count > promised:
            raise TableError
        if chunk.rows:
            rows, cols, values = parse(chunk, layout)
            ones = np.ones(chunk.rows, dtype=np.int8) if values is None else values
            for found, piece in zip(pieces, (_narrowed(rows), _narrowed(cols), ones), strict=True):
                found.append(piece)
    if promised is not None and count < promised:
        raise TableError
    return _joined(pieces[0], np.int32), _joined(pieces[1], np.int32), _joined(pieces[2], np.int8)


def sparse(rows: Array, cols: Array, values: Array, shape: tuple[int, int]) -> coo_array:
    """The entries as they are: duplicates and zeros stay; 32-bit indices where the shape allows."""
    index_type = np.int32 if max(shape) <= np.iinfo(np.int32).max else np.int64
    rows, cols = rows.astype(index_type, copy=False), cols.astype(index_type, copy=False)
    return coo_array((values, (rows, cols)), shape=shape)


def mirrored(rows: Array, cols: Array, values: Array, symmetry: str) -> tuple[Array, Array, Array]:
    """The entries, then those off the diagonal transposed: negated if skew, conjugated if hermitian."""
    off = rows != cols
    reflected = values[off]
    if symmetry == "skew-symmetric":
        reflected = -reflected
    elif symmetry == "hermitian":
        reflected = reflected.conj()
    return (
        np.concatenate((rows, cols[off])),
        np.concatenate((cols, rows[off])),
        np.concatenate((values, reflected)),
    )


def _narrowed(indices: Array) -> Array:
    if indices.size == 0 or indices.max() <= np.iinfo(np.int32).max:
        return indices.astype(np.int32, copy=False)
    return indices.astype(np.int64, copy=False)


def _joined(pieces: list[Array], type_when_empty: type) -> Array:
    """All pieces in one array. They are given up on the way, to save memory."""
    whole = np.concatenate(pieces) if pieces else np.empty(0, dtype=type_when_empty)
    pieces.clear()
    return whole
