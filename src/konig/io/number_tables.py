"""Lines of numbers: the shared ground of all text formats.

A text is read in chunks of whole lines. Each chunk is first checked, exactly, to have the promised columns
on every line, and only then handed to `scipy.io.mmread`. That converts decimals faster than anything in
NumPy, but it skips over whatever follows the last column it wants (``1 1.0 3`` reads as row 1, column 1,
value .0), and it crashes on an array without entries and on symmetric arrays that are not square. Both ways
of calling it here state the size of the chunk, which is known, and never a size that the file claims.

The check works on the *outline* of a chunk: every run of digits becomes one ``0``, every run of blanks one
space, every sign an ``s``, every decimal point a ``p``. A line of a pattern file is then ``0 0``, and one of
a real file is something like ``0 0 s0p0es0``.

A check that fails does not say which line is wrong. That is found by reading the file again, line by line.
"""

from __future__ import annotations

import io
import math
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from types import SimpleNamespace
from typing import Any, BinaryIO, Literal, TypeAlias, TypeVar

import numpy as np
import scipy.io

from konig.errors import FileFormatError
from konig.io.entries import Array
from konig.io.files import Source

try:
    import scipy.io._fast_matrix_market as _mmio_settings
except ImportError:
    _mmio_settings = SimpleNamespace()

CHUNK_BYTES = 1 << 20
MAX_LINE_BYTES = 1 << 20

_OUTLINE = {
    "index": rb"0",
    "integer": rb"s?0",
    "unsigned": rb"0",
    "real": rb"s?(?:(?:0p?0?|p0)(?:es?0)?|nan|inf(?:inity)?)",
}

_LARGEST_RUN_SYMBOL = ord("0")


def _outline_symbols() -> bytes:
    """The translation table of the outline: what forms runs sorts first, what no number has becomes ``?``."""
    symbols = bytearray(b"?" * 256)
    for characters, symbol in (("\n", "\n"), (" \t", " "), ("0123456789", "0"), ("+-", "s"), (".", "p")):
        for character in characters:
            symbols[ord(character)] = ord(symbol)
    for letter in "einfinitynan":
        symbols[ord(letter)] = symbols[ord(letter.upper())] = ord(letter)
    return bytes(symbols)


_SYMBOLS = _outline_symbols()
_BLANKS_TO_NEWLINES = bytes.maketrans(b" \t\r", b"\n\n\n")
_BLANK_LINES = re.compile(rb"\n(?: ?\n)+")
_LEADING_PLUS = re.compile(rb"(?<![^ \t\n])\+(?=[0-9.iInN])")
_MMIO_LOCK = threading.Lock()
_WHOLE = re.compile(rb"[+-]?[0-9]+")
_REAL = re.compile(
    rb"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|nan|inf(?:inity)?)", re.IGNORECASE
)
_SHOWN_BYTES = 40

Parsed = TypeVar("Parsed")
Entries: TypeAlias = tuple[Array, Array, Array | None]
Parse: TypeAlias = Callable[["Chunk"], Entries]


class TableError(Exception):
    """Some line is not what the layout asks for; `Table.malformed` finds the line."""


@dataclass(frozen=True)
class Column:
    """What one column of a table holds, and between which bounds if it is an index or unsigned."""

    name: str
    kind: Literal["index", "integer", "unsigned", "real"]
    lowest: int = 0
    highest: int = 2**63 - 1


@dataclass(frozen=True)
class Layout:
    """The columns of a table, the character that starts a comment line, and the word before each row."""

    columns: tuple[Column, ...]
    comment: bytes
    prefix: bytes = b""
    free: bool = False  # whether any blank ends a line

    @cached_property
    def plain_line(self) -> bytes:
        """The outline of a line without signs, points or stray blanks."""
        return b" ".join([self.prefix] * bool(self.prefix) + [b"0"] * len(self.columns)) + b"\n"

    @cached_property
    def line(self) -> re.Pattern[bytes]:
        """Matches the outline of a line that has exactly these columns."""
        words = [re.escape(self.prefix)] * bool(self.prefix)
        return re.compile(
            rb" ?" + b" ".join([*words, *(_OUTLINE[column.kind] for column in self.columns)]) + rb" ?"
        )

    @cached_property
    def comment_line(self) -> re.Pattern[bytes]:
        return re.compile(rb"(?m)^[ \t]*" + re.escape(self.comment) + rb".*$")

    @cached_property
    def row_prefix(self) -> re.Pattern[bytes]:
        return re.compile(rb"(?m)^[ \t]*" + re.escape(self.prefix) + rb"(?=[ \t])")

    def __str__(self) -> str:
        names = [column.name for column in self.columns]
        return " ".join([self.prefix.decode(), *names] if self.prefix else names)


@dataclass(frozen=True)
class Chunk:
    """Whole lines that follow their layout: `rows` of them are not blank."""

    text: bytes
    rows: int
    outline: bytes


def _follows(outline: bytes, rows: int, layout: Layout) -> bool:
    if outline == b"\n" + layout.plain_line * rows:
        return True
    # A table has millions of lines but few outlines of lines.
    return all(map(layout.line.fullmatch, set(outline[1:-1].split(b"\n"))))


def _whole_lines(stream: BinaryIO, first_line: bytes) -> Iterator[bytes]:
    text = first_line
    while True:
        text += stream.read(CHUNK_BYTES)
        if not text:
            return
        if not text.endswith(b"\n"):
            rest = stream.readline(MAX_LINE_BYTES)
            text += rest
            if not text.endswith(b"\n"):
                if len(rest) == MAX_LINE_BYTES:
                    raise TableError
                text += b"\n"
        yield text.replace(b"\r\n", b"\n") if b"\r" in text else text
        text = b""


def _outline(text: bytes) -> bytes:
    symbols = np.frombuffer(b"\n" + text.translate(_SYMBOLS), dtype=np.uint8)
    keep = np.empty(symbols.size, dtype=bool)
    keep[0] = True
    np.not_equal(symbols[1:], symbols[:-1], out=keep[1:])
    keep |= symbols > _LARGEST_RUN_SYMBOL
    outline = symbols[keep].tobytes()
    return _BLANK_LINES.sub(b"\n", outline) if b"\n \n" in outline else outline


def parse_numbers(chunk: Chunk, columns: int, field: str) -> Array:
    """All numbers of a chunk as an array of `chunk.rows` by `columns`; `field` is a Matrix Market field."""
    count = chunk.rows * columns
    size = b"%%%%MatrixMarket matrix array %s general\n%d 1\n" % (field.encode(), count)
    numbers = _mmread(size, chunk.text.translate(_BLANKS_TO_NEWLINES)) if count else np.empty(0)
    _refuse_overflow(numbers, chunk)
    return np.asarray(numbers).reshape(chunk.rows, columns)


def parse_whole_or_real(chunk: Chunk, columns: int) -> Array:
    """All numbers of a chunk, as 64-bit integers where that is what they are and as doubles otherwise."""
    if not chunk.rows:
        return np.empty((0, columns), dtype=np.int64)
    # The word before the rows may be an "a"; a number with that letter is a "nan", and has others too.
    if not chunk.outline.translate(None, b"0 \nsa"):
        try:
            return parse_numbers(chunk, columns, "integer")
        except TableError:
            pass
    return parse_numbers(chunk, columns, "real")


def parse_entries(chunk: Chunk, shape: tuple[int, int], field: str) -> tuple[Array, ...]:
    """Rows, columns (from 0) and values of a chunk of Matrix Market coordinates."""
    size = b"%%%%MatrixMarket matrix coordinate %s general\n%d %d %d\n"
    entries = _mmread(size % (field.encode(), *shape, chunk.rows), chunk.text)
    _refuse_overflow(entries.data, chunk)
    return entries.row, entries.col, entries.data


def _mmread(header: bytes, body: bytes) -> Any:
    with single_threaded_mmio():
        try:
            return scipy.io.mmread(io.BytesIO(header + body))
        except (ValueError, OverflowError) as error:
            raise TableError from error


@contextmanager
def single_threaded_mmio() -> Iterator[None]:
    """Keep SciPy's Matrix Market code from starting a thread per core of the machine for every call."""
    with _MMIO_LOCK:
        threads = getattr(_mmio_settings, "PARALLELISM", 0)
        _mmio_settings.PARALLELISM = 1
        try:
            yield
        finally:
            _mmio_settings.PARALLELISM = threads


def _refuse_overflow(numbers: Array, chunk: Chunk) -> None:
    if numbers.dtype.kind in "fc" and b"inf" not in chunk.outline and np.isinf(numbers).any():
        raise TableError


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

    def chunks(self) -> Iterator[Chunk]:
        """The rest of the stream in checked chunks.

        Raises `TableError` when a line does not follow the layout, or there are not as many as promised.
        """
        layout, count = self.layout, 0
        for lines in _whole_lines(self.stream, self.first_line):
            if layout.free:
                lines = lines.translate(_BLANKS_TO_NEWLINES)
            commented = layout.comment and layout.comment in lines
            text = layout.comment_line.sub(b"", lines) if commented else lines
            outline = _outline(text)
            if b"+" in text and (b" s" in outline or b"\ns" in outline):
                text = _LEADING_PLUS.sub(b"", text)
                outline = _outline(text)
            rows = outline.count(b"\n") - 1
            count += rows
            if not _follows(outline, rows, layout) or (self.promised is not None and count > self.promised):
                raise TableError
            yield Chunk(layout.row_prefix.sub(b"", text) if layout.prefix else text, rows, outline)
        if self.promised is not None and count < self.promised:
            raise TableError

    def parsed(self, parse: Callable[[Chunk], Parsed]) -> Iterator[Parsed]:
        """What `parse` makes of each chunk that is not blank; the error for a wrong line names the line."""
        try:
            yield from (parse(chunk) for chunk in self.chunks() if chunk.rows)
        except TableError as error:
            raise self.malformed() from error

    def entries(self, parse: Parse | None = None) -> tuple[Array, Array, Array]:
        """The ids of every line, counted from 0, and its value: the third column, or ones.

        Columns beyond the third must be numbers and are ignored.
        """
        pieces: tuple[list[Array], list[Array], list[Array]] = [], [], []
        for rows, cols, values in self.parsed(parse or self._ids_and_value):
            ones = np.ones(rows.size, dtype=np.int8) if values is None else values
            for found, piece in zip(pieces, (_narrowed(rows), _narrowed(cols), ones), strict=True):
                found.append(piece)
        return _joined(pieces[0], np.int32), _joined(pieces[1], np.int32), _joined(pieces[2], np.int8)

    def _ids_and_value(self, chunk: Chunk) -> Entries:
        columns = self.layout.columns
        whole = all(column.kind == "index" for column in columns[2:])
        parse = partial(parse_numbers, field="integer") if whole else parse_whole_or_real
        numbers = parse(chunk, len(columns))
        for values, column in zip(numbers.T, columns, strict=True):
            if column.kind == "index" and not column.lowest <= values.min() <= values.max() <= column.highest:
                raise TableError
        rows, cols = (numbers[:, k].astype(np.int64) - columns[k].lowest for k in (0, 1))
        return rows, cols, numbers[:, 2].copy() if len(columns) > 2 else None

    def malformed(self) -> FileFormatError:
        """The error for the first line that does not follow the layout, or that breaks the promised count."""
        number, entries = self.before, 0
        with self.source.open() as stream:
            for number, line in self._lines(stream):
                if _is_blank(line, self.layout):
                    continue
                if entries == self.promised:
                    return self.source.error(f"more entries than the {self.promised} promised", number)
                if problem := _problem_of_line(line, self.layout):
                    return self.source.error(problem, number)
                entries += 1
        if self.promised is not None and entries < self.promised:
            return self.source.error(f"ends after {entries} of {self.promised} entries", number)
        return self.source.error(f"is not a table of '{self.layout}'")

    def line_of(self, entry: int) -> int | None:
        """The number of the line that holds an entry, both lines and entries in file order."""
        with self.source.open() as stream:
            rows = (number for number, line in self._lines(stream) if not _is_blank(line, self.layout))
            return next(islice(rows, entry, None), None)

    def _lines(self, stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
        return islice(numbered_lines(self.source, stream), self.before, None)


def numbered_lines(source: Source, stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines with their numbers, from 1; one that is too long for any table is refused."""
    for number, line in enumerate(iter(lambda: stream.readline(MAX_LINE_BYTES), b""), 1):
        if len(line) == MAX_LINE_BYTES:
            raise source.error(f"line longer than {MAX_LINE_BYTES} bytes", number)
        yield number, line


def _narrowed(indices: Array) -> Array:
    if indices.max() <= np.iinfo(np.int32).max:
        return indices.astype(np.int32, copy=False)
    return indices.astype(np.int64, copy=False)


def _joined(pieces: list[Array], type_when_empty: type) -> Array:
    """All pieces in one array. They are given up on the way, to save memory."""
    whole = np.concatenate(pieces) if pieces else np.empty(0, dtype=type_when_empty)
    pieces.clear()
    return whole


def shown(text: bytes) -> str:
    """A piece of a file as it may stand in a message: quoted, short, and without control characters."""
    cut = text[:_SHOWN_BYTES].decode("utf-8", "replace")
    return ascii(cut) + ("..." if len(text) > _SHOWN_BYTES else "")


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
        raise source.error(problem, line)
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
