"""Runs NetworkX's own tests, from the installed NetworkX, with konig doing what NetworkX does otherwise."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

# As the backend of NetworkX's own test mode, which tries it for every function and falls back on NetworkX's.
_AS_BACKEND = """
from konig.interop.networkx import backend
from konig.interop.networkx.info import FLOWS, MATCHINGS
for name in (*FLOWS, *MATCHINGS):
    setattr(backend, name, counted(name, getattr(backend, name)))
"""

# The same, and calls that name one of NetworkX's flow functions, as most of its tests do, are answered, too.
_WITHOUT_FLOW_FUNC = """
from konig.interop.networkx import backend
from konig.interop.networkx.info import FLOWS

def without_flow_func(function):
    def call(flowG, _s, _t, capacity="capacity", flow_func=None, **kwargs):
        if kwargs:
            raise NotImplementedError
        return function(flowG, _s, _t, capacity, None if callable(flow_func) else flow_func)
    return call

backend.can_run = lambda name, args, kwargs: True
for name in FLOWS:
    setattr(backend, name, counted(name, without_flow_func(getattr(backend, name))))
"""

# As each of NetworkX's own functions that find a flow; the test modules import them when they are collected.
_AS_FLOW_FUNC = """
from konig.interop.networkx import flow_func
import networkx.algorithms.flow

def named(name):
    def flow(G, s, t, capacity="capacity", residual=None, value_only=False, cutoff=None, **theirs_alone):
        R = flow_func(G, s, t, capacity, residual=residual, value_only=value_only, cutoff=cutoff)
        assert R.graph["algorithm"] == "konig"
        R.graph["algorithm"] = name
        return R
    flow.__name__ = name
    return counted(name, flow)

theirs = {
    getattr(networkx.algorithms.flow, name): named(name)
    for name in ("edmonds_karp", "dinitz", "boykov_kolmogorov", "preflow_push", "shortest_augmenting_path")
}
for module in [module for name, module in sys.modules.items() if name.startswith("networkx")]:
    for name, value in list(vars(module).items()):
        if callable(value) and value.__hash__ and value in theirs:
            setattr(module, name, theirs[value])
"""

_PROGRAM = """
import collections, functools, json, sys
import networkx, pytest
calls = collections.Counter()

def counted(name, function):
    @functools.wraps(function)
    def call(*args, **kwargs):
        result = function(*args, **kwargs)  # what raises NotImplementedError is answered by NetworkX
        calls[name] += 1
        return result
    return call
{replace}
class Outcomes:
    def __init__(self):
        self.found = {{}}
    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.outcome == "failed":
            self.found[report.nodeid] = report.outcome

outcomes = Outcomes()
status = pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]], plugins=[outcomes])
print("\\n" + json.dumps({{"status": int(status), "outcomes": outcomes.found, "calls": calls}}))
"""


@dataclass(frozen=True)
class Outcome:
    """What happened: "passed", "failed" or "skipped" by test, answered calls by function, and the output."""

    status: int
    outcomes: Mapping[str, str]
    calls: Mapping[str, int]
    printed: str


def run_with_backend(packages: Sequence[str], folder: Path, *, ignore_flow_func: bool = False) -> Outcome:
    """The tests of these packages with NetworkX's functions dispatched to the backend."""
    mode = {"NETWORKX_TEST_BACKEND": "konig", "NETWORKX_FALLBACK_TO_NX": "True"}
    return _run(_WITHOUT_FLOW_FUNC if ignore_flow_func else _AS_BACKEND, packages, folder, mode)


def run_with_flow_func(packages: Sequence[str], folder: Path, *options: str) -> Outcome:
    """The tests of these packages with ours in place of each of NetworkX's own five flow functions."""
    return _run(_AS_FLOW_FUNC, packages, folder, {}, *options)


def _run(replace: str, packages: Sequence[str], folder: Path, mode: dict[str, str], *options: str) -> Outcome:
    # Neither our settings nor NetworkX's: a folder without any.
    arguments = ["-c", os.devnull, "--rootdir", str(folder), *options, "--pyargs", *packages]
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM.format(replace=replace), *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=280,
        env={**os.environ, **mode},
    )
    if done.returncode != 0:
        pytest.fail(done.stdout + done.stderr)
    answer = json.loads(done.stdout.splitlines()[-1])
    return Outcome(answer["status"], answer["outcomes"], answer["calls"], done.stdout)
