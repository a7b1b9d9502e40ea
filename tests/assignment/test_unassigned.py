"""Rows and columns left alone at a cost: the optimum of all matchings, proved, in every form of input."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from matchings_tried import KINDS, best_cost, cost_of, numbers

import konig
from konig.assignment import batch as batch_module
from konig.assignment import cpu, unassigned, unassigned_batch
from konig.assignment.methods import JV

METHODS = ({}, {"method": "jv"}, {"method": "core", "threads": 1}, {"method": "hungarian-tree"})


def drawn(rng, kind):
    """Costs, and what leaving rows and columns alone costs, in one of the forms that are taken."""
    rows, cols = (int(n) for n in rng.integers(0, 5, 2))
    maximize = bool(rng.integers(2))
    C = numbers(rng, kind, (rows, cols))
    if C.dtype.kind == "f" and rng.random() < 0.5:
        C[rng.random(C.shape) < 0.3] = -np.inf if maximize else np.inf
    other = kind if kind == "huge" or rng.random() < 0.7 else rng.choice(["integers", "reals", "hostile"])

    def side(extent):
        form = rng.integers(4)
        if form == 0:
            return None
        return numbers(rng, other).item() if form == 1 else numbers(rng, other, extent)

    alone = numbers(rng, other).item() if rng.random() < 0.3 else (side(rows), side(cols))
    return C, alone, maximize


def check(C, alone, maximize, answer, costs=None):
    """Proved, and as good as the best of all matchings but for the gap."""
    answer.verify(C if costs is None else costs, unassigned_cost=alone)
    sides = unassigned.checked(alone, C.shape, C.dtype.kind == "f")
    pairs = list(zip(answer.row_ind.tolist(), answer.col_ind.tolist(), strict=True))
    assert len(answer.unassigned_rows) == C.shape[0] - len(pairs)
    assert len(answer.unassigned_cols) == C.shape[1] - len(pairs)
    off = cost_of(C, sides.row, sides.col, pairs) - best_cost(C, sides.row, sides.col, maximize)
    assert abs(off) <= Fraction(answer.gap)
    if not sides.is_real:
        assert isinstance(answer.cost, int)
        assert off == answer.gap == 0


@pytest.mark.parametrize("kind", KINDS)
def test_small_answers_are_the_best_of_all(kind):
    rng = np.random.default_rng(KINDS.index(kind))
    for _ in range(60):
        C, alone, maximize = drawn(rng, kind)
        for how in METHODS:
            check(
                C,
                alone,
                maximize,
                konig.linear_assignment(C, maximize=maximize, unassigned_cost=alone, **how),
            )
        allowed = np.isfinite(C)
        listed = sp.coo_array((C[allowed], np.nonzero(allowed)), C.shape)
        matrix = listed.asformat(rng.choice(["csr", "csc", "coo", "lil"]))
        answer = konig.linear_assignment(matrix, maximize=maximize, unassigned_cost=alone)
        check(C, alone, maximize, answer, matrix)


@pytest.mark.parametrize("shape", [(40, 40), (30, 50), (50, 30), (1, 7), (7, 1)])
@pytest.mark.parametrize("real", [False, True])
def test_larger_answers_are_those_of_the_extended_matrix(shape, real):
    rng = np.random.default_rng(5)
    rows, cols = shape
    for maximize in (False, True):
        C = rng.integers(-50, 50, shape)
        r, c = rng.integers(-20, 20, rows), rng.integers(-20, 20, cols)
        if real:
            C, r, c = C / 8, r / 8, c / 8  # sums of these are exact
        far = -(10**6) if maximize else 10**6
        lower = np.where(np.eye(cols, dtype=bool), c[:, None], far)
        right = np.where(np.eye(rows, dtype=bool), r[:, None], far)
        extended = np.block([[C, right], [lower, np.zeros((cols, rows), C.dtype)]])
        expected = konig.linear_assignment(extended, maximize=maximize).cost
        for how in METHODS:
            a = konig.linear_assignment(C, maximize=maximize, unassigned_cost=(r, c), **how)
            a.verify(C, unassigned_cost=(r, c))
            assert a.cost == expected
        a = konig.linear_assignment(sp.csr_array(C), maximize=maximize, unassigned_cost=(r, c))
        a.verify(sp.csr_array(C), unassigned_cost=(r, c))
        listed = sp.coo_array((C.ravel(), (np.repeat(np.arange(rows), cols), np.tile(np.arange(cols), rows))))
        assert konig.linear_assignment(listed, maximize=maximize, unassigned_cost=(r, c)).cost == expected


def test_a_number_is_a_limit_of_what_pairs_cost():
    rng = np.random.default_rng(6)
    for shape in ((20, 30), (30, 20), (25, 25)):
        C = rng.random(shape)
        a = konig.linear_assignment(C, unassigned_cost=0.05)
        assert (C[a.row_ind, a.col_ind] <= 0.05).all()
        half = konig.linear_assignment(C, unassigned_cost=(0.025, 0.025))
        assert half.row_ind.tolist() == a.row_ind.tolist()
        assert half.col_ind.tolist() == a.col_ind.tolist()


def test_ties_with_leaving_alone_are_decided_exactly():
    limit, above = 0.3, np.nextafter(0.3, 1)
    for C, pairs in (([[limit]], 1), ([[above]], 0)):
        assert konig.linear_assignment(C, unassigned_cost=limit).size == pairs
        assert konig.linear_assignment(sp.csr_array(np.array(C)), unassigned_cost=limit).size == pairs
    # 1e16 + 1 has no float64: a pair of 1e16 is cheaper than both alone, one of 1e16 + 2 is dearer.
    for cost, pairs in ((1e16, 1), (1e16 + 2, 0)):
        a = konig.linear_assignment(np.array([[cost]]), unassigned_cost=(1e16, 1.0))
        assert a.size == pairs
        a.verify([[cost]], unassigned_cost=(1e16, 1.0))


def test_prohibitive_costs_of_leaving_alone_keep_the_digits_of_pairs():
    rng = np.random.default_rng(7)
    C = rng.random((60, 60))
    for alone in (1e15, (1e9, 1e15), (None, rng.choice([0.0, 1e12], 60)), (rng.choice([1e3, 1e15], 60), 1e9)):
        a = konig.linear_assignment(C, unassigned_cost=alone)
        a.verify(C, unassigned_cost=alone)
        assert a.gap <= 1e-12 * max(1.0, abs(a.cost))
    assert konig.linear_assignment(C, unassigned_cost=1e15).cost == konig.linear_assignment(C).cost


def test_a_row_of_a_list_that_must_be_assigned_is():
    S = sp.csr_array([[0.5, 0.0], [0.25, 0.75], [0.625, 0.0]])
    for prohibitive in (1e15, 1e16, 1e17, 1e20, 1e300):
        alone = ([1.0, prohibitive, 1.0], [0.0, 2.0])
        a = konig.linear_assignment(S, unassigned_cost=alone)
        a.verify(S, unassigned_cost=alone)
        assert (a.row_ind.tolist(), a.col_ind.tolist(), a.cost) == ([0, 1], [0, 1], 2.25)


def test_sums_beyond_float64_on_the_way_are_none_in_the_end():
    largest = np.finfo(np.float64).max
    C = np.array([[largest], [-largest], [np.inf]])
    alone = (np.array([8e307, -8e307, 8e307]), np.array([-8e307]))
    for costs in (C, sp.csr_array(([largest, -largest], ([0, 1], [0, 0])), shape=C.shape)):
        check(C, alone, False, konig.linear_assignment(costs, unassigned_cost=alone), costs)
    a = konig.linear_assignment([[np.inf]], unassigned_cost=(1e308, 1e308))
    assert (a.size, a.row_dual.tolist(), a.col_dual.tolist()) == (0, [1e308], [1e308])
    rows, cols = [0, 0, 0, 1, 1, 1, 1, 2], [0, 2, 3, 0, 1, 2, 3, 2]
    parts = np.array([-1.0, 0.0, 0.5, 1.0, -0.75, 1.0, -0.75, 1.0])
    listed = sp.csr_array((np.where(parts == 0, 1.0, largest * parts), (rows, cols)), shape=(3, 4))
    alone = largest * np.array([0.6, 0.0, 1.0]), largest * np.array([-1.0, 0.0, 1.0, -1.0])
    a = konig.linear_assignment(listed, unassigned_cost=alone)
    pairs = list(zip(a.row_ind.tolist(), a.col_ind.tolist(), strict=True))
    full = np.full(listed.shape, np.inf)
    full[rows, cols] = listed.toarray()[rows, cols]
    assert cost_of(full, *alone, pairs) == best_cost(full, *alone, False)


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint16, np.uint64, np.float16, np.float32, ">f8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_costs_of_any_type_and_order(dtype, order):
    given = np.random.default_rng(8).integers(0, 2 if dtype is bool else 9, (7, 9))
    C = np.asarray(given.astype(dtype), order=order)
    before = C.copy()
    expected = konig.linear_assignment(given.astype(np.int64), unassigned_cost=(3, 1)).cost
    for alone in ((3, 1), (3.0, np.ones(9, np.float32)), (np.full(7, 3, np.int8), 1), ([3] * 7, np.uint8(1))):
        a = konig.linear_assignment(C, unassigned_cost=alone)
        a.verify(C, unassigned_cost=alone)
        assert a.cost == expected
    assert (before == C).all()
    assert konig.linear_assignment(given.tolist(), unassigned_cost=(3, 1)).cost == expected


def test_nothing_allowed_leaves_all_alone():
    C = np.full((3, 2), np.inf)
    a = konig.linear_assignment(C, unassigned_cost=(1.5, [1, 2]))
    assert (a.size, a.cost) == (0, 7.5)
    assert a.row_dual.tolist() == [1.5] * 3
    a.verify(C, unassigned_cost=(1.5, [1, 2]))
    for shape in ((0, 0), (0, 2), (3, 0)):
        empty = konig.linear_assignment(np.zeros(shape, int), unassigned_cost=(5, 7))
        assert empty.cost == 5 * shape[0] + 7 * shape[1]
        empty.verify(np.zeros(shape, int), unassigned_cost=(5, 7))


@pytest.mark.parametrize(
    ("alone", "error", "message"),
    [
        (np.nan, ValueError, "row 0: nan is not a finite number"),
        ((1.0, [0.0, np.inf, 1.0]), ValueError, "column 1: inf is not a finite number"),
        ((1, 2, 3), ValueError, r"must be a number or a pair \(rows, columns\)"),
        ([1, 2], TypeError, "must be a number or a pair"),
        (np.ones(2), TypeError, "must be a number or a pair"),
        ((np.ones(3), None), ValueError, "expected 2 row costs or one, not an array of shape"),
        ((None, "much"), TypeError, "column costs must be real numbers"),
        ("much", TypeError, "row costs must be real numbers"),
        (True, TypeError, "row costs must be real numbers, not bool"),
        ((1j, None), TypeError, "row costs must be real numbers, not complex"),
        (2**63, ValueError, "does not fit into 64 bits"),
        (2**70, ValueError, f" = {2**70} does not fit into 64 bits"),
        ((2**53 + 1, 0.5), ValueError, "takes more digits than float64 has"),
    ],
)
def test_bad_costs_of_leaving_alone_are_named(alone, error, message):
    for C in (np.ones((2, 3), int), sp.csr_array(np.ones((2, 3), int))):
        with pytest.raises(error, match=f"^unassigned_cost.*{message}"):
            konig.linear_assignment(C, unassigned_cost=alone)


def test_bad_costs_are_named_as_ever():
    C = np.ones((3, 3))
    C[1, 2] = np.nan
    with pytest.raises(ValueError, match=r"C\[1, 2\] is NaN"):
        konig.linear_assignment(C, unassigned_cost=1.0)
    C[1, 2] = -np.inf
    with pytest.raises(ValueError, match=r"C\[1, 2\] = -inf: minimising"):
        konig.linear_assignment(C, unassigned_cost=1.0)
    with pytest.raises(ValueError, match=r"C\[0, 0\] = 9007199254740993 takes more digits"):
        konig.linear_assignment(np.array([[2**53 + 1]]), unassigned_cost=0.5)
    with pytest.raises(ValueError, match="initial does not go with unassigned_cost"):
        konig.linear_assignment(np.ones((2, 2)), unassigned_cost=1, initial=(np.zeros(2), np.zeros(2)))


@pytest.mark.parametrize("least", [-(2**31), -(2**62)])
def test_the_least_integers_have_their_negatives(least):
    C = np.full((3, 3), least, np.int32 if least == -(2**31) else np.int64)
    C[0] = 5
    for how in METHODS:
        check(C, 7, True, konig.linear_assignment(C, maximize=True, unassigned_cost=7, **how))
    listed = sp.coo_array(C).tocsr()
    check(C, 7, True, konig.linear_assignment(listed, maximize=True, unassigned_cost=7), listed)


# ---- verify


def test_the_problem_must_be_said_again():
    C = np.array([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
    a = konig.linear_assignment(C, unassigned_cost=2)
    with pytest.raises(konig.CertificateError, match="pass verify the same unassigned_cost"):
        a.verify(C)
    with pytest.raises(konig.CertificateError, match="without unassigned_cost"):
        konig.linear_assignment(C).verify(C, unassigned_cost=2)
    for other in (1, 3, (2, 1), (1, 1), (0, 2)):
        with pytest.raises(konig.CertificateError):
            a.verify(C, unassigned_cost=other)


@pytest.mark.parametrize("scale", [1, 0.5])
def test_wrong_answers_are_refused(scale):
    rng = np.random.default_rng(9)
    C = rng.integers(0, 20, (8, 9)) * scale
    alone = (rng.integers(0, 9, 8) * scale, rng.integers(0, 5, 9) * scale)
    a = konig.linear_assignment(C, unassigned_cost=alone)
    assert 0 < a.size < 8
    step = 1 if scale == 1 else 0.5
    for name in ("row_dual", "col_dual"):
        for k in range(len(getattr(a, name))):
            for by in (-step, step):
                dual = getattr(a, name).copy()
                dual[k] += by
                with pytest.raises(konig.CertificateError):
                    replace(a, **{name: dual}).verify(C, unassigned_cost=alone)
    wrong = [
        replace(a, cost=a.cost + step),
        replace(a, gap=a.gap + step),
        replace(a, row_ind=a.row_ind[1:], col_ind=a.col_ind[1:]),
        replace(a, row_ind=a.row_ind[1:], col_ind=a.col_ind[1:], cost=a.cost - C[a.row_ind[0], a.col_ind[0]]),
        replace(a, cover=konig.VertexCover(np.array([0]), np.array([2]))),
        replace(a, maximize=True),
        replace(a, may_leave_alone=False),
    ]
    for answer in wrong:
        with pytest.raises(konig.CertificateError):
            answer.verify(C, unassigned_cost=alone)


# ---- batches


def ragged(rng, kind):
    shape = (6, *(int(n) for n in rng.integers(1, 5, 2)))
    C = numbers(rng, kind, shape)
    counts = {"row_counts": rng.integers(0, shape[1] + 1, 6), "col_counts": rng.integers(0, shape[2] + 1, 6)}
    alone = rng.choice(3)
    sides = [numbers(rng, kind).item(), (numbers(rng, kind, shape[:2]), None)]
    sides.append((numbers(rng, kind, shape[1]), numbers(rng, kind, (6, 1))))
    return C, counts, sides[alone]


def _divided(alone):
    if isinstance(alone, tuple):
        return tuple(None if side is None else side >> 4 for side in alone)
    return alone >> 4


def check_batch(C, counts, alone, found, maximize):
    found.verify(C, unassigned_cost=alone)
    sides = unassigned.checked(alone, C.shape, C.dtype.kind == "f")
    for b, one in enumerate(found):
        rows, cols = counts["row_counts"][b], counts["col_counts"][b]
        part = sides.of_problem(b, rows, cols)
        check(C[b, :rows, :cols], (part.row, part.col), maximize, one)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("maximize", [False, True])
def test_batches_are_the_best_of_all(kind, maximize):
    rng = np.random.default_rng(10)
    for _ in range(8):
        C, counts, alone = ragged(rng, kind)
        if kind == "huge":
            C, alone = C >> 4, _divided(alone)  # so that sums of all costs fit into 64 bits
        found = konig.linear_assignment(C, maximize=maximize, unassigned_cost=alone, **counts)
        check_batch(C, counts, alone, found, maximize)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "huge"])
@pytest.mark.parametrize("maximize", [False, True])
def test_batches_are_reduced_and_proved_where_they_are(kind, maximize, monkeypatch):
    """What a GPU does with a batch, on arrays of the host."""

    def solve_full(xp, C, maximize, row_counts, col_counts, report, seconds):
        return cpu.solve_batch(C, cpu.How(JV, {}, maximize), row_counts, col_counts)

    monkeypatch.setattr(batch_module, "solve_batch", solve_full)
    rng = np.random.default_rng(11)
    how = cpu.How(JV, {}, maximize)
    proved = 0
    for _ in range(12):
        C, counts, alone = ragged(rng, kind)
        sides = unassigned.checked(alone, C.shape, C.dtype.kind == "f")
        found = unassigned_batch.solve(np, C, sides, how, *counts.values(), {})
        proved += (found.outcomes == 0).sum()
        batch_module.solve_rest(C, found, how, *counts.values(), None, sides)
        numbers_of = (found.row_ind, found.col_ind, found.cost, found.gap, found.row_dual, found.col_dual)
        answer = konig.AssignmentBatch(
            *numbers_of, "jv", "cpu", {}, **counts, maximize=maximize, may_leave_alone=True
        )
        check_batch(C, counts, alone, answer, maximize)
    assert proved > 12 * 6 * (0.3 if kind in ("hostile", "largest", "absorbed") else 0.9)


def test_a_batch_must_be_told_its_costs_again():
    C = np.random.default_rng(12).random((4, 5, 6))
    found = konig.linear_assignment(C, unassigned_cost=0.2)
    found.verify(C, unassigned_cost=0.2)
    for other in (None, 0.3, (0.2, 0.1)):
        with pytest.raises(konig.CertificateError):
            found.verify(C, unassigned_cost=other)
    with pytest.raises(ValueError, match="problem 1, column 2: nan"):
        konig.linear_assignment(
            C, unassigned_cost=(None, np.where(np.arange(24).reshape(4, 6) == 8, np.nan, 0))
        )


def test_columns_left_alone_have_the_duals_that_they_should_have():
    # Duals of the extended matrix are large here, and their sums, which are small, would keep their rounding.
    C = np.array(
        [
            [1.0068567707070839e15, 9.591848586745111e08, -0.9798545663746768, -797795757.8895382],
            [-709684870.7086849, -0.0006071971852553313, -0.7978229151665286, -584238229157347.0],
        ]
    )
    alone = (None, C[0].copy())
    konig.linear_assignment(C, unassigned_cost=alone).verify(C, unassigned_cost=alone)


def random_lists(n, degree, seed, kind="f"):
    """A square with random entries and a permutation; most rows can be assigned."""
    rng = np.random.default_rng(seed)
    row = np.concatenate([np.repeat(np.arange(n), degree), np.arange(n)])
    col = np.concatenate([rng.integers(0, n, degree * n), rng.permutation(n)])
    cost = rng.random(len(row)) + 0.01 if kind == "f" else rng.integers(1, 1000, len(row))
    return sp.csr_array((cost, (row, col)), shape=(n, n))


@pytest.mark.parametrize("kind", ["f", "i"])
def test_long_paths_in_lists_are_found_in_the_doubled_square(kind):
    n, scale = 12_000, 1.0 if kind == "f" else 1000
    C = random_lists(n, 9, 3, kind)
    lenient = konig.linear_assignment(C, unassigned_cost=100 * scale)
    assert lenient.stats["bids"] > n
    lenient.verify(C, unassigned_cost=100 * scale)
    assert lenient.cost == pytest.approx(konig.linear_assignment(C).cost, rel=1e-12)
    limit = 1.2 if kind == "f" else 1200
    few_alone = konig.linear_assignment(C, unassigned_cost=limit)
    few_alone.verify(C, unassigned_cost=limit)
    assert 0 < len(few_alone.unassigned_rows) < n // 50
    limit = 0.25 if kind == "f" else 250
    strict = konig.linear_assignment(C, unassigned_cost=limit)
    assert strict.stats["bids"] == 0
    strict.verify(C, unassigned_cost=limit)


def test_long_paths_with_a_cost_for_each_row_and_column():
    n = 6000
    rng = np.random.default_rng(8)
    C = random_lists(n, 8, 4)
    alone = rng.random(n) * 3 + 1, rng.random(n) / 10
    for maximize in (False, True):
        sign = -1 if maximize else 1
        costs, each = sign * C, (sign * alone[0], sign * alone[1])
        found = konig.linear_assignment(costs, maximize=maximize, unassigned_cost=each)
        assert found.stats["bids"] > n
        found.verify(costs, unassigned_cost=each)


def test_many_rows_without_entries_take_no_time():
    """Each of them once read all entries before its own."""
    n = 40_000
    rng = np.random.default_rng(5)
    rows = rng.integers(0, n // 2, 3 * n)
    C = sp.csr_array((rng.random(3 * n), (rows, rng.integers(0, n, 3 * n))), shape=(n, n))
    found = konig.linear_assignment(C, unassigned_cost=0.5)
    assert found.stats["entry_scans"] < 4 * C.nnz


def test_large_integers_in_lists_are_solved_within_limits():
    """Sums of these take more than 64 bits."""
    rng = np.random.default_rng(6)
    for _ in range(60):
        rows, cols = (int(n) for n in rng.integers(1, 5, 2))
        C = 2 ** rng.integers(30, 58, (rows, cols)) + rng.integers(0, 9, (rows, cols))
        alone = 2 ** rng.integers(20, 58, rows), 2 ** rng.integers(20, 58, cols)
        check(C, alone, False, konig.linear_assignment(sp.csr_array(C), unassigned_cost=alone))
