"""Large sparse squares, where the last rows search from both ends."""

import numpy as np
import pytest
import scipy.sparse as sp

import konig
from konig.assignment.proof import check_hall_violator
from konig.assignment.result import cost_blocks

ROWS = 5000


def squares(rng, entries, draw):
    """Random pairs and a permutation, so that there is a full assignment."""
    rows = np.concatenate([np.arange(ROWS), np.repeat(np.arange(ROWS), entries)])
    cols = np.concatenate([rng.permutation(ROWS), rng.integers(0, ROWS, ROWS * entries)])
    pattern = sp.csr_array((np.ones(len(rows)), (rows, cols)), shape=(ROWS, ROWS))
    pattern.data = draw(pattern.nnz)
    return pattern


def draws(rng):
    return {
        "wide": lambda count: rng.integers(-(10**9), 10**9, count),
        "tied": lambda count: rng.integers(0, 3, count),
        "hardly tied": lambda count: rng.integers(0, 1000, count).astype(np.int32),
        "real": lambda count: rng.normal(size=count),
        "single": lambda count: rng.random(count).astype(np.float32),
        "tenths": lambda count: rng.integers(0, 40, count) / 10,
    }


@pytest.mark.parametrize("kind", ["wide", "tied", "hardly tied", "real", "single", "tenths"])
def test_answers_found_from_both_ends_are_proved(kind):
    rng = np.random.default_rng(1)
    found = 0
    for entries in (1, 2, 3, 5):
        C = squares(rng, entries, draws(rng)[kind])
        for maximize in (False, True):
            # Duals that are no good leave much to the searches.
            for initial in (None, (np.zeros(ROWS), rng.integers(-50, 50, ROWS))):
                a = konig.linear_assignment(C, maximize=maximize, initial=initial)
                a.verify(C)
                found += a.stats["two_sided_paths"]
    assert found > 50


def test_searches_from_both_ends_find_what_makes_a_problem_infeasible():
    rng = np.random.default_rng(2)
    C = squares(rng, 3, lambda count: rng.integers(0, 10**6, count)).tolil()
    # Forty rows that may take thirty-nine columns between them.
    C[:40] = 0
    block = rng.integers(1, 100, (40, 39))
    C[:40, :39] = block
    C = sp.csr_array(C)
    C.eliminate_zeros()
    with pytest.raises(konig.InfeasibleError) as caught:
        konig.linear_assignment(C)
    blocks, extent = cost_blocks(C)
    check_hall_violator(blocks, extent, caught.value.rows, caught.value.cols)
    partial = konig.linear_assignment(C, full=False)
    partial.verify(C)
    assert partial.size < ROWS


def test_small_squares_and_rectangles_search_from_one_end():
    rng = np.random.default_rng(3)
    C = squares(rng, 3, lambda count: rng.integers(0, 10**6, count))
    tall = konig.linear_assignment(C[:, : ROWS - 10], full=False)
    assert tall.stats["two_sided_paths"] == 0
    small = konig.linear_assignment(C[:3000, :3000] + sp.eye_array(3000, dtype=np.int64) * 10**6)
    assert small.stats["two_sided_paths"] == 0
