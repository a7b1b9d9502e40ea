"""What the tests of the parallel methods share, on CPU teams and on a GPU."""

import pytest

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
