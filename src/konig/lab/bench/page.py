"""The performance page: a table for each problem, written from the records that lie beside it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from konig.gpu.compile import headers_digest
from konig.io.files import whole_file
from konig.lab.bench import figures, records, relatives_race, relatives_report, report, wild, wild_report
from konig.lab.bench.problems import PROBLEMS
from konig.lab.bench.records import Run
from konig.lab.bench.tables import Table

INTRODUCTION = """\
Times are of the whole call for konig, and of the solve alone for other libraries, whose graphs were built
before the clock started.
In the first table of wild draws of flow PyMaxflow counts with its whole call, since a solve uses its graph
up; in the second with its solve alone.
Each is the median of some repeats, of wild draws the least.
Every answer was checked outside the clock, ours by its dual certificate.
A ratio above 1 says how many times faster konig is.
Wild draws are random instances of some fifty families of each problem, of a seed that was new then:
`konig bench wild` draws others every time.
Where, when and of what each table was made stands [at the end](#the-runs), with the records behind it:
`make performance` makes them and this page anew, and `make gpu-bench gpu-study` adds those of a machine with
an NVIDIA GPU.
"""


def write(folder: Path, page: Path) -> None:
    """Write the page of all benchmark files of a folder, with the pictures of the same names."""
    runs = {os.path.relpath(file, page.parent): run for file, run in read_all(folder).items()}
    with whole_file(page) as file:
        file.write("\n".join(_lines(runs, page)).encode() + b"\n")


def read_all(folder: Path) -> dict[Path, Run]:
    files = sorted(folder.glob("*.json"))
    if not files:
        raise ValueError(f"{folder}: no files of konig bench --json here")
    return {file: records.read(file) for file in files}


def _lines(runs: dict[str, Run], page: Path) -> Iterator[str]:
    yield "# Performance\n"
    yield INTRODUCTION
    runs = dict(sorted(runs.items(), key=lambda item: _place(item[1])))
    ran = {str(run.machine.get("device code")) for run in runs.values() if figures.on_gpu(run.records)}
    if older := sorted(ran - {headers_digest()}):
        yield f"Runs on a GPU are of device code {', '.join(older)}, which has changed since:"
        yield "today's times may differ."
    for path, run in runs.items():
        what = {wild.SUITE: "wild draws", relatives_race.SUITE: "functions around the three problems"}.get(
            run.suite, f"suite {run.suite}"
        )
        yield f"\n## {run.problem.capitalize()}: {what}"
        tables, wrong = _report(run)
        yield from (f"\n{table.markdown()}" for table in tables)
        if (page.parent / path).with_suffix(".png").exists():
            yield f"\n![{run.problem}, {what}]({Path(path).with_suffix('.png')})"
        if wrong:
            yield "\n" + "\n".join(f"- {line}" for line in wrong)
    yield "\n## The runs\n"
    yield _runs(runs)


def _place(run: Run) -> tuple[bool, int]:
    """What nobody could tune to comes first."""
    known = list(PROBLEMS)
    return run.suite != wild.SUITE, known.index(run.problem) if run.problem in known else len(known)


def _report(run: Run) -> tuple[list[Table], list[str]]:
    """The tables of a run, and a line for each answer that was wrong or missing."""
    if run.suite == wild.SUITE:
        settings = wild_report.settings_of(run)
        found, alone = wild_report.against_peers(run.records, run.problem)
        tables = wild_report.tables(found, settings, run.problem, alone)
        return list(tables), wild_report.failures(run.records, settings, run.problem)
    if run.suite == relatives_race.SUITE:
        shown = relatives_report.tables(run.records, run.settings["seed"])
        return list(shown), relatives_report.failures(run.records)
    compared = report.against_peers(figures.averaged(run.records))
    return [*compared, *report.of_papers(run.records)], report.failures(run.records)


def _runs(runs: dict[str, Run]) -> str:
    """Where and of what each run was made."""
    keys = ("processor", "cores", "load", "gpu", "python", "commit", "date")
    table = Table("Where and of what each was made", ["problem", "suite", *keys, "records"])
    for path, run in runs.items():
        code = run.machine.get("device code")
        told = f"{run.machine.get('gpu')}, device code {code}" if figures.on_gpu(run.records) else "not used"
        about = run.machine | {"gpu": told}
        cells = (str(about.get(key, "")) for key in keys)
        table.rows.append([run.problem, run.suite, *cells, f"[{Path(path).name}]({path})"])
    return table.markdown()
