"""What maximum_flow accepts, and what it says to what it does not accept."""

import numpy as np
import pytest
import scipy.sparse as sp

import konig

TAIL, HEAD, CAPACITY = np.array([0, 0, 1, 1, 2]), np.array([1, 2, 2, 3, 3]), np.array([4, 2, 3, 1, 6])
ARCS = (TAIL, HEAD, CAPACITY)


def refused(kind, message):
    return pytest.raises(kind, match=message)


@pytest.mark.parametrize(
    "dtype", [np.int8, np.uint8, np.int32, np.uint32, np.int64, np.uint64, np.float32, float]
)
@pytest.mark.parametrize("format", ["csr", "csc", "coo", "lil", "dok", "bsr", "dia"])
def test_every_sparse_format_and_number_type(format, dtype):
    matrix = sp.coo_array((CAPACITY.astype(dtype), (TAIL, HEAD)), shape=(4, 4)).asformat(format)
    before = matrix.toarray().copy()
    f = konig.maximum_flow(matrix, 0, 3)
    f.verify(matrix, 0, 3)
    assert f.value == 6
    assert (matrix.toarray() == before).all()
    assert f.flow.dtype == (np.float64 if np.dtype(dtype).kind == "f" else np.int64)


def test_dense_arrays_lists_and_booleans():
    dense = np.zeros((4, 4), int)
    dense[TAIL, HEAD] = CAPACITY
    assert konig.maximum_flow(dense, 0, 3).value == 6
    assert konig.maximum_flow(dense.tolist(), 0, 3).value == 6
    assert konig.maximum_flow(tuple(a.tolist() for a in ARCS), 0, 3).value == 6
    assert konig.maximum_flow((TAIL, HEAD, CAPACITY > 0), 0, 3).value == 2


def test_duplicates_add_up_in_a_matrix():
    matrix = sp.coo_array(([2, 3, 4], ([0, 0, 1], [1, 1, 2])), shape=(3, 3))
    f = konig.maximum_flow(matrix, 0, 2)
    f.verify(matrix, 0, 2)
    assert f.value == 4
    assert f.flow[0, 1] == 4
    unsorted = sp.csr_array(
        (np.array([1, 2, 3, 9]), np.array([2, 1, 1, 2]), np.array([0, 3, 4, 4])), shape=(3, 3)
    )
    g = konig.maximum_flow(unsorted, 0, 2)
    g.verify(unsorted, 0, 2)
    assert g.value == 6
    assert unsorted.indices.tolist() == [2, 1, 1, 2]


def test_parallel_arcs_keep_their_own_flow():
    f = konig.maximum_flow(([0, 0, 1], [1, 1, 2], [2, 3, 4]), 0, 2)
    assert f.flow.sum() == 8
    assert (f.flow <= [2, 3, 4]).all()


def test_undirected_edges_carry_signed_flow():
    edges = ([1, 1, 2], [0, 2, 3], [3, 2, 5])
    f = konig.maximum_flow(edges, 0, 3, undirected=True)
    f.verify(edges, 0, 3)
    assert f.value == 2
    assert f.flow.tolist() == [-2, 2, 2]
    triangle = sp.csr_array(np.triu(np.arange(16).reshape(4, 4), 1))
    g = konig.maximum_flow(triangle, 0, 3, undirected=True)
    symmetric = sp.csr_array(triangle + triangle.T)
    assert g.value == konig.maximum_flow(symmetric, 0, 3).value


def test_real_capacities_that_a_power_of_two_makes_whole():
    arcs = ([0, 0, 1, 2], [1, 2, 3, 3], [0.5, 1.25, 2.0, 0.75])
    f = konig.maximum_flow(arcs, 0, 3)
    f.verify(arcs, 0, 3)
    assert f.value == 1.25
    assert f.flow.tolist() == [0.5, 0.75, 0.5, 0.75]
    tiny = (arcs[0], arcs[1], np.array(arcs[2]) * 2.0**-300)
    assert konig.maximum_flow(tiny, 0, 3).value == 1.25 * 2.0**-300


@pytest.mark.filterwarnings("error")
def test_a_long_double_beyond_float64_is_refused():
    with pytest.raises(ValueError, match="capacity: arc 1 does not fit float64"):
        konig.maximum_flow(([0, 1], [1, 2], np.array([1, np.longdouble("1e400")])), 0, 2)


def test_infinite_capacities_are_unbounded():
    arcs = ([0, 1, 2], [1, 2, 3], [np.inf, 2.5, np.inf])
    f = konig.maximum_flow(arcs, 0, 3)
    f.verify(arcs, 0, 3)
    assert f.value == 2.5
    with refused(konig.UnboundedError, "infinite capacity lead from a source to sink 3"):
        konig.maximum_flow((arcs[0], arcs[1], [np.inf] * 3), 0, 3)


def test_a_list_is_a_matrix_and_arcs_are_a_tuple():
    rows = [[0, 3, 1], [0, 0, 2], [0, 0, 0]]
    f = konig.maximum_flow(rows, 0, 2)
    f.verify(rows, 0, 2)
    assert f.value == 3
    with refused(ValueError, r"must be square.*\(3, 5\); arcs are a tuple"):
        konig.maximum_flow([a.tolist() for a in ARCS], 0, 3)
    with refused(ValueError, r"rows of equal length .* arcs are a tuple"):
        konig.maximum_flow([[0, 1], [1]], 0, 1)


@pytest.mark.parametrize(
    ("arcs", "message"),
    [
        ((TAIL, HEAD, [4, 2, -3, 1, 6]), "capacity: arc 2 is negative: -3"),
        ((TAIL, HEAD, [4, 2, -3.5, 1, 6]), "capacity: arc 2 is negative: -3.5"),
        ((TAIL, HEAD, [4, 2, 3, np.nan, 6]), "capacity: arc 3 is not a number"),
        ((TAIL, HEAD, CAPACITY[:4]), "5 tails, 5 heads and 4 capacities"),
        ((TAIL[:2], HEAD, CAPACITY), "2 tails, 5 heads and 5 capacities"),
        ((TAIL - 1, HEAD, CAPACITY), r"tail: vertex -1 of arc 0 is out of range \[0, 4\)"),
        ((TAIL.reshape(1, 5), HEAD, CAPACITY), "tail must have one dimension, not 2"),
        ((TAIL, HEAD, CAPACITY.reshape(1, 5)), "capacity must have one dimension, not 2"),
        ((TAIL, HEAD, np.full(5, 2**63, np.uint64)), r"capacity: arc 0 is larger than 2\*\*63 - 1"),
        (([0, 1], [1, 2**70], [1, 1]), rf"head\[1\] = {2**70} does not fit into 64 bits"),
        (([0, 1], [1, 2], [1, 2**70]), rf"capacity\[1\] = {2**70} does not fit into 64 bits"),
        ([[0, -(2**70)], [0, 0]], rf"capacity\[0, 1\] = -{2**70} does not fit into 64 bits"),
        (sp.csr_array((3, 4)), r"capacity must be square.*\(3, 4\)"),
        (np.zeros(4), "two dimensions, not 1"),
    ],
)
def test_bad_networks(arcs, message):
    with refused(ValueError, message):
        konig.maximum_flow(arcs, 0, 3)


@pytest.mark.parametrize(
    ("arcs", "message"),
    [
        ((TAIL + 0.5, HEAD, CAPACITY), "tail must be integers, not float64"),
        ((TAIL, HEAD.astype(str), CAPACITY), "head must be integers"),
        (([0, True], [2, 3], [1, 1]), r"tail\[1\] must be an integer, not True"),
        ((TAIL, HEAD, CAPACITY.astype(complex)), "capacity must hold real numbers, not complex128"),
        ((TAIL, HEAD, CAPACITY.astype(str)), "capacity must hold real numbers"),
        ("network.max.txt", "not str"),
        (None, "not NoneType"),
        (np.zeros((4, 4), complex), "real numbers, not complex128"),
    ],
)
def test_things_that_are_no_network(arcs, message):
    with refused(TypeError, message):
        konig.maximum_flow(arcs, 0, 3)


def test_a_negative_entry_of_a_matrix_is_named():
    for make in (sp.csr_array, sp.coo_array):
        matrix = make(np.array([[0, 2, 0], [0, 0, -7], [0, 0, 0]]))
        with refused(ValueError, r"capacity: entry \(1, 2\) is negative: -7"):
            konig.maximum_flow(matrix, 0, 2)


@pytest.mark.parametrize(
    ("source", "sink", "kind", "message"),
    [
        (0, 0, ValueError, "sink: vertex 0 is a source too"),
        ([0, 1], [3, 1], ValueError, "sink: vertex 1 is a source too"),
        (4, 3, ValueError, r"source: vertex 4 is out of range \[0, 4\)"),
        (0, -1, ValueError, r"sink: vertex -1 is out of range \[0, 4\)"),
        ([0, 9], 3, ValueError, r"source: vertex 9 at position 1 is out of range"),
        ([], 3, TypeError, "source must be a vertex or a list of at least one"),
        (0.5, 3, TypeError, "source must be a vertex"),
        (0, "t", TypeError, "sink must be a vertex"),
        (None, 3, TypeError, "source must be a vertex"),
        (True, 3, TypeError, "source must be an integer, not True"),
        ([0, True], 3, TypeError, r"source\[1\] must be an integer, not True"),
        (0, (2, np.True_), TypeError, r"sink\[1\] must be an integer"),
        (2**70, 3, ValueError, f"source = {2**70} does not fit into 64 bits"),
        (0, [3, -(2**70)], ValueError, rf"sink\[1\] = -{2**70} does not fit into 64 bits"),
    ],
)
def test_bad_terminals(source, sink, kind, message):
    with refused(kind, message):
        konig.maximum_flow(ARCS, source, sink)


def test_bad_options():
    with refused(TypeError, "num_vertices is only for"):
        konig.maximum_flow(sp.csr_array((4, 4)), 0, 3, num_vertices=4)
    with refused(TypeError, "num_vertices must be an integer"):
        konig.maximum_flow(ARCS, 0, 3, num_vertices="4")
    with refused(TypeError, "num_vertices must be an integer, not True"):
        konig.maximum_flow(([], [], []), 0, 0, num_vertices=True)
    with refused(ValueError, "num_vertices must be at least 0, not -4"):
        konig.maximum_flow(ARCS, 0, 3, num_vertices=-4)
    with refused(ValueError, r"head: vertex 3 of arc 3 is out of range \[0, 3\)"):
        konig.maximum_flow(ARCS, 0, 2, num_vertices=3)
    with refused(TypeError, "undirected must be True or False"):
        konig.maximum_flow(ARCS, 0, 3, undirected="yes")
    with refused(ValueError, "method='hk' is not a flow method"):
        konig.maximum_flow(ARCS, 0, 3, method="hk")
    with refused(TypeError, "has no knob 'frequency'; its knobs are: relabel, gap"):
        konig.maximum_flow(ARCS, 0, 3, method="hl-pr", frequency=2)
    with refused(TypeError, "method 'auto' has no knob"):
        konig.maximum_flow(ARCS, 0, 3, relabel=2.0)
    with refused(ValueError, "threads must be at least 1"):
        konig.maximum_flow(ARCS, 0, 3, threads=0)


@pytest.mark.parametrize("method", [method.name for method in konig.methods("flow")])
def test_a_value_above_2_to_the_62_is_an_error(method):
    big = 2**62
    for arcs in (
        ([0, 0], [1, 1], [big, 1]),
        ([0, 0, 1, 2], [1, 2, 3, 3], [big, 1, big, 1]),
        ([0, 0, 1, 2, 1], [1, 2, 3, 3, 2], [big, big, big, big, 7]),
        ([0, 0, 0, 1, 2], [1, 2, 3, 3, 3], [big - 1, 1, 1, big, big]),
    ):
        with refused(ValueError, r"value of the flow is above 2\*\*62"):
            konig.maximum_flow(arcs, 0, max(arcs[1]), method=method)


def test_duplicates_beyond_int64_are_an_error():
    matrix = sp.coo_array(([2**62, 2**62, 1], ([0, 0, 1], [1, 1, 2])), shape=(3, 3))
    with refused(ValueError, r"duplicates of entry \(0, 1\) add up to more than 2\*\*63 - 1"):
        konig.maximum_flow(matrix, 0, 2)
    real = sp.coo_array(([1.5e308, 1.5e308, 1.0], ([0, 0, 1], [1, 1, 2])), shape=(3, 3))
    with refused(ValueError, r"duplicates of entry \(0, 1\) add up to more than float64 holds"):
        konig.maximum_flow(real, 0, 2)


def test_inputs_are_not_modified_and_answers_are_frozen():
    copies = [array.copy() for array in ARCS]
    f = konig.maximum_flow(ARCS, 0, 3)
    assert all((a == b).all() for a, b in zip(ARCS, copies, strict=True))
    with pytest.raises(ValueError, match="read-only"):
        f.cut[0] = False
    with pytest.raises(ValueError, match="read-only"):
        f.flow[0] = 1


def test_malformed_matrices_are_refused_before_native_code():
    matrix = sp.csr_array(np.triu(np.ones((4, 4), int), 1))
    for change, message in (
        (lambda m: m.indices.__setitem__(0, 7), r"column index 7 of entry 0 \(row 0\) is out"),
        (lambda m: m.indptr.__setitem__(1, 9), "indptr decreases at row 1"),
        (lambda m: m.indptr.__setitem__(slice(4, 5), 99), "indptr ends at 99"),
    ):
        broken = matrix.copy()
        change(broken)
        with refused(ValueError, message):
            konig.maximum_flow(broken, 0, 3)
