"""Edge lists: what SNAP and KONECT files share."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import BinaryIO

from konig.errors import FileFormatError
from konig.io.bad_lines import whole_number
from konig.io.compression import Source
from konig.io.entries import Array, read_table
from konig.io.number_tables import MAX_LINE_BYTES, Column, Layout

# Beside weights with a decimal point the ids are read as doubles, exact up to here.
LARGEST_ID = 2**53 - 1


@dataclass(frozen=True)
class Preamble:
    """The comment lines at the top of a file, and the first line that is none (empty at the end)."""

    comments: tuple[bytes, ...]
    first_line: bytes


def read_preamble(source: Source, stream: BinaryIO, comment: bytes) -> Preamble:
    """Read up to the first line that is neither blank nor a comment."""
    comments: list[bytes] = []
    while line := stream.readline(MAX_LINE_BYTES):
        if len(line) == MAX_LINE_BYTES:
            raise FileFormatError(source.path, f"line longer than {MAX_LINE_BYTES} bytes", len(comments) + 1)
        content = line.strip()
        if content and not content.startswith(comment):
            break
        comments.append(content)
    return Preamble(tuple(comments), line)


def read_edges(
    source: Source, stream: BinaryIO, preamble: Preamble, comment: bytes, ids: tuple[Column, Column]
) -> tuple[Array, Array, Array]:
    """Both ends of every edge, counted from 0, and the values: the third column, or ones.

    Columns beyond the third (time stamps) must be numbers and are otherwise ignored.
    """
    width = max(len(re.split(rb"[ \t]+", preamble.first_line.strip())), 2)
    extra = [Column(f"column {k}", "real") for k in range(4, width + 1)]
    columns = (*ids, Column("value", "real"), *extra)[:width]
    return read_table(source, stream, Layout(columns, comment), len(preamble.comments), preamble.first_line)


def declared_size(source: Source, word: bytes, name: str, line: int) -> int:
    """A declared number of vertices; more than any id reaches are refused."""
    return whole_number(source, word, Column(name, "index", 0, LARGEST_ID + 1), line)
