"""The compiler of device code, which needs no GPU, and what watches a solve on one."""

import ctypes
import os
import sys
from pathlib import Path

import pytest


@pytest.fixture
def copies(monkeypatch):
    """The sizes of the arrays that CuPy copies to the host."""
    cupy = pytest.importorskip("cupy")
    seen = []
    real = cupy.ndarray.get

    def counting(self, *rest, **more):
        seen.append(int(self.nbytes))
        return real(self, *rest, **more)

    monkeypatch.setattr(cupy.ndarray, "get", counting)
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


@pytest.fixture(scope="session")
def nvrtc():
    """The NVRTC that KONIG_NVRTC names, a libnvrtc.so or a folder with one; else the installed package."""
    named = os.environ.get("KONIG_NVRTC")
    sites = [path for path in sys.path if path.endswith("-packages")]
    folders = [Path(named)] if named else [Path(site) / "nvidia" for site in dict.fromkeys(sites)]
    for folder in folders:
        libraries = [folder] if folder.is_file() else sorted(folder.glob("**/libnvrtc.so*"))
        if libraries:
            # NVRTC looks for this one by name only: load it before it is asked for.
            for builtins in libraries[0].parent.glob("libnvrtc-builtins.so*"):
                ctypes.CDLL(str(builtins), mode=ctypes.RTLD_GLOBAL)
            return ctypes.CDLL(str(libraries[0]))
    if named:
        pytest.fail(f"KONIG_NVRTC: no libnvrtc.so at {named}")
    pytest.skip("no NVRTC: pip install nvidia-cuda-nvrtc")
