"""What the two ways to match over ranks share: rounds of messages, and the answer.

Messages go to every rank in every round and say how much is sent to all, so that no other operation is needed
to know the end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from konig.distributed.local import Stages
from konig.distributed.ranks import Ranks
from konig.distributed.rows import Rows
from konig.matching.inputs import BipartiteGraph
from konig.progress import Report

# In a message: how much its sender has to tell and to do, and how many pairs it has matched.
TO_DO, MATCHED = 0, 1

Messages = list[np.ndarray]


@dataclass(frozen=True)
class LocalGraph:
    """This rank's rows, whose columns are numbered as in the whole matrix."""

    ranks: Ranks
    graph: BipartiteGraph
    rows: Rows
    cols: Rows
    ids: Any  # int32 or int64
    stages: Stages

    def division(self) -> tuple[Any, ...]:
        """Which ranks have which rows and columns, as native states read it."""
        here = [(held.here.start, held.here.stop) for held in (self.rows, self.cols)]
        stretches = self.rows.stretches(), self.cols.stretches()
        return self.ranks.rank, self.ranks.size, *stretches, *here, self.cols.total

    def lists(self) -> tuple[Any, Any]:
        """Where the columns of each row begin, and the columns."""
        of_row = self.graph.of_row
        return of_row.start.astype(self.ids, copy=False), of_row.neighbour.astype(self.ids, copy=False)

    def extent(self) -> tuple[int, int]:
        """How many rows and columns this rank has."""
        return self.graph.rows, int(self.cols.count[self.ranks.rank])


@dataclass(frozen=True)
class LocalMatching:
    """What is found, as one rank has it."""

    size: int  # of all ranks
    col_of_row: np.ndarray  # of this rank's rows
    row_of_col: np.ndarray  # of this rank's columns
    row_in_cover: np.ndarray  # bool, of the same
    col_in_cover: np.ndarray
    stats: dict[str, Any]


class Talk:
    """Rounds of messages, and how many rows of each rank are matched by now."""

    def __init__(self, given: LocalGraph, report: Report | None):
        self._ranks, self._report = given.ranks, report
        self._sides = given.rows.total, given.cols.total
        self.most = min(self._sides)
        self.matched = np.zeros(given.ranks.size, np.int64)

    @property
    def size(self) -> int:
        """Pairs of all ranks."""
        return int(self.matched.sum())

    @property
    def unmatched_rows(self) -> int:
        """Of all ranks."""
        return self._sides[0] - self.size

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

    def cover_by_a_full_side(self, rows: int, cols: int) -> tuple[np.ndarray, np.ndarray] | None:
        """The cover of so many rows and columns here where all of a side are matched; None if neither is."""
        if self.size not in self._sides:
            return None
        by_rows = self.size == self._sides[0]
        return np.full(rows, by_rows), np.full(cols, not by_rows)
