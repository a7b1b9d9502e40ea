"""The assignment solvers over random costs in sanitiser builds."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
# Without what calls other rooms: matchings below a threshold, and costs on a GPU.
ROOM = [
    path
    for path in sorted((ROOT / "native" / "assignment").rglob("*.cpp"))
    if path.parent.name != "bottleneck" and path.name != "costs_there.cpp"
]
SOURCES = [HERE / "stress_assignment.cpp", *ROOM]
CXX = os.environ.get("CXX", "g++")
# A compiler and teams of threads take a second on a machine of their own, and minutes on a busy one.
pytestmark = pytest.mark.timeout(3600)


@pytest.mark.long
@pytest.mark.parametrize("sanitizers", ["thread", "address,undefined"])
def test_sanitisers_have_nothing_to_say(tmp_path, sanitizers):
    if shutil.which(CXX) is None:
        pytest.skip(f"no compiler {CXX}")
    binary = tmp_path / "stress_assignment"
    checks = (f"-fsanitize={sanitizers}", "-fno-sanitize-recover=all")
    folders = (f"-I{ROOT / 'native'}", f"-I{ROOT / 'src' / 'konig' / 'include'}")
    command = [CXX, "-std=c++20", "-O1", "-g", "-pthread", *checks, *folders]
    subprocess.run([*command, *map(str, SOURCES), "-o", str(binary)], check=True)
    ran = subprocess.run([str(binary), "200"], capture_output=True, text=True, timeout=2400)
    assert ran.returncode == 0, ran.stderr[-4000:]
    assert ran.stdout == "200 trials\n"
    assert ran.stderr == ""


@pytest.mark.long
def test_scans_of_all_instruction_sets_agree(tmp_path):
    if shutil.which(CXX) is None:
        pytest.skip(f"no compiler {CXX}")
    binary = tmp_path / "scans_agree"
    sources = [
        HERE / "scans_agree.cpp",
        *sorted((ROOT / "native" / "assignment" / "scans").glob("*scans*.cpp")),
    ]
    command = [CXX, "-std=c++20", "-O2", f"-I{ROOT / 'native'}", f"-I{ROOT / 'src' / 'konig' / 'include'}"]
    subprocess.run([*command, *map(str, sources), "-o", str(binary)], check=True)
    ran = subprocess.run([str(binary), "2000"], capture_output=True, text=True, timeout=600)
    assert ran.stdout == "2000 trials\n", ran.stderr


def test_a_caller_is_polled_at_every_question_about_distant_costs(tmp_path):
    if shutil.which(CXX) is None:
        pytest.skip(f"no compiler {CXX}")
    binary = tmp_path / "distant_questions"
    sources = [HERE / "distant_questions.cpp", ROOT / "native" / "assignment" / "exact" / "core.cpp"]
    command = [CXX, "-std=c++20", f"-I{ROOT / 'native'}", f"-I{ROOT / 'src' / 'konig' / 'include'}"]
    subprocess.run([*command, *map(str, sources), "-o", str(binary)], check=True)
    ran = subprocess.run([str(binary)], capture_output=True, text=True, timeout=600)
    assert ran.stdout == "4 polls\n"  # five questions, the first of which starts the clock
