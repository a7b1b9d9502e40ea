"""The whole native module under the address and undefined-behaviour sanitisers."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# The installed package comes first on the import path; this run must not see it.
RUN = """
import sys
sys.meta_path = [f for f in sys.meta_path if "ScikitBuild" not in type(f).__name__]
sys.path.insert(0, sys.argv.pop(1))
import konig, pytest
assert konig.__file__.startswith(sys.path[0]), konig.__file__
sys.exit(pytest.main(sys.argv[1:]))
"""


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_address_and_undefined_behaviour_sanitisers_have_nothing_to_say(tmp_path):
    build, package = tmp_path / "build", tmp_path / "package"
    shutil.copytree(ROOT / "src" / "konig", package / "konig")
    configure = ["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DKONIG_SANITIZE=address,undefined"]
    tools = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run([*configure, f"-DPython_EXECUTABLE={sys.executable}"], env=os.environ | tools, check=True)
    subprocess.run(["cmake", "--build", build], env=os.environ | tools, check=True)
    for module in build.glob("_native*.so"):
        shutil.copy(module, package / "konig")
    preload = [
        subprocess.run(
            ["g++", f"-print-file-name={lib}"], capture_output=True, text=True, check=True
        ).stdout.strip()
        for lib in ("libasan.so", "libubsan.so")
    ]
    sanitizer = {
        "LD_PRELOAD": " ".join(preload),
        "ASAN_OPTIONS": "detect_leaks=0:halt_on_error=1",  # the interpreter itself leaks
        "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
    }
    tests = [
        "tests/test_every_method.py",
        "tests/test_inputs.py",
        "tests/test_triangular.py",
        "tests/methods",
    ]
    command = [
        sys.executable,
        "-c",
        RUN,
        str(package),
        "-q",
        "-m",
        "not long",
        "-p",
        "no:cacheprovider",
        *tests,
    ]
    run = subprocess.run(
        command, cwd=ROOT, env=os.environ | sanitizer, capture_output=True, text=True, timeout=6000
    )
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-4000:]
    assert "runtime error" not in run.stderr
    assert "AddressSanitizer" not in run.stderr
