"""Pictures of matrices: their pattern, a matching of it, and their block triangular form."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import scipy.sparse as sp

from konig.matching.inputs import as_csr
from konig.matching.result import Matching
from konig.matching.triangular import BlockTriangularForm
from konig.plot.files import new_figure, save_figure

INK = "#1f2933"
GREY, RED = "#9aa5b1", "#d1495b"
OUTLINE = "#1b6b3a"
PART_COLOURS = ("#4c9be8", "#63b37b", "#e8894c")
PART_NAMES = ("underdetermined", "well-determined", "overdetermined")

MOST_DOTS = 20_000  # above it, entries are counted in cells
MOST_CELLS = 400  # along the longer side
MOST_OUTLINES = 2_000


def spy(A: Any, axes: Any = None, *, title: str | None = None, colour: str = INK) -> Any:
    """Draw the pattern of a matrix: a dot for each entry, or their density where there are very many.

    Parameters
    ----------
    A : sparse matrix, array, tuple of arrays or path
        What `konig.maximum_matching` takes; stored zeros are drawn.
    axes : matplotlib Axes, optional
        Where to draw; new ones if not given.
    title : str, optional
        A line above the picture.
    colour : str
        The colour of the entries.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from konig.plot import spy
    >>> axes = spy(sp.eye_array(100), title="identity")
    """
    if axes is None:
        axes = new_figure(None).subplots()
    entries = as_csr(A).tocoo()
    rows, cols = entries.shape
    _draw_entries(axes, entries, colour, entries.nnz)
    axes.set(xlim=(-0.5, max(cols, 1) - 0.5), ylim=(max(rows, 1) - 0.5, -0.5))
    # One unit is as long both ways, as far as a very long or very wide matrix stays visible.
    axes.set_box_aspect(float(np.clip(max(rows, 1) / max(cols, 1), 0.2, 5)))
    axes.tick_params(length=0, labelsize=8, colors="0.4")
    for spine in axes.spines.values():
        spine.set(color="0.6", linewidth=0.8)
    if title is not None:
        axes.set_title(title, fontsize=10)
    return axes


def plot_matching(A: Any, matching: Matching, target: Any = None) -> Any:
    """Draw the pattern of a matrix in grey and its matched entries in red on top.

    Parameters
    ----------
    A : sparse matrix, array, tuple of arrays or path
        The matrix that the matching is of.
    matching : Matching
        What `konig.maximum_matching` returned for it.
    target : path or matplotlib Axes, optional
        A file to write (png, pdf, svg, ...), or where to draw. A new figure if not given.

    Returns
    -------
    matplotlib Figure

    Examples
    --------
    >>> import scipy.sparse as sp, konig
    >>> from konig.plot import plot_matching
    >>> A = sp.random_array((60, 70), density=0.03, rng=0)
    >>> figure = plot_matching(A, konig.maximum_matching(A))
    """
    extent = (len(matching.col_of_row), len(matching.row_of_col))
    matrix = as_csr(A, shape=extent, drop_zeros=matching.drop_zeros)
    is_new = target is None or _is_path(target)
    axes = new_figure(target, (7, 7.4)).subplots() if is_new else target
    size = f"{extent[0]:,} × {extent[1]:,}, {matrix.nnz:,} entries"
    spy(matrix, axes, title=f"{matching.size:,} matched pairs of {size}", colour=GREY)
    rows = np.flatnonzero(matching.col_of_row >= 0)
    pairs = sp.coo_array((np.ones(len(rows), bool), (rows, matching.col_of_row[rows])), extent)
    _draw_entries(axes, pairs, RED, matrix.nnz)
    _legend_below(axes, [(GREY, "entries"), (RED, "matched")])
    return _saved(axes.figure, target)


def plot_block_triangular_form(A: Any, form: BlockTriangularForm, target: Any = None) -> Any:
    """Draw a matrix before and after its permutation, with the parts tinted and the blocks outlined.

    Parameters
    ----------
    A : sparse matrix, array, tuple of arrays or path
        The matrix that the form is of.
    form : BlockTriangularForm
        What `konig.block_triangular_form` returned for it.
    target : path, matplotlib Axes or a pair of them, optional
        A file to write (png, pdf, svg, ...), the axes for the form alone, or the axes for before and after.
        A new figure if not given.

    Returns
    -------
    matplotlib Figure

    Examples
    --------
    >>> import scipy.sparse as sp, konig
    >>> from konig.plot import plot_block_triangular_form
    >>> A = sp.random_array((60, 70), density=0.03, rng=0)
    >>> figure = plot_block_triangular_form(A, konig.block_triangular_form(A))
    """
    extent = (len(form.row_perm), len(form.col_perm))
    matrix = as_csr(A, shape=extent, drop_zeros=form.matching.drop_zeros)
    permuted = form.permuted(matrix)
    if target is None or _is_path(target):
        before, after = new_figure(target, (10, 5.6)).subplots(1, 2)
    else:
        before, after = target if np.size(target) == 2 else (None, target)
    rows, cols = matrix.shape
    if before is not None:
        spy(matrix, before, title=f"{rows:,} × {cols:,}, {matrix.nnz:,} entries")
    sizes = np.diff(form.row_blocks)[form.fine_blocks.start : form.fine_blocks.stop]
    blocks = "1 block" if form.num_blocks == 1 else f"{form.num_blocks:,} blocks"
    largest = f", largest square one {sizes.max():,}" if len(sizes) else ""
    spy(permuted, after, title=f"block triangular form: {blocks}{largest}")
    _tint_parts(after, form)
    _outline_blocks(after, form)
    return _saved(after.figure, target)


def _is_path(target: Any) -> bool:
    return isinstance(target, str | os.PathLike)


def _saved(figure: Any, target: Any) -> Any:
    if _is_path(target):
        save_figure(figure, target, dpi=160, bbox_inches="tight")
    return figure


def _draw_entries(axes: Any, entries: Any, colour: str, drawn: int) -> None:
    """Draw as suits a picture of ``drawn`` entries, of which these may be a part.

    Rectangles fill their cell, but are never so small that they vanish nor so large that they merge. The
    least width is a share of the columns and the least height one of the rows: the axes have scales of their
    own where a matrix is far from square.
    """
    from matplotlib.collections import PolyCollection

    if drawn > MOST_DOTS:
        _draw_density(axes, entries, colour)
        return
    rows, cols = entries.shape
    marks = max(150, 3 * drawn**0.5)  # that fit side by side
    half = np.maximum(0.9, np.array((cols, rows)) / marks) / 2
    centres = np.column_stack((entries.col, entries.row))
    corners = centres[:, None] + half * np.array([(-1, -1), (-1, 1), (1, 1), (1, -1)])
    axes.add_collection(PolyCollection(corners, facecolor=colour, linewidth=0, zorder=3))


def _draw_density(axes: Any, entries: Any, colour: str) -> None:
    """The share of entries in each cell of a grid, on a logarithmic scale of ink."""
    from matplotlib.colors import to_rgb

    rows, cols = entries.shape
    cell = max(rows, cols) / MOST_CELLS
    grid = (max(1, min(rows, round(rows / cell))), max(1, min(cols, round(cols / cell))))
    counts, _, _ = np.histogram2d(
        entries.row, entries.col, bins=grid, range=((-0.5, rows - 0.5), (-0.5, cols - 0.5))
    )
    ink = np.log1p(counts) / np.log1p(max(counts.max(), 1))
    picture = np.empty((*grid, 4))
    picture[..., :3] = to_rgb(colour)
    picture[..., 3] = np.where(counts > 0, 0.25 + 0.75 * ink, 0)
    extent = (-0.5, cols - 0.5, rows - 0.5, -0.5)
    axes.imshow(picture, extent=extent, aspect="auto", interpolation="nearest", zorder=3)


def _tint_parts(axes: Any, form: BlockTriangularForm) -> None:
    from matplotlib.patches import Rectangle

    legend = []
    for number, (colour, name) in enumerate(zip(PART_COLOURS, PART_NAMES, strict=True)):
        top, bottom = form.row_parts[number : number + 2]
        left, right = form.col_parts[number : number + 2]
        if bottom == top and right == left:
            continue
        # A part of no rows or of no columns shows as a line.
        corner, extent = (left - 0.5, top - 0.5), (right - left, bottom - top)
        axes.add_patch(Rectangle(corner, *extent, facecolor=colour, alpha=0.28, edgecolor="none", zorder=1))
        axes.add_patch(Rectangle(corner, *extent, fill=False, edgecolor=colour, linewidth=1.6, zorder=4))
        legend.append((colour, f"{name} {bottom - top:,} × {right - left:,}"))
    _legend_below(axes, legend)


def _legend_below(axes: Any, entries: list[tuple[str, str]]) -> None:
    from matplotlib.patches import Patch

    if entries:
        handles = [Patch(facecolor=colour, alpha=0.6, label=label) for colour, label in entries]
        below = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.06), "ncols": len(entries)}
        axes.legend(
            handles=handles, fontsize=7.5, frameon=False, handlelength=1.2, columnspacing=1.0, **below
        )


def _outline_blocks(axes: Any, form: BlockTriangularForm) -> None:
    """The blocks of the square part; where there are very many, the largest."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    sizes = np.diff(form.row_blocks)
    fine = np.asarray(form.fine_blocks, dtype=np.intp)
    largest = fine[np.argsort(-sizes[fine], kind="stable")[:MOST_OUTLINES]]
    blocks = [
        Rectangle((form.col_blocks[b] - 0.5, form.row_blocks[b] - 0.5), sizes[b], sizes[b]) for b in largest
    ]
    # Thin outlines around small blocks: on a run of them the matching stays visible.
    widths = np.where(sizes[largest] > max(len(form.row_perm), len(form.col_perm)) / 60, 1.0, 0.35)
    colour = PART_COLOURS[1]
    axes.add_collection(PatchCollection(blocks, facecolor=colour, alpha=0.35, linewidth=0, zorder=2))
    axes.add_collection(
        PatchCollection(blocks, facecolor="none", edgecolor=OUTLINE, linewidths=widths, zorder=5)
    )
