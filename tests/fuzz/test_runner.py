"""Workers may die or hang: that is a finding, and the next one goes on behind it."""

import json
import math
import sys
from argparse import Namespace
from dataclasses import replace

import pytest

from fuzz.assignment import cases
from fuzz.case import Violation, violations
from fuzz.runner import Campaign, _verdict, repeat_command, way
from fuzz.settings import Settings
from fuzz.shrink import shrink
from fuzz.worker import share_of_cores

# Case 1 dies, case 2 hangs, and all others find nothing but case 3.
WORKER = """
import json, os, signal, sys, time
number = int(sys.argv[sys.argv.index("--first") + 1])
while True:
    about = {"problem": "flow", "family": "star", "extent": [2, number]}
    print(json.dumps({"call": "arrays method=bk", "number": number, **about}), flush=True)
    if number == 1:
        os.kill(os.getpid(), signal.SIGSEGV)
    if number == 2:
        time.sleep(60)
    found = [{"kind": "value", "detail": "", "size": 0.5, "call": "arrays", **about}] if number == 3 else []
    done = {"done": number, "problem": "flow", "calls": 1, "seconds": 0.0, "findings": found}
    print(json.dumps(done), flush=True)
    number += 1
    time.sleep(0.01)
"""


@pytest.fixture
def given():
    return Namespace(
        problem="flow",
        seed=7,
        families="",
        largest=None,
        threads="",
        require_gap=False,
        per_entry=False,
        sanitize=None,
        minutes=0.06,
        cases=None,
        jobs=1,
        patience=1.0,
    )


def test_a_worker_that_dies_or_hangs_is_a_finding_and_is_replaced(given):
    campaign = Campaign(given, [sys.executable, "-c", WORKER])
    campaign.run()
    found = {finding["number"]: finding["kind"] for finding in campaign.findings}
    assert found[1] == "dies of SIGSEGV"
    assert found[2].startswith("hangs")
    assert found[3] == "value"
    assert campaign.cases["flow"] >= 4
    json.dumps(campaign.findings)


def test_a_campaign_ends_after_so_many_cases(given):
    given.minutes, given.cases = math.inf, 1
    campaign = Campaign(given, [sys.executable, "-c", WORKER])
    campaign.run()
    assert campaign.cases.total() >= 1


@pytest.mark.parametrize(
    ("cores", "jobs", "shares"),
    [
        (16, 16, [{0, 1}, {1, 2}, {2, 3}]),
        (16, 4, [{0, 1, 2, 3}, {4, 5, 6, 7}]),
        (2, 2, [{0, 1}, {0, 1}]),
        (1, 2, [{0}, {0}]),
        (2, 8, [{0, 1}]),
    ],
)
def test_workers_share_the_cores(cores, jobs, shares):
    assert [share_of_cores(range(cores), place, jobs) for place in range(len(shares))] == shares
    assert set().union(*(share_of_cores(range(cores), place, jobs) for place in range(jobs))) == set(
        range(cores)
    )


def test_deaths_are_told_apart_by_what_a_sanitiser_objects_to():
    misaligned = "native/cost_scans.h:44:32: runtime error: load of misaligned address 0x6020 for type 'long'"
    assert _verdict(misaligned) == ": load of misaligned address at cost_scans.h:44"
    race = (
        "WARNING: ThreadSanitizer: data race (pid=7)\n  Write of size 4\n    #0 push() src/discharge.h:12 (x)"
    )
    assert _verdict(race) == ": ThreadSanitizer: data race at discharge.h:12"
    assert _verdict("Segmentation fault") == ""


def test_a_finding_is_repeated_by_a_command(given):
    given.families = "star"
    command = repeat_command(given, "flow", 3)
    assert command.endswith("-m fuzz --problem flow --seed 7 --only 3 --families star")


def test_findings_are_grouped_by_what_was_asked():
    assert way("dense method=core threads=2 maximize=False") == "core"
    assert way("scipy linear_sum_assignment maximize=True") == "scipy linear_sum_assignment"
    assert way("batch of 3 maximize=True full=True") == "batch"


def test_a_case_is_the_same_every_time():
    first, second = (cases.make_case(3, 5, Settings()) for _ in range(2))
    assert cases.source(first.given) == cases.source(second.given)
    assert [call.name for call in first.calls] == [call.name for call in second.calls]


def test_shrinking_keeps_what_matters():
    case = cases.make_case(3, 5, Settings(), ("whole",), 12)

    def again(C):
        if (case.given.max() == C).any():
            yield Violation("planted", "the largest cost is there")

    call = replace(case.calls[0], again=again)
    smallest = shrink(case, call, "planted")
    assert smallest.shape == (1, 1)
    assert violations(lambda: again(smallest))


def test_a_worker_that_cannot_even_begin_ends_the_campaign(given):
    with pytest.raises(SystemExit, match="before its first case"):
        Campaign(given, [sys.executable, "-c", "import nothing_of_that_name"]).run()


def test_a_worker_that_is_ended_between_cases_is_replaced(given):
    ends = WORKER.replace("    number += 1\n", "    number += 1\n    sys.exit(3) if number == 6 else None\n")
    campaign = Campaign(given, [sys.executable, "-c", ends])
    campaign.run()
    assert ("between cases", "exits with 3") in {(f["call"], f["kind"]) for f in campaign.findings}
    assert campaign.cases["flow"] > 6
