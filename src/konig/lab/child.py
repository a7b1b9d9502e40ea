"""The parent's side of a worker process: ask, wait, and kill what takes too long."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from types import TracebackType
from typing import Any


class SolverError(Exception):
    """The worker could not answer; ``status`` is "timeout", "crashed" or "error"."""

    def __init__(self, status: str, message: str):
        super().__init__(message)
        self.status = status


class Child:
    """A worker process, started when it is needed and again after it had to be killed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Child:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def alive(self) -> bool:
        """Whether the process that got the last request is still there, with all that it has loaded."""
        return self._process is not None and self._process.poll() is None

    def ask(self, request: dict[str, Any], timeout: float | None = None) -> dict[str, Any]:
        """The reply to a request, or `SolverError` when there is none within `timeout` seconds."""
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        expired = threading.Event()

        def kill() -> None:
            expired.set()
            process.kill()

        timer = threading.Timer(min(timeout, threading.TIMEOUT_MAX), kill) if timeout is not None else None
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            if timer:
                timer.start()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            if timer:
                timer.cancel()
        return self._understood(line, expired.is_set(), timeout)

    def _understood(self, line: str, expired: bool, timeout: float | None) -> dict[str, Any]:
        if expired:
            self.stop()
            raise SolverError("timeout", f"stopped after {timeout:g} s")
        if not line.endswith("\n"):  # it ended before it answered, or while it did
            code = self._process.wait() if self._process else None
            self.stop()
            raise SolverError("crashed", f"the process ended with status {code}")
        reply: dict[str, Any] = json.loads(line)
        if "error" in reply:
            raise SolverError("error", reply["error"])
        return reply

    def stop(self) -> None:
        """End the process, if there is one."""
        if self._process is None:
            return
        process, self._process = self._process, None
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()

    def _running(self) -> subprocess.Popen[str]:
        if not self.alive or self._process is None:
            self.stop()
            # A session of its own: Ctrl-C reaches only the parent, which then stops this process itself.
            self._process = subprocess.Popen(
                [sys.executable, "-m", "konig.lab.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                start_new_session=True,
            )
        return self._process
