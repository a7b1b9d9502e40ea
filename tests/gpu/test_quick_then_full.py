"""Units that nobody has compiled: a quick version runs at once, and a full one takes its place."""

import os
import subprocess
import sys
import textwrap
import threading
from types import SimpleNamespace

import numpy as np
import pytest
from device_code import Driver
from host_memory import HostCupy, HostKernel, OnHost, host_driver

from konig import programs
from konig.gpu import commands, compile
from konig.gpu import program as device_program
from konig.gpu.compile import Unit, Version
from konig.gpu.nvrtc import CompileError, CupyNvrtc
from konig.gpu.program import DeviceSolve
from konig.lab import generators
from konig.matching import programs as matching_programs
from konig.matching.inputs import Partial, as_graph
from konig.programs import Task

UNIT = Unit("unit", "code")
QUICK, FULL = b"\x7fELF quick", b"\x7fELF full"


@pytest.fixture
def driver(cache):
    return Driver("90")


def test_a_quick_version_comes_first_and_the_full_one_next(driver, cache):
    driver.may_end.clear()
    assert compile.compiled(driver, UNIT).cubin == QUICK
    assert compile.compiled(driver, UNIT).cubin == QUICK
    assert not list(cache.rglob("*.cubin"))
    before = compile.generation
    driver.may_end.set()
    compile.wait_for_full()
    assert compile.generation == before + 1
    assert compile.compiled(driver, UNIT).cubin == FULL
    assert compile.compiled(driver, UNIT) is compile.compiled(driver, UNIT)
    assert (driver.quick, driver.compiled) == ([UNIT.code], [UNIT.code])
    assert [path.name for path in cache.rglob("*.*")] == [UNIT.file]


def test_a_later_process_finds_the_full_one(driver, monkeypatch):
    compile.compiled(driver, UNIT)
    compile.wait_for_full()
    monkeypatch.setattr(compile, "_versions", {})
    later = Driver("90")
    assert compile.compiled(later, UNIT).cubin == FULL
    assert (later.quick, later.compiled) == ([], [])


def test_a_version_is_quick_until_the_full_one_takes_its_place(driver):
    driver.may_end.clear()
    assert compile.version_of(driver, UNIT).quick
    driver.may_end.set()
    compile.wait_for_full()
    assert not compile.version_of(driver, UNIT).quick


def test_without_hurry_a_unit_is_compiled_in_full_at_once(driver):
    compile.begin(driver, UNIT, hurry=False)
    assert compile.version_of(driver, UNIT, hurry=False).module.cubin == FULL
    assert (driver.quick, driver.compiled) == ([], [UNIT.code])


def test_without_hurry_the_full_version_of_a_quick_one_is_waited_for(driver):
    driver.may_end.clear()
    assert compile.compiled(driver, UNIT).cubin == QUICK
    threading.Timer(0.1, driver.may_end.set).start()
    assert compile.version_of(driver, UNIT, hurry=False).module.cubin == FULL
    assert (driver.quick, driver.compiled) == ([UNIT.code], [UNIT.code])


def test_without_hurry_the_quick_version_serves_if_there_can_be_no_other(driver):
    driver.refused.append(UNIT.code)
    assert compile.compiled(driver, UNIT).cubin == QUICK
    assert compile.version_of(driver, UNIT, hurry=False).module.cubin == QUICK


def test_only_tasks_of_few_items_a_superstep_hurry(driver, monkeypatch):
    hurried = []

    def version_of(cupy, unit, hurry):
        hurried.append(hurry)
        return Version(SimpleNamespace(get_function=lambda name: OnHost()))

    monkeypatch.setattr(device_program, "_kernels", {})
    monkeypatch.setattr(compile, "version_of", version_of)
    monkeypatch.setattr(device_program.device, "resident_blocks", lambda cupy, kernel, threads: 1)
    program = programs.find("assignment/core_paths", ("points",))
    for points in (1_000, 100_000, 1_000):
        device_program.kernel_for(driver, Task(program, {}, {}, items=points**2), 256, {})
    assert hurried == [True, False]  # and the third is the first


def test_a_quick_version_takes_no_more_blocks_than_the_full_one(driver, monkeypatch):
    # The full one may be there by the time that they are counted: then the solve goes on with it at once.
    program = programs.find("assignment/core_paths", ("points",))
    unit = device_program.unit_of(program)

    def many(cupy, kernel, threads):
        driver.may_end.set()
        compile.wait_for_full()
        return 1000

    driver.may_end.clear()
    monkeypatch.setattr(device_program, "_kernels", {})
    monkeypatch.setattr(device_program.device, "resident_blocks", many)
    monkeypatch.setattr(device_program.device, "processors", lambda cupy: 10)
    _, blocks = device_program.kernel_for(driver, Task(program, {}, {}), 256, {})
    assert driver.quick == driver.compiled == [unit.code]
    assert blocks == 10 * program.resident_blocks


def test_units_that_are_expected_come_quickly_too(driver):
    driver.may_end.clear()
    other = Unit("other", "other")
    compile.begin(driver, UNIT, other)
    assert [compile.compiled(driver, unit).cubin for unit in (UNIT, other)] == [QUICK, QUICK]
    driver.may_end.set()
    compile.wait_for_full()
    assert [compile.compiled(driver, unit).cubin for unit in (UNIT, other)] == [FULL, FULL]


def test_without_a_full_one_the_quick_one_stays(driver, cache):
    driver.refused.append(UNIT.code)
    before = compile.generation
    for _ in range(2):
        assert compile.compiled(driver, UNIT).cubin == QUICK
        compile.wait_for_full()
    assert compile.generation == before
    assert driver.quick == driver.compiled == [UNIT.code]
    assert not list(cache.rglob("*.cubin"))


def test_code_that_does_not_compile_is_refused_with_the_log(cache):
    driver = Driver("90", version=(12, 4))
    driver.refused.append(UNIT.code)
    with pytest.raises(CompileError, match=r"unit for sm_90: NVRTC_ERROR_COMPILATION \(6\)\nrefused"):
        compile.compiled(driver, UNIT)


def test_an_older_compiler_makes_full_ones_only(cache):
    driver = Driver("90", version=(12, 4))
    assert compile.compiled(driver, UNIT).cubin == FULL
    assert driver.quick == []


@pytest.mark.parametrize(
    ("capability", "architecture"), [("86", "sm_86"), ("89", "sm_86"), ("121", "sm_120"), ("130", "sm_130")]
)
def test_code_is_made_for_what_the_compiler_knows(capability, architecture):
    assert CupyNvrtc(Driver("90")).architecture_for(capability) == architecture


def test_a_folder_that_cannot_be_written_is_no_hindrance(driver, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("in the way of a folder")
    monkeypatch.setenv(compile.CACHE, str(tmp_path / "file"))
    compile.compiled(driver, UNIT)
    compile.wait_for_full()
    assert compile.compiled(driver, UNIT).cubin == FULL
    (own,) = compile._own_folders
    assert list(own.rglob("*.cubin"))
    compile._remove(own, os.getpid() + 1)
    assert own.is_dir()  # that of another process
    compile._remove(own, os.getpid())
    assert not own.exists()


def test_nothing_is_written_beside_what_cupy_keeps_in_memory(driver, monkeypatch, cache):
    monkeypatch.setenv(compile.IN_MEMORY, "1")
    compile.compiled(driver, UNIT)
    compile.wait_for_full()
    assert compile.compiled(driver, UNIT).cubin == FULL
    assert not cache.exists()


def test_without_a_thread_for_the_full_one_it_comes_at_once(driver, monkeypatch):
    def refused(*job):
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as exhausted:
        exhausted.setattr(compile._background, "submit", refused)
        assert compile.compiled(driver, UNIT).cubin == FULL
    assert driver.quick == []


def test_threads_share_what_is_made(driver):
    driver.may_end.clear()
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(compile.compiled(driver, UNIT))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    driver.may_end.set()
    assert len(found) == 4
    assert all(module is found[0] for module in found)
    assert driver.quick == [UNIT.code]


def test_full_ones_are_made_at_a_lower_priority(driver):
    def priority():
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    assert compile._background.submit(priority).result() == min(19, max(priority(), compile.NICE))


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_child_compiles_for_itself(driver):
    driver.may_end.clear()  # the parent's thread is at work
    compile.compiled(driver, UNIT)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            own = Driver("90")
            first = compile.compiled(own, UNIT).cubin
            compile.wait_for_full()
            code = 0 if (first, compile.compiled(own, UNIT).cubin) == (QUICK, FULL) else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    driver.may_end.set()


def test_the_exit_waits_for_the_full_one(cache, tmp_path):
    script = f"""
        import sys, threading
        sys.path.insert(0, {os.path.dirname(os.path.dirname(__file__))!r})
        from device_code import Driver
        from konig.gpu import compile
        driver = Driver("90")
        driver.may_end.clear()
        for name in ("first", "second"):
            print(compile.compiled(driver, compile.Unit(name, name)).cubin.decode())
        threading.Timer(0.5, driver.may_end.set).start()
    """
    ended = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=60
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.count("quick") == 2
    assert sorted(path.name.partition("-")[0] for path in cache.rglob("*.cubin")) == ["first", "second"]


class Stepping(HostKernel):
    """A kernel of which every launch may be told apart."""

    def __init__(self, program, launched, version):
        super().__init__(program)
        self.launched, self.version = launched, version

    def run(self, *launch):
        self.launched.append(self.version)
        super().run(*launch)


@pytest.mark.parametrize(("blocks_of_full", "versions"), [(4, {"quick", "full"}), (1, {"quick"})])
def test_a_solve_goes_on_with_the_full_one_if_as_many_blocks_fit(monkeypatch, blocks_of_full, versions):
    launched, current = [], ["quick"]
    graph = as_graph(generators.sprand(3000, 3000, 3.0, seed=2))
    for lists in (graph.of_row, graph.of_col):
        object.__setattr__(lists, "start", HostCupy.asarray(lists.start))
        object.__setattr__(lists, "neighbour", HostCupy.asarray(lists.neighbour))
    partners = [HostCupy.asarray(np.full(3000, -1, graph.id_dtype)) for _ in range(2)]
    knobs = {"counters": False, "most_steps": 0}
    monkeypatch.setattr(commands, "driver", host_driver)
    task = matching_programs.task("matching/ms_bfs", Partial(graph, *partners), knobs)
    monkeypatch.setattr(device_program, "_kernels", {})
    monkeypatch.setattr(
        compile, "version_of", lambda *asked: Version(Stepping(task.program, launched, current[0]))
    )
    fitting = {"quick": 2, "full": blocks_of_full}
    monkeypatch.setattr(
        device_program.device, "resident_blocks", lambda cupy, kernel, threads: fitting[kernel.version]
    )

    solve = DeviceSolve(HostCupy, task, {})
    solve.run(task, None)
    assert solve.blocks == 2
    current[0] = "full"
    monkeypatch.setattr(compile, "generation", compile.generation + 1)
    solve.run(task, None)
    assert solve.blocks == 2
    assert set(launched) == versions
    solve = DeviceSolve(HostCupy, task, {})
    launched.clear()
    solve.run(task, None)
    assert (set(launched), solve.blocks) == ({"full"}, blocks_of_full)


def test_what_cannot_be_written_leaves_nothing_behind(cache, monkeypatch):
    def full(*names):
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="no space"):
        compile._write(cache, UNIT, FULL)
    assert list(cache.iterdir()) == []
