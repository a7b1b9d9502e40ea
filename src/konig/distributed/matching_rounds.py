"""A maximum matching by rounds, for graphs whose entries mostly stay on their ranks.

Each rank does what it can alone, then all exchange what they have to say; the work of a round is native
(``native/matching/distributed/rank_matching.h``).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from konig import _native
from konig.distributed.matching_talk import LocalGraph, LocalMatching, Talk
from konig.distributed.ranks import Ranks
from konig.distributed.rows import Rows
from konig.progress import Report

# A rank stops to choose and tells the others once it has as many records to send as a share of its entries:
# with fewer rounds choices are made in ignorance and more is left to the search.
SHARE_OF_ENTRIES = 1024
LEAST_RECORDS = 1 << 8


def solve(given: LocalGraph, report: Report | None) -> LocalMatching:
    """Match this rank's rows."""
    ranks, cols, stages = given.ranks, given.cols, given.stages
    kind: Any = _native.RankMatching64 if given.ids is np.int64 else _native.RankMatching32
    matching, talk = kind(*given.division()), Talk(given, report)
    matching.start(ranks.alltoallv(matching.subscribe(*given.lists())))
    stages.ends("setup")

    patience = max(LEAST_RECORDS, given.graph.nonzeros // SHARE_OF_ENTRIES)
    stats: dict[str, Any] = {}
    stats["start_rounds"] = talk.until_silence(lambda received: matching.start_round(received, patience))
    matching.search()
    stats["start_size"] = talk.size
    stages.ends("start")

    stats["phases"] = stats["rounds"] = 0
    matching.plant(np.cumsum([0, *(given.rows.count - talk.matched)]).tolist())
    while talk.size < talk.most:
        matching.begin_phase()
        stats["phases"] += 1
        stats["rounds"] += talk.until_silence(matching.search_round)
        if matching.paths == 0:
            break
    stages.ends("main")

    col_of_row, row_of_col, in_tree = matching.answer(*given.extent())
    # A side that is matched completely; else the rows that no path from an unmatched row reaches, and the
    # columns that one does. A path reaches a matched row from its column.
    cover = talk.cover_by_a_full_side(*given.extent())
    if cover is None:
        reached = in_tree.view(bool)
        cover = ~reached, _columns_of(ranks, cols, col_of_row[reached & (col_of_row >= 0)])
    stages.ends("cover")
    return LocalMatching(talk.size, col_of_row, row_of_col, *cover, stats | {"arc_scans": matching.arc_scans})


def _columns_of(ranks: Ranks, cols: Rows, chosen: np.ndarray) -> np.ndarray:
    """Which of this rank's columns some rank has chosen."""
    here = np.zeros(cols.count[ranks.rank], bool)
    for part in ranks.alltoallv(cols.split(chosen, chosen)):
        here[part - cols.here.start] = True
    return here
