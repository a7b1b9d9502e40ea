"""The alternating tree variant over ranks: columns are split, and frontiers are exchanged level by level.

Date, Nagi (2016), §5; ``konig/papers/hungarian/tree.h`` has the variant on one machine. A search grows
trees from all unassigned rows at once. Each rank keeps the least slacks of its columns against the rows
reached. The columns that it brings to zero in a level it tells to all others, with the rows before them, and
the rows assigned to them are the next frontier.

State: ``shift`` is the sum of the updates of a search. Keys, the slacks of columns, are counted from its
start, as are ``row_since`` and ``col_since``, the shifts at which rows and columns were reached, -1 if they
were not; duals get their share of the updates at the end of the search.

Deviations. (1) One exchange a level carries all: each rank's least key, of which theta is the least, and
the columns reached with their predecessors. So all ranks walk the paths themselves, where the paper gathers
predecessors at the root and broadcasts the pairs. (2) The greedy start: ranks offer their columns, and a row
that several ranks offer one takes the first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from konig.distributed.hungarian_stages import INFINITE, Variant, Violator, finite


class Tree(Variant):
    """Every rank has all pairs and duals; keys are those of its own columns."""

    def _prepare(self) -> None:
        self.first = int(self.held.first[self.ranks.rank])  # of this rank's columns
        self.shift = 0
        self.row_since: Any = np.full(self.rows, -1, np.int64)
        self.col_since: Any = np.full(self.cols, -1, np.int64)
        self.predecessor: Any = np.empty(self.cols, np.int32)
        self.leaves: list[np.ndarray] = []  # unassigned columns reached

    def run(self) -> Violator | None:
        """Assigns all rows, or says which of them have too few columns."""
        self._reduce()
        self.stages.ends("reduction")
        self._start_greedily()
        self.counted["greedy_assignments"] = self.matched
        self.stages.ends("greedy_start")
        while self.matched < self.rows:
            if not self._search():
                return Violator(self.row_since >= 0, self.col_since >= 0)
            self.augment(np.concatenate(self.leaves), self.predecessor)
            self._settle_duals()
        self.pairs_before_updates()
        return None

    def _reduce(self) -> None:
        """Algorithm 1."""
        rows: Any = np.arange(self.rows, dtype=np.int32)
        lowest = self.numbers.lowest_of_rows(rows, self.col_dual[self.held.here])
        self.row_dual = finite(self.ranks.allreduce(lowest, "min"))
        self.counted["entries_read"] += self.rows * self.cols
        if self.square:
            lowest = finite(self.numbers.lowest_of_cols(self.row_dual))
            self.col_dual = self.held.joined(self.ranks.allgatherv(lowest))
            self.counted["entries_read"] += self.rows * self.cols

    # ---- a greedy start on zero slacks

    def _start_greedily(self) -> None:
        """Until no rank has a free column with zero slack for a row that is unassigned."""
        duals = self.col_dual[self.held.here]
        free: Any = duals.copy()
        while True:
            rows: Any = self._rows_in_turn()
            claimed = self.numbers.claim_zero_cols(rows, self.row_dual, free)
            offered = np.full(self.rows, self.cols, np.int32)
            offered[rows] = np.where(claimed >= 0, claimed + self.first, self.cols)
            taken = self.ranks.allreduce(offered, "min")
            gained = np.flatnonzero(taken < self.cols)
            if len(gained) == 0:
                break
            self.col_of_row[gained] = taken[gained]
            self.row_of_col[taken[gained]] = gained
            self.matched += len(gained)
            refused = offered[(offered < self.cols) & (offered != taken)] - self.first
            free[refused] = duals[refused]

    def _rows_in_turn(self) -> np.ndarray:
        """Unassigned rows; each rank begins elsewhere, so that not all offer their columns to the same."""
        rows = np.flatnonzero(self.col_of_row < 0).astype(np.int32)
        turn = self.ranks.rank * self.rows // self.ranks.size
        return np.roll(rows, -int(np.searchsorted(rows, turn)))

    # ---- a search, Algorithms 4 and 9

    def _search(self) -> bool:
        """Whether paths to unassigned columns were found; if not, there is no full assignment."""
        frontier = self.unassigned_rows()
        self._begin(frontier)
        while True:
            self._expand(frontier)
            frontier, least = self._exchange()
            self.counted["levels"] += 1
            self.stages.ends("forward_pass")
            if len(frontier) == 0 and not self.leaves:
                if least >= INFINITE:
                    return False
                self.pairs_before_updates()
                self.counted["dual_updates"] += 1
                self.shift = least
                frontier, _ = self._exchange()
                self.stages.ends("dual_update")
            if len(frontier) == 0:
                return True

    def _begin(self, roots: np.ndarray) -> None:
        self.shift, self.leaves = 0, []
        self.row_since[:], self.col_since[:] = -1, -1
        self.row_since[roots] = 0
        self.numbers.begin_search(self.col_dual[self.held.here])

    def _expand(self, frontier: Any) -> None:
        """The keys of this rank's columns against the rows that have joined."""
        self.numbers.relax(frontier, self.row_dual, self.shift)
        self.counted["entries_read"] += len(frontier) * self.cols

    def _exchange(self) -> tuple[Any, int]:
        """The rows assigned to columns that any rank has brought to zero, and the least key of the others."""
        told = self.ranks.allgatherv(self.numbers.take_reached(self.shift, self.first))
        edges = np.concatenate([part[1:] for part in told])
        col = edges >> 32
        self.predecessor[col] = edges & 0xFFFFFFFF
        self.col_since[col] = self.shift
        row = self.row_of_col[col]
        frontier = row[row >= 0]
        self.row_since[frontier] = self.shift
        if len(frontier) < len(col):
            self.leaves.append(col[row < 0].astype(np.int32))
        return frontier, min(int(part[0]) for part in told)

    def _settle_duals(self) -> None:
        """The updates of the search, from where each row and column was reached."""
        rows, cols = self.row_since >= 0, self.col_since >= 0
        self.row_dual[rows] += self.shift - self.row_since[rows]
        self.col_dual[cols] -= self.shift - self.col_since[cols]
        self.stages.ends("dual_update")
