"""Pictures of a benchmark: performance profile, slowest instances, division of time, and those of the papers.

With many contenders only the best methods are drawn, beside all peers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import geometric_mean
from typing import Any

import numpy as np

from konig.lab.bench import figures, report
from konig.lab.bench.records import Record
from konig.plot.files import new_figure, save_figure

MOST_METHODS = 8  # as many as there are colours that the eye tells apart
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f3c8d", "#8c8c00")
PEER_DASHES = ((6, 2), (2, 1.5), (6, 2, 1, 2), (1, 1), (8, 3), (4, 1, 1, 1, 1, 1), (3, 3))
# Inches that an entry of the legend takes: its line with the space around it, and each letter.
LEGEND_LINE, LEGEND_LETTER = 0.75, 0.09
PART_COLOURS = ("#8d99ae", "#edae49", "#00798c", "#d1495b", "#66a182")
Styles = Mapping[str, dict[str, Any]]
Panel = Callable[[Any], None]


def draw(path: Path, records: Sequence[Record], parts: tuple[str, ...]) -> None:
    """Draw every panel that the records can fill; ``parts`` are the timed parts of a call."""
    everything = figures.averaged(records)
    methods = figures.best_methods(everything, MOST_METHODS)
    peers = figures.solvers(everything, "peer")
    styles = line_styles(methods, peers)
    panels = _panels(records, everything, styles, parts)
    across = 2 if len(panels) == 4 else 3
    down = -(-len(panels) // across)
    width = 5.2 * across
    columns = max(1, int(width / (LEGEND_LINE + LEGEND_LETTER * max(map(len, styles), default=1))))
    figure = new_figure(path, (width, 4.4 * down + 0.25 * -(-len(styles) // columns) + 0.4))
    from matplotlib.lines import Line2D

    axes = list(np.ravel(figure.subplots(down, across, squeeze=False)))
    for panel in panels:
        panel(axes.pop(0))
    for unused in axes:
        unused.set_axis_off()
    if styles:
        handles = [Line2D([], [], **styles[name]) for name in styles]
        every = len(figures.solvers(everything, "method"))
        title = f"the best {len(methods)} of {every} methods" if every > len(methods) else None
        legend = {"loc": "outside lower center", "ncols": columns, "frameon": False}
        figure.legend(handles, list(styles), title=title, **legend)
    save_figure(figure, path, dpi=150)


def draw_ratios(path: Path, ratios: Sequence[float], title: str) -> None:
    """The distribution of how many times faster we are: the share of draws with at most each ratio."""
    ordered = np.sort(np.asarray(ratios, dtype=float))
    figure = new_figure(path, (7.0, 4.4))
    axes = figure.subplots()
    if len(ordered):
        axes.step(ordered, np.arange(1, len(ordered) + 1) / len(ordered), where="post", color=COLOURS[0])
        mean = float(np.exp(np.mean(np.log(ordered))))
        axes.axvline(mean, color=COLOURS[1], lw=1.2, label=f"geometric mean {report.number(mean)}")
        axes.legend(frameon=False, loc="lower right")
    axes.axvline(1.0, color="0.6", lw=0.8)
    axes.set(xscale="log", ylim=(0, 1.02), title=f"{len(ordered):,} wild draws of {title}")
    axes.set(xlabel="times faster than the best peer", ylabel="share of draws at or below")
    axes.grid(alpha=0.3)
    save_figure(figure, path, dpi=150)


def _panels(
    records: Sequence[Record], everything: Sequence[Record], styles: Styles, parts: tuple[str, ...]
) -> list[Panel]:
    rows = [row for row in everything if row.solver in styles]
    found: list[Panel] = [
        partial(_draw_profile, rows=everything, styles=styles),
        partial(_draw_slowest, rows=rows, styles=styles),
        partial(_draw_parts, rows=rows, parts=parts),
    ]
    if not figures.on_gpu(everything):
        return found
    of_methods = [row for row in everything if row.kind == "method"]
    gains = figures.speedups(of_methods, report.BASELINES, figures.by_search)
    if any(len(gain) for gain in gains.values()):
        found.append(partial(_draw_speedups, gains=gains, styles=styles))
    if variants := figures.by_strategy(everything):
        found.append(partial(_draw_relabelling, variants=variants))
    if levels := [r for r in records if r.draw == 0 and len(r.series.get("bfs_levels", ())) > 1]:
        found.append(partial(_draw_levels, records=_unlike(levels)))
    return found


def line_styles(methods: Sequence[str], peers: Sequence[str]) -> dict[str, dict[str, Any]]:
    """A colour for each method, and a dash in grey for each peer."""
    ours = {name: {"color": colour, "lw": 1.8} for name, colour in zip(methods, COLOURS, strict=False)}
    dashes = [PEER_DASHES[k % len(PEER_DASHES)] for k in range(len(peers))]
    return ours | {
        name: {"color": "0.35", "lw": 1.4, "dashes": dash} for name, dash in zip(peers, dashes, strict=True)
    }


def _draw_profile(axes: Any, rows: Sequence[Record], styles: Styles) -> None:
    """The fraction of instances on which a contender is within a factor of the best of all."""
    ratios = {name: found for name, found in figures.performance_ratios(rows).items() if name in styles}
    finite = np.concatenate([r[np.isfinite(r)] for r in ratios.values()] or [np.ones(1)])
    right = max(float(finite.max(initial=1.0)) * 1.2, 2.0)
    for name, sorted_ratios in ratios.items():
        steps = sorted_ratios[np.isfinite(sorted_ratios)]
        heights = np.arange(1, len(steps) + 1) / max(len(sorted_ratios), 1)
        x = np.concatenate(([1.0], steps, [right]))
        y = np.concatenate(([0.0], heights, [heights[-1] if len(heights) else 0.0]))
        axes.step(x, y, where="post", **styles[name])
    axes.set(xscale="log", xlim=(1, right), ylim=(0, 1.02), title="Performance profile")
    axes.set(xlabel="within this factor of the best", ylabel="fraction of instances")
    axes.grid(alpha=0.3)


def _draw_speedups(axes: Any, gains: Mapping[str, np.ndarray], styles: Styles) -> None:
    """The fraction of instances on which a contender is at least so many times faster than the baseline."""
    for name, sorted_gains in gains.items():
        if name in styles:
            steps = sorted_gains[sorted_gains > 0]
            heights = np.arange(1, len(steps) + 1) / max(len(sorted_gains), 1)
            axes.step(steps, heights, where="post", marker=".", **styles[name])
    axes.axvline(1.0, color="0.6", lw=0.8)
    axes.set_xscale("log", base=2)
    axes.set(ylim=(0, 1.02), title=f"Speed-up over the faster of {' and '.join(report.BASELINES)}")
    axes.set(xlabel="at least this many times faster", ylabel="fraction of instances")
    axes.grid(alpha=0.3)


def _draw_slowest(axes: Any, rows: Sequence[Record], styles: Styles) -> None:
    for name, worst in figures.slowest(rows).items():
        seconds = [row.time for row in reversed(worst)]
        axes.plot(range(1, len(seconds) + 1), seconds, marker=".", **styles[name])
    axes.set(yscale="log", title="The 50 slowest of each", ylabel="seconds")
    axes.set(xlabel="instances and orders, sorted for each")
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.grid(alpha=0.3)


def _draw_parts(axes: Any, rows: Sequence[Record], parts: tuple[str, ...]) -> None:
    """Figure 1a: average seconds of each part, stacked."""
    names = figures.solvers(rows, "method")
    found = {name: told for name in names if (told := figures.parts_of_time(rows, name, parts))}
    bottom = np.zeros(len(found))
    for part, shade in (*zip(parts, PART_COLOURS, strict=False), ("rest", "0.85")):
        milliseconds = np.array([1000 * told[part][0] for told in found.values()])
        axes.barh(list(found), milliseconds, left=bottom, color=shade, label=part)
        bottom += milliseconds
    axes.invert_yaxis()
    axes.tick_params(axis="y", labelsize=8)
    axes.locator_params(axis="x", nbins=5)
    axes.set(title="Where the time goes", xlabel="average, ms")
    _legend_below(axes, len(parts) + 1)


def _draw_relabelling(axes: Any, variants: Mapping[str, Mapping[str, Sequence[Record]]]) -> None:
    """For each strategy of global relabelling the mean of every variant; a lower bound as high as it is."""
    strategies = list(dict.fromkeys(strategy for found in variants.values() for strategy in found))
    width = 0.8 / len(variants)
    for place, (variant, found) in enumerate(variants.items()):
        left = [group + (place - (len(variants) - 1) / 2) * width for group in range(len(strategies))]
        means = {name: 1000 * geometric_mean(row.search for row in rows) for name, rows in found.items()}
        heights = [means.get(strategy, 0.0) for strategy in strategies]
        axes.bar(left, heights, width, label=variant, color=COLOURS[place])
    axes.set_xticks(range(len(strategies)), strategies, rotation=30, ha="right", fontsize=8)
    axes.set(title="Strategies of global relabelling", ylabel="solve, ms (geometric mean)")
    axes.grid(axis="y", alpha=0.3)
    axes.margins(y=0.25)  # room for the legend above the bars
    axes.legend(frameon=False, fontsize=8, ncols=len(variants), loc="upper center")


def _unlike(records: Sequence[Record]) -> list[Record]:
    """The first two methods on the graphs with the fewest and the most levels."""
    totals: dict[tuple[str, str], float] = {}
    for r in records:
        totals[r.case] = max(totals.get(r.case, 0.0), sum(r.series["bfs_levels"]))
    cases = sorted(totals, key=lambda case: totals[case])
    chosen = dict.fromkeys([cases[0], cases[-1]])
    methods = figures.solvers(records)
    methods = [name for name in methods if name.endswith("-wr-ct")] or methods
    return [r for r in records if r.case in chosen and r.solver in methods[:2]]


def _draw_levels(axes: Any, records: Sequence[Record]) -> None:
    """Figure 2 of the augmenting paths paper: BFS levels over the iterations."""
    for k, record in enumerate(records):
        counts = record.series["bfs_levels"]
        label = f"{record.solver} on {record.title}"
        axes.plot(range(1, len(counts) + 1), counts, marker=".", ms=4, lw=1, label=label, color=COLOURS[k])
    axes.set(title="BFS levels", xlabel="iteration", ylabel="levels", xscale="log", yscale="log")
    axes.grid(alpha=0.3)
    _legend_below(axes, 1)


def _legend_below(axes: Any, columns: int) -> None:
    below = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.14), "ncols": columns}
    axes.legend(frameon=False, fontsize=8, **below)
