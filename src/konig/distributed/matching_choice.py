"""Which way ranks match: alone, by rounds where entries stay on their ranks, or by levels."""

from __future__ import annotations

import numpy as np

from konig.distributed import matching_levels, matching_rounds
from konig.distributed.local import Stages
from konig.distributed.matching_talk import LocalGraph, LocalMatching
from konig.distributed.ranks import Ranks
from konig.distributed.rows import Rows
from konig.matching import maximum_matching
from konig.matching.inputs import INT32_MAX, BipartiteGraph
from konig.progress import Report

# By levels if more than one entry in so many is in a column of another rank: on one's own rows labels only
# tell the others what they need not know. Bands in natural order take 163 ms of a rank against 5 ms.
CROSSING = 4
# And if fewer than one row in so many has a single entry: Karp-Sipser leaves next to nothing of R-MAT graphs,
# roads and sparse random graphs, and takes a third to a half of the exchanges.
DEGREE_ONE = 8
# What is left are expanders, where levels are few. Processor time on the slowest of 4 ranks with 10,000 rows
# each, and exchanges, by rounds and by levels: uniform random, 10 entries a row, 61 ms and 683 against 17 ms
# and 347; 6 entries, 36 ms and 513 against 9 ms and 259; 3 entries in each row, 17 ms and 275 against 13 ms
# and 257. And meshes in random order, which show by the depth of their searches: they begin again by rounds
# (matching_levels.DEEPEST).


def solve(
    ranks: Ranks, graph: BipartiteGraph, rows: Rows, cols: Rows, stages: Stages, report: Report | None
) -> LocalMatching:
    """Match this rank's rows, whose columns are numbered as in the whole matrix."""
    if ranks.size == 1:
        return _alone(graph, stages, report)
    most_entries = -ranks.least(-graph.nonzeros)
    ids = np.int64 if max(rows.total, cols.total, most_entries) >= INT32_MAX else np.int32
    given, report = LocalGraph(ranks, graph, rows, cols, ids, stages), report and _rising(report)
    found = matching_levels.solve(given, report) if _spreads(ranks, graph, cols) else None
    return found or matching_rounds.solve(given, report)


def _spreads(ranks: Ranks, graph: BipartiteGraph, cols: Rows) -> bool:
    """Whether entries lie anywhere, and Karp-Sipser would have little to begin with."""
    entries, degree = graph.of_row.neighbour, np.diff(graph.of_row.start)
    here = np.count_nonzero((entries >= cols.here.start) & (entries < cols.here.stop))
    counted = [len(entries) - here, len(entries), np.count_nonzero(degree == 1), np.count_nonzero(degree)]
    crossing, of_entries, single, of_rows = ranks.allreduce(np.array(counted, np.int64), "sum").tolist()
    return bool(CROSSING * crossing > of_entries and DEGREE_ONE * single < of_rows)


def _rising(report: Report) -> Report:
    """Never less than before, when a matching begins again."""
    most = 0

    def tell(done: int, total: int) -> None:
        nonlocal most
        most = max(most, done)
        report(most, total)

    return tell


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
