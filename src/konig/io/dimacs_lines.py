"""The lines at the head of a DIMACS file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from konig.errors import FileFormatError
from konig.io.compression import Source
from konig.io.number_tables import MAX_LINE_BYTES


def dimacs_lines(source: Source, stream: BinaryIO) -> Iterator[tuple[int, bytes, list[bytes]]]:
    """Each line with its number and its words; comments and empty lines have none."""
    number = 0
    while line := stream.readline(MAX_LINE_BYTES):
        number += 1
        if len(line) == MAX_LINE_BYTES:
            raise FileFormatError(source.path, f"line longer than {MAX_LINE_BYTES} bytes", number)
        words = line.split()
        yield number, line, [] if words and words[0].startswith(b"c") else words
