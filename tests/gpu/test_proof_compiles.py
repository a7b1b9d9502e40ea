"""The kernels that prove real assignments compile with NVRTC, on a machine without a GPU."""

import re

import pytest
from device_code import compile_unit, in_turns

from konig.assignment.first_launch import proof_unit


@pytest.mark.parametrize(("architecture", "dtype"), in_turns(("float32",), ("float64",)))
def test_it_compiles_for_every_type_of_real_costs(nvrtc, architecture, dtype):
    ptx, log = compile_unit(nvrtc, architecture, proof_unit(dtype))
    kernels = ["pair_costs", "real_col_duals", "lowest_slacks", "pairs_within"]
    assert re.findall(r"\.entry (\w+)\(", ptx) == kernels
    assert "warning" not in log
    assert ".rm.f64" in ptx  # differences are rounded down
