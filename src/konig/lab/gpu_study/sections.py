"""The sections that look at one set of about 2**18 rows a graph: variants, relabelling, levels, profiles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from time import monotonic
from typing import Any

from konig.lab import profiles
from konig.lab.device_runs import Measured
from konig.lab.figures import Row
from konig.lab.gpu_study import instances, pages
from konig.lab.gpu_study.pages import Page, Table
from konig.lab.gpu_study.study import Study
from konig.lab.suites import Instance

VARIANTS = tuple(
    f"{search}-{kernel}-{width}"
    for search in ("apfb", "apsb")
    for kernel in ("gpubfs", "gpubfs-wr")
    for width in ("mt", "ct")
)
PUSH_RELABEL = ("g-pr-first", "g-pr-noshr", "g-pr-shr")
STRATEGIES = (
    *(("adaptive", k) for k in (0.3, 0.7, 1.0, 1.5, 2.0)),
    *(("fix", k) for k in (10.0, 50.0)),
)
SEQUENTIAL = ("pfp", "hkdw")
MULTICORE = ("p-dbfs", "p-pfp", "p-hk")
ON_GPU = ("auto", "apfb-gpubfs-wr-ct", "apfb-gpubfs-wr-mt", "g-pr-shr")


def sets(scale: int) -> dict[str, list[Instance]]:
    """The original set and the permuted one (O and RCP in the paper)."""
    original = instances.original_set(scale)
    return {"original": original, "permuted": [instances.permuted(instance) for instance in original]}


Found = dict[str, dict[str, Measured]]  # by contender and instance


def _grid(study: Study, chosen: Sequence[Instance], options: Mapping[str, Any], share: float = 1.0) -> Found:
    """Every contender on every instance, within a share of the time that the section has left."""
    found: Found = {title: {} for title in options}
    ends = monotonic() + share * study.left
    for done, instance in enumerate(chosen):
        A = study.take(instance)
        if A is None:
            continue
        there = study.on_device(A)
        for tried, (title, how) in enumerate(options.items()):
            runs_left = (len(chosen) - done) * len(options) - tried
            # Most runs take far less than an equal part, so a slow one may have several.
            limit = max(6 * (ends - monotonic()) / runs_left, 0.25)
            found[title][instance.name] = study.run(instance, there, how, limit)
    return found


def _means(found: Found, chosen: Sequence[Instance]) -> tuple[dict[str, str], int]:
    """Geometric means over the instances that every contender tried, and how many these are.

    A search that was cut counts with its limit, and the mean is marked as a lower bound.
    """
    tried = [
        instance.name
        for instance in chosen
        if all(_at_least(by_name.get(instance.name)) for by_name in found.values())
    ]
    means = {}
    for title, by_name in found.items():
        mark = "" if all(by_name[name].search for name in tried) else "> "
        mean = pages.geometric_mean(_at_least(by_name[name]) for name in tried)
        means[title] = f"{mark}{pages.number(mean)}"
    return means, len(tried)


def _at_least(measured: Measured | None) -> float:
    """Milliseconds of the search, or those after which it was cut; 0 where nothing is known."""
    if measured is None or measured.status not in ("", pages.CUT):
        return 0.0
    return measured.search_ms or measured.limit


def _cut_note(found: Found) -> list[str]:
    cut = [
        f"{title} on {name} after {pages.number(measured.limit)} ms"
        for title, by_name in found.items()
        for name, measured in by_name.items()
        if not measured.search
    ]
    return [f"cut: {'; '.join(cut)}"] if cut else []


def _raw(found: Found) -> list[dict[str, Any]]:
    return [
        {"contender": title, "instance": name, **measured.as_json()}
        for title, by_name in found.items()
        for name, measured in by_name.items()
    ]


def variants(study: Study) -> Iterator[Page]:
    """Table 1 of the augmenting paths paper: eight variants on both sets."""
    page = Page("variants", "Eight variants on the original and the permuted set")
    means = Table("Geometric means of the search, ms", ["set", "graphs", *VARIANTS], brief=True)
    single = Table("Search of every graph, ms", ["graph", *VARIANTS])
    page.tables = [means, single]
    options = {name: study.on_gpu(name) for name in VARIANTS}
    for number, (title, chosen) in enumerate(sets(study.scale).items()):
        found = _grid(study, chosen, options, (0.5, 1.0)[number])
        by_variant, graphs = _means(found, chosen)
        means.rows.append([title, str(graphs), *(by_variant[name] for name in VARIANTS)])
        single.rows += [
            [instance.name, *(pages.search(found[name].get(instance.name)) for name in VARIANTS)]
            for instance in chosen
        ]
        page.raw += _raw(found)
        page.notes += _cut_note(found)
        yield page


def relabelling(study: Study) -> Iterator[Page]:
    """Figure 1 of the push-relabel paper: variants x strategies of relabelling, on the original set."""
    page = Page("relabelling", "Push-relabel variants and strategies of global relabelling")
    chosen = instances.original_set(study.scale)
    titles = {(strategy, k): f"{strategy}, {k:g}" for strategy, k in STRATEGIES}
    options = {
        f"{name} ({titles[strategy, k]})": study.on_gpu(name, relabel=strategy, k=k)
        for strategy, k in STRATEGIES
        for name in PUSH_RELABEL
    }
    found = _grid(study, chosen, options)
    means, graphs = _means(found, chosen)
    heights = {name: [means[f"{name} ({title})"] for title in titles.values()] for name in PUSH_RELABEL}
    rows = [[name, *by_strategy] for name, by_strategy in heights.items()]
    caption = f"Geometric means of the search over {graphs} graphs, ms"
    page.tables = [Table(caption, ["variant", *titles.values()], rows, brief=True)]
    single = [[title, *(pages.search(found[title].get(i.name)) for i in chosen)] for title in options]
    page.tables.append(Table("Search of every graph, ms", ["", *(i.name for i in chosen)], single))
    page.raw, page.notes = _raw(found), _cut_note(found)
    page.picture = {"strategies": list(titles.values()), "means": heights}
    yield page


def levels(study: Study) -> Iterator[Page]:
    """Figure 2 of the augmenting paths paper: BFS levels of each iteration on two unlike graphs."""
    page = Page("levels", "BFS levels per iteration")
    original = instances.original_set(study.scale)
    chosen = [next(i for i in original if i.family == family) for family in ("sprand", "delaunay")]
    options = {name: study.on_gpu(name) for name in ("apfb-gpubfs-wr-ct", "apsb-gpubfs-wr-ct")}
    found = _grid(study, chosen, options)
    drawn = {
        i.name: {name: found[name][i.name].levels for name in options if i.name in found[name]}
        for i in chosen
    }
    rows = [
        [graph, name, str(len(counts)), str(sum(counts)), str(max(counts, default=0))]
        for graph, by_name in drawn.items()
        for name, counts in by_name.items()
    ]
    header = ["graph", "variant", "searches", "levels", "most in one"]
    page.tables = [Table("Searches and their levels", header, rows, brief=True)]
    page.raw, page.notes = _raw(found), _cut_note(found)
    page.picture = drawn
    yield page


def profile(study: Study) -> Iterator[Page]:
    """Figures 3 and 4: speed-ups over the best sequential method, and performance profiles, on both sets."""
    page = Page("profiles", "Performance profiles and speed-up profiles")
    header = ["set", "method", "best on", "within 2x", "faster on", "least", "median", "most", "geo. mean"]
    table = Table("Search against all, and speed-ups over the faster of pfp and hkdw", header, brief=True)
    page.tables, page.picture = [table], {"baselines": SEQUENTIAL, "sets": {}}
    common = {"init": "sgm"}  # as the papers: all begin with the cheap matching, which is not timed
    options = {name: study.on_gpu(name) for name in ON_GPU}
    on_cores = {name: study.on_cores(name, 1, **common) for name in SEQUENTIAL}
    on_cores |= {name: study.on_cores(name, study.cores, **common) for name in MULTICORE}
    at_home = replace(study, device="cpu")
    for number, (title, chosen) in enumerate(sets(study.scale).items()):
        found = _grid(study, chosen, options, (0.2, 0.4)[number])
        with at_home.undisturbed(page):
            found |= _grid(at_home, chosen, on_cores, (0.5, 1.0)[number])
        rows = [
            Row(name, title, solver, "method", (m.search_ms or 0.0) / 1000, "" if m.search else ">")
            for solver, by_name in found.items()
            for name, m in by_name.items()
        ]
        gains = profiles.speedups(rows, SEQUENTIAL)
        ratios = profiles.performance_ratios(rows)
        for solver, gain in gains.items():
            positive = gain[gain > 0]
            table.rows.append(
                [
                    title,
                    solver,
                    pages.percent(profiles.fraction_within(ratios[solver], 1.0)),
                    pages.percent(profiles.fraction_within(ratios[solver], 2.0)),
                    pages.percent(float((gain > 1).mean()) if len(gain) else None),
                    *(pages.number(f) for f in _spread(gain)),
                    pages.number(pages.geometric_mean(positive) if len(positive) == len(gain) else None),
                ]
            )
        page.raw += _raw(found)
        page.picture["sets"][f"{title} set"] = [(r.instance, r.solver, r.seconds, r.bound) for r in rows]
        yield page


def _spread(gain: Any) -> list[float | None]:
    return [float(gain[-1]), float(gain[len(gain) // 2]), float(gain[0])] if len(gain) else [None] * 3
