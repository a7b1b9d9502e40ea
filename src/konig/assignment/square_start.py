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

from typing import Any

import numpy as np

from konig.assignment.sorted_start import blocks


def cheapest_columns(xp: Any, C: Any, maximize: bool, alike: bool) -> Any:
    """As many columns of a rectangle as it has rows, in order; ``alike``: rows rank the columns alike."""
    sign = -1 if maximize else 1
    exact = np.int64 if C.dtype.kind == "i" else np.float64
    dearness: Any = 0.0 if alike else np.inf
    for block in blocks(C):
        block = sign * block.astype(exact)
        with np.errstate(over="ignore"):  # columns beyond float64 come last, in any order
            above = block - block.min(axis=1)[:, None]
            if alike:
                dearness = dearness + above.sum(axis=0, dtype=np.float64)
            else:
                dearness = xp.minimum(dearness, above.min(axis=0))
    return xp.sort(xp.argsort(dearness)[: len(C)])
