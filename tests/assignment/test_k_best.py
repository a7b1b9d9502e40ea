"""Assignments in order of cost, against all assignments there are; and proofs that can be refused."""

import copy
import itertools
import pickle
import threading
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from around_a_solve import seconds_to_stop

import konig
from konig.assignment import k_best
from konig.assignment.k_best_proof import check_ranking, whole_numbers
from konig.assignment.proof import check_hall_violator, dense_blocks

FORMATS = ("csr", "csc", "coo", "bsr", "lil", "dok", "dia")


def exact(numbers):
    return sum((Fraction(number) for number in numbers), Fraction(0))


def all_costs(C, maximize=False):
    """What all assignments cost, in order; what is not finite is forbidden."""
    short = np.asarray(C) if C.shape[0] <= C.shape[1] else np.asarray(C).T
    found = []
    for columns in itertools.permutations(range(short.shape[1]), short.shape[0]):
        chosen = [short[row, column].item() for row, column in enumerate(columns)]
        if all(abs(cost) < float("inf") for cost in chosen):
            found.append(exact(chosen))
    return sorted(found, reverse=maximize)


def checked(C, found):
    """The exact costs of different assignments that are right by themselves."""
    pairs = [(a.row_ind.tolist(), a.col_ind.tolist()) for a in found]
    assert len({tuple(zip(*each, strict=True)) for each in pairs}) == len(found)
    costs = []
    for rank, (answer, (rows, cols)) in enumerate(zip(found, pairs, strict=True)):
        assert rows == sorted(set(rows))
        assert len(set(cols)) == len(cols) == min(C.shape)
        costs.append(exact(C[row, col].item() for row, col in zip(rows, cols, strict=True)))
        assert answer.cost == (float(costs[-1]) if C.dtype.kind == "f" else costs[-1])
        assert answer.rank == rank
    return costs


FAMILIES = {
    "few integers": lambda rng, shape: rng.integers(0, 3, shape),
    "large integers": lambda rng, shape: rng.integers(-(2**62), 2**62, shape) // 5,
    "reals": lambda rng, shape: rng.standard_normal(shape),
    "tenths": lambda rng, shape: rng.integers(-3, 3, shape) * 0.1,
    "all ranges": lambda rng, shape: rng.standard_normal(shape) * 10.0 ** rng.integers(-300, 300, shape),
    "two scales": lambda rng, shape: rng.integers(0, 3, shape) * 1e-9 + rng.integers(0, 3, shape) * 1e12,
    "single precision": lambda rng, shape: rng.random(shape).astype(np.float32),
    "half precision": lambda rng, shape: rng.random(shape).astype(np.float16),
    "flags": lambda rng, shape: rng.integers(0, 2, shape).astype(bool),
    "bytes": lambda rng, shape: rng.integers(0, 256, shape).astype(np.uint8),
    "smallest": lambda rng, shape: rng.integers(0, 9, shape) * 5e-324,
}


@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("family", FAMILIES)
def test_all_assignments_come_in_order_of_their_exact_costs(family, maximize):
    rng = np.random.default_rng([len(family), maximize])
    for shape in [(0, 3), (3, 0), (1, 1), (1, 4), (3, 3), (2, 5), (5, 2), (4, 4), (3, 4), (5, 5)]:
        C = FAMILIES[family](rng, shape)
        before = C.copy()
        ranking = konig.k_best_assignments(C, maximize=maximize)
        assert checked(C, list(ranking)) == all_costs(C, maximize)
        ranking.verify(C)
        assert next(ranking, None) is None
        np.testing.assert_array_equal(C, before)


@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("shape", [(4, 4), (3, 5), (5, 3)])
def test_forbidden_pairs_are_in_none(shape, maximize):
    rng = np.random.default_rng(7)
    for _ in range(40):
        C = rng.integers(0, 5, shape).astype(float)
        C[rng.random(shape) < 0.4] = -np.inf if maximize else np.inf
        wanted = all_costs(C, maximize)
        if not wanted:
            with pytest.raises(konig.InfeasibleError):
                konig.k_best_assignments(C, maximize=maximize)
            continue
        ranking = konig.k_best_assignments(C, maximize=maximize)
        assert checked(C, list(ranking)) == wanted
        ranking.verify(C)


@pytest.mark.parametrize("layout", FORMATS)
def test_a_sparse_matrix_forbids_what_it_does_not_store(layout):
    rng = np.random.default_rng(3)
    for shape in ((4, 4), (3, 6), (6, 3)):
        dense = np.where(rng.random(shape) < 0.6, rng.integers(1, 6, shape), 0)
        np.fill_diagonal(dense, 7)
        C = sp.coo_array(dense).asformat(layout) if layout != "bsr" else sp.bsr_array(dense)
        stored = C.tocoo()
        costs = np.full(shape, np.inf)
        costs[stored.row, stored.col] = stored.data
        ranking = konig.k_best_assignments(C)
        found = list(ranking)
        assert [a.cost for a in found] == all_costs(costs)
        assert all(type(a.cost) is int for a in found)
        ranking.verify(C)


def test_stored_zeros_cost_nothing_and_duplicates_add_up():
    C = sp.coo_array(([0, 2, 3, 5], ([0, 0, 1, 1], [0, 1, 0, 1])), shape=(2, 2))
    C = sp.coo_array((np.r_[C.data, 1], (np.r_[C.row, 0], np.r_[C.col, 1])), shape=(2, 2))
    assert [a.cost for a in konig.k_best_assignments(C)] == [5, 6]


@pytest.mark.parametrize("k", [0, 1, 2, 5, 23, 24, 25, 1000])
def test_no_more_come_than_asked_for_and_than_there_are(k):
    C = np.random.default_rng(k).integers(0, 4, (4, 4))
    ranking = konig.k_best_assignments(C, k)
    assert checked(C, list(ranking)) == all_costs(C)[:k]
    assert ranking.stats["found"] == min(k, 24)
    ranking.verify(C)
    assert next(ranking, None) is None


@pytest.mark.parametrize("seed", range(20))
def test_a_limit_changes_nothing_but_the_work(seed):
    rng = np.random.default_rng(seed)
    C = FAMILIES[list(FAMILIES)[seed % len(FAMILIES)]](rng, (6, 7))
    unlimited = itertools.islice(konig.k_best_assignments(C), 300)
    limited = konig.k_best_assignments(C, 300)
    assert checked(C, list(limited)) == checked(C, list(unlimited)) == all_costs(C)[:300]
    limited.verify(C)


def test_costs_that_are_equal_in_float64_come_in_the_right_order():
    tiny = 2.0**-60 * np.array([[3, 1, 2], [2, 3, 1], [1, 2, 4]])
    C = np.vstack((np.hstack((tiny, np.full((3, 1), 1.0))), np.full((1, 4), 1.0)))
    found = list(konig.k_best_assignments(C))
    assert checked(C, found) == all_costs(C)
    assert found[0].cost == found[1].cost == 1.0
    costs = all_costs(C)
    assert costs[0] < costs[1]


def test_large_problems_come_in_order_and_are_proved():
    rng = np.random.default_rng(11)
    points = rng.random((2, 60, 2))
    for C in (
        rng.random((60, 60)),
        np.hypot(*(points[0][:, None] - points[1][None]).transpose(2, 0, 1)),
        rng.integers(0, 10, (60, 60)),
        rng.random((30, 90)),
        rng.random((90, 30)),
        sp.random_array((300, 300), density=0.02, rng=rng) + sp.eye_array(300),
    ):
        ranking = konig.k_best_assignments(C, 150)
        found = list(ranking)
        assert len(found) == 150
        assert [a.cost for a in found] == sorted(a.cost for a in found)
        assert len({a.col_ind.tobytes() + a.row_ind.tobytes() for a in found}) == 150
        ranking.verify(C)


def test_tracks_and_detections_with_gates_and_a_column_for_each_that_is_missed():
    rng = np.random.default_rng(1)
    for _ in range(10):
        distance = rng.random((4, 3)) * 4
        missed = np.full((4, 4), np.inf)
        np.fill_diagonal(missed, 2.0)
        C = np.hstack((np.where(distance < 3, distance, np.inf), missed))
        ranking = konig.k_best_assignments(C)
        assert checked(C, list(ranking)) == all_costs(C)
        ranking.verify(C)


def test_the_next_one_takes_no_more_work_than_it_needs():
    C = np.random.default_rng(0).random((40, 40))
    ranking = konig.k_best_assignments(C)
    assert ranking.stats == {"found": 0, "searches": 0}
    next(ranking)
    assert ranking.stats == {"found": 1, "searches": 0}
    next(ranking)
    after_two = ranking.stats["searches"]
    assert after_two < 40  # not one for each row: bounds come first
    next(ranking)
    assert ranking.stats["searches"] > after_two


def test_the_first_is_proved_optimal_and_the_others_only_if_they_cost_the_same():
    C = np.array([[1.5, 1.5, 9.0], [1.5, 1.5, 9.0], [9.0, 9.0, 0.25]])
    first, tied, third = itertools.islice(konig.k_best_assignments(C), 3)
    assert (first.cost, tied.cost) == (3.25, 3.25)
    first.verify(C)
    tied.verify(C)
    assert third.gap == third.cost - first.cost
    with pytest.raises(konig.CertificateError, match="not tight"):
        third.verify(C)
    np.testing.assert_array_equal(third.row_dual, first.row_dual)
    assert "cost=3.25" in repr(tied)
    assert (first.method, first.device, first.stats["rank"], third.stats["rank"]) == ("murty", "cpu", 0, 2)


@pytest.mark.parametrize("maximize", [False, True])
def test_the_first_is_proved_where_it_is_cheaper_by_less_than_float64_can_tell(maximize):
    rng = np.random.default_rng(12)
    for seed in range(200):
        C = (rng.random((4, 11)) - 0.5) * 1000
        C[rng.random(C.shape) < 0.2] = -1e300
        C[rng.random(C.shape) < 0.1] = 1e100
        C = (C if seed % 2 else C.T) * (-1 if maximize else 1)
        first = next(konig.k_best_assignments(C, maximize=maximize))
        first.verify(C)


def test_answers_of_integers_are_exact_integers():
    C = np.array([[2**62, 2**61], [2**61, 2**61 - 1]])
    low, high = konig.k_best_assignments(C)
    assert (low.cost, high.cost) == (2**62, 2**62 + 2**61 - 1)
    assert (low.gap, high.gap) == (0, 2**61 - 1)
    low, high = konig.k_best_assignments(-C, maximize=True)
    assert (low.cost, high.cost) == (-(2**62), -(2**62) - 2**61 + 1)
    assert high.gap == 2**61 - 1


def test_what_comes_later_does_not_read_the_callers_array():
    given = np.random.default_rng(2).random((6, 6))
    kept = given.copy()
    ranking = konig.k_best_assignments(given, 50)
    first = next(ranking)
    given[...] = 0
    assert checked(kept, [first, *ranking]) == all_costs(kept)[:50]
    ranking.verify(kept)


def test_an_answer_can_be_copied_and_pickled():
    C = np.random.default_rng(2).random((4, 6))
    answer = list(konig.k_best_assignments(C, 3))[2]
    for twin in (copy.deepcopy(answer), pickle.loads(pickle.dumps(answer))):
        assert (twin.cost, twin.gap, twin.rank) == (answer.cost, answer.gap, 2)
        np.testing.assert_array_equal(twin.col_ind, answer.col_ind)
        np.testing.assert_array_equal(twin.col_dual, answer.col_dual)


@pytest.mark.parametrize("start", ["answer", "duals"])
def test_a_warm_start_changes_nothing(start):
    rng = np.random.default_rng(4)
    C = rng.random((8, 8))
    earlier = konig.linear_assignment(C + 0.01 * rng.random((8, 8)))
    initial = earlier if start == "answer" else (earlier.row_dual, earlier.col_dual)
    warm = [a.cost for a in konig.k_best_assignments(C, 20, initial=initial)]
    assert warm == [a.cost for a in konig.k_best_assignments(C, 20)]


@pytest.mark.parametrize("largest", [1e308, -1e308, 1.7e308])
@pytest.mark.parametrize("give", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("kind", [np.int64, np.float64])
def test_a_warm_start_near_the_largest_float64_changes_nothing(kind, give, largest):
    C = give(np.random.default_rng(11).integers(1, 9, (4, 6)).astype(kind))
    costs = [a.cost for a in konig.k_best_assignments(C, 20)]
    for row, col in ((1, 1), (1, -1), (0, 1)):
        initial = np.full(4, row * largest), np.full(6, col * largest)
        warm = konig.k_best_assignments(C, 20, initial=initial)
        assert [a.cost for a in warm] == costs
        warm.verify(C)


def test_lists_and_other_layouts_are_taken():
    C = np.random.default_rng(6).integers(0, 9, (3, 4))
    costs = [a.cost for a in konig.k_best_assignments(C)]
    for given in (C.tolist(), np.asfortranarray(C), C[::-1][::-1], C.astype(">i4"), C.T.copy().T):
        assert [a.cost for a in konig.k_best_assignments(given)] == costs


def test_an_infeasible_problem_is_refused_with_its_violator():
    C = np.array([[1.0, np.inf, np.inf], [2.0, np.inf, np.inf], [0.0, 1.0, 2.0]])
    for given in (C, sp.csr_array(np.where(np.isfinite(C), C + 1, 0))):
        with pytest.raises(konig.InfeasibleError) as refused:
            konig.k_best_assignments(given, 5)
        check_hall_violator(dense_blocks(C), (3, 3), refused.value.rows, refused.value.cols)


@pytest.mark.parametrize(
    ("given", "options", "error", "message"),
    [
        ([[1.0, np.nan]], {}, ValueError, r"C\[0, 1\] is NaN"),
        ([[1.0, -np.inf]], {}, ValueError, r"C\[0, 1\] = -inf: minimising"),
        ([[1.0, np.inf]], {"maximize": True}, ValueError, r"C\[0, 1\] = inf: maximising"),
        (np.zeros((2, 2, 2)), {}, ValueError, "C must have two dimensions"),
        (np.zeros(3), {}, ValueError, "C must have two dimensions"),
        (np.zeros((2, 2), complex), {}, TypeError, "C must be an array of real numbers"),
        (np.array([[None, 1]], object), {}, TypeError, "C must be an array of real numbers"),
        (np.full((1, 1), 2**64 - 1, np.uint64), {}, ValueError, r"C\[0, 0\] = 18446744073709551615"),
        (sp.csr_array([[np.nan]]), {}, ValueError, r"C\[0, 0\] is NaN"),
        ([[1]], {"k": -1}, ValueError, "k must be at least 0"),
        ([[1]], {"k": 1.5}, TypeError, "k must be an integer"),
        ([[1]], {"k": True}, TypeError, "k must be an integer"),
        ([[1]], {"maximize": "no"}, TypeError, "maximize must be True or False"),
        ([[1]], {"initial": 3}, TypeError, "initial must be an Assignment"),
    ],
)
def test_bad_input_is_named(given, options, error, message):
    with pytest.raises(error, match=message):
        konig.k_best_assignments(given, **options)


ENDLESS = """
import time
import numpy as np, konig
C = np.random.default_rng(0).random(({rows}, {rows}))
ranking = konig.k_best_assignments(C[:4, :4])
next(ranking)
print("ready", flush=True)
try:
    {work}
except KeyboardInterrupt:
    print(time.monotonic(), flush=True)
assert len(list(ranking)) == 23
ranking.verify(C[:4, :4])
print("usable", flush=True)
"""


@pytest.mark.parametrize(
    ("rows", "work"),
    [
        (40, "for answer in konig.k_best_assignments(C, 10**9): pass"),
        (3000, "while True: next(konig.k_best_assignments(C))"),
    ],
    ids=["iterating", "starting"],
)
def test_an_interrupt_stops_it_and_leaves_it_usable(rows, work):
    assert seconds_to_stop(ENDLESS.format(rows=rows, work=work), limit=0.2) < 0.2


def test_threads_that_ask_the_same_ranking_get_different_answers_or_an_error():
    C = np.random.default_rng(0).integers(0, 3, (30, 30))
    ranking, found, refused = konig.k_best_assignments(C), [], []

    def ask():
        for _ in range(300):
            try:
                found.append(next(ranking).col_ind.tobytes())
            except ValueError as problem:
                refused.append(str(problem))

    asking = [threading.Thread(target=ask) for _ in range(3)]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join()
    assert len(found) + len(refused) == 900
    assert all("another thread" in message for message in refused)
    ranking.verify(C)


# ---- proofs


class Altered(k_best._RankingRecord):
    """The record of a ranking, of which a test changes something."""

    def __init__(self, ranking, **changes):
        super().__init__(ranking)
        self.changes = changes

    def __getattribute__(self, name):
        changes = object.__getattribute__(self, "__dict__").get("changes", {})
        value = object.__getattribute__(self, name)
        if name not in changes:
            return value
        change = changes[name]
        return (lambda *arguments: change(value(*arguments), *arguments)) if callable(value) else change


def ranked(k=12, shape=(6, 6), costs=9):
    C = np.random.default_rng(8).integers(0, costs, shape)
    ranking = konig.k_best_assignments(C, k)
    list(ranking)
    return C, ranking


def swapped(cell, number, which):
    pairs = cell.col_of_row.copy()
    pairs[[0, 1]] = pairs[[1, 0]]
    return replace(cell, col_of_row=pairs) if number == which else cell


def doubled(cell, number):
    pairs = cell.col_of_row.copy()
    pairs[0] = pairs[1]
    return replace(cell, col_of_row=pairs) if number == 4 else cell


def larger(array, at, by):
    array = array.astype(object)
    array[at] += by
    return array


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"cost": lambda cost, number: cost + (number == 3)}, "assignment 3 claims cost"),
        ({"cell": lambda cell, number: swapped(cell, number, 0)}, "assignment 0 claims cost"),
        ({"cell": doubled}, "assignment 4: column .* is assigned twice"),
        (
            {"cell": lambda cell, number: replace(cell, order=cell.order[: 5 if number == 0 else None])},
            "its children are not one for each row",
        ),
        ({"cell": lambda cell, number: replace(cell, parent=number)}, "first assignment is not said"),
        ({"cell": lambda cell, number: replace(cell, parent=number - (number == 0))}, "in no child of one"),
        ({"cell": lambda cell, number: replace(cell, position=99)}, "in no child of one"),
        (
            {"cell": lambda cell, number: replace(cell, parent=min(number - 1, 0), position=5)},
            "opened before|does not have the pair|cell forbids|not one for each",
        ),
        ({"duals": lambda duals, number: (larger(duals[0], 2, 1), *duals[1:])}, "the duals exceed the pair"),
        ({"duals": lambda duals, number: (larger(duals[0], 2, -40), *duals[1:])}, "may cost less|exceed"),
        ({"duals": lambda duals, number: (duals[0][1:], *duals[1:])}, "has 5 and 6 duals"),
        ({"shape": (6, 7)}, "the ranking is of a 6 x 7 matrix, not 6 x 6"),
        ({"is_all": True}, "may cost less"),
    ],
)
def test_an_altered_ranking_is_refused(changes, message):
    C, ranking = ranked()
    check_ranking(C, Altered(ranking))
    with pytest.raises(konig.CertificateError, match=message):
        check_ranking(C, Altered(ranking, **changes))


@pytest.mark.parametrize("shape", [(6, 6), (6, 7)])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda moves: replace(moves, up=moves.up - moves.up), "may cost less"),
        (lambda moves: replace(moves, up=moves.up + 1000), "the duals exceed the pair"),
        (lambda moves: replace(moves, up=-1 - moves.up), "move the wrong way"),
        (lambda moves: replace(moves, down=-1 - moves.down), "move the wrong way|may cost less"),
        (lambda moves: replace(moves, rows=moves.rows * 0), "not those of its cell|the duals exceed"),
        (lambda moves: replace(moves, rows=moves.rows + 100), "not those of its cell"),
        (lambda moves: replace(moves, spare_down=moves.spare_down - 10**6), "move the wrong way"),
    ],
)
def test_altered_duals_of_a_child_are_refused(shape, change, message):
    C, ranking = ranked(150, shape, 60)
    used = []

    def altered(moves, *_):
        used.append(moves)
        return change(moves)

    check_ranking(C, Altered(ranking, child_moves=lambda moves, *_: used.append(moves) or moves))
    assert used, "no child needed duals of its own"
    with pytest.raises(konig.CertificateError, match=message):
        check_ranking(C, Altered(ranking, child_moves=altered))


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_a_cost_that_changes_the_order_is_noticed(dtype):
    refused = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        C = rng.integers(0, 30, (5, 6)).astype(dtype)
        ranking = konig.k_best_assignments(C, 10)
        list(ranking)
        other = C.copy()
        other[tuple(rng.integers(0, 5, 2))] -= 3
        right = [float(cost) for cost in all_costs(other)[:10]] == [float(cost) for cost in all_costs(C)[:10]]
        try:
            ranking.verify(other)
            assert right
        except konig.CertificateError:
            refused += 1
    assert refused > 5


def test_numbers_of_many_words_are_read():
    words = np.array([5, 0, 2**64 - 7, 2**64 - 1, 0, 1], np.uint64)
    assert whole_numbers(2, words).tolist() == [5, -7, 2**64]
    assert whole_numbers(2, words[:4]).dtype == np.int64


def test_more_assignments_than_64_bits_count_are_all():
    C = np.array([[1, 2], [3, 4]])
    for k in (2**63 - 1, 2**63, 2**100):
        ranking = konig.k_best_assignments(C, k)
        assert [a.cost for a in ranking] == [5, 5]
        ranking.verify(C)


@pytest.mark.parametrize("copied", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_ranking_is_not_copied_but_its_assignments_are(copied):
    C = np.array([[1, 2], [3, 5]])
    ranking = konig.k_best_assignments(C)
    with pytest.raises(TypeError, match=r"neither pickled nor copied: .*list"):
        copied(ranking)
    found = pickle.loads(pickle.dumps(list(ranking)))
    assert [a.cost for a in found] == [5, 6]
    found[0].verify(C)
