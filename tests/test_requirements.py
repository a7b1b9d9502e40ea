"""What pip is asked for comes from pyproject.toml alone."""

import importlib.metadata
import re
import subprocess
import sys
from pathlib import Path

import pytest

import konig

ROOT = Path(__file__).parents[1]


def asked(*arguments):
    command = [sys.executable, str(ROOT / ".ci" / "requirements.py"), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


@pytest.mark.parametrize("groups", [["dependencies"], ["build"], ["plot", "test"]])
def test_every_requirement_has_a_lower_bound_to_test(groups):
    lowest = asked("--lowest", *groups)
    assert len(lowest) == len(asked(*groups)) > 0
    assert all("==" in line and ">=" not in line for line in lowest)


def test_peers_are_asked_for_by_the_bench_alone():
    others = asked("dependencies", "plot", "test", "lint", "build")
    assert not {line for line in others if line.startswith(("lap", "igraph", "ortools", "PyMaxflow"))}


def test_the_version_of_the_package_is_that_of_its_metadata():
    assert importlib.metadata.version("konig") == konig.__version__


def test_the_changelog_begins_with_this_version():
    headings = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert headings[headings[0] == "Unreleased"] == konig.__version__


def test_importing_konig_imports_nothing_large():
    large = "numpy", "scipy", "importlib.metadata"
    command = f"import sys, konig; konig.__version__; print([m for m in {large} if m in sys.modules])"
    alone = {"PYTHONPATH": str(Path(konig.__file__).parents[1])}
    found = subprocess.run([sys.executable, "-S", "-c", command], capture_output=True, text=True, env=alone)
    assert found.stdout.strip() == "[]", found.stderr
