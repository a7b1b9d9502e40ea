"""The process in which solvers are timed, and the parent's side of it.

The worker loads an instance, then solves and verifies on request. Requests and replies are JSON, one a line,
on stdin and stdout. A solver that runs too long, crashes or exhausts the memory ends only this process; the
parent starts another.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from select import select
from time import perf_counter
from typing import Any, ClassVar

from konig.errors import CertificateError
from konig.gpu import compile
from konig.lab import wild
from konig.lab.bench import gpu, relatives
from konig.lab.bench.problems import PROBLEMS, RACED, Raced
from konig.lab.bench.suites import Instance


@dataclass
class Prepared:
    """A contender that is ready to solve."""

    contender: Mapping[str, Any]
    call: Callable[[], Any]
    checked_as: Callable[[Any], Any]  # makes of its answer what the problem checks
    answer: Any = None

    @property
    def ours(self) -> bool:
        return bool(self.contender["kind"] == "method")


class Worker:
    """Answers requests: one method for each, named after it."""

    def __init__(self) -> None:
        self.problem: Raced = PROBLEMS["matching"]
        self.data: Any = None
        self.for_peers: Any = None  # the data as other libraries take it
        self.unit = 1.0  # one unit of their objective, in ours
        self.loaded: tuple[str, str, str, int] | None = None
        self.prepared: dict[str, Prepared] = {}  # by the contenders' labels

    def make(self, instance: Mapping[str, Any], folder: str) -> dict[str, Any]:
        """Generate or read an instance into a cache, unless it is there."""
        chosen = Instance(**instance)
        return {"path": str(PROBLEMS[chosen.problem].cached(chosen, Path(folder)))}

    def load(self, path: str, order: str, seed: int, problem: str = "matching") -> dict[str, Any]:
        """Load a cached instance in the order asked for, unless it is there already."""
        if self.loaded != (problem, path, order, seed):
            self._take(problem, PROBLEMS[problem].load(Path(path), order, seed))
            self.loaded = (problem, path, order, seed)
        return self.problem.extent(self.data)

    def draw(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Make an instance of `konig.lab.wild`, or of a relative."""
        self.data = self.loaded = None
        asked = wild.Request(**request)
        relative = relatives.RELATIVES.get(asked.problem)
        drawn = relative.draw(asked) if relative else wild.draw(asked)
        self._take(request["problem"], drawn.data)
        return self.problem.extent(self.data) | {"group": drawn.family, "told": drawn.described()}

    def _take(self, problem: str, data: Any) -> None:
        self.prepared.clear()
        self.problem = RACED[problem]
        self.data = data
        self.for_peers, self.unit = self.problem.for_peers(data)

    def prepare(self, contender: Mapping[str, Any], beside: bool = False) -> dict[str, Any]:
        """Choose a solver, in place of all others or `beside` them, warm it up, and build a peer's graph."""
        if not beside:
            self.prepared.clear()
        data = self.data if contender["kind"] == "method" else self.for_peers
        why = self.problem.left_out(data, contender)
        if why:
            return {"seconds": 0.0, "left_out": why}
        self._build(contender, self.problem.warm_up)[0]()
        began = perf_counter()
        self.prepared[contender["label"]] = Prepared(contender, *self._build(contender, data))
        return {"seconds": perf_counter() - began if contender["kind"] == "peer" else 0.0}

    def _build(
        self, contender: Mapping[str, Any], data: Any
    ) -> tuple[Callable[[], Any], Callable[[Any], Any]]:
        name = contender["name"]
        if contender["kind"] == "peer":
            return self.problem.peers[name].build(data)
        placed = self.problem.placed(data, contender["at"])
        return self.problem.call(placed, name, contender["options"]), lambda answer: answer

    def solve(self, label: str, measure_memory: bool = False, limit: float | None = None) -> dict[str, Any]:
        """Solve once; the clock runs over our whole public call, over a peer's solve alone.

        A method of ours ends itself after `limit` seconds, and then replies that it did.
        """
        chosen = self.prepared[label]
        solved, chosen.answer = chosen.answer is not None, None
        if solved and not chosen.ours and self.problem.peers[chosen.contender["name"]].used_up:
            chosen.call, chosen.checked_as = self._build(chosen.contender, self.for_peers)
        before = _fresh_memory() if measure_memory else None
        try:
            with _alarm(limit if chosen.ours else None):
                chosen.answer, seconds = gpu.timed(chosen.call, chosen.contender["at"])
        except _AlarmError:
            return {"seconds": limit, "stopped": True}
        # Not read where nobody asks: a read of the kernel's leaves the caches cold for the next call.
        peak = None if before is None else _status("VmHWM")
        memory = None if before is None or peak is None else max(peak - before, 0)
        reply: dict[str, Any] = {"seconds": seconds, "memory": memory}
        if chosen.ours:
            answer, stats = chosen.answer, getattr(chosen.answer, "stats", {})
            parts = stats.get("seconds", {})
            # The warm-up compiles device code for most types; what is left is not compared either.
            reply["seconds"] -= parts.get("compile", 0.0)
            ran, device = (getattr(answer, name, None) for name in ("method", "device"))
            reply |= {"parts": parts, "ran": ran, "device": device}
            reply["counts"] = {name: n for name, n in stats.items() if isinstance(n, int | float)}
            reply["series"] = {name: list(n) for name, n in stats.items() if isinstance(n, list | tuple)}
        return reply

    def rounds(self, labels: Sequence[str], times: int) -> dict[str, Any]:
        """Solve several times with each contender in turn; the least seconds of each.

        The order is another one in each turn: who comes after a relative finds its code in the cache.
        """
        least: dict[str, float] = {}
        for turn in range(times):
            for label in Random(turn).sample(list(labels), len(labels)):
                least[label] = min(self.solve(label)["seconds"], least.get(label, float("inf")))
        return least

    def wholes(self, labels: Sequence[str], times: int) -> dict[str, Any]:
        """The least seconds of each contender's whole call and of reading its answer, by turns."""
        least: dict[str, float] = {}
        for _ in range(times):
            for label in labels:
                seconds = gpu.timed(self._whole(self.prepared[label]), "host")[1]
                least[label] = min(seconds, least.get(label, float("inf")))
        return least

    def _whole(self, chosen: Prepared) -> Callable[[], Any]:
        if chosen.ours:
            return lambda: self.problem.read(chosen.call())
        whole = self.problem.peers[chosen.contender["name"]].whole
        return chosen.call if whole is None else partial(whole, self.for_peers)

    def verify(self, label: str) -> dict[str, Any]:
        """Check the last answer. Ours must prove itself maximum; a peer's is checked to be feasible."""
        chosen = self.prepared[label]
        try:
            if chosen.ours:
                return {"size": self.problem.verify(self.data, chosen.answer), "problem": None}
            size = self.problem.check(self.for_peers, chosen.checked_as(chosen.answer))
            return {"size": size if self.unit == 1 else size * self.unit, "problem": None}
        except CertificateError as refused:
            return {"size": None, "problem": str(refused)}


class _AlarmError(Exception):
    """A solve has taken as long as it may."""


@contextmanager
def _alarm(limit: float | None) -> Iterator[None]:
    """Raise `_AlarmError` inside after some seconds; a solve of ours ends by it as by Ctrl-C."""
    if limit is None:
        yield
        return

    def ring(*_: object) -> None:
        raise _AlarmError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, limit)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _fresh_memory() -> int | None:
    """Give free memory back, forget the old peak, and return what is resident now, in bytes."""
    try:
        ctypes.CDLL(None).malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5")
    except (OSError, AttributeError):
        return None
    return _status("VmRSS")


def _status(key: str) -> int | None:
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(key + ":")), None)


def serve() -> None:
    # Replies go to a private copy of stdout, so that no library can print between them.
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    compile.quick_first = False
    worker = Worker()
    for line in sys.stdin:
        request = json.loads(line)
        try:
            reply = getattr(worker, request.pop("do"))(**request)
        except Exception as problem:  # the caller reports it and goes on with the next solver
            reply = {"error": f"{type(problem).__name__}: {problem}"}
        replies.write(json.dumps(reply) + "\n")
        replies.flush()


class SolverError(Exception):
    """The worker could not answer; ``status`` is "timeout", "crashed" or "error"."""

    def __init__(self, status: str, message: str):
        super().__init__(message)
        self.status = status


class Child(AbstractContextManager["Child"]):
    """A worker process, started when it is needed and again after it had to be killed."""

    command: ClassVar = [sys.executable, "-m", "konig.lab.bench.worker"]

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    @property
    def alive(self) -> bool:
        """Whether the process that got the last request is still there, with all that it has loaded."""
        return self._process is not None and self._process.poll() is None

    def ask(self, request: dict[str, Any], timeout: float | None = None) -> dict[str, Any]:
        """The reply to a request, or `SolverError` when there is none within `timeout` seconds."""
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        line = ""
        with suppress(BrokenPipeError):
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            limit = None if timeout is None else min(timeout, threading.TIMEOUT_MAX)
            if not select([process.stdout], [], [], limit)[0]:
                self.stop()
                raise SolverError("timeout", f"stopped after {timeout:g} s")
            line = process.stdout.readline()
        if not line.endswith("\n"):  # it ended before it answered, or while it did
            code = process.wait()
            self.stop()
            raise SolverError("crashed", f"the process ended with status {code}")
        reply: dict[str, Any] = json.loads(line)
        if "error" in reply:
            raise SolverError("error", reply["error"])
        return reply

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        if self._process is not None:
            with self._process as process:  # waits for its end, and closes the pipes
                process.kill()
            self._process = None

    def _running(self) -> subprocess.Popen[str]:
        if not self.alive or self._process is None:
            self.stop()
            # A session of its own: Ctrl-C reaches only the parent, which then stops this process itself.
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                start_new_session=True,
            )
        return self._process


if __name__ == "__main__":
    serve()
