"""The device code that a wheel carries; what was built from source has none, unless CUBINS says it must."""

import os

import pytest
from device_code import Driver

from konig import warmup
from konig.gpu import compile

WANTED = os.environ.get("CUBINS", "").split()
pytestmark = pytest.mark.usefixtures("cache")
OF_CUDA = 190  # the machine that an ELF file is for


@pytest.fixture(params=WANTED or compile.carried() or [pytest.param("none", marks=pytest.mark.skip)])
def architecture(request):
    return request.param


def test_every_unit_is_carried_and_no_other(architecture):
    made = {path.name for path in (compile.CARRIED / architecture).iterdir()}
    assert made == {unit.file for unit in warmup.units()}


def test_units_are_loaded_without_a_compiler(architecture):
    driver = Driver(architecture.removeprefix("sm_"))
    for unit in warmup.units():
        compile.load_or_compile(driver, unit)
    assert driver.compiled == []
    assert {path.rpartition("/")[0] for path in driver.loaded} == {str(compile.CARRIED / architecture)}


def test_other_code_is_compiled(architecture, monkeypatch):
    driver, unit = Driver(architecture.removeprefix("sm_")), warmup.units()[0]
    changed = unit._replace(code=unit.code + "// changed\n")
    compile.load_or_compile(driver, changed)
    assert driver.compiled == [changed.code]
    monkeypatch.setattr(compile, "headers_digest", lambda: "0123456789abcdef")
    compile.load_or_compile(driver, unit)
    assert driver.compiled == [changed.code, unit.code]


def test_cubins_are_for_gpus(architecture):
    for path in (compile.CARRIED / architecture).iterdir():
        head = path.read_bytes()[:20]
        assert head.startswith(b"\x7fELF")
        assert int.from_bytes(head[18:20], "little") == OF_CUDA
