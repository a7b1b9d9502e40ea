"""Runs the sections of the study one after the other, each within its share of the budget."""

from __future__ import annotations

import argparse
import json
import tempfile
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from time import monotonic

import konig.lab.gpu_study
from konig.gpu.compile import headers_digest
from konig.lab import machine
from konig.lab.gpu_study import classes, instances, pictures, sections
from konig.lab.gpu_study.pages import Page
from konig.lab.gpu_study.study import Study
from konig.lab.gpu_study.workshop import Workshop
from konig.lab.suites import Instance
from konig.threads import available_cores

# In the order in which they run, with their parts of the budget; what one leaves goes to the next. The first
# need no free cores, so that large graphs can be generated beside them.
SECTIONS: dict[str, tuple[Callable[[Study], Iterator[Page]], float]] = {
    "variants": (sections.variants, 0.13),
    "relabelling": (sections.relabelling, 0.15),
    "levels": (sections.levels, 0.02),
    "classes": (classes.classes, 0.45),
    "profiles": (sections.profile, 0.15),
    "small": (classes.small, 0.10),
}
LAST_PROOFS = 0.04  # of the budget, for the proofs that are under way when the last section ends
MOST_SUMMARY = 7800  # characters


def needed(names: Sequence[str], scale: int) -> list[Instance]:
    """What has to be generated: the sets first, then whatever takes longest."""
    wanted: list[Instance] = []
    if {"variants", "profiles"} & set(names):
        wanted += [instance for chosen in sections.sets(scale).values() for instance in chosen]
    elif {"relabelling", "levels"} & set(names):
        wanted += instances.original_set(scale)
    if "classes" in names:
        slow = ("delaunay", "random_geometric", "triangulated_grid", "grid")
        wanted += sorted(
            instances.classes(scale), key=lambda i: (i.family not in slow, -i.params.get("n", 0))
        )
    if "small" in names:
        wanted += [instance for chosen in classes.small_instances(scale) for instance in chosen]
    return wanted


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="konig.lab.gpu_study", description=(konig.lab.gpu_study.__doc__ or "").splitlines()[0]
    )
    parser.add_argument("out", type=Path, help="folder for tables, figures and pictures")
    parser.add_argument("--device", default="cuda", help="cuda, cuda:N or cpu")
    parser.add_argument("--scale", type=int, default=20, help="20 for the papers' sizes, less for a trial")
    parser.add_argument("--threads", type=int, default=available_cores(), help="all cores by default")
    parser.add_argument("--repeats", type=int, default=5, help="the median of so many runs")
    parser.add_argument("--budget", type=float, default=300.0, help="seconds for everything")
    parser.add_argument("--sections", default=",".join(SECTIONS), help="names, separated by commas")
    parser.add_argument("--cache", type=Path, help="keep the generated graphs in this folder")
    parser.add_argument(
        "--draw", action="store_true", help="only draw the pictures of the study that is in OUT"
    )
    given = parser.parse_args(arguments)
    names = [name for name in SECTIONS if name in given.sections.split(",")]
    unknown = set(given.sections.split(",")) - set(SECTIONS)
    if unknown:
        parser.error(f"--sections: unknown {', '.join(sorted(unknown))}; there are {', '.join(SECTIONS)}")
    if given.scale < 6:
        parser.error(f"--scale must be at least 6, not {given.scale}")
    if given.draw:
        for name in names:
            if (given.out / f"{name}.json").exists():
                pictures.draw(given.out, name)
        return 0
    given.out.mkdir(parents=True, exist_ok=True)
    ends = monotonic() + given.budget
    with ExitStack() as stack:
        folder = given.cache or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="konig-study-")))
        workshop = Workshop(folder, max(1, available_cores() - 2))
        stack.callback(workshop.close)
        workshop.order(needed(names, given.scale))
        study = Study(given.out, given.device, given.scale, given.repeats, given.threads, workshop)
        found = _run(study, names, ends, LAST_PROOFS * given.budget)
        proved, unproved = workshop.proofs(ends)
    facts = {**machine.facts(), "headers": headers_digest(), "device": given.device, "scale": given.scale}
    facts |= {"proved": proved, "not proved": unproved, "failures": study.failures}
    (given.out / "facts.json").write_text(json.dumps(facts, indent=1), encoding="utf-8")
    print(_summary(found, facts))
    return 1 if unproved else 0


def _run(study: Study, names: Sequence[str], ends: float, last_proofs: float) -> list[Page]:
    found: list[Page] = []
    for place, name in enumerate(names):
        section, part = SECTIONS[name]
        parts_left = sum(SECTIONS[later][1] for later in names[place:])
        began = monotonic()
        study.ends = began + (ends - last_proofs - began) * part / parts_left
        try:
            for page in section(study):
                page.write(study.out)
                if page not in found:
                    found.append(page)
            _draw(study.out, name)
        except Exception as problem:  # the other sections, and what is written of this one, stand
            study.failures.append(f"section {name}: {type(problem).__name__}: {problem}")
            traceback.print_exc()
        print(f"{name}: {monotonic() - began:.1f} s", flush=True)
    return found


def _draw(folder: Path, name: str) -> None:
    try:
        pictures.draw(folder, name)
    except ImportError as missing:
        print(f"{name}: {missing}; --draw draws it later")


def _summary(found: Sequence[Page], facts: dict[str, object]) -> str:
    """The essential tables, short enough for the end of a log."""
    parts = [f"gpu {facts['gpu']}, headers {facts['headers']}, {facts['proved']} answers proved"]
    for heading in ("not proved", "failures"):
        problems = facts[heading]
        assert isinstance(problems, list)
        if problems:
            parts.append(f"{heading}: {len(problems)}: {'; '.join(problems)[:600]}")
    parts += [f"== {page.title}\n{page.brief()}" for page in found]
    return "\n".join(parts)[:MOST_SUMMARY]


if __name__ == "__main__":
    raise SystemExit(main())
