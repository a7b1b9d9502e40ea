"""The device code compiles with NVRTC, on a machine without a GPU and without CUDA headers."""

import re

import pytest
from device_code import ARCHITECTURES, compile_for, compile_program, in_turns, words_one_by_one

from konig import programs
from konig.flow.papers import gpu as cuda_flow
from konig.flow.programs import HELD
from konig.gpu import compile, cuda
from konig.gpu import programs as device_programs
from konig.matching.programs import PROGRAMS
from konig.registry import named_methods

FLOW_KERNELS = {
    f"flow_{layout}": [f"lock_free_{layout}", f"tlpns_{layout}"] for layout in ("csr", "rcsr", "bcsr")
}


def cases():
    """Every program; with the plain types alone it is no long test, and with one of the architectures."""
    for number, program in enumerate(programs.every()):
        plain = "long long" not in program.type
        for turn, architecture in enumerate(ARCHITECTURES):
            marks = () if plain and (number + turn) % 2 == 0 else pytest.mark.long
            yield pytest.param(program, architecture, marks=marks, id=f"{program.type}-{architecture}")


@pytest.mark.parametrize(("program", "architecture"), cases())
def test_every_program_compiles(nvrtc, program, architecture):
    ptx, log = compile_program(nvrtc, architecture, program)
    assert re.findall(r"\.entry (\w+)\(", ptx) == [program.name.rpartition("/")[2]]
    assert "warning" not in log
    assert "__local_depot" not in ptx  # the state stays in registers, and the workspace is not copied


@pytest.mark.parametrize(("architecture", "amounts"), in_turns(("int32",), ("int64",)))
def test_workers_may_hold_as_many_slots_as_long_lists_have(nvrtc, architecture, amounts):
    program = programs.find("flow/async_pr", ("int32", amounts))
    ptx, log = compile_program(nvrtc, architecture, program, (f"-DKONIG_FLOW_HELD={HELD[1]}",))
    assert "warning" not in log
    assert "__local_depot" not in ptx


# Flows come with ids and offsets of one width.
@pytest.mark.parametrize(("architecture", "bits", "profiled"), in_turns((32, False), (32, True), (64, False)))
@pytest.mark.parametrize("unit", FLOW_KERNELS)
def test_every_kernel_for_flows_compiles(nvrtc, unit, architecture, bits, profiled):
    compiles(nvrtc, unit, architecture, bits, bits, profiled)


def compiles(nvrtc, unit, architecture, id_bits, offset_bits, counted, more_options=()):
    options = (*cuda.compile_options(id_bits, offset_bits, counted), *more_options)
    ptx, log = compile_for(nvrtc, architecture, options, unit)
    assert sorted(re.findall(r"\.entry (\w+)\(", ptx)) == FLOW_KERNELS[unit]
    assert "warning" not in log
    assert "__local_depot" not in ptx  # the state stays in registers


def test_the_check_can_fail(nvrtc):
    program = programs.find("papers/augmenting_paths", ("int32", "int32"), (False, False, True))
    with pytest.raises(AssertionError, match=r"augmenting_paths\.h\(\d+\): error"):
        compile_program(nvrtc, "sm_90", program, ("-DkPrepare=1",))


@pytest.mark.parametrize(
    ("name", "flags"), [("papers/augmenting_paths", (False, True, False)), ("papers/g_pr", (True, False))]
)
def test_the_search_reads_and_writes_but_never_exchanges(nvrtc, name, flags):
    # The papers' kernels are atomic-free: with counters off only the team's agreements are atomic, and the
    # gathering of a block's items in its shared memory.
    ptx, _ = compile_program(nvrtc, "sm_90", programs.find(name, ("int32", "int32"), flags))
    operations = set(re.findall(r"(?<![a-z])(?:atom|red)\.\S+", ptx))
    assert operations
    for operation in operations:
        if ".shared." in operation or operation.endswith(".pred"):  # the latter is a block's barrier
            continue
        assert ".or.b32" in operation or (".add." in operation and operation.endswith("64")), operation


@pytest.mark.parametrize("name", ["matching/ms_bfs", "matching/greedy", "matching/karp_sipser"])
def test_vertices_are_claimed_by_exchange(nvrtc, name):
    flags = (False,) if name == "matching/ms_bfs" else ()
    ptx, _ = compile_program(nvrtc, "sm_90", programs.find(name, ("int32", "int32"), flags))
    assert re.search(r"atom\.\S*cas\.b32", ptx)


def test_python_knows_the_constants():
    limits = (cuda.INCLUDE / "konig" / "bsp" / "limits.h").read_text(encoding="utf-8")
    assert f"#define KONIG_SERIES {device_programs.SERIES}\n" in limits


def test_python_knows_the_layout_of_the_state_of_a_flow():
    text = (cuda.INCLUDE / "konig" / "papers" / "tlpns" / "state.h").read_text(encoding="utf-8")
    assert tuple(words_one_by_one(text, "State")) == cuda_flow.STATE
    assert f"series[{cuda_flow.SERIES_WIDTH} * kSeries]" in text
    assert f"#define KONIG_FLOW_PIECE {cuda_flow.PIECE}\n" in text
    assert f"kTileSizes = {cuda_flow.TILE_SIZES};" in text
    assert "enum Status : long long { kRunning, kMaximum, kStalled };" in text
    assert "enum Interval : long long { kOfLevels, kOfVertices, kFixed };" in text


def test_every_method_for_cuda_has_a_program_with_its_kernel():
    for method in (*named_methods("matching"), *named_methods("flow")):
        if "cuda" in method.devices and method.solver == "flow_on_team":
            unit, kernel = cuda_flow.kernel_name(method)
            assert kernel in FLOW_KERNELS[unit]
        elif "cuda" in method.devices and method.problem == "matching":
            assert method.solver in PROGRAMS


def test_the_digest_covers_every_header(tmp_path, monkeypatch):
    before = compile.headers_digest()
    copy = tmp_path / "include"
    for path in cuda.INCLUDE.rglob("*"):
        if path.is_file():
            target = copy / path.relative_to(cuda.INCLUDE)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    monkeypatch.setattr(compile, "INCLUDE", copy)
    assert compile.headers_digest.__wrapped__() == before
    for path in sorted(copy.rglob("*.h")):
        original = path.read_bytes()
        path.write_bytes(original + b"\n")
        assert compile.headers_digest.__wrapped__() != before, path.name
        path.write_bytes(original)
