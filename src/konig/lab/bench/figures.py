"""The numbers of the reports, from records of runs: nothing here prints or draws.

The tables follow Kaya, Langguth, Manne and Uçar (2013), section 6: the random orders of one kind are averaged
first and count as one run, then averages and medians are taken over the instances. Performance profiles are
those of E. D. Dolan and J. J. Moré: Benchmarking optimization software with performance profiles,
Mathematical Programming 91, 2002.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

import numpy as np

from konig.lab.bench.records import Record
from konig.lab.bench.suites import ORDERS, PUSH_RELABEL

START_SCANS = "start_arc_scans"
# What table 2 counts besides arc scans: the first of these that a method has.
OPERATIONS = ("double_pushes", "other_operations", "augmentations")
Case = tuple[str, str]
Two = tuple[float | None, float | None]
By = Callable[[Record], float]
by_call: By = attrgetter("time")
by_search: By = attrgetter("search")  # as the GPU papers count


def timed(records: Iterable[Record]) -> list[Record]:
    """Those that ended or were stopped."""
    return [r for r in records if r.status in ("ok", "timeout") and r.seconds is not None]


def averaged(records: Iterable[Record]) -> list[Record]:
    """One record for each contender, instance and order; failures other than timeouts drop out.

    One that was stopped in any of its random orders is stopped in the average, too.
    """
    groups: dict[tuple[str, str, str], list[Record]] = {}
    for record in timed(records):
        groups.setdefault((*record.case, record.solver), []).append(record)
    return [_average(group) for group in groups.values()]


def _average(group: Sequence[Record]) -> Record:
    finished = [record for record in group if not record.stopped]
    return replace(
        group[0],
        status="ok" if len(finished) == len(group) else "timeout",
        seconds=statistics.fmean(record.time for record in group),
        parts=_mean([record.parts for record in finished]),
        counts=_mean([record.counts for record in finished]),
        memory=max((record.memory for record in finished if record.memory is not None), default=None),
        size=next((record.size for record in finished), None),
    )


def _mean(tables: Sequence[dict[str, float]]) -> dict[str, float]:
    names = dict.fromkeys(name for table in tables for name in table)
    return {name: statistics.fmean(table.get(name, 0.0) for table in tables) for name in names}


def solvers(rows: Iterable[Record], kind: str | None = None) -> list[str]:
    """The contenders in the order in which they ran."""
    return list(dict.fromkeys(row.solver for row in rows if kind in (None, row.kind)))


def on_gpu(rows: Iterable[Record]) -> list[Record]:
    return [row for row in rows if (row.device or "").startswith("cuda")]


def by_case(rows: Iterable[Record]) -> dict[Case, dict[str, Record]]:
    """For each instance and order the records of its contenders, by their labels."""
    table: dict[Case, dict[str, Record]] = {}
    for row in rows:
        table.setdefault(row.case, {})[row.solver] = row
    return table


def by_order(
    rows: Sequence[Record], names: Sequence[str], summary: Callable[[list[Record]], Two]
) -> dict[str, dict[str, Two]]:
    """For each contender two numbers by order, and under "average" their means over the orders.

    ``summary`` makes them of the records of one contender in one order.
    """
    table: dict[str, dict[str, Two]] = {}
    for name in names:
        of_name = [row for row in rows if row.solver == name]
        chosen = {order: [row for row in of_name if row.order == order] for order in ORDERS}
        found = {order: summary(some) for order, some in chosen.items() if some}
        if found:
            first, second = zip(*found.values(), strict=True)
            table[name] = found | {"average": (_mean_of(first), _mean_of(second))}
    return table


def running_times(rows: Sequence[Record]) -> dict[str, dict[str, Two]]:
    """Table 1: average and median seconds of each contender, by order."""

    def seconds(some: list[Record]) -> Two:
        times = [row.time for row in some]
        return statistics.fmean(times), statistics.median(times)

    return by_order(rows, solvers(rows), seconds)


def operation_counts(rows: Sequence[Record]) -> dict[str, dict[str, Two]]:
    """Table 2: average arc scans (without the start's) and other operations, in millions, by order."""

    def millions(some: list[Record]) -> Two:
        scans = _mean_of([arc_scans(row, with_start=False) for row in some])
        known = (next((row.counts[name] for name in OPERATIONS if name in row.counts), None) for row in some)
        others = _mean_of(known)
        return scans and scans / 1e6, others and others / 1e6

    return by_order([row for row in rows if row.counts], solvers(rows, "method"), millions)


def _mean_of(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.fmean(known) if known else None


def parts_of_time(
    rows: Sequence[Record], solver: str, parts: tuple[str, ...]
) -> dict[str, tuple[float, float]]:
    """Figure 1: for each part of a method's call, its average seconds and its median percentage."""
    chosen = [row for row in rows if row.solver == solver and row.parts]
    if not chosen:
        return {}
    shares: dict[str, list[tuple[float, float]]] = {part: [] for part in (*parts, "rest")}
    for row in chosen:
        seconds = {part: row.parts.get(part, 0.0) for part in parts}
        seconds["rest"] = max(row.time - sum(seconds.values()), 0.0)
        for part, value in seconds.items():
            shares[part].append((value, 100 * value / row.time))
    return {
        part: (statistics.fmean(s for s, _ in found), statistics.median(p for _, p in found))
        for part, found in shares.items()
    }


def by_strategy(rows: Sequence[Record]) -> dict[str, dict[str, list[Record]]]:
    """For each variant of GPU push-relabel its records by strategy of relabelling, if there are several."""
    variants: dict[str, dict[str, list[Record]]] = {}
    for row in rows:
        if row.name in PUSH_RELABEL and ":relabel=" in row.solver:
            name, *settings = row.solver.split(":")
            strategy = " ".join(setting.partition("=")[2] for setting in settings)
            variants.setdefault(name, {}).setdefault(strategy, []).append(row)
    return variants if any(len(found) > 1 for found in variants.values()) else {}


def arc_scans(row: Record, with_start: bool = True) -> float | None:
    """All arc scans of a run, or None where the method counts none."""
    scans = {name: n for name, n in row.counts.items() if name.endswith("arc_scans")}
    if not with_start:
        scans.pop(START_SCANS, None)
    return sum(scans.values()) if scans else None


def slowest(rows: Sequence[Record], most: int = 50) -> dict[str, list[Record]]:
    """Figure 2: for each contender, its most time consuming instances and orders, the slowest first."""
    return {
        solver: sorted((row for row in rows if row.solver == solver), key=lambda row: -row.time)[:most]
        for solver in solvers(rows)
    }


@dataclass(frozen=True)
class Ratio:
    """How many times faster we were; `bound` is ">" or "<" where one side was stopped, "?" where both."""

    value: float
    bound: str = ""


def ratio(ours: Record, theirs: Record, by: By = by_call) -> Ratio:
    """The other's seconds over ours."""
    bounds = {(False, False): "", (False, True): ">", (True, False): "<", (True, True): "?"}
    return Ratio(by(theirs) / by(ours), bounds[ours.stopped, theirs.stopped])


def geometric_mean(ratios: Iterable[Ratio]) -> Ratio | None:
    """The geometric mean; a lower bound if one of them is. Rows on which both were stopped say nothing."""
    known = [ratio for ratio in ratios if ratio.bound != "?"]
    if not known:
        return None
    bounds = {ratio.bound for ratio in known} - {""}
    mean = math.exp(statistics.fmean(math.log(ratio.value) for ratio in known))
    return Ratio(mean, bounds.pop() if len(bounds) == 1 else "?" if bounds else "")


def best(rows: Iterable[Record]) -> Record | None:
    """The fastest; one that finished comes before one that was stopped."""
    return min(rows, key=lambda row: (row.stopped, row.time), default=None)


def performance_ratios(rows: Sequence[Record], by: By = by_call) -> dict[str, np.ndarray]:
    """For each contender its seconds over the best's, sorted; infinite where it was stopped or did not run.

    Only instances that some contender finished count.
    """
    finished = {(row.case, row.solver): by(row) for row in rows if not row.stopped}
    cases = list(dict.fromkeys(case for case, _ in finished))
    names = solvers(rows)
    seconds = np.array([[finished.get((case, name), np.inf) for name in names] for case in cases])
    ratios = seconds / seconds.min(axis=1, keepdims=True) if cases else np.zeros((0, len(names)))
    return {name: np.sort(ratios[:, column]) for column, name in enumerate(names)}


def fraction_within(ratios: np.ndarray, factor: float) -> float:
    """The profile's value: on which fraction of the instances a contender is within a factor of the best."""
    return float(np.mean(ratios <= factor)) if len(ratios) else 0.0


def best_methods(rows: Sequence[Record], most: int) -> list[str]:
    """``auto`` and the methods with the highest profiles, in the order in which they ran.

    The height is the mean over the instances of 1 / (its ratio to the best), 0 where it was stopped.
    """
    ratios = performance_ratios(rows)
    methods = solvers(rows, "method")
    chosen = sorted(methods, key=lambda name: (name != "auto", -float(np.sum(1 / ratios[name]))))[:most]
    return [name for name in methods if name in chosen]


def speedups(rows: Sequence[Record], baselines: Sequence[str], by: By = by_call) -> dict[str, np.ndarray]:
    """For each other contender the seconds of the fastest baseline over its own, the largest first.

    Baselines are methods by name, whatever their settings. Zero where a contender was stopped or did not run.
    Only instances that a baseline finished count.
    """
    finished = {(row.case, row.solver): by(row) for row in rows if not row.stopped}
    base: dict[Case, float] = {}
    for row in rows:
        if row.name in baselines and not row.stopped:
            base[row.case] = min(by(row), base.get(row.case, math.inf))
    return {
        name: -np.sort([-best / finished.get((case, name), math.inf) for case, best in base.items()])
        for name in solvers(row for row in rows if row.name not in baselines)
    }
