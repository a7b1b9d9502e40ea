"""The k cheapest assignments: ours against Murty's ranking over SciPy's solver, as users write it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

import konig
from konig.errors import CertificateError
from konig.lab.bench.contenders import Peer
from konig.lab.bench.relative import Relative, shape_of
from konig.lab.wild.drawing import Chance

Array = np.ndarray[Any, Any]
Pairs = tuple[Array, Array]


@dataclass(frozen=True)
class Ranking:
    costs: Array
    k: int

    def value(self, found: list[Pairs]) -> float:
        """The sum of all costs of assignments, which must be different ones in order."""
        each = [math.fsum(self.costs[pairs].tolist()) for pairs in found]
        if len({tuple(columns.tolist()) for _, columns in found}) != len(found):
            raise CertificateError("an assignment occurs twice")
        if any(after < before - 1e-9 * abs(before) for before, after in pairwise(each)):
            raise CertificateError("an assignment is cheaper than the one before it")
        return math.fsum(each)


Answer = tuple[konig.KBestAssignments, list[konig.RankedAssignment]]


def _solve(data: Ranking) -> Answer:
    ranking = konig.k_best_assignments(data.costs, data.k)
    return ranking, list(ranking)


def _verify(data: Ranking, answer: Answer) -> float:
    ranking, found = answer
    ranking.verify(data.costs)
    return data.value([(each.row_ind, each.col_ind) for each in found])


def murty(costs: Array, k: int) -> list[Pairs]:
    """Murty (1968): the rest of a cell is split by forcing some pairs and forbidding the next."""
    first = linear_sum_assignment(costs)
    queue: list[tuple[float, int, Pairs, int, Array]] = [(costs[first].sum(), 0, first, 0, costs)]
    found: list[Pairs] = []
    number = 0
    while queue and len(found) < k:
        _, _, (rows, columns), forced, allowed = heappop(queue)
        found.append((rows, columns))
        for place in range(forced, len(rows)):
            cell = allowed.copy()
            cell[rows[place], columns[place]] = np.inf
            for row, column in zip(rows[forced:place], columns[forced:place], strict=True):
                kept = cell[row, column]
                cell[row, :] = cell[:, column] = np.inf
                cell[row, column] = kept
            try:
                best = linear_sum_assignment(cell)
            except ValueError:  # the cell is empty
                continue
            number += 1
            heappush(queue, (cell[best].sum(), number, best, place, cell))
    return found


def _murty_over_scipy(data: Ranking) -> Any:
    costs = np.asarray(data.costs, dtype=np.float64)
    return (lambda: murty(costs, data.k)), (lambda found: found)


RELATIVE = Relative(
    "k-best",
    "the k cheapest assignments, in order",
    sizes=(20, 50, 100, 300),
    solve=_solve,
    verify=_verify,
    peers={"murty over scipy": Peer("scipy.optimize", _murty_over_scipy)},
    check=lambda data, found: data.value(found),
    extent=lambda data: shape_of(data.costs),
)


def _ranking(costs: Array, c: Chance) -> Ranking:
    return Ranking(costs, c.pick("k", 100, 1000) if min(costs.shape) <= 100 else 100)


@RELATIVE
def uniform(rows: int, c: Chance) -> Ranking:
    """Reals between 0 and 1."""
    return _ranking(c.draws().uniform(rows * rows).reshape(rows, rows), c)


@RELATIVE
def euclidean(rows: int, c: Chance) -> Ranking:
    """Distances of points in the plane, of which some are close to each other."""
    here, moved = c.draws().uniform(4 * rows).reshape(2, rows, 2)
    there = here + c.log("noise", 0.01, 1.0) * (moved - 0.5)
    return _ranking(np.hypot(*(here[:, None] - there[None]).transpose(2, 0, 1)), c)


@RELATIVE
def ties(rows: int, c: Chance) -> Ranking:
    """Small integers: many assignments cost the same."""
    return _ranking(c.draws().integers(c.whole("costs", 2, 100), rows * rows).reshape(rows, rows), c)


@RELATIVE
def long_rows(rows: int, c: Chance) -> Ranking:
    """Twice as many columns as rows."""
    return _ranking(c.draws().uniform(2 * rows * rows).reshape(rows, 2 * rows), c)


@RELATIVE
def tracks(rows: int, c: Chance) -> Ranking:
    """Tracks against detections inside gates, or each against its own column for "missed"."""
    here, there = c.draws().uniform(4 * rows).reshape(2, rows, 2)
    distance = rows * ((here[:, None] - there[None]) ** 2).sum(axis=2)
    gate = c.real("gate", 1.0, 4.0)
    missed = np.full((rows, rows), np.inf)
    np.fill_diagonal(missed, gate)
    return _ranking(np.hstack([np.where(distance < gate, distance, np.inf), missed]), c)
