"""``konig bench``: methods and peers side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from konig.cli import options, screen
from konig.cli.refusal import REFUSED, CommandError, refusals
from konig.lab import contenders, figures, peers, profiles, record_files, report, runner, suites
from konig.lab.problems import PROBLEMS, Problem

app = typer.Typer(help="Time methods and peers side by side, every answer checked.", no_args_is_help=True)

Methods = Annotated[
    str | None,
    typer.Option(metavar="A,B,...", help="Methods, with settings as pr:relabel=2; or all, or paper."),
]
Peers = Annotated[bool, typer.Option("--peers/--no-peers", help="Time other libraries too, if installed.")]
Repeats = Annotated[int, typer.Option(min=1, help="Timed runs of each, of which the median counts.")]
Busy = Annotated[
    int,
    typer.Option(
        min=0,
        metavar="N",
        help="Keep N cores busy beside all of it, and set auto against itself on one thread.",
    ),
]
Timeout = Annotated[float, typer.Option(min=0.01, help="Seconds until a solve is stopped.")]
Data = Annotated[Path | None, typer.Option(metavar="DIR", help="Add every file of a folder.")]
Cache = Annotated[Path, typer.Option(metavar="DIR", help="Where instances are kept.")]
JsonFile = Annotated[
    Path | None,
    typer.Option("--json", metavar="FILE", help="Write all records; - is stdout, without tables."),
]
OldFile = Annotated[Path, typer.Argument(metavar="OLD", help="What konig bench --json wrote.")]
NewFile = Annotated[Path, typer.Argument(metavar="NEW", help="The same of another run.")]


def _command(problem: Problem, answers: str) -> Callable[..., None]:
    """The command that times a problem."""

    def command(
        suite: str = "tiny",
        methods: Methods = None,
        with_peers: Peers = False,
        permutations: int | None = None,
        repeats: Repeats = 3,
        timeout: Timeout = 60.0,
        busy: Busy = 0,
        device: options.Device = "auto",
        threads: options.Threads = None,
        data: Data = None,
        json: JsonFile = None,
        plot: options.Plot = None,
        cache: Cache = runner.Settings.cache,
    ) -> None:
        if permutations is not None and not problem.permuted:
            raise CommandError(
                f"--permutations is for matching: {problem.name} takes its instances as they come"
            )
        how = {"draws": permutations, "repeats": repeats, "timeout": timeout, "cache": cache, "busy": busy}
        _bench(problem, suite, data, methods, device, threads, with_peers, how, json, plot)

    suites = " ".join(f"{name}: {suite.summary}." for name, suite in problem.suites.items())
    command.__annotations__["suite"] = Annotated[str, typer.Option(help=suites)]
    command.__annotations__["permutations"] = Annotated[
        int | None,
        typer.Option(
            min=0,
            hidden=not problem.permuted,
            help="Random permutations of each kind; 0 for the natural order only.",
        ),
    ]
    command.__doc__ = f"Time {answers}: our whole call against the peers' solves, each in a child process."
    return command


def _bench(
    problem: Problem,
    suite: str,
    data: Path | None,
    methods: str | None,
    device: str,
    threads: int | None,
    with_peers: bool,
    how: dict[str, Any],
    json: Path | None,
    plot: Path | None,
) -> None:
    """Run a suite of a problem, show the tables, and refuse wrong answers."""
    if suite not in (*problem.suites, "none"):
        raise CommandError(f"suite {suite!r} is not one of {', '.join(problem.suites)}, none")
    to_stdout = json == Path("-")
    options.check_writable(None if to_stdout else json, (".json",), "--json")
    options.check_picture(plot)
    with refusals():
        chosen = problem.suites.get(suite, suites.NO_INSTANCES)
        methods = methods or (contenders.AGAINST_ONE_THREAD if how["busy"] else chosen.methods)
        running = contenders.parse_methods(methods, device, threads, problem.name)
        running += _peers(problem) if with_peers else ()
        instances = (*chosen.instances, *(problem.files(data) if data else ()))
        if not instances:
            raise CommandError("nothing to solve: --suite none needs --data DIR")
        draws = chosen.draws if how["draws"] is None else how["draws"]
        settings = runner.Settings(**(how | {"draws": draws}))
        keep = partial(record_files.document, settings=settings, suite=suite, problem=problem.name)
        records = _run(instances, running, settings, None if to_stdout else json, keep)
        if plot:
            profiles.draw(plot, figures.averaged(records))
    if to_stdout:
        screen.print_json(keep(records))
    else:
        _show(problem, records)
    _refuse_wrong_answers(records)


def _peers(problem: Problem) -> tuple[contenders.Contender, ...]:
    absent = peers.missing(problem.peers)
    for name, reason in absent.items():
        screen.warn(f"{name} is left out: {reason}")
    return contenders.peers(name for name in problem.peers if name not in absent)


for name, answers in (
    ("matching", "maximum matchings"),
    ("assignment", "linear assignments"),
    ("flow", "maximum flows"),
):
    app.command(name)(_command(PROBLEMS[name], answers))


@app.command()
def compare(old: OldFile, new: NewFile) -> None:
    """Set two benchmark files against each other."""
    with refusals():
        before, after = record_files.read(old), record_files.read(new)
    screen.console().print(report.compare(before, after))


def _run(
    instances: Sequence[suites.Instance],
    running: Sequence[contenders.Contender],
    settings: runner.Settings,
    file: Path | None,
    document: Callable[[Sequence[runner.Record]], dict[str, Any]],
) -> list[runner.Record]:
    """Run all of it; what is there goes to the file even when somebody interrupts."""
    records: list[runner.Record] = []
    try:
        with _bar() as show:
            for record in runner.run(instances, running, settings, show):
                records.append(record)
    finally:
        if file and records:
            record_files.write(file, document(records))
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


def _show(problem: Problem, records: Sequence[runner.Record]) -> None:
    out = screen.console()
    for table in problem.tables(records):
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
