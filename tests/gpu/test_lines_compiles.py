"""The kernels that read rows and columns of costs compile with NVRTC, on a machine without a GPU."""

import re

import pytest
from device_code import compile_unit, in_turns

from konig.assignment.lines import lines_unit
from konig.gpu.compile import TYPES


@pytest.mark.parametrize(("architecture", "dtype"), in_turns(*((dtype,) for dtype in TYPES)))
def test_they_compile_for_every_type_of_costs(nvrtc, architecture, dtype):
    ptx, log = compile_unit(nvrtc, architecture, lines_unit(dtype))
    sums = ["row_sums", "row_minima", "col_sums", "col_minima"]
    parts = ["entries", "part_of", "forbid_above", "transposed"]
    assert re.findall(r"\.entry (\w+)\(", ptx) == sums + parts
    assert "warning" not in log
    assert "atom" not in ptx  # sums are the same every time
