"""The program for batches compiles with NVRTC for every group, on a machine without a GPU."""

import re

import pytest
from device_code import compile_program, in_turns

from konig import programs
from konig.assignment import batch as batches

MOST_SHARED = 48 << 10


def compiles(nvrtc, architecture, group, dtype):
    program = programs.find(batches.PROGRAM, (dtype,))
    ptx, log = compile_program(nvrtc, architecture, program, group=group)
    assert re.findall(r"\.entry (\w+)\(", ptx) == ["batch"]
    assert "warning" not in log
    assert "__local_depot" not in ptx  # what a thread knows of its columns stays in registers
    shared = re.findall(r"\.shared \.align \d+ \.b8 \S+?\[(\d+)\]", ptx)
    assert shared
    assert sum(map(int, shared)) <= MOST_SHARED


@pytest.mark.parametrize("group", batches.GROUPS, ids=lambda group: f"{group.threads}x{group.strips}")
def test_every_group_compiles(nvrtc, group):
    compiles(nvrtc, "sm_90", group, "float32")


@pytest.mark.parametrize(
    ("architecture", "dtype"), in_turns(("int32",), ("int64",), ("float32",), ("float64",))
)
def test_every_type_of_costs_compiles(nvrtc, architecture, dtype):
    compiles(nvrtc, architecture, batches.GROUPS[0], dtype)
