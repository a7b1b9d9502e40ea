"""The pictures of the study, drawn from the figures that it left, on another machine if need be."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from konig.lab import profiles
from konig.lab.figures import Row, solvers
from konig.plot import new_figure


def draw(folder: Path, name: str) -> None:
    """Draw the picture of a section, where it has one, beside its figures."""
    figures = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))["picture"]
    if figures:
        _DRAWN_BY[name](folder / f"{name}.png", figures)


def _draw_grid(path: Path, figures: Mapping[str, Any]) -> None:
    """Groups of bars: for each relabelling strategy the geometric mean of every variant."""
    strategies, means = figures["strategies"], figures["means"]
    figure = new_figure(path, (9, 4))
    axes = figure.subplots()
    width = 0.8 / len(means)
    for place, (variant, heights) in enumerate(means.items()):
        left = [group + (place - (len(means) - 1) / 2) * width for group in range(len(strategies))]
        axes.bar(left, [_height(cell) for cell in heights], width, label=variant)
    axes.set_xticks(range(len(strategies)), strategies)
    axes.set(ylabel="search, ms (geometric mean)", xlabel="global relabelling")
    axes.grid(axis="y", alpha=0.3)
    axes.legend(frameon=False)
    figure.savefig(path, dpi=150)


def _height(cell: str) -> float:
    """A mean as it stands in the table; a lower bound is drawn as high as it is."""
    return 0.0 if cell == "-" else float(cell.removeprefix("> "))


def _draw_levels(path: Path, levels: Mapping[str, Any]) -> None:
    """For each graph a panel: BFS levels over the iterations of each variant."""
    figure = new_figure(path, (5.5 * len(levels), 4))
    panels = figure.subplots(1, len(levels), squeeze=False)[0]
    for axes, (graph, variants) in zip(panels, levels.items(), strict=True):
        for variant, counts in variants.items():
            title = f"{variant}: {len(counts)} searches, {sum(counts)} levels"
            axes.plot(range(1, len(counts) + 1), counts, marker=".", ms=4, lw=1, label=title)
        axes.set(title=graph, xlabel="iteration", ylabel="BFS levels")
        if any(variants.values()):
            axes.set(xscale="log", yscale="log")
        axes.grid(alpha=0.3)
        axes.legend(frameon=False, fontsize=8)
    figure.savefig(path, dpi=150)


def _draw_profiles(path: Path, figures: Mapping[str, Any]) -> None:
    """For each set of instances its performance profile and its speed-up profile, one above the other."""
    figure = new_figure(path, (6 * len(figures["sets"]), 7.5))
    panels = figure.subplots(2, len(figures["sets"]), squeeze=False)
    for column, (title, runs) in enumerate(figures["sets"].items()):
        rows = [Row(name, title, solver, "method", *rest) for name, solver, *rest in runs]
        names = solvers(rows)
        styles = profiles.line_styles(names)
        profiles.draw_profile(panels[0][column], rows, styles)
        profiles.draw_speedups(panels[1][column], profiles.speedups(rows, figures["baselines"]), styles)
        panels[0][column].set_title(f"Performance profile, {title}")
        panels[1][column].set_title(f"Speed-up profile, {title}")
        panels[0][column].legend(names, frameon=False, fontsize=8)
    figure.savefig(path, dpi=150)


_DRAWN_BY = {"relabelling": _draw_grid, "levels": _draw_levels, "profiles": _draw_profiles}
