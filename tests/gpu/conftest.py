"""The compiler of device code, which needs no GPU, and what watches a solve on one."""

import ctypes
import os

import pytest
from host_memory import DRIVER_CALLS

from konig import _native
from konig.assignment import first_launch, gpu
from konig.gpu import commands, compile
from konig.gpu.nvrtc import NAMED, Nvrtc


@pytest.fixture
def copies(monkeypatch):
    """The sizes of what CuPy and commands copy to the host."""
    cupy = pytest.importorskip("cupy")
    seen = []
    real = cupy.ndarray.get

    def counting(self, *rest, **more):
        seen.append(int(self.nbytes))
        return real(self, *rest, **more)

    monkeypatch.setattr(cupy.ndarray, "get", counting)
    library = ctypes.CDLL(commands.LIBRARY)
    calls = {name: ctypes.cast(getattr(library, name), ctypes.c_void_p).value for name in DRIVER_CALLS}
    reads = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_size_t, ctypes.c_void_p)
    read = reads(calls["cuMemcpyDtoHAsync_v2"])

    @reads
    def counting_read(into, address, size, stream):
        seen.append(size)
        return read(into, address, size, stream)

    calls["cuMemcpyDtoHAsync_v2"] = ctypes.cast(counting_read, ctypes.c_void_p).value
    driver = _native.Driver(calls)
    for module in (commands, gpu, first_launch):
        monkeypatch.setattr(module, "driver", lambda called=counting_read: driver)
    return seen


@pytest.fixture
def streams(monkeypatch):
    """The streams that programs run on."""
    cupy = pytest.importorskip("cupy")
    from konig.gpu.program import DeviceSolve

    seen = []
    real = DeviceSolve.run

    def watched(*arguments):
        seen.append(cupy.cuda.get_current_stream().ptr)
        return real(*arguments)

    monkeypatch.setattr(DeviceSolve, "run", watched)
    return seen


@pytest.fixture
def cache(monkeypatch, tmp_path_factory):
    """An empty cache of device code, of a process that has none."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv(compile.CACHE, str(folder))
    for name in (compile.FOLDERS, compile.IN_MEMORY):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(compile, "_versions", {})
    monkeypatch.setattr(compile, "_own_folders", [])
    yield folder / "konig"
    compile.wait_for_full()


@pytest.fixture(scope="session")
def nvrtc():
    """The compiler of device code, which KONIG_NVRTC may name."""
    try:
        return Nvrtc.found()
    except FileNotFoundError as missing:
        if NAMED in os.environ:
            pytest.fail(str(missing))
        pytest.skip(str(missing))
