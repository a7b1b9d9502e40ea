"""The tables that people read, on a screen or on a page: those of the papers, and ours against the peers."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from konig.lab.bench import contenders, figures
from konig.lab.bench.figures import Ratio, by_search
from konig.lab.bench.problems import Problem
from konig.lab.bench.problems.flow import BIPARTITE
from konig.lab.bench.records import Record
from konig.lab.bench.suites import ORDERS, RANGES
from konig.lab.bench.tables import Best, Table

# The most peers for which a table has room for each one's ratio.
MOST_RATIOS = 4
RANKS = (1, 2, 3, 4, 5, 10, 20, 30, 40, 50)
STOPPED = "> stopped at the timeout: a lower bound"
# What the speed-ups of the GPU papers are over.
BASELINES = ("pfp", "hkdw")
# What stands in a table by order, of a contender, an order and a number.
Cell = Callable[[str, str, float], str]


def tables(problem: Problem, records: Sequence[Record]) -> Iterator[Table]:
    """Every table that these records can fill."""
    rows = figures.averaged(records)
    if not rows:
        return
    methods = figures.solvers(rows, "method")
    yield running_times(rows)
    if methods:
        yield parts_of_time(rows, methods, problem.parts)
        if problem.name == "matching":
            yield operation_counts(rows)
            yield work(rows, methods[0])
    for method in methods:
        if (alone := method + contenders.ONE_THREAD) in methods:
            yield against_one_thread(rows, method, alone)
    yield slowest(rows)
    yield from of_papers(records)
    if on_gpu := figures.on_gpu(rows):
        yield details(problem, on_gpu)
    yield from against_peers(rows)


def of_papers(records: Sequence[Record]) -> Iterator[Table]:
    """The tables of the papers, and times on a GPU, as far as these records can fill them."""
    rows = figures.averaged(records)
    if figures.on_gpu(rows):
        yield by_instance(rows, "Milliseconds of the whole call", figures.by_call)
        yield by_instance(rows, "Milliseconds of the solve alone", by_search)
        made = relabelling(rows), levels(figures.on_gpu(records)), speedups(rows)
        yield from (table for table in made if table.rows)
    yield from hungarian_tables(records)
    yield from flow_tables(records, rows)


def failures(records: Sequence[Record]) -> list[str]:
    """A line for each run that gave no answer, or a wrong one."""
    return [
        f"{r.solver} on {r.instance}, {ORDERS[r.order].lower()}: {r.status}: {r.message}"
        for r in records
        if r.status not in ("ok", "timeout", "left out")
    ]


def running_times(rows: Sequence[Record]) -> Table:
    """Table 1: average and median seconds by method and order; the best average of an order stands out."""
    numbers = figures.running_times(rows)
    stopped = {(row.solver, order) for row in rows if row.stopped for order in (row.order, "average")}

    def average(solver: str, order: str, value: float) -> str:
        text = ("> " if (solver, order) in stopped else "") + number(value)
        averages = (found[order][0] for found in numbers.values() if order in found)
        return Best(text) if value == min(a for a in averages if a is not None) else text

    cells = {"avg": average, "med": lambda solver, order, value: number(value)}
    table = _by_order("Running times in seconds, average and median over the instances", numbers, cells)
    table.columns.append("avg/med")
    for row, (mean, median) in zip(table.rows, (found["average"] for found in numbers.values()), strict=True):
        row.append("" if mean is None or not median else f"{mean / median:.2f}")
    table.note = "> some solves were stopped at the timeout and count with it" if stopped else ""
    return table


def _by_order(title: str, numbers: dict[str, dict[str, figures.Two]], cells: dict[str, Cell]) -> Table:
    """Two numbers of each method by order, and their averages over the orders if there are several."""
    orders = [order for order in (*ORDERS, "average") if any(order in found for found in numbers.values())]
    if len(orders) == 2:  # one order, and the average over it
        orders.pop()
    first, second = cells
    heads = [h for order in orders for h in (f"{ORDERS.get(order, 'Average')}\n{first}", f"\n{second}")]
    table = Table(title, ["method", *heads])
    for solver, found in numbers.items():
        row = [solver]
        for order in orders:
            two = zip(cells.values(), found.get(order, (None, None)), strict=True)
            row += ["" if value is None else cell(solver, order, value) for cell, value in two]
        table.rows.append(row)
    return table


def parts_of_time(rows: Sequence[Record], methods: Sequence[str], parts: tuple[str, ...]) -> Table:
    """Figure 1: where the time goes."""
    shown = (*parts, "rest")
    heads = [text for part in shown for text in (f"{part}\nseconds", "\n%")]
    table = Table("Division of the running time: average seconds and median share", ["method", *heads])
    for method in methods:
        found = figures.parts_of_time(rows, method, parts)
        if found:
            cells = [text for part in shown for text in (number(found[part][0]), f"{found[part][1]:.0f}")]
            table.rows.append([method, *cells])
    return table


def operation_counts(rows: Sequence[Record]) -> Table:
    """Table 2: arc scans, and double pushes or other operations, in millions."""
    title = "Average operation counts in millions: arc scans (AS), double pushes or other (DP)"
    cells: dict[str, Cell] = dict.fromkeys(("AS", "DP"), lambda solver, order, value: f"{value:,.3f}")
    return _by_order(title, figures.operation_counts(rows), cells)


def work(rows: Sequence[Record], method: str) -> Table:
    """Arc scans per entry and peak memory of one method, by instance."""
    heads = ["arc scans\nper entry", "peak extra\nMB", "bytes per vertex\nbeyond one transpose"]
    table = Table(f"Work and memory of {method}", ["instance", "rows", "entries", *heads])
    for row in (row for row in rows if row.solver == method and not row.stopped):
        cells = [f"{row.rows:,}", f"{row.nonzeros:,}", "", "", ""]
        if (scans := figures.arc_scans(row)) is not None and row.nonzeros:
            cells[2] = f"{scans / row.nonzeros:.2f}"
        if row.memory is not None:
            beyond = row.memory - 4 * (row.nonzeros + row.cols + 1)
            cells[3:] = [f"{row.memory / 1e6:,.1f}", f"{beyond / max(row.rows + row.cols, 1):.1f}"]
        table.rows.append([row.title, *cells])
    return table


def slowest(rows: Sequence[Record]) -> Table:
    """Figure 2: the seconds of each contender's slowest instances, by rank."""
    worst = figures.slowest(rows)
    ranks = [rank for rank in RANKS if rank <= max(map(len, worst.values()))]
    title = "The slowest instances and orders of each: seconds by rank"
    table = Table(title, ["method", *(f"{rank}." for rank in ranks), "slowest on"])
    for solver, found in worst.items():
        cells = [seconds(found[r - 1]) if r <= len(found) else "" for r in ranks]
        table.rows.append([solver, *cells, found[0].title])
    return table


def against_peers(rows: Sequence[Record]) -> Iterator[Table]:
    """Our first method's whole call against the peers' solves alone: times, and how many times faster it is.

    With many peers there is room for the ratio to the best of them only, and for the means of all. Times are
    in milliseconds where all of them are less than a second.
    """
    methods, peers = figures.solvers(rows, "method"), figures.solvers(rows, "peer")
    if not methods or not peers:
        return
    ours = methods[0]
    cases = [case for case in figures.by_case(rows).values() if ours in case]
    compared = [case[name] for case in cases for name in (ours, *peers) if name in case]
    each = len(peers) <= MOST_RATIOS
    unit, per_second = ("ms", 1000.0) if max(row.time for row in compared) < 1 else ("s", 1.0)
    heads = [text for peer in peers for text in (f"{peer}\n{unit}", "\nratio")[: 1 + each]]
    title = f"{ours} against peers: the time, and how many times faster {ours} is"
    table = Table(title, ["instance", f"{ours}\n{unit}", *heads, "best peer", "ratio"])
    ratios: dict[str, list[Ratio]] = {name: [] for name in (*peers, "best")}
    for case in cases:
        cells = [case[ours].title, seconds(case[ours], per_second)]
        for peer in peers:
            theirs = case.get(peer)
            ratios[peer] += [figures.ratio(case[ours], theirs)] if theirs else []
            cells += [seconds(theirs, per_second), shown(ratios[peer][-1]) if theirs else ""][: 1 + each]
        best = figures.best(case[peer] for peer in peers if peer in case)
        ratios["best"] += [figures.ratio(case[ours], best)] if best else []
        cells += [best.solver, Best(shown(ratios["best"][-1]))] if best else ["", ""]
        table.rows.append(cells)
    means = [text for peer in peers for text in ("", _mean(ratios[peer]))[1 - each :]]
    table.below.append(["geometric mean of ratios", "", *means, "", _mean(ratios["best"])])
    table.note = STOPPED if any(row.stopped for row in compared) else ""
    yield table


def against_one_thread(rows: Sequence[Record], method: str, alone: str) -> Table:
    """A method with the threads that it takes by default against the same on one: below 1 they do harm."""
    threaded = [row for row in rows if row.solver == method]
    sequential = [replace(row, solver=method) for row in rows if row.solver == alone]
    title = f"{method} against {alone}: seconds, and how many times faster {method} is"
    return _paired(Table(title, ["instance", "method", alone, method, "ratio"]), sequential, threaded)


def compare(old: Sequence[Record], new: Sequence[Record]) -> Table:
    """Two benchmark files: how many times faster the new one is, by contender and row."""
    title = "Old against new: seconds, and how many times faster the new one is"
    table = Table(title, ["instance", "method", "old", "new", "ratio"])
    return _paired(table, figures.averaged(old), figures.averaged(new))


def _paired(table: Table, old: Sequence[Record], new: Sequence[Record]) -> Table:
    """Fill a table with the records of both, and below it the mean and the worst ratio of each contender."""
    before = {(row.case, row.solver): row for row in old}
    after = [row for row in new if (row.case, row.solver) in before]
    for solver in figures.solvers(after):
        chosen = [(before[row.case, solver], row) for row in after if row.solver == solver]
        ratios = [figures.ratio(later, earlier) for earlier, later in chosen]
        for (earlier, later), ratio in zip(chosen, ratios, strict=True):
            table.rows.append([later.title, solver, seconds(earlier), seconds(later), shown(ratio)])
        worst = min(ratios, key=lambda ratio: ratio.value)
        table.below.append(["geometric mean", solver, "", "", _mean(ratios)])
        table.below.append(["worst", solver, "", "", shown(worst)])
    return table


def by_instance(rows: Sequence[Record], title: str, by: figures.By) -> Table:
    """Milliseconds of every contender on every instance; more contenders than instances become the rows.

    The geometric means are over the instances that every contender tried; the best of each instance stands
    out.
    """
    found = list(figures.by_case(rows).values())
    names = figures.solvers(rows)
    cells = [[_milliseconds(case, name, by) for name in names] for case in found]
    tried = [case for case in found if all(name in case for name in names)]
    means = [_mean_milliseconds([case[name] for case in tried], by) for name in names]
    first = [next(iter(case.values())) for case in found]
    mean = f"geometric mean of {len(tried)}"
    note = STOPPED if any(row.stopped for row in rows) else ""
    if len(names) <= max(len(found), 6):
        body = [[row.title, f"{row.nonzeros:,}", *line] for row, line in zip(first, cells, strict=True)]
        return Table(title, ["instance", "entries", *names], body, [[mean, "", *means]], note)
    columns = zip(names, means, *cells, strict=True)
    return Table(title, ["method", mean, *(row.title for row in first)], list(map(list, columns)), note=note)


def _milliseconds(found: dict[str, Record], name: str, by: figures.By) -> str:
    if name not in found:
        return ""
    best = min((by(row) for row in found.values() if not row.stopped), default=0.0)
    row = found[name]
    text = seconds(row, 1000.0, by)
    return Best(text) if not row.stopped and by(row) == best else text


def _mean_milliseconds(rows: Sequence[Record], by: figures.By) -> str:
    if not rows:
        return ""
    mark = "> " if any(row.stopped for row in rows) else ""
    return mark + number(1000 * statistics.geometric_mean(map(by, rows)))


def details(problem: Problem, rows: Sequence[Record]) -> Table:
    """What each method did on a GPU: the call, its stages, its spread over the repeats, and its counters."""
    title = "On the GPU: milliseconds of the call and its stages, deviation of the repeats, and counters"
    first = ["instance", "method", "ran", "size", "call", "dev."]
    table = Table(title, [*first, *problem.stages, *(names[0].replace("_", " ") for names in problem.counts)])
    for row in (row for row in rows if not row.stopped):
        ran = "" if row.ran == row.name else row.ran or ""
        size = "" if row.size is None else f"{row.size:,}"
        spread = "" if row.deviation is None else f"{100 * row.deviation:.0f} %"
        times = [number(1000 * row.parts[stage]) if stage in row.parts else "" for stage in problem.stages]
        counts = [_count(row, names) for names in problem.counts]
        about = [row.title, row.solver, ran, size, number(1000 * row.time), spread]
        table.rows.append([*about, *times, *counts])
    return table.without_empty_columns()


def _count(row: Record, names: Sequence[str]) -> str:
    """The first of these that a method counted, summed up where it counted in each iteration."""
    for name in names:
        if name in row.counts or name in row.series:
            return f"{row.counts.get(name, sum(row.series.get(name, ()))):,.0f}"
    return ""


def relabelling(rows: Sequence[Record]) -> Table:
    """Figure 1 of the push-relabel paper, in numbers: for each variant the means of the solve by strategy."""
    variants = figures.by_strategy(rows)
    strategies = list(dict.fromkeys(strategy for found in variants.values() for strategy in found))
    title = "Strategies of global relabelling: geometric means of the solve, ms"
    table = Table(title, ["variant", *strategies])
    for name, found in variants.items():
        table.rows.append([name, *(_mean_milliseconds(found.get(s, ()), by_search) for s in strategies)])
    return table


def levels(records: Sequence[Record]) -> Table:
    """Figure 2 of the augmenting paths paper, in numbers: searches and their BFS levels."""
    heads = ["instance", "method", "searches", "levels", "most in one"]
    table = Table("Searches and their BFS levels", heads)
    for record in (record for record in records if record.draw == 0):
        if found := record.series.get("bfs_levels"):
            cells = (f"{len(found):,}", f"{sum(found):,.0f}", f"{max(found):,.0f}")
            table.rows.append([record.title, record.solver, *cells])
    return table


def speedups(rows: Sequence[Record]) -> Table:
    """Figures 3 and 4 of the GPU papers, in numbers: profiles, and speed-ups over sequential methods."""
    heads = ["order", "method", "best on", "within 2x", "faster on", "least", "median", "most", "geo. mean"]
    baselines = " and ".join(BASELINES)
    table = Table(f"The solve alone against all, and speed-ups over the faster of {baselines}", heads)
    for order, title in ORDERS.items():
        chosen = [row for row in rows if row.order == order and row.kind == "method"]
        ratios = figures.performance_ratios(chosen, by_search)
        for solver, gain in figures.speedups(chosen, BASELINES, by_search).items():
            if len(gain):
                within = [figures.fraction_within(ratios[solver], factor) for factor in (1.0, 2.0)]
                shares = [f"{100 * share:.0f} %" for share in (*within, (gain > 1).mean())]
                spread = [number(float(gain[k])) for k in (-1, len(gain) // 2, 0)]
                mean = number(statistics.geometric_mean(gain)) if gain[-1] > 0 else ""
                table.rows.append([title, solver, *shares, *spread, mean])
    return table


# The steps of Date and Nagi's table 3, by the names in ``stats["seconds"]``.
_PASSES = {"forward_pass": "forward\npass", "dual_update": "dual\nupdate"}
STEPS = {"hungarian-classical": {"compression": "matrix\ncomp.", **_PASSES}, "hungarian-tree": _PASSES}
# The range of their tables 1 and 2, and how many iterations stand together in table 2.
TABLE_ONE = "[0, n]"
TOGETHER = 5


def hungarian_tables(records: Sequence[Record]) -> Iterator[Table]:
    """Tables 1 to 3 of Date and Nagi, as far as the Hungarian methods ran on instances for them."""
    known = sorted((r for r in figures.averaged(records) if r.name in STEPS), key=lambda r: r.rows)
    by_range = {name: [r for r in known if r.group == name] for name in RANGES}
    if first := by_range[TABLE_ONE]:
        yield _by_size(first)
        yield from _by_iteration(first)
    yield from (_by_step(name, chosen) for name, chosen in by_range.items() if chosen)


def _by_size(records: Sequence[Record]) -> Table:
    """Table 1: total seconds by size, for each variant, number of workers and device."""
    labels = figures.solvers(records)
    heads = ["n", "objective\nvalue", *(label.replace(":", "\n") for label in labels)]
    table = Table("Table 1: seconds of the whole call, costs in [0, n]", heads)
    for found in figures.by_case(records).values():
        table.rows.append([*_about(found), *(seconds(found.get(label)) for label in labels)])
    return table


def _by_iteration(records: Sequence[Record]) -> Iterator[Table]:
    """Table 2: how many entries the tree variant assigns, at the start and in each five iterations."""
    trees = [r for r in records if r.name == "hungarian-tree" and r.series.get("assignments")]
    chosen = [r for r in trees if r.solver == trees[0].solver and not r.stopped]
    if not chosen:
        return
    starts = range(0, max(len(r.series["assignments"]) for r in chosen), TOGETHER)
    heads = [f"iterations\n{start + 1}-{start + TOGETHER}" for start in starts]
    first = ["n", "initial\nassignments", "before the first\ndual update"]
    table = Table(f"Table 2: assignments found at each stage by {chosen[0].solver}", [*first, *heads])
    for r in chosen:
        gained = r.series["assignments"]
        sums = [sum(gained[k : k + TOGETHER]) if k < len(gained) else None for k in starts]
        initial = (r.counts.get(f"{which}_assignments") for which in ("greedy", "initial"))
        table.rows.append([f"{r.rows:,}", *map(_whole, (*initial, *sums))])
    yield table


def _by_step(name: str, records: Sequence[Record]) -> Table:
    """Table 3: seconds of the steps that take longest, by size, for one cost range."""
    labels = figures.solvers(records)
    heads = ["n", "objective\nvalue", "initial\nassignments"]
    for label in labels:
        first, *others = STEPS[label.partition(":")[0]].values()
        heads += [f"{label}: {first}", *others, "\ntotal"]
    table = Table(f"Table 3: seconds of steps and of the whole call, costs in {name}", heads)
    for found in figures.by_case(records).values():
        known = (r.counts.get("initial_assignments") for r in found.values())
        cells = [*_about(found), _whole(next((n for n in known if n is not None), None))]
        for label in labels:
            record = found.get(label)
            parts = None if record is None or record.stopped else record.parts
            steps = STEPS[label.partition(":")[0]]
            cells += ["" if parts is None else number(parts.get(step, 0.0)) for step in steps]
            cells.append(seconds(record))
        table.rows.append(cells)
    return table


def _about(found: dict[str, Record]) -> list[str]:
    value = next((r.size for r in found.values() if r.size is not None), None)
    return [f"{next(iter(found.values())).rows:,}", "" if value is None else f"{value:,}"]


def _whole(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}"


# The headings of Hsieh, Lin and Kuo: the layout alone is one thread for each vertex, + is TLPNS.
CONFIGURATIONS = {
    f"{kind}-{layout}": layout.upper() + mark
    for layout in ("csr", "rcsr", "bcsr")
    for kind, mark in (("lock-free", ""), ("tlpns", "+"))
}
PLAIN = ("CSR", "CSR+")
LAYOUTS = ("RCSR", "BCSR")


def flow_tables(records: Sequence[Record], rows: Sequence[Record]) -> Iterator[Table]:
    """Tables I and III of Hsieh, Lin and Kuo, as far as there are configurations and instances for them.

    A column for each other method that ran, such as ``auto``, stands after the paper's own.
    """
    title = "milliseconds of the solve, and the speed-up by TLPNS"
    headings = {
        "": (f"Table I: maximum flow, {title}", ["V", "E"]),
        BIPARTITE: (f"Table III: bipartite matching as a flow, {title}", ["L", "R", "E", "maximum flow"]),
    }
    refused = {(r.instance, CONFIGURATIONS.get(r.name)) for r in records if r.status == "error"}
    for group, (heading, sizes) in headings.items():
        chosen = [row for row in rows if row.kind == "method" and row.group == group]
        if any(row.name in CONFIGURATIONS for row in chosen):
            named = [replace(row, solver=CONFIGURATIONS.get(row.name, row.solver)) for row in chosen]
            yield _configurations(Table(heading, ["graph", *sizes]), named, refused)


def _configurations(table: Table, rows: Sequence[Record], refused: set[tuple[str, str | None]]) -> Table:
    """Fill a table of the flow paper; the paper's configurations go by its names."""
    ours = list(CONFIGURATIONS.values())
    others = [solver for solver in figures.solvers(rows) if solver not in ours]
    gained: dict[str, list[Ratio]] = {layout: [] for layout in LAYOUTS}
    notes = ["TO: stopped at the timeout"] if any(row.stopped for row in rows) else []
    if any((row.instance, name) in refused for row in rows for name in PLAIN):
        notes.append("-: refused, since plain CSR scans all arcs for each active vertex")
    for (graph, _), found in figures.by_case(rows).items():
        solved = next((row for row in found.values() if row.size is not None), next(iter(found.values())))
        sizes = {"V": solved.rows, "L": solved.rows, "R": solved.cols, "E": solved.nonzeros}
        cells = [f"{sizes.get(head, solved.size or 0):,}" for head in table.columns[1:]]
        ended = {name: found[name].search for name in ours if name in found and not found[name].stopped}
        for name in ours:
            text = "-" if name in PLAIN and (graph, name) in refused else _solve(found.get(name))
            cells.append(Best(text) if name in ended and ended[name] == min(ended.values()) else text)
        for layout in LAYOUTS:
            centric, tlpns = found.get(layout), found.get(f"{layout}+")
            if centric is None or tlpns is None or centric.stopped or tlpns.stopped:
                cells.append("")
            else:
                gained[layout].append(figures.ratio(tlpns, centric, by_search))
                cells.append(f"{gained[layout][-1].value:.2f}x")
        table.rows.append([graph, *cells, *(_solve(found.get(name)) for name in others)])
    before = [""] * (len(table.columns) - 1 + len(ours))
    means = [f"{mean.value:.2f}x" if (mean := figures.geometric_mean(g)) else "" for g in gained.values()]
    table.columns += [*ours, *(f"TLPNS\non {layout}" for layout in LAYOUTS), *others]
    table.below.append(["geometric mean", *before, *means, *("" for _ in others)])
    table.note = "; ".join(notes)
    return table


def _solve(row: Record | None) -> str:
    """The milliseconds of a solve, as the flow paper has them."""
    if row is None or row.stopped:
        return "" if row is None else "TO"
    return f"{1000 * row.search:,.0f}" if row.search >= 1 else f"{1000 * row.search:.2f}"


def number(value: float) -> str:
    """Three significant digits without an exponent."""
    if not value or not math.isfinite(value):
        return "0"
    decimals = max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:,.{decimals}f}" if decimals < 9 else f"{value:.2g}"


def seconds(record: Record | None, per_second: float = 1.0, by: figures.By = figures.by_call) -> str:
    """The time of a record in seconds or parts of them, marked where it was stopped."""
    if record is None:
        return ""
    return ("> " if record.stopped else "") + number(per_second * by(record))


def shown(ratio: Ratio | None) -> str:
    """How many times faster, with its bound."""
    return "" if ratio is None or ratio.bound == "?" else f"{ratio.bound}{number(ratio.value)}"


def _mean(ratios: Sequence[Ratio]) -> str:
    return shown(figures.geometric_mean(ratios))
