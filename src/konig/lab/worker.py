"""The process in which solvers are timed: it loads a matrix, then solves and verifies on request.

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

import numpy as np
from scipy import sparse

import konig
from konig import certificates
from konig.errors import CertificateError
from konig.graph import as_graph
from konig.lab import suites
from konig.lab.peers import PEERS
from konig.results import Matching

# Solved once before the clock starts: imports and the compilation of GPU kernels are not what is compared.
WARM_UP = sparse.csr_array(np.eye(3, dtype=np.int8))


class Worker:
    """Answers requests: one method for each, named after it."""

    def __init__(self) -> None:
        self.A = sparse.csr_array((0, 0), dtype=np.int8)
        self.loaded: tuple[str, str, int] | None = None
        self.contender: Mapping[str, Any] = {}
        self.built: Any = None
        self.answer: Any = None

    def load(self, path: str, order: str, seed: int) -> dict[str, Any]:
        """Load a cached matrix in the order asked for, unless it is there already."""
        if self.loaded != (path, order, seed):
            self.built = self.answer = None
            self.A = suites.load(Path(path), order, seed)
            self.loaded = (path, order, seed)
        return {"rows": self.A.shape[0], "cols": self.A.shape[1], "nonzeros": int(self.A.nnz)}

    def prepare(self, contender: Mapping[str, Any]) -> dict[str, Any]:
        """Choose the solver, warm it up, and build a peer's graph."""
        self.contender, self.built, self.answer = contender, None, None
        name = contender["name"]
        if contender["kind"] == "method":
            konig.maximum_matching(WARM_UP, method=name, **contender["options"])
            return {"seconds": 0.0}
        peer = PEERS[name]
        peer.solve(peer.build(WARM_UP))
        began = perf_counter()
        self.built = peer.build(self.A)
        return {"seconds": perf_counter() - began}

    def solve(self, measure_memory: bool) -> dict[str, Any]:
        """Solve once; the clock runs over our whole public call, over a peer's solve alone."""
        self.answer = None
        name, options = self.contender["name"], self.contender["options"]
        before = _fresh_memory() if measure_memory else None
        began = perf_counter()
        if self.contender["kind"] == "peer":
            self.answer = PEERS[name].solve(self.built)
        else:
            self.answer = konig.maximum_matching(self.A, method=name, **options)
        seconds = perf_counter() - began
        reply: dict[str, Any] = {"seconds": seconds, "memory": _memory_since(before)}
        if isinstance(self.answer, Matching):
            stats = self.answer.stats
            reply |= {"parts": stats["seconds"], "ran": self.answer.method}
            reply["counts"] = {name: n for name, n in stats.items() if isinstance(n, int | float)}
        return reply

    def verify(self) -> dict[str, Any]:
        """Check the last answer. Ours must prove itself maximum; a peer's is checked to be a matching."""
        try:
            if isinstance(self.answer, Matching):
                self.answer.verify(self.A)
                return {"size": self.answer.size, "problem": None}
            return {"size": self._check_peer(), "problem": None}
        except CertificateError as refused:
            return {"size": None, "problem": str(refused)}

    def _check_peer(self) -> int:
        rows, cols = self.A.shape
        col_of_row = PEERS[self.contender["name"]].col_of_row(self.answer, (rows, cols))
        row_of_col = np.full(cols, -1, np.int64)
        matched = np.flatnonzero(col_of_row >= 0)
        row_of_col[col_of_row[matched]] = matched
        return certificates.check_matching(*as_graph(self.A).edges(), col_of_row, row_of_col)


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
