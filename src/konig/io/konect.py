"""KONECT edge lists: a first line ``% bip unweighted``, then two ids a line and perhaps a value.

See http://konect.cc/. Ids count from 1. ``bip`` files have two id spaces, rows and columns; ``sym`` files are
undirected and list each edge once; ``asym`` files are directed. A second line ``% EDGES ROWS COLUMNS`` is
optional and its sizes bound the ids.
"""

from __future__ import annotations

import re

from scipy.sparse import coo_array

from konig.errors import FileFormatError
from konig.io.bad_lines import shown
from konig.io.compression import Source
from konig.io.edge_lists import LARGEST_ID, Preamble, declared_size, read_edges, read_preamble
from konig.io.entries import mirrored, sparse
from konig.io.number_tables import Column

KIND = re.compile(rb"%\s*(bip|sym|asym)\b")
_SIZES = re.compile(rb"%\s*[0-9]+\s+([0-9]+)\s+([0-9]+)(?:\s|$)")


def read(source: Source, expand: bool = True) -> coo_array:
    """The biadjacency matrix of a ``bip`` file, the adjacency matrix of a ``sym`` or ``asym`` one.

    That of a ``sym`` file has each edge both ways, or once as written without ``expand``.
    """
    with source.open() as stream:
        preamble = read_preamble(source, stream, b"%")
        kind = _kind(source, preamble)
        declared = _declared_sizes(source, preamble, kind)
        bounds = declared or (LARGEST_ID, LARGEST_ID)
        names = ("row", "column") if kind == "bip" else ("source", "target")
        ids = (Column(names[0], "index", 1, bounds[0]), Column(names[1], "index", 1, bounds[1]))
        rows, cols, values = read_edges(source, stream, preamble, b"%", ids)
    if declared is not None:
        shape = declared
    elif rows.size:
        shape = int(rows.max()) + 1, int(cols.max()) + 1
    else:
        shape = 0, 0
    if kind != "bip":
        shape = max(shape), max(shape)
    if kind == "sym" and expand:
        rows, cols, values = mirrored(rows, cols, values, "symmetric")
    return sparse(rows, cols, values, shape)


def _kind(source: Source, preamble: Preamble) -> str:
    first = preamble.comments[0] if preamble.comments else preamble.first_line
    kind = KIND.match(first)
    if not kind:
        problem = f"expected '% bip ...', '% sym ...' or '% asym ...', found {shown(first.strip())}"
        raise FileFormatError(source.path, problem, 1)
    return kind[1].decode()


def _declared_sizes(source: Source, preamble: Preamble, kind: str) -> tuple[int, int] | None:
    sizes = _SIZES.match(preamble.comments[1]) if len(preamble.comments) > 1 else None
    if sizes is None:
        return None
    rows = declared_size(source, sizes[1], "the number of rows", 2)
    cols = declared_size(source, sizes[2], "the number of columns", 2)
    if kind != "bip":
        rows = cols = max(rows, cols)
    return rows, cols
