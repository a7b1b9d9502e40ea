"""Pairs and duals to start a rectangle from: those of the square of its cheapest columns.

Where rows rank the columns alike, they compete for the same few, and on a rectangle no dual may say so before
the column is assigned: phases lower the duals of the cheap columns little by little. Most columns that will
be assigned are known beforehand, though: those that cost the rows little above the least of each, in the mean
if rows rank columns alike, otherwise some row. The square of the cheapest columns, as many as there are rows,
is solved as any square, scales and other starts included. All of its columns are assigned and may keep their
duals, less the largest; columns left out have dual 0. What is not optimal yet is found by the phases of the
rectangle.

Gains of one worker on 60,000 to 400,000 costs: prices with noise 1.5 to 15 x, products and Monge costs 3 to
19 x, low rank 0.64 to 2 x, clustered points 0.73 x.
"""

from __future__ import annotations

import numpy as np

from konig.assignment.lines import Lines


def cheapest_columns(costs: Lines, alike: bool) -> np.ndarray:
    """As many columns of a rectangle as it has rows, in order; ``alike``: rows rank the columns alike."""
    rows, cols = costs.shape
    with np.errstate(over="ignore", invalid="ignore"):  # columns beyond float64 come last, in any order
        if alike:  # the least of each row adds the same to all columns
            dearness = costs.col_sums(np.ones(rows))
        else:
            dearness = costs.col_minima(costs.row_minima(np.zeros(cols, costs.exact)))
    return np.sort(np.argsort(dearness, kind="stable")[:rows])
