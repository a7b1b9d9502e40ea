"""What the two distributed Hungarian methods share.

Date, Nagi, "GPU-accelerated Hungarian algorithms for the Linear Assignment Problem", Parallel Computing 57
(2016), §5. ``konig/papers/hungarian/stages.h`` has the same methods on one machine, their invariants, and
where they deviate from the paper; stages and counters have the same names here.

Rows are the shorter side. Every rank has the duals of all rows and columns: an update is a number that the
ranks agree on, and which rows and columns it is about.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from konig import _native
from konig.distributed.local import Stages
from konig.distributed.ranks import Ranks
from konig.distributed.rows import Rows
from konig.progress import Report

INFINITE: int = _native.INFINITE
OUT_OF_SEARCH: int = _native.OUT_OF_SEARCH


@dataclass(frozen=True)
class Violator:
    """The rows and columns that a search in vain has reached."""

    rows: np.ndarray
    cols: np.ndarray


def finite(lowest: np.ndarray) -> np.ndarray:
    """Duals from the lowest numbers of rows or columns; those without an allowed pair get an ordinary one."""
    return np.where(lowest < INFINITE, lowest, 0)


class Variant:
    """Pairs and duals, the same on all ranks unless a variant says otherwise, and the shared stages."""

    STAGES: tuple[str, ...] = (
        "reduction",
        "greedy_start",
        "optimality_check",
        "forward_pass",
        "reverse_pass",
        "augmentation",
        "dual_update",
    )
    COUNTERS: tuple[str, ...] = (
        "greedy_assignments",
        "initial_assignments",
        "levels",
        "dual_updates",
        "entries_read",
        "path_edges",
    )

    def __init__(
        self,
        ranks: Ranks,
        numbers: Any,  # _native.number_block of this rank's block, or ArrayNumbers
        held: Rows,  # which rows, or columns, each rank has
        shape: tuple[int, int],
        stages: Stages,
        report: Report | None,
    ):
        self.ranks, self.numbers, self.held, self.report = ranks, numbers, held, report
        self.rows, self.cols = shape
        self.col_of_row, self.row_of_col = np.full(self.rows, -1, np.int32), np.full(self.cols, -1, np.int32)
        self.row_dual, self.col_dual = np.zeros(self.rows, np.int64), np.zeros(self.cols, np.int64)
        self.matched = 0
        self.assignments: list[int] = []  # pairs gained by each augmentation
        self.counted = dict.fromkeys(self.COUNTERS, 0)
        self.stages = stages
        stages.seconds |= dict.fromkeys(self.STAGES, 0.0)
        self._prepare()

    def _prepare(self) -> None:
        """What a variant keeps beside this."""

    @property
    def square(self) -> bool:
        """Only then do columns get duals by a reduction: one that is left over must have none."""
        return self.rows == self.cols

    def stats(self) -> dict[str, Any]:
        """What the root has counted, and the seconds of this rank; all ranks call it together."""
        series = {"assignments": self.assignments, "iterations": len(self.assignments)}
        known: dict[str, Any] = self.ranks.bcast_object(self.counted | series)
        return known | {"seconds": self.stages.seconds}

    def pairs_before_updates(self) -> None:
        """Counts the pairs that need no dual update; called before each update, and at the end."""
        if not self.counted["dual_updates"]:
            self.counted["initial_assignments"] = self.matched

    def unassigned_rows(self) -> np.ndarray:
        """The roots of the next search (Algorithm 2)."""
        if self.report is not None:
            self.report(self.matched, self.rows)
        roots = np.flatnonzero(self.col_of_row < 0).astype(np.int32)
        self.stages.ends("optimality_check")
        return roots

    def augment(self, leaf: Any, predecessor: Any) -> None:
        """Changes the pairs along disjoint paths to unassigned columns (Algorithms 5 and 6)."""
        pairs: tuple[Any, Any] = self.col_of_row, self.row_of_col
        successor: Any = np.full(self.rows, -1, np.int32)
        root = _native.reverse_pass(leaf, predecessor, pairs[0], successor)
        self.stages.ends("reverse_pass")
        self.counted["path_edges"] += _native.augment_paths(root, successor, *pairs)
        self.assignments.append(len(root))
        self.matched += len(root)
        self.stages.ends("augmentation")
