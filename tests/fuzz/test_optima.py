"""The exact optima, against trying everything."""

import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest

from fuzz.assignment.judge import Problem, duals_fit
from fuzz.assignment.optimum import optimum, optimum_by_trial
from fuzz.exact import as_integers, fraction, power, sum_of_ulps, ulp_exponents
from fuzz.flow.network import Network, min_cut_by_trial
from fuzz.matching.optimum import largest_matching


@pytest.mark.parametrize("largest", [3, 10**6, 10**40])
def test_cheapest_of_the_largest_assignments(largest):
    draw = random.Random(largest)
    for _ in range(60):
        n, m = draw.randint(1, 5), draw.randint(1, 5)
        costs = np.array([[draw.randint(-largest, largest) for _ in range(m)] for _ in range(n)], object)
        allowed = np.array([[draw.random() < 0.7 for _ in range(m)] for _ in range(n)])
        found = optimum(costs, allowed)
        assert (found.size, found.cost) == optimum_by_trial(costs, allowed)
        assert found.cost == sum(costs[pair] for pair in zip(found.row_ind, found.col_ind, strict=True))


@pytest.mark.parametrize("undirected", [False, True])
def test_maximum_flow_is_the_least_cut(undirected):
    rng = np.random.default_rng(0)
    for _ in range(60):
        n, arcs = int(rng.integers(2, 7)), int(rng.integers(0, 15))
        tail, head = rng.integers(0, n, (2, arcs))
        capacity = rng.choice([0.1, 0.2, 1e30, 3.0, np.inf], arcs)
        network = Network(n, tail, head, capacity, (0,), (n - 1,), undirected)
        assert network.optimum == min_cut_by_trial(network)


def test_largest_matching():
    draw = random.Random(1)
    for _ in range(100):
        n, m = draw.randint(0, 5), draw.randint(0, 5)
        entries = {(i, j) for i in range(n) for j in range(m) if draw.random() < 0.4}
        found = largest_matching([[j for j in range(m) if (i, j) in entries] for i in range(n)], m)
        most = max(
            size
            for size in range(min(n, m) + 1)
            for rows in itertools.combinations(range(n), size)
            for cols in itertools.permutations(range(m), size)
            if set(zip(rows, cols, strict=True)) <= entries
        )
        pairs = {(i, j) for i, j in enumerate(found.col_of_row) if j >= 0}
        assert found.size == len(pairs) == most
        assert pairs <= entries
        assert pairs == {(i, j) for j, i in enumerate(found.row_of_col) if i >= 0}


def test_integers_of_a_common_unit_are_the_numbers_themselves():
    values = np.array([0.1, -1e308, 5e-324, 0.0, 3.0])
    whole = np.array([7, -(2**63)])
    (scaled, others), exponent = as_integers(values, whole)
    unit = power(exponent)
    assert [value * unit for value in scaled] == [Fraction(value) for value in values.tolist()]
    assert [value * unit for value in others] == [7, -(2**63)]
    assert fraction(np.float16(0.1)) == Fraction(float(np.float16(0.1)))


@pytest.mark.parametrize(
    "values",
    [[0.5, 0.75, -3.0], [0.0, 0.0], [2.0**60, 1.0], [1, -(2**63)], [2**62, 2**60], [], [2**64 - 1]],
    ids=str,
)
def test_small_integers_are_those_of_the_machine(values):
    (found,), exponent = as_integers(np.array(values))
    exact = [Fraction(value) / power(exponent) for value in values]
    assert found.tolist() == exact
    assert all(value % 2 == 0 for value in exact) == (not any(exact))  # no larger unit would do
    assert max(map(abs, exact), default=0) < 2**61 or found.dtype == object


def test_units_in_the_last_place():
    values = np.array([0.0, 5e-324, 2.0**-1022, 1.0, -1.5, 1e308, np.finfo(float).max])
    assert [float(power(e)) for e in ulp_exponents(values).tolist()] == [math.ulp(v) for v in values.tolist()]
    assert sum_of_ulps(values) == sum(Fraction(math.ulp(v)) for v in values.tolist())


def test_whether_duals_fit_their_type():
    top = 2**63 - 2
    assert duals_fit(Problem(np.array([[top, -top], [-top, top]])))
    chain = np.array([[top, -top, 0], [0, top, -top], [0, 0, top]])
    forced = np.array([[True, True, False], [False, True, True], [False, False, True]])
    assert not duals_fit(Problem(chain, forced))
    largest = np.finfo(float).max
    assert not duals_fit(Problem(np.sign(chain) * largest, forced))
    assert duals_fit(Problem(np.sign(chain) * largest / 4, forced))
