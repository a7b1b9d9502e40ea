"""The starts compile with NVRTC, on a machine without a GPU."""

import re

import pytest
from device_code import compile_for, in_turns, words_one_by_one

from konig.gpu import cuda
from konig.gpu import programs as device_programs
from konig.matching.device_starts import DEVICE_STARTS, LONG, TRANSPOSE_STATE
from konig.matching.methods import STARTS


@pytest.mark.parametrize(("architecture", "id_bits", "offset_bits"), in_turns((32, 32), (32, 64), (64, 64)))
@pytest.mark.parametrize("start", DEVICE_STARTS.values(), ids=lambda start: start.unit)
def test_every_start_compiles(nvrtc, start, architecture, id_bits, offset_bits):
    options = cuda.compile_options(id_bits, offset_bits, False)
    ptx, log = compile_for(nvrtc, architecture, options, start.unit)
    assert re.findall(r"\.entry (\w+)\(", ptx) == [start.unit]
    assert re.search(rf"atom\.\S*cas\.b{id_bits}", ptx)  # vertices are claimed by exchange
    assert "warning" not in log
    assert "__local_depot" not in ptx  # the state stays in registers


@pytest.mark.parametrize(("architecture", "id_bits", "offset_bits"), in_turns((32, 32), (32, 64), (64, 64)))
def test_the_transposition_compiles(nvrtc, architecture, id_bits, offset_bits):
    options = cuda.compile_options(id_bits, offset_bits, False)
    ptx, log = compile_for(nvrtc, architecture, options, "transpose")
    assert re.findall(r"\.entry (\w+)\(", ptx) == ["transpose"]
    assert "warning" not in log


def test_every_start_runs_on_a_gpu():
    assert {start.on_team for start in STARTS.values()} - {""} == set(DEVICE_STARTS)


@pytest.mark.parametrize(
    ("solver", "header"), [("greedy_on_team", "greedy.h"), ("karp_sipser_on_team", "karp_sipser/state.h")]
)
def test_python_knows_the_layout_of_the_workspace(solver, header):
    text = (cuda.INCLUDE / "konig" / "matching" / header).read_text(encoding="utf-8")
    assert tuple(words_one_by_one(text, "State")) == DEVICE_STARTS[solver].state
    statuses = re.search(r"enum Status : long long \{ (.*?) \}", text).group(1).split(", ")
    assert statuses.index("kRunning") == device_programs.RUNNING


def test_python_knows_the_state_of_the_transposition():
    text = (cuda.INCLUDE / "konig" / "matching" / "transpose.h").read_text(encoding="utf-8")
    assert tuple(words_one_by_one(text, "State")) == TRANSPOSE_STATE


def test_python_knows_how_lists_are_cut():
    text = (cuda.INCLUDE / "konig" / "matching" / "karp_sipser" / "tuning.h").read_text(encoding="utf-8")
    assert f"#define KONIG_PIECE {device_programs.PIECE}\n" in text
    assert f"kLong = {LONG} < kPiece" in text
    text = (cuda.INCLUDE / "konig" / "matching" / "ms_bfs" / "tuning.h").read_text(encoding="utf-8")
    assert f"#define KONIG_PIECE {device_programs.PIECE}\n" in text
