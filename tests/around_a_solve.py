"""What a solve must not do to the process around it: hold up Ctrl-C, hang in a fork, disturb a neighbour."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from patience import quickest


def forks(test: Any) -> Any:
    """Marks a test that forks this process, which Python warns of where there are threads."""
    unwarned = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")(test)
    return pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")(unwarned)


def seconds_to_stop(code: str, limit: float, after: float = 0.5, patience: float = 20) -> float:
    """How long Ctrl-C takes to end the solve that a script runs, tried again while it is over the limit.

    The script prints ``ready`` before the solve, the time of ``time.monotonic()`` once it is interrupted, and
    ``usable`` when it has solved something else. The signal comes ``after`` so many seconds.
    """

    def once() -> float:
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            assert child.stdout.readline() == "ready\n"
            time.sleep(after)
            sent = time.monotonic()
            child.send_signal(signal.SIGINT)
            stopped = float(child.stdout.readline())
            assert child.stdout.readline() == "usable\n"
            assert child.wait(patience) == 0
        return stopped - sent

    return quickest(once, limit)


def in_a_forked_child(holds: Callable[[], bool], patience: float = 60) -> bool:
    """Whether it holds in a child of this process; a child that hangs fails the test."""
    child = os.fork()
    if child == 0:
        os._exit(0 if holds() else 1)
    until = time.monotonic() + patience
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status) == 0
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    pytest.fail("the child hung")


def by_two_threads(solve: Callable[[], Any], times: int) -> list[Any]:
    """What two threads get that solve so many times each, at once."""
    answers: list[Any] = []

    def work() -> None:
        for _ in range(times):
            answers.append(solve())

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 2 * times
    return answers


class EnoughError(Exception):
    """Raised by a report, to end a solve."""


class Enough:
    """A report that ends the solve after so many calls; ``seen`` are (done, total), ``moments`` the times."""

    def __init__(self, calls: int):
        self.calls = calls
        self.seen: list[tuple[int, int]] = []
        self.moments: list[float] = []

    def __call__(self, done: int, total: int) -> None:
        self.seen.append((done, total))
        self.moments.append(time.monotonic())
        if len(self.seen) == self.calls:
            raise EnoughError
