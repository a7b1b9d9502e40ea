"""Small patterns in plain arrays: one native call, and next to no Python around it.

What is not plain (ids out of range, a pattern worth threads and a look at its structure) is None
here and goes the long way, which finds out what there is to say about it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from konig import _native
from konig.interop import arrays
from konig.matching.inputs import Adjacency, BipartiteGraph
from konig.matching.result import Matching

_FORMATS = ("csr", "csc", "coo")
_ID: dict[int, Any] = {4: np.dtype(np.int32), 8: np.dtype(np.int64)}  # by the bytes of a partner


def plain_matching(A: Any, shape: tuple[int, int] | None) -> Matching | None:
    """The answer of ``auto`` to a plain problem, or None."""
    found: Any = None
    by_rows = pairs = False
    if sp.issparse(A):
        if shape is not None or A.ndim != 2 or A.format not in _FORMATS:
            return None
        rows, cols = A.shape
        pairs, by_rows = A.format == "coo", A.format != "csc"
        first, second = (A.row, A.col) if pairs else (A.indptr, A.indices)
    elif type(A) is tuple and len(A) == 2 and type(shape) is tuple and len(shape) == 2:
        rows, cols = shape
        if not (type(rows) is type(cols) is int):
            return None
        (first, second), pairs, by_rows = A, True, True
    else:
        return None
    if type(first) is type(second) is np.ndarray:
        match = _native.match_pairs if pairs else _native.match_lists
        found = match(first, second, *((rows, cols) if by_rows else (cols, rows)))
    if found is None:
        return None
    return Matching.from_packed(_unpack, (rows, cols, by_rows, *found))


def _unpack(
    name: str,
    rows: int,
    cols: int,
    by_rows: bool,
    packed: bytes,
    lists: bytes | None,
    nonzeros: int,
    size: int,
    counts: Any,
    start_size: int,
    start_seconds: float,
    main_seconds: float,
) -> dict[str, Any]:
    id_dtype = _ID[len(packed) // (rows + cols)] if packed else _ID[4]
    if name == "graph":
        return {"graph": lists and _graph(np.frombuffer(lists, id_dtype), rows, cols, by_rows)}
    stats = _native.counts_of(counts)
    made_inside = stats.pop("transpose_seconds", 0.0)
    stats |= {"init": "sgm", "start_size": start_size}
    stats["seconds"] = {
        "convert": 0.0,
        "transpose": made_inside,
        "start": start_seconds,
        "main": main_seconds - made_inside,
        "total": start_seconds + main_seconds,
    }
    mates = np.frombuffer(packed, id_dtype)
    first = rows if by_rows else cols
    col_of_row, row_of_col = (mates[:first], mates[first:]) if by_rows else (mates[first:], mates[:first])
    return {
        "size": size,
        "col_of_row": col_of_row,
        "row_of_col": row_of_col,
        "method": "ms-bfs-graft",
        "device": "cpu",
        "stats": stats,
        "nonzeros": nonzeros,
        "drop_zeros": False,
        "place": arrays.HOST,
    }


def _graph(lists: np.ndarray, rows: int, cols: int, by_rows: bool) -> BipartiteGraph:
    """The pattern from a copy of its lists: where each begins and the end, then the neighbours."""
    starts = (rows if by_rows else cols) + 1
    side = Adjacency(lists[:starts], lists[starts:])
    return BipartiteGraph(rows, cols, *((side, None) if by_rows else (None, side)))
