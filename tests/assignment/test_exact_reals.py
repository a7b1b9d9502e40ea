"""Real costs are exact: nothing but their rounding to float64 lies between an answer and the optimum."""

import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from fuzz.assignment.optimum import optimal_cost

import konig
from konig import _native
from konig.assignment.auto import CORE_ROWS
from konig.exact_reals import float_sum
from konig.programs import TeamSolve

DENSE = ("auto", "jv", "auction", "core", "hungarian-classical", "hungarian-tree", "core-paths")


def euclidean(n, seed, m=None):
    rng = np.random.default_rng(seed)
    return np.linalg.norm(rng.random((n, 1, 2)) - rng.random((1, m or n, 2)), axis=2)


def judge(C, answer):
    """The answer against the optimum in rational numbers."""
    chosen = np.asarray(C)[answer.row_ind, answer.col_ind].tolist()
    cost = sum(map(Fraction, chosen))
    excess = cost - optimal_cost(np.asarray(C), answer.maximize)
    if answer.maximize:
        excess = -excess
    duals = np.concatenate([answer.row_dual, answer.col_dual])
    units = sum(map(Fraction, np.spacing(np.abs(duals)).tolist()))
    assert 0 <= excess <= Fraction(answer.gap)
    assert Fraction(answer.gap) <= Fraction(1, 10**12) * sum(abs(Fraction(c)) for c in chosen) + units
    answer.verify(C)
    return excess


@pytest.mark.parametrize("method", DENSE)
@pytest.mark.parametrize("gate", [1e5, 1e9, 1e12, 1e15, 1e18, 1e300])
def test_a_gate_changes_nothing_among_the_others(method, gate):
    E = euclidean(60, 1)
    near = np.where(E > 0.4, np.inf, E)
    wanted = konig.linear_assignment(near, method="jv")
    gated = konig.linear_assignment(np.where(E > 0.4, gate, E), method=method)
    assert judge(np.where(E > 0.4, gate, E), gated) == 0
    assert gated.cost == wanted.cost
    assert np.abs(gated.col_dual).max() < 100


@pytest.mark.parametrize("method", DENSE)
def test_where_gates_must_be_paid_the_others_are_still_exact(method):
    E = euclidean(50, 2)
    E[:7] = 1e9  # seven rows without a partner
    answer = konig.linear_assignment(E, method=method)
    others = answer.row_ind >= 7
    best = konig.linear_assignment(E[7:])
    assert Fraction(0) == judge(E, answer)
    assert E[answer.row_ind, answer.col_ind][others].sum() == pytest.approx(best.cost, rel=1e-14)


@pytest.mark.parametrize("method", DENSE)
def test_one_dear_entry_is_no_excuse(method):
    E = euclidean(40, 3)
    E[3, 5] = 1e8
    judge(E, konig.linear_assignment(E, method=method))


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_narrow_reals_are_solved_in_float64(dtype):
    E = euclidean(80, 4).astype(dtype)
    answer = konig.linear_assignment(E)
    assert judge(E.astype(np.float64), answer) == 0
    assert answer.row_dual.dtype == np.float64


def test_a_large_core_of_float32_costs_is_exact():
    E = euclidean(CORE_ROWS, 5).astype(np.float32)
    gated = np.where(E > 0.3, np.float32(1e5), E)
    for costs in (E, gated):
        answer = konig.linear_assignment(costs)
        assert answer.method == "core"
        assert answer.gap <= 1e-12 * answer.cost
        answer.verify(costs)
        whole = konig.linear_assignment(costs.astype(np.float64), method="jv")
        assert answer.cost == whole.cost


def proved_from_cut_off_costs(C, bits):
    """The proof of costs that starts from the answer of the costs cut off after so many bits."""
    start = konig.linear_assignment(np.floor(C * 2.0**bits) / 2.0**bits)
    col_of_row, row_dual, col_dual = start.col_ind.astype(np.int32), np.empty(len(C)), start.col_dual.copy()
    gap, solves = _native.prove_assignment(C, False, 1, col_of_row, row_dual, col_dual)
    return start, col_of_row, row_dual, col_dual, gap, solves


@pytest.mark.parametrize("shape", [(600, 600), (400, 600), (600, 603)])
def test_duals_that_are_nearly_right_are_corrected_in_float64(shape):
    C = euclidean(shape[0], 7, shape[1])
    start, col_of_row, _, col_dual, gap, solves = proved_from_cut_off_costs(C, 36)
    assert solves == 0
    assert gap <= 1e-12 * C[np.arange(len(C)), col_of_row].sum()
    assert np.abs(col_dual - start.col_dual).max() < len(C) * 2.0**-35  # nothing moves further than the gap


@pytest.mark.parametrize("bits", [1, 3, 6, 12])
@pytest.mark.parametrize("shape", [(60, 60), (40, 60), (60, 62)])
def test_an_assignment_of_coarse_costs_is_repaired(shape, bits):
    for seed in range(4):
        C = euclidean(shape[0], seed, shape[1])
        _, col_of_row, row_dual, col_dual, gap, _ = proved_from_cut_off_costs(C, bits)
        cost = sum(map(Fraction, C[np.arange(len(C)), col_of_row].tolist()))
        assert cost == optimal_cost(C, False)
        assert len(set(col_of_row.tolist())) == len(C)
        left_over = np.setdiff1d(np.arange(shape[1]), col_of_row)
        assert (col_dual[left_over] == 0).all()
        assert (col_dual <= 0).all() or len(left_over) == 0
        duals = sum(map(Fraction, row_dual.tolist())) + sum(map(Fraction, col_dual.tolist()))
        assert 0 <= cost - duals <= Fraction(gap)


def on_a_line(n, seed, factor, m=None):
    """Costs of which most tie but for their rounding."""
    rng = np.random.default_rng(seed)
    return np.abs(rng.random((n, 1)) - factor * rng.random((1, m or n)))


@pytest.mark.parametrize("method", ["core", "jv", "core-paths"])
@pytest.mark.parametrize("factor", [1, 3])
def test_many_ties_are_repaired_at_once(method, factor):
    C = on_a_line(400, 17, factor)
    answer = konig.linear_assignment(C, method=method)
    answer.verify(C)
    assert answer.stats["exact_solves"] <= 1
    assert answer.gap <= 1e-12 * answer.cost


@pytest.mark.parametrize("shape", [(45, 45), (45, 60)])
@pytest.mark.parametrize("gate", [1e5, 1e9])
def test_dear_gates_take_one_repair_and_small_duals(shape, gate):
    for seed in range(5):
        E = euclidean(shape[0], seed, shape[1])
        C = np.where(E > 0.08, gate, E)
        answer = konig.linear_assignment(C)
        assert judge(C, answer) == 0
        assert answer.stats["exact_solves"] <= 1


@pytest.mark.parametrize("maximize", [False, True])
def test_duals_on_the_scale_of_a_gate_are_made_small_without_an_exact_repair(maximize):
    rng = np.random.default_rng(3)
    for _ in range(6):
        rows, cols = rng.random((30, 2)), rng.random((200, 2))
        E = np.hypot(*(rows[:, None] - cols[None]).transpose(2, 0, 1))
        C = np.where(E > 0.1, 1e9, E)
        C = -C if maximize else C
        answer = konig.linear_assignment(C, maximize=maximize)
        assert judge(C, answer) == 0
        assert answer.stats["exact_solves"] == 0
        assert np.abs(answer.col_dual).max() < 1


class ReadByCallables:
    """Costs as a proof reads them elsewhere; counts the questions about pairs and the rows in them."""

    def __init__(self, C):
        self.C, self.questions, self.rows = C, 0, 0

    def find_costs(self, col_of_row, cost):
        cost[:] = self.C[np.arange(len(col_of_row)), col_of_row]

    def find_lowest(self, col_dual, lowest):
        _native.lowest_below(self.C, False, 1, col_dual, lowest)

    def find_pairs(self, rows, col_dual, bound, most):
        self.questions, self.rows = self.questions + 1, self.rows + len(rows)
        return _native.pairs_within(self.C, False, rows, col_dual, bound, most)


def proved_elsewhere(C, bits):
    """What was asked, columns, gap and repairs, from the answer to costs cut off after some bits."""
    start = konig.linear_assignment(np.floor(C * 2.0**bits) / 2.0**bits)
    pairs, row_dual, col_dual = start.col_ind.astype(np.int32), np.empty(len(C)), start.col_dual.copy()
    costs = ReadByCallables(C)
    asked = costs.find_costs, costs.find_lowest, costs.find_pairs
    gap, solves = _native.prove_assignment_by(pairs, row_dual, col_dual, *asked)
    return costs, pairs, gap, solves


@pytest.mark.parametrize(("shape", "bits"), [((70, 70), 4), ((50, 70), 4), ((70, 70), 40), ((50, 70), 40)])
def test_costs_that_are_elsewhere_are_repaired_from_pairs_of_rows(shape, bits):
    for seed in range(4):
        for C in (euclidean(shape[0], seed, shape[1]), on_a_line(shape[0], seed, 3, shape[1])):
            _, pairs, gap, _ = proved_elsewhere(C, bits)
            cost = sum(map(Fraction, C[np.arange(len(C)), pairs].tolist()))
            assert 0 <= cost - optimal_cost(C, False) <= Fraction(gap)
            assert gap <= 1e-12 * float(cost)


@pytest.mark.parametrize(("seed", "bits"), [(19, 47), (18, 45)], ids=["optimal", "not-optimal"])
def test_ties_elsewhere_take_few_rows_asked_for_together(seed, bits):
    C = on_a_line(600, seed, 3)
    costs, _, _, solves = proved_elsewhere(C, bits)
    assert solves == 1
    assert costs.rows <= 18 * len(C)
    assert costs.questions <= costs.rows / 8


@pytest.mark.parametrize("bits", [40, 44, 47])
def test_costs_elsewhere_that_do_not_tie_are_asked_for_once(bits):
    C = euclidean(600, bits)
    costs, pairs, _, solves = proved_elsewhere(C, bits)
    assert solves == 0
    assert costs.rows == len(C)
    assert optimal_cost(C, False) == sum(map(Fraction, C[np.arange(len(C)), pairs].tolist()))


def test_a_gate_that_leaves_bits_enough_needs_no_second_solve(monkeypatch):
    solves, solve = [], TeamSolve.run
    monkeypatch.setattr(TeamSolve, "run", lambda *given: solves.append(given) or solve(*given))
    E = euclidean(300, 8)
    for gate, needed in ((1e5, 1), (1e12, 2)):
        solves.clear()
        gated = np.where(E > 0.3, gate, E)
        answer = konig.linear_assignment(gated, method="core-paths", device="cpu")
        assert len(solves) == needed
        assert answer.cost == konig.linear_assignment(gated, method="jv").cost
        answer.verify(gated)


@pytest.mark.parametrize("method", DENSE)
def test_an_offset_changes_no_assignment(method):
    E = np.round(euclidean(40, 6) * 2**20) / 2**20  # differences survive the offset
    plain, moved = (konig.linear_assignment(C, method=method) for C in (E, E + 1e9))
    judge(E + 1e9, moved)
    assert E[moved.row_ind, moved.col_ind].sum() == plain.cost


@pytest.mark.parametrize("maximize", [False, True])
def test_rows_of_all_scales(maximize):
    rng = np.random.default_rng(10)
    for shape in ((30, 30), (20, 33), (33, 20)):
        C = rng.random(shape) * 10.0 ** rng.uniform(-8, 8, (shape[0], 1))
        judge(C, konig.linear_assignment(C, maximize=maximize))


@pytest.mark.parametrize("scale", [1e12, 1e18, 1e300])
def test_sparse_gates(scale):
    rng = np.random.default_rng(11)
    C = rng.random((40, 40))
    C[rng.random((40, 40)) < 0.6] = scale
    np.fill_diagonal(C, rng.random(40))
    answer = konig.linear_assignment(sp.csr_array(C))
    judge(C, answer)


def test_stored_infinities_of_sparse_costs_are_no_pairs():
    C = sp.csr_array(np.array([[np.inf, 1.0, 2.0], [np.inf, 3.0, np.inf], [5.0, 4.0, np.inf]]))
    answer = konig.linear_assignment(C)
    answer.verify(C)
    assert answer.cost == 10.0
    with pytest.raises(konig.InfeasibleError):
        konig.linear_assignment(sp.csr_array(np.array([[np.inf, 1.0], [np.inf, 3.0]])))


def test_batches_carry_their_gaps():
    rng = np.random.default_rng(12)
    C = rng.normal(size=(6, 9, 11)) * 10.0 ** rng.integers(-3, 12, (6, 9, 11))
    batch = konig.linear_assignment(C)
    batch.verify(C)
    assert batch.gap.shape == (6,)
    for b in range(6):
        judge(C[b], batch[b])


def test_the_cheapest_of_the_largest_is_proved_exactly():
    rng = np.random.default_rng(13)
    C = np.where(rng.random((30, 25)) < 0.92, np.inf, rng.random((30, 25)) * 1e3)
    answer = konig.linear_assignment(C, full=False)
    answer.verify(C)
    assert answer.gap <= 1e-12 * np.abs(C[answer.row_ind, answer.col_ind]).sum()


@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("listed", [False, True])
def test_a_dear_pair_of_one_part_costs_the_others_no_digits(maximize, listed):
    # Row 2 alone must pay; row 0 may also take the column of that part.
    C = np.array([[0, 7, 0.25], [np.inf] * 3, [np.inf, np.inf, 1e100]])
    C = -C if maximize else C
    given = sp.coo_array((C[np.isfinite(C)], np.nonzero(np.isfinite(C))), C.shape) if listed else C
    answer = konig.linear_assignment(given, full=False, maximize=maximize)
    answer.verify(given)
    assert answer.row_dual[0] + answer.col_dual[0] == C[0, 0]
    assert abs(answer.row_dual[0]) <= 7


INF = np.inf
WIDE = {
    "large-and-small": ([[INF, -0.1, -1e8], [-0.1, INF, -1e8], [INF, INF, INF]]),
    "far-below-a-unit": ([[-1.0, INF, -1e-17, -3e-17], [INF] * 4, [-1.0, -3e-17, INF, 100.0]]),
    "both-signs": ([[1e-14, -1e8, 1e8], [INF] * 3, [INF, -1e8, 1e-14]]),
}


@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("C", WIDE.values(), ids=WIDE)
def test_rounding_gives_no_dual_to_a_column_left_over(C, maximize):
    C = -np.array(C) if maximize else np.array(C)
    answer = konig.linear_assignment(C, full=False, maximize=maximize)
    answer.verify(C)
    assert not np.delete(answer.col_dual, answer.col_ind).any()


def test_integers_have_no_gap():
    answer = konig.linear_assignment(np.arange(12).reshape(3, 4))
    assert answer.gap == 0
    assert isinstance(answer.gap, int)


def test_sums_near_the_largest_float64():
    big = np.finfo(np.float64).max
    for C in (
        np.array([[big, 1.0], [1.0, -big]]),
        np.array([[big, big, 0.0], [0.0, -big, big], [-big, 0.0, big]]) / 2,
        np.diag([big, -big / 2, big, -big / 2]),
    ):
        for method in DENSE:
            answer = konig.linear_assignment(C, method=method)
            answer.verify(C)
            assert np.isfinite(answer.cost)
    diagonal = np.full((4, 4), np.inf)
    np.fill_diagonal(diagonal, [big, big, -big, -big])
    assert konig.linear_assignment(diagonal).cost == 0.0


def test_costs_six_hundred_orders_of_magnitude_apart():
    rng = np.random.default_rng(14)
    for shape in ((40, 40), (25, 40)):
        C = 10.0 ** rng.uniform(-300, 300, shape)
        judge(C, konig.linear_assignment(C))


def gap_of(C, answer):
    """The cost less the sum of the duals, in rational numbers."""
    chosen = np.asarray(C)[answer.row_ind, answer.col_ind].tolist()
    duals = [*answer.row_dual[answer.row_ind].tolist(), *answer.col_dual[answer.col_ind].tolist()]
    return abs(sum(map(Fraction, chosen)) - sum(map(Fraction, duals)))


@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("shape", [(25, 25), (40, 40), (30, 35), (35, 30)])
@pytest.mark.parametrize("method", DENSE)
def test_products_of_many_scales_have_duals_of_the_costs_that_matter(method, shape, maximize):
    for seed in range(12):
        rng = np.random.default_rng(seed)
        x, y = (10.0 ** rng.uniform(-150, 150, extent) for extent in shape)
        C = np.outer(x, y)
        answer = konig.linear_assignment(C, maximize=maximize, method=method)
        answer.verify(C)
        best = slice(-min(shape), None) if maximize else slice(min(shape))
        y_by_x = y[answer.col_ind[np.argsort(x[answer.row_ind])]]
        assert np.array_equal(np.sort(x[answer.row_ind]), np.sort(x)[best])
        assert np.array_equal(y_by_x if maximize else y_by_x[::-1], np.sort(y)[best])
        size = sum(map(Fraction, C[answer.row_ind, answer.col_ind].tolist()))
        assert gap_of(C, answer) <= Fraction(answer.gap) <= size / 10**12
        assert max(np.abs(answer.row_dual).max(), np.abs(answer.col_dual).max()) <= 4 * size


@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("method", ["auction", "core", "jv", "sparse"])
def test_small_duals_are_found_whatever_the_first_ones_are(method, maximize):
    for seed in (4, 7, 9):
        rng = np.random.default_rng(seed)
        rng.uniform(size=(2, 60))
        C = 10.0 ** rng.uniform(-150, 150, (60, 60))
        if method == "sparse":
            answer = konig.linear_assignment(sp.csr_array(C), maximize=maximize)
        else:
            answer = konig.linear_assignment(C, method=method, maximize=maximize)
        judge(C, answer)
        size = sum(map(Fraction, C[answer.row_ind, answer.col_ind].tolist()))
        assert gap_of(C, answer) <= size / 10**12


def test_a_row_and_a_block_of_infinities_are_infeasible_every_time():
    rng = np.random.default_rng(15)
    C = rng.random((700, 700))
    C[0] = np.inf
    C[7:, :6] = np.inf
    for _ in range(5):
        with pytest.raises(konig.InfeasibleError) as refusal:
            konig.linear_assignment(C)
        assert len(refusal.value.rows) > len(refusal.value.cols)
    C[0] = rng.random(700)
    answer = konig.linear_assignment(C)
    answer.verify(C)
    assert (answer.row_ind[answer.col_ind < 6] < 7).all()


@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_duals_are_feasible_in_exact_arithmetic(dtype, maximize):
    rng = np.random.default_rng(16)
    for n, m in ((1, 1), (2, 5), (7, 7), (15, 17), (16, 16), (33, 70), (70, 33)):
        C = (rng.normal(size=(n, m)) * 10.0 ** rng.integers(-6, 6, (n, m))).astype(dtype)
        answer = konig.linear_assignment(C, maximize=maximize)
        for i in range(n):
            for j in range(m):
                slack = Fraction(float(C[i, j])) - Fraction(answer.row_dual[i]) - Fraction(answer.col_dual[j])
                assert slack <= 0 if maximize else slack >= 0


def test_sums_are_rounded_once():
    rng = np.random.default_rng(5)
    for exponents in (40, 1000):
        for _ in range(200):
            count = rng.integers(0, 30)
            numbers = np.ldexp(
                rng.standard_normal(count), rng.integers(-exponents, exponents, count)
            ).tolist()
            assert float_sum(numbers) == float(sum(map(Fraction, numbers)))
    assert float_sum([1.5e308, 1.5e308, -1.5e308]) == 1.5e308
    assert float_sum([1.5e308, 1.5e308]) == math.inf


def gated_distances(rng):
    C = np.minimum(np.linalg.norm(rng.random((40, 1, 2)) - rng.random((1, 40, 2)), axis=2), 0.1)
    return C, C


def listed_costs(rng):
    C = rng.random((40, 40)) / 3 + rng.integers(0, 3, (40, 1))
    C[rng.random((40, 40)) < 0.7] = np.inf
    np.fill_diagonal(C, 2.0)
    row, col = np.nonzero(np.isfinite(C))
    return C, sp.csr_array((C[row, col], (row, col)), shape=C.shape)


@pytest.mark.parametrize("draw", [gated_distances, listed_costs])
def test_row_duals_of_listed_entries_are_the_smallest_differences_rounded_down(draw):
    for seed in range(5):
        C, given = draw(np.random.default_rng(seed))
        a = konig.linear_assignment(given)
        for row, dual in zip(C, a.row_dual, strict=True):
            pairs = zip(row[np.isfinite(row)].tolist(), a.col_dual[np.isfinite(row)].tolist(), strict=True)
            least = min(Fraction(cost) - Fraction(col_dual) for cost, col_dual in pairs)
            assert Fraction(dual) <= least < Fraction(math.nextafter(dual, math.inf))


@pytest.mark.parametrize("layout", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("maximize", [False, True])
def test_a_cost_beyond_float64_is_infinite_and_its_pairs_are_proved(layout, maximize):
    C = layout(np.array([[1.5e308, 1e308], [1.2e308, 1.4e308]]))
    a = konig.linear_assignment(-C if maximize else C, maximize=maximize)
    a.verify(-C if maximize else C)
    assert a.col_ind.tolist() == [1, 0]
    assert a.cost == (-np.inf if maximize else np.inf)
    assert a.gap == 0


@pytest.mark.parametrize("method", ["auto", "jv"])
def test_costs_near_the_largest_float64_do_not_start_from_duals_beyond_it(method):
    forbidden, largest = np.inf, np.finfo(np.float64).max
    parts = [
        [0.5, 1.0, 0.0, -0.75, 0.25, 1.0, 0.5],
        [0.0, forbidden, 1.0, forbidden, forbidden, forbidden, forbidden],
        [forbidden, forbidden, forbidden, 0.5, forbidden, 0.5, 0.5],
        [forbidden, 1.0, forbidden, forbidden, forbidden, 1.0, 1.0],
        [0.5, 0.5, 0.25, forbidden, 0.5, forbidden, forbidden],
        [1.0, forbidden, forbidden, -0.75, 0.0, -0.75, forbidden],
        [forbidden, 0.5, forbidden, 0.5, forbidden, 1.0, 0.25],
    ]
    C = np.where(np.array(parts) == 0, 1.0, largest * np.array(parts))
    allowed = np.isfinite(C)
    for costs in (C, sp.csr_array((C[allowed], np.nonzero(allowed)), shape=C.shape)):
        konig.linear_assignment(costs, method=method).verify(costs)
