"""Finding the line that is wrong in a table that could not be read.

This is the slow path: it reads the file again, line by line, and only after the fast one has failed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import BinaryIO

from konig.errors import FileFormatError
from konig.io.compression import Source
from konig.io.number_tables import MAX_LINE_BYTES, Column, Layout

_WHOLE = re.compile(rb"[+-]?[0-9]+")
_REAL = re.compile(
    rb"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|nan|inf(?:inity)?)", re.IGNORECASE
)
_SHOWN_BYTES = 40


def malformed_table(
    source: Source, layout: Layout, lines_before: int, promised: int | None = None
) -> FileFormatError:
    """The error for the first line that does not follow the layout, or that breaks the promised count."""
    number, entries = lines_before, 0
    with source.open() as stream:
        for number, line in _lines(stream, lines_before):
            if len(line) >= MAX_LINE_BYTES:
                return FileFormatError(source.path, f"line longer than {MAX_LINE_BYTES} bytes", number)
            if _is_blank(line, layout):
                continue
            if entries == promised:
                return FileFormatError(source.path, f"more entries than the {promised} promised", number)
            problem = _problem_of_line(line, layout)
            if problem:
                return FileFormatError(source.path, problem, number)
            entries += 1
    if promised is not None and entries < promised:
        return FileFormatError(source.path, f"ends after {entries} of {promised} entries", number)
    return FileFormatError(source.path, f"is not a table of '{layout}'")


def line_of_entry(source: Source, layout: Layout, lines_before: int, entry: int) -> int | None:
    """The number of the line that holds an entry, both lines and entries in file order."""
    with source.open() as stream:
        entries = (number for number, line in _lines(stream, lines_before) if not _is_blank(line, layout))
        return next((number for k, number in enumerate(entries) if k == entry), None)


def shown(text: bytes) -> str:
    """A piece of a file as it may stand in a message: quoted, short, and without control characters."""
    cut = text[:_SHOWN_BYTES].decode("utf-8", "replace")
    return ascii(cut) + ("..." if len(text) > _SHOWN_BYTES else "")


def _lines(stream: BinaryIO, lines_before: int) -> Iterator[tuple[int, bytes]]:
    number = 0
    while line := stream.readline(MAX_LINE_BYTES):
        number += 1
        if number > lines_before:
            yield number, line


def _is_blank(line: bytes, layout: Layout) -> bool:
    content = _content(line)
    return not content or (bool(layout.comment) and content.startswith(layout.comment))


def _content(line: bytes) -> bytes:
    return line.removesuffix(b"\n").removesuffix(b"\r").strip(b" \t")


def _problem_of_line(line: bytes, layout: Layout) -> str | None:
    tokens = re.split(rb"[ \t]+", _content(line))
    if layout.prefix and tokens.pop(0) != layout.prefix:
        return f"expected '{layout}', found {shown(_content(line))}"
    if len(tokens) != len(layout.columns):
        found = f"{len(tokens)} column{'s' * (len(tokens) != 1)}"
        return f"expected '{layout}', found {found}: {shown(_content(line))}"
    problems = (problem_of_token(*pair) for pair in zip(tokens, layout.columns, strict=True))
    return next((problem for problem in problems if problem), None)


def whole_number(source: Source, word: bytes, column: Column, line: int) -> int:
    """A word as the index or the size that it should be, or the error that says what is wrong with it."""
    problem = problem_of_token(word, column)
    if problem:
        raise FileFormatError(source.path, problem, line)
    return int(word)


def problem_of_token(token: bytes, column: Column) -> str | None:
    """What is wrong with a word that should be a number of this column, or None."""
    if column.kind == "real":
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
