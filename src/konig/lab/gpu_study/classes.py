"""The sections that go through the classes of graphs: at the papers' sizes, and at small ones."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import Any

from konig.lab.device_runs import Measured
from konig.lab.gpu_study import instances, pages
from konig.lab.gpu_study.pages import Page, Table
from konig.lab.gpu_study.study import Study
from konig.lab.suites import Instance

ON_GPU = ("auto", "apfb-gpubfs-wr-ct", "g-pr-shr")
GPU_SHARE = 0.55  # of the time; the rest is for the CPU
CPU_REPEATS = 2
SMALL_ENTRIES = (200_000, 1_000_000, 4_000_000)
FIRST_TABLE = [
    "graph", "rows", "entries", "start", "maximum", "auto: search", "call", "with copies", "dev.",
    "apfb-wr-ct", "g-pr-shr", "CPU, 1 thread", "CPU, all cores",
]  # fmt: skip
SECOND_TABLE = ["graph", "method", "start", "search", "dev.", "call", "with copies", "runs"]

Runs = dict[str, Measured]


def classes(study: Study) -> Iterator[Page]:
    """Table I of the push-relabel paper, with copies and deviations; a row as soon as it is there."""
    page = Page("classes", "Classes at the papers' sizes")
    chosen = instances.classes(study.scale)
    waiting, facts, runs = list(chosen), {}, {}
    gpu_ends = monotonic() + GPU_SHARE * study.left
    while waiting and (instance := study.workshop.next_ready(waiting, gpu_ends)):
        waiting.remove(instance)
        A = study.take(instance)
        if A is None:
            continue
        facts[instance.name] = [f"{A.shape[0]:,}", f"{A.nnz:,}"]
        limit = 2 * (gpu_ends - monotonic()) / (len(ON_GPU) * (len(waiting) + 1))
        runs[instance.name] = _on_gpu(study, instance, A, max(limit, 0.5))
        yield _filled(page, chosen, facts, runs)
    page.notes += [f"{instance.name}: not generated in time" for instance in waiting]
    # Those that take little go first: should time run out, it is the largest that miss a column.
    solved = [instance for instance in chosen if instance.name in runs]
    solved.sort(key=lambda instance: int(facts[instance.name][1].replace(",", "")))
    with study.undisturbed(page):
        for done, instance in enumerate(solved):
            _on_cores(study, instance, runs[instance.name], study.left / (len(solved) - done))
    yield _filled(page, chosen, facts, runs)


def _on_gpu(study: Study, instance: Instance, A: Any, limit: float) -> Runs:
    """Each method on device data, and as a call on host data."""
    there = study.on_device(A)
    found = {}
    for name in ON_GPU:
        found[name] = study.run(instance, there, study.on_gpu(name), limit)
        if found[name].search:
            found[f"{name} with copies"] = study.run(instance, A, study.on_gpu(name), limit)
    return found


def _on_cores(study: Study, instance: Instance, runs: Runs, limit: float) -> None:
    """``auto`` as a call on host data, within ``limit`` seconds for one thread and all cores together."""
    A = study.take(instance)
    ends = monotonic() + limit
    for title, threads, part in (("CPU, all cores", study.cores, 0.4), ("CPU, 1 thread", 1, 1.0)):
        how = study.on_cores("auto", threads)
        runs[title] = study.run(instance, A, how, part * (ends - monotonic()), CPU_REPEATS)


def _filled(page: Page, chosen: list[Instance], facts: dict[str, list[str]], runs: dict[str, Runs]) -> Page:
    first = Table(
        "Milliseconds, medians; one method's search unless it says otherwise", FIRST_TABLE, brief=True
    )
    second = Table("Every GPU method, milliseconds, medians", SECOND_TABLE)
    page.raw = []
    for instance in chosen:
        found = runs.get(instance.name)
        if found is None:
            continue
        auto, copies = found["auto"], found.get("auto with copies")
        sizes = [_count(found["apfb-gpubfs-wr-ct"].start_size), _count(auto.size)]
        times = [pages.search(auto), pages.call(auto), pages.call(copies), pages.percent(auto.deviation)]
        times += [pages.search(found[name]) for name in ON_GPU[1:]]
        times += [pages.call(found.get(title)) for title in ("CPU, 1 thread", "CPU, all cores")]
        first.rows.append([instance.name, *facts[instance.name], *sizes, *times])
        for name in ON_GPU:
            m = found[name]
            cells = [_count(m.start_size), pages.search(m), pages.percent(m.deviation), pages.call(m)]
            cells += [pages.call(found.get(f"{name} with copies")), str(len(m.search))]
            second.rows.append([instance.name, name, *cells])
        page.raw += [{"instance": instance.name, "run": run, **m.as_json()} for run, m in found.items()]
    page.tables = [first, second]
    return page


def _count(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"


def small(study: Study) -> Iterator[Page]:
    """From which size on a call on device data is faster than one thread of the CPU on host data.

    The device is left to `auto`, as it is for users.
    """
    page = Page("small", "Small graphs: auto on the GPU and on one thread of the CPU")
    header = ["class", *(f"{entries:,} entries" for entries in SMALL_ENTRIES)]
    table = Table(
        "Whole calls of auto: ms on the GPU / on the CPU = times faster on the GPU", header, brief=True
    )
    page.tables = [table]
    by_class = list(zip(*small_instances(study.scale), strict=True))
    slower: list[str] = []
    with study.undisturbed(page):
        for done, sizes in enumerate(by_class):
            limit = max(study.left / (2 * len(sizes) * (len(by_class) - done)), 0.25)
            mark = ", permuted" if sizes[0].params.get("permute") else ""
            cells = [_both(study, instance, limit, page, slower) for instance in sizes]
            table.rows.append([f"{sizes[0].family}{mark}", *cells])
            yield page
    page.notes.append(f"the GPU is slower on: {', '.join(slower) or 'none'}")
    yield page


def _both(study: Study, instance: Instance, limit: float, page: Page, slower: list[str]) -> str:
    """A cell: the call on device data and that of one thread on host data."""
    A = study.take(instance)
    if A is None:
        return "-"
    gpu = study.run(instance, study.on_device(A), study.on_gpu("auto"), limit)
    cpu = study.run(instance, A, study.on_cores("auto", 1), limit)
    about = {"instance": instance.name, "entries": int(A.nnz)}
    page.raw += [{**about, "on": on, **m.as_json()} for on, m in (("gpu", gpu), ("cpu", cpu))]
    times = cpu.call_ms / gpu.call_ms if cpu.call_ms and gpu.call_ms else None
    if times is not None and times < 1:
        slower.append(f"{instance.name} ({A.nnz:,} entries)")
    return f"{pages.call(gpu)} / {pages.call(cpu)} = {pages.number(times)}"


def small_instances(scale: int) -> list[list[Instance]]:
    """For each size the instances of every class; at scale 20 the sizes are those of the table's header."""
    return [instances.by_entries(max(64, int(entries * 2.0 ** (scale - 20)))) for entries in SMALL_ENTRIES]
