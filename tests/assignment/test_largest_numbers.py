"""Costs and duals near the ends of float64: proved in exact arithmetic, or refused where no duals fit."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
import scipy.sparse as sp

import konig

LARGEST = float(np.finfo(np.float64).max)
LEAST = 5e-324


def draw(rng, shape):
    """Numbers of one of some kinds, each with its own way to overflow or to cancel."""
    signs = rng.choice([-1.0, 1.0], shape)
    kinds = (
        lambda: rng.choice([-LARGEST, LARGEST, 0.0, 1.0, 2.0, -1.0], shape),
        lambda: rng.choice([-LARGEST, LARGEST, LARGEST / 2, -LARGEST / 2, 1e307, -1e307], shape),
        lambda: 10.0 ** rng.uniform(-323, 308, shape) * signs,
        lambda: rng.uniform(-1, 1, shape) * LARGEST,
        lambda: rng.choice([LEAST, -LEAST, 1.0, LARGEST, -LARGEST, 1e300, 3.0, 0.1], shape),
        lambda: np.where(rng.random(shape) < 0.3, signs * LARGEST, rng.integers(-5, 6, shape)),
        lambda: rng.choice([1e308, -1e308, 1.7e308, -1.7e308, 1e16, 1.0, 0.5], shape),
    )
    return kinds[rng.integers(len(kinds))]() + 0.0


def minimised(C, maximize):
    """Exact costs to minimise with no more rows than columns, None where forbidden."""
    C = C if C.shape[0] <= C.shape[1] else C.T
    sign = -1 if maximize else 1
    return [[sign * Fraction(x) if np.isfinite(x) else None for x in row] for row in C.tolist()]


def optimum(costs):
    """The least cost and its columns, by trying all; None if there are none."""
    rows, cols = len(costs), len(costs[0])
    totals = []
    for chosen in permutations(range(cols), rows):
        paid = [costs[i][j] for i, j in enumerate(chosen)]
        if None not in paid:
            totals.append((sum(paid), chosen))
    return min(totals, default=None)


def duals_fit(costs, chosen):
    """Whether any exact duals are within float64: the largest ones are, by Bellman and Ford."""
    most = Fraction(LARGEST)
    rows, cols = len(costs), len(costs[0])
    dual = [Fraction(0)] * cols
    for i, j in enumerate(chosen):
        if rows == cols:
            dual[j] = min(most, costs[i][j] + most)
    for _ in range(rows + 1):
        for i, j in enumerate(chosen):
            for k in range(cols):
                if costs[i][k] is not None:
                    dual[k] = min(dual[k], costs[i][k] - costs[i][j] + dual[j])
    row_dual = [costs[i][j] - dual[j] for i, j in enumerate(chosen)]
    return all(abs(x) <= most for x in dual + row_dual)


def judge(given, C, maximize, initial=None):
    costs = minimised(C, maximize)
    best = optimum(costs)
    try:
        answer = konig.linear_assignment(given, maximize=maximize, initial=initial)
    except konig.InfeasibleError:
        assert best is None
        return
    except OverflowError:
        assert not duals_fit(costs, best[1])
        return
    answer.verify(given)
    paid = [Fraction(x) for x in C[answer.row_ind, answer.col_ind].tolist()]
    excess = (-sum(paid) if maximize else sum(paid)) - best[0]
    assert 0 <= excess <= Fraction(answer.gap)


@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("kind", ["dense", "sparse", "initial", "transposed"])
def test_every_answer_is_proved_and_every_refusal_is_due(kind, maximize):
    rng = np.random.default_rng(len(kind) + maximize)
    for _ in range(250):
        shape = rng.integers(1, 5, 2)
        shape = tuple(shape[:1].repeat(2)) if rng.random() < 0.5 else tuple(shape)
        C = draw(rng, shape)
        given, initial = C, None
        if kind == "sparse":
            rows, cols = np.nonzero(rng.random(shape) < 0.7)
            given = sp.csr_array((C[rows, cols], (rows, cols)), shape=shape)
            listed = np.full(shape, np.inf)
            listed[rows, cols] = C[rows, cols]
            C = listed
        elif kind == "initial":
            initial = tuple(draw(rng, extent) for extent in shape)
        elif kind == "transposed":
            given = np.asfortranarray(C)
        judge(given, C, maximize, initial)


@pytest.mark.parametrize(
    ("C", "initial"),
    [
        ([[LEAST, LARGEST, LEAST], [1.0, -LARGEST, -LARGEST], [LEAST, 3.0, 0.1]], None),
        ([[8e-299, 3e178], [1.2e272, 1.7e210]], ([0.0, 0.0], [-1.0, -LARGEST])),
    ],
    ids=["differences", "warm-start"],
)
def test_a_solve_whose_differences_overflow_ends(C, initial):
    C = np.array(C)
    judge(C, C, False, initial and tuple(map(np.array, initial)))


def test_duals_that_do_not_fit_are_refused_on_a_rectangle():
    A = sp.csr_array((np.array([1e307, -LARGEST / 2, -LARGEST]), ([0, 0, 1], [0, 1, 0])), shape=(2, 3))
    with pytest.raises(OverflowError, match="do not fit into float64"):
        konig.linear_assignment(A, maximize=True)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_a_cost_is_rounded_once_whatever_cancels(form):
    C = np.full((4, 4), np.inf)
    np.fill_diagonal(C, [LARGEST, 2.0, -LARGEST, LEAST])
    C[np.isinf(C)] = 1e308
    C[2, :] = [np.inf, np.inf, -LARGEST, np.inf]
    C[0, :] = [LARGEST, np.inf, np.inf, np.inf]
    a = konig.linear_assignment(form(C))
    assert a.cost == 2.0
    a.verify(form(C))


def test_a_ranking_starts_from_any_duals():
    rng = np.random.default_rng(3)
    for _ in range(40):
        C = rng.integers(-9, 9, (4, 4)).astype(float)
        initial = draw(rng, 4), draw(rng, 4)
        ranked = konig.k_best_assignments(C, 5, initial=initial)
        costs = sorted(C[range(4), list(p)].sum() for p in permutations(range(4)))
        assert [a.cost for a in ranked] == costs[:5]
        ranked.verify(C)


@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("shape", [(80, 80), (70, 90), (90, 70)])
@pytest.mark.parametrize("gate", [3 * 10**17, 10**18, 2**63 - 2])
def test_gates_of_64_bits_are_exact_whether_they_are_paid_or_not(gate, shape, maximize):
    rng = np.random.default_rng(6)
    n = min(shape)
    for share in (0.0, 0.02, 0.5, 1.0):
        C = rng.integers(0, 1000, shape)
        C[rng.random(shape) < share] = gate
        C[0, 0] = gate
        if share == 0.5:
            C[: n // 2, n // 3 :] = gate - rng.integers(0, 5, (n // 2, shape[1] - n // 3))
        C = -C if maximize else C
        a = konig.linear_assignment(C, maximize=maximize)
        a.verify(C)
        assert a.cost == sum(C[a.row_ind, a.col_ind].tolist())


def test_gates_that_are_not_paid_leave_64_bits_to_sums():
    C = np.random.default_rng(7).integers(0, 1000, (200, 200))
    C[3, 4] = C[5, 6] = 10**18
    a = konig.linear_assignment(C)
    a.verify(C)
    assert "entry_scans" not in a.stats  # of lists in 128 bits
