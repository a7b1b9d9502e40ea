"""Cost matrices that assignment solvers get wrong, and random ones."""

import numpy as np

DTYPES = (np.int32, np.int64, np.float32, np.float64)


def machol_wien(n):
    i = np.arange(1, n + 1)
    return i[:, None] * i[None, :]


def chain(n, cost):
    """One full assignment, the diagonal; the duals along it are as large as duals get."""
    C = np.full((n, n), np.inf)
    C[np.arange(n), np.arange(n)] = cost
    C[np.arange(n - 1), np.arange(1, n)] = -cost
    return C


def ragged(shape, dtype, seed):
    """A batch, and the rows and columns of each problem; real costs beyond them are none that may be."""
    rng = np.random.default_rng(seed)
    C = rng.integers(0, 100, shape).astype(dtype)
    rows, cols = (rng.integers(0, extent + 1, shape[0]) for extent in shape[1:])
    if C.dtype.kind == "f":
        for costs, row_count, col_count in zip(C, rows, cols, strict=True):
            costs[row_count:] = np.nan
            costs[:, col_count:] = -np.inf
    return C, rows, cols


def awkward_costs():
    """Named matrices of float64 or int64, with a full assignment each."""
    rng = np.random.default_rng(0)
    small = rng.random((40, 40))
    yield "no rows", np.zeros((0, 5))
    yield "no columns", np.zeros((5, 0))
    yield "one", np.array([[7.5]])
    yield "zeros", np.zeros((30, 30))
    yield "zeros, wide", np.zeros((7, 30))
    yield "ties", rng.integers(0, 3, (60, 60)).astype(float)
    yield "two costs", np.where(rng.random((50, 50)) < 0.1, 1.0, 1000.0)
    yield "huge offset", 1e15 + np.round(small * 100)
    yield "huge offset, real", 1e15 + small
    yield "near the largest", 1.7e308 * (small - 0.5)
    yield "denormal", 5e-324 * rng.integers(0, 1000, (30, 30))
    yield "mixed magnitudes", 10.0 ** rng.integers(-300, 300, (30, 30))
    yield "mixed signs and magnitudes", np.sign(small - 0.5) * 10.0 ** rng.integers(-12, 12, (40, 40))
    yield "chain", chain(50, 1.0)
    yield "chain of thirds", chain(64, 1 / 3)
    yield "Machol-Wien", machol_wien(70).astype(float)
    yield "rank one", np.outer(rng.random(40), rng.random(40))
    yield "Euclidean", np.linalg.norm(rng.random((60, 1, 2)) - rng.random((1, 60, 2)), axis=2)
    yield "gated", np.where(np.eye(40, dtype=bool) | (small < 0.1), small, np.inf)
    yield "tall", rng.random((90, 20))
    yield "wide", rng.random((20, 90))
    yield "tall integers", rng.integers(-9, 9, (70, 30))
    yield "wide integers", rng.integers(-9, 9, (30, 70))
    yield "near 2**62", 2**62 - rng.integers(0, 1000, (20, 20))
    yield "both ends of 62 bits", rng.integers(-(2**62), 2**62, (20, 20))
    yield "near 2**60", 2**60 + rng.integers(0, 1000, (25, 40))
