"""The multicore solvers with random pauses in every shared access, in plain and in sanitiser builds."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
SOURCES = [
    HERE / "stress_multicore.cpp",
    *(
        ROOT / "native" / "matching" / f"{name}.cpp"
        for name in (
            "papers/hopcroft_karp",
            "papers/disjoint_paths",
            "tree_grafting",
            "karp_sipser",
            "greedy",
        )
    ),
]
CXX = os.environ.get("CXX", "g++")
# A compiler and teams of threads take a second on a machine of their own, and minutes on a busy one.
pytestmark = pytest.mark.timeout(3600)
# Every level of the breadth-first search is shared, and appended two columns at a time.
TINY_LIMITS = ("-DKONIG_NARROW_LEVEL=1", "-DKONIG_LEVEL_BATCH=2", "-DKONIG_FEW_EACH=1")

QUICK_LIMITS = [
    pytest.param((), marks=pytest.mark.long, id="usual limits"),
    pytest.param(TINY_LIMITS, id="tiny limits"),
]


def build_and_run(directory, flags, graphs):
    if shutil.which(CXX) is None:
        pytest.skip(f"no compiler {CXX}")
    binary = directory / "stress_multicore"
    warnings = ("-Wall", "-Wextra", "-Werror")
    folders = (f"-I{ROOT / 'native'}", f"-I{ROOT / 'src' / 'konig' / 'include'}", f"-I{HERE}")
    command = [CXX, "-std=c++20", "-O1", "-g", "-pthread", *warnings, *flags, *folders]
    pauses = ("-include", "random_pause.h")
    subprocess.run([*command, *pauses, *map(str, SOURCES), "-o", str(binary)], check=True)
    ran = subprocess.run([str(binary), str(graphs)], capture_output=True, text=True, timeout=1200)
    assert ran.returncode == 0, ran.stderr[-4000:]
    assert ran.stdout == f"{graphs} graphs\n"
    assert ran.stderr == ""


@pytest.mark.parametrize("limits", QUICK_LIMITS)
def test_answers_are_right_under_random_pauses(tmp_path, limits):
    build_and_run(tmp_path, limits, 10)


@pytest.mark.long
@pytest.mark.parametrize("limits", [(), TINY_LIMITS], ids=["usual limits", "tiny limits"])
@pytest.mark.parametrize("sanitizers", ["thread", "address,undefined"])
def test_sanitisers_have_nothing_to_say(tmp_path, sanitizers, limits):
    build_and_run(tmp_path, (f"-fsanitize={sanitizers}", "-fno-sanitize-recover=all", *limits), 200)
