"""The tables of the bench of relatives: a line for each instance, and how many times faster we are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from konig.lab.bench import wild_report
from konig.lab.bench.records import Record
from konig.lab.bench.report import number, seconds, shown
from konig.lab.bench.tables import Best, Table

ENDED = wild_report.ENDED


def tables(records: Sequence[Record], seed: int) -> Iterator[Table]:
    """Each relative by its instances, then all of them in a table."""
    names = list(dict.fromkeys(relative_of(record) for record in records))
    for name in names:
        yield _instances(name, [record for record in records if relative_of(record) == name])
    if (summed_up := _summary(records, names, seed)).rows:
        yield summed_up


def relative_of(record: Record) -> str:
    return record.instance.partition(":")[0]


def name_of(record: Record) -> str:
    """An instance without the name of its relative."""
    return record.instance.partition(": ")[2]


def _instances(name: str, records: Sequence[Record]) -> Table:
    heads = ["instance", "rows", "columns", "entries", "ours\nms", "best peer", "ms", "ratio", "made of"]
    table = Table(f"{name}: milliseconds of ours and of the best peer", heads)
    compared = {outcome.ours.instance: outcome for outcome in wild_report.outcomes(records)}
    for ours in (record for record in records if record.kind == "method"):
        made_of = (part for part in ours.told.split(" ") if not part.startswith("entries="))
        extent = (f"{n:,}" for n in (ours.rows, ours.cols, ours.nonzeros))
        took = seconds(ours, 1000.0) if ours.seconds else ours.status
        against = ["", "", ""]
        if ours.instance in compared:
            outcome = compared[ours.instance]
            against = [outcome.peer.solver, seconds(outcome.peer, 1000.0), Best(shown(outcome.ratio))]
        table.rows.append([name_of(ours), *extent, took, *against, " ".join(made_of)])
    return table.without_empty_columns()


def _summary(records: Sequence[Record], names: Sequence[str], seed: int) -> Table:
    heads = ["relative", "instances", "geometric\nmean", "worst", "a peer is\nfaster on"]
    table = Table(f"Relatives, seed {seed}: how many times faster than the best peer", heads)
    for name in names:
        found = wild_report.outcomes(record for record in records if relative_of(record) == name)
        if found:
            s = wild_report.summary(found)
            cells = [f"{s.draws}", shown(s.geometric_mean), number(s.worst), f"{round(s.slower * s.draws)}"]
            table.rows.append([name, *cells])
            if any(outcome.ratio.bound == ">" for outcome in found):
                table.note = "> some peers were stopped and count with the seconds that they had taken"
    return table


def failures(records: Sequence[Record]) -> list[str]:
    """A line for each answer of ours that was wrong or missing."""
    return [
        f"{record.instance}: {record.status}: {record.message}"
        for record in records
        if record.kind == "method" and record.status not in ENDED
    ]


def left_out(records: Sequence[Record]) -> list[str]:
    """A line for each peer that failed on some instances of a relative, which count without it."""
    groups: dict[tuple[str, str, str], list[Record]] = {}
    for record in records:
        if record.kind == "peer" and record.status not in ENDED:
            groups.setdefault((relative_of(record), record.solver, record.status), []).append(record)
    return [
        f"{solver}: {status} on {len(some)} instances, the first is {some[0].instance}: {some[0].message}"
        for (_, solver, status), some in groups.items()
    ]
