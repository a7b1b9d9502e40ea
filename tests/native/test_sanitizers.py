"""The whole native module under the address and undefined-behaviour sanitisers."""

import os
import subprocess
import sys

import pytest
import sanitized_package

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
    package = sanitized_package.build("address,undefined", tmp_path)
    tests = [
        "tests/matching/test_every_method.py",
        "tests/matching/test_inputs.py",
        "tests/matching/test_triangular.py",
        "tests/matching",
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
        command,
        cwd=sanitized_package.ROOT,
        env=os.environ | sanitized_package.environment("address,undefined"),
        capture_output=True,
        text=True,
        timeout=6000,
    )
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-4000:]
    assert "runtime error" not in run.stderr
    assert "AddressSanitizer" not in run.stderr
