"""NVRTC: the one that CuPy uses beside a GPU; without one that of PyPI's package or of an installed CUDA."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterable, Iterator
from ctypes.util import find_library
from pathlib import Path
from typing import Any

from konig.errors import DeviceError

NAMED = "KONIG_NVRTC"  # the environment's libnvrtc.so, or a folder with one
MISSING = "NVRTC is not found: pip install nvidia-cuda-nvrtc, or set KONIG_NVRTC to a libnvrtc.so"


class CompileError(DeviceError):
    """NVRTC refused a source; the message is its log."""


class CupyNvrtc:
    """The compiler that CuPy uses, which fits the driver. It works outside of the interpreter's lock."""

    def __init__(self, cupy: Any):
        self.nvrtc = cupy.cuda.nvrtc

    @property
    def version(self) -> tuple[int, int]:
        """Of its CUDA."""
        major, minor = self.nvrtc.getVersion()
        return major, minor

    def architecture_for(self, capability: str) -> str:
        """The closest that it knows to a compute capability such as 90, of those that such a device runs."""
        known = [arch for arch in self.nvrtc.getSupportedArchs() if int(capability) // 10 * 10 <= arch]
        return f"sm_{max((arch for arch in known if arch <= int(capability)), default=capability)}"

    def cubin(self, name: str, code: str, options: Iterable[str], architecture: str) -> bytes:
        """Machine code for an architecture such as sm_90."""
        nvrtc = self.nvrtc
        program = nvrtc.createProgram(code, f"{name}.cu", (), ())
        try:
            nvrtc.compileProgram(program, (f"-arch={architecture}", *options))
            made: bytes = nvrtc.getCUBIN(program)
            return made
        except nvrtc.NVRTCError as refused:
            log = nvrtc.getProgramLog(program)
            raise CompileError(f"{name} for {architecture}: {refused}\n{log}") from None
        finally:
            nvrtc.destroyProgram(program)


class Nvrtc:
    """A compiler of device code. Its calls may run in several threads."""

    def __init__(self, library: str | Path):
        path = Path(library)
        # NVRTC looks for this one by its name only: load it before it is asked for.
        for builtins in sorted(path.parent.glob("libnvrtc-builtins.so*")) if path.is_absolute() else ():
            ctypes.CDLL(str(builtins), mode=ctypes.RTLD_GLOBAL)
        self.library = ctypes.CDLL(str(library))

    @classmethod
    def found(cls) -> Nvrtc:
        """The one that the environment names, that of an installed package, or the system's."""
        named = os.environ.get(NAMED)
        for library in _libraries(named):
            return cls(library)
        if named:
            raise FileNotFoundError(f"{NAMED}: no libnvrtc.so at {named}")
        raise FileNotFoundError(MISSING)

    def cubin(self, name: str, code: str, options: Iterable[str], architecture: str) -> bytes:
        """Machine code for an architecture such as sm_90."""
        return self._compile("CUBIN", name, code, options, architecture)[0]

    def ptx(self, name: str, code: str, options: Iterable[str], architecture: str) -> tuple[str, str]:
        """Code of the virtual machine, and what the compiler had to say."""
        text, log = self._compile("PTX", name, code, options, architecture)
        return text.rstrip(b"\0").decode(), log

    def _compile(
        self, kind: str, name: str, code: str, options: Iterable[str], architecture: str
    ) -> tuple[bytes, str]:
        nvrtc, program = self.library, ctypes.c_void_p()
        at = ctypes.byref(program)
        if nvrtc.nvrtcCreateProgram(at, code.encode(), f"{name}.cu".encode(), 0, None, None):
            raise CompileError(f"{name}: NVRTC makes no program of it")
        try:
            flags = [f"-arch={architecture}".encode(), *(option.encode() for option in options)]
            refused = nvrtc.nvrtcCompileProgram(program, len(flags), (ctypes.c_char_p * len(flags))(*flags))
            log = self._read("ProgramLog", program).rstrip(b"\0").decode()
            if refused:
                raise CompileError(f"{name} for {architecture}: {log}")
            return self._read(kind, program), log
        finally:
            nvrtc.nvrtcDestroyProgram(at)

    def _read(self, what: str, program: Any) -> bytes:
        size = ctypes.c_size_t()
        getattr(self.library, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
        text = ctypes.create_string_buffer(size.value)
        getattr(self.library, f"nvrtcGet{what}")(program, text)
        return text.raw


def _libraries(named: str | None) -> Iterator[str | Path]:
    if named:
        folders = [Path(named).resolve()]
    else:
        sites = (path for path in sys.path if path.endswith("-packages"))
        folders = [Path(site) / "nvidia" for site in dict.fromkeys(sites)]
    for folder in folders:
        yield from [folder] if folder.is_file() else sorted(folder.glob("**/libnvrtc.so*"))
    system = None if named else find_library("nvrtc")
    if system:
        yield system
