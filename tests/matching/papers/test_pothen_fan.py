"""Pothen-Fan without and with fairness: what tells the two apart, and what lookahead saves."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import konig


def from_lists(rows: int, lists: list[list[int]]) -> sp.csc_array:
    """A matrix whose columns hold these rows, scanned in this order."""
    start = np.cumsum([0, *map(len, lists)])
    return sp.csc_array((np.ones(start[-1]), np.concatenate(lists).astype(int), start), (rows, len(lists)))


def trap(length: int, first_row: int) -> list[list[int]]:
    """Columns matched along a chain of rows from which nothing unmatched can be reached."""
    return [[first_row + i, *([first_row + i + 1] if i + 1 < length else [])] for i in range(length)]


LENGTH = 1000


@pytest.fixture
def second_phase() -> tuple[sp.csc_array, np.ndarray]:
    """Two unmatched columns, u and v, that need the same row, s, so v has to wait for a second phase.

    u = [s, h], S = [s, f1], H = [h, f2], v = [trap, s]: forwards v runs through the trap in every phase,
    backwards it goes straight to s, which u leaves for h.
    """
    s, h, f1, f2, first = 0, 1, 2, 3, 4
    A = from_lists(4 + LENGTH, [[s, h], [s, f1], [h, f2], [first, s], *trap(LENGTH, first)])
    return A, np.array([1, 2, -1, -1, *range(4, 4 + LENGTH)])


def test_fairness_turns_the_second_phase_around(second_phase):
    A, initial = second_phase
    plain, fair = (konig.maximum_matching(A, method=m, init="none", initial=initial) for m in ("pf", "pfp"))
    for matching in (plain, fair):
        matching.verify(A)
        assert matching.stats["phases"] == 2
        assert matching.stats["paths"] == 2
    # 2 LENGTH - 1 entries of the trap, the one that leads into it, and the one from u back to s.
    assert plain.stats["search_arc_scans"] - fair.stats["search_arc_scans"] == 2 * LENGTH + 1


@pytest.mark.parametrize("lookahead", [True, False])
def test_a_row_matched_in_a_phase_is_closed_until_the_next(lookahead):
    # Columns a = [f, h] and b = [f]; h is matched to H = [h, k]. Once a has taken f, b needs a to move on.
    f, h, k = 0, 1, 2
    A = from_lists(3, [[f, h], [f], [h, k]])
    initial = np.array([-1, 2, -1])
    stats = konig.maximum_matching(A, method="pf", init="none", initial=initial, lookahead=lookahead).stats
    assert (stats["phases"], stats["paths"], stats["longest_path"]) == (2, 2, 5)


@pytest.mark.parametrize("method", ["pf", "pfp"])
def test_lookahead_sees_the_unmatched_row_behind_a_trap(method):
    A = from_lists(LENGTH + 1, [[0, LENGTH], *trap(LENGTH, 0)])
    initial = np.array([*range(1, LENGTH + 1), -1])
    seen, missed = (
        konig.maximum_matching(A, method=method, init="none", initial=initial, lookahead=on)
        for on in (True, False)
    )
    assert (seen.stats["search_arc_scans"], seen.stats["lookahead_arc_scans"]) == (0, 2)
    assert (missed.stats["search_arc_scans"], missed.stats["lookahead_arc_scans"]) == (2 * LENGTH + 1, 0)


@pytest.mark.parametrize("method", ["pf", "pfp"])
def test_lists_are_looked_ahead_at_once_in_the_whole_run(method):
    rng = np.random.default_rng(1)
    n = 3000
    A = sp.csc_array((np.ones(3 * n), (rng.integers(0, n, 3 * n), rng.integers(0, n, 3 * n))), shape=(n, n))
    on, off = (konig.maximum_matching(A, method=method, init="sgm", lookahead=k) for k in (True, False))
    assert on.stats["phases"] > 3
    assert on.stats["lookahead_arc_scans"] <= A.nnz
    assert on.stats["search_arc_scans"] < off.stats["search_arc_scans"]


def test_a_phase_visits_each_row_at_most_once():
    rng = np.random.default_rng(7)
    n = 2000
    A = sp.csc_array((np.ones(3 * n), (rng.integers(0, n, 3 * n), rng.integers(0, n, 3 * n))), shape=(n, n))
    stats = konig.maximum_matching(A, method="pf", init="sgm").stats
    assert stats["search_arc_scans"] <= (stats["phases"] + 1) * A.nnz


def test_the_start_is_karp_sipser_unless_asked_otherwise():
    defaults = {m.name: m.options[0].default for m in konig.methods("matching") if m.name in ("pf", "pfp")}
    assert defaults == {"pf": "ksm", "pfp": "ksm"}


@pytest.mark.parametrize("shape", [(400, 400), (900, 300), (300, 900)])
def test_memory_is_at_most_what_the_paper_states(shape):
    rng = np.random.default_rng(2)
    rows, cols = shape
    A = sp.csc_array((np.ones(1500), (rng.integers(0, rows, 1500), rng.integers(0, cols, 1500))), shape=shape)
    used = konig.maximum_matching(A, method="pfp", init="none").stats["memory_integers_per_vertex"]
    assert used <= (rows + 4 * cols) / (rows + cols)
    assert used >= (rows + 2 * cols) / (rows + cols)


def test_wide_matrices_end_when_all_rows_are_matched():
    A = sp.csc_array(np.ones((20, 5000)))
    stats = konig.maximum_matching(A, method="pf", init="none").stats
    assert stats["search_arc_scans"] == 0
