"""The process in which solvers are timed: it loads an instance, then solves and verifies on request.

Requests and replies are JSON, one a line, on stdin and stdout. A solver that runs too long, crashes or eats
all memory takes only this process with it; `konig.lab.child` starts another.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter
from typing import Any

from konig.errors import CertificateError
from konig.lab.problems import PROBLEMS, Problem


class Worker:
    """Answers requests: one method for each, named after it."""

    def __init__(self) -> None:
        self.problem: Problem = PROBLEMS["matching"]
        self.data: Any = None
        self.loaded: tuple[str, str, str, int] | None = None
        self.contender: Mapping[str, Any] = {}
        self.built: Any = None
        self.answer: Any = None

    def load(self, path: str, order: str, seed: int, problem: str = "matching") -> dict[str, Any]:
        """Load a cached instance in the order asked for, unless it is there already."""
        if self.loaded != (problem, path, order, seed):
            self.built = self.answer = None
            self.problem = PROBLEMS[problem]
            self.data = self.problem.load(Path(path), order, seed)
            self.loaded = (problem, path, order, seed)
        return self.problem.extent(self.data)

    def prepare(self, contender: Mapping[str, Any]) -> dict[str, Any]:
        """Choose the solver, warm it up, and build a peer's graph."""
        self.contender, self.built, self.answer = contender, None, None
        why = self.problem.left_out(self.data, contender)
        if why:
            return {"seconds": 0.0, "left_out": why}
        name = contender["name"]
        if contender["kind"] == "method":
            options = contender["options"]
            self.problem.solve(self.problem.placed(self.problem.warm_up, options), name, options)
            self.built = self.problem.placed(self.data, options)
            return {"seconds": 0.0}
        peer = self.problem.peers[name]
        peer.solve(peer.build(self.problem.warm_up))
        began = perf_counter()
        self.built = peer.build(self.data)
        return {"seconds": perf_counter() - began}

    def solve(self, measure_memory: bool) -> dict[str, Any]:
        """Solve once; the clock runs over our whole public call, over a peer's solve alone."""
        name, ours = self.contender["name"], self.contender["kind"] == "method"
        if not ours and self.answer is not None and self.problem.peers[name].used_up:
            self.built = self.problem.peers[name].build(self.data)
        self.answer = None
        before = _fresh_memory() if measure_memory else None
        began = perf_counter()
        if ours:
            self.answer = self.problem.solve(self.built, name, self.contender["options"])
        else:
            self.answer = self.problem.peers[name].solve(self.built)
        seconds = perf_counter() - began
        reply: dict[str, Any] = {"seconds": seconds, "memory": _memory_since(before)}
        if ours:
            stats = self.answer.stats
            reply |= {"parts": stats["seconds"], "ran": self.answer.method}
            reply["counts"] = {name: n for name, n in stats.items() if isinstance(n, int | float)}
            reply["series"] = {name: list(n) for name, n in stats.items() if isinstance(n, list | tuple)}
        return reply

    def verify(self) -> dict[str, Any]:
        """Check the last answer. Ours must prove itself maximum; a peer's is checked to be feasible."""
        try:
            if self.contender["kind"] == "method":
                return {"size": self.problem.verify(self.data, self.answer), "problem": None}
            given = self.problem.peers[self.contender["name"]].answer(self.answer, self.data)
            return {"size": self.problem.check(self.data, given), "problem": None}
        except CertificateError as refused:
            return {"size": None, "problem": str(refused)}


def _fresh_memory() -> int | None:
    """Give free memory back, forget the old peak, and return what is resident now, in bytes."""
    try:
        ctypes.CDLL(None).malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5")
    except (OSError, AttributeError):
        return None
    return _status("VmRSS")


def _memory_since(before: int | None) -> int | None:
    peak = _status("VmHWM")
    return None if before is None or peak is None else max(peak - before, 0)


def _status(key: str) -> int | None:
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(key + ":")), None)


def serve() -> None:
    """Answer requests until stdin ends."""
    # Replies go to a private copy of stdout, so that no library can print between them.
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    worker = Worker()
    for line in sys.stdin:
        request = json.loads(line)
        try:
            reply = getattr(worker, request.pop("do"))(**request)
        except Exception as problem:  # the caller reports it and goes on with the next solver
            reply = {"error": f"{type(problem).__name__}: {problem}"}
        replies.write(json.dumps(reply) + "\n")
        replies.flush()


if __name__ == "__main__":
    serve()
