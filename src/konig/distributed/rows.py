"""Which rows of a problem each rank has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from konig.arguments import integer
from konig.distributed.ranks import Ranks, on_all


@dataclass(frozen=True)
class Rows:
    """Rank r has the rows ``first[r] <= i < first[r] + count[r]``, of which there may be none.

    Every row has one rank. Ranks need not have them in their own order.
    """

    first: np.ndarray
    count: np.ndarray
    rank: int

    @property
    def total(self) -> int:
        """Rows of the whole problem."""
        return int(self.count.sum())

    @property
    def here(self) -> slice:
        """Those of this rank."""
        return slice(int(self.first[self.rank]), int(self.first[self.rank] + self.count[self.rank]))

    def owner(self, rows: np.ndarray) -> np.ndarray:
        """The ranks that have these rows."""
        order = self._order()
        return order[np.searchsorted(self.first[order], rows, side="right") - 1]

    def joined(self, parts: list[np.ndarray]) -> np.ndarray:
        """The arrays of all ranks, concatenated in the order of their rows."""
        return np.concatenate(
            [parts[rank] for rank in self._order()] or parts
        )  # of no rank has rows, the type

    def stretches(self) -> tuple[list[int], list[int]]:
        """The first row of each rank that has some, ascending, and these ranks."""
        order = self._order()
        return self.first[order].tolist(), order.tolist()

    def split(self, rows: np.ndarray, items: np.ndarray) -> list[np.ndarray]:
        """The items for each rank, of which each belongs to a row; in their order."""
        owner = self.owner(rows) if len(rows) else np.zeros(0, np.intp)
        order = np.argsort(owner, kind="stable")
        return np.split(items[order], np.cumsum(np.bincount(owner, minlength=len(self.first)))[:-1])

    def _order(self) -> np.ndarray:
        """The ranks that have rows, by their first."""
        holders = np.flatnonzero(self.count)
        return holders[np.argsort(self.first[holders], kind="stable")]


def agreed_rows(ranks: Ranks, count: int, first_row: int | None) -> Rows:
    """What all ranks have; an error on all of them if blocks overlap or leave rows out.

    Without ``first_row`` the blocks follow each other in the order of the ranks.
    """
    said = np.array([count, -1 if first_row is None else first_row], np.int64)
    counts, first = np.stack(ranks.allgatherv(said)).T
    silent = first < 0
    if silent.all():
        return Rows(np.cumsum(counts) - counts, counts, ranks.rank)
    wrong = _misfit(rows := Rows(first, counts, ranks.rank), silent)
    if wrong:
        raise on_all(ValueError(f"first_row: {wrong}"))
    return rows


def _misfit(rows: Rows, silent: np.ndarray) -> str:
    """Why blocks are not all rows once, if that is so; ``silent`` are the ranks that gave no first row."""
    if silent.any():
        return f"rank {np.flatnonzero(~silent)[0]} gives one and rank {np.flatnonzero(silent)[0]} does not"
    expected = 0
    for rank in rows._order():
        begin = int(rows.first[rank])
        if begin < expected:
            return f"row {begin} is in the block of rank {rank} and in another"
        if begin > expected:
            return f"row {expected} is in no block, that of rank {rank} begins at {begin}"
        expected += int(rows.count[rank])
    return ""


def even_rows(total: int, size: int, rank: int) -> Rows:
    """As many rows for each rank, or one more or less, in the order of the ranks."""
    shares = [even_share(total, size, other) for other in range(size)]
    first = np.array([share.start for share in shares], np.int64)
    return Rows(first, np.array([share.stop for share in shares], np.int64) - first, rank)


def even_share(total: int, size: int, rank: int) -> slice:
    """The rows of a rank where all have as many, or one more or less."""
    total, size = integer("total", total), integer("size", size, 1)
    rank = integer("rank", rank, 0, size - 1)
    return slice(rank * total // size, (rank + 1) * total // size)
