"""DIMACS files of the first challenge (1991): maximum flow problems (``max``), assignment problems (``asn``).

The format (http://archive.dimacs.rutgers.edu/pub/netflow/general-info/): a letter begins each line. ``c``
comments; once ``p max VERTICES ARCS`` or ``p asn NODES ARCS``; lines ``n`` about vertices; then a line
``a TAIL HEAD NUMBER`` for each arc. Vertices count from 1.

- ``max``: ``n ID s`` and ``n ID t`` name the source and the sink. Capacities are whole numbers.
- ``asn``: the nodes of the lines ``n ID`` are to be assigned to the others. They are the rows, in the order
  of these lines; all other nodes are the columns, in increasing order. Costs may also be real here.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import IO, BinaryIO

import numpy as np
from scipy.sparse import coo_array

from konig.errors import FileFormatError
from konig.io import matrix_market
from konig.io import number_tables as tables
from konig.io.edge_lists import LARGEST_ID
from konig.io.entries import Array, Network, sparse
from konig.io.files import Source
from konig.io.number_tables import Column, Layout, Table

MAX_START = re.compile(rb"(?:[ \t]*(?:c[^\n]*)?\r?\n)*[ \t]*p[ \t]+max\b")
ASN_START = re.compile(rb"(?:[ \t]*(?:c[^\n]*)?\n)*[ \t]*p[ \t]+asn\b")

_MAX_LINE, _ASN_LINE = "'p max VERTICES ARCS'", "'p asn NODES ARCS'"
_TERMINALS = {b"s": "source", b"t": "sink"}
_ARCS_AT_A_TIME = 1 << 20
_COSTS_AT_A_TIME = 1 << 16


class _Head:
    """The lines before the arcs: how many there are, and the first arc's line, empty if there is none."""

    def __init__(self, source: Source, stream: BinaryIO):
        self.source, self.stream = source, stream
        self.lines, self.first_arc = 0, b""

    def __iter__(self) -> Iterator[list[bytes]]:
        """The words of each line that is neither blank nor a comment; `lines` is its number."""
        for number, line in tables.numbered_lines(self.source, self.stream):
            words = line.split()
            if words and words[0] == b"a":
                self.first_arc = line
                return
            self.lines = number
            if words and not words[0].startswith(b"c"):
                yield words

    def error(self, problem: str, found: list[bytes] | None = None) -> FileFormatError:
        """The error at the line that was read last."""
        ending = "" if found is None else f", found {tables.shown(b' '.join(found))}"
        return self.source.error(problem + ending, max(self.lines, 1))

    def number(self, word: bytes, name: str, lowest: int = 0, highest: int = 2**63 - 1) -> int:
        return tables.whole_number(self.source, word, Column(name, "index", lowest, highest), self.lines)

    def sizes(self, words: list[bytes], line: str, vertices: str, most: int) -> tuple[int, int]:
        """The two numbers of the problem line, whose form is `line`."""
        problem = line.split()[1].encode()
        if len(words) != 4 or words[:2] != [b"p", problem] or not all(word.isdigit() for word in words[2:]):
            raise self.error(f"expected {line}", words)
        count = self.number(words[2], f"the number of {vertices}", 0, most)
        return count, self.number(words[3], "the number of arcs")

    def arcs(self, sizes: tuple[int, int], tail: str, head: str, number: Column) -> Table:
        """The table of the arcs, which follow: tails, heads and numbers."""
        ends = (Column(name, "index", 1, sizes[0]) for name in (tail, head))
        layout = Layout((*ends, number), b"c", b"a")
        return Table(self.source, self.stream, layout, self.lines, self.first_arc, sizes[1])


def read_network(source: Source) -> Network:
    """The network: arcs in file order, capacities as 64-bit integers."""
    sizes: tuple[int, int] | None = None
    terminals: dict[bytes, int] = {}
    with source.open() as stream:
        head = _Head(source, stream)
        for words in head:
            if words[0] == b"p":
                if sizes:
                    raise head.error(f"a second problem line: {tables.shown(b' '.join(words))}")
                sizes = head.sizes(words, _MAX_LINE, "vertices", LARGEST_ID + 1)
            elif words[0] != b"n":
                raise head.error("expected a line that begins with c, p, n or a", words)
            elif sizes is None:
                raise head.error(f"expected {_MAX_LINE} before the first vertex", words)
            else:
                _take_terminal(head, terminals, words, sizes[0])
        if sizes is None:
            raise head.error(f"no line {_MAX_LINE} before the arcs")
        for which, name in _TERMINALS.items():
            if which not in terminals:
                line = f"'n VERTEX {which.decode()}'"
                raise head.error(f"no line {line} before the arcs: where is the {name}?")
        tail, end, capacity = head.arcs(sizes, "tail", "head", Column("capacity", "unsigned")).entries()
    return Network(tail, end, capacity.view(np.int64), sizes[0], terminals[b"s"], terminals[b"t"])


def _take_terminal(head: _Head, terminals: dict[bytes, int], words: list[bytes], vertices: int) -> None:
    if len(words) != 3 or words[2] not in _TERMINALS or not words[1].isdigit():
        raise head.error("expected 'n VERTEX s' or 'n VERTEX t'", words)
    name = _TERMINALS[words[2]]
    vertex = head.number(words[1], name, 1, vertices)
    if words[2] in terminals:
        raise head.error(f"a second {name}: vertex {vertex}")
    if vertex - 1 in terminals.values():
        raise head.error(f"vertex {vertex} is both source and sink")
    terminals[words[2]] = vertex - 1


def read_costs(source: Source) -> coo_array:
    """The costs of the arcs; what is missing is forbidden."""
    sizes: tuple[int, int] | None = None
    rows: dict[int, None] = {}  # the nodes of the lines "n", in their order, counted from 0
    with source.open() as stream:
        head = _Head(source, stream)
        for words in head:
            if sizes is None:
                sizes = head.sizes(words, _ASN_LINE, "nodes", LARGEST_ID)
            else:
                _take_row(head, rows, words, sizes[0])
        if sizes is None and head.first_arc:
            head.lines += 1
            raise head.error(f"expected {_ASN_LINE}", head.first_arc.split())
        if sizes is None:
            raise head.error(f"ends before the line {_ASN_LINE}")
        arcs = head.arcs(sizes, "row", "column", Column("cost", "number"))
        tails, heads, costs = arcs.entries()
    places = _places(arcs, np.fromiter(rows, np.int64, len(rows)), tails, heads)
    return sparse(*places, costs, (len(rows), sizes[0] - len(rows)))


def _take_row(head: _Head, rows: dict[int, None], words: list[bytes], nodes: int) -> None:
    if len(words) != 2 or words[0] != b"n" or not words[1].isdigit():
        raise head.error("expected 'n ID' or 'a ROW COLUMN COST'", words)
    if tables.problem_of_token(words[1], Column("node", "index", 1, nodes)):
        raise head.error(f"expected a node in 1..{nodes}", words)
    node = int(words[1])
    if node - 1 in rows:
        raise head.error(f"expected another node, {node} has an 'n' line already", words)
    rows[node - 1] = None


def _places(arcs: Table, rows: Array, tails: Array, heads: Array) -> tuple[Array, Array]:
    """Rows and columns of the arcs, found among the sorted row nodes: memory for the arcs, not the nodes."""
    order = np.argsort(rows, kind="stable")
    names = rows[order]

    def found(ids: Array) -> tuple[Array, Array]:
        place = np.searchsorted(names, ids)
        inside = place < names.size
        inside[inside] = names[place[inside]] == ids[inside]
        return place, inside

    def refuse_first(wrong: Array, ids: Array, problem: str) -> None:
        if wrong.any():
            at = int(np.flatnonzero(wrong)[0])
            raise arcs.source.error("the arc " + problem.format(ids[at] + 1), arcs.line_of(at))

    place, is_row = found(tails)
    refuse_first(~is_row, tails, "leaves node {}, which has no 'n' line")
    before, is_row = found(heads)
    refuse_first(is_row, heads, "enters node {}, which has an 'n' line")
    return order[place], heads.astype(np.int64) - before


def write_network(stream: IO[bytes], network: Network) -> None:
    """Write a network whose terminals are named and whose capacities are integers."""
    if network.source is None or network.sink is None:
        raise ValueError("network: a DIMACS max file needs a source and a sink")
    if network.capacity.dtype.kind not in "biu":
        raise TypeError(f"network: a DIMACS max file holds whole capacities, not {network.capacity.dtype}")
    wrong = np.flatnonzero((network.capacity < 0) | (network.capacity > np.iinfo(np.int64).max))
    if wrong.size:
        k = int(wrong[0])
        raise ValueError(f"network: the capacity of arc {k} is {network.capacity[k]}, not in 0..2**63 - 1")
    stream.write(b"p max %d %d\n" % (network.num_vertices, network.num_arcs))
    stream.write(b"n %d s\nn %d t\n" % (network.source + 1, network.sink + 1))
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


def write_costs(stream: IO[bytes], costs: coo_array) -> None:
    """Write sparse costs: the rows are the nodes 1..n, the columns those that follow."""
    rows, cols = costs.shape
    stream.write(b"p asn %d %d\n" % (rows + cols, costs.nnz))
    for first in range(1, rows + 1, _COSTS_AT_A_TIME):
        last = min(first + _COSTS_AT_A_TIME, rows + 1)
        stream.write(b"".join(b"n %d\n" % node for node in range(first, last)))
    for start in range(0, costs.nnz, _COSTS_AT_A_TIME):
        part = slice(start, start + _COSTS_AT_A_TIME)
        tails = (costs.row[part].astype(np.int64) + 1).tolist()
        heads = (costs.col[part].astype(np.int64) + rows + 1).tolist()
        arcs = zip(tails, heads, costs.data[part].tolist(), strict=True)
        stream.write("".join(f"a {tail} {head} {cost!r}\n" for tail, head, cost in arcs).encode())
