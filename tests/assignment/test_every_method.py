"""Every assignment method on awkward, random and real costs, proved by certificates."""

from fractions import Fraction

import numpy as np
import pytest
from cases.costs import DTYPES, awkward_costs
from cases.data import read_costs, real_costs
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays as array_of
from scipy.optimize import linear_sum_assignment

import konig
from konig.assignment.proof import check_hall_violator, dense_blocks

METHODS = [method.name for method in konig.methods("assignment") if "cpu" in method.devices]
AWKWARD = dict(awkward_costs())
REAL = real_costs()


def solved(C, **options):
    a = konig.linear_assignment(C, **options)
    a.verify(C)
    return a


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", AWKWARD)
def test_awkward_costs(method, name):
    C = AWKWARD[name]
    least = solved(C, method=method)
    turned = solved(C.T, method=method)
    most = solved(-C, method=method, maximize=True)
    assert least.size == turned.size == most.size == min(C.shape)
    if C.dtype.kind == "i":
        assert least.cost == turned.cost == -most.cost
    else:
        finite = np.abs(C[np.isfinite(C)]).max(initial=0)
        room = 8 * max(C.shape) ** 2 * np.spacing(finite) if finite < 1e300 else np.inf
        assert least.cost == turned.cost or abs(least.cost - turned.cost) <= room
        assert least.cost == -most.cost or abs(least.cost + most.cost) <= room


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_random_costs_of_every_type_and_shape(method, dtype):
    rng = np.random.default_rng(5)
    for trial in range(150):
        shape = rng.integers(1, 40, 2)
        top = int(rng.choice([1, 3, 10, 1000, 10**6]))
        C = rng.integers(-top, top + 1, shape).astype(dtype)
        if trial % 3 == 0 and np.dtype(dtype).kind == "f":
            C += rng.random(shape).astype(dtype)
        maximize = bool(trial % 2)
        a = solved(C, method=method, maximize=maximize)
        other = linear_sum_assignment(C.astype(float), maximize=maximize)
        assert a.cost == pytest.approx(C.astype(float)[other].sum(), rel=1e-6, abs=1e-6)


def check_partners(allowed, error):
    """The few of a Hall violator are the partners of the many, and no others."""
    rows, cols = (error.rows, error.cols) if len(error.rows) > len(error.cols) else (error.cols, error.rows)
    allowed = allowed if rows is error.rows else allowed.T
    assert np.array_equal(np.flatnonzero(allowed[rows].any(axis=0)), cols)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("turned", [False, True])
def test_a_violator_names_no_line_without_an_allowed_pair(method, turned):
    C = np.array([[4.0, np.inf, np.inf], [1.0, np.inf, np.inf], [2.0, np.inf, np.inf]])
    C = C.T if turned else C
    with pytest.raises(konig.InfeasibleError) as caught:
        konig.linear_assignment(C, method=method)
    check_hall_violator(dense_blocks(C), C.shape, caught.value.rows, caught.value.cols)
    check_partners(np.isfinite(C), caught.value)


@pytest.mark.parametrize("method", METHODS)
def test_forbidden_pairs(method):
    rng = np.random.default_rng(6)
    infeasible = 0
    for trial in range(300):
        shape = rng.integers(1, 12, 2)
        C = rng.normal(size=shape).astype(DTYPES[2 + trial % 2])
        maximize = bool(trial % 2)
        C[rng.random(shape) < rng.choice([0.3, 0.6, 0.9])] = -np.inf if maximize else np.inf
        try:
            a = solved(C, method=method, maximize=maximize)
            assert a.cover is None
        except konig.InfeasibleError as error:
            infeasible += 1
            check_hall_violator(dense_blocks(C), C.shape, error.rows, error.cols)
            check_partners(np.isfinite(C), error)
            a = solved(C, method=method, maximize=maximize, full=False)
            assert a.size == konig.structural_rank(np.isfinite(C))
            assert a.size == len(a.cover) < min(C.shape)
    assert infeasible > 50


@pytest.mark.parametrize("method", METHODS)
def test_middling_sizes(method):
    rng = np.random.default_rng(7)
    for shape, top in (((300, 300), 30), ((257, 300), 10**9), ((400, 130), 40), ((200, 200), 2)):
        solved(rng.integers(0, top, shape), method=method)
        solved(rng.random(shape, np.float32), method=method)


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=100, deadline=None)
@given(
    C=st.tuples(st.integers(0, 6), st.integers(0, 6)).flatmap(
        lambda shape: array_of(
            np.float64, shape, elements=st.floats(allow_nan=False, width=64).map(lambda x: abs(x) + 0.0)
        )
    )
)
def test_any_costs(method, C):
    a = konig.linear_assignment(C, method=method, full=False)
    a.verify(C)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("low", "high"),
    [(0.0, 1.198e308), (0.0, 1.199e308), (0.0, 1.7e308), (1e308, 1.6e308), (0.0, np.finfo(float).max)],
)
def test_duals_fit_if_a_constant_between_the_sides_makes_them_fit(method, low, high):
    C = np.array([[low, high], [high, np.inf]])
    for costs, maximize in ((C, False), (-C, True)):
        a = konig.linear_assignment(costs, method=method, maximize=maximize)
        a.verify(costs)


BIG = np.finfo(float).max
AT_THE_END = {
    "only the largest duals fit": [[BIG / 2, -BIG, 5e-324], [-BIG, 1, BIG], [-BIG, BIG, BIG / 2]],
    "and they are of both signs": [
        [3e307, 3e307, BIG, -BIG],
        [-BIG, BIG, -BIG, -BIG],
        [np.inf, np.inf, 9e307, 1e290],
        [np.inf, BIG, -BIG, BIG],
    ],
    "first duals are beyond float64": [
        [1e308, -1, BIG / 3, BIG / 2],
        [BIG, BIG, -BIG, -BIG / 2],
        [np.inf, BIG, BIG, 1e290],
        [BIG / 2, -1, 1e290, -1e308],
    ],
    "an auction ends with others": [
        [1e308, -BIG, -BIG, 1e308],
        [1e308, -BIG, 1e308, 1e308],
        [1e308, -BIG, 1e308, -BIG],
        [1e308, 1e308, -BIG, 1e308],
    ],
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", AT_THE_END)
def test_duals_at_the_ends_of_float64_are_found_if_there_are_any(method, name):
    C = np.array(AT_THE_END[name])
    for costs, maximize in ((C, False), (-C, True)):
        solved(costs, method=method, maximize=maximize)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("method", METHODS)
def test_the_largest_of_partial_assignments_near_the_end_of_float64(method):
    C = np.array([[BIG, -BIG, np.inf], [np.inf, np.inf, BIG], [np.inf, np.inf, -BIG]])
    assert solved(C, method=method, full=False).size == 2


def test_a_constant_that_moves_takes_no_digits_from_small_duals():
    digits = """
        -1.725312249324793 -0.44162755651499761 -1.1352515650227806 -0.7605427239250954
        -0.55881449803831036 -0.93914211807192769 -1.4651410862036329 -0.042357929970124625
        -1.3394031398763373 -0.36295609209467271 -0.083482558946903295 -1.6458763639556702
        -1.7292997328781082 -0.17501233005257363 -0.41900752161937066 -0.094503660967821693
        -0.59070591714227398 -0.86222831391496671 -0.55229492745988135 -0.71522374706999598
        -1.5343641305006797 -1.6014964228141531 -1.2874783271982838 -0.81151953496859985
        -0.55498874673610814 -0.037379176648811975 -0.70932344579712515 -0.1196090978225288
        -0.26471706011072176 -0.91313023599250987 -0.18676159076308728 -0.36251809841713772
        -1.0611329390390759 -1.1995181898295384 -1.4441593177744863 -0.042700886884868915
    """
    C = 1e308 * np.array(digits.split(), float).reshape(6, 6)
    a = konig.linear_assignment(C)
    for i, j in zip(a.row_ind, a.col_ind, strict=True):
        cost, row, col = C[i, j], a.row_dual[i], a.col_dual[j]
        slack = Fraction(float(cost)) - Fraction(float(row)) - Fraction(float(col))
        assert abs(slack) <= 2 * Fraction(float(np.spacing(max(abs(cost), abs(row), abs(col)))))


@pytest.mark.skipif(not REAL, reason="the stored instances are not here")
@pytest.mark.parametrize("method", METHODS)
def test_real_instances_have_their_known_optimum(method):
    for name, path, optimum in REAL:
        C = read_costs(path)
        for dtype in DTYPES if C.max() < 2**24 else DTYPES[1:2] + DTYPES[3:]:
            assert (C.astype(dtype) == C).all()
            assert solved(C.astype(dtype), method=method).cost == optimum, name


@pytest.mark.parametrize("shape", [(60, 60), (40, 90), (90, 40)])
@pytest.mark.parametrize("maximize", [False, True])
def test_integers_far_from_0_are_solved_as_their_differences(shape, maximize):
    C = np.random.default_rng(8).integers(0, 1000, shape)
    near = konig.linear_assignment(C, maximize=maximize, threads=1)
    for offset in (2**58, 2**61, -(2**61), 2**63 - 1100, -(2**63) + 2):
        far = C + np.int64(offset)
        a = konig.linear_assignment(far, maximize=maximize, threads=1)
        a.verify(far)
        assert a.cost == near.cost + min(shape) * offset
        if abs(offset) < 2**62:  # near the ends of 64 bits duals may need lists
            assert "entry_scans" not in a.stats


@pytest.mark.parametrize("maximize", [False, True])
def test_sums_beyond_64_bits_begin_with_duals_of_coarser_costs(maximize):
    rng = np.random.default_rng(8)
    C = np.multiply.outer(rng.integers(1, 1 << 30, 100), rng.integers(1, 1 << 30, 100))
    a = konig.linear_assignment(C, maximize=maximize, threads=1)
    a.verify(C)
    assert a.stats["entry_scans"] < 20 * C.size  # 150 from nothing
