"""Runs contenders on instances, each in a child process, and records what happened."""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from konig.lab.bench.contenders import Contender
from konig.lab.bench.problems import PROBLEMS, Problem, Raced
from konig.lab.bench.records import Record
from konig.lab.bench.suites import ORDERS, Instance
from konig.lab.bench.worker import Child, SolverError
from konig.threads import available_cores

Report = Callable[[int, int, str], object]


@dataclass(frozen=True)
class Settings:
    """How to run: random orders of each kind, timed repeats, and seconds until a solve is stopped.

    After ``budget`` seconds nothing more is begun. All the time ``busy`` processes keep a core busy each.
    """

    draws: int = 1
    repeats: int = 3
    timeout: float = 60.0
    cache: Path = Path("bench-output/cache")
    busy: int = 0
    budget: float | None = None


def run(
    instances: Sequence[Instance],
    contenders: Sequence[Contender],
    settings: Settings,
    report: Report | None = None,
) -> Iterator[Record]:
    """Time every contender on every instance in every order; yield each record as soon as it is there.

    Answers are verified outside the timed region: ours by their certificates, peers' against the proven size.
    """
    draws = {order: 1 if order == "none" else settings.draws for order in ORDERS}
    orders = [(i, order, draw) for i in instances for order in i.orders for draw in range(draws[order])]
    total = len(orders) * len(contenders)
    stopped: set[tuple[str, str, str]] = set()
    make(instances, settings.cache, max(1, available_cores() // 2))
    ends = None if settings.budget is None else monotonic() + settings.budget
    with busy_cores(settings.busy), Child() as child:
        for number, (instance, order, draw) in enumerate(orders):
            where = instance.name if order == "none" else f"{instance.name} ({order} {draw + 1})"
            if report:
                report(number * len(contenders), total, where)
            problem = PROBLEMS[instance.problem]
            path = problem.cached(instance, settings.cache)
            proven: float | None = None
            for index, contender in enumerate(contenders):
                # One random order that takes too long is enough: the others would only wait as long.
                key = (instance.name, order, contender.label)
                if key in stopped or (ends is not None and monotonic() > ends):
                    continue
                if report:
                    report(number * len(contenders) + index, total, f"{where}: {contender.label}")
                extent = _loaded(child, problem, path, order, draw)
                record = Record(instance.name, order, draw, contender.label, contender.kind, **extent)
                _time(record, contender, child, settings)
                proven = compared(record, proven, problem)
                if record.status == "timeout":
                    stopped.add(key)
                yield record
        if report:
            report(total, total, "done")


def make(instances: Sequence[Instance], cache: Path, workers: int) -> None:
    """Make what is not in the cache, large instances on several cores, before anything is timed."""
    wanted = [i for i in instances if not (cache / i.file_name()).exists()]
    if workers == 1 or len(wanted) < 2:
        return  # each is made when its turn comes

    def made(instance: Instance) -> None:
        with Child() as child, suppress(SolverError):  # it is raised again when its turn comes
            child.ask({"do": "make", "instance": asdict(instance), "folder": str(cache)})

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(made, wanted))


def _loaded(child: Child, problem: Problem, path: Path, order: str, draw: int) -> dict[str, Any]:
    """Make sure that the child has this instance, and return its extent."""
    request = {"do": "load", "problem": problem.name, "path": str(path), "order": order, "seed": draw + 1}
    try:
        return child.ask(request)
    except SolverError as failed:
        raise ValueError(f"{path}: {failed}") from failed


def _time(record: Record, contender: Contender, child: Child, settings: Settings) -> None:
    """Fill in the record: prepare, repeat, verify."""
    replies: list[dict[str, Any]] = []
    try:
        prepared = child.ask({"do": "prepare", "contender": asdict(contender)})
        if "left_out" in prepared:
            record.status, record.message = "left out", prepared["left_out"]
            return
        record.build_seconds = prepared["seconds"]
        for repeat in range(settings.repeats):
            request = {"do": "solve", "label": contender.label, "measure_memory": repeat == 0}
            replies.append(child.ask(request, settings.timeout))
            if sum(reply["seconds"] for reply in replies) > settings.timeout:
                break
        checked = child.ask({"do": "verify", "label": contender.label})
    except SolverError as failed:
        record.status, record.message = failed.status, str(failed)
        record.seconds = settings.timeout if failed.status == "timeout" else None
        return
    record.repeats, record.memory, record.size = len(replies), replies[0]["memory"], checked["size"]
    seconds = [reply["seconds"] for reply in replies]
    record.seconds = statistics.median(seconds)
    if len(seconds) > 2:
        record.deviation = statistics.stdev(seconds) / statistics.fmean(seconds)
    for name in ("ran", "device", "counts", "series"):
        setattr(record, name, replies[0].get(name, getattr(record, name)))
    # A part that took no time at all may be missing from a run.
    parts = [reply.get("parts", {}) for reply in replies]
    names = dict.fromkeys(name for run in parts for name in run)
    record.parts = {name: statistics.median(run.get(name, 0.0) for run in parts) for name in names}
    if checked["problem"]:
        record.status, record.message = "wrong", checked["problem"]


def compared(record: Record, proven: float | None, problem: Raced) -> float | None:
    """Mark an answer that is not as good as one already proved optimal; return the proven size."""
    if record.status != "ok" or record.size is None:
        return proven
    objection = None if proven is None else problem.objection(record.size, proven)
    if objection:
        record.status, record.message = "wrong", objection
    return record.size if proven is None and record.kind == "method" else proven


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
