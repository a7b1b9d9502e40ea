"""The sequential flow solvers over random networks and grids, in plain and in sanitiser builds."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
CXX = os.environ.get("CXX", "g++")
# A compiler and teams of threads take a second on a machine of their own, and minutes on a busy one.
pytestmark = pytest.mark.timeout(3600)


def build_and_run(directory, flags, networks):
    if shutil.which(CXX) is None:
        pytest.skip(f"no compiler {CXX}")
    sources = [
        HERE / "stress_sequential_flow.cpp",
        *sorted((ROOT / "native" / "flow").rglob("*.cpp")),
    ]
    binary = directory / "stress_sequential_flow"
    folders = (f"-I{ROOT / 'native'}", f"-I{ROOT / 'src' / 'konig' / 'include'}", f"-I{HERE}")
    command = [CXX, "-std=c++20", "-O1", "-g", "-pthread", "-Wall", "-Wextra", "-Werror", *flags, *folders]
    subprocess.run([*command, *map(str, sources), "-o", str(binary)], check=True)
    ran = subprocess.run([str(binary), str(networks)], capture_output=True, text=True, timeout=1200)
    assert ran.returncode == 0, ran.stderr[-4000:]
    assert ran.stdout == f"{networks} networks\n"
    assert ran.stderr == ""


# The same methods run from Python in tests/flow.
@pytest.mark.long
def test_answers_are_right(tmp_path):
    build_and_run(tmp_path, (), 100)


@pytest.mark.long
def test_sanitisers_have_nothing_to_say(tmp_path):
    build_and_run(tmp_path, ("-fsanitize=address,undefined", "-fno-sanitize-recover=all"), 3000)
