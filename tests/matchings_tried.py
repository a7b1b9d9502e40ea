"""Every matching of a small matrix, tried one by one in exact arithmetic."""

from __future__ import annotations

from fractions import Fraction

import numpy as np


def exact(number):
    """A NumPy or Python number as a fraction."""
    return Fraction(number.item() if isinstance(number, np.generic) else number)


def matchings(C, forbidden=np.inf):
    """All sets of allowed entries, no two in a row or column."""

    def extended(i, used):
        if i == C.shape[0]:
            yield ()
            return
        yield from extended(i + 1, used)
        for j in range(C.shape[1]):
            if j not in used and C[i, j] != forbidden:
                for rest in extended(i + 1, used | {j}):
                    yield ((i, j), *rest)

    yield from extended(0, frozenset())


def cost_of(C, row_alone, col_alone, pairs):
    """What pairs cost with all rows and columns that they leave alone."""
    rows, cols = {i for i, _ in pairs}, {j for _, j in pairs}
    total = sum((exact(C[pair]) for pair in pairs), Fraction(0))
    total += sum(exact(cost) for i, cost in enumerate(row_alone) if i not in rows)
    return total + sum(exact(cost) for j, cost in enumerate(col_alone) if j not in cols)


def best_cost(C, row_alone, col_alone, maximize):
    forbidden = -np.inf if maximize else np.inf
    every = (cost_of(C, row_alone, col_alone, pairs) for pairs in matchings(C, forbidden))
    return max(every) if maximize else min(every)


def heaviest(W):
    """The largest weight of each number of pairs."""
    best = {}
    for pairs in matchings(W, -np.inf):
        weight = sum((exact(W[pair]) for pair in pairs), Fraction(0))
        best[len(pairs)] = max(best.get(len(pairs), weight), weight)
    return best


KINDS = ("integers", "huge", "reals", "ties", "hostile", "narrow", "largest", "absorbed")


def numbers(rng, kind, shape=()):
    """Numbers of a kind: small integers, huge ones, reals, ties but for an ulp, reals of many sizes.

    Of "absorbed" ones the sum with a large one is the large one.
    """
    if kind == "integers":
        return rng.integers(-9, 10, shape)
    if kind == "huge":
        return rng.integers(-(2**61), 2**61, shape)
    if kind == "ties":
        return rng.integers(1, 4, shape) * (1 + rng.integers(-2, 3, shape) * 2.0**-52)
    if kind == "hostile":
        return rng.normal(size=shape) * 10.0 ** rng.choice([-3, 0, 9, 15], shape)
    if kind == "absorbed":
        return rng.choice([0.25, 0.5, 0.75, 1.0, 2.0, 3.0, 1e17, -1e17, 1e20], shape)
    if kind == "narrow":
        return np.asarray(rng.normal(size=shape)).astype(np.float32)
    return rng.normal(size=shape) * (1e307 if kind == "largest" else 1.0)
