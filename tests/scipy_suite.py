"""Runs SciPy's own tests, from the installed SciPy, with some of its functions replaced by ours."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

# The test modules import the functions by name when they are collected, so replacing them before is enough.
_PROGRAM = """
import functools, importlib, json, sys
import pytest
module, arguments, replaced = json.loads(sys.argv[1])
calls = dict.fromkeys(replaced, 0)

def counted(name, function):
    @functools.wraps(function)
    def call(*args, **kwargs):
        calls[name] += 1
        return function(*args, **kwargs)
    return call

for name, (home, ours) in replaced.items():
    function = getattr(importlib.import_module(ours), name)
    setattr(importlib.import_module(home), name, counted(name, function))

class Outcomes:
    def __init__(self):
        self.found = {}
    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.outcome == "failed":
            self.found[report.nodeid] = report.outcome

outcomes = Outcomes()
status = pytest.main(["-q", "-p", "no:cacheprovider", *arguments, "--pyargs", module], plugins=[outcomes])
print("\\n" + json.dumps({"status": int(status), "outcomes": outcomes.found, "calls": calls}))
"""


@dataclass(frozen=True)
class Outcome:
    """What happened: "passed", "failed" or "skipped" by test, calls by function, and what was printed."""

    status: int
    outcomes: Mapping[str, str]
    calls: Mapping[str, int]
    printed: str


def run_scipy_tests(
    module: str, replaced: Mapping[str, tuple[str, str]], select: str, folder: Path
) -> Outcome:
    """Run the tests of a module, such as ``scipy.optimize.tests.test_linear_assignment``.

    `replaced` has, for each function, the module that SciPy's tests import it from and the one that has ours;
    `select` is an expression for pytest's ``-k``.
    """
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"this SciPy comes without {module}")
    # Neither our settings nor SciPy's: a folder without any.
    arguments = ["-c", os.devnull, "--rootdir", str(folder), *(["-k", select] if select else [])]
    request = json.dumps([module, arguments, {name: list(where) for name, where in replaced.items()}])
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, request], cwd=folder, capture_output=True, text=True, timeout=280
    )
    if done.returncode != 0:
        pytest.fail(done.stdout + done.stderr)
    answer = json.loads(done.stdout.splitlines()[-1])
    return Outcome(answer["status"], answer["outcomes"], answer["calls"], done.stdout)
