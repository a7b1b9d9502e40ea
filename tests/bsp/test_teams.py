"""The teams and the algorithms on them, in plain and in sanitiser builds of one C++ program."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import konig

PROGRAM = Path(__file__).parent.parent / "native" / "stress_teams.cpp"
INCLUDE = Path(konig.__file__).parent / "include"
CXX = os.environ.get("CXX", "g++")
# Every list and every walk is cut after a step or two, and the series is emptied every other iteration.
TINY_LIMITS = ("-DKONIG_SCAN_LIMIT=2", "-DKONIG_WALK_LIMIT=1", "-DKONIG_SERIES=2")


def build_and_run(directory, flags, graphs):
    if shutil.which(CXX) is None:
        pytest.skip(f"no compiler {CXX}")
    binary = directory / "stress_teams"
    warnings = ("-Wall", "-Wextra", "-Werror")
    command = [CXX, "-std=c++20", "-O1", "-g", "-pthread", *warnings, *flags, f"-I{INCLUDE}"]
    subprocess.run([*command, str(PROGRAM), "-o", str(binary)], check=True)
    ran = subprocess.run([str(binary), str(graphs)], capture_output=True, text=True, timeout=1200)
    assert ran.returncode == 0, ran.stderr[-4000:]
    assert ran.stdout == f"{graphs} graphs\n"
    assert ran.stderr == ""


@pytest.mark.parametrize("limits", [(), TINY_LIMITS], ids=["usual limits", "tiny limits"])
def test_teams_agree_and_answers_are_right(tmp_path, limits):
    build_and_run(tmp_path, limits, 60)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("limits", [(), TINY_LIMITS], ids=["usual limits", "tiny limits"])
@pytest.mark.parametrize("sanitizers", ["thread", "address,undefined"])
def test_sanitisers_have_nothing_to_say(tmp_path, sanitizers, limits):
    build_and_run(tmp_path, (f"-fsanitize={sanitizers}", "-fno-sanitize-recover=all", *limits), 300)
