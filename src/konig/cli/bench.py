"""``konig bench``: methods and peers side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict
from itertools import count
from json import dumps
from pathlib import Path
from secrets import randbelow
from typing import Annotated, Literal

import typer

from konig import progress, registry
from konig.cli import options, screen
from konig.cli.refusal import REFUSED, CommandError, refusals
from konig.lab.bench import (
    contenders,
    distributed,
    machine,
    page,
    records,
    relatives_race,
    relatives_report,
    report,
    runner,
    suites,
    wild_report,
)
from konig.lab.bench import wild as wild_bench
from konig.lab.bench.problems import PROBLEMS, Problem
from konig.lab.bench.records import Record, Run
from konig.lab.bench.relative import Relative
from konig.lab.bench.relatives import RELATIVES
from konig.lab.bench.tables import Table
from konig.lab.wild import FAMILIES
from konig.lab.wild.drawing import LEAST, MOST
from konig.plot.bench import draw, draw_ratios

STDOUT = Path("-")

Study = Annotated[
    Literal["weak", "strong"],
    typer.Option(help="weak: the problem grows with the ranks; strong: it does not."),
]

bench = typer.Typer(help="Time methods and peers side by side, every answer checked.", no_args_is_help=True)

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
Budget = Annotated[
    float | None, typer.Option(min=0, metavar="S", help="Seconds after which nothing more is begun.")
]
Scale = Annotated[
    int | None, typer.Option(metavar="N", help="Of suites for a GPU: 20 is the full size, less for a trial.")
]
Data = Annotated[Path | None, typer.Option(metavar="DIR", help="Add every file of a folder.")]
Cache = Annotated[Path, typer.Option(metavar="DIR", help="Where instances are kept.")]
JsonFile = Annotated[
    Path | None,
    typer.Option("--json", metavar="FILE", help="Write all records; - is stdout, without tables."),
]
OldFile = Annotated[Path, typer.Argument(metavar="OLD", help="What konig bench --json wrote.")]
NewFile = Annotated[Path, typer.Argument(metavar="NEW", help="The same of another run.")]
Records = Annotated[Path, typer.Argument(metavar="DIR", help="A folder of what konig bench --json wrote.")]
Pictures = Annotated[bool, typer.Option("--pictures", help="Draw one of each run beside its records.")]
Page = Annotated[Path, typer.Option("--out", metavar="FILE", help="The page, a .md file.")]


def _command(problem: Problem, answers: str) -> Callable[..., None]:

    def command(
        suite: str = "tiny",
        methods: Methods = None,
        with_peers: Peers = False,
        permutations: int | None = None,
        repeats: Repeats = 3,
        timeout: Timeout = 60.0,
        budget: Budget = None,
        scale: Scale = None,
        busy: Busy = 0,
        device: options.Device = "auto",
        threads: options.Threads = None,
        data: Data = None,
        json: JsonFile = None,
        plot: options.Plot = None,
        cache: Cache = runner.Settings.cache,
    ) -> None:
        if permutations is not None and not problem.permuted:
            reason = f"{problem.name} takes its instances as they come"
            raise CommandError(f"--permutations is for matching: {reason}")
        if suite not in (*problem.suites, "none"):
            raise CommandError(f"suite {suite!r} is not one of {', '.join(problem.suites)}, none")
        options.check_writable(None if json == STDOUT else json, (".json",), "--json")
        options.check_picture(plot)
        with refusals():
            chosen = problem.suites.get(suite, suites.NO_INSTANCES)
            named = methods or (contenders.AGAINST_ONE_THREAD if busy else chosen.methods)
            running = contenders.parse_methods(named, device, threads, problem.name, problem.paper)
            running += contenders.installed(problem.peers, screen.warn) if with_peers else ()
            instances = (*chosen.instances(scale), *(problem.files(data) if data else ()))
            if not instances:
                raise CommandError("nothing to solve: --suite none needs --data DIR")
            draws = chosen.draws if permutations is None else permutations
            settings = runner.Settings(draws, repeats, timeout, cache, busy, budget)
            about = {name: value for name, value in asdict(settings).items() if name != "cache"}
            run = Run(problem.name, suite, about | {"device": device}, machine.circumstances(), [])
            with _recorded(run, json) as show:
                run.records.extend(runner.run(instances, running, settings, show))
            if plot:
                draw(plot, run.records, problem.parts)
        if json == STDOUT:
            screen.print_json(run.document())
        else:
            _show(problem, run.records)
        wrong = report.failures([record for record in run.records if record.status == "wrong"])
        if wrong:
            raise CommandError(f"{len(wrong)} wrong answers, the first of them: {wrong[0]}", REFUSED)

    listed = f"{', '.join(problem.suites)} or none; konig bench suites tells what they are."
    command.__annotations__["suite"] = Annotated[str, typer.Option(help=listed)]
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


for name, answers in (
    ("matching", "maximum matchings"),
    ("assignment", "linear assignments"),
    ("flow", "maximum flows"),
):
    bench.command(name)(_command(PROBLEMS[name], answers))


@bench.command()
def wild(
    problem: Annotated[Literal["matching", "assignment", "flow"], typer.Argument(metavar="PROBLEM")],
    seed: Annotated[int | None, typer.Option(min=0, help="Of the draws; another one every time.")] = None,
    minutes: Annotated[float, typer.Option(min=0.01, help="After which no draw is begun.")] = 5.0,
    number: Annotated[
        list[int] | None, typer.Option("--draw", min=0, metavar="K", help="Only this draw; repeatable.")
    ] = None,
    entries: Annotated[
        str | None, typer.Option(metavar="LOW,HIGH", help="Sizes; to 10^7, less in less than ten minutes.")
    ] = None,
    family: Annotated[str, typer.Option(metavar="NAME", help="Of one family only.")] = "",
    methods: Annotated[
        str | None, typer.Option(metavar="A,B,...", help="Other methods of ours beside auto; or all.")
    ] = None,
    threads: Annotated[int, typer.Option(min=1, help="Of our call.")] = 1,
    device: Annotated[
        str, typer.Option(help="cpu, or cuda: draws on the GPU, against auto on all cores.")
    ] = "cpu",
    timeout: Annotated[float, typer.Option(min=0.01, help="Seconds until a peer is stopped.")] = 10.0,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where the file of --json ended.")] = False,
    json: JsonFile = None,
    plot: options.Plot = None,
) -> None:
    """Time auto against the best peer on random draws of many families: what nobody can tune to.

    Ours is the whole call on the caller's arrays, a peer's its solve with the graph built before. Of flow,
    PyMaxflow counts with its whole call, since a solve uses its graph up; a second table has the solves of
    all peers alone.
    """
    to_stdout = json == STDOUT
    if resume and (json is None or to_stdout):
        raise CommandError("--resume goes on with a file: --json FILE names it")
    options.check_writable(None if to_stdout else json, (".json",), "--json")
    options.check_picture(plot)
    with refusals():
        earlier = records.read(json) if resume and json is not None and json.exists() else None
        chosen = _wild_settings(seed, entries, minutes, family, device, timeout, earlier)
        run = earlier or Run(problem, wild_bench.SUITE, {}, machine.circumstances(), [])
        run.settings = asdict(chosen) | {"threads": threads}
        if run.problem != problem:
            raise CommandError(f"--resume {json}: holds draws of {run.problem}")
        if family:
            FAMILIES[problem].check(family)
        ours, peers = _wild_contenders(problem, methods, device, threads)
        if not to_stdout:
            screen.console().print(f"seed {chosen.seed}", highlight=False)
        begun: Iterable[int] = number or count(max((r.draw for r in run.records), default=-1) + 1)
        with _recorded(run, json) as show:
            for found in wild_bench.run(problem, ours, peers, chosen, begun, show):
                run.records.extend(found)
        if plot:
            _draw_wild(plot, run)
    if to_stdout:
        screen.print_json(run.document())
    else:
        _show_wild(problem, chosen, run.records)


def _wild_settings(
    seed: int | None,
    entries: str | None,
    minutes: float,
    family: str,
    device: str,
    timeout: float,
    earlier: Run | None,
) -> wild_bench.Settings:
    """As asked for; the seed and the sizes of a run that goes on stay."""
    before = earlier.settings if earlier else {}
    if entries is not None:
        parts = entries.split(",")
        sizes = tuple(map(_size, parts))
        if len(sizes) != 2 or not 1 <= sizes[0] <= sizes[1]:
            raise CommandError(f"--entries {entries}: must be two numbers, the smaller first")
    else:
        most = min(max(int(minutes * wild_bench.ENTRIES_OF_A_MINUTE), 10 * LEAST), MOST)
        sizes = tuple(before.get("entries", (LEAST, most)))
    chosen = before.get("seed", randbelow(10**6)) if seed is None else seed
    return wild_bench.Settings(chosen, (sizes[0], sizes[1]), minutes, family, device, timeout)


def _size(text: str) -> int:
    try:
        return round(float(text))
    except (ValueError, OverflowError):
        raise CommandError(f"--entries: {text!r} is no number") from None


def _wild_contenders(
    problem: str, methods: str | None, device: str, threads: int
) -> tuple[tuple[contenders.Contender, ...], tuple[contenders.Contender, ...]]:
    """Auto first of ours, then our other methods; and the peers."""
    on_device = registry.parse_device(device)[0] == "cuda"
    named = f"auto,{methods}" if methods else "auto"
    ours = contenders.parse_methods(named, device, None if on_device else threads, problem)
    if on_device:
        return ours, (wild_bench.host_auto(),)
    known = PROBLEMS[problem].peers
    compared = {name: known[name] for name in wild_bench.PEERS[problem]}
    return ours, contenders.installed(compared, screen.warn)


def _draw_wild(picture: Path, run: Run) -> None:
    found, _ = wild_report.against_peers(run.records, run.problem)
    ratios = [outcome.ratio.value for outcome in found]
    draw_ratios(picture, ratios, f"{run.problem}, seed {run.settings['seed']}")


def _show_wild(problem: str, settings: wild_bench.Settings, found: Sequence[Record]) -> None:
    out = screen.console()
    compared, alone = wild_report.against_peers(found, problem)
    for table in wild_report.tables(compared, settings, problem, alone):
        out.print(table.on_screen())
        out.print()
    for outcome in wild_report.worst_draws(compared):
        out.print(settings.command(problem, outcome.ours.draw), highlight=False, soft_wrap=True)
    for line in wild_report.left_out(found):
        out.print(line, style="yellow", markup=False, soft_wrap=True)
    wrong = wild_report.failures(found, settings, problem)
    for line in wrong:
        out.print(line, style="red", markup=False, soft_wrap=True)
    if wrong:
        raise CommandError(f"{len(wrong)} answers of ours wrong or missing, the first: {wrong[0]}", REFUSED)


@bench.command()
def relatives(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help=f"{', '.join(RELATIVES)}; all if none.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Of the draws; another one every time.")] = None,
    family: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Only this; repeatable.")] = None,
    size: Annotated[
        list[int] | None, typer.Option(min=1, metavar="N", help="Instead of the relative's; repeatable.")
    ] = None,
    draws: Annotated[int, typer.Option(min=1, help="Instances of each family and size.")] = 1,
    minutes: Annotated[float | None, typer.Option(min=0.01, help="After which no draw is begun.")] = None,
    timeout: Annotated[float, typer.Option(min=0.01, help="Seconds until a peer is stopped.")] = 10.0,
    json: JsonFile = None,
) -> None:
    """Time the functions around the three problems against the best peer, a line for each instance."""
    to_stdout = json == STDOUT
    options.check_writable(None if to_stdout else json, (".json",), "--json")
    chosen = _relatives(names, family)
    plan = relatives_race.Plan(
        randbelow(10**6) if seed is None else seed,
        tuple(family or ()),
        tuple(size or ()),
        draws,
        minutes,
        timeout,
    )
    run = Run(relatives_race.SUITE, relatives_race.SUITE, asdict(plan), machine.circumstances(), [])
    if not to_stdout:
        screen.console().print(f"seed {plan.seed}", highlight=False)
    with refusals(), _recorded(run, json) as show:
        racing = relatives_race.Bench(plan, show)
        for relative in chosen:
            peers = contenders.installed(relative.peers, screen.warn)
            for found in racing.run(relative, peers):
                run.records.extend(found)
    if to_stdout:
        screen.print_json(run.document())
    else:
        _show_relatives(run.records, plan.seed)
    wrong = relatives_report.failures(run.records)
    if wrong:
        raise CommandError(f"{len(wrong)} answers of ours wrong or missing, the first: {wrong[0]}", REFUSED)


def _relatives(names: Sequence[str] | None, families: Sequence[str] | None) -> list[Relative]:
    """Those asked for; a name that nothing has is an error."""
    unknown = [name for name in names or () if name not in RELATIVES]
    if unknown:
        raise CommandError(f"relative {unknown[0]!r} is not one of {', '.join(RELATIVES)}")
    chosen = [RELATIVES[name] for name in names or RELATIVES]
    known = {name for relative in chosen for name in relative.families.by_name}
    for family in families or ():
        if family not in known:
            raise CommandError(f"family {family!r} is not one of {', '.join(sorted(known))}")
    return chosen


def _show_relatives(found: Sequence[Record], seed: int) -> None:
    out = screen.console()
    for table in relatives_report.tables(found, seed):
        out.print(table.on_screen())
        out.print()
    for line in relatives_report.left_out(found):
        out.print(line, style="yellow", markup=False, soft_wrap=True)


@bench.command("distributed")
def scaling(
    study: Study = "weak",
    size: Annotated[int, typer.Option(min=1, metavar="N", help="Rows on one rank.")] = 10_000,
    ranks: Annotated[str, typer.Option(metavar="P,P,...", help="Numbers of ranks.")] = "1,2,4,8,16",
    methods: Annotated[str, typer.Option(metavar="A,B,...", help="Of konig.distributed.")] = "core",
    repeats: Repeats = 3,
    timeout: Timeout = 600.0,
    seed: Annotated[int, typer.Option(min=0, help="Of the costs.")] = 0,
    device: Annotated[str, typer.Option(metavar="cpu|cuda", help="Where ranks have their rows.")] = "cpu",
    json: JsonFile = None,
) -> None:
    """Time assignments over MPI ranks, stage by stage, beside Tables 4 and 5 of Date and Nagi."""
    with refusals():
        counts = [part.strip() for part in ranks.split(",")]
        if not all(part.isdecimal() and int(part) > 0 for part in counts):
            raise CommandError(f"--ranks {ranks}: must be numbers with commas between them")
        named = methods.split(",")
        if not set(named) <= set(distributed.METHODS):
            raise CommandError(f"--methods {methods}: must be of {', '.join(distributed.METHODS)}")
        numbers = sorted({int(part) for part in counts})
        if registry.parse_device(device)[0] == "auto":
            raise CommandError("--device auto: rows are made on the cpu or for cuda")
        tasks = distributed.tasks(study, named, size, numbers, seed=seed, repeats=repeats, device=device)
        results = []
        try:
            with _bar() as show:
                for measured in distributed.run(tasks, timeout):
                    results.append(measured)
                    if show:
                        show(len(results), len(tasks), f"{measured.task.method} on {measured.task.ranks}")
        except (OSError, RuntimeError) as problem:
            raise CommandError(f"mpirun: {problem}") from problem
        finally:
            lines = distributed.rows(study, results)
            if results and json != STDOUT:
                screen.console().print(distributed.table(study, lines).on_screen())
            if json:
                text = dumps({"study": study, "lines": [asdict(line) for line in lines]}, indent=1)
                print(text) if json == STDOUT else json.write_text(text + "\n")


@bench.command("suites")
def list_suites() -> None:
    """List the suites of every problem: what they are for, and how many instances they have."""
    table = Table("Suites", ["problem", "suite", "instances", "what it is for"])
    for name, problem in PROBLEMS.items():
        for suite, chosen in problem.suites.items():
            table.rows.append([name, suite, str(len(chosen.instances())), chosen.summary])
    screen.console().print(table.on_screen())


@bench.command()
def compare(old: OldFile, new: NewFile) -> None:
    """Set two benchmark files against each other."""
    with refusals():
        before, after = records.read(old), records.read(new)
    screen.console().print(report.compare(before.records, after.records).on_screen())


@bench.command("page")
def write_page(folder: Records, out: Page = Path("performance.md"), pictures: Pictures = False) -> None:
    """Write the performance page from the records of a folder."""
    options.check_writable(out, (".md",), "--out")
    with refusals():
        if pictures:
            for file, run in page.read_all(folder).items():
                picture = file.with_suffix(".png")
                if run.suite == wild_bench.SUITE:
                    _draw_wild(picture, run)
                elif run.suite != relatives_race.SUITE:
                    draw(picture, run.records, PROBLEMS[run.problem].parts)
        page.write(folder, out)


@contextmanager
def _recorded(run: Run, json: Path | None) -> Iterator[runner.Report | None]:
    """A bar while records are made; what is there goes to the file even after an interrupt."""
    try:
        with _bar() as show:
            yield show
    finally:
        if json and json != STDOUT and run.records:
            records.write(json, run)


def _bar() -> AbstractContextManager[runner.Report | None]:
    return progress.bar("", patience=0.0) if screen.is_terminal() else nullcontext()


def _show(problem: Problem, found: Sequence[Record]) -> None:
    out = screen.console()
    for table in report.tables(problem, found):
        out.print(table.on_screen())
        out.print()
    stopped = sum(record.status == "timeout" for record in found)
    proved = sum(record.status == "ok" for record in found)
    out.print(f"{proved:,} answers checked, {stopped:,} solves stopped at the timeout")
    for line in report.failures(found):
        out.print(line, style="red", markup=False)
