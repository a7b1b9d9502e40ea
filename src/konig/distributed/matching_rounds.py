"""A maximum matching by rounds: each rank does what it can alone, then all exchange what they have to say.

The work of a round is native (``native/matching/distributed``). Messages go to every rank in every round and
say how much is sent to all, so that no other operation is needed to know the end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from konig import _native
from konig.distributed.local import Stages
from konig.distributed.ranks import Ranks
from konig.distributed.rows import Rows
from konig.matching.inputs import INT32_MAX, BipartiteGraph
from konig.progress import Report

# In a message: how much its sender has to tell and to do, and how many pairs it has matched.
TO_DO, MATCHED = 0, 1

# A rank stops to choose and tells the others once it has as many records to send as a share of its entries:
# with fewer rounds choices are made in ignorance and more is left to the search.
SHARE_OF_ENTRIES = 1024
LEAST_RECORDS = 1 << 8

Messages = list[np.ndarray]


@dataclass(frozen=True)
class LocalMatching:
    """What is found, as one rank has it."""

    size: int  # of all ranks
    col_of_row: np.ndarray  # of this rank's rows
    row_of_col: np.ndarray  # of this rank's columns
    row_in_cover: np.ndarray  # bool, of the same
    col_in_cover: np.ndarray
    stats: dict[str, Any]


def solve(
    ranks: Ranks, graph: BipartiteGraph, rows: Rows, cols: Rows, stages: Stages, report: Report | None
) -> LocalMatching:
    """Match this rank's rows, whose columns are numbered as in the whole matrix."""
    matching, ids = _native_matching(ranks, graph, rows, cols)
    talk = _Talk(ranks, min(rows.total, cols.total), report)
    lists = graph.of_row
    start, neighbour = (part.astype(ids, copy=False) for part in (lists.start, lists.neighbour))
    matching.start(ranks.alltoallv(matching.subscribe(start, neighbour, cols.total)))
    del start, neighbour  # it has copies of its own
    stages.ends("setup")

    patience = max(LEAST_RECORDS, graph.nonzeros // SHARE_OF_ENTRIES)
    stats: dict[str, Any] = {}
    stats["start_rounds"] = talk.until_silence(lambda received: matching.start_round(received, patience))
    matching.search()
    stats["start_size"] = talk.size
    stages.ends("start")

    stats["phases"] = stats["rounds"] = 0
    matching.plant(np.cumsum([0, *(rows.count - talk.matched)]).tolist())
    while talk.size < talk.most:
        matching.begin_phase()
        stats["phases"] += 1
        stats["rounds"] += talk.until_silence(matching.search_round)
        if matching.paths == 0:
            break
    stages.ends("main")

    col_of_row, row_of_col = np.empty(graph.rows, ids), np.empty(cols.count[ranks.rank], ids)
    reached = np.empty(graph.rows, bool)
    matching.answer(col_of_row, row_of_col, reached)
    # A side that is matched completely; else the rows that no path from an unmatched row reaches, and the
    # columns that one does. A path reaches a matched row from its column.
    if talk.size == rows.total:
        cover = np.ones(len(col_of_row), bool), np.zeros(len(row_of_col), bool)
    elif talk.size == cols.total:
        cover = np.zeros(len(col_of_row), bool), np.ones(len(row_of_col), bool)
    else:
        cover = ~reached, _columns_of(ranks, cols, col_of_row[reached & (col_of_row >= 0)])
    stages.ends("cover")
    return LocalMatching(talk.size, col_of_row, row_of_col, *cover, stats | {"arc_scans": matching.arc_scans})


def _native_matching(ranks: Ranks, graph: BipartiteGraph, rows: Rows, cols: Rows) -> tuple[Any, Any]:
    """The native state of this rank, and the type of its ids: the narrowest that serves all ranks."""
    most_entries = -ranks.least(-graph.nonzeros)
    wide = max(rows.total, cols.total, most_entries) >= INT32_MAX
    kind = _native.RankMatching64 if wide else _native.RankMatching32
    here = [(held.here.start, held.here.stop) for held in (rows, cols)]
    state = kind(ranks.rank, ranks.size, rows.stretches(), cols.stretches(), *here)
    return state, np.int64 if wide else np.int32


def _columns_of(ranks: Ranks, cols: Rows, chosen: np.ndarray) -> np.ndarray:
    """Which of this rank's columns some rank has chosen."""
    here = np.zeros(cols.count[ranks.rank], bool)
    for part in ranks.alltoallv(cols.split(chosen, chosen)):
        here[part - cols.here.start] = True
    return here


class _Talk:
    """Rounds of messages, and how many rows of each rank are matched by now."""

    def __init__(self, ranks: Ranks, most: int, report: Report | None):
        self._ranks, self.most, self._report = ranks, most, report
        self.matched = np.zeros(ranks.size, np.int64)

    @property
    def size(self) -> int:
        """Pairs of all ranks."""
        return int(self.matched.sum())

    def until_silence(self, work: Callable[[Messages], Messages]) -> int:
        """Pass what each round sends to the next, until no rank has more to do; return the rounds."""
        received: Messages = []
        rounds = 0
        while True:
            received = self._ranks.alltoallv(work(received))
            rounds += 1
            self.matched[:] = [message[MATCHED] for message in received]
            if self._report is not None:
                self._report(self.size, self.most)
            if not any(message[TO_DO] for message in received):
                return rounds
