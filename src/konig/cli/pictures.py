"""Drawings of answers; matplotlib is loaded only when one is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from konig.results import Matching

# Beyond this many entries single marks melt together, so a picture of their density says more.
DISTINCT_ENTRIES = 20_000
DENSITY_CELLS = 300
GREY, RED = "#9aa5b1", "#d1495b"


def draw_matching(path: Path, A: Any, matching: Matching) -> None:
    """Draw the pattern of ``A`` in grey and the matched entries on top in red."""
    plt = pyplot()
    entries = sp.coo_array(A)
    rows = np.flatnonzero(matching.col_of_row >= 0)
    figure, axes = plt.subplots(figsize=(7, 7 * _aspect(A.shape) + 0.6), layout="constrained")
    layer = _dots if entries.nnz <= DISTINCT_ENTRIES else _density
    layer(axes, entries.row, entries.col, A.shape, GREY)
    layer(axes, rows, matching.col_of_row[rows], A.shape, RED)
    axes.set(
        xlim=(-0.5, max(A.shape[1], 1) - 0.5),
        ylim=(max(A.shape[0], 1) - 0.5, -0.5),
        xlabel="column",
        ylabel="row",
        title=f"{matching.size:,} matched pairs, {A.shape[0]:,} x {A.shape[1]:,}, {entries.nnz:,} entries",
    )
    handles = [plt.Line2D([], [], color=colour, marker="s", ls="", ms=5) for colour in (GREY, RED)]
    figure.legend(handles, ["entries", "matched"], loc="outside lower right", ncols=2, frameon=False)
    figure.savefig(path, dpi=150)
    plt.close(figure)


def pyplot() -> Any:
    """matplotlib's pyplot without a window, or an error that says what to install."""
    try:
        import matplotlib
    except ImportError as missing:
        raise ImportError("--plot needs matplotlib: pip install 'konig[plot]'") from missing
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    return plt


def _aspect(shape: tuple[int, int]) -> float:
    return float(np.clip(shape[0] / max(shape[1], 1), 0.4, 1.6))


def _dots(axes: Any, rows: np.ndarray, cols: np.ndarray, shape: tuple[int, int], colour: str) -> None:
    size = np.clip(1.2e5 / max(*shape, 1) ** 2, 2.5, 60.0)
    axes.scatter(cols, rows, s=size, c=colour, marker="s", linewidths=0)


def _density(axes: Any, rows: np.ndarray, cols: np.ndarray, shape: tuple[int, int], colour: str) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    cell = max(shape) / DENSITY_CELLS
    cells = [max(1, min(extent, round(extent / cell))) for extent in shape]
    extent = [[-0.5, shape[0] - 0.5], [-0.5, shape[1] - 0.5]]
    density, _, _ = np.histogram2d(rows, cols, bins=cells, range=extent)
    axes.imshow(
        np.ma.masked_equal(np.log1p(density), 0),
        cmap=LinearSegmentedColormap.from_list("ink", [(0, colour + "90"), (1, colour)]),
        extent=(-0.5, shape[1] - 0.5, shape[0] - 0.5, -0.5),
        aspect="auto",
        interpolation="nearest",
    )
