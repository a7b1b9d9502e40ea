"""The method core over ranks: a sparse core of the small costs of each row, and prices.

As in Volgenant, Linear and semi-assignment problems: a core oriented approach (1996), which konig's ``core``
follows on one machine. Each rank lists the small costs of its rows. Ranks bid for columns together until few
rows are free; then the root solves the core. Every rank compares its rows with the duals, and entries that
undercut them join the core, until there are none anywhere: then the duals prove the answer for the whole
matrix. Only lists, bids and duals travel.

All costs here are to be minimised: those that are maximised have been negated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from konig import _native
from konig.assignment.cpu import How, Refusal, Solved, solve_sparse
from konig.assignment.inputs import SparseCosts, refuse_bad_costs
from konig.assignment.methods import JV
from konig.distributed.local import LocalAnswer, LocalFound, Stages, scattered
from konig.distributed.ranks import Ranks
from konig.distributed.rows import Rows
from konig.errors import InfeasibleError

ADDED = 8  # entries that a row, or a column that is in few lists, gets at a time
RARE = 2  # a column that is in fewer lists gets more
BIDDING_ROUNDS = 32  # rounds halve the free rows at first; what is left is for the root
FEW_FREE = 32  # bidding ends where one row in so many is free: a round costs as much for few bids as for many
CHUNK = 1 << 22  # entries that NumPy looks at together


@dataclass
class Lists:
    """Entries of some rows: those of row i are at ``start[i] <= e < start[i + 1]``."""

    start: np.ndarray
    col: np.ndarray
    cost: np.ndarray

    def joined(self, row: np.ndarray, col: np.ndarray, cost: np.ndarray) -> Lists:
        """With more entries, of which some may be there already."""
        rows = len(self.start) - 1
        given = np.repeat(np.arange(rows), np.diff(self.start))
        row, col = np.concatenate([given, row]), np.concatenate([self.col, col])
        order = np.lexsort((col, row))
        row, col = row[order], col[order]
        kept = np.flatnonzero(np.r_[True, (np.diff(row) != 0) | (np.diff(col) != 0)][: len(row)])
        start = np.searchsorted(row[kept], np.arange(rows + 1))
        return Lists(start, col[kept].astype(np.int32), np.concatenate([self.cost, cost])[order][kept])


@dataclass(frozen=True)
class Settled:
    """What the root says about the core it has solved."""

    cost: Any
    gap: Any
    stats: dict[str, Any]


def solve(
    ranks: Ranks, rows: Rows, block: np.ndarray, maximize: bool, threads: int = 1, report: Any = None
) -> LocalFound:
    """The answer for this rank's rows, which are ``block``."""
    stages = Stages()
    part = Part(ranks, rows, block, maximize, threads)
    stages.ends("lists")
    part.bid()
    stages.ends("bids")
    root = RootCore(part.shape, part.largest, threads, report) if ranks.rank == 0 else None
    more: Lists | None = part.lists
    entries = rounds = 0
    while more is not None:
        entries += part.send(more, root)
        stages.ends("gather")
        found = part.settled(root)
        stages.ends("solve")
        more = part.outside(found) if isinstance(found, InfeasibleError) else None
        if isinstance(found, Settled):
            more, rounds = part.undercutting(), rounds + 1
        stages.ends("price")
    if isinstance(found, Refusal):
        return found
    sign = -1 if maximize else 1
    duals = sign * part.row_dual + 0, sign * part.col_dual + 0  # and no negative zero
    col_of_row = scattered(ranks, rows, root and root.answer.col_of_row, np.int64)
    stages.ends("answer")
    stats = {"core_entries": entries, "pricing_rounds": rounds, **part.counts, **found.stats}
    stats |= {"sent": ranks.sent, "seconds": stages.seconds}
    return LocalAnswer(col_of_row, *duals, sign * found.cost, found.gap, stats)


class Part:
    """The rows of this rank, and the duals."""

    def __init__(self, ranks: Ranks, rows: Rows, block: np.ndarray, maximize: bool, threads: int):
        self.ranks, self.rows, self.maximize, self.threads = ranks, rows, maximize, threads
        self.shape = rows.total, block.shape[1]
        self.counts = {"bids": 0, "bidding_rounds": 0}
        self._choose(block)
        self.dual_type = np.dtype(np.int64 if block.dtype.kind == "i" else np.float64)
        self.row_dual = np.zeros(len(block), self.dual_type)
        self.col_dual = np.zeros(self.shape[1], self.dual_type)
        self.start: np.ndarray | None = None  # column duals to solve the core from
        self._most_outside = ADDED
        if self.shape[0] == self.shape[1]:
            self._serve_rare_columns()

    # ---- the first lists

    def _choose(self, block: np.ndarray) -> None:
        first_row = self.rows.here.start
        self.native = _native.cost_block(block, self.maximize, self.threads)
        (largest, first_nan, first_wrong, _), lists = self.native.choose(first_row)
        refuse_bad_costs(block, self.maximize, first_nan, first_wrong, first_row=first_row)
        self.largest = float(self.ranks.allreduce(np.array([largest]), "max")[0])
        self.block, self.lists = block, Lists(*lists)
        if self.maximize and block.dtype == np.int32 and self.largest >= 2.0**31:  # -2**31 has no negative
            self._choose(block.astype(np.int64))

    def _serve_rare_columns(self) -> None:
        """Every column of a square has to be assigned: those in few lists get the rows they cost least."""
        degree = self.ranks.allreduce(np.bincount(self.lists.col, minlength=self.shape[1]), "sum")
        rare = np.flatnonzero(degree < RARE)
        if len(rare):
            some = -(-ADDED // self.ranks.size)
            self.lists = self.lists.joined(*self._cheapest(np.arange(len(self.block)), rare, some, False))

    def _cheapest(
        self, rows: np.ndarray, cols: np.ndarray, most: int, by_rows: bool
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The allowed entries of each of some rows (or columns) that cost least, of those at both."""
        major, minor = (rows, cols) if by_rows else (cols, rows)
        parts = [(major[:0], minor[:0], self.block.ravel()[:0])]
        step = max(1, CHUNK // max(1, len(minor)))
        for first in range(0, len(major) if len(minor) else 0, step):
            some = major[first : first + step]
            costs = self.block[np.ix_(some, cols)] if by_rows else self.block[np.ix_(rows, some)].T
            costs = -costs if self.maximize else costs
            best = np.argpartition(costs, min(most, len(minor)) - 1, axis=1)[:, :most]
            cost = np.take_along_axis(costs, best, 1)
            allowed = np.isfinite(cost)
            parts.append((np.repeat(some, allowed.sum(1)), minor[best[allowed]], cost[allowed]))
        at_major, at_minor, cost = (np.concatenate(part) for part in zip(*parts, strict=True))
        return (at_major, at_minor, cost) if by_rows else (at_minor, at_major, cost)

    # ---- bids

    def bid(self) -> None:
        """Lower column duals by bids of all free rows at once, among their lists.

        A row bids for its best column what the second best would cost it more. The column goes to the row
        that bids most. Where there are columns left over, they have not been bid for: their duals are 0.
        """
        room = 2.0**62 if self.dual_type.kind == "i" else 2.0**1000
        if self.rows.total > self.shape[1] or 4 * (BIDDING_ROUNDS + self.rows.total) * self.largest >= room:
            return  # columns are assigned, which have no lists; or sums might overflow
        here = self.rows.here
        self.start = self.col_dual = np.zeros(self.shape[1], self.dual_type)
        row_of_col = np.full(self.shape[1], -1, np.int64)
        free = np.arange(len(self.block))
        for _ in range(BIDDING_ROUNDS):
            if FEW_FREE * self.ranks.total(len(free)) <= self.rows.total:
                break
            mine = self._bids(free, row_of_col)
            row, col, dual = (np.concatenate(self.ranks.allgatherv(part)) for part in mine)
            if not len(row):
                break
            self.counts["bids"] += len(row)
            self.counts["bidding_rounds"] += 1
            order = np.lexsort((row, dual, col))
            won = order[np.r_[True, np.diff(col[order]) != 0]]
            lost = row_of_col[col[won]]
            row_of_col[col[won]], self.col_dual[col[won]] = row[won], dual[won]
            lost = lost[(lost >= here.start) & (lost < here.stop)]
            free = np.setdiff1d(np.concatenate([mine[0], lost]), row[won]) - here.start

    def _bids(self, free: np.ndarray, row_of_col: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The rows that bid, the columns that they bid for, and what the duals of these become."""
        count = np.diff(self.lists.start)[free]
        free, count = free[count > 1], count[count > 1]
        first = np.cumsum(count) - count
        entry = np.repeat(self.lists.start[free] - first, count) + np.arange(count.sum())
        col = self.lists.col[entry].astype(np.int64)
        if not len(entry):
            return free, col, self.col_dual[:0]
        slack = self.lists.cost[entry].astype(self.dual_type) - self.col_dual[col]
        least = np.minimum.reduceat(slack, first)
        attains = np.flatnonzero(slack == np.repeat(least, count))
        best = attains[np.searchsorted(attains, first)]  # the first of each row
        slack[best] = np.iinfo(np.int64).max if self.dual_type.kind == "i" else np.inf
        gain = np.minimum.reduceat(slack, first) - least
        col = col[best]
        worth = (gain > 0) | (row_of_col[col] < 0)  # rows that are content with another column do not fight
        return free[worth] + self.rows.here.start, col[worth], self.col_dual[col[worth]] - gain[worth]

    # ---- with the root

    def send(self, more: Lists, root: RootCore | None) -> int:
        """The root adds the entries of all ranks to its core; how many they are."""
        parts = [self.ranks.gatherv(part) for part in (np.diff(more.start), more.col, more.cost)]
        if root:
            root.add(*(self.rows.joined(part) for part in parts))
        return self.ranks.total(len(more.col))

    def settled(self, root: RootCore | None) -> Settled | Refusal:
        """The root solves its core; if it has an answer, all ranks get the duals."""
        found = self.ranks.bcast_object(root and root.solve(self.start))
        if isinstance(found, Settled):
            self.start = self.col_dual = self.ranks.bcast(root.answer.col_dual if root else self.col_dual)
            self.row_dual = scattered(self.ranks, self.rows, root and root.answer.row_dual, self.dual_type)
        return found

    def undercutting(self) -> Lists | None:
        """Entries of this rank that cost less than the sum of their duals; None if no rank has any."""
        found = Lists(*self.native.undercutting(self.row_dual, self.col_dual, ADDED))
        return found if self.ranks.total(len(found.col)) else None

    def outside(self, violator: InfeasibleError) -> Lists | None:
        """Entries of this rank that leave a Hall violator of the core; None if no rank has any.

        More each time: where all rows want the same columns, few lead nowhere.
        """
        in_rows, in_cols = np.zeros(self.shape[0], bool), np.zeros(self.shape[1], bool)
        in_rows[violator.rows], in_cols[violator.cols] = True, True
        by_rows = len(violator.rows) > len(violator.cols)
        rows = np.flatnonzero(in_rows[self.rows.here] == by_rows)
        cols = np.flatnonzero(in_cols != by_rows)
        found = Lists(np.zeros(len(self.block) + 1, np.int64), self.lists.col[:0], self.lists.cost[:0])
        found = found.joined(*self._cheapest(rows, cols, self._most_outside, by_rows))
        self._most_outside *= 2
        return found if self.ranks.total(len(found.col)) else None


@dataclass
class RootAnswer:
    """That of the core, for all rows and columns."""

    col_of_row: np.ndarray
    row_dual: np.ndarray
    col_dual: np.ndarray


class RootCore:
    """The core of all ranks."""

    def __init__(self, shape: tuple[int, int], largest: float, threads: int, report: Any):
        self.shape = shape
        self.how = How(JV, {}, False, largest, threads, report=report)
        self.costs: SparseCosts | None = None
        self.answer: RootAnswer | None = None

    def add(self, count: np.ndarray, col: np.ndarray, cost: np.ndarray) -> None:
        """Entries join, so many of each row; none is there already."""
        if self.costs:
            row = np.concatenate([self.costs.row, np.repeat(np.arange(self.shape[0], dtype=np.int32), count)])
            order = np.argsort(row, kind="stable")
            col = np.concatenate([self.costs.col, col])[order]
            cost = np.concatenate([self.costs.cost, cost])[order]
            count = count + np.diff(self.costs.start)
        start = np.zeros(self.shape[0] + 1, np.int64)
        np.cumsum(count, out=start[1:])
        self.costs = SparseCosts(self.shape, start, col, cost)

    def solve(self, col_dual: np.ndarray | None) -> Settled | Refusal:
        """From these column duals, or the row duals of the last solve where columns are the shorter side."""
        assert self.costs is not None
        initial = self.answer.row_dual if self.answer else None, col_dual
        found = solve_sparse(self.costs, self.how, initial)
        if isinstance(found, Refusal):
            return found
        col_of_row = np.full(self.shape[0], -1, np.int64)
        col_of_row[found.row_ind] = found.col_ind
        self.answer = RootAnswer(col_of_row, found.row_dual, found.col_dual)
        return Settled(found.cost, found.gap, found.stats)
