"""The drop-ins for SciPy's assignment functions."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.optimize
import scipy.sparse as sp
from scipy.sparse import csgraph
from scipy_suite import run_scipy_tests

from konig.interop.scipy import linear_sum_assignment, min_weight_full_bipartite_matching

OURS = "konig.interop.scipy"
REPLACED = {
    "linear_sum_assignment": ("scipy.optimize", OURS),
    "min_weight_full_bipartite_matching": ("scipy.sparse.csgraph", OURS),
}


@pytest.mark.parametrize(
    ("module", "select", "called", "least"),
    [
        ("scipy.optimize.tests.test_linear_assignment", "", list(REPLACED), 18),
        (
            "scipy.sparse.csgraph.tests.test_matching",
            "min_weight or explicit_zero_causes",
            ["min_weight_full_bipartite_matching"],
            20,
        ),
    ],
)
def test_scipys_own_tests_pass(tmp_path, module, select, called, least):
    outcome = run_scipy_tests(module, REPLACED, select, tmp_path)
    assert set(outcome.outcomes.values()) == {"passed"}, outcome.printed
    assert len(outcome.outcomes) >= least, outcome.printed
    assert outcome.status == 0
    assert all(outcome.calls[name] > 0 for name in called)


def assert_same(ours, theirs):
    """Same indices, of the same types, and the caller may write into them."""
    for mine, scipys in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(mine, scipys)
        assert mine.dtype == scipys.dtype
        assert mine.flags.writeable


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4", "u1"])
@pytest.mark.parametrize("shape", [(30, 30), (20, 35), (35, 20), (1, 4), (0, 3), (3, 0)])
@pytest.mark.parametrize("maximize", [False, True])
def test_dense_answers_are_scipys_where_they_are_unique(dtype, shape, maximize):
    rng = np.random.default_rng(sum(shape))
    costs = (rng.random(shape) * 250).astype(dtype)
    ours = linear_sum_assignment(costs, maximize)
    theirs = scipy.optimize.linear_sum_assignment(costs, maximize)
    if np.dtype(dtype).kind == "f":
        assert_same(ours, theirs)
    else:
        assert costs[ours].sum() == costs[theirs].sum()
        assert [a.dtype for a in ours] == [a.dtype for a in theirs]


@pytest.mark.parametrize("shape", [(8, 8), (5, 8), (8, 5)])
@pytest.mark.parametrize("maximize", [False, True])
def test_equal_costs_give_the_diagonal(shape, maximize):
    for costs in (np.ones(shape), np.full(shape, 7), np.zeros(shape, dtype=bool)):
        rows, cols = linear_sum_assignment(costs, maximize=maximize)
        assert rows.tolist() == cols.tolist() == list(range(5 if min(shape) == 5 else 8))


def test_the_diagonal_is_not_taken_where_it_costs_more():
    costs = np.ones((4, 4))
    costs[0, 0] += 1e-12
    rows, cols = linear_sum_assignment(costs)
    assert costs[rows, cols].sum() == 4.0


def test_a_forbidden_diagonal_is_not_taken():
    for dtype in (np.float32, np.float64):
        costs = np.ones((3, 3), dtype)
        np.fill_diagonal(costs, np.inf)
        rows, cols = linear_sum_assignment(costs)
        assert costs[rows, cols].sum() == 3
        rows, cols = linear_sum_assignment(-costs, maximize=True)
        assert costs[rows, cols].sum() == 3


@pytest.mark.filterwarnings("error")
def test_a_forbidden_diagonal_is_not_taken_whatever_the_others_cost():
    big = np.finfo(float).max
    cost = np.array([[-big, np.inf, -big], [np.inf, np.inf, big], [big, big, 3e307]])
    assert linear_sum_assignment(cost)[1].tolist() == [0, 2, 1]


def test_answers_may_be_written_to():
    rng = np.random.default_rng(0)
    for costs in (rng.random((3, 4)), np.ones((3, 3)), rng.random((3, 3)).astype(np.float16)):
        assert all(indices.flags.writeable for indices in linear_sum_assignment(costs))


BAD = {
    "one dimension": [1, 2],
    "three dimensions": np.ones((2, 2, 2)),
    "nothing": [],
    "words": np.eye(2).astype(str),
    "complex": np.eye(2) * 1j,
    "objects": np.eye(2, dtype=object),
    "long doubles": np.eye(2, dtype=np.longdouble),
    "dates": np.array([["2020-01-01"]], dtype="M8[D]"),
    "a word": [["a"]],
    "none": [[None]],
    "nan": [[1.0, np.nan], [2.0, 3.0]],
    "wrong infinity": [[1.0, -np.inf], [2.0, 3.0]],
    "infeasible": [[np.inf, 1.0], [np.inf, 2.0]],
    "ragged": [[1, 2], [3]],
}


@pytest.mark.parametrize("costs", BAD.values(), ids=BAD)
def test_refused_costs_are_refused_in_scipys_words(costs):
    with pytest.raises((ValueError, TypeError)) as theirs:
        scipy.optimize.linear_sum_assignment(costs)
    with pytest.raises(type(theirs.value)) as ours:
        linear_sum_assignment(costs)
    assert str(ours.value) == str(theirs.value)


def test_infinity_is_refused_when_maximising():
    with pytest.raises(ValueError, match="matrix contains invalid numeric entries"):
        linear_sum_assignment([[np.inf, 1.0], [1.0, 2.0]], maximize=True)


def test_integers_beyond_the_exact_range_are_solved_in_doubles():
    for value, dtype in ((2**64 - 1, np.uint64), (-(2**63), np.int64)):
        costs = np.array([[value, 0], [0, 0]], dtype=dtype)
        assert_same(linear_sum_assignment(costs), scipy.optimize.linear_sum_assignment(costs))


def test_large_integers_are_exact():
    base = 2**60
    costs = np.array([[base + 1, base], [base, base + 2]])
    assert linear_sum_assignment(costs)[1].tolist() == [1, 0]


@pytest.mark.parametrize("form", ["csr_array", "csc_array", "coo_array", "csr_matrix"])
@pytest.mark.parametrize("shape", [(40, 40), (25, 40), (40, 25)])
@pytest.mark.parametrize("maximize", [False, True])
def test_sparse_answers_are_scipys_where_they_are_unique(form, shape, maximize):
    rng = np.random.default_rng(5)
    costs = np.where(rng.random(shape) < 0.4, rng.random(shape), 0.0)
    np.fill_diagonal(costs, 0.5)
    graph = getattr(sp, form)(costs)
    before = graph.copy()
    ours = min_weight_full_bipartite_matching(graph, maximize)
    assert_same(ours, csgraph.min_weight_full_bipartite_matching(graph, maximize))
    assert (graph != before).nnz == 0


@pytest.mark.parametrize(
    "graph", [np.eye(2), sp.lil_array(np.eye(2)), sp.csr_array([[1, 0], [1, 0]]), sp.csr_array([[np.inf]])]
)
def test_refused_graphs_are_refused_in_scipys_words(graph):
    with pytest.raises((ValueError, TypeError)) as theirs:
        csgraph.min_weight_full_bipartite_matching(graph)
    with pytest.raises(type(theirs.value)) as ours:
        min_weight_full_bipartite_matching(graph)
    assert str(ours.value) == str(theirs.value)


def test_weights_that_are_no_numbers_are_refused():
    with pytest.raises(ValueError, match="NaN"):
        min_weight_full_bipartite_matching(sp.csr_array([[np.nan, 1.0], [1.0, 2.0]]))
