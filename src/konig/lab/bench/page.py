"""The performance page: a table for each problem, written from the records that lie beside it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from konig.io.files import whole_file
from konig.lab.bench import figures, records, report
from konig.lab.bench.problems import PROBLEMS
from konig.lab.bench.records import Run

INTRODUCTION = """\
Times are of the whole call for konig, and of the solve alone for other libraries, whose graphs were built
before the clock started.
Each is the median of some repeats.
Every answer was checked outside the clock, ours by its dual certificate.
A ratio above 1 says how many times faster konig is.
The records behind the tables are the files named below: `make performance` makes them and this page anew, and
`make gpu-bench gpu-study` adds those of a machine with an NVIDIA GPU.
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
    yield _runs(runs)
    for name in PROBLEMS:
        for path, run in ((path, run) for path, run in runs.items() if run.problem == name):
            yield f"\n## {name.capitalize()}: suite {run.suite}"
            rows = figures.averaged(run.records)
            for table in (*report.against_peers(rows), *report.of_papers(run.records)):
                yield f"\n{table.markdown()}"
            if (page.parent / path).with_suffix(".png").exists():
                yield f"\n![{name}, suite {run.suite}]({Path(path).with_suffix('.png')})"
            if wrong := report.failures(run.records):
                yield "\n" + "\n".join(f"- {line}" for line in wrong)


def _runs(runs: dict[str, Run]) -> str:
    """Where and of what each run was made."""
    keys = ("processor", "cores", "load", "gpu", "python", "commit", "date")
    table = report.Table("The runs", ["problem", "suite", *keys, "records"])
    for path, run in runs.items():
        code = run.machine.get("device code")
        told = f"{run.machine.get('gpu')}, device code {code}" if figures.on_gpu(run.records) else "not used"
        about = run.machine | {"gpu": told}
        cells = (str(about.get(key, "")) for key in keys)
        table.rows.append([run.problem, run.suite, *cells, f"[{Path(path).name}]({path})"])
    return table.markdown()
