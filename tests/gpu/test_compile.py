"""The device code compiles with NVRTC, on a machine without a GPU and without CUDA headers."""

import re

import pytest
from device_code import ARCHITECTURES, compile_program, in_turns

from konig import programs
from konig.assignment.points.team import METRICS, compile_options
from konig.flow.programs import HELD
from konig.gpu import compile
from konig.gpu.nvrtc import CompileError
from konig.registry import named_methods


def cases():
    """Every program of teams, with plain types and one of the architectures; the others are long tests."""
    for number, program in enumerate(program for program in programs.every() if not program.for_groups):
        plain = "long long" not in program.type
        for turn, architecture in enumerate(ARCHITECTURES):
            marks = () if plain and (number + turn) % 2 == 0 else pytest.mark.long
            yield pytest.param(program, architecture, marks=marks, id=f"{program.type}-{architecture}")


@pytest.mark.parametrize(("program", "architecture"), cases())
def test_every_program_compiles(nvrtc, program, architecture):
    options = compile_options(METRICS.index("euclidean"), 2) if "PointCosts" in program.type else ()
    ptx, log = compile_program(nvrtc, architecture, program, options)
    assert re.findall(r"\.entry (\w+)\(", ptx) == [program.name.rpartition("/")[2]]
    assert "warning" not in log
    assert "__local_depot" not in ptx  # the state stays in registers, and the workspace is not copied


@pytest.mark.long
@pytest.mark.parametrize("options", [compile_options(k, 4) for k in range(len(METRICS))])
def test_points_of_many_dimensions(nvrtc, options):
    ptx, log = compile_program(nvrtc, "sm_90", programs.find("assignment/core_paths", ("points",)), options)
    assert "warning" not in log
    assert "__local_depot" not in ptx


@pytest.mark.parametrize(("architecture", "amounts"), in_turns(("int32",), ("int64",)))
def test_workers_may_hold_as_many_slots_as_long_lists_have(nvrtc, architecture, amounts):
    program = programs.find("flow/async_pr", ("int32", amounts))
    ptx, log = compile_program(nvrtc, architecture, program, (f"-DKONIG_FLOW_HELD={HELD[1]}",))
    assert "warning" not in log
    assert "__local_depot" not in ptx


def test_the_check_can_fail(nvrtc):
    program = programs.find("papers/augmenting_paths", ("int32", "int32"), (False, False, True))
    with pytest.raises(CompileError, match=r"augmenting_paths\.h\(\d+\): error"):
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


def test_every_method_for_cuda_has_a_program():
    names = {program.name for program in programs.every()}
    for method in (*named_methods("matching"), *named_methods("flow")):
        layout = method.variant.get("layout")
        if "cuda" in method.devices:
            assert (f"papers/tlpns/{layout}" if layout else method.solver) in names


def test_the_digest_covers_every_header(tmp_path, monkeypatch):
    before = compile.headers_digest()
    copy = tmp_path / "include"
    for path in compile.INCLUDE.rglob("*"):
        if path.is_file():
            target = copy / path.relative_to(compile.INCLUDE)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    monkeypatch.setattr(compile, "INCLUDE", copy)
    assert compile.headers_digest.__wrapped__() == before
    for path in sorted(copy.rglob("*.h")):
        original = path.read_bytes()
        path.write_bytes(original + b"\n")
        assert compile.headers_digest.__wrapped__() != before, path.name
        path.write_bytes(original)
