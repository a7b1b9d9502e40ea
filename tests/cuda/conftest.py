"""The compiler of device code, which needs no GPU."""

import ctypes
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def nvrtc():
    for site in dict.fromkeys(path for path in sys.path if path.endswith("-packages")):
        libraries = sorted(Path(site).glob("nvidia/**/libnvrtc.so*"))
        if libraries:
            # NVRTC looks for this one by name only: load it before it is asked for.
            for builtins in libraries[0].parent.glob("libnvrtc-builtins.so*"):
                ctypes.CDLL(str(builtins), mode=ctypes.RTLD_GLOBAL)
            return ctypes.CDLL(str(libraries[0]))
    pytest.skip("no NVRTC: pip install nvidia-cuda-nvrtc")
