"""The reports that people read: the papers' tables, and ours against the peers."""

from __future__ import annotations

from collections.abc import Sequence

from rich.markup import escape
from rich.table import Table

from konig.lab import figures
from konig.lab.figures import Duel, Ratio, Row, Times
from konig.lab.runner import Record
from konig.lab.suites import ORDERS

# The most peers for which a table has room for each one's ratio.
MOST_RATIOS = 4
RANKS = (1, 2, 3, 4, 5, 10, 20, 30, 40, 50)


def failures(records: Sequence[Record]) -> list[str]:
    """A line for each run that gave no answer, or a wrong one."""
    return [
        f"{r.solver} on {r.instance}, {ORDERS[r.order].lower()}: {r.status}: {r.message}"
        for r in records
        if r.status not in ("ok", "timeout", "left out")
    ]


def running_times(rows: Sequence[Row]) -> Table:
    """Table 1: average and median seconds by method and order; the best average of an order in bold."""
    numbers = figures.running_times(rows)
    orders = [order for order in (*ORDERS, "average") if any(order in row for row in numbers.values())]
    if len(orders) == 2:  # one order, and the average over it
        orders.pop()
    table = new_table("Running times in seconds, average and median over the instances")
    for order in orders:
        table.add_column(f"{ORDERS.get(order, 'Average')}\navg", justify="right")
        table.add_column("\nmed", justify="right")
    table.add_column("avg/med", justify="right")
    best = {order: min(row[order].average for row in numbers.values() if order in row) for order in orders}
    for solver, by_order in numbers.items():
        cells = []
        for order in orders:
            times = by_order.get(order)
            cells += ["", ""] if times is None else _times(times, best[order])
        overall = by_order["average"]
        table.add_row(escape(solver), *cells, f"{overall.average / overall.median:.2f}")
    if any(times.stopped for by_order in numbers.values() for times in by_order.values()):
        table.caption = "> some solves were stopped at the timeout and count with it"
    return table


def _times(times: Times, best: float) -> list[str]:
    average = ("> " if times.stopped else "") + seconds(times.average)
    return [f"[bold]{average}[/bold]" if times.average == best else average, seconds(times.median)]


def parts_of_time(rows: Sequence[Row], methods: Sequence[str], parts: tuple[str, ...]) -> Table:
    """Figure 1: where the time goes."""
    table = new_table("Division of the running time: average seconds and median share")
    shown = (*parts, "rest")
    for part in shown:
        table.add_column(f"{part}\nseconds", justify="right")
        table.add_column("\n%", justify="right")
    for method in methods:
        found = figures.parts_of_time(rows, method, parts)
        if found:
            cells = [text for part in shown for text in (seconds(found[part][0]), f"{found[part][1]:.0f}")]
            table.add_row(escape(method), *cells)
    return table


def operation_counts(rows: Sequence[Row]) -> Table:
    """Table 2: arc scans, and double pushes or other operations, in millions."""
    numbers = figures.operation_counts(rows)
    orders = [order for order in (*ORDERS, "average") if any(order in row for row in numbers.values())]
    table = new_table("Average operation counts in millions: arc scans (AS), double pushes or other (DP)")
    for order in orders:
        table.add_column(f"{ORDERS.get(order, 'Average')}\nAS", justify="right")
        table.add_column("\nDP", justify="right")
    for solver, by_order in numbers.items():
        pairs = [by_order.get(order, (None, None)) for order in orders]
        cells = ["" if number is None else f"{number:,.3f}" for pair in pairs for number in pair]
        table.add_row(escape(solver), *cells)
    return table


def work(rows: Sequence[Row], method: str) -> Table:
    """Arc scans per entry and peak memory of one method, by instance."""
    table = new_table(f"Work and memory of {method}", "instance")
    for heading in (
        "rows",
        "entries",
        "arc scans\nper entry",
        "peak extra\nMB",
        "bytes per vertex\nbeyond one transpose",
    ):
        table.add_column(heading, justify="right")
    for row in (row for row in rows if row.solver == method and not row.bound):
        scans = figures.arc_scans(row)
        per_entry = "" if scans is None or not row.nonzeros else f"{scans / row.nonzeros:.2f}"
        memory = ["", ""]
        if row.memory is not None:
            transpose = 4 * (row.nonzeros + row.cols + 1)
            beyond = (row.memory - transpose) / max(row.rows + row.cols, 1)
            memory = [f"{row.memory / 1e6:,.1f}", f"{beyond:.1f}"]
        table.add_row(escape(row.title), f"{row.rows:,}", f"{row.nonzeros:,}", per_entry, *memory)
    return table


def slowest(rows: Sequence[Row]) -> Table:
    """Figure 2: the seconds of each contender's slowest instances, by rank."""
    worst = figures.slowest(rows)
    longest = max(len(found) for found in worst.values())
    ranks = [rank for rank in RANKS if rank <= longest]
    table = new_table("The slowest instances and orders of each: seconds by rank")
    for rank in ranks:
        table.add_column(f"{rank}.", justify="right")
    table.add_column("slowest on")
    for solver, found in worst.items():
        cells = [found[r - 1].bound + seconds(found[r - 1].seconds) if r <= len(found) else "" for r in ranks]
        table.add_row(escape(solver), *cells, escape(found[0].title))
    return table


def against_peers(rows: Sequence[Row], ours: str) -> Table:
    """Our whole call against the peers' solves alone: seconds, and how many times faster we are.

    With many peers there is room for the ratio to the best of them only, and for the means of all.
    """
    found = figures.duels(rows, ours)
    peers = figures.solvers(rows, "peer")
    with_ratios = len(peers) <= MOST_RATIOS
    table = new_table(f"{ours} against peers: seconds, and how many times faster {ours} is", "instance")
    table.add_column(f"{ours}\nseconds", justify="right", no_wrap=True)
    for peer in peers:
        table.add_column(f"{peer}\nseconds", justify="right", no_wrap=True)
        if with_ratios:
            table.add_column("\nratio", justify="right")
    table.add_column("best peer")
    table.add_column("ratio", justify="right", style="bold")
    for duel in found:
        table.add_row(escape(duel.ours.title), *_duel(duel, peers, with_ratios))
    table.add_section()
    means = [_ratio(figures.geometric_mean(_ratios(found, peer))) for peer in peers]
    cells = [text for mean in means for text in ("", mean)] if with_ratios else means
    best = figures.geometric_mean(figures.ratio(duel.ours, duel.best) for duel in found if duel.best)
    table.add_row("geometric mean of ratios", "", *cells, "", _ratio(best))
    if any(row.bound for duel in found for row in (duel.ours, *duel.theirs.values())):
        table.caption = "> stopped at the timeout: the seconds and the ratio are lower bounds"
    return table


def against_one_thread(rows: Sequence[Row], method: str, alone: str) -> Table:
    """A method with the threads that it takes by itself against the same on one: below 1 they do harm."""
    by_one = {row.problem: row for row in rows if row.solver == alone}
    table = new_table(f"{method} against {alone}: seconds, and how many times faster {method} is", "instance")
    for heading in (method, alone, "ratio"):
        table.add_column(heading, justify="right")
    ratios = []
    for row in (row for row in rows if row.solver == method and row.problem in by_one):
        other = by_one[row.problem]
        ratios.append(figures.ratio(row, other))
        times = (row.bound + seconds(row.seconds), other.bound + seconds(other.seconds))
        table.add_row(escape(row.title), *times, _ratio(ratios[-1]))
    table.add_section()
    table.add_row("geometric mean", "", "", _ratio(figures.geometric_mean(ratios)), style="bold")
    table.add_row(
        "worst", "", "", _ratio(min(ratios, key=lambda ratio: ratio.value, default=None)), style="bold"
    )
    return table


def _duel(duel: Duel, peers: Sequence[str], with_ratios: bool) -> list[str]:
    cells = [duel.ours.bound + seconds(duel.ours.seconds)]
    for peer in peers:
        row = duel.theirs.get(peer)
        pair = ["", ""]
        if row is not None:
            pair = [row.bound + seconds(row.seconds), _ratio(figures.ratio(duel.ours, row))]
        cells += pair if with_ratios else pair[:1]
    best = duel.best
    return [*cells, *(["", ""] if best is None else [best.solver, _ratio(figures.ratio(duel.ours, best))])]


def _ratios(found: Sequence[Duel], peer: str) -> list[Ratio]:
    return [figures.ratio(duel.ours, duel.theirs[peer]) for duel in found if peer in duel.theirs]


def compare(old: Sequence[Record], new: Sequence[Record]) -> Table:
    """Two benchmark files: how many times faster the new one is, by contender and row."""
    before = {(row.problem, row.solver): row for row in figures.averaged(old)}
    after = [row for row in figures.averaged(new) if (row.problem, row.solver) in before]
    table = new_table("Old against new: seconds, and how many times faster the new one is", "instance")
    table.add_column("method")
    for heading in ("old", "new", "ratio"):
        table.add_column(heading, justify="right")
    for solver in figures.solvers(after):
        ratios = []
        for row in (row for row in after if row.solver == solver):
            earlier = before[row.problem, solver]
            ratios.append(figures.ratio(row, earlier))
            times = (earlier.bound + seconds(earlier.seconds), row.bound + seconds(row.seconds))
            table.add_row(escape(row.title), escape(solver), *times, _ratio(ratios[-1]))
        mean = _ratio(figures.geometric_mean(ratios))
        table.add_row("geometric mean", escape(solver), "", "", mean, style="bold", end_section=True)
    return table


def seconds(value: float) -> str:
    """Seconds with three digits that mean something."""
    return f"{value:.2f}" if value >= 1 else f"{value:.3f}" if value >= 0.1 else f"{value:.2g}"


def _ratio(ratio: Ratio | None) -> str:
    if ratio is None or ratio.bound == "?":
        return ""
    return f"{ratio.bound}{ratio.value:.3g}"


def new_table(title: str, first: str = "method") -> Table:
    """A table with a title and its first column."""
    table = Table(title=escape(title), title_justify="left", title_style="bold", caption_justify="left")
    table.add_column(first, style="cyan", no_wrap=True)
    return table
