"""Squares that pad a smaller problem with what it costs to leave rows and columns alone."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import konig


def extended(costs, row_alone, col_alone, other=0, more=0):
    """With as many rows and columns added as there are others, and some more."""
    n, m = costs.shape
    C = np.full((n + m + more, n + m + more), other, dtype=np.result_type(costs, row_alone, col_alone))
    C[:n, :m] = costs
    C[:n, m:] = np.reshape(row_alone, (-1, 1))
    C[n:, :m] = col_alone
    return C


def shuffled(rng, C):
    return np.ascontiguousarray(C[rng.permutation(len(C))][:, rng.permutation(len(C))])


def diagrams(rng, n, m):
    first, second = (np.cumsum(rng.random((k, 2)) * [1, 0.05], axis=1) for k in (n, m))
    apart = np.abs(first[:, None] - second[None]).max(axis=2)
    return extended(apart, (first[:, 1] - first[:, 0]) / 2, (second[:, 1] - second[:, 0]) / 2)


def tracks(rng, n, m):
    costs = rng.random((n, m))
    costs[costs > 0.3] = 1e6
    return extended(costs, 0.1, 0.1, more=3)


def whole_numbers(rng, n, m):
    costs = rng.integers(-50, 100, (n, m))
    return extended(costs, rng.integers(0, 40, n), rng.integers(-10, 40, m), other=rng.integers(-9, 9))


def forbidden_pairs(rng, n, m):
    costs = rng.random((n, m))
    costs[rng.random((n, m)) < 0.9] = np.inf
    return extended(costs, rng.random(n), rng.random(m))


def nobody_alone(rng, n, m):
    """All rows but a few are better off with a partner, and some of them are alike."""
    costs = rng.integers(0, 10, (n, m)).astype(float)
    costs[n // 2 :] = costs[n // 2]
    return extended(costs, 100.0, 100.0)


FAMILIES = diagrams, tracks, whole_numbers, forbidden_pairs, nobody_alone


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    ("n", "m"), [(50, 50), (20, 90), (90, 20), (300, 280), (70, 1), (15, 15), (14, 17), (19, 12)]
)
@pytest.mark.parametrize("maximize", [False, True])
def test_it_is_solved_as_the_smaller_problem(family, n, m, maximize):
    rng = np.random.default_rng(n)
    for C in (family(rng, n, m), shuffled(rng, family(rng, n, m)), np.asfortranarray(family(rng, n, m))):
        given = -C if maximize else C
        a = konig.linear_assignment(given, maximize=maximize)
        # In any order of the columns: among 16 of them must be two that were added.
        assert a.stats.get("extended_rows", 0) >= m or min(n, m) < 50
        a.verify(given)
        assert sorted(a.col_ind.tolist()) == list(range(len(C)))
        rows, cols = linear_sum_assignment(given, maximize=maximize)
        assert a.cost == pytest.approx(given[rows, cols].sum(), rel=1e-12, abs=1e-12)
        if family is whole_numbers:
            assert a.gap == 0


@pytest.mark.parametrize("stored", [np.float32, np.int32, np.int64, np.uint8])
def test_every_type_of_costs(stored):
    rng = np.random.default_rng(5)
    C = shuffled(rng, extended(rng.integers(0, 200, (40, 60)), 60, 70)).astype(stored)
    a = konig.linear_assignment(C)
    assert a.stats["extended_rows"] == 60
    a.verify(C)
    assert a.cost == C[linear_sum_assignment(C)].sum()


def test_whole_numbers_near_the_end_of_their_type():
    rng = np.random.default_rng(6)
    for scale in (2**52, 2**55, 2**57, 2**60):
        C = extended(rng.integers(-7, 7, (40, 40)) * scale, 3 * scale, -2 * scale, other=-scale)
        a, jv = (konig.linear_assignment(C, method=method) for method in ("auto", "jv"))
        a.verify(C)
        assert a.cost == jv.cost


def changed(C, at, to):
    C = C.copy()
    C[at] = to
    return C


def test_what_only_looks_like_it():
    rng = np.random.default_rng(7)
    C = diagrams(rng, 60, 60)
    others = (
        changed(C, (100, 100), 1.0),  # a row that is not like the others, and too few are left
        changed(C, (10, 100), 0.0),
        C[:-1, :-1],
        C + 1.0,  # what is subtracted would be rounded
        np.where(np.arange(120) == 30, np.inf, C),
    )
    for other in others:
        a = konig.linear_assignment(other, full=False)
        assert "extended_rows" not in a.stats
        a.verify(other)
    a = konig.linear_assignment(C, method="jv")
    assert "extended_rows" not in a.stats
    assert a.cost == pytest.approx(konig.linear_assignment(C).cost, rel=1e-12)


@pytest.mark.parametrize("maximize", [False, True])
def test_reals_that_are_rounded_when_costs_are_subtracted_from_them(maximize):
    rng = np.random.default_rng(10)
    for scale in (1e-9, 1e-3, 1e3, 1e9):
        for n, m in [(15, 15), (20, 40), (40, 20)]:
            alone = rng.random(n) * scale, rng.random(m) * scale * rng.choice([1, 1e-6], m)
            C = shuffled(rng, extended(rng.random((n, m)), *alone))
            a = konig.linear_assignment(C, maximize=maximize)
            assert a.stats["extended_rows"] == m
            a.verify(C)
            paid = C[linear_sum_assignment(C, maximize=maximize)].sum()
            assert a.cost == pytest.approx(paid, rel=1e-12)


def test_large_ones():
    C = diagrams(np.random.default_rng(8), 800, 700)
    a = konig.linear_assignment(C)
    assert a.stats["extended_rows"] == 700
    a.verify(C)


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("maximize", [False, True])
def test_rows_and_columns_of_few_kinds_are_not_taken_for_padding(dtype, maximize):
    """Columns with equal costs in the rows that are not added, and other ones in those that are."""
    rng = np.random.default_rng(9)
    found = 0
    for size in range(28, 124):
        k, kinds = size, rng.integers(0, 2, (2, size))
        C = (kinds if k % 2 else kinds[:, rng.integers(0, 4, size)])[rng.integers(0, 2, size)].astype(dtype)
        C = np.ascontiguousarray(C if k % 3 else C.T)
        answer = konig.linear_assignment(C, maximize=maximize)
        answer.verify(C)
        assert answer.cost == C[linear_sum_assignment(C, maximize=maximize)].sum()
        found += answer.stats.get("extended_rows", 0) > 0
    assert found < 96


def test_one_row_that_differs_is_no_problem_of_its_own():
    C = np.ones((64, 64), int)
    C[0] = 0
    C[:, 4:] = 0
    answer = konig.linear_assignment(C)
    answer.verify(C)
    assert answer.cost == C[answer.row_ind, answer.col_ind].sum() == 3
