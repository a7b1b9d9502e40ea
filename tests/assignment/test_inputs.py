"""What linear_assignment takes, leaves alone, refuses and gives back."""

import signal
import threading
import time

import numpy as np
import pytest
import scipy.sparse as sp
from patience import quickest

import konig

RANGE = r"integers must be from -2\*\*63 \+ 2 to 2\*\*63 - 2"
C = np.array([[4, 1, 3], [2, 0, 5], [3, 2, 2]])


@pytest.mark.parametrize(
    "dtype",
    ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", ">i4", ">f8"],
)
def test_every_real_type(dtype):
    costs = C.astype(dtype)
    a = konig.linear_assignment(costs)
    a.verify(costs)
    assert a.cost == (2 if dtype == "?" else 5)
    assert isinstance(a.cost, float if costs.dtype.kind == "f" else int)
    assert a.row_dual.dtype == (np.float64 if costs.dtype.kind == "f" else np.int64)


def test_lists_and_views_and_other_orders():
    assert konig.linear_assignment(C.tolist()).cost == 5
    assert konig.linear_assignment(np.asfortranarray(C)).cost == 5
    wide = np.arange(40).reshape(4, 10)[::2, ::3]
    konig.linear_assignment(wide).verify(wide)


def test_the_input_is_never_modified():
    for costs in (C.copy(), C.astype(np.float32), np.asfortranarray(C), C.astype(float)[:, :2].copy()):
        before = costs.copy()
        costs.flags.writeable = False
        for maximize in (False, True):
            konig.linear_assignment(costs, maximize=maximize)
        assert (costs == before).all()


@pytest.mark.parametrize("empty", [(0, 0), (0, 4), (4, 0)])
@pytest.mark.parametrize("dtype", [np.int32, np.float64])
def test_nothing_to_assign(empty, dtype):
    a = konig.linear_assignment(np.zeros(empty, dtype))
    assert (a.size, a.cost) == (0, 0)
    a.verify(np.zeros(empty, dtype))


def test_answers_are_frozen():
    a = konig.linear_assignment(C)
    for array in (a.row_ind, a.col_ind, a.row_dual, a.col_dual):
        assert not array.flags.writeable
    with pytest.raises(AttributeError):
        a.cost = 3


@pytest.mark.parametrize(
    ("costs", "options", "error", "message"),
    [
        ([1, 2], {}, ValueError, "two dimensions"),
        (np.zeros((1, 1, 1, 1)), {}, ValueError, "two dimensions"),
        (3, {}, ValueError, "two dimensions"),
        (None, {}, TypeError, "real numbers"),
        ([[1, 2], [3]], {}, ValueError, "C must be one array"),
        (np.ma.masked_equal([[1, 2]], 2), {}, ValueError, r"C\[0, 1\] is masked"),
        ([np.ma.masked_equal([1, 2], 2)], {}, ValueError, r"C\[0\]\[1\] is masked"),
        ([["a"]], {}, TypeError, "real numbers"),
        ([[1, 2], [2**70, 1]], {}, ValueError, rf"C\[1, 0\] = {2**70} does not fit into 64 bits"),
        ([[1j]], {}, TypeError, "real numbers"),
        (np.zeros((2, 2), np.longdouble), {}, TypeError, "real numbers"),
        ([[1.0, 2.0], [np.nan, np.nan]], {}, ValueError, r"C\[1, 0\] is NaN"),
        ([[1.0, -np.inf]], {}, ValueError, r"C\[0, 1\] = -inf: minimising, a pair is forbidden by inf"),
        ([[1.0], [np.inf]], {"maximize": True}, ValueError, r"C\[1, 0\] = inf: maximising"),
        (sp.eye_array(2, dtype=np.longdouble), {}, TypeError, r"real numbers \(.*float64\), not of"),
        (np.full((2, 2), 2**63, np.uint64), {}, ValueError, rf"C\[0, 0\] = 9223372036854775808: {RANGE}"),
        (np.full((2, 2), -(2**63)), {}, ValueError, rf"C\[0, 0\] = -9223372036854775808: {RANGE}"),
        (np.full((2, 2), 1 - 2**63), {"maximize": True}, ValueError, rf"-9223372036854775807: {RANGE}"),
        (np.array([[0, 0], [2**63 - 1, 0]]), {}, ValueError, rf"C\[1, 0\] = 9223372036854775807: {RANGE}"),
        (C, {"method": "no"}, ValueError, "expected one of auto, "),
        (C, {"method": "hk"}, ValueError, "not an assignment method"),
        (C, {"method": "jv", "size": 3}, TypeError, "has no knob 'size'"),
        (C, {"size": 3}, TypeError, "has no knob 'size'"),
        (C, {"device": "tpu"}, ValueError, "device='tpu'"),
        (C, {"progress": 3}, TypeError, "progress"),
        (C, {"threads": 0}, ValueError, "threads must be at least 1"),
        (C, {"seed": 1.5}, TypeError, "seed must be an integer"),
        (C, {"initial": 3}, TypeError, "initial must be"),
        (
            C,
            {"initial": (np.ma.masked_equal([1, 2, 3], 2), np.zeros(3))},
            ValueError,
            r"row duals\[1\] is masked",
        ),
        (C, {"initial": (np.zeros(3), np.zeros(2))}, ValueError, "expected 3 column duals"),
        (C, {"initial": (np.array([0, np.nan, 0]), np.zeros(3))}, ValueError, "row dual 1 is nan"),
    ],
)
def test_bad_input_is_named(costs, options, error, message):
    with pytest.raises(error, match=message):
        konig.linear_assignment(costs, **options)


def test_an_infeasible_problem_names_the_rows_or_the_columns():
    costs = np.full((3, 3), np.inf)
    costs[:, 0] = 1
    with pytest.raises(konig.InfeasibleError, match=r"1 column \([12]\) has no row"):
        konig.linear_assignment(costs)
    with pytest.raises(konig.InfeasibleError, match=r"1 column .* has no row") as caught:
        konig.linear_assignment(np.array([[1.0, np.inf], [2.0, np.inf], [3.0, np.inf]]))
    assert caught.value.cols.tolist() == [1]


def test_a_warm_start_from_anything_ends_in_the_same_cost():
    rng = np.random.default_rng(3)
    for shape in ((30, 30), (20, 45), (45, 20)):
        costs = rng.integers(0, 1000, shape)
        first = konig.linear_assignment(costs)
        again = konig.linear_assignment(costs, initial=first)
        again.verify(costs)
        assert again.cost == first.cost
        changed = costs + rng.integers(0, 3, shape)
        konig.linear_assignment(changed, initial=first).verify(changed)
        wild = (rng.normal(size=shape[0]) * 1e6, rng.normal(size=shape[1]) * 1e6)
        for given in (wild, tuple(np.rint(dual).astype(int) for dual in wild)):
            other = konig.linear_assignment(costs, initial=given)
            other.verify(costs)
            assert other.cost == first.cost
        for maximize in (False, True):
            real = konig.linear_assignment(costs / 7, initial=wild, maximize=maximize)
            real.verify(costs / 7)


@pytest.mark.parametrize("largest", [1.0, 1e280])
def test_any_duals_are_a_warm_start_of_lists(largest):
    rng = np.random.default_rng(4)
    for _ in range(40):
        rows, cols = rng.integers(2, 6, 2)
        costs = sp.csr_array(largest * (1 + rng.random((rows, cols))))
        start = [rng.choice([-1.7e308, -1e17, 0.0, 1e17, 9e307], extent) for extent in (rows, cols)]
        answer = konig.linear_assignment(costs, initial=tuple(start))
        answer.verify(costs)
        assert answer.cost == konig.linear_assignment(costs).cost


def test_progress_is_reported():
    seen = []
    n = 1200
    i = np.arange(1, n + 1)
    C = i[:, None] * i  # slow for plain shortest paths: many reports at one in 40 ms
    konig.linear_assignment(C, method="jv", progress=lambda done, total: seen.append((done, total)))
    assert seen
    assert all(0 <= done <= total == n for done, total in seen)


def test_ctrl_c_and_other_threads():
    i = np.arange(1, 6001)
    slow = (i[:, None] * i).astype(np.float64)

    def measure():
        raised = []
        timer = threading.Timer(
            0.3, lambda: (raised.append(time.perf_counter()), signal.raise_signal(signal.SIGINT))
        )
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            konig.linear_assignment(slow, method="jv")
        return time.perf_counter() - raised[0]

    assert quickest(measure, 0.2) < 0.2
    konig.linear_assignment(C).verify(C)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_bad_costs_are_found_wherever_they_are_in_large_arrays(dtype):
    """Checks go by blocks, and by pieces on several threads."""
    C = np.ones((900, 1000), dtype)
    C[5, 7] = C[899, 3] = np.inf
    for where in [(0, 0), (0, 15), (4, 95), (262, 144), (262, 143), (899, 999), (899, 992)]:
        for value, message in ((np.nan, "is NaN"), (-np.inf, "= -inf: minimising")):
            B = C.copy()
            B[where] = B[899, 999] = value
            with pytest.raises(ValueError, match=rf"C\[{where[0]}, {where[1]}\] {message}"):
                konig.linear_assignment(B)
            with pytest.raises(ValueError, match=rf"C\[{where[0]}, {where[1]}\] {message}"):
                konig.linear_assignment(B, threads=1)
    whole = np.ones((900, 1000), np.int64)
    whole[700, 1] = whole[899, 999] = np.iinfo(np.int64).min
    with pytest.raises(ValueError, match=r"C\[700, 1\] = -9223372036854775808"):
        konig.linear_assignment(whole)
