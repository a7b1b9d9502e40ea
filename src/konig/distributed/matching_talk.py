"""What the two ways to match over ranks share: rounds of messages, and the answer.

Messages go to every rank in every round and say how much is sent to all, so that no other operation is needed
to know the end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from konig.distributed.ranks import Ranks
from konig.progress import Report

# In a message: how much its sender has to tell and to do, and how many pairs it has matched.
TO_DO, MATCHED = 0, 1

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


def cover_by_a_full_side(
    size: int, rows: int, cols: int, col_of_row: np.ndarray, row_of_col: np.ndarray
) -> tuple[np.ndarray, np.ndarray] | None:
    """This rank's part of the cover where all rows, or all columns, are matched; None where neither is."""
    if size not in (rows, cols):
        return None
    return np.full(len(col_of_row), size == rows), np.full(len(row_of_col), size != rows)


class Talk:
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
