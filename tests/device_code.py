"""Compiles device code with NVRTC, and stands in for a driver that loads it."""

from __future__ import annotations

import threading
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest
from host_memory import OnHost

from konig import _native
from konig.gpu.compile import Unit
from konig.gpu.nvrtc import Nvrtc
from konig.gpu.program import unit_of
from konig.programs import Group

ARCHITECTURES = ("sm_80", "sm_90")


def in_turns(*cases: tuple) -> list:
    """Each case for one of the architectures, in turns, and for the other among the long tests."""
    return [
        pytest.param(architecture, *case, marks=pytest.mark.long if (j + k) % 2 else ())
        for k, case in enumerate(cases)
        for j, architecture in enumerate(ARCHITECTURES)
    ]


def compile_unit(nvrtc: Nvrtc, architecture: str, unit: Unit) -> tuple[str, str]:
    """The PTX of a translation unit, and what the compiler had to say."""
    return nvrtc.ptx(unit.name, unit.code, unit.options, architecture)


def compile_program(
    nvrtc: Nvrtc,
    architecture: str,
    program: _native.Program,
    more_options: tuple[str, ...] = (),
    group: Group | None = None,
) -> tuple[str, str]:
    """The PTX of a parallel program, and what the compiler had to say."""
    return compile_unit(nvrtc, architecture, unit_of(program, group, more_options))


class Device(nullcontext):
    """A device that may be made the current one."""

    def __init__(self, capability):
        super().__init__()
        self.compute_capability = capability


class Driver:
    """CuPy's modules and compiler: a cubin begins as an ELF file does, any other is refused.

    ``compiled`` are the sources of full versions, which wait for ``may_end``, and ``quick`` the others.
    """

    class CUDADriverError(Exception):
        pass

    class NVRTCError(Exception):
        pass

    def __init__(self, capability, version=(13, 0)):
        self.loaded, self.compiled, self.quick, self.refused = [], [], [], []
        self.may_end = threading.Event()
        self.may_end.set()
        nvrtc = SimpleNamespace(
            NVRTCError=self.NVRTCError,
            getVersion=lambda: version,
            getSupportedArchs=lambda: (75, 80, 86, 90, 100, 120),
            createProgram=lambda code, name, headers, includes: [code, b""],
            compileProgram=self._compile,
            getCUBIN=lambda program: program[1],
            getProgramLog=lambda program: "refused",
            destroyProgram=lambda program: None,
        )
        self.cuda = SimpleNamespace(
            Device=lambda number=0: Device(capability),
            driver=SimpleNamespace(CUDADriverError=self.CUDADriverError),
            runtime=SimpleNamespace(getDevice=lambda: 0),
            nvrtc=nvrtc,
        )

    def _compile(self, program, options):
        code = program[0]
        if "--Ofast-compile=max" in options:
            self.quick.append(code)
            program[1] = b"\x7fELF quick"
            return
        assert self.may_end.wait(10)
        self.compiled.append(code)
        if code in self.refused:
            raise self.NVRTCError("NVRTC_ERROR_COMPILATION (6)")
        program[1] = b"\x7fELF full"

    def RawModule(self, path, **rest):  # noqa: N802
        def load():
            cubin = Path(path).read_bytes()
            if not cubin.startswith(b"\x7fELF"):
                raise self.CUDADriverError("CUDA_ERROR_INVALID_IMAGE")
            self.loaded.append(path)
            module.cubin = cubin

        module = SimpleNamespace(compile=load, get_function=lambda name: OnHost())
        return module
