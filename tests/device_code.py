"""Compiles device code with NVRTC."""

from __future__ import annotations

import ctypes

import pytest

from konig import _native
from konig.gpu import compile
from konig.gpu import program as device_program
from konig.programs import Group

ARCHITECTURES = ("sm_80", "sm_90")


def in_turns(*cases: tuple) -> list:
    """Each case for one of the architectures, in turns, and for the other among the long tests."""
    return [
        pytest.param(architecture, *case, marks=pytest.mark.long if (j + k) % 2 else ())
        for k, case in enumerate(cases)
        for j, architecture in enumerate(ARCHITECTURES)
    ]


def compile_for(
    nvrtc: ctypes.CDLL, architecture: str, options: tuple[str, ...], unit: str
) -> tuple[str, str]:
    """The PTX of a translation unit of konig, and what the compiler had to say."""
    return compile_source(nvrtc, architecture, options, compile.unit_source(unit), unit)


def compile_program(
    nvrtc: ctypes.CDLL,
    architecture: str,
    program: _native.Program,
    more_options: tuple[str, ...] = (),
    group: Group | None = None,
) -> tuple[str, str]:
    """The PTX of a parallel program, and what the compiler had to say."""
    code, name = device_program.source(program, group), device_program.entry_name(program)
    return compile_source(nvrtc, architecture, compile.options(*more_options), code, name)


def compile_source(
    nvrtc: ctypes.CDLL, architecture: str, options: tuple[str, ...], code: str, name: str
) -> tuple[str, str]:
    """The PTX of a source, and what the compiler had to say."""
    source = code.encode()
    program = ctypes.c_void_p()
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, name.encode(), 0, None, None) == 0
    flags = [f"-arch={architecture}".encode(), *(option.encode() for option in options)]
    status = nvrtc.nvrtcCompileProgram(program, len(flags), (ctypes.c_char_p * len(flags))(*flags))
    size = ctypes.c_size_t()
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    assert status == 0, log.value.decode()
    nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size))
    ptx = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetPTX(program, ptx)
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return ptx.value.decode(), log.value.decode()
