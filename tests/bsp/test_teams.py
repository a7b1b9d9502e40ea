"""The teams and the algorithms on them, in plain and in sanitiser builds of one C++ program."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import konig

SOURCES = Path(__file__).parent.parent / "native"
PROGRAMS = [
    "stress_team_verbs",
    "stress_teams",
    "stress_push_relabel",
    "stress_ms_bfs",
    "stress_karp_sipser",
    "stress_hungarian",
    "stress_core_paths",
    "stress_flow",
    "stress_synchronous_flow",
]
INCLUDE = Path(konig.__file__).parent / "include"
CXX = os.environ.get("CXX", "g++")
# A compiler and teams of threads take a second on a machine of their own, and minutes on a busy one.
pytestmark = pytest.mark.timeout(3600)
# Every list and every walk is cut after a step or two, the series is emptied every other iteration, and what
# push-relabel does every now and then it does whenever it can.
TINY_LIMITS = (
    "-DKONIG_SCAN_LIMIT=2",
    "-DKONIG_WALK_LIMIT=1",
    "-DKONIG_SERIES=2",
    "-DKONIG_SHRINK_FROM=1",
    "-DKONIG_GAP_EVERY=1",
    "-DKONIG_LOOPS_PER_LEVEL=0",
    "-DKONIG_PIECE=2",
    "-DKONIG_AT_ONCE=1",
    "-DKONIG_WALK=2",
    "-DKONIG_CPU_STRIP=3",
    "-DKONIG_CHUNKS=3",
    "-DKONIG_CHUNK_ROWS=1",
    "-DKONIG_CORE_RANK=2",
    "-DKONIG_CORE_ADDED=1",
    "-DKONIG_CORE_SWEEPS=1",
    "-DKONIG_CORE_LOOKS=1",
    "-DKONIG_CORE_LEFT_FREE=4",
    "-DKONIG_CORE_FEW_LISTS=3",
    "-DKONIG_FLOW_MANY=1",
    "-DKONIG_FLOW_PIECE=2",
    "-DKONIG_FLOW_CYCLES_PER_LEVEL=0",
    "-DKONIG_FLOW_SHORT=3",
    "-DKONIG_FLOW_FEW=5",
    "-DKONIG_FLOW_HOLD=2",
    "-DKONIG_FLOW_HELD=2",
)

# Those of which a graph takes long.
FEWER_GRAPHS = {"stress_team_verbs": 3, "stress_teams": 10, "stress_push_relabel": 10, "stress_flow": 10}

QUICK_LIMITS = [
    pytest.param((), marks=pytest.mark.long, id="usual limits"),
    pytest.param(TINY_LIMITS, id="tiny limits"),
]


def build_and_run(program, directory, flags, graphs):
    if shutil.which(CXX) is None:
        pytest.skip(f"no compiler {CXX}")
    binary = directory / program
    warnings = ("-Wall", "-Wextra", "-Werror")
    command = [CXX, "-std=c++20", "-O1", "-g", "-pthread", *warnings, *flags, f"-I{INCLUDE}"]
    subprocess.run([*command, str(SOURCES / f"{program}.cpp"), "-o", str(binary)], check=True)
    ran = subprocess.run([str(binary), str(graphs)], capture_output=True, text=True, timeout=1200)
    assert ran.returncode == 0, ran.stderr[-4000:]
    assert ran.stdout == f"{graphs} graphs\n"
    assert ran.stderr == ""


@pytest.mark.parametrize("limits", QUICK_LIMITS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_teams_agree_and_answers_are_right(tmp_path, program, limits):
    build_and_run(program, tmp_path, limits, FEWER_GRAPHS.get(program, 20))


@pytest.mark.long
@pytest.mark.parametrize("limits", [(), TINY_LIMITS], ids=["usual limits", "tiny limits"])
@pytest.mark.parametrize("sanitizers", ["thread", "address,undefined"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_sanitisers_have_nothing_to_say(tmp_path, program, sanitizers, limits):
    build_and_run(program, tmp_path, (f"-fsanitize={sanitizers}", "-fno-sanitize-recover=all", *limits), 300)
