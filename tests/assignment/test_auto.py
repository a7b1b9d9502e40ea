"""The plans of ``auto``: from a profile to a method and its stages, and what native code is told."""

import itertools

import numpy as np
import pytest

import konig
from konig.assignment import auto
from konig.assignment.auto import (
    CORE_ROWS,
    PATIENT_ROWS,
    REDUCE_ENTRIES,
    SCALED_ENTRIES,
    SERIAL_ENTRIES,
    Profile,
)

SIZES = (0, 1, 20, CORE_ROWS - 1, CORE_ROWS, 1200, 1300, PATIENT_ROWS - 1, PATIENT_ROWS, 5000, 100_000)
GRID = [Profile(rows, cols) for rows, cols in itertools.product(SIZES, SIZES)]


@pytest.mark.parametrize("profile", GRID, ids=lambda p: f"{p.rows}x{p.cols}")
def test_dense_costs_on_a_cpu(profile):
    plan = auto.choose(profile)
    short, entries = min(profile.rows, profile.cols), profile.rows * profile.cols
    assert plan.method.name == ("jv" if short < CORE_ROWS else "core")
    assert plan.stages[0] == "common"
    assert plan.stages[-2:] == ("auction", "search")
    assert ("core" in plan.stages) == (short >= CORE_ROWS)
    if "core" in plan.stages:
        core = plan.stages.index("core")
        assert ("reduce" in plan.stages[:core]) == (entries <= REDUCE_ENTRIES)
        assert ("reduce" in plan.stages[core:]) == (short < PATIENT_ROWS)
        assert (plan.limits.pricing_rounds > 10) == (short >= PATIENT_ROWS)
    asked = profile.rows == profile.cols and REDUCE_ENTRIES < entries <= SCALED_ENTRIES
    assert (plan.limits.scale_ratio > 0) == (asked and short >= CORE_ROWS)
    assert plan.parallel == (short >= CORE_ROWS and entries > SERIAL_ENTRIES)
    # Which side is longer decides nothing.
    assert plan == auto.choose(Profile(profile.cols, profile.rows))


@pytest.mark.parametrize("size", SIZES)
def test_other_places_and_forms(size):
    assert auto.choose(Profile(size, size, place="cuda")).method.name == "core-paths"
    assert auto.choose(Profile(size, size, place="cuda", batch=True)).method.name == "crew-paths"
    assert auto.choose(Profile(size, size, sparse=True)).method.name == "jv"
    batch = auto.choose(Profile(size, size, batch=True))
    assert batch == auto.choose(Profile(size, size))


@pytest.mark.parametrize("n", [CORE_ROWS - 1, CORE_ROWS])
def test_a_plain_call_follows_the_plan(n):
    C = np.random.default_rng(0).random((n, n))
    a = konig.linear_assignment(C)
    assert a.method == auto.choose(Profile(n, n)).method.name
    assert ("core_entries" in a.stats) == (n >= CORE_ROWS)


def test_named_methods_have_plans_of_their_own():
    stages = {name: auto.plan_of(auto.find(name, "assignment"), 50, 50).stages for name in ("jv", "auction")}
    assert stages == {"jv": ("reduce", "search"), "auction": ("auction", "search")}
