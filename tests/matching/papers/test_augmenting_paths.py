"""What every sequential augmenting-path method must get right, whatever its way of searching."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest
import scipy.sparse as sp
from cases.matrices import awkward_matrices, path
from patience import quickest
from scipy.sparse.csgraph import maximum_bipartite_matching, structural_rank

import konig

METHODS = ("hk", "hkdw", "pf", "pfp", "dfs", "bfs")
INITS = ("none", "sgm", "ksm")


def variants() -> Iterator[tuple[str, dict[str, bool]]]:
    """Every method, with lookahead on and off where it has that knob."""
    for name in METHODS:
        knobs = [knob.name for m in konig.methods("matching") if m.name == name for knob in m.options]
        yield name, {}
        if "lookahead" in knobs:
            yield name, {"lookahead": False}


every_variant = pytest.mark.parametrize(
    ("method", "knobs"), list(variants()), ids=lambda v: v if isinstance(v, str) else "-".join(v)
)
every_method = pytest.mark.parametrize("method", METHODS)


def pattern(rows: int, cols: int, entries: int, rng: np.random.Generator) -> sp.csr_array:
    at = (rng.integers(0, rows, entries), rng.integers(0, cols, entries)) if rows and cols else ([], [])
    return sp.csr_array((np.ones(len(at[0])), at), shape=(rows, cols))


def permuted(A: sp.csr_array, rng: np.random.Generator) -> sp.csr_array:
    return A.tocsr()[rng.permutation(A.shape[0])][:, rng.permutation(A.shape[1])]


@every_variant
@pytest.mark.parametrize("init", INITS)
def test_awkward_matrices_are_solved_and_proved(method, knobs, init):
    for name, A in awkward_matrices().items():
        matching = konig.maximum_matching(A, method=method, init=init, **knobs)
        matching.verify(A)
        assert matching.size == structural_rank(sp.csr_array(A)), name


@every_variant
@pytest.mark.parametrize("init", INITS)
def test_random_instances_are_solved_and_proved(method, knobs, init):
    rng = np.random.default_rng(11)
    for _ in range(120):
        rows, cols = rng.integers(1, 25, 2)
        A = pattern(rows, cols, int(rng.integers(0, 60)), rng)
        matching = konig.maximum_matching(A, method=method, init=init, **knobs)
        matching.verify(A)
        assert matching.size == np.count_nonzero(maximum_bipartite_matching(A) >= 0)


@every_variant
def test_duplicate_entries_count_once(method, knobs):
    rng = np.random.default_rng(3)
    for init in INITS:
        for _ in range(30):
            rows, cols = np.repeat(rng.integers(0, 12, 20), 3), np.repeat(rng.integers(0, 12, 20), 3)
            pairs = (rows, cols)
            matching = konig.maximum_matching(pairs, shape=(12, 12), method=method, init=init, **knobs)
            matching.verify(pairs)
            once = sp.csr_array((np.ones(60), pairs), shape=(12, 12))
            assert matching.size == konig.maximum_matching(once).size


@every_variant
def test_a_path_through_a_hundred_thousand_columns(method, knobs):
    A, initial = path(100_000)
    matching = konig.maximum_matching(A, method=method, init="none", initial=initial, **knobs)
    matching.verify(A)
    assert matching.size == 100_000
    assert matching.stats["paths"] == 1
    assert matching.stats["augmentations"] == 99_999
    assert matching.stats["longest_path"] == 199_999


@every_method
@pytest.mark.parametrize(
    ("ids", "offsets"), [(np.int32, np.int32), (np.int32, np.int64), (np.int64, np.int64)]
)
def test_index_types(method, ids, offsets):
    A = pattern(300, 280, 700, np.random.default_rng(2))
    A.indices, A.indptr = A.indices.astype(ids), A.indptr.astype(offsets)
    matching = konig.maximum_matching(A, method=method)
    matching.verify(A)
    assert matching.col_of_row.dtype == ids
    assert matching.size == np.count_nonzero(maximum_bipartite_matching(A) >= 0)


@every_variant
def test_a_warm_start_leaves_only_what_is_missing(method, knobs):
    A = permuted(
        sp.eye_array(400, format="csr") + pattern(400, 400, 800, np.random.default_rng(4)),
        np.random.default_rng(8),
    )
    best = konig.maximum_matching(A)
    again = konig.maximum_matching(A, method=method, init="none", initial=best, **knobs)
    assert again.stats["paths"] == 0
    np.testing.assert_array_equal(again.col_of_row, best.col_of_row)

    broken = best.col_of_row.copy()
    broken[::7] = -1
    for init in INITS:
        repaired = konig.maximum_matching(A, method=method, init=init, initial=broken, **knobs)
        repaired.verify(A)
        started = repaired.stats.get("start_size", np.count_nonzero(broken >= 0))
        assert repaired.stats["paths"] == best.size - started


@every_method
def test_counts_repeat_and_the_input_is_not_touched(method):
    A = pattern(500, 500, 1500, np.random.default_rng(6))
    copy = A.copy()
    first, second = (konig.maximum_matching(A, method=method) for _ in range(2))
    assert (A.indices == copy.indices).all()
    assert (A.indptr == copy.indptr).all()
    counted = [{k: v for k, v in m.stats.items() if k != "seconds"} for m in (first, second)]
    assert counted[0] == counted[1]


@pytest.mark.parametrize("method", ["dfs", "bfs"])
def test_ctrl_c_stops_a_search(method):
    n = 300_000
    rng = np.random.default_rng(1)
    A = sp.csc_array((np.ones(3 * n), (rng.integers(0, n, 3 * n), np.repeat(np.arange(n), 3))), shape=(n, n))
    rung_at = []

    def ring() -> None:
        rung_at.append(time.perf_counter())
        signal.raise_signal(signal.SIGINT)

    def solve_until_rung() -> None:
        while not rung_at:
            konig.maximum_matching(A, method=method, init="none")

    def seconds_to_stop() -> float:
        rung_at.clear()
        threading.Timer(0.1, ring).start()
        with pytest.raises(KeyboardInterrupt):
            solve_until_rung()
        return time.perf_counter() - rung_at[0]

    assert quickest(seconds_to_stop, 0.2) < 0.2
