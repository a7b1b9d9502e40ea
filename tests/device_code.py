"""Compiles device code with NVRTC, and stands in for a driver that loads it."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

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
    """CuPy's modules, as far as they are loaded: a cubin begins as an ELF file does, any other is refused."""

    class CUDADriverError(Exception):
        pass

    def __init__(self, capability):
        self.loaded, self.compiled = [], []
        self.cuda = SimpleNamespace(
            Device=lambda number=0: Device(capability),
            driver=SimpleNamespace(CUDADriverError=self.CUDADriverError),
            runtime=SimpleNamespace(getDevice=lambda: 0),
        )

    def RawModule(self, code=None, path=None, **rest):  # noqa: N802
        def load():
            if path is None:
                self.compiled.append(code)
            elif not Path(path).read_bytes().startswith(b"\x7fELF"):
                raise self.CUDADriverError("CUDA_ERROR_INVALID_IMAGE")
            else:
                self.loaded.append(path)

        return SimpleNamespace(compile=load)
