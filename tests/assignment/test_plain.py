"""Small problems in plain arrays take a short way, and it leads to the same place."""

import numpy as np
import pytest
from assignment.cost_cases import DTYPES

import konig
from konig.plain_assignment import solve_plain


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_short_way_gives_the_answer_of_the_long_one(dtype):
    rng = np.random.default_rng(1)
    plain = 0
    for _ in range(150):
        shape = rng.integers(1, 40, 2)
        C = rng.integers(0, rng.choice([3, 100, 120]), shape).astype(dtype)
        maximize = bool(rng.integers(2))
        before = C.copy()
        a = konig.linear_assignment(C, maximize=maximize)
        b = konig.linear_assignment(C, maximize=maximize, threads=1)
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
        plain += solve_plain(C, maximize) is not None
    assert plain == (150 if np.dtype(dtype) in map(np.dtype, "ilfd") else 0)


@pytest.mark.parametrize(
    "C",
    [
        np.ones((4, 6))[:, ::2],
        np.asfortranarray(np.arange(12.0).reshape(3, 4)),
        np.ones((3, 3), ">f8"),
        np.ones((3, 3), np.uint8),
        np.ones((0, 3)),
        np.ones(3),
        np.ones((2, 3, 3)),
        np.array([[1.0, np.nan], [0.0, 1.0]]),
        np.array([[1.0, -np.inf], [0.0, 1.0]]),
        np.array([[np.inf, np.inf], [0.0, 1.0]]),
        np.array([[np.iinfo(np.int64).max, 0], [0, 1]]),
    ],
)
def test_what_is_not_plain_is_left_to_the_long_way(C):
    assert solve_plain(C, False) is None


def test_errors_of_small_problems_are_those_of_all():
    C = np.zeros((3, 3))
    C[1, 2] = np.nan
    with pytest.raises(ValueError, match=r"C\[1, 2\] is NaN"):
        konig.linear_assignment(C)
    C[:, 2] = np.inf
    with pytest.raises(konig.InfeasibleError):
        konig.linear_assignment(C)
    assert konig.linear_assignment(C, full=False).size == 2


def test_a_single_row_or_column_and_transposed_strides():
    row = np.array([[3.0, 1.0, 2.0]])
    assert konig.linear_assignment(row).col_ind.tolist() == [1]
    assert konig.linear_assignment(row.T).row_ind.tolist() == [1]
    assert konig.linear_assignment(np.array([[7]])).cost == 7
