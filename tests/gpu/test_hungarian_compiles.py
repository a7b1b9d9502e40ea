"""The Hungarian methods compile with NVRTC, on a machine without a GPU."""

import re

import pytest
from device_code import compile_for, in_turns, words_of

from konig.assignment import gpu as cuda_assignment
from konig.assignment.hungarian import STEPS
from konig.gpu import cuda
from konig.gpu import programs as device_programs
from konig.registry import methods

KERNELS = ["hungarian_classical", "hungarian_tree"]
HEADER = (cuda.INCLUDE / "konig" / "papers" / "hungarian" / "state.h").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("architecture", "dtype"), in_turns(*((dtype,) for dtype in cuda_assignment.COST_TYPES))
)
@pytest.mark.parametrize("variant", ["classical", "tree"])
def test_both_methods_compile_for_every_type_of_costs(nvrtc, architecture, dtype, variant):
    options = (*cuda.compile_options(32, 32, False), *cuda_assignment.compile_options(dtype, variant))
    ptx, log = compile_for(nvrtc, architecture, options, cuda_assignment.UNIT)
    assert re.findall(r"\.entry (\w+)\(", ptx) == [f"hungarian_{variant}"]
    assert "warning" not in log
    assert "__local_depot" not in ptx  # what a thread knows of its columns stays in registers


def test_every_method_for_cuda_has_a_kernel():
    on_team = [m for m in methods("assignment") if m.solver == "hungarian"]
    names = [f"hungarian_{m.variant['variant']}" for m in on_team if m.name.startswith("hungarian-")]
    assert sorted(names) == KERNELS
    assert [m.name for m in on_team if not m.name.startswith("hungarian-")] == ["core-paths"]


def test_python_knows_the_layout_of_the_workspace():
    arrays = ["nanoseconds[kSteps]", "series[kSeries]"]
    assert list(words_of(HEADER, "State")) == [*cuda_assignment.STATE, *arrays]
    statuses = re.search(r"enum Status : long long \{ (.*?) \}", HEADER).group(1).split(", ")
    assert statuses.index("kRunning") == device_programs.RUNNING
    assert statuses.index("kOptimal") == cuda_assignment.OPTIMAL
    assert statuses.index("kInfeasible") == cuda_assignment.INFEASIBLE
    assert statuses.index("kNeedsRoom") == cuda_assignment.NEEDS_ROOM
    edge = re.search(r"struct Edge \{(.*?)\n\};", HEADER, re.DOTALL).group(1)
    assert re.findall(r"^  int (\w+);", edge, re.MULTILINE) == ["row", "col", "place"]
    assert cuda_assignment.EDGE_IDS == 3
    assert f"#define KONIG_CHUNKS {cuda_assignment.CHUNKS}\n" in HEADER
    steps = re.search(r"enum Step : long long \{(.*?)\};", HEADER, re.DOTALL).group(1)
    names = re.findall(r"\b(k[A-Z]\w+)\b(?=,|\n)", re.sub(r"//.*", "", steps))
    assert names[-1] == "kSteps"
    assert len(names) - 1 == len(STEPS)
