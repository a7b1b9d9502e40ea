"""Device code that is compiled ahead of time: what there is, where it lies, and who finds it."""

import pytest
from device_code import Driver

from konig import programs, warmup
from konig.cli import main
from konig.gpu import compile
from konig.gpu.compile import Unit
from konig.gpu.program import unit_of

pytestmark = pytest.mark.usefixtures("cache")
TINY = Unit("tiny", 'extern "C" __global__ void tiny(int* place) { *place = 1; }')


def nothing(done, total):
    pass


def test_every_program_has_a_unit_of_its_own():
    some, every = warmup.units(), warmup.units(papers=True)
    assert set(some) < set(every)
    assert len({unit.file for unit in every}) == len(every)
    names = {program.name for program in programs.every()}
    assert {unit.name for unit in every} >= {name.rpartition("/")[2] for name in names}
    assert not {"hungarian", "g_pr", "augmenting_paths"} & {unit.name for unit in some}


def test_other_code_has_another_name(monkeypatch):
    program = programs.find("matching/greedy", ("int32", "int32"))
    unit = unit_of(program)
    assert unit.file != unit_of(program, options=("-DA=1",)).file
    assert unit.file != unit._replace(code=unit.code + "\n").file
    before = unit.file
    with monkeypatch.context() as other:
        other.setattr(compile, "INCLUDE", compile.INCLUDE / "elsewhere")
        assert unit.file == before  # wherever it is installed
    with monkeypatch.context() as other:
        other.setattr(compile, "STANDARD", "-std=c++20")
        assert unit.file != before
    monkeypatch.setattr(compile, "headers_digest", lambda: "0123456789abcdef")
    assert unit.file != before


def test_a_folder_serves_the_devices_that_run_it(nvrtc, tmp_path, monkeypatch):
    warmup.into_folder(tmp_path, ["sm_80"], [TINY], nothing)
    monkeypatch.setenv(compile.FOLDERS, f"{tmp_path / 'none'}:{tmp_path}")
    for capability, runs in (("80", True), ("86", True), ("89", True), ("75", False), ("90", False)):
        driver = Driver(capability)
        compile.load_or_compile(driver, TINY)
        assert len(driver.compiled) == (0 if runs else 1), capability
        assert driver.loaded[0].startswith(str(tmp_path)) == runs


def test_an_installation_carries_cubins_of_its_own_code(nvrtc, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(compile, "CARRIED", tmp_path)
    assert compile.carried() == []
    warmup.into_folder(tmp_path, ["sm_100", "sm_90"], [TINY], nothing)
    assert compile.carried() == ["sm_90", "sm_100"]
    main(["info"])
    assert "sm_90, sm_100" in capsys.readouterr().out
    driver, changed = Driver("90"), TINY._replace(more_options=("-DOTHER",))
    compile.load_or_compile(driver, TINY)
    compile.load_or_compile(driver, changed)
    assert driver.loaded[0] == str(tmp_path / "sm_90" / TINY.file)
    assert driver.compiled == [changed.code]


def test_what_the_driver_refuses_is_compiled(nvrtc, tmp_path, monkeypatch):
    warmup.into_folder(tmp_path, ["sm_90"], [TINY], nothing)
    monkeypatch.setenv(compile.FOLDERS, str(tmp_path))
    (tmp_path / "sm_90" / TINY.file).write_bytes(b"damaged")
    driver = Driver("90")
    compile.load_or_compile(driver, TINY)
    assert driver.compiled == [TINY.code]


def test_a_device_is_warmed_up_with_full_versions(cache):
    driver = Driver("86")
    warmup.for_this_device(driver, [TINY], nothing)
    assert (driver.compiled, driver.quick) == ([TINY.code], [])
    assert (cache / "sm_86" / TINY.file).is_file()
    warmup.for_this_device(driver, [TINY], nothing)
    assert driver.compiled == [TINY.code]


def test_cubins_of_other_code_are_removed(nvrtc, tmp_path):
    stale = tmp_path / "sm_90" / "tiny-0123456789abcdef.cubin"
    stale.parent.mkdir()
    stale.write_bytes(b"stale")
    unit = unit_of(programs.find("matching/check_lists", ("int32", "int32")))
    warmup.into_folder(tmp_path, ["sm_90"], [unit], nothing)
    assert [path.name for path in stale.parent.iterdir()] == [unit.file]
    made = (stale.parent / unit.file).stat().st_mtime_ns
    warmup.into_folder(tmp_path, ["sm_90"], [unit], nothing)
    assert (stale.parent / unit.file).stat().st_mtime_ns == made  # it was there
