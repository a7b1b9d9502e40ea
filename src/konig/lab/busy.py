"""Other processes that want the cores, to time solvers on a machine that is not theirs alone."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

# It ends with the process that started it, however that ends.
_LOOP = """
import os
parent = os.getppid()
while os.getppid() == parent:
    for _ in range(10**6):
        pass
"""


@contextmanager
def busy_cores(loops: int) -> Iterator[None]:
    """Keep as many cores busy by processes that do nothing else."""
    running = []
    try:
        for _ in range(loops):
            running.append(subprocess.Popen([sys.executable, "-c", _LOOP], start_new_session=True))
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()
