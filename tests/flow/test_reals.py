"""Real capacities as whole numbers, by the program that a GPU runs, against NumPy's way."""

from contextlib import suppress
from fractions import Fraction

import numpy as np
import pytest
from cases.networks import random_network

import konig
from konig.exact_reals import finest_exponent, multiples
from konig.flow import reals
from konig.flow.capacities import UNBOUNDED
from konig.flow.inputs import as_network, network_bound
from konig.flow.residual import bound_on_device


def kinds(rng):
    """Numbers of all sizes, down to the smallest and up to the largest float64."""
    wide = np.ldexp(rng.random(500), rng.integers(-1073, 1024, 500))
    yield wide
    yield np.r_[wide, 0.0, -0.0, 5e-324, np.finfo(np.float64).max, np.inf]
    yield rng.integers(0, 1000, 300).astype(np.float64)
    yield rng.random(300)
    yield np.ldexp(rng.integers(1, 2**53, 300).astype(np.float64), rng.integers(-20, 20, 300))
    yield np.zeros(3)
    yield np.full(2, np.inf)
    yield np.zeros(0)


def test_profiles():
    for numbers in kinds(np.random.default_rng(1)):
        finite = numbers[np.isfinite(numbers)]
        found = reals.profile(numbers)
        assert not found.wrong
        assert found.finest == (finest_exponent(finite) or 0)
        assert found.largest == finite.max(initial=0.0)
        assert found.unbounded == np.isinf(numbers).any()


@pytest.mark.parametrize("wrong", [np.nan, -1.0, -np.inf, -5e-324])
def test_numbers_that_are_no_capacities(wrong):
    assert reals.profile(np.array([1.0, wrong, 2.0])).wrong


@pytest.mark.parametrize("exponent", [-1074, -1000, -60, -1, 0, 1, 40, 900])
def test_units(exponent):
    for numbers in kinds(np.random.default_rng(2)):
        down = reals.multiples(numbers, exponent, UNBOUNDED)
        assert down.tolist() == multiples(numbers, exponent, UNBOUNDED).tolist()
        up = reals.multiples(numbers, exponent, UNBOUNDED, up=True)
        counted = (down != UNBOUNDED) & (numbers > 0)
        assert (up - down).tolist() == counted.tolist()


@pytest.mark.parametrize("exponent", [-1074, -537, -1, 0, 3, 970])
def test_flows_in_units_become_reals(exponent):
    units = np.random.default_rng(3).integers(-(2**53), 2**53, 200)
    assert reals.scaled(units, exponent).tolist() == np.ldexp(units.astype(np.float64), exponent).tolist()


def test_flows_of_a_grid_keep_their_shape_in_any_order():
    units = np.arange(-30, 30, dtype=np.int64).reshape(3, 4, 5)
    for some in (units, units.transpose(2, 0, 1), units[:, ::2]):
        np.testing.assert_array_equal(reals.scaled(some, -3), some / 8)
    given = units[1:] / 4
    np.testing.assert_array_equal(
        reals.multiples(given[given >= 0].reshape(-1, 5), -2, UNBOUNDED), units[1:][given >= 0].reshape(-1, 5)
    )


@pytest.mark.parametrize("undirected", [False, True])
@pytest.mark.parametrize("infinite", [0.0, 0.1])
def test_bounds_hold_and_are_as_tight_as_those_of_the_host(undirected, infinite):
    rng = np.random.default_rng(4)
    for _ in range(60):
        net = random_network(rng)
        capacity = rng.random(len(net.tail)) * 10.0 ** rng.integers(-3, 4)
        capacity[rng.random(len(capacity)) < infinite] = np.inf
        arcs, options = (net.tail, net.head, capacity), {"num_vertices": net.num_vertices}
        network = as_network(arcs, net.source, net.sink, undirected=undirected, **options)
        bound = bound_on_device(network)
        with suppress(konig.UnboundedError):
            assert (
                bound
                >= konig.maximum_flow(arcs, net.source, net.sink, undirected=undirected, **options).value
            )
        if infinite == 0 and network.scale.exponent_for(bound) > network.scale.finest:
            more = len(capacity) * Fraction(float(capacity.max(initial=0.0))) / 2**50
            assert bound <= network_bound(network) * (1 + Fraction(2) ** -18) + more


def test_the_sum_is_bound_enough_where_the_finest_unit_holds_it():
    arcs = np.array([0, 0, 1]), np.array([1, 2, 2]), np.array([3.0, 0.5, 1.25])
    assert bound_on_device(as_network(arcs, 0, 2)) == 9
