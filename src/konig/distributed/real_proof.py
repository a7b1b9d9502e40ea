"""Proofs of real costs that are spread over ranks.

The root runs the native proof (``native/assignment/exact/core.h``), which reads costs through three
questions; all ranks answer each of them about their rows. So the matrix stays where it is, and the few pairs
that may still matter are solved exactly on the root.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from konig import _native
from konig.distributed.local import LocalCosts
from konig.distributed.ranks import Ranks
from konig.distributed.split import Split
from konig.interop.arrays import to_numpy

END, COSTS, LOWEST, PAIRS = range(4)


class Proved(NamedTuple):
    """An optimal assignment of all rows, its duals, and a proven bound on what the duals leave open.

    As if costs, negated to maximise, were minimised; the same on all ranks.
    """

    col_of_row: np.ndarray
    row_dual: np.ndarray
    col_dual: np.ndarray
    gap: float
    exact_solves: int


def prove(
    ranks: Ranks,
    split: Split,
    given: LocalCosts,
    threads: int,
    col_of_row: np.ndarray,
    col_dual: np.ndarray,
) -> Proved:
    """From an assignment and column duals that are nearly right, as ``_native.prove_assignment``.

    ``split`` are the given costs split by rows, of which there are no more than columns.
    """
    pairs: Any = col_of_row.astype(np.int32)
    duals: Any = col_dual.astype(np.float64)
    row_dual: Any = np.empty(len(pairs))
    found = np.zeros(2)
    reader = _reader(split.block, given, threads)
    costs = SpreadCosts(ranks, split, reader, len(pairs), len(duals))
    if ranks.rank == 0:
        asked = costs.find_costs, costs.find_lowest, costs.find_pairs
        found[:] = _native.prove_assignment_by(pairs, row_dual, duals, *asked)
        costs.ask(END)
    else:
        costs.answer()
    pairs, row_dual, duals, found = (ranks.bcast(part) for part in (pairs, row_dual, duals, found))
    return Proved(pairs, row_dual, duals, float(found[0]), int(found[1]))


class SpreadCosts:
    """The questions of a proof: asked by the root, while the other ranks are in `answer`."""

    def __init__(self, ranks: Ranks, split: Split, reader: Any, rows: int, cols: int):
        self.ranks, self.held, self.reader = ranks, split.held, reader
        self.rows, self.cols = rows, cols

    def ask(self, question: int, rows: int = 0) -> None:
        """Tells the other ranks what comes, and about how many rows."""
        self.ranks.bcast(np.array([question, rows]))

    def answer(self) -> None:
        """Answers what the root asks, until it has its proof."""
        while True:
            question, rows = (int(number) for number in self.ranks.bcast(np.zeros(2, np.int64)))
            if question == END:
                return
            if question == COSTS:
                self._costs(np.empty(self.rows, np.int32))
            elif question == LOWEST:
                self._lowest(np.empty(self.cols))
            else:
                self._pairs(
                    np.empty(rows, np.int32), np.empty(self.cols), np.empty(rows), np.zeros(1, np.int64)
                )

    def find_costs(self, col_of_row: np.ndarray, cost: np.ndarray) -> None:
        """The cost of one pair in each row."""
        self.ask(COSTS)
        cost[:] = self.held.joined(self._costs(col_of_row))

    def find_lowest(self, col_dual: np.ndarray, lowest: np.ndarray) -> None:
        """The smallest cost - dual of each row, rounded down."""
        self.ask(LOWEST)
        lowest[:] = self.held.joined(self._lowest(col_dual))

    def find_pairs(
        self, rows: np.ndarray, col_dual: np.ndarray, bound: np.ndarray, most: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
        """Where the pairs of these rows with cost - dual at most their bound begin, their columns, costs.

        None if some rank has more than ``most``, of which 0 is no limit.
        """
        self.ask(PAIRS, len(rows))
        parts = self._pairs(rows, col_dual, bound, np.array([most]))
        if parts is None:
            return None
        place, count, col, cost = map(np.concatenate, parts)
        # The answers come rank after rank.
        order = np.argsort(place)
        first = (np.cumsum(count) - count)[order]
        start = np.concatenate([[0], np.cumsum(count[order])])
        at = np.arange(start[-1]) + np.repeat(first - start[:-1], count[order])
        return start, col[at], cost[at]

    # What every rank does; only the root receives something.

    def _costs(self, col_of_row: np.ndarray) -> list[np.ndarray]:
        cols = self.ranks.bcast(col_of_row)[self.held.here]
        cost = np.empty(len(cols))
        self.reader.find_costs(cols, cost)
        return self.ranks.gatherv(cost)

    def _lowest(self, col_dual: np.ndarray) -> list[np.ndarray]:
        duals = self.ranks.bcast(col_dual)
        lowest = np.empty(self.held.count[self.ranks.rank])
        self.reader.find_lowest(duals, lowest)
        return self.ranks.gatherv(lowest)

    def _pairs(
        self, rows: np.ndarray, col_dual: np.ndarray, bound: np.ndarray, most: np.ndarray
    ) -> list[list[np.ndarray]] | None:
        asked, duals, bounds, most = (self.ranks.bcast(part) for part in (rows, col_dual, bound, most))
        local = np.full(self.rows, -1, np.int32)
        local[self.held.here] = np.arange(self.held.count[self.ranks.rank])
        place = np.flatnonzero(local[asked] >= 0)
        found = self.reader.find_pairs(local[asked[place]], duals, bounds[place], int(most[0]))
        if self.ranks.total(int(found is None)):
            return None
        start, col, cost = found
        return [self.ranks.gatherv(part) for part in (place, np.diff(start), col, cost)]


class HostReader:
    """What a rank answers about a block in host memory; as ``_native.CostsThere`` on a GPU."""

    def __init__(self, block: Any, maximize: bool, threads: int):
        self.block, self.maximize, self.threads = block, maximize, threads

    def find_costs(self, col_of_row: np.ndarray, cost: np.ndarray) -> None:
        """The cost of one pair in each row."""
        cost[:] = self.block[np.arange(len(col_of_row)), col_of_row]
        if self.maximize:
            np.negative(cost, out=cost)

    def find_lowest(self, col_dual: Any, lowest: Any) -> None:
        """The smallest cost - dual of each row, rounded down."""
        _native.lowest_below(self.block, self.maximize, self.threads, col_dual, lowest)

    def find_pairs(self, rows: Any, col_dual: Any, bound: Any, most: int) -> Any:
        """Where the pairs of these rows with cost - dual at most their bound begin, their columns, costs.

        None if there are more than ``most``, of which 0 is no limit.
        """
        return _native.pairs_within(self.block, self.maximize, rows, col_dual, bound, most)


def _reader(block: Any, given: LocalCosts, threads: int) -> Any:
    if given.library is np or len(block) == 0:  # a GPU runs no block of threads for no row
        return HostReader(to_numpy(block), given.maximize, threads)
    from konig.assignment.gpu import real_costs_there

    return real_costs_there(given.xp, block, given.maximize)
