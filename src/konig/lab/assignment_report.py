"""Tables 1 to 3 of Date and Nagi: the two Hungarian methods by size, iteration and cost range."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.markup import escape
from rich.table import Table

from konig.lab.problems.assignment_suites import RANGES
from konig.lab.report import new_table, seconds
from konig.lab.runner import Record

CLASSICAL, TREE = "hungarian-classical", "hungarian-tree"
# The range of tables 1 and 2, and how many iterations stand together in table 2.
TABLE_ONE = "[0, n]"
TOGETHER = 5
# What table 3 tells apart, by the names in ``stats["seconds"]``.
STEPS = {
    CLASSICAL: {
        "compression": "matrix\ncomp.",
        "forward_pass": "forward\npass",
        "dual_update": "dual\nupdate",
    },
    TREE: {"forward_pass": "forward\npass", "dual_update": "dual\nupdate"},
}


def paper_tables(records: Sequence[Record]) -> Iterator[Table]:
    """The three tables, as far as the Hungarian methods ran on instances for them."""
    known = [r for r in records if _method(r) and r.group and r.seconds is not None]
    known = sorted((r for r in known if r.status in ("ok", "timeout")), key=lambda r: r.rows)
    first = [r for r in known if r.group == TABLE_ONE]
    if first:
        yield table_one(first)
        yield from table_two(first)
    for name in RANGES:
        chosen = [r for r in known if r.group == name]
        if chosen:
            yield table_three(name, chosen)


def table_one(records: Sequence[Record]) -> Table:
    """Total seconds by size, for each variant, number of workers and device."""
    table = new_table("Table 1: seconds of the whole call, costs in [0, n]", "n")
    table.add_column("objective\nvalue", justify="right")
    labels = _labels(records)
    for label in labels:
        table.add_column(escape(label.replace(":", "\n")), justify="right")
    for found in _by_instance(records):
        times = [_total(found.get(label)) for label in labels]
        table.add_row(*_about(found), *times)
    return table


def table_two(records: Sequence[Record]) -> Iterator[Table]:
    """How many pairs the tree variant assigns, at the start and in each five iterations."""
    label = next((r.solver for r in records if _method(r) == TREE and r.series.get("assignments")), None)
    chosen = [r for r in records if r.solver == label and r.status == "ok"]
    if label is None or not chosen:
        return
    longest = max(len(r.series.get("assignments", [])) for r in chosen)
    table = new_table(f"Table 2: assignments found at each stage by {label}", "n")
    table.add_column("initial\nassignments", justify="right")
    table.add_column("before the first\ndual update", justify="right")
    starts = range(0, longest, TOGETHER)
    for start in starts:
        table.add_column(f"iterations\n{start + 1}-{start + TOGETHER}", justify="right")
    for r in chosen:
        gained = r.series.get("assignments", [])
        sums = [int(sum(gained[k : k + TOGETHER])) if k < len(gained) else None for k in starts]
        initial = (r.counts.get("greedy_assignments"), r.counts.get("initial_assignments"))
        table.add_row(f"{r.rows:,}", *("" if n is None else f"{n:,.0f}" for n in (*initial, *sums)))
    yield table


def table_three(name: str, records: Sequence[Record]) -> Table:
    """Seconds of the steps that take longest, by size, for one cost range."""
    table = new_table(f"Table 3: seconds of steps and of the whole call, costs in {name}", "n")
    table.add_column("objective\nvalue", justify="right")
    table.add_column("initial\nassignments", justify="right")
    labels = _labels(records)
    for label in labels:
        steps = list(STEPS[label.partition(":")[0]].values())
        table.add_column(f"{escape(label)}\n{steps[0]}", justify="right")
        for step in (*steps[1:], "total"):
            table.add_column(f"\n{step}", justify="right")
    for found in _by_instance(records):
        initial = next(
            (n for r in found.values() if (n := r.counts.get("initial_assignments")) is not None), None
        )
        cells = [text for label in labels for text in _steps(label, found.get(label))]
        table.add_row(*_about(found), "" if initial is None else f"{initial:,.0f}", *cells)
    return table


def _steps(label: str, record: Record | None) -> list[str]:
    steps = STEPS[label.partition(":")[0]]
    if record is None or record.status != "ok":
        return [""] * len(steps) + [_total(record)]
    return [*(seconds(record.parts.get(step, 0.0)) for step in steps), _total(record)]


def _method(record: Record) -> str | None:
    """The Hungarian method that ran, whatever its settings; None for all others."""
    name = record.solver.partition(":")[0]
    return name if name in STEPS else None


def _labels(records: Sequence[Record]) -> list[str]:
    return list(dict.fromkeys(r.solver for r in records))


def _by_instance(records: Sequence[Record]) -> list[dict[str, Record]]:
    table: dict[str, dict[str, Record]] = {}
    for r in records:
        table.setdefault(r.instance, {})[r.solver] = r
    return list(table.values())


def _about(found: dict[str, Record]) -> list[str]:
    """The size of an instance and its optimal value."""
    value = next((r.size for r in found.values() if r.size is not None), None)
    rows = next(iter(found.values())).rows
    return [f"{rows:,}", "" if value is None else f"{value:,}"]


def _total(record: Record | None) -> str:
    if record is None or record.seconds is None:
        return ""
    return ("> " if record.status == "timeout" else "") + seconds(record.seconds)
