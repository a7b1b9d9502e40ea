"""Runs contenders on instances, each in a child process, and records what happened."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from konig.lab.busy import busy_cores
from konig.lab.child import Child, SolverError
from konig.lab.contenders import Contender
from konig.lab.problems import PROBLEMS, Problem
from konig.lab.suites import Instance

Report = Callable[[int, int, str], object]


@dataclass(frozen=True)
class Settings:
    """How to run: random orders of each kind, timed repeats, and seconds until a solve is stopped.

    Beside all of it run ``busy`` processes that keep a core busy each.
    """

    draws: int = 1
    repeats: int = 3
    timeout: float = 60.0
    cache: Path = Path("bench-output/cache")
    busy: int = 0


@dataclass
class Record:
    """One contender on one instance in one order.

    Attributes
    ----------
    instance, order, draw, solver, kind
        What ran on what; `order` is a key of `konig.lab.suites.ORDERS`, `draw` numbers its permutations.
    rows, cols, nonzeros : int
    group : str
        Which kind of instance it is, where a problem's tables tell kinds apart.
    status : str
        "ok", "timeout", "crashed", "error" (raised), "wrong" (refused by its certificate) or "left out".
    seconds : float or None
        Median over the repeats; what was waited for, if it timed out.
    parts : dict
        Median seconds of each part of our call.
    counts : dict
        What the method counted.
    series : dict
        What it counted again and again, such as in each iteration.
    build_seconds : float
        What a peer's own graph took to build; not in `seconds`.
    memory : int or None
        Peak memory beyond what was there before, in bytes.
    size : int or float or None
    ran : str or None
        The method that actually ran.
    message : str
        What went wrong.
    """

    instance: str
    order: str
    draw: int
    solver: str
    kind: str
    rows: int = 0
    cols: int = 0
    nonzeros: int = 0
    group: str = ""
    status: str = "ok"
    seconds: float | None = None
    parts: dict[str, float] = field(default_factory=dict)
    counts: dict[str, float] = field(default_factory=dict)
    series: dict[str, list[float]] = field(default_factory=dict)
    build_seconds: float = 0.0
    memory: int | None = None
    size: float | None = None
    ran: str | None = None
    repeats: int = 0
    message: str = ""


def run(
    instances: Sequence[Instance],
    contenders: Sequence[Contender],
    settings: Settings,
    report: Report | None = None,
) -> Iterator[Record]:
    """Time every contender on every instance in every order; yield each record as soon as it is there.

    Answers are verified outside the timed region: ours by their certificates, peers' against the proven size.
    """
    orders = [(i, order, draw) for i in instances for order, draw in _orders(i, settings.draws)]
    total = len(orders) * len(contenders)
    stopped: set[tuple[str, str, str]] = set()
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
                if key in stopped:
                    continue
                if report:
                    report(number * len(contenders) + index, total, f"{where}: {contender.label}")
                extent = _loaded(child, problem, path, order, draw)
                record = Record(instance.name, order, draw, contender.label, contender.kind, **extent)
                _time(record, problem, contender, child, settings)
                proven = _compared(record, proven, problem)
                if record.status == "timeout":
                    stopped.add(key)
                yield record
        if report:
            report(total, total, "done")


def _loaded(child: Child, problem: Problem, path: Path, order: str, draw: int) -> dict[str, Any]:
    """Make sure that the child has this instance, and return its extent."""
    request = {"do": "load", "problem": problem.name, "path": str(path), "order": order, "seed": draw + 1}
    try:
        return child.ask(request)
    except SolverError as failed:
        raise ValueError(f"{path}: {failed}") from failed


def _orders(instance: Instance, draws: int) -> Iterator[tuple[str, int]]:
    for order in instance.orders:
        for draw in range(1 if order == "none" else draws):
            yield order, draw


def _time(record: Record, problem: Problem, contender: Contender, child: Child, settings: Settings) -> None:
    """Fill in the record: prepare, repeat, verify."""
    limit = problem.peers[contender.name].most_nonzeros if contender.kind == "peer" else None
    if limit is not None and record.nonzeros > limit:
        record.status, record.message = "left out", f"more than {limit:,} entries"
        return
    replies: list[dict[str, Any]] = []
    try:
        prepared = child.ask({"do": "prepare", "contender": asdict(contender)})
        if "left_out" in prepared:
            record.status, record.message = "left out", prepared["left_out"]
            return
        record.build_seconds = prepared["seconds"]
        for repeat in range(settings.repeats):
            replies.append(child.ask({"do": "solve", "measure_memory": repeat == 0}, settings.timeout))
            if sum(reply["seconds"] for reply in replies) > settings.timeout:
                break
        checked = child.ask({"do": "verify"})
    except SolverError as failed:
        record.status, record.message = failed.status, str(failed)
        record.seconds = settings.timeout if failed.status == "timeout" else None
        return
    record.repeats, record.memory, record.size = len(replies), replies[0]["memory"], checked["size"]
    record.seconds = statistics.median(reply["seconds"] for reply in replies)
    record.ran, record.counts = replies[0].get("ran"), replies[0].get("counts", {})
    record.series = replies[0].get("series", {})
    # A part that took no time at all may be missing from a run.
    parts = [reply.get("parts", {}) for reply in replies]
    names = dict.fromkeys(name for run in parts for name in run)
    record.parts = {name: statistics.median(run.get(name, 0.0) for run in parts) for name in names}
    if checked["problem"]:
        record.status, record.message = "wrong", checked["problem"]


def _compared(record: Record, proven: float | None, problem: Problem) -> float | None:
    """Mark an answer that is not as good as one already proved optimal; return the proven size."""
    if record.status != "ok" or record.size is None:
        return proven
    objection = None if proven is None else problem.objection(record.size, proven)
    if objection:
        record.status, record.message = "wrong", objection
    return record.size if proven is None and record.kind == "method" else proven
