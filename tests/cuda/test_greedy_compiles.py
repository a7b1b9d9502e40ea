"""The greedy start compiles with NVRTC, on a machine without a GPU."""

import importlib.util
import re
from pathlib import Path

import pytest

from konig.backends import cuda, greedy_start

spec = importlib.util.spec_from_file_location("compiling", Path(__file__).parent / "test_compile.py")
compiling = importlib.util.module_from_spec(spec)
spec.loader.exec_module(compiling)
nvrtc = compiling.nvrtc


@pytest.mark.parametrize("architecture", ["sm_80", "sm_90"])
@pytest.mark.parametrize(("id_bits", "offset_bits"), [(32, 32), (32, 64), (64, 64)])
def test_the_start_compiles(nvrtc, architecture, id_bits, offset_bits):
    options = cuda.compile_options(id_bits, offset_bits, False)
    ptx, log = compiling.compile_for(nvrtc, architecture, options, "greedy")
    assert re.findall(r"\.entry (\w+)\(", ptx) == ["greedy"]
    assert re.search(rf"atom\.\S*cas\.b{id_bits}", ptx)  # rows are claimed by exchange
    assert "warning" not in log


def test_python_knows_the_layout_of_the_workspace():
    header = (cuda.INCLUDE / "konig" / "matching" / "greedy.h").read_text()
    body = re.search(r"struct State \{(.*?)\n\};", header, re.DOTALL).group(1)
    assert tuple(re.findall(r"long long (\w+);", body)) == greedy_start.STATE
    statuses = re.search(r"enum Status : long long \{ (.*?) \}", header).group(1).split(", ")
    assert statuses.index("kRunning") == greedy_start.RUNNING
