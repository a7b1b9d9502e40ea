"""The method core over ranks: a sparse core of the small costs of each row, and prices.

As in Volgenant, Linear and semi-assignment problems: a core oriented approach (1996), which konig's ``core``
follows on one machine. Each rank lists the small costs of its rows. Ranks bid for columns together until few
rows are free; then the root solves the core. Every rank compares its rows with the duals, and entries that
undercut them join the core, until there are none anywhere: then the duals prove the answer for the whole
matrix. Only lists, bids and duals travel.

The root works alone while it solves, so it gets little to do: of the lists those entries whose reduced costs,
at the prices of the auction, are below the mean, and others once they undercut duals; and what it has
assigned stays assigned from one solve to the next.

All costs here are to be minimised: those that are maximised have been negated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from konig import _native
from konig.assignment.cpu import How, Refusal, infeasible, solve_sparse
from konig.assignment.inputs import SparseCosts
from konig.assignment.methods import JV
from konig.distributed.array_costs import ArrayCosts
from konig.distributed.core_lists import HostCosts, Lists, no_lists
from konig.distributed.local import LocalAnswer, LocalFound, Stages, scattered
from konig.distributed.ranks import Ranks
from konig.distributed.rows import Rows
from konig.errors import InfeasibleError

ADDED = 8  # entries that a row, or a column that is in few lists, gets at a time
RARE = 2  # a column that is in fewer lists gets more
# Of an auction, in parts of twice the mean of the reduced costs: the phases, and how many bids one may take.
EPSILONS = (1e-2, 2e-3, 4e-4, 8e-5)
BIDS_PER_ROW = 20
FINE = 64  # parts of one that the duals of integers are counted in while the root solves its core
SUMS = 8  # times the rows and the largest cost or dual: a bound on what shortest paths add up
FEWEST_BIDDERS = 2000  # with fewer rows the root is done before ranks have told each other their bids
# A phase ends where one row in so many bids, or so few: a round takes as long for few as for many, about as
# long as the root takes for one path.
FEW_FREE, FEWEST_FREE = 200, 100


@dataclass(frozen=True)
class CoreSolved:
    """What the root says about the core it has solved."""

    cost: Any
    gap: Any
    stats: dict[str, Any]


def solve(
    ranks: Ranks,
    rows: Rows,
    block: Any,
    maximize: bool,
    threads: int = 1,
    report: Any = None,
    xp: Any = None,
) -> LocalFound:
    """The answer for this rank's rows, which are ``block``; of an array module ``xp`` if one is given."""
    stages = Stages()
    costs = HostCosts(block, maximize, threads) if xp is None else ArrayCosts(xp, block, maximize)
    part = Part(ranks, rows, costs)
    stages.ends("lists")
    part.bid()
    stages.ends("bids")
    root = part.core(report) if ranks.rank == 0 else None
    more: Lists | None = part.first_entries()
    entries = rounds = 0
    while more is not None:
        entries += part.send(more, root)
        stages.ends("gather")
        found = part.solve_core(root)
        stages.ends("solve")
        more = part.leaving(found) if isinstance(found, InfeasibleError) else None
        if isinstance(found, CoreSolved):
            more, rounds = part.undercutting(), rounds + 1
        stages.ends("price")
    if isinstance(found, Refusal):
        return found
    sign = -1 if maximize else 1
    duals = sign * part.row_dual + 0, sign * part.col_dual + 0  # and no negative zero
    col_of_row = scattered(ranks, rows, root.col_of_row if root else None, np.int64)
    stages.ends("answer")
    stats: dict[str, Any] = {"core_entries": entries, "pricing_rounds": rounds, **found.stats, **part.counts}
    stats |= {"bytes_sent": ranks.sent, "seconds": stages.seconds}
    return LocalAnswer(col_of_row, *duals, sign * found.cost + 0, found.gap, stats)


class Part:
    """The rows of this rank, and the duals."""

    def __init__(self, ranks: Ranks, rows: Rows, costs: HostCosts | ArrayCosts):
        self.ranks, self.rows = ranks, rows
        self.shape = rows.total, costs.block.shape[1]
        self.counts = {"bids": 0, "bidding_rounds": 0}
        self._choose(costs)
        self.dual_type = np.dtype(np.int64 if costs.block.dtype.kind == "i" else np.float64)
        self.row_dual = np.zeros(len(costs.block), self.dual_type)
        self.col_dual = np.zeros(self.shape[1], self.dual_type)
        self.initial_col_dual: np.ndarray | None = None  # to solve the core from
        self._most_outside = ADDED
        self._unsent: np.ndarray | None = None  # which entries of the lists are not in the core, if some are
        if self.shape[0] == self.shape[1]:
            self._serve_rare_columns()

    # ---- the first lists

    def _choose(self, costs: HostCosts | ArrayCosts) -> None:
        largest, self.lists = costs.choose(self.rows.here.start)
        self.largest = float(self.ranks.allreduce(np.array([largest]), "max")[0])
        self.costs = costs
        narrow = costs.block.dtype == np.int32 and self.largest >= 2.0**31
        if costs.maximize and narrow:  # -2**31 has no negative
            self._choose(costs.widened())

    def _serve_rare_columns(self) -> None:
        """Every column of a square has to be assigned: those in few lists also list their cheapest rows."""
        degree = self.ranks.allreduce(np.bincount(self.lists.col, minlength=self.shape[1]), "sum")
        rare = np.flatnonzero(degree < RARE)
        if not len(rare):
            return
        row, col, cost = self.costs.cheapest(np.arange(len(self.row_dual)), rare, ADDED, False)
        of_all = [np.concatenate(self.ranks.allgatherv(part)) for part in (col, cost)]
        order = np.lexsort(of_all[::-1])
        all_cols, all_costs = (part[order] for part in of_all)
        last = np.searchsorted(all_cols, rare) + ADDED - 1  # of those that a column keeps, if it has so many
        last = np.minimum(last, np.searchsorted(all_cols, rare, "right") - 1)
        most = np.zeros(self.shape[1], cost.dtype)
        most[rare[last >= 0]] = all_costs[last[last >= 0]]
        kept = cost <= most[col]
        self.lists = self.lists.joined(row[kept], col[kept], cost[kept])

    # ---- bids

    def bid(self) -> None:
        """An auction among the lists of all ranks, for column duals to solve the core from.

        On a rectangle columns left over must have no dual, and an auction leaves them some.
        """
        rows, cols = self.shape
        room = 2.0**62 if self.dual_type.kind == "i" else 2.0**1000
        if rows != cols or rows < FEWEST_BIDDERS or 4 * rows * self.largest >= room:
            return
        lists = self.lists
        reduced = lists.cost.astype(np.float64)
        of_col = np.full(cols, np.inf)
        np.minimum.at(of_col, lists.col, reduced)
        of_col = self.ranks.allreduce(of_col, "min")
        of_col[np.isinf(of_col)] = 0.0  # in no list
        reduced -= of_col[lists.col]
        count = np.diff(lists.start)
        listed = np.flatnonzero(count)
        if len(listed):
            of_row = np.minimum.reduceat(reduced, lists.start[listed])
            reduced -= np.repeat(np.where(np.isfinite(of_row), of_row, 0.0), count[listed])
        finite = reduced[np.isfinite(reduced)]
        total, entries = self.ranks.allreduce(np.array([finite.sum(), len(finite)]), "sum")
        if total > 0:
            auction = _native.SharedAuction(self.rows.here.start, cols, lists.start, lists.col, reduced)
            self._run_auction(auction, 2 * total / entries)
            of_col += auction.prices
        self.initial_col_dual = of_col
        if self.dual_type.kind == "i":
            self.initial_col_dual = np.rint(of_col).astype(np.int64)
            largest = max(self.largest, float(abs(self.initial_col_dual).max(initial=0)))
            if SUMS * FINE * (rows + 1) * largest < 2.0**60:
                self._fine_col_dual = np.rint(FINE * of_col).astype(np.int64)
                self._withhold(reduced - (auction.prices[lists.col] if total > 0 else 0.0))

    def _withhold(self, reduced: np.ndarray) -> None:
        """The entries whose reduced costs are above the mean stay here at first."""
        count = np.diff(self.lists.start)
        listed = np.flatnonzero(count)
        least = np.minimum.reduceat(reduced, self.lists.start[listed]) if len(listed) else reduced
        reduced = reduced - np.repeat(least, count[listed])
        total, entries = self.ranks.allreduce(np.array([reduced.sum(), len(reduced)]), "sum")
        self._unsent = reduced * entries > total

    def _run_auction(self, auction: Any, scale: float) -> None:
        for epsilon in EPSILONS:
            given_up = auction.give_up(epsilon * scale)
            auction.release(np.concatenate(self.ranks.allgatherv(given_up)))
            left, few = BIDS_PER_ROW * self.rows.total, max(FEWEST_FREE, self.rows.total // FEW_FREE)
            while left > 0:
                bids = auction.settle(np.concatenate(self.ranks.allgatherv(auction.bids(epsilon * scale))))
                self.counts["bids"] += bids
                self.counts["bidding_rounds"] += 1
                left = left - bids if bids > few else 0

    # ---- with the root

    def core(self, report: Any) -> RootCore | WholeCore:
        """For the root."""
        if self._unsent is None:
            return RootCore(self.shape, self.largest, report)
        return WholeCore(self._fine_col_dual, report)

    def first_entries(self) -> Lists:
        """Those of the lists that are not withheld."""
        if self._unsent is None:
            return self.lists
        return self.lists.part(~self._unsent)

    def send(self, more: Lists, root: RootCore | WholeCore | None) -> int:
        """The root adds the entries of all ranks to its core; how many they are."""
        parts = [self.ranks.gatherv(part) for part in (np.diff(more.start), more.col, more.cost)]
        if root:
            root.add(*(self.rows.joined(part) for part in parts))
        return self.ranks.total(len(more.col))

    def solve_core(self, root: RootCore | WholeCore | None) -> CoreSolved | Refusal:
        """The root solves its core; if it has an answer, all ranks get the duals."""
        found: CoreSolved | Refusal = self.ranks.bcast_object(
            root.solve(self.initial_col_dual) if root else None
        )
        if isinstance(found, CoreSolved):
            self.initial_col_dual = self.col_dual = self.ranks.bcast(root.col_dual if root else self.col_dual)
            self.row_dual = scattered(self.ranks, self.rows, root.row_dual if root else None, self.dual_type)
        return found

    def undercutting(self) -> Lists | None:
        """Entries of this rank that cost less than the sum of their duals; None if no rank has any."""
        if self._unsent is not None:
            row = np.repeat(np.arange(len(self.row_dual)), np.diff(self.lists.start))
            undercuts = self.lists.cost < self.row_dual[row] + self.col_dual[self.lists.col]
            if withheld := self._released(undercuts):
                return withheld
        found = self.costs.undercutting(self.row_dual, self.col_dual, ADDED)
        return found if self.ranks.total(len(found.col)) else None

    def _released(self, chosen: np.ndarray | bool) -> Lists | None:
        """Of the entries withheld those that are chosen; None if no rank has any."""
        assert self._unsent is not None
        found = self.lists.part(self._unsent & chosen)
        self._unsent &= ~np.asarray(chosen)
        return found if self.ranks.total(len(found.col)) else None

    def leaving(self, violator: InfeasibleError) -> Lists | None:
        """Entries of this rank that leave a Hall violator of the core; None if no rank has any.

        Those withheld first, and then more each time: where all rows want the same columns, few lead nowhere.
        """
        if self._unsent is not None and (withheld := self._released(True)):
            return withheld
        in_rows, in_cols = np.zeros(self.shape[0], bool), np.zeros(self.shape[1], bool)
        in_rows[violator.rows], in_cols[violator.cols] = True, True
        by_rows = len(violator.rows) > len(violator.cols)
        if by_rows:  # its rows with other columns
            rows, cols = in_rows[self.rows.here], ~in_cols
        else:  # its columns with other rows
            rows, cols = ~in_rows[self.rows.here], in_cols
        entries = self.costs.cheapest(np.flatnonzero(rows), np.flatnonzero(cols), self._most_outside, by_rows)
        found = no_lists(len(self.row_dual), self.lists.cost.dtype).joined(*entries)
        self._most_outside *= 2
        return found if self.ranks.total(len(found.col)) else None


class RootCore:
    """The core of all ranks."""

    def __init__(self, shape: tuple[int, int], largest: float, report: Any):
        self.shape = shape
        self.how = How(JV, {}, False, largest, report=report)
        self.costs: SparseCosts | None = None
        self.col_of_row = np.full(shape[0], -1, np.int64)
        self.row_dual: Any = None  # these two from the first answer on
        self.col_dual: Any = None

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

    def solve(self, col_dual: np.ndarray | None) -> CoreSolved | Refusal:
        """From these column duals, or the row duals of the last solve where columns are the shorter side."""
        assert self.costs is not None
        found = solve_sparse(self.costs, self.how, (self.row_dual, col_dual))
        if isinstance(found, Refusal):
            return found
        self.col_of_row[:] = -1
        self.col_of_row[found.row_ind] = found.col_ind
        self.row_dual, self.col_dual = found.row_dual, found.col_dual
        return CoreSolved(found.cost, found.gap, found.stats)


class WholeCore:
    """The core of a square of integers: what is assigned stays from one solve to the next.

    Costs are counted in parts of one, so that the prices of an auction need not be rounded so far that rows
    lose their columns. Of an optimal pair of such duals, the row's rounded up and the column's rounded down
    are optimal, too: their sum is below cost + 1.
    """

    def __init__(self, col_dual: np.ndarray, report: Any):
        size = len(col_dual)
        self.native, self.report = _native.SharedCore(size), report
        self.initial: Any = col_dual  # to solve the core from, in parts of one
        self.col_of_row, self.row_dual, self.col_dual = (np.full(size, -1, np.int64) for _ in range(3))

    def add(self, count: np.ndarray, col: np.ndarray, cost: np.ndarray) -> None:
        """Entries join, so many of each row; none is there already."""
        self.native.add(count, col, FINE * cost.astype(np.int64))

    def solve(self, _: Any) -> CoreSolved | Refusal:
        """From the column duals of the auction, or from the last answer."""
        row_dual, col_dual = np.empty_like(self.row_dual), np.empty_like(self.initial)
        cost, cols, stats = self.native.solve(self.initial, self.col_of_row, row_dual, col_dual, self.report)
        if cols is not None:
            return infeasible(np.flatnonzero(cost), np.flatnonzero(cols))
        self.initial = col_dual
        self.row_dual, self.col_dual = -(-row_dual // FINE), col_dual // FINE
        return CoreSolved(cost // FINE, 0, stats)
