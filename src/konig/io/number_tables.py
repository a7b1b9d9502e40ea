"""Lines of numbers: the shared ground of Matrix Market files and edge lists.

A text is read in chunks of whole lines. Each chunk is first checked, exactly, to have the promised columns
on every line, and only then handed to `scipy.io.mmread`. That converts decimals faster than anything in
NumPy, but it skips over whatever follows the last column it wants (``1 1.0 3`` reads as row 1, column 1,
value .0), and it crashes on an array without entries and on symmetric arrays that are not square. Both ways
of calling it here state the size of the chunk, which is known, and never a size that the file claims.

The check works on the *outline* of a chunk: every run of digits becomes one ``0``, every run of blanks one
space, every sign an ``s``, every decimal point a ``p``. A line of a pattern file is then ``0 0``, and one of
a real file is something like ``0 0 s0p0es0``.
"""

from __future__ import annotations

import io
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, BinaryIO, Literal

import numpy as np
import scipy.io

try:
    import scipy.io._fast_matrix_market as _mmio_settings
except ImportError:
    _mmio_settings = None

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
_BLANKS_TO_NEWLINES = bytes.maketrans(b" \t", b"\n\n")
_BLANK_LINES = re.compile(rb"\n(?: ?\n)+")
_LEADING_PLUS = re.compile(rb"(?<![^ \t\n])\+(?=[0-9.iInN])")
_MMIO_LOCK = threading.Lock()


class TableError(Exception):
    """Some line is not what the layout asks for; `konig.io.bad_lines` finds the line."""


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
        """Matches a comment line up to its end."""
        return re.compile(rb"(?m)^[ \t]*" + re.escape(self.comment) + rb".*$")

    @cached_property
    def row_prefix(self) -> re.Pattern[bytes]:
        """Matches the word before each row."""
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


def read_chunks(stream: BinaryIO, layout: Layout, first_line: bytes = b"") -> Iterator[Chunk]:
    """The rest of the stream in checked chunks; `first_line` was read before and belongs to it.

    Raises
    ------
    TableError
        When a line does not follow the layout.
    """
    for lines in _whole_lines(stream, first_line):
        commented = layout.comment and layout.comment in lines
        text = layout.comment_line.sub(b"", lines) if commented else lines
        outline = _outline(text)
        if b"+" in text and (b" s" in outline or b"\ns" in outline):
            text = _LEADING_PLUS.sub(b"", text)
            outline = _outline(text)
        rows = outline.count(b"\n") - 1
        if not _follows(outline, rows, layout):
            raise TableError
        if layout.prefix:
            text = layout.row_prefix.sub(b"", text)
        yield Chunk(text, rows, outline)


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


def parse_numbers(chunk: Chunk, columns: int, field: str) -> np.ndarray[Any, Any]:
    """All numbers of a chunk as an array of `chunk.rows` by `columns`; `field` is a Matrix Market field."""
    count = chunk.rows * columns
    size = b"%%%%MatrixMarket matrix array %s general\n%d 1\n" % (field.encode(), count)
    numbers = _mmread(size, chunk.text.translate(_BLANKS_TO_NEWLINES)) if count else np.empty(0)
    _refuse_overflow(numbers, chunk)
    return np.asarray(numbers).reshape(chunk.rows, columns)


def parse_whole_or_real(chunk: Chunk, columns: int) -> np.ndarray[Any, Any]:
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


def parse_entries(chunk: Chunk, shape: tuple[int, int], field: str) -> tuple[np.ndarray[Any, Any], ...]:
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
        threads = getattr(_mmio_settings, "PARALLELISM", None)
        if threads is not None:
            _mmio_settings.PARALLELISM = 1
        try:
            yield
        finally:
            if threads is not None:
                _mmio_settings.PARALLELISM = threads


def _refuse_overflow(numbers: np.ndarray[Any, Any], chunk: Chunk) -> None:
    if numbers.dtype.kind in "fc" and b"inf" not in chunk.outline and np.isinf(numbers).any():
        raise TableError
