"""DIMACS assignment files: ``p asn NODES ARCS``, a line ``n ID`` for each row, then ``a ROW COLUMN COST``.

The format of the first DIMACS challenge (1991): lines that start with ``c`` are comments, nodes count from 1,
the nodes of ``n`` lines are to be assigned to the others. They are the rows, in the order of their ``n``
lines; all other nodes are the columns, in increasing order. Read more freely than defined: costs may be real.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import IO, BinaryIO

import numpy as np
from scipy.sparse import coo_array

from konig.errors import FileFormatError
from konig.io.bad_lines import line_of_entry, malformed_table, problem_of_token, shown, whole_number
from konig.io.compression import Source
from konig.io.dimacs_lines import dimacs_lines
from konig.io.edge_lists import LARGEST_ID
from konig.io.entries import Array, Entries, sparse
from konig.io.number_tables import (
    Column,
    Layout,
    TableError,
    parse_whole_or_real,
    read_chunks,
)

PROBLEM = re.compile(rb"(?:[ \t]*(?:c[^\n]*)?\n)*[ \t]*p[ \t]+asn\b")

_ARCS_AT_A_TIME = 1 << 16


@dataclass(frozen=True)
class Header:
    """Everything before the first arc: `lines` of it, and that arc's line, empty at the end."""

    nodes: int
    arcs: int
    rows: Array
    lines: int
    first_line: bytes

    @property
    def layout(self) -> Layout:
        """The columns of the lines that follow."""
        ids = (Column("row", "index", 1, self.nodes), Column("column", "index", 1, self.nodes))
        return Layout((*ids, Column("cost", "real")), b"c", b"a")


def read(source: Source) -> coo_array:
    """The costs of the arcs; what is missing is forbidden."""
    with source.open() as stream:
        header = _read_header(source, stream)
        arcs = Entries()
        try:
            for chunk in read_chunks(stream, header.layout, header.first_line):
                numbers = parse_whole_or_real(chunk, 3)
                ids = numbers[:, :2]
                if ids.size and not (ids.min() >= 1 and ids.max() <= header.nodes):
                    raise TableError
                arcs.append(ids[:, 0].astype(np.int64), ids[:, 1].astype(np.int64), numbers[:, 2].copy())
                if arcs.count > header.arcs:
                    raise TableError
            if arcs.count < header.arcs:
                raise TableError
        except TableError as error:
            raise malformed_table(source, header.layout, header.lines, header.arcs) from error
    tails, heads, costs = arcs.joined()
    if not costs.size:
        costs = costs.astype(np.int64)
    rows, cols = _places(source, header, tails, heads)
    return sparse(rows, cols, costs, (header.rows.size, header.nodes - header.rows.size))


def _places(source: Source, header: Header, tails: Array, heads: Array) -> tuple[Array, Array]:
    """Rows and columns of the arcs, found among the sorted row nodes: memory for the arcs, not the nodes."""
    order = np.argsort(header.rows, kind="stable")
    names = header.rows[order]

    def found(ids: Array) -> tuple[Array, Array]:
        place = np.searchsorted(names, ids)
        inside = place < names.size
        inside[inside] = names[place[inside]] == ids[inside]
        return place, inside

    place, is_row = found(tails)
    _refuse_first(source, header, ~is_row, tails, "leaves node {}, which has no 'n' line")
    before, is_row = found(heads)
    _refuse_first(source, header, is_row, heads, "enters node {}, which has an 'n' line")
    return order[place], heads.astype(np.int64) - 1 - before


def _refuse_first(source: Source, header: Header, wrong: Array, ids: Array, problem: str) -> None:
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        line = line_of_entry(source, header.layout, header.lines, at)
        raise FileFormatError(source.path, "the arc " + problem.format(ids[at]), line)


def _read_header(source: Source, stream: BinaryIO) -> Header:
    sizes: tuple[int, int] | None = None
    rows: dict[int, None] = {}
    number = 0
    for number, line, words in dimacs_lines(source, stream):
        if not words:
            continue
        if words[0] == b"a" and sizes is not None:
            return Header(*sizes, _ids(rows), number - 1, line)
        try:
            if sizes is None:
                sizes = _problem_line(source, words, number)
            else:
                _add_row(rows, words, sizes[0])
        except FileFormatError:
            raise
        except ValueError as problem:
            raise FileFormatError(source.path, f"{problem}, found {shown(line.strip())}", number) from None
    if sizes is None:
        raise FileFormatError(source.path, "ends before the line 'p asn NODES ARCS'", max(number, 1))
    return Header(*sizes, _ids(rows), number, b"")


def _ids(rows: dict[int, None]) -> Array:
    return np.fromiter(rows, dtype=np.int64, count=len(rows))


def _problem_line(source: Source, words: list[bytes], number: int) -> tuple[int, int]:
    if len(words) != 4 or words[:2] != [b"p", b"asn"] or not all(word.isdigit() for word in words[2:]):
        raise ValueError("expected 'p asn NODES ARCS'")
    nodes = whole_number(source, words[2], Column("the number of nodes", "index", 0, LARGEST_ID), number)
    return nodes, whole_number(source, words[3], Column("the number of arcs", "index"), number)


def _add_row(rows: dict[int, None], words: list[bytes], nodes: int) -> None:
    if len(words) != 2 or words[0] != b"n" or not words[1].isdigit():
        raise ValueError("expected 'n ID' or 'a ROW COLUMN COST'")
    if problem_of_token(words[1], Column("node", "index", 1, nodes)):
        raise ValueError(f"expected a node in 1..{nodes}")
    node = int(words[1])
    if node in rows:
        raise ValueError(f"expected another node, {node} has an 'n' line already")
    rows[node] = None


def write(stream: IO[bytes], costs: coo_array) -> None:
    """Write sparse costs: the rows are the nodes 1..n, the columns those that follow."""
    rows, cols = costs.shape
    stream.write(b"p asn %d %d\n" % (rows + cols, costs.nnz))
    for first in range(1, rows + 1, _ARCS_AT_A_TIME):
        last = min(first + _ARCS_AT_A_TIME, rows + 1)
        stream.write(b"".join(b"n %d\n" % node for node in range(first, last)))
    for start in range(0, costs.nnz, _ARCS_AT_A_TIME):
        part = slice(start, start + _ARCS_AT_A_TIME)
        arcs = zip(
            (costs.row[part].astype(np.int64) + 1).tolist(),
            (costs.col[part].astype(np.int64) + rows + 1).tolist(),
            costs.data[part].tolist(),
            strict=True,
        )
        lines = "".join(f"a {tail} {head} {cost!r}\n" for tail, head, cost in arcs)
        stream.write(lines.encode())
