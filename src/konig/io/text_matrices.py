"""Matrices as people type them: a row a line, numbers with blanks, commas or semicolons between them.

``#`` starts a comment. A cell without a number is refused, and so are commas beside semicolons, which may be
decimal ones. Two or three whole numbers a line might be edges: with blanks between them they are.
With commas they are costs, and refused where a pattern is read, unless the format is named.
"""

from __future__ import annotations

import re
from typing import BinaryIO, cast

import numpy as np
from scipy.sparse import coo_array

from konig.io.entries import Array
from konig.io.files import Source
from konig.io.number_tables import Column, Layout, Table, numbered_lines, problem_of_token

_COMMENT = b"#"
_TO_BLANKS = bytes.maketrans(b",;", b"  ")
_EMPTY_CELL = re.compile(rb"(?m)(^|[,;])[ \t]*[,;]")  # what follows the last separator of a line is none
_LONGEST_EDGE = 3  # numbers a line: two ids and a value
_NUMBER = Column("value", "number")


def read(source: Source) -> coo_array:
    """The entries that are not zero."""
    return coo_array(read_costs(source))


def read_costs(source: Source) -> Array:
    """The matrix: int64 if all numbers are whole and fit, else float64."""
    with source.open() as opened:
        stream = cast(BinaryIO, _WithBlanks(source, opened))
        before, first = 0, b""
        for number, line in numbered_lines(source, stream):
            if _is_row(line):
                before, first = number - 1, line
                break
        if not first:
            raise source.error("holds no numbers", 1)
        words = first.split()
        if problem := problem_of_token(words[0], Column("column 1", "number")):
            raise source.error(f"{problem}; tables of edges with names are for konig.from_frame", before + 1)
        width = len(words)
        layout = Layout(tuple(Column(f"column {k}", "number") for k in range(1, width + 1)), _COMMENT)
        columns = Table(source, stream, layout, before, first).columns()
    return np.stack(columns, axis=1)


def is_matrix(start: bytes, costs: bool) -> bool:
    """Whether the first bytes of a file are those of such a matrix and not of an edge list.

    Edges may have time stamps behind their value. Costs have none: four numbers a line are a matrix there.
    """
    row = next((line for line in start.splitlines() if _is_row(line)), b"")
    words = row.translate(_TO_BLANKS).split()
    # The last word may be cut off.
    if not words or any(problem_of_token(word, _NUMBER) for word in words[: max(1, len(words) - 1)]):
        return False
    if row.translate(_TO_BLANKS) != row or (costs and len(words) > _LONGEST_EDGE):
        return True
    return any(not re.fullmatch(rb"[0-9]+", word) for word in words[:2])


def may_be_edges(start: bytes) -> bool:
    """Whether the first row has two or three numbers, of which the first two might be ids."""
    row = next((line for line in start.splitlines() if _is_row(line)), b"")
    words = row.translate(_TO_BLANKS).split()
    return 2 <= len(words) <= _LONGEST_EDGE and all(re.fullmatch(rb"[0-9]+", word) for word in words[:2])


def _is_row(line: bytes) -> bool:
    content = line.strip()
    return bool(content) and not content.startswith(_COMMENT)


class _WithBlanks:
    """A stream in which what separates numbers is a blank; a line whose cells are not clear is an error."""

    def __init__(self, source: Source, stream: BinaryIO):
        self._source, self._stream = source, stream
        self._line = 1
        self._begun = b""  # of that line

    def read(self, size: int) -> bytes:
        return self._checked(self._stream.read(size)).translate(_TO_BLANKS)

    def readline(self, size: int) -> bytes:
        return self._checked(self._stream.readline(size)).translate(_TO_BLANKS)

    def _checked(self, part: bytes) -> bytes:
        text = self._begun + part
        if (b"," in text and b";" in text) or _EMPTY_CELL.search(text):  # perhaps in a comment
            for ahead, line in enumerate(text.split(b"\n")):
                self._require_clear_cells(line.partition(_COMMENT)[0], self._line + ahead)
        self._line += part.count(b"\n")
        self._begun = text.rpartition(b"\n")[2]
        return part

    def _require_clear_cells(self, cells: bytes, number: int) -> None:
        if b"," in cells and b";" in cells:
            raise self._source.error("has commas and semicolons: it is not clear which separate", number)
        if _EMPTY_CELL.search(cells):
            raise self._source.error("has a cell without a number", number)
