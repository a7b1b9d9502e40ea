"""OR-Library assignment files: n, then the n * n costs of a square matrix, row after row.

See https://people.brunel.ac.uk/~mastjjb/jeb/orlib/assigninfo.html. Where lines end means nothing.
"""

from __future__ import annotations

import re
from typing import BinaryIO, cast

import numpy as np

from konig.errors import FileFormatError
from konig.io.bad_lines import problem_of_token
from konig.io.compression import Source
from konig.io.entries import Array
from konig.io.number_tables import (
    MAX_LINE_BYTES,
    Column,
    Layout,
    TableError,
    parse_whole_or_real,
    read_chunks,
)

# A first line with one number and nothing else: no edge list has that.
FIRST_LINE = re.compile(rb"\s*[0-9]{1,9}[ \t]*\r?(?:\n|$)")

_SIZE = Column("the number of rows", "index", 0, 2**31 - 1)
_COST = Column("cost", "real")
_ONE_NUMBER = Layout((_COST,), b"")
_BLANKS_TO_NEWLINES = bytes.maketrans(b" \t\r", b"\n\n\n")


class _OneNumberALine:
    """A stream whose numbers are read as if each had a line of its own."""

    def __init__(self, stream: BinaryIO):
        self._stream = stream

    def read(self, size: int) -> bytes:
        return self._stream.read(size).translate(_BLANKS_TO_NEWLINES)

    def readline(self, size: int) -> bytes:
        return self._stream.readline(size).translate(_BLANKS_TO_NEWLINES)


def read(source: Source) -> Array:
    """The costs: of whole numbers int64, else float64."""
    size = _size(source)
    pieces, count = [], 0
    with source.open() as stream:
        try:
            for chunk in read_chunks(cast(BinaryIO, _OneNumberALine(stream)), _ONE_NUMBER):
                pieces.append(parse_whole_or_real(chunk, 1)[:, 0])
                count += chunk.rows
        except TableError as error:
            raise _malformed(source) from error
    if count != 1 + size * size:
        raise _malformed(source)
    return np.concatenate(pieces)[1:].reshape(size, size)


def _size(source: Source) -> int:
    with source.open() as stream:
        while line := stream.readline(MAX_LINE_BYTES):
            words = line.split(maxsplit=1)
            if words and not problem_of_token(words[0], _SIZE):
                return int(words[0])
            if words:
                break
    raise _malformed(source)


def _malformed(source: Source) -> FileFormatError:
    """The error for the first word that is no number, or that is one too many. The slow path."""
    size, found, number = None, 0, 0
    with source.open() as stream:
        while line := stream.readline(MAX_LINE_BYTES):
            number += 1
            if len(line) == MAX_LINE_BYTES and not line.endswith(b"\n"):
                return FileFormatError(source.path, f"line longer than {MAX_LINE_BYTES} bytes", number)
            for word in re.split(rb"[ \t\r\n]+", line.strip(b" \t\r\n")) if line.strip(b" \t\r\n") else ():
                problem = problem_of_token(word, _COST if size is not None else _SIZE)
                if problem:
                    return FileFormatError(source.path, problem, number)
                if size is None:
                    size = int(word)
                    continue
                found += 1
                if found > size * size:
                    return FileFormatError(
                        source.path, f"more costs than the {size} x {size} promised", number
                    )
    if size is None:
        return FileFormatError(source.path, "ends before the number of rows", max(number, 1))
    return FileFormatError(source.path, f"ends after {found} of {size} x {size} costs", number)
