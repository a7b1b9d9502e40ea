"""Keeps children busy with cases, survives their death, counts, and says how to repeat each finding."""

from __future__ import annotations

import argparse
import json
import os
import re
import selectors
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

TESTS = Path(__file__).parents[1]
WORKER = (sys.executable, "-m", "fuzz.worker")
# Seconds between two looks at what the workers wrote. Their pipes hold many times as much, and a runner that
# wakes up for each line takes a core from them.
TICK = 0.05


@dataclass
class Worker:
    """A child process that runs cases first, first + step, ..."""

    place: int
    process: subprocess.Popen[bytes]
    complaints: Any
    doing: dict[str, Any] = field(default_factory=dict)
    begun: bytes = b""  # of a line that is not complete
    heard: float = field(default_factory=time.monotonic)
    killed: bool = False


@dataclass
class Group:
    """Findings of one kind from one way of asking: their number, and the least of them."""

    count: int = 0
    worst: float = 0.0
    families: Counter[str] = field(default_factory=Counter)
    least: dict[str, Any] = field(default_factory=dict)

    def add(self, finding: dict[str, Any]) -> None:
        self.count += 1
        self.worst = max(self.worst, finding["size"])
        self.families[finding["family"]] += 1
        if not self.least or _magnitude(finding) < _magnitude(self.least):
            self.least = finding


def _complaint(said: str) -> str:
    """What a process wrote before it died: from a sanitiser's verdict on, or the end."""
    verdict = re.search(
        r"runtime error|ERROR: \w+Sanitizer|WARNING: ThreadSanitizer|Fatal Python error", said
    )
    return said[max(0, verdict.start() - 200) :][:4000] if verdict else said[-3000:]


def _verdict(complaint: str) -> str:
    """What a sanitiser objects to, in a few words that are the same for the same place."""
    undefined = re.search(r"([\w.]+:\d+):\d+: runtime error: ([a-z ]+)", complaint)
    if undefined:
        return f": {undefined[2].strip()} at {undefined[1]}"
    other = re.search(r"(?:ERROR|WARNING): (\w+Sanitizer: [a-z -]+)", complaint)
    where = re.search(r"#\d+ .*?([\w.]+\.(?:h|cpp):\d+)", complaint)
    return f": {other[1].strip()}{f' at {where[1]}' if where else ''}" if other else ""


def _magnitude(finding: dict[str, Any]) -> int:
    product = 1
    for extent in finding["extent"]:
        product *= extent + 1
    return product


def way(call: str) -> str:
    """The method that was named, or the entry point."""
    named = re.search(r"method=(\S+)", call)
    entry = call.split(" ")[0]
    return named[1] if named else entry if entry not in ("scipy", "lap") else " ".join(call.split(" ")[:2])


class Campaign:
    """Everything that is known while cases run."""

    def __init__(
        self,
        arguments: argparse.Namespace,
        worker: Sequence[str] = WORKER,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.arguments = arguments
        self.worker = worker
        path = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])
        self.environment = os.environ | {"PYTHONPATH": path} | (environment or {})
        self.pipes = selectors.DefaultSelector()
        self.groups: dict[tuple[str, str, str], Group] = {}
        self.cases: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()
        self.slowest: list[tuple[float, str, int]] = []
        self.findings: list[dict[str, Any]] = []
        self.workers: list[Worker] = []

    def run(self) -> None:
        began = time.monotonic()
        bar = Progress(
            TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn(), console=Console(stderr=True)
        )
        with bar:
            task = bar.add_task("starting", total=1.0)
            self.workers = [self._start(place, place) for place in range(self.arguments.jobs)]
            while (done := self._done(time.monotonic() - began)) < 1:
                time.sleep(TICK)
                self._hear()
                self._watch()
                found = sum(group.count for group in self.groups.values())
                text = f"{self.cases.total():,} cases, {self.calls.total():,} calls, {found:,} findings"
                bar.update(task, completed=done, description=text)
            for worker in self.workers:
                worker.process.kill()
                self._close(worker)

    def _done(self, seconds: float) -> float:
        """Which part of the time, or of the cases if they end first."""
        given = self.arguments
        return max(seconds / (60 * given.minutes), self.cases.total() / given.cases if given.cases else 0.0)

    def _start(self, place: int, first: int) -> Worker:
        given = self.arguments
        command = [*self.worker, "--seed", str(given.seed), "--problem", given.problem]
        command += ["--first", str(first), "--step", str(given.jobs), *options(given)]
        command += ["--place", str(place)]
        complaints = tempfile.TemporaryFile("w+")  # noqa: SIM115  it lives as long as the process
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=complaints, env=self.environment, bufsize=0
        )
        worker = Worker(place, process, complaints, {"number": first - given.jobs})
        assert process.stdout is not None
        self.pipes.register(process.stdout, selectors.EVENT_READ, worker)
        return worker

    def _close(self, worker: Worker) -> None:
        assert worker.process.stdout is not None
        self.pipes.unregister(worker.process.stdout)
        worker.process.stdout.close()

    def _hear(self) -> None:
        """All that the workers have written by now."""
        for key, _ in self.pipes.select(timeout=0):
            worker = key.data
            heard = os.read(key.fd, 1 << 20)
            if not heard:
                self._bury(worker)
                continue
            worker.heard = time.monotonic()
            *lines, worker.begun = (worker.begun + heard).split(b"\n")
            for line in lines:
                self._take(worker, json.loads(line))

    def _take(self, worker: Worker, what: dict[str, Any]) -> None:
        if "call" in what:
            worker.doing = what
            return
        self.cases[what["problem"]] += 1
        self.calls[what["problem"]] += what["calls"]
        self.slowest = sorted([*self.slowest, (what["seconds"], what["problem"], what["done"])])[-5:]
        worker.doing |= {"call": "between cases", "number": what["done"]}
        for finding in what["findings"]:
            self._add(finding | {"number": what["done"]})

    def _watch(self) -> None:
        for worker in self.workers:
            if time.monotonic() - worker.heard > self.arguments.patience and not worker.killed:
                worker.killed = True
                worker.process.kill()

    def _bury(self, worker: Worker) -> None:
        """A child died: that is a finding, and the next one goes on behind the case that killed it."""
        self._close(worker)
        status = worker.process.wait()
        worker.complaints.seek(0)
        last = _complaint(worker.complaints.read())
        number = worker.doing["number"]
        if not worker.doing.get("problem"):
            raise SystemExit(f"a worker ended with status {status} before its first case:\n{last}")
        if worker.killed:
            kind = f"hangs for {self.arguments.patience} s"
        else:
            kind = f"dies of {signal.Signals(-status).name}" if status < 0 else f"exits with {status}"
            kind += _verdict(last)
        doing = {key: worker.doing[key] for key in ("problem", "family", "call", "extent", "number")}
        self._add(doing | {"kind": kind, "detail": last, "size": 1.0})
        self.workers[self.workers.index(worker)] = self._start(worker.place, number + self.arguments.jobs)

    def _add(self, finding: dict[str, Any]) -> None:
        key = (finding["problem"], finding["kind"], way(finding["call"]))
        self.groups.setdefault(key, Group()).add(finding)
        self.findings.append(finding)

    def report(self, console: Console) -> None:
        counts = ", ".join(
            f"{self.cases[p]:,} cases of {p} ({self.calls[p]:,} calls)" for p in sorted(self.cases)
        )
        console.print(f"seed {self.arguments.seed}: {counts}")
        for seconds, problem, number in reversed(self.slowest):
            if seconds > 5:
                console.print(
                    f"slow: {seconds:.1f} s, {repeat_command(self.arguments, problem, number)}",
                    soft_wrap=True,
                )
        if not self.groups:
            console.print("no findings")
            return
        table = Table("problem", "kind", "way", "count", "worst", "families", show_lines=False)
        ordered = sorted(self.groups.items(), key=lambda item: (item[0][0], item[0][1], -item[1].count))
        for (problem, kind, how), group in ordered:
            families = ", ".join(name for name, _ in group.families.most_common(3))
            table.add_row(problem, kind, how, f"{group.count:,}", f"{group.worst:.2g}", families)
        console.print(table)
        for (problem, kind, how), group in ordered:
            console.print(f"[bold]{problem}: {kind}[/bold], {how}", soft_wrap=True)
            detail = group.least["detail"].strip().splitlines()[:12]
            console.print("   " + "\n   ".join(detail), markup=False, soft_wrap=True)
            repeated = repeat_command(self.arguments, problem, group.least["number"])
            console.print(f"   {repeated}  # {group.least['call']}", markup=False, soft_wrap=True)


def options(given: argparse.Namespace) -> list[str]:
    """The arguments that decide about cases, the problem, the seed and the number apart."""
    found: list[str] = []
    for name in ("families", "largest", "threads", "sanitize"):
        value = getattr(given, name)
        if value not in ("", None):
            found += [f"--{name}", str(value)]
    return found + ["--require-gap"] * given.require_gap + ["--per-entry"] * given.per_entry


def repeat_command(given: argparse.Namespace, problem: str, number: int) -> str:
    words = ["--problem", problem, "--seed", str(given.seed), "--only", str(number), *options(given)]
    return f"PYTHONPATH=tests {Path(sys.executable).name} -m fuzz {shlex.join(words)}"
