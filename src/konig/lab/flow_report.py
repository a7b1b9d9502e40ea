"""Tables I and III of Hsieh, Lin and Kuo: two ways of sharing the work on three residual layouts.

A column for each other method that ran, such as ``auto``, stands after the paper's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set

from rich.markup import escape
from rich.table import Table

from konig.lab.figures import Ratio, Row, geometric_mean
from konig.lab.problems.flow import BIPARTITE
from konig.lab.report import new_table

# The paper's headings: the layout alone is one thread for each vertex, + is TLPNS.
CONFIGURATIONS = {
    "CSR": "lock-free-csr",
    "CSR+": "tlpns-csr",
    "RCSR": "lock-free-rcsr",
    "RCSR+": "tlpns-rcsr",
    "BCSR": "lock-free-bcsr",
    "BCSR+": "tlpns-bcsr",
}
LAYOUTS = ("RCSR", "BCSR")


def paper_tables(rows: Sequence[Row], refused: Set[tuple[str, str]] = frozenset()) -> Iterator[Table]:
    """Both tables, as far as there are configurations and instances for them.

    ``refused`` holds the instances and methods of solves that ended in an error.
    """
    methods = [row for row in rows if row.kind == "method"]
    for bipartite, make in ((False, _table_one), (True, _table_three)):
        chosen = [row for row in methods if (row.group == BIPARTITE) == bipartite]
        if any(_heading(row.solver) in CONFIGURATIONS for row in chosen):
            yield make(chosen, refused)


def _heading(solver: str) -> str:
    """The paper's name of a configuration, whatever its settings; of another method its own."""
    name = solver.partition(":")[0]
    return next((heading for heading, method in CONFIGURATIONS.items() if method == name), solver)


def _table_one(rows: Sequence[Row], refused: Set[tuple[str, str]]) -> Table:
    """Table I: maximum flow."""
    table = new_table("Table I: maximum flow, milliseconds of the solve, and the speed-up by TLPNS", "graph")
    for heading in ("V", "E"):
        table.add_column(heading, justify="right")
    return _filled(table, rows, refused, lambda row: [f"{row.rows:,}", f"{row.nonzeros:,}"])


def _table_three(rows: Sequence[Row], refused: Set[tuple[str, str]]) -> Table:
    """Table III: bipartite matching as a flow."""
    title = "Table III: bipartite matching as a flow, milliseconds of the solve, and the speed-up by TLPNS"
    table = new_table(title, "graph")
    for heading in ("L", "R", "E", "maximum flow"):
        table.add_column(heading, justify="right")
    return _filled(
        table,
        rows,
        refused,
        lambda row: [f"{row.rows:,}", f"{row.cols:,}", f"{row.nonzeros:,}", f"{row.size or 0:,}"],
    )


def _filled(
    table: Table,
    rows: Sequence[Row],
    refused: Set[tuple[str, str]],
    about: Callable[[Row], list[str]],
) -> Table:
    others = dict.fromkeys(heading for row in rows if (heading := _heading(row.solver)) not in CONFIGURATIONS)
    for heading in CONFIGURATIONS:
        table.add_column(heading, justify="right")
    for layout in LAYOUTS:
        table.add_column(f"TLPNS\non {layout}", justify="right")
    for heading in others:
        table.add_column(escape(heading), justify="right")
    by_graph: dict[str, dict[str, Row]] = {}
    for row in rows:
        by_graph.setdefault(row.instance, {})[_heading(row.solver)] = row
    turned_away = {(graph, k) for graph, solver in refused if (k := _heading(solver)) in ("CSR", "CSR+")}
    speedups: dict[str, list[Ratio]] = {layout: [] for layout in LAYOUTS}
    for graph, found in by_graph.items():
        finished = [milliseconds(found[k]) for k in CONFIGURATIONS if k in found and not found[k].bound]
        best = min(finished, default=0.0)
        cells = ["-" if (graph, k) in turned_away else _cell(found.get(k), best) for k in CONFIGURATIONS]
        for layout in LAYOUTS:
            ratio = _speedup(found.get(layout), found.get(f"{layout}+"))
            speedups[layout] += [ratio] if ratio else []
            cells.append(_shown(ratio))
        cells += [_cell(found.get(heading), 0.0) for heading in others]
        solved = next((row for row in found.values() if row.size is not None), next(iter(found.values())))
        table.add_row(escape(graph), *about(solved), *cells)
    table.add_section()
    blank = [""] * (len(table.columns) - 1 - len(LAYOUTS) - len(others))
    means = (_shown(geometric_mean(speedups[layout])) for layout in LAYOUTS)
    table.add_row("geometric mean", *blank, *means, *("" for _ in others))
    notes = []
    if any(row.bound for row in rows):
        notes.append("TO: stopped at the timeout")
    if any(graph in by_graph for graph, _ in turned_away):
        notes.append("-: refused, since plain CSR looks at all arcs for each active vertex")
    table.caption = "; ".join(notes) or None
    return table


def milliseconds(row: Row) -> float:
    """What the paper's clock would show: the solve without conversion and result, where it is known."""
    return 1000 * row.parts.get("main", row.seconds)


def _cell(row: Row | None, best: float) -> str:
    if row is None:
        return ""
    if row.bound:
        return "TO"
    value = milliseconds(row)
    shown = f"{value:,.0f}" if value >= 1000 else f"{value:.2f}"
    return f"[bold]{shown}[/bold]" if value == best else shown


def _speedup(centric: Row | None, tlpns: Row | None) -> Ratio | None:
    """How many times faster TLPNS is; nothing where either did not run to its end."""
    if centric is None or tlpns is None or centric.bound or tlpns.bound:
        return None
    return Ratio(milliseconds(centric) / milliseconds(tlpns))


def _shown(ratio: Ratio | None) -> str:
    return "" if ratio is None else f"{ratio.value:.2f}x"
