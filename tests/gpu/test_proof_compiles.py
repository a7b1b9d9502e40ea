"""The kernels that prove real assignments compile with NVRTC, on a machine without a GPU."""

import re

import pytest
from device_code import compile_for, in_turns

from konig.assignment import gpu_proof as cuda_proof
from konig.gpu import compile


@pytest.mark.parametrize(("architecture", "dtype"), in_turns(*((dtype,) for dtype in cuda_proof.COST_TYPES)))
def test_it_compiles_for_every_type_of_real_costs(nvrtc, architecture, dtype):
    options = compile.options(f"-DKONIG_COST={cuda_proof.COST_TYPES[dtype]}")
    ptx, log = compile_for(nvrtc, architecture, options, cuda_proof.UNIT)
    assert re.findall(r"\.entry (\w+)\(", ptx) == ["lowest_slacks", "pairs_within"]
    assert "warning" not in log
    assert ".rm.f64" in ptx  # differences are rounded down
