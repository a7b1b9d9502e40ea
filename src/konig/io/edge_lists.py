"""Edge lists of SNAP and KONECT: comments, then two ids a line and perhaps a value.

- SNAP (https://snap.stanford.edu/data/): ``#`` comments, all ids in one space. Ids count from 0 and leave
  gaps, so that the comment ``# Nodes: N Edges: M`` says how many vertices have an edge, not how far the ids
  go.
- KONECT (http://konect.cc/): a first line ``% bip unweighted``. Ids count from 1. ``bip`` files have two id
  spaces, rows and columns; ``sym`` files are undirected and list each edge once; ``asym`` files are directed.
  A second line ``% EDGES ROWS COLUMNS`` is optional and its sizes bound the ids.
"""

from __future__ import annotations

import re
from typing import BinaryIO

from scipy.sparse import coo_array

from konig.io.entries import Array, mirrored, sparse
from konig.io.files import Source
from konig.io.number_tables import Column, Layout, Table, numbered_lines, shown, whole_number

# Doubles are exact up to here, and with them the programs that read ids as doubles.
LARGEST_ID = 2**53 - 1
KONECT_KIND = re.compile(rb"%\s*(bip|sym|asym)\b")
_KONECT_SIZES = re.compile(rb"%\s*[0-9]+\s+([0-9]+)\s+([0-9]+)(?:\s|$)")
_SNAP_NODES = re.compile(rb"\bNodes:\s*([0-9]+)\b", re.IGNORECASE)


def has_nodes(start: bytes) -> bool:
    """Whether comments at the start of a file say how many vertices there are."""
    return any(_SNAP_NODES.search(line) for line in start.splitlines() if line.lstrip().startswith(b"#"))


def read_snap(source: Source) -> coo_array:
    """The adjacency matrix, square, as large as the largest id or the ``Nodes:`` comment asks for."""
    size = 0
    with source.open() as stream:
        file = _EdgeList(source, stream, b"#")
        for number, comment in enumerate(file.comments, start=1):
            if nodes := _SNAP_NODES.search(comment):
                size = file.size(nodes[1], "the number of nodes", number)
        rows, cols, values = file.edges("source", "target", 0, (LARGEST_ID, LARGEST_ID))
    if rows.size:
        size = max(size, int(rows.max()) + 1, int(cols.max()) + 1)
    return sparse(rows, cols, values, (size, size))


def read_konect(source: Source, expand: bool = True) -> coo_array:
    """The biadjacency matrix of a ``bip`` file, the adjacency matrix of a ``sym`` or ``asym`` one.

    That of a ``sym`` file has each edge both ways, or once as written without ``expand``.
    """
    with source.open() as stream:
        file = _EdgeList(source, stream, b"%")
        first = file.comments[0] if file.comments else file.first_line
        kind = KONECT_KIND.match(first)
        if not kind:
            expected = "'% bip ...', '% sym ...' or '% asym ...'"
            raise source.error(f"expected {expected}, found {shown(first.strip())}", 1)
        bipartite = kind[1] == b"bip"
        sizes = _KONECT_SIZES.match(file.comments[1]) if len(file.comments) > 1 else None
        shape = None
        if sizes:
            height = file.size(sizes[1], "the number of rows", 2)
            width = file.size(sizes[2], "the number of columns", 2)
            shape = (height, width) if bipartite else (max(height, width), max(height, width))
        names = ("row", "column") if bipartite else ("source", "target")
        rows, cols, values = file.edges(*names, 1, shape or (LARGEST_ID, LARGEST_ID))
    if shape is None:
        shape = (int(rows.max()) + 1, int(cols.max()) + 1) if rows.size else (0, 0)
    if not bipartite:
        shape = max(shape), max(shape)
    if kind[1] == b"sym" and expand:
        rows, cols, values = mirrored(rows, cols, values, "symmetric")
    return sparse(rows, cols, values, shape)


class _EdgeList:
    """The comments at the top of a file, and the first line behind them; empty at the end of the file."""

    def __init__(self, source: Source, stream: BinaryIO, comment: bytes):
        self.source, self.stream, self.comment = source, stream, comment
        self.comments: list[bytes] = []  # and blank lines
        self.first_line = b""
        for _, line in numbered_lines(source, stream):
            content = line.strip()
            if content and not content.startswith(comment):
                self.first_line = line
                break
            self.comments.append(content)

    def size(self, word: bytes, name: str, line: int) -> int:
        """A declared number of vertices; more than any id reaches are refused."""
        return whole_number(self.source, word, Column(name, "index", 0, LARGEST_ID + 1), line)

    def edges(
        self, tail: str, head: str, lowest: int, highest: tuple[int, int]
    ) -> tuple[Array, Array, Array]:
        """Both ends of every edge, counted from 0, and the values: the third column, or ones.

        Columns beyond the third (time stamps) must be numbers and are otherwise ignored.
        """
        width = max(len(re.split(rb"[ \t]+", self.first_line.strip())), 2)
        ends = (Column(name, "index", lowest, most) for name, most in zip((tail, head), highest, strict=True))
        extra = (Column(f"column {k}", "skipped") for k in range(4, width + 1))
        layout = Layout((*ends, Column("value", "number"), *extra)[:width], self.comment)
        return Table(self.source, self.stream, layout, len(self.comments), self.first_line).entries()
