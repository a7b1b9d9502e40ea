"""Which way ranks match: alone, by rounds where entries stay on their ranks, or by levels."""

from __future__ import annotations

from typing import Any

import numpy as np

from konig.distributed import matching_levels, matching_rounds
from konig.distributed.local import Stages
from konig.distributed.matching_talk import LocalMatching
from konig.distributed.ranks import Ranks
from konig.distributed.rows import Rows
from konig.matching import maximum_matching
from konig.matching.inputs import INT32_MAX, BipartiteGraph
from konig.progress import Report

# By levels if more than one entry in so many is in a column of another rank. Random graphs of degree 3 and 10
# and R-MAT graphs on 4 and 16 ranks, of which nearly all are, need a fifth of the processor time that rounds
# take. Grids in natural order, of which few are, need 10 to 100 times as many exchanges by levels.
CROSSING = 4


def solve(
    ranks: Ranks, graph: BipartiteGraph, rows: Rows, cols: Rows, stages: Stages, report: Report | None
) -> LocalMatching:
    """Match this rank's rows, whose columns are numbered as in the whole matrix."""
    if ranks.size == 1:
        return _alone(graph, stages, report)
    entries = graph.of_row.neighbour
    here = np.count_nonzero((entries >= cols.here.start) & (entries < cols.here.stop))
    counted = np.array([len(entries) - here, len(entries)], np.int64)
    crossing, total = ranks.allreduce(counted, "sum").tolist()
    most_entries = -ranks.least(-graph.nonzeros)
    ids = np.int64 if max(rows.total, cols.total, most_entries) >= INT32_MAX else np.int32
    way: Any = matching_levels if CROSSING * crossing > total else matching_rounds
    found: LocalMatching = way.solve(ranks, graph, rows, cols, ids, stages, report)
    return found


def _alone(graph: BipartiteGraph, stages: Stages, report: Report | None) -> LocalMatching:
    """One rank has all rows: the ordinary call, on one thread."""
    found = maximum_matching(graph, threads=1, progress=report)
    stages.ends("main")
    in_cover = np.zeros(graph.rows, bool), np.zeros(graph.cols, bool)
    for mask, chosen in zip(in_cover, (found.cover.rows, found.cover.cols), strict=True):
        mask[chosen] = True
    stages.ends("cover")
    mates = found.col_of_row.copy(), found.row_of_col.copy()
    return LocalMatching(found.size, *mates, *in_cover, {"start_rounds": 0, "phases": 0, "rounds": 0})
