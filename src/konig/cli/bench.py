"""``konig bench``: methods and peers side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from konig.cli import options, screen
from konig.cli.refusal import REFUSED, CommandError, refusals
from konig.lab import contenders, figures, peers, profiles, record_files, report, runner, suites

app = typer.Typer(help="Time methods and peers side by side, every answer checked.", no_args_is_help=True)

SuiteName = Annotated[
    str, typer.Option(help=" ".join(f"{n}: {s.summary}." for n, s in suites.SUITES.items()))
]
Methods = Annotated[
    str | None,
    typer.Option(metavar="A,B,...", help="Methods, with settings as pr:relabel=2; or all, or paper."),
]
Peers = Annotated[bool, typer.Option("--peers/--no-peers", help="Time SciPy, igraph and NetworkX too.")]
Permutations = Annotated[
    int | None, typer.Option(min=0, help="Random permutations of each kind; 0 for the natural order only.")
]
JsonFile = Annotated[
    Path | None,
    typer.Option("--json", metavar="FILE", help="Write all records; - is stdout, without tables."),
]
BenchFile = Annotated[Path, typer.Argument(help="What konig bench matching --json wrote.")]


@app.command()
def matching(
    suite: SuiteName = "tiny",
    methods: Methods = None,
    with_peers: Peers = False,
    permutations: Permutations = None,
    repeats: Annotated[int, typer.Option(min=1, help="Timed runs of each, of which the median counts.")] = 3,
    timeout: Annotated[float, typer.Option(min=0.01, help="Seconds until a solve is stopped.")] = 60.0,
    device: options.Device = "auto",
    threads: options.Threads = None,
    data: Annotated[Path | None, typer.Option(metavar="DIR", help="Add every .mtx file of a folder.")] = None,
    json: JsonFile = None,
    plot: options.Plot = None,
    cache: Annotated[
        Path, typer.Option(metavar="DIR", help="Where instances are kept.")
    ] = runner.Settings.cache,
) -> None:
    """Time maximum matchings: our whole call against the peers' solves, each in a child process."""
    if suite not in (*suites.SUITES, "none"):
        raise CommandError(f"suite {suite!r} is not one of {', '.join(suites.SUITES)}, none")
    to_stdout = json == Path("-")
    options.check_writable(None if to_stdout else json, (".json",), "--json")
    options.check_writable(plot, options.PICTURES, "--plot")
    with refusals():
        chosen = suites.SUITES.get(suite, suites.NO_INSTANCES)
        running = contenders.parse_methods(methods or chosen.methods, device, threads)
        running += contenders.peers(peers.available()) if with_peers else ()
        instances = (*chosen.instances, *(suites.files(data) if data else ()))
        if not instances:
            raise CommandError("nothing to solve: --suite none needs --data DIR")
        draws = chosen.draws if permutations is None else permutations
        settings = runner.Settings(draws, repeats, timeout, cache)
        records = _run(instances, running, settings, None if to_stdout else json, suite)
        if plot:
            profiles.draw(plot, figures.averaged(records))
    if to_stdout:
        screen.print_json(record_files.document(records, settings, suite))
    else:
        _show(records)
    _refuse_wrong_answers(records)


@app.command()
def compare(old: BenchFile, new: BenchFile) -> None:
    """Set two benchmark files against each other."""
    with refusals():
        before, after = record_files.read(old), record_files.read(new)
    screen.console().print(report.compare(before, after))


def _run(
    instances: Sequence[suites.Instance],
    running: Sequence[contenders.Contender],
    settings: runner.Settings,
    file: Path | None,
    suite: str,
) -> list[runner.Record]:
    """Run all of it; what is there goes to the file even when somebody interrupts."""
    records: list[runner.Record] = []
    try:
        with _bar() as show:
            for record in runner.run(instances, running, settings, show):
                records.append(record)
    finally:
        if file and records:
            record_files.write(file, records, settings, suite)
    return records


@contextmanager
def _bar() -> Iterator[runner.Report | None]:
    if not screen.is_terminal():
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total, where: bar.update(
            task, completed=done, total=total, description=escape(where)
        )


def _show(records: Sequence[runner.Record]) -> None:
    out = screen.console()
    for table in report.tables(records):
        out.print(table)
        out.print()
    stopped = sum(record.status == "timeout" for record in records)
    proved = sum(record.status == "ok" for record in records)
    out.print(f"{proved:,} answers checked, {stopped:,} solves stopped at the timeout")
    for line in report.failures(records):
        out.print(line, style="red", markup=False)


def _refuse_wrong_answers(records: Sequence[runner.Record]) -> None:
    wrong = report.failures([record for record in records if record.status == "wrong"])
    if wrong:
        raise CommandError(f"{len(wrong)} wrong answers, the first of them: {wrong[0]}", REFUSED)
