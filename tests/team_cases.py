"""What the tests of the parallel methods share, on CPU teams and on a GPU."""

import numpy as np
import pytest
import scipy.sparse as sp

TEAMS = [
    {"threads": 1},
    {"threads": 2},
    {"threads": 4},
    {"_team": "shuffled", "seed": 1},
    {"_team": "shuffled", "seed": 2},
    {"_team": "shuffled", "seed": 3},
]

# Four threads on two cores wait for each other most of the time: heavy tests leave them to `make test-long`.
CALM_TEAMS = [
    pytest.param(team, marks=pytest.mark.long) if team.get("threads") == 4 else team for team in TEAMS
]


def chain(n):
    """A path of 2n vertices, and the matching of size n - 1 that leaves its two ends unmatched."""
    rows = np.repeat(np.arange(n), 2)[:-1]
    cols = np.r_[np.stack([np.arange(n - 1), np.arange(1, n)], axis=1).ravel(), n - 1]
    initial = np.arange(1, n + 1)
    initial[-1] = -1
    return sp.coo_array((np.ones(len(rows)), (rows, cols)), shape=(n, n)).tocsc(), initial


def chains(longest):
    """A chain of each length, and their matchings: a search finds one path of each length."""
    parts, initials, offset = [], [], 0
    for n in range(1, longest + 1):
        A, initial = chain(n)
        parts.append(A)
        initials.append(np.where(initial < 0, -1, initial + offset))
        offset += n
    return sp.block_diag(parts, format="csc"), np.concatenate(initials)


def of_every_index_type(A):
    """The same matrix with ids and offsets of all types that there are solvers for; the type of its ids."""
    for ids, offsets in ((np.int32, np.int32), (np.int32, np.int64), (np.int64, np.int64)):
        B = A.copy()
        B.indices, B.indptr = A.indices.astype(ids), A.indptr.astype(offsets)
        yield B, ids


def crowded(n, seed):
    """Many short augmenting paths that meet: the walks of ALTERNATE run into each other."""
    rng = np.random.default_rng(seed)
    rows = np.r_[np.arange(n), rng.integers(0, n // 8, 3 * n), rng.integers(0, n, n)]
    cols = np.r_[rng.permutation(n), rng.integers(0, n, 3 * n), rng.integers(0, n // 8, n)]
    return sp.coo_array((np.ones(len(rows)), (rows, cols)), shape=(n, n)).tocsc()


def instances():
    rng = np.random.default_rng(7)
    yield "empty", sp.csr_array((0, 0))
    yield "no rows", sp.csr_array((0, 5))
    yield "no columns", sp.csr_array((5, 0))
    yield "no entries", sp.csr_array((4, 6))
    yield "row star", sp.csr_array(np.ones((1, 9)))
    yield "column star", sp.csr_array(np.ones((9, 1)))
    yield "complete", sp.csr_array(np.ones((12, 17)))
    yield "chain", chain(70)[0]
    yield "permuted chain", chain(70)[0][rng.permutation(70)][:, rng.permutation(70)]
    yield "crowded", crowded(200, 3)
    hall = np.zeros((20, 20))
    hall[:4, :9] = hall[4:, 8:] = 1
    yield "Hall violator", sp.csr_array(hall)
    duplicates = ([0, 0, 0, 1, 1, 2, 2], [1, 1, 1, 1, 0, 0, 0])
    yield "duplicates", sp.coo_array((np.ones(7), duplicates), shape=(3, 3))
    for k in range(12):
        shape = tuple(int(extent) for extent in rng.integers(1, 90, 2))
        density = rng.uniform(0.5, 4) / max(shape)
        yield f"random {k}", sp.random_array(shape, density=density, rng=rng, format="csr")


INSTANCES = list(instances())

INTERRUPTED = """
import sys, time
import numpy as np, scipy.sparse as sp, konig
n = 200_000
rows = np.repeat(np.arange(n), 2)[:-1]
cols = np.r_[np.stack([np.arange(n - 1), np.arange(1, n)], axis=1).ravel(), n - 1]
A = sp.coo_array((np.ones(len(rows)), (rows, cols)), shape=(n, n)).tocsc()
initial = np.arange(1, n + 1)
initial[-1] = -1
print("ready", flush=True)
try:
    konig.maximum_matching(A, method="{method}", init="none", initial=initial, **{options})
except KeyboardInterrupt:
    print(time.monotonic(), flush=True)
    m = konig.maximum_matching(np.eye(50), method="{method}", threads=4)
    m.verify(np.eye(50))
    print("usable", flush=True)
"""
