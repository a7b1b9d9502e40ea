"""Small problems in NumPy's arrays are answered by one native call, as the longer way answers them."""

import copy
import dataclasses
import pickle

import numpy as np
import pytest
from cases.costs import DTYPES

import konig
from konig.assignment.auto import CORE_ROWS, SMALL_ENTRIES
from konig.assignment.small import assign_small


def small(C, maximize=False):
    return assign_small(C, maximize)


NOT_TAKEN = [dtype for dtype in DTYPES if np.dtype(dtype) in map(np.dtype, "eIL")]


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_short_way_gives_the_answer_of_the_long_one(dtype):
    rng = np.random.default_rng(1)
    taken = 0
    for _ in range(150):
        shape = rng.integers(1, 40, 2)
        C = rng.integers(0, rng.choice([3, 100, 120]), shape).astype(dtype)
        maximize = bool(rng.integers(2))
        before = C.copy()
        a = konig.linear_assignment(C, maximize=maximize)
        b = konig.linear_assignment(C, maximize=maximize, seed=0)  # a seed: the longer way
        assert "found" in vars(konig.linear_assignment(C, maximize=maximize, threads=1)) or dtype in NOT_TAKEN
        assert "found" not in vars(b)
        a.verify(before)
        assert (before == C).all()
        assert (a.cost, type(a.cost), a.method, a.device, a.maximize) == (
            b.cost,
            type(b.cost),
            b.method,
            b.device,
            b.maximize,
        )
        for name in ("row_ind", "col_ind", "row_dual", "col_dual"):
            ours, theirs = getattr(a, name), getattr(b, name)
            assert ours.dtype == theirs.dtype
            assert (ours == theirs).all()
            assert not ours.flags.writeable
        assert a.stats.keys() == b.stats.keys()
        assert a.stats["seconds"].keys() == b.stats["seconds"].keys()
        taken += small(C, maximize) is not None
    assert taken == (0 if dtype in NOT_TAKEN else 150)


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.float32, np.float64])
def test_so_do_rows_left_alone_and_heaviest_matchings(dtype):
    rng = np.random.default_rng(2)
    for _ in range(60):
        C = rng.integers(-3, 60, rng.integers(1, 30, 2)).astype(dtype, order=rng.choice(["C", "F"]))
        left_alone = [5, (7, 2), (rng.integers(0, 40, C.shape[0]), None)][rng.integers(3)]
        maximize = bool(rng.integers(2))
        asked = {"maximize": maximize, "unassigned_cost": left_alone}
        a, b = (konig.linear_assignment(C, **asked, **more) for more in ({}, {"seed": 0}))
        assert ("found" in vars(a), "found" in vars(b)) == (True, False)
        a.verify(C, unassigned_cost=left_alone)
        for name in ("cost", "gap", "method", "device", "maximize", "may_leave_alone"):
            assert getattr(a, name) == getattr(b, name)
            assert type(getattr(a, name)) is type(getattr(b, name))
        assert a.stats.keys() == b.stats.keys()
        m, w = konig.maximum_weight_matching(C), konig.maximum_weight_matching(C, threads=2)
        assert ("found" in vars(m), "found" in vars(w)) == (True, False)
        m.verify(C)
        for name in ("weight", "gap", "count_dual", "cardinality", "device"):
            assert getattr(m, name) == getattr(w, name)
            assert type(getattr(m, name)) is type(getattr(w, name))
        assert m.stats.keys() == w.stats.keys()
        pickle.loads(pickle.dumps(konig.maximum_weight_matching(C))).verify(C)


@pytest.mark.parametrize(
    "C",
    [
        np.ones((3, 3), ">f8"),
        np.ones((3, 3), np.uint64),
        np.ones((3, 3), complex),
        np.ones((3, 3), object),
        np.ones((0, 3)),
        np.ones(3),
        np.ones((2, 3, 3)),
        np.array([[1.0, np.nan], [0.0, 1.0]]),
        np.array([[1.0, -np.inf], [0.0, 1.0]]),
        np.array([[np.iinfo(np.int64).max, 0], [0, 1]]),
        np.array([[np.inf, 1.0], [np.inf, 1.0]]),
        [[1.0]],
        np.ma.masked_array(np.eye(2)),
        np.broadcast_to(1.0, (1024, 1025)),
        np.broadcast_to(1.0, (2, SMALL_ENTRIES)),
    ],
)
def test_what_it_does_not_take_is_left_to_the_longer_way(C):
    assert small(C) is None


def test_errors_of_small_problems_are_those_of_all():
    C = np.zeros((3, 3))
    C[1, 2] = np.nan
    with pytest.raises(ValueError, match=r"C\[1, 2\] is NaN"):
        konig.linear_assignment(C)
    C[:, 2] = np.inf
    with pytest.raises(konig.InfeasibleError):
        konig.linear_assignment(C)
    assert konig.linear_assignment(C, full=False).size == 2


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint16, np.int32, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("side", [7, 70, 700])
def test_costs_may_lie_in_any_order(dtype, side):
    rng = np.random.default_rng(side)
    base = rng.integers(0, 100, (side, side + 6)).astype(dtype)
    views = base[:, ::2], base[::-1], base.T, base[1::3, 4::2].T, np.asfortranarray(base), base[:, ::-1]
    for C in views:
        a = konig.linear_assignment(C)
        a.verify(C)
        assert a.cost == konig.linear_assignment(np.ascontiguousarray(C), method="jv").cost


def test_statistics_are_made_when_they_are_read():
    C = np.array([[4.0, 1.0, 3.0], [2.0, 0.0, 5.0]])
    a = konig.linear_assignment(C)
    assert "stats" not in vars(a)
    with pytest.raises(AttributeError, match="'Assignment' object has no attribute 'rows'"):
        a.rows  # noqa: B018
    assert (a.cost, a.method) == (3.0, "jv")
    assert "stats" in vars(a)
    with pytest.raises(dataclasses.FrozenInstanceError):
        a.cost = 0
    for other in (
        pickle.loads(pickle.dumps(konig.linear_assignment(C))),
        copy.deepcopy(konig.linear_assignment(C)),
        dataclasses.replace(konig.linear_assignment(C)),
    ):
        other.verify(C)
        assert other.stats["paths"] == a.stats["paths"]


def test_wrong_arguments_of_small_problems_are_errors_too():
    for wrong, error in (
        ({"threads": 1.0}, "threads must be an integer"),
        ({"threads": 0}, "threads must be at least 1"),
        ({"maximize": 1}, "maximize must be True or False"),
        ({"full": None}, "full must be True or False"),
        ({"nonsense": 1}, "has no knob 'nonsense'"),
        ({"row_counts": [3]}, "for a batch"),
    ):
        with pytest.raises((TypeError, ValueError), match=error):
            konig.linear_assignment(np.eye(3), **wrong)


@pytest.mark.parametrize("maximize", [False, True])
def test_integers_near_the_end_of_64_bits_are_exact(maximize):
    rng = np.random.default_rng(8)
    for case in range(60):
        top = 10 ** int(rng.integers(15, 19))
        C = rng.integers(-top, top, rng.integers(1, 12, 2))
        a = konig.linear_assignment(C, maximize=maximize)
        a.verify(C)
        exact = konig.linear_assignment(C, maximize=maximize, method="hungarian-tree", threads=1)
        assert a.cost == exact.cost, case


def test_duals_that_outgrow_64_bits_of_sums_are_found_out():
    # Products: the duals of the last rows are as large as n times a cost.
    for n in (40, 200):
        factor = np.arange(1, n + 1)
        C = np.multiply.outer(factor, factor) * (10**17 // n**2)
        konig.linear_assignment(C).verify(C)
        konig.linear_assignment(-C, maximize=True).verify(-C)


def test_large_costs_are_checked_while_a_core_is_chosen():
    rng = np.random.default_rng(4)
    C = rng.random((650, 700))
    konig.linear_assignment(C).verify(C)
    for value, message in ((np.nan, "is NaN"), (-np.inf, "= -inf: minimising")):
        bad = C.copy()
        bad[3, 5] = bad[600, 1] = value
        with pytest.raises(ValueError, match=rf"C\[3, 5\] {message}"):
            konig.linear_assignment(bad)
    C[:, 60:] = np.inf
    with pytest.raises(konig.InfeasibleError) as refused:
        konig.linear_assignment(C)
    assert len(refused.value.rows) > len(refused.value.cols)
    assert konig.linear_assignment(C, full=False).size == 60
    huge = np.where(rng.random((650, 650)) < 0.5, 1e300, -1e300)
    konig.linear_assignment(huge).verify(huge)
    wide = rng.integers(-(2**31), 2**31, (650, 650), dtype=np.int32)
    konig.linear_assignment(wide).verify(wide)


@pytest.mark.parametrize("shape", [(700, 700), (620, 2000), (2000, 620), (1600, 1600)])
@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_costs_that_tie_in_most_columns(shape, dtype):
    rng = np.random.default_rng(7)
    for C in (np.ones(shape), np.where(rng.random(shape) < 0.5, 1, 100), rng.integers(0, 3, shape)):
        C = C.astype(dtype)
        konig.linear_assignment(C).verify(C)


def test_a_core_is_chosen_by_both_ways():
    C = np.random.default_rng(2).random((CORE_ROWS + 5, CORE_ROWS + 20))
    a, b = konig.linear_assignment(C), konig.linear_assignment(C, seed=0)
    assert ("found" in vars(a), "found" in vars(b)) == (False, False)
    assert a.method == b.method == "core"
    assert a.stats.keys() == b.stats.keys()
    assert (a.col_ind == b.col_ind).all()
    assert (a.row_dual == b.row_dual).all()


def test_many_costs_may_lie_column_after_column():
    C = np.asfortranarray(np.random.default_rng(5).random((1030, 1050)))
    assert C.size > SMALL_ENTRIES
    a = konig.linear_assignment(C, maximize=True)
    a.verify(C)
    konig.linear_assignment(C, maximize=True, initial=a).verify(C)
    C[:, 20:] = -np.inf
    with pytest.raises(konig.InfeasibleError) as refused:
        konig.linear_assignment(C, maximize=True)
    assert len(refused.value.rows) > len(refused.value.cols)
    assert np.isneginf(np.delete(C[refused.value.rows], refused.value.cols, axis=1)).all()
    b = konig.linear_assignment(C, maximize=True, full=False)
    assert b.size == 20
    b.verify(C)
    C[3, 5] = np.nan
    with pytest.raises(ValueError, match=r"C\[3, 5\] is NaN"):
        konig.linear_assignment(C, maximize=True)


def test_a_single_row_or_column_and_transposed_strides():
    row = np.array([[3.0, 1.0, 2.0]])
    assert konig.linear_assignment(row).col_ind.tolist() == [1]
    assert konig.linear_assignment(row.T).row_ind.tolist() == [1]
    assert konig.linear_assignment(np.array([[7]])).cost == 7


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_duals_keep_their_promise_where_rounding_is_counted(dtype):
    rng = np.random.default_rng(11)
    for trial in range(150):
        rows, cols = (int(side) for side in rng.integers(1, 90, 2))
        if trial % 2:
            cols = rows
        C = 10.0 ** rng.uniform(-(trial % 30), trial % 7, (rows, cols))
        if trial % 3 == 0:  # most rows want the same columns: many paths, large duals
            C *= rng.random(cols) ** 4
        if trial % 5 == 0:
            C[rng.random((rows, cols)) < 0.4] *= -1
        C = C.astype(dtype)
        for maximize in (False, True):
            konig.linear_assignment(C, maximize=maximize).verify(C)


def test_rows_of_very_different_sizes_need_no_core():
    rng = np.random.default_rng(0)
    C = rng.random((1300, 1300))
    assert konig.linear_assignment(C).stats["core_entries"] > 0
    C *= (10 ** rng.uniform(0, 4, 1300))[:, None]
    for costs, maximize in ((C, False), (-C, True)):
        a = konig.linear_assignment(costs, maximize=maximize)
        a.verify(costs)
        assert a.method == "core"
        assert a.stats["core_entries"] == 0


def test_squares_of_scaled_or_padded_rows_start_from_the_minima_of_rows():
    # Column minima are all in few rows: started from these, rows are scanned ten to a hundred times each.
    rng = np.random.default_rng(1)
    n = 300
    scaled = rng.random((n, n)) * (10 ** rng.uniform(0, 7, n))[:, None]
    padded = rng.integers(0, 10_000, (n, n))
    padded[:150] = 0
    for C in (scaled, padded, -scaled, -padded):
        maximize = bool((C < 0).any())
        a = konig.linear_assignment(C, maximize=maximize)
        a.verify(C)
        assert a.stats["row_scans"] < 12 * n


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int32])
def test_rows_of_a_rectangle_that_want_different_columns_are_scanned_once(dtype):
    rng = np.random.default_rng(2)
    C = rng.integers(10, 1000, (40, 300)).astype(dtype)
    C[np.arange(40), rng.permutation(300)[:40]] = rng.integers(0, 10, 40)
    for costs, maximize in ((C, False), (-C, True), (np.asfortranarray(C), False), (C.T.copy(), False)):
        a = konig.linear_assignment(costs, maximize=maximize)
        a.verify(costs)
        assert a.stats["row_scans"] == 40
        assert not a.col_dual.any() or not a.row_dual.any()


@pytest.mark.parametrize("shape", [(40, 90), (70, 70), (90, 40)])
def test_forbidden_pairs_and_bad_costs_are_told_apart_in_the_first_read(shape):
    rng = np.random.default_rng(3)
    C = rng.random(shape)
    C[rng.random(shape) < 0.3] = np.inf
    a = konig.linear_assignment(C)
    a.verify(C)
    for bad in (np.nan, -np.inf):
        for place in (0, C.size // 2 + 1, C.size - 1):
            wrong = C.copy()
            wrong.flat[place] = bad
            with pytest.raises(ValueError, match="C"):
                konig.linear_assignment(wrong)


@pytest.mark.parametrize("cols", [1, 63, 64, 65, 127, 128, 129])
def test_searches_in_one_call_and_step_by_step_agree(cols):
    """Up to 128 columns are bits of two words; a line makes paths long."""
    rng = np.random.default_rng(cols)
    for rows in {cols, max(cols - 2, 1)}:
        C = np.abs(rng.integers(0, 1000, (rows, 1)) - rng.integers(0, 1000, cols))
        a = konig.linear_assignment(C)
        a.verify(C)
        wider = np.pad(C, ((0, 0), (0, 130)), constant_values=10**6)
        b = konig.linear_assignment(wider)
        b.verify(wider)
        assert a.cost == b.cost
        forbidden = np.where(rng.random(C.shape) < 0.5, np.inf, C)
        forbidden[: rows // 2 + 1, rows // 2 :] = np.inf
        with pytest.raises(konig.InfeasibleError):
            konig.linear_assignment(forbidden)


def test_duals_of_small_problems_cannot_be_written():
    a = konig.linear_assignment(np.eye(3, 5))
    assert (a.row_dual.shape, a.col_dual.shape) == ((3,), (5,))
    with pytest.raises(ValueError, match="read-only"):
        a.col_dual[0] = 1


def test_rows_of_one_kind_take_columns_that_tie():
    """A tenth of each column ties, so that some columns find no row by a few probes, and others must."""
    rng = np.random.default_rng(9)
    for _ in range(20):
        C = 10 * rng.integers(0, 1000, 204) + rng.integers(0, 10, (204, 204))
        a = konig.linear_assignment(C)
        a.verify(C)
        assert a.stats["reduced_rows"] > 180


def test_rows_that_crowd_around_few_columns_start_by_rows_at_once():
    # After column reduction the free rows want the same columns; to reduce them takes a fifth more scans.
    rng = np.random.default_rng(5)
    x, y = rng.random((60, 3)), rng.random((60, 3))
    kernel = 1 - np.exp(-((x[:, None] - y) ** 2).sum(axis=2) / 0.02)
    tails = -(rng.random((90, 90)) ** -2.0)
    for C, scans in ((kernel, 350), (tails, 540)):
        a = konig.linear_assignment(C)
        a.verify(C)
        assert a.cost == pytest.approx(konig.linear_assignment(C, method="core-paths").cost, rel=1e-12)
        assert a.stats["row_scans"] < scans


def test_a_row_whose_two_best_columns_tie_does_not_try_all_free_ones():
    """What it takes there is as good for others: with all of them tried these take 33 to 40 scans a row."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        sums = rng.integers(0, 1000, (250, 1)) + rng.integers(0, 1000, 250)
        C = (sums + rng.integers(0, 11, (250, 250))).astype(float)
        a = konig.linear_assignment(C)
        a.verify(C)
        assert a.stats["row_scans"] < 12 * 250
