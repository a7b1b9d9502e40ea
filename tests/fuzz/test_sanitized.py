"""Fuzzing with an instrumented native module: bindings, solvers of all problems, batches, threads."""

import subprocess
import sys

import pytest

from fuzz.runner import TESTS

DEADLY = ("dies of", "exits with", "hangs")


@pytest.mark.long
@pytest.mark.timeout(7200)
@pytest.mark.parametrize(
    "options",
    [("--sanitize", "address,undefined"), ("--sanitize", "thread", "--threads", "2,3,5")],
    ids=["address and undefined behaviour", "threads"],
)
def test_sanitisers_have_nothing_to_say(options, tmp_path):
    findings = tmp_path / "findings.jsonl"
    command = [
        sys.executable,
        "-m",
        "fuzz",
        *options,
        "--minutes",
        "4",
        "--patience",
        "600",
        "--out",
        findings,
    ]
    run = subprocess.run(
        [*command, "--out", findings], cwd=TESTS, capture_output=True, text=True, timeout=7000
    )
    assert findings.exists(), run.stdout[-4000:] + run.stderr[-4000:]
    dead = [
        line
        for line in findings.read_text().splitlines()
        if any(f'"kind": "{kind}' in line for kind in DEADLY)
    ]
    assert not dead, dead[0]
