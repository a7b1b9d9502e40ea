"""A fixed share of the fuzzing, family by family; ``make fuzz`` goes on where this ends."""

import warnings

import pytest

import konig
from fuzz.assignment import cases as assignment
from fuzz.assignment.costs import NAMES as COSTS
from fuzz.flow import cases as flow
from fuzz.flow.networks import CAPACITIES
from fuzz.matching import cases as matching
from fuzz.matching.patterns import NAMES as PATTERNS
from fuzz.settings import Settings

SEED = 20


def assert_nothing_is_found(problem, answers, family, count, largest):
    # A class that has a gap promises one in every answer.
    settings = Settings(gap_required="gap" in answers.__dataclass_fields__, threads=(None, 1, 2))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number in range(count):
            case = problem.make_case(SEED, number, settings, (family,), largest)
            found = list(case.findings())
            assert not found, f"{found[0]}\n{case.source(case.given)}"


@pytest.mark.parametrize("family", COSTS)
def test_assignment(family):
    assert_nothing_is_found(assignment, konig.Assignment, family, 12, 24)


@pytest.mark.parametrize("family", CAPACITIES)
def test_flow(family):
    assert_nothing_is_found(flow, konig.Flow, family, 16, 24)


@pytest.mark.parametrize("family", PATTERNS)
def test_matching(family):
    assert_nothing_is_found(matching, konig.Matching, family, 16, 40)
