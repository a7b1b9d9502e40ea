"""The kernels that prove real assignments compile with NVRTC, on a machine without a GPU."""

import re

import pytest
from device_code import compile_for, in_turns

from konig.assignment.gpu import COST_TYPES, PROOF_UNIT
from konig.gpu import compile


@pytest.mark.parametrize(("architecture", "dtype"), in_turns(("float32",), ("float64",)))
def test_it_compiles_for_every_type_of_real_costs(nvrtc, architecture, dtype):
    options = compile.options(f"-DKONIG_COST={COST_TYPES[dtype]}")
    ptx, log = compile_for(nvrtc, architecture, options, PROOF_UNIT)
    assert re.findall(r"\.entry (\w+)\(", ptx) == ["lowest_slacks", "pairs_within"]
    assert "warning" not in log
    assert ".rm.f64" in ptx  # differences are rounded down
