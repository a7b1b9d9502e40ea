"""Small networks of integers in NumPy's arrays are answered by one native call, as the longer way does."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp

import konig
from konig import _native
from konig.exact_reals import exact_sum, finest_exponent
from konig.flow.auto import SMALL
from konig.flow.cpu import default_plan
from konig.flow.inputs import arrays_of, as_network, network_bound

THE_LONGER_WAY = {"seed": 0}  # which the native call does not take


def solved(given, source, sink, undirected=False):
    """What the native call returns."""
    return _native.flow_small(konig.Flow, default_plan(), SMALL, *given, source, sink, undirected)


def taken(capacity, source, sink, num_vertices=None, undirected=False):
    """Whether the native call answers."""
    given = arrays_of(capacity, num_vertices)
    return given is not None and solved(given, source, sink, undirected) is not None


def random_terminals(rng, vertices):
    """One source and one sink, or several of them, as ints, lists, tuples or arrays."""
    most = max(1, vertices // 3)
    sources, sinks = (int(rng.integers(1, most + 1)) for _ in range(2))
    ids = rng.permutation(vertices)[: sources + sinks]
    several = np.ndarray.tolist, tuple, np.int32, np.int64
    one = int, np.int32, np.int64, np.uint8
    return tuple(
        one[rng.integers(4)](part[0]) if rng.random() < 0.4 else several[rng.integers(4)](part)
        for part in (ids[:sources], ids[sources:])
    )


def random_arcs(rng, integer=np.int64, capacity=np.int64):
    vertices, arcs = int(rng.integers(2, 40)), int(rng.integers(0, 200))
    tail, head = rng.integers(0, vertices, (2, arcs)).astype(integer)
    return vertices, (tail, head, rng.integers(0, 50, arcs).astype(capacity))


@pytest.mark.parametrize("integer", [np.int32, np.int64])
@pytest.mark.parametrize("capacity", [np.int32, np.int64])
def test_the_short_way_gives_the_answer_of_the_long_one(integer, capacity):
    rng = np.random.default_rng(5)
    for _ in range(60):
        vertices, arcs = random_arcs(rng, integer, capacity)
        before = [part.copy() for part in arcs]
        ends = random_terminals(rng, vertices)
        options = {"num_vertices": vertices, "undirected": bool(rng.random() < 0.5)}
        a = konig.maximum_flow(arcs, *ends, **options)
        b = konig.maximum_flow(arcs, *ends, **options, **THE_LONGER_WAY)
        assert "found" in vars(a)
        assert "found" not in vars(b)
        a.verify(arcs, *ends, **options)
        assert a.network.undirected is options["undirected"]
        assert (a.network.role == b.network.role).all()
        assert all((part == was).all() for part, was in zip(arcs, before, strict=True))
        assert (a.value, a.method, a.device) == (b.value, b.method, b.device)
        assert type(a.value) is type(b.value)
        assert (a.flow == b.flow).all()
        assert (a.cut == b.cut).all()
        assert a.flow.dtype == b.flow.dtype
        assert a.cut.dtype == b.cut.dtype
        assert not a.flow.flags.writeable
        assert not a.cut.flags.writeable
        assert a.stats.keys() == b.stats.keys()
        assert a.stats["seconds"].keys() == b.stats["seconds"].keys()
        assert a.cut_edges.arc.tolist() == b.cut_edges.arc.tolist()


def real_capacities(rng, count):
    """Whole numbers, quarters, numbers of all binary digits, of very different size, and infinite ones."""
    amount = rng.integers(0, 50, count) / rng.choice([1, 4, 3, 7e8])
    amount = amount * rng.choice([1, 2.0**-300, 2.0**300])
    if rng.random() < 0.4:
        amount = amount * np.exp(rng.uniform(-30, 30, count))
    amount[rng.random(count) < rng.choice([0, 0.1])] = np.inf
    return amount


def test_real_capacities_take_the_short_way():
    rng = np.random.default_rng(15)
    rounded = 0
    for _ in range(200):
        vertices, (tail, head, _) = random_arcs(rng)
        arcs = (tail, head, real_capacities(rng, len(tail)))
        ends = random_terminals(rng, vertices)
        undirected = bool(rng.random() < 0.5)
        options = {"num_vertices": vertices, "undirected": undirected}
        try:
            b = konig.maximum_flow(arcs, *ends, **options, **THE_LONGER_WAY)
        except ValueError:
            assert not taken(arcs, *ends, vertices, undirected)
            continue
        a = konig.maximum_flow(arcs, *ends, **options)
        assert "found" in vars(a)
        a.verify(arcs, *ends, **options)
        assert type(a.value) is type(b.value) is float
        assert type(a.gap) is type(b.gap) is float
        assert abs(a.value - b.value) <= max(a.gap, b.gap)
        assert a.gap == b.gap == 0 or (a.gap > 0 and b.gap > 0)
        assert a.flow.dtype == b.flow.dtype == np.float64
        assert not a.flow.flags.writeable
        rounded += a.gap > 0
    assert 10 < rounded < 150


def test_the_capacity_of_a_rounded_cut_is_exact():
    rng = np.random.default_rng(16)
    seen = 0
    for _ in range(200):
        vertices, (tail, head, _) = random_arcs(rng)
        given = arrays_of((tail, head, real_capacities(rng, len(tail))), vertices)
        undirected = bool(rng.random() < 0.5)
        flow = solved(given, *random_terminals(rng, vertices), undirected)
        if flow is None or flow.found[-1] is None:
            continue
        *_, value, _, cut, (finest, exponent), (units, high, low) = flow.found
        across = given[3][(cut[tail] & ~cut[head]) | (undirected & cut[head] & ~cut[tail])]
        lost = Fraction((high << 64) + low) * Fraction(2) ** finest
        assert units == value
        assert units * Fraction(2) ** exponent + lost == exact_sum(across)
        seen += lost > 0
    assert seen > 10


def test_links_larger_than_what_their_vertices_pass_on_take_no_coarser_unit():
    """Nor without directions, where a link is no way on."""
    for undirected in (False, True):
        arcs = np.array([0, 1, 2]), np.array([1, 2, 3]), np.array([1e15, 0.1, 1e15])
        finest, exponent = solved(arrays_of(arcs, None), 0, 3, undirected).found[5]
        assert exponent == finest
        assert network_bound(as_network(arcs, 0, 3, undirected=undirected)) < 0.2


def test_whole_numbers_in_float64_are_their_own_unit():
    tail, head = np.array([0, 0, 1, 2]), np.array([1, 2, 3, 3])
    for capacity, unit in (
        ([4.0, 12.0, 8.0, np.inf], 2),
        ([0.0, 2.0**39, 2.0**40, 1.0], 0),
        ([0.5, 1.0, 3.0, 2.0], -1),
        ([np.inf, 0.0, 0.0, np.inf], 0),
    ):
        given = arrays_of((tail, head, np.array(capacity)), 4)
        assert solved(given, 0, 3).found[5] == (unit, unit)


@pytest.mark.parametrize("wrong", [-1.0, -0.5, np.nan, -(2.0**50), -np.inf])
def test_no_wrong_number_passes_for_a_whole_one(wrong):
    arcs = np.array([0, 0, 1, 2]), np.array([1, 2, 3, 3]), np.array([4.0, 12.0, wrong, 3.0])
    assert not taken(arcs, 0, 3)


# Capacities are checked some at a time: what is unlike the others may be the first, the last or the only one.
PLACES = (0, 1, 3, 4, 1023, 1024, 2047, 2048, 2050)


@pytest.mark.parametrize("wrong", [-1.0, -(2.0**-1074), np.nan, -np.inf, 2.0**901])
@pytest.mark.parametrize("others", [3.0, 0.1])
@pytest.mark.parametrize("place", PLACES)
def test_a_wrong_number_is_found_among_many(wrong, others, place):
    tail, head = np.zeros(PLACES[-1] + 1, int), np.ones(PLACES[-1] + 1, int)
    capacity = np.full(len(tail), others)
    assert taken((tail, head, capacity), 0, 1)
    capacity[place] = wrong
    assert not taken((tail, head, capacity), 0, 1)


@pytest.mark.parametrize(
    "unlike", [np.inf, 0.0, -0.0, 0.75, 2.0**40, 2.0**52 + 1, 3 * 2.0**-60, 5 * 2.0**-800]
)
@pytest.mark.parametrize("others", [4.0, 0.1])
@pytest.mark.parametrize("place", PLACES)
def test_the_finest_digit_is_found_among_many(unlike, others, place):
    tail, head = np.zeros(PLACES[-1] + 1, int), np.ones(PLACES[-1] + 1, int)
    tail[place] = 2  # which nothing enters
    capacity = np.full(len(tail), others)
    capacity[place] = unlike
    flow = solved(arrays_of((tail, head, capacity), 3), 0, 1)
    finest, exponent = flow.found[5]
    assert finest == finest_exponent(capacity[np.isfinite(capacity)])
    assert Fraction(flow.found[2]) * Fraction(2) ** exponent <= exact_sum(capacity[tail == 0])
    assert (flow.found[2] + len(tail)) * Fraction(2) ** exponent > exact_sum(capacity[tail == 0])


@pytest.mark.parametrize("container", [sp.csr_array, sp.csr_matrix])
def test_a_matrix_gives_a_matrix_of_its_entries(container):
    rng = np.random.default_rng(6)
    for _ in range(40):
        vertices, (tail, head, amount) = random_arcs(rng)
        A = container((amount, (tail, head)), shape=(vertices, vertices))
        A.sum_duplicates()
        a = konig.maximum_flow(A, 0, vertices - 1)
        b = konig.maximum_flow(A, 0, vertices - 1, **THE_LONGER_WAY)
        assert "found" in vars(a)
        assert "found" not in vars(b)
        a.verify(A, 0, vertices - 1)
        assert (a.flow != b.flow).nnz == 0
        assert (a.flow.indptr == b.flow.indptr).all()
        assert (a.flow.indices == b.flow.indices).all()
        assert a.flow.indices.dtype == b.flow.indices.dtype


def test_an_answer_can_be_copied_and_pickled():
    arcs = np.array([0, 0, 1, 2]), np.array([1, 2, 3, 3]), np.array([5, 1, 2, 3])
    for answer in (
        pickle.loads(pickle.dumps(konig.maximum_flow(arcs, 0, 3))),
        copy.deepcopy(konig.maximum_flow(arcs, 0, 3)),
    ):
        answer.verify(arcs, 0, 3)
        assert answer.cut_edges.arc.tolist() == [1, 2]
    assert konig.maximum_flow(arcs, 0, 3, initial=konig.maximum_flow(arcs, 0, 3)).value == 3


@pytest.mark.parametrize("capacity", [np.int64, np.float64])
def test_the_flow_is_made_once_and_when_it_is_read(capacity):
    rng = np.random.default_rng(8)
    vertices, (tail, head, amount) = random_arcs(rng)
    arcs = tail, head, amount.astype(capacity)
    f = konig.maximum_flow(arcs, 0, vertices - 1, num_vertices=vertices)
    before = [part.copy() for part in arcs]
    assert "flow" not in vars(f)
    for part in arcs:
        part[:] = 0  # what is read later is not the caller's
    flow = f.flow
    assert f.flow is flow
    assert not flow.flags.writeable
    f.verify(tuple(before), 0, vertices - 1, num_vertices=vertices)


def test_threads_may_read_the_flow_at_once():
    rng = np.random.default_rng(9)
    tail, head = rng.integers(0, 500, (2, 20_000))
    arcs = tail, head, rng.integers(0, 50, 20_000)
    for _ in range(20):
        f = konig.maximum_flow(arcs, 0, 499, num_vertices=500)
        with ThreadPoolExecutor(4) as pool:
            flows = list(pool.map(lambda _, f=f: f.flow, range(4)))
        assert all((flow == flows[0]).all() for flow in flows)
        f.verify(arcs, 0, 499, num_vertices=500)


ARCS = np.array([0, 1]), np.array([1, 2]), np.array([3, 4])


@pytest.mark.parametrize(
    ("capacity", "source", "sink"),
    [
        ((ARCS[0], ARCS[1], np.array([3.0, -4.5])), 0, 2),
        ((ARCS[0], ARCS[1], np.array([3.0, np.nan])), 0, 2),
        ((ARCS[0], ARCS[1], np.array([3.0, 1e300])), 0, 2),
        ((ARCS[0], ARCS[1], np.array([3.0, 1e-300])), 0, 2),
        ((ARCS[0], ARCS[1], np.array([np.inf, np.inf])), 0, 2),
        ((ARCS[0], ARCS[1], np.array([3, 4], np.float32)), 0, 2),
        ((ARCS[0], ARCS[1], np.array([3, -4])), 0, 2),
        ((ARCS[0], np.array([1, -2]), ARCS[2]), 0, 2),
        ((ARCS[0], np.array([1, 2**40]), ARCS[2]), 0, 2),
        ((ARCS[0], ARCS[1], ARCS[2][:1]), 0, 2),
        ((ARCS[0][:1], ARCS[1], ARCS[2]), 0, 2),
        ((ARCS[0].reshape(1, 2), ARCS[1], ARCS[2]), 0, 2),
        ((ARCS[0].astype(float), ARCS[1], ARCS[2]), 0, 2),
        ((ARCS[0], ARCS[1], np.array([1, 2], object)), 0, 2),
        ((ARCS[0], ARCS[1], ARCS[2].astype(np.uint64)), 0, 2),
        ((ARCS[0], ARCS[1], ARCS[2].astype(">i8")), 0, 2),
        (ARCS, 0, 3),
        (ARCS, -1, 2),
        (ARCS, 0, 2**70),
        (ARCS, 1, 1),
        (ARCS, [0, 1], [1, 2]),
        (ARCS, [], 2),
        (ARCS, [0, 3], 2),
        (ARCS, (0, -1), 2),
        (ARCS, [0, 1.0], 2),
        (ARCS, [True], 2),
        (ARCS, True, 2),
        (ARCS, np.True_, 2),
        (ARCS, np.float64(0), 2),
        (ARCS, np.int64(-1), 2),
        (ARCS, None, 2),
        (ARCS, np.array([[0]]), 2),
        (ARCS, np.array([0, 3]), 2),
        (ARCS, np.array([0.0]), 2),
        (ARCS, np.array([], int), 2),
        ((np.array([0, 0]), np.array([1, 1]), np.array([2**62, 2**62])), 0, 1),
        (sp.csr_array(np.ones((2, 3), int)), 0, 1),
        (sp.coo_array(np.ones((2, 2), int)), 0, 1),
        (sp.csr_array((np.array([1, 2]), np.array([1, 1]), np.array([0, 2, 2]))), 0, 1),
        (sp.csr_array((np.array([1, 2]), np.array([1, 0]), np.array([0, 2, 2]))), 0, 1),
    ],
)
def test_what_it_does_not_take_is_left_to_the_longer_way(capacity, source, sink):
    assert not taken(capacity, source, sink)


def test_strides_and_lengths_are_looked_at():
    ids = np.array([0, 9, 1, 9])
    assert konig.maximum_flow((ids[::2], ARCS[1], ARCS[2]), 0, 2).value == 3
    short = sp.csr_array(np.array([[0, 5], [0, 0]]))
    short.indptr = np.array([0, 3, 3], np.int32)
    with pytest.raises(ValueError, match="indptr ends at 3"):
        konig.maximum_flow(short, 0, 1)


def test_what_is_made_later_is_pickled_and_outlives_the_flow_and_the_result():
    arcs = np.array([0, 0, 1, 2]), np.array([1, 2, 3, 3]), np.array([4.5, 1.0, 2.0, 3.0])
    for capacity in (arcs, sp.csr_array((arcs[2], arcs[:2]), shape=(4, 4))):
        flow = konig.maximum_flow(capacity, 0, 3)
        again = pickle.loads(pickle.dumps(konig.maximum_flow(capacity, 0, 3)))
        again.verify(capacity, 0, 3)
        assert again.stats.keys() == flow.stats.keys()
        assert again.method == flow.method
        flow.verify(capacity, 0, 3)  # reads the flow, after which what only that is made of is let go of
        network = flow.network
        assert flow.cut_edges.capacity.tolist() == again.cut_edges.capacity.tolist()
        del flow
        assert network.head.tolist() == [1, 2, 3, 3]
        assert not network.head.flags.writeable
        assert network.capacities.given.tolist() == [4.5, 1.0, 2.0, 3.0]
