"""The kernel that finds the extent of costs compiles with NVRTC, on a machine without a GPU."""

import re

import pytest
from device_code import compile_unit, in_turns

from konig.assignment import gpu as cuda_assignment
from konig.gpu.compile import TYPES


@pytest.mark.parametrize(("architecture", "dtype"), in_turns(*((dtype,) for dtype in TYPES)))
def test_it_compiles_for_every_type_of_costs(nvrtc, architecture, dtype):
    ptx, log = compile_unit(nvrtc, architecture, cuda_assignment.extent_unit(dtype))
    assert re.findall(r"\.entry (\w+)\(", ptx) == [cuda_assignment.EXTENT_UNIT]
    assert "warning" not in log
