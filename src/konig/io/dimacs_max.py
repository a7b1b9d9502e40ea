"""DIMACS ``max`` files: maximum flow problems of the first DIMACS challenge.

The format (http://archive.dimacs.rutgers.edu/pub/netflow/general-info/): a letter begins each line. ``c``
comments; once ``p max VERTICES ARCS``; ``n ID s`` and ``n ID t`` name the source and the sink; then a line
``a TAIL HEAD CAPACITY`` for each arc. Vertices count from 1, capacities are whole numbers.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass, field
from typing import IO, BinaryIO

import numpy as np

from konig.errors import FileFormatError
from konig.io import matrix_market
from konig.io.bad_lines import malformed_table, shown, whole_number
from konig.io.compression import Source
from konig.io.dimacs_lines import dimacs_lines
from konig.io.edge_lists import declared_size
from konig.io.entries import Array, Entries, sparse
from konig.io.networks import Network
from konig.io.number_tables import (
    Chunk,
    Column,
    Layout,
    TableError,
    parse_numbers,
    read_chunks,
)

START = re.compile(rb"(?:[ \t]*(?:c[^\n]*)?\r?\n)*[ \t]*p[ \t]+max\b")
_PROBLEM_LINE = "'p max VERTICES ARCS'"
_NODE_LINE = "'n VERTEX s' or 'n VERTEX t'"
_ARCS_AT_A_TIME = 1 << 20


@dataclass
class Header:
    """What stands before the arcs; `lines` counts the lines up to the first arc."""

    lines: int = 0
    sizes: tuple[int, int] | None = None
    terminals: dict[bytes, int] = field(default_factory=dict)
    first_arc: bytes = b""

    @property
    def layout(self) -> Layout:
        """The columns of the lines that follow."""
        vertices = self.sizes[0] if self.sizes else 0
        ends = (Column("tail", "index", 1, vertices), Column("head", "index", 1, vertices))
        return Layout((*ends, Column("capacity", "index")), b"c", b"a")


def read(source: Source) -> Network:
    """The network: arcs in file order, capacities as 64-bit integers."""
    with source.open() as stream:
        header = _read_header(source, stream)
        assert header.sizes is not None
        vertices, promised = header.sizes
        try:
            arcs = _read_arcs(stream, header, promised)
        except TableError as error:
            raise malformed_table(source, header.layout, header.lines, promised) from error
    ends = (header.terminals[which] for which in (b"s", b"t"))
    return Network(*arcs, vertices, *ends)


def _read_header(source: Source, stream: BinaryIO) -> Header:
    header = Header()
    for number, line, words in dimacs_lines(source, stream):
        if words and words[0] == b"a":
            header.first_arc = line
            break
        header.lines = number
        if words:
            _take_line(source, header, words, number)
    _check_complete(source, header, max(header.lines, 1))
    return header


def _take_line(source: Source, header: Header, words: list[bytes], number: int) -> None:
    """Enter a line of the header, ``p`` or ``n``."""
    found = shown(b" ".join(words))
    if words[0] == b"p":
        if header.sizes:
            raise FileFormatError(source.path, f"a second problem line: {found}", number)
        if len(words) != 4 or words[1] != b"max" or not _whole(words[2:]):
            raise FileFormatError(source.path, f"expected {_PROBLEM_LINE}, found {found}", number)
        vertices = declared_size(source, words[2], "the number of vertices", number)
        header.sizes = vertices, whole_number(source, words[3], Column("the number of arcs", "index"), number)
    elif words[0] == b"n":
        if header.sizes is None:
            problem = f"expected {_PROBLEM_LINE} before the first vertex, found {found}"
            raise FileFormatError(source.path, problem, number)
        if len(words) != 3 or words[2] not in (b"s", b"t") or not _whole(words[1:2]):
            raise FileFormatError(source.path, f"expected {_NODE_LINE}, found {found}", number)
        _take_terminal(source, header, words[1], words[2], number)
    else:
        problem = f"expected a line that begins with c, p, n or a, found {found}"
        raise FileFormatError(source.path, problem, number)


def _take_terminal(source: Source, header: Header, word: bytes, which: bytes, number: int) -> None:
    assert header.sizes is not None
    name = "source" if which == b"s" else "sink"
    vertex = whole_number(source, word, Column(name, "index", 1, header.sizes[0]), number)
    if which in header.terminals:
        raise FileFormatError(source.path, f"a second {name}: vertex {vertex}", number)
    if vertex - 1 in header.terminals.values():
        raise FileFormatError(source.path, f"vertex {vertex} is both source and sink", number)
    header.terminals[which] = vertex - 1


def _check_complete(source: Source, header: Header, number: int) -> None:
    if header.sizes is None:
        raise FileFormatError(source.path, f"no line {_PROBLEM_LINE} before the arcs", number)
    for which, name in ((b"s", "source"), (b"t", "sink")):
        if which not in header.terminals:
            problem = f"no line 'n VERTEX {which.decode()}' before the arcs: where is the {name}?"
            raise FileFormatError(source.path, problem, number)


def _whole(words: list[bytes]) -> bool:
    return all(word.isdigit() for word in words)


def _read_arcs(stream: BinaryIO, header: Header, promised: int) -> tuple[Array, Array, Array]:
    arcs, layout = Entries(), header.layout
    for chunk in read_chunks(stream, layout, header.first_arc):
        if arcs.count + chunk.rows > promised:
            raise TableError
        if chunk.rows:
            arcs.append(*_parse_arcs(chunk, layout))
    if arcs.count < promised:
        raise TableError
    tail, head, capacity = arcs.joined()
    return tail, head, capacity.astype(np.int64, copy=False)


def _parse_arcs(chunk: Chunk, layout: Layout) -> tuple[Array, Array, Array]:
    numbers = parse_numbers(chunk, 3, "integer")
    for k, column in enumerate(layout.columns):
        if not (column.lowest <= numbers[:, k].min() and numbers[:, k].max() <= column.highest):
            raise TableError
    return numbers[:, 0] - 1, numbers[:, 1] - 1, numbers[:, 2].copy()


def write(stream: IO[bytes], network: Network) -> None:
    """Write a network whose terminals are named and whose capacities are integers."""
    if network.source is None or network.sink is None:
        raise ValueError("network: a DIMACS max file needs a source and a sink")
    if network.capacity.dtype.kind not in "biu":
        raise TypeError(f"network: a DIMACS max file holds whole capacities, not {network.capacity.dtype}")
    wrong = np.flatnonzero((network.capacity < 0) | (network.capacity > np.iinfo(np.int64).max))
    if wrong.size:
        k = int(wrong[0])
        raise ValueError(f"network: the capacity of arc {k} is {network.capacity[k]}, not in 0..2**63 - 1")
    lines = (
        f"p max {network.num_vertices} {network.num_arcs}",
        f"n {network.source + 1} s",
        f"n {network.sink + 1} t",
    )
    stream.write("".join(f"{line}\n" for line in lines).encode())
    for first in range(0, network.num_arcs, _ARCS_AT_A_TIME):
        stream.write(_arc_lines(network, slice(first, first + _ARCS_AT_A_TIME)))


def _arc_lines(network: Network, part: slice) -> bytes:
    """Some arcs as text, by SciPy's Matrix Market writer: nothing in NumPy is nearly as fast."""
    whole = network.capacity[part].astype(np.int64)
    shape = (network.num_vertices, network.num_vertices)
    buffer = io.BytesIO()
    matrix_market.write(buffer, sparse(network.tail[part], network.head[part], whole, shape))
    text = buffer.getvalue()
    body = text[re.match(rb"(?:%[^\n]*\n)+[^\n]*\n", text).end() :]  # type: ignore[union-attr]
    return b"a " + body[:-1].replace(b"\n", b"\na ") + b"\n"
