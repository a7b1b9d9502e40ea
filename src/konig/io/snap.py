"""SNAP edge lists: ``#`` comments, then two ids a line and perhaps a value, all ids in one space.

See https://snap.stanford.edu/data/. Ids count from 0 and leave gaps, so that the comment
``# Nodes: N Edges: M`` says how many vertices have an edge, not how far the ids go.
"""

from __future__ import annotations

import re

from scipy.sparse import coo_array

from konig.io.compression import Source
from konig.io.edge_lists import LARGEST_ID, declared_size, read_edges, read_preamble
from konig.io.entries import sparse
from konig.io.number_tables import Column

_NODES = re.compile(rb"\bNodes:\s*([0-9]+)\b", re.IGNORECASE)
_IDS = (Column("source", "index", 0, LARGEST_ID), Column("target", "index", 0, LARGEST_ID))


def read(source: Source) -> coo_array:
    """The adjacency matrix, square, as large as the largest id or the ``Nodes:`` comment asks for."""
    with source.open() as stream:
        preamble = read_preamble(source, stream, b"#")
        size = 0
        for number, comment in enumerate(preamble.comments, start=1):
            nodes = _NODES.search(comment)
            if nodes:
                size = declared_size(source, nodes[1], "the number of nodes", number)
        rows, cols, values = read_edges(source, stream, preamble, b"#", _IDS)
    if rows.size:
        size = max(size, int(rows.max()) + 1, int(cols.max()) + 1)
    return sparse(rows, cols, values, (size, size))
