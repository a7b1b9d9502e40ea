"""Sparse costs: what is not stored is forbidden, and the answers are those of dense costs."""

import numpy as np
import pytest
import scipy.sparse as sp
from cases.costs import DTYPES

import konig
from konig.assignment.proof import check_hall_violator
from konig.assignment.result import cost_blocks
from konig.interop.scipy import min_weight_full_bipartite_matching


def random_costs(rng, shape, density, dtype, real=False):
    A = sp.random_array(shape, density=density, rng=rng, format="csr")
    A.data = rng.normal(size=A.nnz) * 100 if real else rng.integers(-9, 30, A.nnz).astype(float)
    return A.astype(dtype)


def dense(A, maximize):
    D = np.full(A.shape, -np.inf if maximize else np.inf)
    coo = A.tocoo()
    D[coo.row, coo.col] = coo.data
    return D


@pytest.mark.parametrize("dtype", DTYPES)
def test_sparse_answers_are_those_of_dense_costs(dtype):
    rng = np.random.default_rng(1)
    infeasible = 0
    for trial in range(250):
        shape = rng.integers(1, 14, 2) if trial % 3 else np.repeat(rng.integers(1, 14), 2)
        A = random_costs(rng, shape, rng.choice([0.2, 0.5, 0.9]), dtype, real=bool(trial % 2))
        maximize = trial % 5 == 0
        a = konig.linear_assignment(A, maximize=maximize, full=False)
        a.verify(A)
        D = dense(A, maximize)
        b = konig.linear_assignment(D, maximize=maximize, full=False)
        b.verify(D)
        assert (a.size, a.cost) == (b.size, pytest.approx(b.cost))
        if a.size == min(A.shape):
            wild = tuple(rng.normal(size=extent) * 50 for extent in A.shape)
            again = konig.linear_assignment(A, maximize=maximize, initial=wild)
            again.verify(A)
            assert again.cost == pytest.approx(a.cost)
        else:
            infeasible += 1
            with pytest.raises(konig.InfeasibleError) as caught:
                konig.linear_assignment(A, maximize=maximize)
            blocks, extent = cost_blocks(A)
            rows, cols = caught.value.rows, caught.value.cols
            check_hall_violator(blocks, extent, rows, cols)
            allowed = np.isfinite(D)
            if len(rows) > len(cols):
                assert np.array_equal(np.flatnonzero(allowed[rows].any(axis=0)), cols)
            else:
                assert np.array_equal(np.flatnonzero(allowed[:, cols].any(axis=1)), rows)
    assert 30 < infeasible < 220


@pytest.mark.parametrize("layout", ["csr", "csc", "coo", "bsr", "lil", "dok", "dia"])
def test_unsigned_costs_in_every_format(layout):
    costs = np.array([[3, 1, 9], [2, 5, 6], [1, 8, 4]], np.uint64)
    C = sp.csr_array(costs).asformat(layout)
    a = konig.linear_assignment(C)
    a.verify(C)
    assert a.cost == konig.linear_assignment(costs).cost
    costs[1, 2] = 2**63
    with pytest.raises(ValueError, match=r"C\[1, 2\] = 9223372036854775808: integers must be from"):
        konig.linear_assignment(sp.csr_array(costs).asformat(layout))


def test_stored_zeros_cost_nothing_and_duplicates_add_up():
    rows, cols = np.array([0, 0, 1, 1, 1]), np.array([0, 1, 0, 1, 1])
    A = sp.coo_array((np.array([5, 0, 0, 3, 4]), (rows, cols)), shape=(2, 2))
    a = konig.linear_assignment(A)
    a.verify(A)
    assert (a.cost, a.col_ind.tolist()) == (0, [1, 0])
    most = konig.linear_assignment(A, maximize=True)
    most.verify(A)
    assert most.cost == 12
    small = sp.coo_array((np.array([100, 100, 1], np.int8), (rows[[0, 0, 2]], cols[[0, 0, 3]])), shape=(2, 2))
    assert konig.linear_assignment(small).cost == 201


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok", "bsr", "dia"])
def test_every_format_of_scipy_and_none_is_modified(form):
    A = sp.csr_array(np.array([[4.0, 1, 3], [2, 9, 5], [3, 2, 2]])).asformat(form)
    before = A.toarray()
    a = konig.linear_assignment(A)
    a.verify(A)
    assert a.cost == 5
    assert (A.toarray() == before).all()


def test_unsorted_lists_with_duplicates_are_left_alone():
    A = sp.csr_array((np.array([1, 2, 3, 4]), np.array([1, 0, 1, 0]), np.array([0, 3, 4])), shape=(2, 2))
    a = konig.linear_assignment(A)
    assert a.cost == 8
    a.verify(A)
    assert A.indices.tolist() == [1, 0, 1, 0]
    assert A.data.tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (np.nan, ValueError, r"C\[1, 2\] is NaN"),
        (-np.inf, ValueError, r"C\[1, 2\] = -inf"),
        (1j, TypeError, "real numbers"),
    ],
)
def test_bad_entries_are_named(value, error, message):
    A = sp.csr_array(([1.0, 1.0, value], ([0, 1, 1], [0, 0, 2])), shape=(2, 3))
    with pytest.raises(error, match=message):
        konig.linear_assignment(A)


def test_large_integers_and_long_chains_are_exact():
    rng = np.random.default_rng(2)
    A = random_costs(rng, (30, 30), 0.3, np.int64) + sp.eye_array(30, dtype=np.int64)
    A.data += 2**61
    konig.linear_assignment(A).verify(A)
    n = 300
    chain = sp.diags_array([np.full(n, 1 / 3), np.full(n - 1, -1 / 3)], offsets=[0, 1]).tocsr()
    a = konig.linear_assignment(chain)
    a.verify(chain)
    assert abs(a.col_dual).max() > 90


def test_the_long_side_may_be_rows():
    rng = np.random.default_rng(3)
    A = random_costs(rng, (60, 20), 0.4, np.float64, real=True)
    a = konig.linear_assignment(A)
    a.verify(A)
    assert a.cost == pytest.approx(konig.linear_assignment(A.T.tocsr()).cost)


def test_a_large_problem():
    n = 20_000
    rng = np.random.default_rng(4)
    cols = np.concatenate([np.arange(n)[:, None], rng.integers(0, n, (n, 9))], axis=1)
    rows = np.repeat(np.arange(n), 10)
    A = sp.csr_array((rng.integers(1, 100_000, 10 * n), (rows, cols.ravel())), shape=(n, n))
    a = konig.linear_assignment(A)
    a.verify(A)
    assert a.stats["two_sided_paths"] > 0
    real = sp.csr_array((A.data / 7, A.indices, A.indptr), shape=A.shape)
    konig.linear_assignment(real).verify(real)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int32, np.float32])
def test_duplicates_add_up_in_a_type_that_holds_their_sum(dtype):
    most = np.iinfo(dtype).max if np.dtype(dtype).kind in "iu" else 2**24
    data = np.array([most, most, 1, 1, 1, 3], dtype)
    cols = [0, 0, 1, 1, 0, 1]
    for C in (
        sp.coo_array((data, ([0, 0, 0, 0, 1, 1], cols)), (2, 2)),
        sp.csr_array((data, cols, [0, 4, 6]), (2, 2)),
    ):
        answer = konig.linear_assignment(C, maximize=True)
        assert answer.cost == 2 * int(most) + 3
        answer.verify(C)
        _, cols_taken = min_weight_full_bipartite_matching(C, maximize=True)
        assert cols_taken.tolist() == [0, 1]


def test_diagonals_of_zeros_are_no_entries():
    C = sp.dia_array((np.zeros((2, 3)), [0, 1]), (3, 3))
    assert konig.linear_assignment(C, full=False).size == 0


def test_duplicates_beyond_64_bits_are_refused_by_name():
    C = sp.coo_array((np.array([2**62, 2**62, 5]), ([0, 0, 1], [1, 1, 0])), (2, 2))
    with pytest.raises(ValueError, match=r"C\[0, 1\]: its duplicates"):
        konig.linear_assignment(C)
    for maximize, large in ((False, 1e308), (True, -1e308)):
        C = sp.coo_array((np.array([large, large, 5.0]), C.coords), (2, 2))
        with pytest.raises(ValueError, match=r"C\[0, 1\]: its duplicates"):
            konig.linear_assignment(C, maximize=maximize)


def test_a_duplicate_of_a_forbidden_pair_is_forbidden():
    C = sp.coo_array((np.array([np.inf, 5.0, 1e308, 2.0]), ([0, 0, 0, 1], [1, 1, 0, 1])), (2, 2))
    assert konig.linear_assignment(C).col_ind.tolist() == [0, 1]


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32])
@pytest.mark.parametrize("maximize", [False, True])
def test_the_least_integer_of_a_type_keeps_its_sign(dtype, maximize):
    least = np.iinfo(dtype).min
    C = np.array([[least, least, 1], [least, 1, least], [least, least, least]], dtype)
    rows, cols = np.indices(C.shape).reshape(2, -1)
    A = sp.coo_array((C.ravel(), (rows, cols)), shape=C.shape).tocsr()
    a = konig.linear_assignment(A, maximize=maximize)
    a.verify(A)
    assert a.cost == (int(least) + 2 if maximize else 3 * int(least))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("maximize", [False, True])
def test_one_native_call_answers_as_the_long_way_does(dtype, maximize):
    rng = np.random.default_rng(7)
    for rows, cols in ((1, 1), (30, 30), (20, 45), (45, 20), (600, 600), (300, 700)):
        size = min(rows, cols)
        C = random_costs(rng, (rows, cols), min(1.0, 4 / size), np.float64).tolil()
        C[np.arange(size), rng.permutation(size)] = rng.integers(0, 50, size)
        C = sp.csr_array(C)
        C.data = np.abs(C.data)
        C = C.astype(dtype)
        fast = konig.linear_assignment(C, maximize=maximize)
        fast.verify(C)
        slow = konig.linear_assignment(C, maximize=maximize, threads=2)
        assert (fast.method, fast.device) == (slow.method, slow.device) == ("jv", "cpu")
        assert (fast.cost, fast.gap) == (slow.cost, slow.gap)
        assert type(fast.cost) is type(slow.cost)
        for name in ("row_ind", "col_ind", "row_dual", "col_dual"):
            one, other = getattr(fast, name), getattr(slow, name)
            assert one.dtype == other.dtype
            assert np.array_equal(one, other)
            assert not one.flags.writeable
        assert fast.stats.keys() == slow.stats.keys()


def test_indices_and_offsets_of_either_width():
    C = random_costs(np.random.default_rng(8), (40, 60), 0.3, np.int64)
    expected = konig.linear_assignment(C).cost
    for offsets in (np.int32, np.int64):
        for ids in (np.int32, np.int64):
            wide = C.copy()
            wide.indptr, wide.indices = C.indptr.astype(offsets), C.indices.astype(ids)
            assert konig.linear_assignment(wide).cost == expected


def test_zeros_that_fill_up_a_block_cost_nothing_as_scipy_counts_them():
    entries = sp.csr_array(np.array([[5, 0, 0, 0], [0, 6, 0, 0], [0, 0, 0, 7], [0, 0, 0, 8]]))
    blocks = entries.tobsr((2, 2))
    assert blocks.nnz == 8
    a = konig.linear_assignment(blocks)
    a.verify(blocks)
    assert a.cost == konig.linear_assignment(blocks.tocsr()).cost == 7
    with pytest.raises(konig.InfeasibleError):
        konig.linear_assignment(entries)
    assert (konig.structural_rank(blocks), konig.structural_rank(entries)) == (4, 3)
    assert konig.maximum_matching(blocks, drop_zeros=True).size == 3


@pytest.mark.parametrize("at", range(7))
def test_columns_in_any_order_and_twice(at):
    rng = np.random.default_rng(at)
    start, col = np.array([0, 3, 5, 6, 8]), np.array([0, 1, 2, 0, 3, 1, 2, 3])
    cost = rng.integers(1, 100, 8)
    expected = konig.linear_assignment(sp.csr_array((cost, col, start), shape=(4, 4)))
    swapped, moved = col.copy(), cost.copy()
    swapped[[at, at + 1]], moved[[at, at + 1]] = col[[at + 1, at]], cost[[at + 1, at]]
    if at + 1 not in start:  # within a row, where it is the same matrix
        C = sp.csr_array((moved, swapped, start), shape=(4, 4))
        assert konig.linear_assignment(C).cost == expected.cost
    twice = sp.csr_array(
        (np.insert(cost, at, 5), np.insert(col, at, col[at]), start + (start > at)), shape=(4, 4)
    )
    added = twice.copy()
    added.sum_duplicates()
    assert konig.linear_assignment(twice).cost == konig.linear_assignment(added).cost
