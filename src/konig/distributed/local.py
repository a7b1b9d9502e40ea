"""A problem that is spread over ranks as each of them holds it, and what a method leaves there."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from konig.distributed.ranks import Ranks
from konig.distributed.rows import Rows
from konig.errors import InfeasibleError


@dataclass(frozen=True)
class LocalCosts:
    """This rank's rows of a cost matrix, checked: one of the four types of costs, the same on all ranks.

    Nothing is NaN, and nothing infinite but what forbids a pair.
    """

    block: Any  # (rows of this rank, columns of the matrix), row after row
    rows: Rows
    maximize: bool
    least: Any  # the smallest and the largest finite cost, over all ranks
    greatest: Any
    xp: Any = None  # the library of the block's arrays, None for NumPy's that native loops read

    @property
    def library(self) -> Any:
        """NumPy or CuPy."""
        return np if self.xp is None else self.xp

    @property
    def shape(self) -> tuple[int, int]:
        """Of the whole matrix."""
        return self.rows.total, self.block.shape[1]


@dataclass
class LocalAnswer:
    """What a method leaves on a rank."""

    col_of_row: np.ndarray  # of this rank's rows, -1 where none is assigned
    row_dual: np.ndarray  # of this rank's rows
    col_dual: np.ndarray  # of all columns, the same on all ranks
    cost: Any  # of the whole assignment, as are the rest
    gap: Any
    stats: dict[str, Any]


# What a method returns: the answer, or on all ranks the same reason why there is none.
LocalFound = LocalAnswer | InfeasibleError | OverflowError


def scattered(ranks: Ranks, rows: Rows, of_all: np.ndarray | None, dtype: Any) -> np.ndarray:
    """This rank's part of an array with an item for each row, which the root passes."""
    parts = [np.empty(0, dtype)] * ranks.size
    if ranks.rank == 0:
        assert of_all is not None
        parts = [of_all[first : first + count] for first, count in zip(rows.first, rows.count, strict=True)]
    return ranks.alltoallv([np.ascontiguousarray(part, dtype) for part in parts])[0]


class Stages:
    """How long each stage of a solve takes on this rank."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._since = perf_counter()

    def ends(self, name: str) -> None:
        """All since the end of the stage before belongs to this one."""
        now = perf_counter()
        self.seconds[name] = self.seconds.get(name, 0.0) + now - self._since
        self._since = now
