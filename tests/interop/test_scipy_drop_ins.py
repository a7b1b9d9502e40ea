"""The drop-ins pass SciPy's own tests of the functions they replace, and do what SciPy's cannot."""

import importlib

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse import csgraph
from scipy_suite import run_scipy_tests

from konig.interop.scipy import MaximumFlowResult, maximum_bipartite_matching, maximum_flow, structural_rank

HOME, OURS = "scipy.sparse.csgraph", "konig.interop.scipy"


@pytest.mark.parametrize(
    ("module", "function", "select", "least"),
    [
        ("test_flow", "maximum_flow", "not make_", 30),
        ("test_matching", "maximum_bipartite_matching", "maximum_bipartite or large_random_graph", 11),
    ],
)
def test_scipys_own_tests_pass(tmp_path, module, function, select, least):
    module = f"scipy.sparse.csgraph.tests.{module}"
    outcome = run_scipy_tests(module, {function: (HOME, OURS)}, select, tmp_path)
    assert set(outcome.outcomes.values()) == {"passed"}, outcome.printed
    assert len(outcome.outcomes) >= least, outcome.printed
    assert outcome.status == 0
    assert outcome.calls[function] >= least


def random_network(rng, n=30):
    graph = sp.random_array((n, n), density=0.2, rng=rng, data_sampler=lambda size: rng.integers(0, 50, size))
    return sp.csr_array(graph).astype(np.int32)


def test_values_and_patterns_are_scipys():
    rng = np.random.default_rng(1)
    for _ in range(30):
        graph = random_network(rng)
        ours, theirs = maximum_flow(graph, 0, 29), csgraph.maximum_flow(graph, 0, 29)
        assert ours.flow_value == theirs.flow_value
        assert repr(ours) == repr(theirs)
        assert ours.flow.dtype == theirs.flow.dtype == np.int32
        assert (ours.flow + ours.flow.T).count_nonzero() == 0
        for name in ("indices", "indptr"):
            np.testing.assert_array_equal(getattr(ours.flow, name), getattr(theirs.flow, name))
        assert (ours.flow.toarray() <= graph.toarray()).all()
        inner = ours.flow.sum(axis=1)
        assert inner[0] == ours.flow_value == -inner[29]
        assert not inner[1:29].any()


def test_the_cut_has_the_value():
    graph = random_network(np.random.default_rng(2))
    result = maximum_flow(graph, 3, 4)
    assert isinstance(result, MaximumFlowResult)
    assert graph[result.cut][:, ~result.cut].sum() == result.flow_value
    assert result.cut[3]
    assert not result.cut[4]


def test_large_capacities_are_not_wrapped_around():
    graph = sp.csr_array(np.array([[0, 2**40], [0, 0]]))
    assert maximum_flow(graph, 0, 1).flow_value == 2**40
    assert maximum_flow(graph, 0, 1).flow[1, 0] == -(2**40)


def test_loops_duplicates_and_both_directions():
    loops = sp.csr_array((np.array([7, 3]), np.array([0, 1]), np.array([0, 2, 2])), shape=(2, 2))
    assert maximum_flow(loops, 0, 1).flow.toarray().tolist() == [[0, 3], [-3, 0]]
    twice = sp.csr_array((np.array([2, 3]), np.array([1, 1]), np.array([0, 2, 2])), shape=(2, 2))
    assert maximum_flow(twice, 0, 1).flow.toarray().tolist() == [[0, 5], [-5, 0]]
    both = sp.csr_array([[0, 5], [3, 0]])
    assert maximum_flow(both, 0, 1).flow.toarray().tolist() == [[0, 5], [-5, 0]]


@pytest.mark.parametrize(
    ("graph", "ends", "options", "error", "message"),
    [
        (np.eye(2, dtype=int), (0, 1), {}, TypeError, "graph must be in CSR format"),
        (sp.csr_array(np.eye(2)), (0, 1), {}, ValueError, "graph capacities must be integers"),
        (sp.csr_array(np.eye(2, dtype=bool)), (0, 1), {}, ValueError, "graph capacities must be integers"),
        (sp.csr_array(np.ones((2, 3), int)), (0, 1), {}, ValueError, "square matrix"),
        (
            sp.csr_array(np.eye(2, dtype=int)),
            (0, 2),
            {},
            ValueError,
            r"sink value \(2\) must be between 0 and 1",
        ),
        (sp.csr_array(np.eye(2, dtype=int)), (1, 1), {}, ValueError, "source and sink vertices must differ"),
        (sp.csr_array(np.eye(2, dtype=int)), (0.5, 1), {}, TypeError, "float"),
        (sp.csr_array(-np.eye(2, dtype=int)), (0, 1), {}, ValueError, "is negative"),
        (sp.csr_array(np.eye(2, dtype=int)), (0, 1), {"method": "simplex"}, ValueError, "simplex method"),
    ],
)
def test_errors_are_scipys_or_clearer(graph, ends, options, error, message):
    with pytest.raises(error, match=message):
        maximum_flow(graph, *ends, **options)


@pytest.mark.parametrize("layout", ["csr", "csc", "coo", "lil"])
def test_matchings_are_maximum_and_int32(layout):
    rng = np.random.default_rng(3)
    for _ in range(20):
        graph = sp.random_array((20, 25), density=0.08, rng=rng, format=layout)
        for perm_type in ("row", "column"):
            ours = maximum_bipartite_matching(graph, perm_type=perm_type)
            theirs = csgraph.maximum_bipartite_matching(sp.csr_array(graph), perm_type=perm_type)
            assert ours.dtype == np.int32
            assert len(ours) == len(theirs)
            assert (ours >= 0).sum() == (theirs >= 0).sum()


def test_a_perm_type_that_is_none_is_an_error():
    with pytest.raises(ValueError, match="perm_type must be 'row' or 'column'"):
        maximum_bipartite_matching(sp.csr_array(np.eye(2)), perm_type="col")


def test_the_package_offers_what_it_says():
    module = importlib.import_module("konig.interop.scipy")
    assert all(hasattr(module, name) for name in module.__all__)


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
@pytest.mark.parametrize("shape", [(30, 30), (20, 40), (40, 20), (0, 3), (3, 0)])
def test_structural_ranks_are_those_of_scipy(form, shape):
    graph = sp.random_array(shape, density=0.05, rng=np.random.default_rng(3), format=form)
    ours, theirs = structural_rank(graph), csgraph.structural_rank(graph)
    assert ours == theirs
    assert type(ours) is type(theirs)


def test_a_structural_rank_of_a_dense_matrix_is_refused_as_in_scipy():
    for function in (structural_rank, csgraph.structural_rank):
        with pytest.raises(TypeError, match="must be sparse"):
            function(np.eye(2))
