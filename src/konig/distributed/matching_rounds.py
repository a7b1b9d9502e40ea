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

# In a message: how many records its sender has for all ranks, and how many pairs it has matched.
RECORDS, MATCHED = 0, 1

# A rank stops to choose and tells the others once it has as many records to send as a share of its entries:
# with fewer rounds choices are made in ignorance and more is left to the search.
SHARE_OF_ENTRIES = 64
LEAST_RECORDS = 1 << 8

Messages = list[np.ndarray]


@dataclass(frozen=True)
class LocalMatching:
    """What is found, as one rank has it."""

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
    stages.ends("setup")

    patience = max(LEAST_RECORDS, graph.nonzeros // SHARE_OF_ENTRIES)
    stats: dict[str, Any] = {}
    stats["start_rounds"] = talk.until_silence(lambda received: matching.start_round(received, patience))
    matching.search()
    stats["start_size"] = talk.matched
    stages.ends("start")

    stats["phases"] = stats["rounds"] = 0
    while (unmatched := _unmatched(ranks, matching)).on_both_sides():
        ends = np.cumsum([0, *unmatched.by_rank])
        matching.begin_phase(ends.tolist())
        stats["phases"] += 1
        stats["rounds"] += talk.until_silence(matching.search_round)
        if ranks.total(matching.paths) == 0:
            break
    stages.ends("main")

    col_of_row, row_of_col = np.empty(graph.rows, ids), np.empty(cols.count[ranks.rank], ids)
    reached = np.empty(graph.rows, bool)
    matching.answer(col_of_row, row_of_col, reached)
    cover = _cover(ranks, cols, unmatched, col_of_row, reached)
    stages.ends("cover")
    return LocalMatching(col_of_row, row_of_col, *cover, stats | {"arc_scans": matching.arc_scans})


def _native_matching(ranks: Ranks, graph: BipartiteGraph, rows: Rows, cols: Rows) -> tuple[Any, Any]:
    """The native state of this rank, and the type of its ids: the narrowest that serves all ranks."""
    most_entries = -ranks.least(-graph.nonzeros)
    wide = max(rows.total, cols.total, most_entries) >= INT32_MAX
    kind = _native.RankMatching64 if wide else _native.RankMatching32
    here = [(held.here.start, held.here.stop) for held in (rows, cols)]
    state = kind(ranks.rank, ranks.size, rows.stretches(), cols.stretches(), *here)
    return state, np.int64 if wide else np.int32


@dataclass
class _Unmatched:
    """How many rows are unmatched on each rank, and how many columns there are on all."""

    by_rank: np.ndarray
    cols: int

    @property
    def rows(self) -> int:
        return int(self.by_rank.sum())

    def on_both_sides(self) -> bool:
        """Whether there are some of both."""
        return self.rows > 0 and self.cols > 0


def _unmatched(ranks: Ranks, matching: Any) -> _Unmatched:
    here = np.array([matching.unmatched_rows, matching.unmatched_cols], np.int64)
    by_rank, cols = np.stack(ranks.allgatherv(here)).T
    return _Unmatched(by_rank, int(cols.sum()))


def _cover(
    ranks: Ranks, cols: Rows, unmatched: _Unmatched, col_of_row: np.ndarray, reached: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Which of this rank's rows and columns are in a smallest vertex cover.

    That is a side which is matched completely; else the rows that no path from an unmatched row reaches, and
    the columns that one does. A path reaches a matched row from its column.
    """
    owned = int(cols.count[ranks.rank])
    if not unmatched.on_both_sides():
        by_rows = unmatched.rows == 0
        return np.full(len(col_of_row), by_rows), np.full(owned, not by_rows)
    in_cover = np.zeros(owned, bool)
    reached_cols = col_of_row[reached & (col_of_row >= 0)]
    for part in ranks.alltoallv(cols.split(reached_cols, reached_cols)):
        in_cover[part - cols.here.start] = True
    return ~reached, in_cover


class _Talk:
    """Rounds of messages, and how many rows are matched by now."""

    def __init__(self, ranks: Ranks, most: int, report: Report | None):
        self._ranks, self._most, self._report = ranks, most, report
        self.matched = 0

    def until_silence(self, work: Callable[[Messages], Messages]) -> int:
        """Pass what each round sends to the next, until no rank sends anything; return the rounds."""
        received: Messages = []
        rounds = 0
        while True:
            received = self._ranks.alltoallv(work(received))
            rounds += 1
            self.matched = sum(int(message[MATCHED]) for message in received)
            if self._report is not None:
                self._report(self.matched, self._most)
            if not any(message[RECORDS] for message in received):
                return rounds
