"""The compiler of device code, which needs no GPU, and what watches a solve on one."""

import os

import pytest

from konig.gpu import compile
from konig.gpu.nvrtc import NAMED, Nvrtc


@pytest.fixture
def copies(monkeypatch):
    """The sizes of what CuPy and commands copy to the host."""
    cupy = pytest.importorskip("cupy")
    from konig.gpu.commands import Commands

    seen = []
    real, read = cupy.ndarray.get, Commands.read

    def counting(self, *rest, **more):
        seen.append(int(self.nbytes))
        return real(self, *rest, **more)

    def counting_read(self, address, into):
        seen.append(memoryview(into).nbytes)
        read(self, address, into)

    monkeypatch.setattr(cupy.ndarray, "get", counting)
    monkeypatch.setattr(Commands, "read", counting_read)
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
