"""Matrices in which nearly all pairs cost the same: only the pairs that cost less are looked at."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import konig

TYPES = (np.float64, np.float32, np.int32, np.int64, np.int16)


def mostly(common, rows, cols, pairs, dtype, rng, least=-50):
    """Costs of which about ``pairs`` a row are below the common one, with ties among them."""
    C = np.full((rows, cols), common, dtype)
    cheap = rng.random((rows, cols)) < pairs / cols
    C[cheap] = common + rng.integers(least, 0, int(cheap.sum())).astype(dtype)
    return C


def assert_optimal(C, maximize=False):
    a = konig.linear_assignment(C, maximize=maximize)
    a.verify(C)
    row_ind, col_ind = linear_sum_assignment(C, maximize=maximize)
    wanted = C[row_ind, col_ind].astype(np.float64).sum()
    assert float(a.cost) == pytest.approx(wanted, rel=1e-12, abs=1e-9)
    return a


def looked_at_few(a):
    """Whether the rows of the matrix were read once, and lists after that."""
    if "core_entries" in a.stats:
        return a.stats["pricing_rounds"] == 0 and not a.stats["whole_solves"]
    return a.stats["row_scans"] == min(len(a.row_dual), len(a.col_dual))


def lists_would_be_long(C, pairs):
    """Whether these pairs of a row are many for a rectangle, whose rows are mostly assigned by one read."""
    return C.shape[0] != C.shape[1] and pairs > max(C.shape) // 128 + 3


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", [(12, 12), (30, 47), (47, 30), (90, 90), (200, 230)])
@pytest.mark.parametrize("pairs", [0.0, 0.7, 2.0, 5.0])
def test_answers_are_optimal_and_proved(dtype, shape, pairs):
    rng = np.random.default_rng([int(10 * pairs), *shape])
    for common in (100, 0, -7):
        C = mostly(common, *shape, pairs, dtype, rng)
        a = assert_optimal(C)
        assert looked_at_few(a) or min(shape) < 50 or lists_would_be_long(C, pairs)
        assert_optimal(np.asfortranarray(C))
        assert_optimal(-C, maximize=True)


def test_two_costs_of_which_one_is_rare():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(8, 150))
        assert_optimal(
            (rng.random((n, n)) < 1 - rng.uniform(0.5, 4) / n).astype(rng.choice([float, np.int32]))
        )


def overlaps(n, m, rng):
    """1 less the intersection over union of boxes and of boxes that have moved."""
    corner = rng.random((max(n, m), 2))
    a = np.hstack([corner, corner + rng.uniform(0.3, 1, corner.shape) * 1.5 / n**0.5])
    b = a + np.tile(rng.normal(0, 0.2 / n**0.5, corner.shape), 2)
    a, b = a[:n], b[rng.permutation(len(b))[:m]]
    inner = np.minimum(a[:, None, 2:], b[None, :, 2:]) - np.maximum(a[:, None, :2], b[None, :, :2])
    both = np.clip(inner, 0, None).prod(-1)
    areas = (a[:, 2:] - a[:, :2]).prod(-1)[:, None] + (b[:, 2:] - b[:, :2]).prod(-1)[None]
    return 1 - both / (areas - both)


@pytest.mark.parametrize(
    ("n", "m"), [(20, 20), (60, 60), (200, 200), (200, 240), (240, 200), (700, 700), (1100, 1000)]
)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_boxes_by_overlap(n, m, dtype):
    C = overlaps(n, m, np.random.default_rng([n, m])).astype(dtype)
    a = assert_optimal(C)
    assert looked_at_few(a) or min(n, m) < 50 or lists_would_be_long(C, (C < 1).mean() * max(n, m))


def test_a_rectangle_with_a_cheaper_pair_in_twenty_is_not_listed():
    C = mostly(100.0, 200, 600, 30.0, np.float64, np.random.default_rng(7))
    a = konig.linear_assignment(C, method="core")
    a.verify(C)
    assert a.stats["whole_solves"] == 1


def test_pairs_that_cost_more_or_are_forbidden():
    for seed in range(30):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(10, 120))
        C = mostly(1.0, n, n + int(rng.integers(0, 3)), 3.0, np.float64, rng)
        dear = rng.random(C.shape) < rng.choice([0.5 / n, 0.1])
        C[dear] = rng.choice([2.0, 1e300, np.inf])
        assert_optimal(C)


def test_a_row_that_must_not_take_the_common_cost():
    C = np.full((60, 60), 5.0)
    C[3] = 9.0
    C[3, 7] = 5.5
    a = assert_optimal(C)
    assert a.cost == 59 * 5.0 + 5.5


def test_bad_costs_are_found_among_common_ones():
    C = np.ones((80, 80))
    C[41, 7] = np.nan
    with pytest.raises(ValueError, match="41, 7"):
        konig.linear_assignment(C)
    C[41, 7] = -np.inf
    with pytest.raises(ValueError, match="41, 7"):
        konig.linear_assignment(C)


@pytest.mark.parametrize(
    ("common", "least", "dtype"),
    [
        (1e15, -50, np.float64),
        (5e-324 * 1000, 0, np.float64),
        (2**31 - 60, -50, np.int32),
        (2**62, -50, np.int64),
    ],
)
def test_extremes(common, least, dtype):
    rng = np.random.default_rng(3)
    C = np.full((70, 75), common, dtype)
    cheap = rng.random(C.shape) < 4 / 75
    below = rng.integers(1, 50, int(cheap.sum()))
    C[cheap] = (5e-324 * below if least == 0 else common - below).astype(dtype)
    konig.linear_assignment(C).verify(C)
    C[cheap] = (-common * rng.random(int(cheap.sum()))).astype(dtype)
    konig.linear_assignment(C).verify(C)


def test_a_batch_gets_the_same_answers():
    rng = np.random.default_rng(5)
    C = np.stack([mostly(9, 40, 44, 3.0, np.int64, rng) for _ in range(8)])
    batch = konig.linear_assignment(C)
    for b in range(8):
        alone = konig.linear_assignment(C[b])
        assert np.array_equal(batch[b].col_ind, alone.col_ind)
        assert np.array_equal(batch[b].col_dual, alone.col_dual)
