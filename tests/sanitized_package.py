"""A copy of the package with an instrumented native module, and how to run it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def build(sanitizers: str, folder: Path) -> Path:
    """Build the native module, or bring an earlier build up to date; return the folder of the package."""
    native, package = folder / "native", folder / "package"
    tools = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    configure = ["cmake", "-S", ROOT, "-B", native, "-G", "Ninja", f"-DPython_EXECUTABLE={sys.executable}"]
    # At -O3 instrumented code takes a compiler minutes a file. A debug build keeps the assertions, too.
    kind = [f"-DKONIG_SANITIZE={sanitizers}", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0"]
    subprocess.run([*configure, *kind], env=tools, check=True)
    subprocess.run(["cmake", "--build", native], env=tools, check=True)
    shutil.copytree(ROOT / "src" / "konig", package / "konig", dirs_exist_ok=True)
    for module in native.glob("_native*.so"):
        shutil.copy(module, package / "konig")
    return package


def environment(sanitizers: str) -> dict[str, str]:
    """The variables that a process needs to load the module, as its interpreter is not instrumented."""
    libraries = {"address": "libasan.so", "undefined": "libubsan.so", "thread": "libtsan.so"}
    found = [_library(libraries[name]) for name in sanitizers.split(",")]
    return {
        "LD_PRELOAD": " ".join(found),
        "ASAN_OPTIONS": "detect_leaks=0:halt_on_error=1",  # the interpreter itself leaks
        "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
        # The interpreter's own threads are not instrumented, nor is NumPy.
        "TSAN_OPTIONS": "halt_on_error=1:ignore_noninstrumented_modules=1",
    }


def _library(name: str) -> str:
    asked = ["g++", f"-print-file-name={name}"]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
