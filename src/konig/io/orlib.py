"""OR-Library assignment files: n, then the costs of a square matrix.

See https://people.brunel.ac.uk/~mastjjb/jeb/orlib/assigninfo.html. In the dense files (assign100, ...) the
n * n costs follow row after row, and where lines end means nothing. In the sparse ones (assignp800, ...)
every line has a row, a column, both counted from 1, and their cost; what is not listed is forbidden.

Nothing says which of the two a file is. It is sparse if all lines after the first have a row, a column and a
cost, unless n is 3, or there are n * n numbers and some entry is listed twice: it is dense then.
"""

from __future__ import annotations

import re

import numpy as np
from scipy.sparse import coo_array

from konig.errors import FileFormatError
from konig.io import number_tables as tables
from konig.io.entries import Array, sparse
from konig.io.files import Source
from konig.io.number_tables import MAX_LINE_BYTES, Column, Layout, Table

# A first line with one number and nothing else: no edge list has that.
FIRST_LINE = re.compile(rb"\s*[0-9]{1,9}[ \t]*\r?(?:\n|$)")

_SIZE = Column("the number of rows", "index", 0, 2**31 - 1)
_COST = Column("cost", "number")
_ONE_NUMBER = Layout((_COST,), b"", free=True)


def read(source: Source) -> Array | coo_array:
    """The costs: of integers int64, else float64."""
    size, lines, listed = _size(source)
    problem = None
    if listed:
        try:
            listing = _read_listing(source, size, lines)
        except FileFormatError as error:
            listing, problem = None, error
        if listing is not None:
            return listing
    with source.open() as stream:
        try:
            (numbers,) = Table(source, stream, _ONE_NUMBER, promised=1 + size * size).columns()
        except FileFormatError:
            raise problem or _malformed(source) from None
    return numbers[1:].reshape(size, size)


def _read_listing(source: Source, size: int, lines: int) -> coo_array | None:
    """The listed entries, or None if some are listed twice: the numbers are costs then."""
    layout = Layout((Column("row", "index", 1, size), Column("column", "index", 1, size), _COST), b"")
    with source.open() as stream:
        for _ in range(lines):
            stream.readline(MAX_LINE_BYTES)
        rows, cols, costs = Table(source, stream, layout, lines).entries()
    places = rows.astype(np.int64) * size + cols
    if 3 * len(places) == size * size and len(np.unique(places)) < len(places):
        return None
    return sparse(rows, cols, costs, (size, size))


def _size(source: Source) -> tuple[int, int, bool]:
    """n, how many lines there are up to it, and whether entries seem to be listed after them."""
    lines = 0
    with source.open() as stream:
        while line := stream.readline(MAX_LINE_BYTES):
            lines += 1
            words = line.split(maxsplit=1)
            if not words:
                continue
            if tables.problem_of_token(words[0], _SIZE):
                break
            size = int(words[0])
            following = b""
            while not following.strip() and (following := stream.readline(MAX_LINE_BYTES)):
                pass
            return size, lines, len(words) == 1 and size != 3 and len(following.split()) == 3
    raise _malformed(source)


def _malformed(source: Source) -> FileFormatError:
    """The error for the first word that is no number, or that is one too many. The slow path."""
    size, found, number = None, 0, 0
    with source.open() as stream:
        for number, line in tables.numbered_lines(source, stream):
            for word in re.findall(rb"[^ \t\r\n]+", line):
                problem = tables.problem_of_token(word, _COST if size is not None else _SIZE)
                if problem:
                    return source.error(problem, number)
                if size is None:
                    size = int(word)
                    continue
                found += 1
                if found > size * size:
                    return source.error(f"more costs than the {size} x {size} promised", number)
    if size is None:
        return source.error("ends before the number of rows", max(number, 1))
    return source.error(f"ends after {found} of {size} x {size} costs", number)
