"""The least (or largest) cost of a full assignment in rational numbers, by an algorithm of its own."""

from fractions import Fraction

import numpy as np


def exact_optimum(C, maximize=False):
    """Shortest augmenting paths from zero duals on Python's integers; every pair must be allowed."""
    C = np.asarray(C, np.float64)
    if C.shape[0] > C.shape[1]:
        C = C.T
    unit = 1 << 1074  # every float64 is a multiple of its inverse
    costs = []
    for row in (-C if maximize else C).tolist():
        whole = []
        for cost in row:
            numerator, denominator = cost.as_integer_ratio()
            whole.append(numerator * (unit // denominator))
        costs.append(whole)
    rows, cols = C.shape
    row_dual, col_dual, row_of = [0] * rows, [0] * (cols + 1), [-1] * (cols + 1)
    for root in range(rows):
        row_of[cols] = root
        here, least, before, done = cols, [None] * cols, [cols] * cols, [False] * (cols + 1)
        while row_of[here] != -1:
            done[here] = True
            i, best, nearest = row_of[here], None, -1
            for j in range(cols):
                if done[j]:
                    continue
                slack = costs[i][j] - row_dual[i] - col_dual[j]
                if least[j] is None or slack < least[j]:
                    least[j], before[j] = slack, here
                if best is None or least[j] < best:
                    best, nearest = least[j], j
            for j in range(cols + 1):
                if done[j]:
                    row_dual[row_of[j]] += best
                    col_dual[j] -= best
                elif j < cols:
                    least[j] -= best
            here = nearest
        while here != cols:
            row_of[here] = row_of[before[here]]
            here = before[here]
    total = sum(costs[row_of[j]][j] for j in range(cols) if row_of[j] != -1)
    return Fraction(-total if maximize else total, unit)
