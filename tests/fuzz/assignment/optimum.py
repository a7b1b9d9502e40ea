"""The exact optimum of an assignment problem: shortest augmenting paths in integers.

Written from the textbook alone (H. W. Kuhn 1955; the form with potentials of the columns is that of
R. Jonker and A. Volgenant 1987). Integers are Python's, or int64 where no sum can leave it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations

import numpy as np

from ..exact import as_integers, fits_int64, power


@dataclass(frozen=True)
class Optimum:
    """The cheapest of the largest assignments. ``cost`` counts the units of the integers that were given."""

    size: int
    cost: int
    row_ind: list[int]
    col_ind: list[int]


def optimum(costs: np.ndarray, allowed: np.ndarray) -> Optimum:
    """Solve integers, Python's or int64, of which only some pairs are allowed.

    A forbidden pair costs more than all others can save, so that as few of them as possible are chosen.
    """
    if costs.shape[0] > costs.shape[1]:
        turned = optimum(costs.T, allowed.T)
        return Optimum(turned.size, turned.cost, turned.col_ind, turned.row_ind)
    forbidden, unreached = _beyond(costs, allowed)
    kind = np.int64 if fits_int64(unreached) else object
    filled = np.where(allowed, costs, 0).astype(kind)
    filled[~allowed] = forbidden
    cols = _full_assignment(filled, unreached)
    pairs = [(i, int(j)) for i, j in enumerate(cols) if allowed[i, j]]
    rows, cols = [i for i, _ in pairs], [j for _, j in pairs]
    return Optimum(len(pairs), sum(int(costs[i, j]) for i, j in pairs), rows, cols)


def optimal_cost(C: np.ndarray, maximize: bool = False) -> Fraction:
    """The least or largest cost of a full assignment of finite costs."""
    (units,), exponent = as_integers(C)
    sign = -1 if maximize else 1
    return sign * optimum(sign * units, np.ones(units.shape, bool)).cost * power(exponent)


def in_machine_words(costs: np.ndarray, allowed: np.ndarray) -> bool:
    """Whether the optimum is found in int64, at some hundred times the speed."""
    return fits_int64(_beyond(costs, allowed)[1])


def _beyond(costs: np.ndarray, allowed: np.ndarray) -> tuple[int, int]:
    """What a forbidden pair costs, and a distance that no path has."""
    n = min(costs.shape)
    largest = int(abs(costs[allowed]).max(initial=0))
    forbidden = 2 * (n + 1) * largest + 1
    return forbidden, 8 * (n + 2) * forbidden


def _full_assignment(costs: np.ndarray, unreached: int) -> np.ndarray:
    """The column of each row; there are no more rows than columns."""
    n, m = costs.shape
    row_of_col = np.full(m, -1)
    row_price, col_price = np.zeros(n, costs.dtype), np.zeros(m, costs.dtype)
    for root in range(n):
        distance = np.full(m, unreached, costs.dtype)
        before = np.full(m, -1)
        done = np.zeros(m, bool)
        i, last, bound = root, -1, 0
        tree: list[int] = []
        while True:
            # No column that is done comes nearer: all slacks but the root's are at least 0.
            slack = costs[i] - col_price
            slack += bound - row_price[i]
            nearer = slack < distance
            np.copyto(distance, slack, where=nearer)
            before[nearer] = last
            last = int(np.where(done, unreached, distance).argmin())
            bound = distance[last]
            done[last] = True
            if row_of_col[last] < 0:
                break
            tree.append(last)
            i = int(row_of_col[last])
        row_price[root] += bound
        for j in tree:
            row_price[row_of_col[j]] += bound - distance[j]
            col_price[j] -= bound - distance[j]
        while last >= 0:
            earlier = int(before[last])
            row_of_col[last] = root if earlier < 0 else row_of_col[earlier]
            last = earlier
    cols = np.empty(n, np.int64)
    cols[row_of_col[row_of_col >= 0]] = np.flatnonzero(row_of_col >= 0)
    return cols


def optimum_by_trial(costs: np.ndarray, allowed: np.ndarray) -> tuple[int, int]:
    """Size and cost of the cheapest of the largest assignments, by trying all: it judges the judge."""
    if costs.shape[0] > costs.shape[1]:
        return optimum_by_trial(costs.T, allowed.T)
    n, m = costs.shape
    for size in range(n, 0, -1):
        found = [
            sum(int(costs[pair]) for pair in zip(rows, cols, strict=True))
            for rows in combinations(range(n), size)
            for cols in permutations(range(m), size)
            if all(allowed[pair] for pair in zip(rows, cols, strict=True))
        ]
        if found:
            return size, min(found)
    return 0, 0
