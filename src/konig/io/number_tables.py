"""Lines of numbers: the shared ground of all text formats.

The native `NumberTable` reads them, strictly and in one pass. It gives back a line that it refuses, with its
number; what is wrong with the line is found here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO, Literal

import numpy as np

from konig import _native
from konig.errors import FileFormatError
from konig.io.entries import Array
from konig.io.files import Source

CHUNK_BYTES = 1 << 20
MAX_LINE_BYTES = 1 << 20

_WHOLE = re.compile(rb"[+-]?[0-9]+")
_REAL = re.compile(
    rb"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|nan|inf(?:inity)?)", re.IGNORECASE
)
_SHOWN_BYTES = 40
_NAMED_COLUMNS = 8  # in a message


@dataclass(frozen=True)
class Column:
    """What one column of a table holds, and between which bounds if it is an index or unsigned.

    The kinds, which `native/io/number_table.h` describes, and their types: "index" (counted from `lowest`:
    int32, or int64 where that is needed), "unsigned" (uint64), "integer" (int64), "real" (float64), "number"
    (int64 if all of them fit, else float64), "skipped" (real, and not kept).
    """

    name: str
    kind: Literal["index", "unsigned", "integer", "real", "number", "skipped"]
    lowest: int = 0
    highest: int = 2**63 - 1


@dataclass(frozen=True)
class Layout:
    """The columns of a table, the character that starts a comment line, and the one before each row."""

    columns: tuple[Column, ...]
    comment: bytes
    prefix: bytes = b""
    free: bool = False  # whether any blank ends a line

    def __str__(self) -> str:
        names = [column.name for column in self.columns]
        if len(names) > _NAMED_COLUMNS:
            return f"{len(names)} numbers"
        return " ".join([self.prefix.decode(), *names] if self.prefix else names)


@dataclass(frozen=True)
class Table:
    """The lines of a file that follow a layout.

    `before` lines come first; `first_line` is one of the table that was read with them. `promised` is how
    many entries the file says there are.
    """

    source: Source
    stream: BinaryIO
    layout: Layout
    before: int = 0
    first_line: bytes = b""
    promised: int | None = None

    def columns(self) -> list[Array]:
        """The numbers of each column that is not skipped; the error for a wrong line names the line."""
        layout = self.layout
        most = 2**63 - 1 if self.promised is None else min(self.promised, 2**63 - 1)
        # Memory for what is promised, unless the file is too small to hold it: a row takes several bytes.
        expected = 0 if self.promised is None else min(self.promised, self.source.size)
        kinds = [(column.kind, column.lowest, column.highest) for column in layout.columns]
        table = _native.NumberTable(
            kinds, layout.comment, layout.prefix, layout.free, most, expected, MAX_LINE_BYTES
        )
        text, sound = self.first_line, True
        while sound and (text or (text := self.stream.read(CHUNK_BYTES))):
            sound, text = table.add(text), b""
        if not (sound and table.finish()):
            raise self._refusal(table)
        if self.promised is not None and table.rows < self.promised:
            problem = f"ends after {table.rows} of {self.promised} entries"
            raise self.source.error(problem, self.before + table.lines)
        return table.columns()

    def entries(self) -> tuple[Array, Array, Array]:
        """The ids of every line, counted from 0, and its value: the third column, or ones."""
        rows, cols, *values = self.columns()
        return rows, cols, values[0] if values else np.ones(rows.size, dtype=np.int8)

    def _refusal(self, table: _native.NumberTable) -> FileFormatError:
        """The error for the line at which a table ended."""
        line, number = table.refused, self.before + table.lines + 1
        if len(line) >= MAX_LINE_BYTES:
            return _too_long(self.source, number)
        if table.rows == self.promised:
            return self.source.error(f"more entries than the {self.promised} promised", number)
        return self.source.error(_problem_of_line(line, self.layout), number)

    def line_of(self, entry: int) -> int | None:
        """The number of the line that holds an entry, both lines and entries in file order."""
        with self.source.open() as stream:
            lines = islice(numbered_lines(self.source, stream), self.before, None)
            rows = (number for number, line in lines if not _is_blank(line, self.layout))
            return next(islice(rows, entry, None), None)


def numbered_lines(source: Source, stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines with their numbers, from 1; one that is too long for any table is refused."""
    for number, line in enumerate(iter(lambda: stream.readline(MAX_LINE_BYTES), b""), 1):
        if len(line) == MAX_LINE_BYTES:
            raise _too_long(source, number)
        yield number, line


def _too_long(source: Source, number: int) -> FileFormatError:
    return source.error(f"line longer than {MAX_LINE_BYTES} bytes", number)


def shown(text: bytes) -> str:
    """A piece of a file as it may stand in a message: quoted, short, and without control characters."""
    cut = text[:_SHOWN_BYTES].decode("utf-8", "replace")
    return ascii(cut) + ("..." if len(text) > _SHOWN_BYTES else "")


def _is_blank(line: bytes, layout: Layout) -> bool:
    content = _content(line)
    return not content or (bool(layout.comment) and content.startswith(layout.comment))


def _content(line: bytes) -> bytes:
    return line.removesuffix(b"\n").removesuffix(b"\r").strip(b" \t")


def _problem_of_line(line: bytes, layout: Layout) -> str:
    tokens = re.split(rb"[ \t]+", _content(line))
    problem = f"expected '{layout}', found "
    if not layout.prefix or tokens.pop(0) == layout.prefix:
        if len(tokens) == len(layout.columns):
            problems = (problem_of_token(*pair) for pair in zip(tokens, layout.columns, strict=True))
            return next(filter(None, problems))
        problem += f"{len(tokens)} column{'s' * (len(tokens) != 1)}: "
    return problem + shown(_content(line))


def whole_number(source: Source, word: bytes, column: Column, line: int) -> int:
    """A word as the index or the size that it should be, or the error that says what is wrong with it."""
    problem = problem_of_token(word, column)
    if problem:
        raise source.error(problem, line)
    return int(word)


def problem_of_token(token: bytes, column: Column) -> str | None:
    """What is wrong with a word that should be a number of this column, or None."""
    if column.kind in ("real", "number", "skipped"):
        if not _REAL.fullmatch(token):
            return f"{column.name} {shown(token)} is not a number"
        overflowed = b"inf" not in token.lower() and math.isinf(float(token))
        return f"{column.name} {shown(token)} does not fit in 64 bits" if overflowed else None
    if not _WHOLE.fullmatch(token):
        return f"{column.name} {shown(token)} is not a whole number"
    negative, digits = token.startswith(b"-"), token.lstrip(b"+-0")
    # Python refuses to convert thousands of digits.
    size = int(digits or b"0") if len(digits) < 30 else 10**30
    if column.kind == "integer":
        fits = size <= 2**63 - (not negative)
        return None if fits else f"{column.name} {shown(token)} does not fit in 64 bits"
    if negative or not column.lowest <= size <= column.highest:
        return f"{column.name} {shown(token)} is not in {column.lowest}..{column.highest}"
    return None
