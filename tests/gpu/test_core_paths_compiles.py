"""core-paths compiles with NVRTC, on a machine without a GPU."""

import re

import pytest
from device_code import compile_for, in_turns, words_of

from konig.assignment import core_paths as cuda_core
from konig.assignment import gpu as cuda_assignment
from konig.assignment.hungarian import CORE_STEPS
from konig.gpu import cuda
from konig.gpu import programs as device_programs

HEADER = (cuda.INCLUDE / "konig" / "assignment" / "core" / "state.h").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("architecture", "dtype"), in_turns(*((dtype,) for dtype in cuda_assignment.COST_TYPES))
)
def test_it_compiles_for_every_type_of_costs(nvrtc, architecture, dtype):
    options = (
        *cuda.compile_options(32, 32, False),
        f"-DKONIG_COST={cuda_assignment.COST_TYPES[dtype]}",
    )
    ptx, log = compile_for(nvrtc, architecture, options, cuda_core.UNIT)
    assert re.findall(r"\.entry (\w+)\(", ptx) == ["core_paths"]
    assert "warning" not in log
    assert "__local_depot" not in ptx  # what a thread knows of its columns stays in registers


def test_python_knows_the_layout_of_the_workspace():
    assert list(words_of(HEADER, "State")) == [*cuda_core.STATE, "nanoseconds[kSteps]"]
    statuses = re.search(r"enum Status : long long \{ (.*?) \}", HEADER).group(1).split(", ")
    assert statuses.index("kRunning") == device_programs.RUNNING
    assert statuses.index("kOptimal") == cuda_core.OPTIMAL
    assert statuses.index("kInfeasible") == cuda_core.INFEASIBLE
    assert statuses.index("kNeedsRoom") == cuda_core.NEEDS_ROOM
    assert statuses.index("kStalled") == cuda_core.STALLED
    assert statuses.index("kAlike") == cuda_core.ALIKE
    rank = int(re.search(r"#define KONIG_CORE_RANK (\d+)", HEADER).group(1))
    assert "kFirstRoom = 4 * kRank;" in HEADER
    assert 4 * rank == cuda_core.FIRST_ROOM
    assert "kUnreached = 8 * kReach;" in HEADER  # kReach is 2^59
    steps = re.search(r"enum Step : long long \{(.*?)\};", HEADER, re.DOTALL).group(1)
    names = re.findall(r"\b(k[A-Z]\w+)\b(?=,|\n)", re.sub(r"//.*", "", steps))
    assert names[-1] == "kSteps"
    assert len(names) - 1 == len(CORE_STEPS)
