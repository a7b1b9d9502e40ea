"""The numbers of the reports, from records of runs: nothing here prints or draws.

The tables follow Kaya, Langguth, Manne and Uçar (2013), section 6: the random orders of one kind are averaged
first and count as one run, then averages and medians are taken over the instances.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from konig.lab.suites import ORDERS

if TYPE_CHECKING:
    from konig.lab.runner import Record

START_SCANS = "start_arc_scans"
# The parts of our call that are told apart; what is left of it is the rest.
MATCHING_PARTS = ("transpose", "start", "main")
# What table 2 counts besides arc scans: the first of these that a method has.
OPERATIONS = ("double_pushes", "other_operations", "augmentations")


@dataclass
class Row:
    """A contender on an instance in an order, its random orders averaged.

    ``bound`` is ">" where a solve was stopped, so that `seconds` is only a lower bound.
    """

    instance: str
    order: str
    solver: str
    kind: str
    seconds: float
    bound: str = ""
    parts: dict[str, float] = field(default_factory=dict)
    counts: dict[str, float] = field(default_factory=dict)
    memory: float | None = None
    rows: int = 0
    cols: int = 0
    nonzeros: int = 0
    group: str = ""
    size: float | None = None

    @property
    def problem(self) -> tuple[str, str]:
        """What was solved."""
        return self.instance, self.order

    @property
    def title(self) -> str:
        """What reports call it."""
        return self.instance if self.order == "none" else f"{self.instance}, {ORDERS[self.order].lower()}"


def averaged(records: Iterable[Record]) -> list[Row]:
    """One row for each contender, instance and order; failures other than timeouts drop out."""
    groups: dict[tuple[str, str, str], list[Record]] = {}
    for record in records:
        if record.status in ("ok", "timeout") and record.seconds is not None:
            groups.setdefault((record.instance, record.order, record.solver), []).append(record)
    rows = []
    for (instance, order, solver), group in groups.items():
        first, finished = group[0], [record for record in group if record.status == "ok"]
        memory = [record.memory for record in finished if record.memory is not None]
        rows.append(
            Row(
                instance,
                order,
                solver,
                first.kind,
                statistics.fmean(record.seconds or 0.0 for record in group),
                ">" if len(finished) < len(group) else "",
                _mean([record.parts for record in finished]),
                _mean([record.counts for record in finished]),
                max(memory) if memory else None,
                first.rows,
                first.cols,
                first.nonzeros,
                first.group,
                next((record.size for record in finished), None),
            )
        )
    return rows


def _mean(tables: Sequence[dict[str, float]]) -> dict[str, float]:
    names = dict.fromkeys(name for table in tables for name in table)
    return {name: statistics.fmean(table.get(name, 0.0) for table in tables) for name in names}


def solvers(rows: Iterable[Row], kind: str | None = None) -> list[str]:
    """The contenders in the order in which they ran."""
    return list(dict.fromkeys(row.solver for row in rows if kind in (None, row.kind)))


@dataclass(frozen=True)
class Times:
    """Average and median seconds over a set of instances, and how many of them were stopped."""

    average: float
    median: float
    stopped: int = 0


def running_times(rows: Sequence[Row]) -> dict[str, dict[str, Times]]:
    """Table 1: for each contender, `Times` by order, and over all orders under "average".

    The last is the mean over the orders of the averages and of the medians, as in the paper.
    """
    table: dict[str, dict[str, Times]] = {}
    for solver in solvers(rows):
        by_order = {}
        for order in ORDERS:
            chosen = [row for row in rows if (row.solver, row.order) == (solver, order)]
            if chosen:
                seconds = [row.seconds for row in chosen]
                stopped = sum(row.bound == ">" for row in chosen)
                by_order[order] = Times(statistics.fmean(seconds), statistics.median(seconds), stopped)
        parts = list(by_order.values())
        by_order["average"] = Times(
            statistics.fmean(part.average for part in parts),
            statistics.fmean(part.median for part in parts),
            sum(part.stopped for part in parts),
        )
        table[solver] = by_order
    return table


def parts_of_time(
    rows: Sequence[Row], solver: str, parts: tuple[str, ...] = MATCHING_PARTS
) -> dict[str, tuple[float, float]]:
    """Figure 1: for each part of a method's call, its average seconds and its median percentage.

    The parts of a matching are data set-up (transposing), the start, the main algorithm, and the rest.
    """
    chosen = [row for row in rows if row.solver == solver and row.parts]
    if not chosen:
        return {}
    shares: dict[str, list[tuple[float, float]]] = {part: [] for part in (*parts, "rest")}
    for row in chosen:
        seconds = {part: row.parts.get(part, 0.0) for part in parts}
        seconds["rest"] = max(row.seconds - sum(seconds.values()), 0.0)
        for part, value in seconds.items():
            shares[part].append((value, 100 * value / row.seconds if row.seconds else 0.0))
    return {
        part: (statistics.fmean(s for s, _ in pairs), statistics.median(p for _, p in pairs))
        for part, pairs in shares.items()
    }


def arc_scans(row: Row, with_start: bool = True) -> float | None:
    """All arc scans of a run, or None where the method counts none."""
    scans = {name: n for name, n in row.counts.items() if name.endswith("arc_scans")}
    if not with_start:
        scans.pop(START_SCANS, None)
    return sum(scans.values()) if scans else None


def other_operations(row: Row) -> float | None:
    """Double pushes, augmentations or the pseudoflow codes' operations; None where there are none."""
    return next((row.counts[name] for name in OPERATIONS if name in row.counts), None)


def operation_counts(rows: Sequence[Row]) -> dict[str, dict[str, tuple[float | None, float | None]]]:
    """Table 2: average arc scans (without the start's) and other operations, in millions, by order."""
    table: dict[str, dict[str, tuple[float | None, float | None]]] = {}
    for solver in solvers(rows, "method"):
        by_order = {}
        for order in ORDERS:
            chosen = [row for row in rows if (row.solver, row.order) == (solver, order) and row.counts]
            if chosen:
                by_order[order] = (
                    _millions([arc_scans(row, with_start=False) for row in chosen]),
                    _millions([other_operations(row) for row in chosen]),
                )
        if by_order:
            scans, others = zip(*by_order.values(), strict=True)
            by_order["average"] = (_mean_of(scans), _mean_of(others))
            table[solver] = by_order
    return table


def _millions(counts: Sequence[float | None]) -> float | None:
    mean = _mean_of(counts)
    return None if mean is None else mean / 1e6


def _mean_of(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.fmean(known) if known else None


def slowest(rows: Sequence[Row], most: int = 50) -> dict[str, list[Row]]:
    """Figure 2: for each contender, its most time consuming instances and orders, the slowest first."""
    return {
        solver: sorted((row for row in rows if row.solver == solver), key=lambda row: -row.seconds)[:most]
        for solver in solvers(rows)
    }


@dataclass(frozen=True)
class Ratio:
    """How many times faster we were; `bound` is ">" or "<" where one side was stopped, "?" where both."""

    value: float
    bound: str = ""


def ratio(ours: Row, theirs: Row) -> Ratio:
    """The other's seconds over ours."""
    bound = {("", ""): "", ("", ">"): ">", (">", ""): "<", (">", ">"): "?"}[ours.bound, theirs.bound]
    return Ratio(theirs.seconds / ours.seconds, bound)


def geometric_mean(ratios: Iterable[Ratio]) -> Ratio | None:
    """The geometric mean; a lower bound if one of them is. Rows on which both were stopped say nothing."""
    known = [ratio for ratio in ratios if ratio.bound != "?"]
    if not known:
        return None
    bounds = {ratio.bound for ratio in known} - {""}
    mean = math.exp(statistics.fmean(math.log(ratio.value) for ratio in known))
    return Ratio(mean, bounds.pop() if len(bounds) == 1 else "?" if bounds else "")


@dataclass(frozen=True)
class Duel:
    """One row of the comparison with the peers: ours, each of theirs, and the best of theirs."""

    ours: Row
    theirs: dict[str, Row]

    @property
    def best(self) -> Row | None:
        """The fastest peer; one that finished comes before one that was stopped."""
        return min(self.theirs.values(), key=lambda row: (row.bound, row.seconds), default=None)


def duels(rows: Sequence[Row], ours: str) -> list[Duel]:
    """Our method against every peer, for each instance and order that both tried."""
    found = []
    for row in rows:
        if row.solver == ours:
            peers = {r.solver: r for r in rows if r.kind == "peer" and r.problem == row.problem}
            found.append(Duel(row, peers))
    return found
