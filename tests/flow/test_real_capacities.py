"""Real capacities are solved exactly where float64 can hold the answer, and rounded once where it cannot."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from cases.networks import circulates
from corruption import refused
from fuzz.flow.network import exact_value

import konig
from konig.exact_reals import exact_sum, finest_exponent, float_above, float_above_units, multiples

METHODS = [method.name for method in konig.methods("flow")]


def proved(arcs, source, sink, **options):
    """An answer with a gap that exact arithmetic agrees with."""
    n = max(int(max(arcs[0], default=0)), int(max(arcs[1], default=0)), *np.r_[source, sink].tolist()) + 1
    f = konig.maximum_flow(arcs, source, sink, num_vertices=n, **options)
    undirected = options.get("undirected", False)
    f.verify(arcs, source, sink, num_vertices=n, undirected=undirected)
    best = exact_value(*arcs, source, sink, n, undirected)
    assert Fraction(f.value) <= best <= Fraction(f.value) + Fraction(f.gap)
    assert (np.abs(f.flow) <= np.asarray(arcs[2])).all()
    assert Fraction(f.gap) <= best * len(arcs[0]) * Fraction(2) ** -42
    assert not circulates(*arcs[:2], f.flow, f.network.role)
    return f


@pytest.mark.parametrize("method", METHODS)
def test_decimals(method):
    assert proved(([0, 1], [1, 2], [0.1, 0.2]), 0, 2, method=method).value == 0.1
    f = proved(([0, 0, 1], [1, 1, 2], [0.1, 0.2, 1e12]), 0, 2, method=method)
    assert (f.value, f.gap) == (0.3, 2.0**-55)
    f = proved(([0, 0, 1], [1, 1, 2], [0.1, 0.2, 0.25]), 0, 2, method=method)
    assert (f.value, f.gap) == (0.25, 0)


def random_reals(rng):
    """A small network with capacities of a random kind, infinite ones among them."""
    n = int(rng.integers(2, 14))
    m = int(rng.integers(0, 5 * n))
    tail, head = rng.integers(0, n, (2, m))
    kinds = (
        lambda: rng.random(m),
        lambda: np.round(rng.random(m) * 100, 2),
        lambda: rng.random(m) * 10.0 ** rng.integers(-300, 300, m),
        lambda: 10.0 ** rng.integers(-3, 9, m),
        lambda: rng.integers(0, 2**53, m) * 2.0**-1074,
        lambda: rng.random(m) * 5.9e305,
        lambda: rng.integers(2**52, 2**53, m) * 2.0 ** rng.integers(-30, 30, m),
        lambda: rng.integers(0, 4, m).astype(float),
        lambda: rng.random(m).astype(np.float32).astype(float),
    )
    capacity = kinds[rng.integers(len(kinds))]()
    capacity[rng.random(m) < rng.choice([0, 0.1, 0.4])] = np.inf
    capacity[rng.random(m) < 0.1] = 0
    order = rng.permutation(n)
    if n > 5 and rng.random() < 0.3:
        return (tail, head, capacity), order[:2].tolist(), order[2:4].tolist(), n
    return (tail, head, capacity), int(order[0]), int(order[1]), n


def check_random(rng, method, cases):
    refusals = 0
    for _ in range(cases):
        arcs, source, sink, n = random_reals(rng)
        undirected = bool(rng.random() < 0.3)
        best = exact_value(*arcs, source, sink, n, undirected)
        if best in (np.inf, -np.inf):
            refusals += 1
            with pytest.raises(konig.UnboundedError, match="infinite capacity lead from a source to sink"):
                konig.maximum_flow(arcs, source, sink, num_vertices=n, undirected=undirected, method=method)
            continue
        proved(arcs, source, sink, undirected=undirected, method=method)
    assert refusals > 0


@pytest.mark.parametrize("method", METHODS)
def test_random_networks_against_exact_arithmetic(method):
    check_random(np.random.default_rng(20), method, 80)


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS)
def test_many_random_networks_against_exact_arithmetic(method):
    check_random(np.random.default_rng(21), method, 3000)


def test_a_large_gate_elsewhere_costs_nothing():
    """A large bound on the first arcs and on the last says nothing about the value."""
    arcs = ([0, 1, 2, 3], [1, 2, 3, 4], [1e15, 1e15, 0.1, 1e15])
    assert proved(arcs, 0, 4).value == 0.1
    arcs = ([0, 0, 1, 1, 2, 3, 4], [1, 1, 2, 2, 3, 4, 5], [1e300, 1e300, 1e200, 0.7, 0.1, 1e290, 1e299])
    assert proved(arcs, 0, 5).value == 0.1
    chain = (np.arange(9), np.arange(1, 10), 10.0 ** np.arange(300, -330, -70)[:9])
    assert proved(chain, 0, 9).value == chain[2].min()


def offered_too_much(rng, n, larger):
    """Vertices of either terminal, of both and of none; nothing leads on from every fifth one."""
    tail, head = rng.integers(0, n, (2, 2 * n))
    tail, head = tail[tail % 5 > 0], head[tail % 5 > 0]
    fed, taken = rng.permutation(n)[: n // 2], rng.permutation(n)[: n // 2]
    ends = np.r_[tail, np.full(len(fed), n), taken], np.r_[head, fed, np.full(len(taken), n + 1)]
    return *ends, np.r_[rng.random(len(tail)), larger * rng.random(len(fed) + len(taken))]


@pytest.mark.parametrize("larger", [1.0, 30.0, 1e6])
def test_links_may_be_larger_than_what_their_vertices_pass_on(larger):
    for n in (12, 40):
        arcs = offered_too_much(np.random.default_rng(n), n, larger)
        for undirected in (False, True):
            assert proved(arcs, n, n + 1, undirected=undirected).value > 0


@pytest.mark.parametrize("undirected", [False, True])
@pytest.mark.parametrize("larger", [1.0, 1e6])
def test_links_may_be_so_in_networks_beyond_the_cache(larger, undirected):
    n = 80_000
    arcs = offered_too_much(np.random.default_rng(7), n, larger)
    f = konig.maximum_flow(arcs, n, n + 1, undirected=undirected)
    f.verify(arcs, n, n + 1, undirected=undirected)
    by_name = konig.maximum_flow(arcs, n, n + 1, undirected=undirected, method="hl-pr")
    assert abs(f.value - by_name.value) <= f.gap + by_name.gap
    assert 0 < f.gap <= f.value * 2.0**-30


def test_the_value_may_take_more_digits_than_float64_has():
    f = proved(([0, 0], [1, 1], [2.0**55, 1.0]), 0, 1)
    assert (f.value, f.gap) == (2.0**55, 1)
    f = proved(([0, 0], [1, 1], [2.0**55, 16.0]), 0, 1)
    assert (f.value, f.gap) == (2.0**55 + 16, 0)
    with pytest.raises(ValueError, match="above the largest float64 number"):
        konig.maximum_flow(([0, 0], [1, 1], [1.7e308, 1.7e308]), 0, 1)


def test_integers_have_no_gap():
    f = konig.maximum_flow(([0], [1], [7]), 0, 1)
    assert (f.gap, type(f.gap)) == (0, int)
    assert konig.maximum_flow(([0], [1], [7]), [0], 1).gap == 0


def test_exact_refuses_what_would_be_rounded():
    arcs = ([0, 0], [1, 1], [0.1, 0.2])
    with pytest.raises(ValueError, match=r"exact: .*units of 2\*\*-55.*without exact=True"):
        konig.maximum_flow(arcs, 0, 1, exact=True)
    with pytest.raises(ValueError, match=r"exact: .*without exact=True"):
        konig.minimum_cut(([0, 0], [1, 1], [1e300, 1e-300]), 0, 1, exact=True)
    with pytest.raises(ValueError, match="arcs of infinite capacity lead"):
        konig.maximum_flow(([0], [1], [np.inf]), 0, 1, exact=True)
    with pytest.raises(TypeError, match="exact must be True or False"):
        konig.maximum_flow(arcs, 0, 1, exact=1)
    f = konig.maximum_flow(([0, 1], [1, 2], [1e300, 1e-300]), 0, 2, exact=True)
    assert (f.value, f.gap) == (1e-300, 0)
    assert konig.maximum_flow(([0, 1], [1, 2], [3, 4]), 0, 2, exact=True).value == 3


def test_a_matrix_keeps_its_numbers():
    capacity = sp.coo_array(([0.1, 0.2, 0.7], ([0, 0, 1], [1, 1, 2])), shape=(3, 3))
    f = konig.maximum_flow(capacity, 0, 2)
    f.verify(capacity, 0, 2)
    assert f.value == 0.1 + 0.2
    assert f.cut_edges.capacity.tolist() == [0.1 + 0.2]
    dense = np.array([[0, 0.3, 0.1], [0, 0, 0.7], [0, 0, 0]], np.float32)
    g = konig.maximum_flow(dense, 0, 2)
    g.verify(dense, 0, 2)
    assert (g.value, g.gap) == (float(np.float32(0.3)) + float(np.float32(0.1)), 0)


def test_a_gap_is_checked():
    arcs = ([0, 0, 1], [1, 1, 2], [0.1, 0.2, 1e12])
    f = konig.maximum_flow(arcs, 0, 2)
    with refused("not the gap of 0"):
        replace(f, gap=0).verify(arcs, 0, 2)
    with refused("more than rounding explains"):
        replace(f, gap=np.nan).verify(arcs, 0, 2)
    less = np.array([0.1, 0.0, 0.1])
    with refused("more than rounding explains"):
        replace(f, flow=less, value=0.1, gap=0.3).verify(arcs, 0, 2)
    with refused("claims value"):
        replace(f, value=f.value + f.gap).verify(arcs, 0, 2)
    with refused("carries"):
        replace(f, flow=np.array([0.1, 0.2 + 2.0**-53, 0.3])).verify(arcs, 0, 2)
    with refused("capacity of the cut is infinite"):
        endless = (*arcs[:2], [np.inf, 0.2, 1e12])
        replace(f, cut=np.array([True, False, False])).verify(endless, 0, 2)
    with refused("carries nan"):
        replace(f, flow=np.array([np.nan, 0.2, 0.3])).verify(arcs, 0, 2)


@pytest.mark.parametrize("method", ["auto", "sync-pr", "hl-pr"])
def test_images(method):
    rng = np.random.default_rng(30)
    for scale in (1.0, 1e-200, 1e200):
        source, sink = rng.random((2, 6, 7)) * scale
        source[rng.random(source.shape) < 0.2] = np.inf
        between = np.round(rng.random((4, 6, 7)), 2) * scale
        c = konig.grid_cut(source, sink, between, method=method)
        c.verify(source, sink, between)
        tail, head, capacity = c.grid.arcs(given=True)
        best = exact_value(tail, head, capacity, 42, 43, 44)
        assert Fraction(c.value) <= best <= Fraction(c.value) + Fraction(c.gap)
        assert c.gap <= 2.0**-40 * c.value
        with refused("not the gap of 0|claims value"):
            replace(c, gap=0 if c.gap else -1).verify(source, sink, between)


def test_warm_starts_are_rounded_too():
    rng = np.random.default_rng(31)
    for _ in range(20):
        arcs, source, sink, n = random_reals(rng)
        arcs = (*arcs[:2], np.minimum(arcs[2], 1e9))
        f = konig.maximum_flow(arcs, source, sink, num_vertices=n)
        g = konig.maximum_flow(arcs, source, sink, num_vertices=n, initial=f)
        g.verify(arcs, source, sink, num_vertices=n)
        assert abs(Fraction(g.value) - Fraction(f.value)) <= Fraction(max(f.gap, g.gap))


def test_exact_arithmetic_with_float64_numbers():
    rng = np.random.default_rng(32)
    values = rng.random(500) * 2.0 ** rng.integers(-1070, 1000, 500)
    assert exact_sum(values) == sum(map(Fraction, values.tolist()))
    assert float_above(Fraction(1, 3)) >= Fraction(1, 3) > np.nextafter(float_above(Fraction(1, 3)), 0)
    assert float_above(Fraction(2) ** 1024) == np.inf
    for units, exponent in [
        (0, 5),
        (1, -1074),
        (3, -1075),
        (2**53 + 1, 0),
        (2**54 - 1, 7),
        (2**170 - 1, -90),
        (1, 1024),
    ]:
        assert float_above_units(units, exponent) == float_above(units * Fraction(2) ** exponent)
    assert finest_exponent(np.array([0.0])) is None
    assert finest_exponent(np.array([0.75, 3.0, 0.0])) == -2
    assert finest_exponent(np.array([5e-324, 1e308])) == -1074
    for exponent in (-1074, -60, 0, 900):
        expected = [min(int(Fraction(v) / Fraction(2) ** exponent), 2**62) for v in values.tolist()]
        assert multiples(values, exponent, 2**62).tolist() == expected


def test_a_huge_capacity_elsewhere_takes_no_digits_from_a_tiny_flow():
    # The sink takes 7e-142, a float64 number; 1e270 times that on the way there is no reason to round it.
    arcs = np.array([1, 3, 1]), np.array([2, 1, 0]), np.array([2e-143, 4e131, 7e-142])
    found = konig.maximum_flow(arcs, 3, 0)
    assert found.value == 7e-142
    assert found.gap == 0
