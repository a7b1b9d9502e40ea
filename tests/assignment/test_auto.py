"""What ``auto`` does with costs: from their shape, form and device to a method and its stages."""

import itertools

import numpy as np
import pytest

import konig
from konig.assignment import auto
from konig.assignment.auto import CORE_ROWS, REDUCE_ENTRIES

SIZES = (0, 1, 20, CORE_ROWS - 1, CORE_ROWS, 1400, 4096, 4097, 100_000)


@pytest.mark.parametrize(("rows", "cols"), itertools.product(SIZES, SIZES))
def test_dense_costs_on_a_cpu(rows, cols):
    method = auto.choose(rows, cols)
    short, entries = min(rows, cols), rows * cols
    assert method.name == ("jv" if short < CORE_ROWS else "core")
    stages = auto.stages_for_shape(method, rows, cols)
    assert stages.common_cost
    assert stages.extended
    assert stages.core == (short >= CORE_ROWS)
    reduces = rows != cols or entries <= REDUCE_ENTRIES
    assert stages.reduce_before_core == (stages.core and reduces)
    assert stages.auction == ("always" if stages.core and rows == cols else "if_paths_are_long")
    assert stages.padded_cols > 1
    # Which side is longer decides nothing.
    assert auto.choose(cols, rows) == method
    assert auto.stages_for_shape(method, cols, rows) == stages


@pytest.mark.parametrize("size", SIZES)
def test_other_devices_and_forms(size):
    assert auto.choose(size, size, device="cuda").name == "core-paths"
    assert auto.choose(size, size, device="cuda", batch=True).name == "crew-paths"
    assert auto.choose(size, size, sparse=True).name == "jv"
    assert auto.choose(size, size, batch=True) == auto.choose(size, size)


@pytest.mark.parametrize("n", [CORE_ROWS - 1, CORE_ROWS])
def test_a_plain_call_follows_the_plan(n):
    C = np.random.default_rng(0).random((n, n))
    a = konig.linear_assignment(C)
    assert a.method == auto.choose(n, n).name
    assert ("core_entries" in a.stats) == (n >= CORE_ROWS)


def test_named_methods_have_stages_of_their_own():
    assert auto.stages_for_shape(auto.find("jv", "assignment"), 50, 50) == auto.Stages()
    padded = auto.Stages(auction="always", padded_cols=auto.PADDED_COLS)
    assert auto.stages_for_shape(auto.find("auction", "assignment"), 50, 50) == padded
