"""The classical variant over ranks: rows are split, and the root searches the compressed zero edges.

Date, Nagi (2016), §5. Ranks compress the edges with zero slack of their rows; these are gathered at the root,
which augments along paths until there are none. Then it broadcasts which rows and columns its last search has
reached. The least slack between them on any rank is added to the duals on all of them, and so on.

Deviations. (1) The pairs stay on the root until the end: no other rank needs them, so that nothing travels
after an augmentation. (2) Reached rows and columns are sent as bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from konig import _native
from konig.distributed.hungarian_stages import INFINITE, OUT_OF_SEARCH, Variant, Violator, finite


@dataclass(frozen=True)
class ZeroEdges:
    """All edges with zero slack, on the root: the columns of each row, row after row."""

    start: Any
    neighbour: Any


class Classical(Variant):
    """``col_of_row`` is valid on the root, and on all ranks when `run` has ended.

    ``row_of_col`` is valid on the root alone.
    """

    STAGES = (*Variant.STAGES, "compression")
    COUNTERS = (*Variant.COUNTERS, "compressions", "zero_edges", "edges_scanned")

    def _prepare(self) -> None:
        self.is_root = self.ranks.rank == 0
        # The forest of the root's last search: trees outlive a dual update, which keeps their edges at zero.
        self.queue: Any = np.empty(self.rows, np.int32)
        self.reached = 0
        self.predecessor: Any = np.full(self.cols, -1, np.int32)

    def run(self) -> Violator | None:
        """Assigns all rows, or says which of them have too few columns."""
        self._reduce()
        self.stages.ends("reduction")
        while True:
            edges = self._compress()
            self.stages.ends("compression")
            if edges is not None:
                self._search(edges)
            rows, cols = self._share_reached()
            self.stages.ends("forward_pass")  # on other ranks all that the root does meanwhile
            if not rows.any():
                break
            theta = self._bound(rows, cols)
            if theta >= INFINITE:
                return Violator(rows, cols)
            self.pairs_before_updates()
            self.counted["dual_updates"] += 1
            self.row_dual[rows] += theta
            self.col_dual[cols] -= theta
            self.stages.ends("dual_update")
        self.pairs_before_updates()
        self.col_of_row = self.ranks.bcast(self.col_of_row)
        return None

    def _reduce(self) -> None:
        """Algorithm 1."""
        here = self.held.here
        mine = np.arange(here.stop - here.start, dtype=np.int32)
        lowest = finite(self.numbers.lowest_of_rows(mine, self.col_dual))
        self.row_dual = self.held.joined(self.ranks.allgatherv(lowest))
        self.counted["entries_read"] += self.rows * self.cols
        if self.square:
            lowest = self.numbers.lowest_of_cols(self.row_dual[here])
            self.col_dual = finite(self.ranks.allreduce(lowest, "min"))
            self.counted["entries_read"] += self.rows * self.cols

    def _compress(self) -> ZeroEdges | None:
        """On the root all edges with zero slack."""
        count, found = self.numbers.zero_edges(self.row_dual[self.held.here], self.col_dual)
        parts = self.ranks.gatherv(np.concatenate([count, found]))
        self.counted["compressions"] += 1
        self.counted["entries_read"] += self.rows * self.cols
        if not parts:
            return None
        cut = [np.split(part, [held]) for part, held in zip(parts, self.held.count, strict=True)]
        start = np.zeros(self.rows + 1, np.int64)
        np.cumsum(self.held.joined([counts for counts, _ in cut]), out=start[1:])
        self.counted["zero_edges"] = int(start[-1])
        return ZeroEdges(start, self.held.joined([cols for _, cols in cut]))

    def _search(self, edges: ZeroEdges) -> None:
        """Augments as long as there are paths; the forest of the search without any is kept."""
        lists, pairs = (edges.start, edges.neighbour), (self.col_of_row, self.row_of_col)
        if self.counted["compressions"] == 1:
            self.matched = self.counted["greedy_assignments"] = _native.pair_greedily(*lists, *pairs)
            self.stages.ends("greedy_start")
        while True:
            if self.reached == 0:
                roots = self.unassigned_rows()
                self.reached = len(roots)
                self.queue[: self.reached] = roots
                self.predecessor[:] = -1
            self.reached, leaf, levels, scanned = _native.forward_pass(
                *lists, self.row_of_col, self.queue, self.reached, self.predecessor
            )
            self.stages.ends("forward_pass")
            self.counted["levels"] += levels
            self.counted["edges_scanned"] += scanned
            if len(leaf) == 0:
                break
            self.augment(leaf, self.predecessor)
            self.reached = 0

    def _share_reached(self) -> tuple[np.ndarray, np.ndarray]:
        """The rows and columns that the root's last search has reached: none if all rows are assigned."""
        reached = np.zeros(self.rows + self.cols, np.uint8)
        if self.is_root:
            reached[self.queue[: self.reached]] = 1
            reached[self.rows :] = self.predecessor >= 0
        sent = self.ranks.bcast(np.packbits(reached))
        reached = np.unpackbits(sent, count=len(reached)).astype(bool)
        return reached[: self.rows], reached[self.rows :]

    def _bound(self, rows: np.ndarray, cols: np.ndarray) -> int:
        """The least slack of a reached row and a column that was not (Algorithm 7)."""
        mine = np.flatnonzero(rows[self.held.here]).astype(np.int32)
        lowest = self.numbers.lowest_of_rows(mine, np.where(cols, OUT_OF_SEARCH, self.col_dual))
        self.counted["entries_read"] += int(rows.sum()) * self.cols
        slack = lowest - self.row_dual[self.held.here][mine]
        return self.ranks.least(int(slack.min(initial=INFINITE)))
