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
class Numbers:
    """This rank's block of the whole numbers that a method calculates with.

    ``held`` says which rows, or columns, each rank has.
    """

    block: Any
    held: Rows
    negated: bool  # what is stored counts with the other sign
    threads: int

    def lowest_of_rows(self, rows: np.ndarray, col_dual: Any) -> np.ndarray:
        """The smallest number - column dual of each of these rows of the block."""
        lowest = np.empty(len(rows), np.int64)
        listed: Any = rows.astype(np.int32)
        _native.lowest_of_rows(self.block, self.negated, self.threads, listed, col_dual, lowest)
        return lowest

    def lowest_of_cols(self, row_dual: Any) -> np.ndarray:
        """The smallest number - row dual of each column of the block."""
        lowest = np.empty(self.block.shape[1], np.int64)
        _native.lowest_of_cols(self.block, self.negated, self.threads, row_dual, lowest)
        return lowest

    def zero_edges(self, row_dual: Any, col_dual: Any) -> tuple[np.ndarray, np.ndarray]:
        """How many edges with zero slack each row has, and their columns, row after row (§3.3)."""
        count = np.empty(self.block.shape[0], np.int32)
        found = _native.zero_edges(self.block, self.negated, self.threads, row_dual, col_dual, count)
        return count, found

    def claim_zero_cols(self, rows: Any, row_dual: Any, open_dual: Any) -> np.ndarray:
        """Gives these rows open columns with zero slack, greedily; -1 where none is left.

        Columns whose dual is OUT_OF_SEARCH are not open; those claimed become it.
        """
        claimed = np.empty(len(rows), np.int32)
        _native.claim_zero_cols(self.block, self.negated, rows, row_dual, open_dual, claimed)
        return claimed

    def open_columns(self) -> OpenColumns:
        """For searches."""
        return OpenColumns(self)


class OpenColumns:
    """The columns of a block in a search of the alternating tree variant (distributed_sweeps.h)."""

    def __init__(self, numbers: Numbers):
        self.numbers = numbers
        cols = numbers.block.shape[1]
        # Duals, keys, the rows these come from, and the least keys of some columns together.
        blocks = -(-cols // _native.SCAN_BLOCK)
        sizes = (cols, np.int64), (cols, np.int64), (cols, np.int32), (blocks, np.int64)
        self.columns: Any = tuple(np.zeros(*size) for size in sizes)

    def begin(self, col_dual: np.ndarray) -> None:
        """A search, with these duals of all columns of the block."""
        dual, key, _, block_least = self.columns
        dual[:] = col_dual
        key[:] = block_least[:] = INFINITE

    def relax(self, rows: Any, row_dual: Any, shift: int) -> None:
        """Lowers the keys of open columns to their slacks against these rows (Algorithm 4)."""
        numbers = self.numbers
        block = numbers.block, numbers.negated, numbers.threads
        _native.relax_cols(*block, rows, row_dual, shift, *self.columns)

    def take_reached(self, shift: int, first: int) -> np.ndarray:
        """Takes the columns with keys up to ``shift`` out of the search.

        What other ranks have to know: the least key that is left, and these columns with the rows before
        them, as if the first column had the number ``first``.
        """
        told: np.ndarray = _native.take_reached(shift, first, *self.columns)
        return told


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
        numbers: Any,  # Numbers, or ArrayNumbers
        shape: tuple[int, int],
        stages: Stages,
        report: Report | None,
    ):
        self.ranks, self.numbers, self.held, self.report = ranks, numbers, numbers.held, report
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
