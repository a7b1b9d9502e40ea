"""The kernel for batches compiles with NVRTC, on a machine without a GPU."""

import re

import pytest
from device_code import compile_for, in_turns

from konig.assignment import batch_gpu as cuda_batch
from konig.assignment import gpu as cuda_assignment
from konig.gpu import compile

HEADER = (compile.INCLUDE / "konig" / "assignment" / "batch" / "problem.h").read_text(encoding="utf-8")
MOST_SHARED = 48 << 10


def compiles(nvrtc, architecture, crew, dtype):
    options = compile.options(*crew.compile_options(dtype))
    ptx, log = compile_for(nvrtc, architecture, options, cuda_batch.UNIT)
    assert re.findall(r"\.entry (\w+)\(", ptx) == [cuda_batch.UNIT]
    assert "warning" not in log
    assert "__local_depot" not in ptx  # what a thread knows of its columns stays in registers
    shared = re.findall(r"\.shared \.align \d+ \.b8 \S+?\[(\d+)\]", ptx)
    assert shared
    assert sum(map(int, shared)) <= MOST_SHARED


@pytest.mark.parametrize("crew", cuda_batch.CREWS, ids=lambda crew: f"{crew.threads}x{crew.strips}")
def test_every_crew_compiles(nvrtc, crew):
    compiles(nvrtc, "sm_90", crew, "float32")


@pytest.mark.parametrize(
    ("architecture", "dtype"), in_turns(*((dtype,) for dtype in cuda_assignment.COST_TYPES))
)
def test_every_type_of_costs_compiles(nvrtc, architecture, dtype):
    compiles(nvrtc, architecture, cuda_batch.CREWS[0], dtype)


def test_python_knows_the_names_of_the_header():
    outcomes = re.search(r"enum Outcome : int \{(.*?)\}", HEADER, re.DOTALL).group(1)
    names = [name.strip() for name in outcomes.split(",")]
    assert names.index("kOptimal") == cuda_batch.OPTIMAL
    assert names.index("kPaused") == cuda_batch.PAUSED
    assert names.index("kInfeasible") == cuda_batch.INFEASIBLE
    assert names.index("kOutOfReach") == cuda_batch.OUT_OF_REACH
    assert names.index("kTotalTooLarge") == cuda_batch.TOTAL_TOO_LARGE
    assert names.index("kBadCost") == cuda_batch.BAD_COST
    words = re.search(r"enum Word : int \{(.*?)\}", HEADER, re.DOTALL).group(1)
    names = [name.strip() for name in words.split(",")]
    assert names == ["kNext", "kFirstBad", "kFinished", "kGreedy", "kSearches", "kSteps", "kWords"]
    assert len(cuda_batch.WORDS) == names.index("kWords")
    assert [cuda_batch.WORDS.index(word) for word in ("next", "first_bad", "finished")] == [0, 1, 2]
