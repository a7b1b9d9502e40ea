"""Performance profiles and the other pictures of a benchmark.

E. D. Dolan and J. J. Moré: Benchmarking optimization software with performance profiles, Mathematical
Programming 91, 2002.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from konig.lab.figures import Row, parts_of_time, slowest, solvers
from konig.plot import new_figure, save_figure

LINES = ("-", "--", "-.", ":")
PART_COLOURS = {"rest": "0.85", "transpose": "0.6", "start": "#edae49", "main": "#00798c"}


def performance_ratios(rows: Sequence[Row]) -> dict[str, np.ndarray]:
    """For each contender its seconds over the best's, sorted; infinite where it was stopped or did not run.

    Only instances that somebody finished count.

    Examples
    --------
    >>> from konig.lab.figures import Row
    >>> from konig.lab.profiles import performance_ratios
    >>> rows = [Row("a", "none", "x", "method", 1.0), Row("a", "none", "y", "method", 3.0)]
    >>> {solver: r.tolist() for solver, r in performance_ratios(rows).items()}
    {'x': [1.0], 'y': [3.0]}
    """
    finished = {(row.problem, row.solver): row.seconds for row in rows if not row.bound}
    problems = list(dict.fromkeys(problem for problem, _ in finished))
    names = solvers(rows)
    seconds = np.array([[finished.get((problem, name), np.inf) for name in names] for problem in problems])
    ratios = seconds / seconds.min(axis=1, keepdims=True) if problems else np.zeros((0, len(names)))
    return {name: np.sort(ratios[:, column]) for column, name in enumerate(names)}


def fraction_within(ratios: np.ndarray, factor: float) -> float:
    """The profile's value: on which fraction of the instances a contender is within a factor of the best."""
    return float(np.mean(ratios <= factor)) if len(ratios) else 0.0


def speedups(rows: Sequence[Row], baselines: Sequence[str]) -> dict[str, np.ndarray]:
    """For each other contender the seconds of the fastest baseline over its own, sorted, the largest first.

    Zero where a contender was stopped or did not run. Only instances that a baseline finished count.

    Examples
    --------
    >>> from konig.lab.figures import Row
    >>> from konig.lab.profiles import speedups
    >>> rows = [Row("a", "none", name, "method", s) for name, s in (("pfp", 3.0), ("hk", 2.0), ("x", 0.5))]
    >>> {solver: r.tolist() for solver, r in speedups(rows, ["pfp", "hk"]).items()}
    {'x': [4.0]}
    """
    finished = {(row.problem, row.solver): row.seconds for row in rows if not row.bound}
    base: dict[tuple[str, str], float] = {}
    for (problem, name), seconds in finished.items():
        if name in baselines:
            base[problem] = min(seconds, base.get(problem, np.inf))
    return {
        name: -np.sort([-best / finished.get((problem, name), np.inf) for problem, best in base.items()])
        for name in solvers(rows)
        if name not in baselines
    }


def line_styles(names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """A colour and a dash for each contender."""
    from matplotlib import colormaps

    return {
        name: {"color": colormaps["tab10"](i % 10), "ls": LINES[i // 10 % len(LINES)], "lw": 1.8}
        for i, name in enumerate(names)
    }


def draw(path: Path, rows: Sequence[Row]) -> None:
    """Draw the profile, the slowest instances and the division of time into one file."""
    names = solvers(rows)
    height = 4.6 + 0.12 * max(0, len(names) - 12)
    figure = new_figure(path, (16, height))
    from matplotlib.lines import Line2D

    styles = line_styles(names)
    axes = figure.subplots(1, 3)
    draw_profile(axes[0], rows, styles)
    _draw_slowest(axes[1], rows, styles)
    _draw_parts(axes[2], rows)
    handles = [Line2D([], [], **styles[name]) for name in names]
    figure.legend(handles, names, loc="outside right upper", frameon=False)
    save_figure(figure, path, dpi=150)


def draw_profile(axes: Any, rows: Sequence[Row], styles: dict[str, dict[str, Any]]) -> None:
    """The fraction of instances on which a contender is within a factor of the best."""
    ratios = performance_ratios(rows)
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


def draw_speedups(axes: Any, gains: Mapping[str, np.ndarray], styles: Mapping[str, dict[str, Any]]) -> None:
    """The fraction of instances on which a contender is at least so many times faster than the baseline."""
    for name, sorted_gains in gains.items():
        steps = sorted_gains[sorted_gains > 0]
        heights = np.arange(1, len(steps) + 1) / max(len(sorted_gains), 1)
        axes.step(steps, heights, where="post", marker=".", **styles[name])
    axes.axvline(1.0, color="0.6", lw=0.8)
    axes.set_xscale("log", base=2)
    axes.set(ylim=(0, 1.02), title="Speed-up profile")
    axes.set(xlabel="at least this many times faster", ylabel="fraction of instances")
    axes.grid(alpha=0.3)


def _draw_slowest(axes: Any, rows: Sequence[Row], styles: dict[str, dict[str, Any]]) -> None:
    for name, worst in slowest(rows).items():
        seconds = [row.seconds for row in reversed(worst)]
        axes.plot(range(1, len(seconds) + 1), seconds, marker=".", **styles[name])
    axes.set(yscale="log", title="The 50 slowest of each", ylabel="seconds")
    axes.set(xlabel="instances and orders, sorted for each")
    axes.grid(alpha=0.3, which="both")


def _draw_parts(axes: Any, rows: Sequence[Row]) -> None:
    """Figure 1a: average seconds of each part, stacked."""
    parts = {name: found for name in solvers(rows, "method") if (found := parts_of_time(rows, name))}
    bottom = np.zeros(len(parts))
    for part, shade in PART_COLOURS.items():
        seconds = np.array([found[part][0] for found in parts.values()])
        axes.barh(list(parts), seconds, left=bottom, color=shade, label=part)
        bottom += seconds
    axes.invert_yaxis()
    axes.set(title="Where the time goes", xlabel="average seconds")
    axes.legend(frameon=False, ncols=4, loc="upper center", bbox_to_anchor=(0.5, -0.12))
