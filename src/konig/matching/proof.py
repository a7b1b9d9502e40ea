"""Is it a matching, and is it maximum? Is it the block triangular form?"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from konig.errors import CertificateError
from konig.refusal import Array, check_indices, check_permutation, checked_mask, refuse_if

if TYPE_CHECKING:
    from konig.matching.alternating import AlternatingForest
    from konig.matching.triangular import BlockTriangularForm, DulmageMendelsohn

    # From the blocks of rows and columns and the first rows and columns of blocks: see alternating_forest.
    # Called once all of these have been checked, for native code trusts them; its answer is checked, too.
    FindForest = Callable[[Array, Array, Array, Array], AlternatingForest]


def check_matching(edge_rows: Array, edge_cols: Array, col_of_row: Array, row_of_col: Array) -> int:
    """Check that the two arrays are one matching that uses only entries of the matrix; return its size."""
    check_indices("col_of_row", col_of_row)
    check_indices("row_of_col", row_of_col)
    n_rows, n_cols = len(col_of_row), len(row_of_col)
    for name, mate, bound in (("col_of_row", col_of_row, n_cols), ("row_of_col", row_of_col, n_rows)):
        wrong = np.flatnonzero((mate < -1) | (mate >= bound))
        refuse_if(wrong, lambda i, n=name, m=mate, b=bound: f"{n}[{i}] = {m[i]} is not in [-1, {b})")
    matched_rows = np.flatnonzero(col_of_row >= 0)
    matched_cols = np.flatnonzero(row_of_col >= 0)
    wrong = matched_rows[row_of_col[col_of_row[matched_rows]] != matched_rows]
    refuse_if(wrong, lambda i: f"row {i} claims column {col_of_row[i]}, which does not claim it")
    wrong = matched_cols[col_of_row[row_of_col[matched_cols]] != matched_cols]
    refuse_if(wrong, lambda j: f"column {j} claims row {row_of_col[j]}, which does not claim it")
    is_an_entry = np.zeros_like(col_of_row, bool)
    is_an_entry[edge_rows[col_of_row[edge_rows] == edge_cols]] = True
    wrong = matched_rows[~is_an_entry[matched_rows]]
    refuse_if(wrong, lambda i: f"row {i} is matched to column {col_of_row[i]}, which is not an entry")
    return len(matched_rows)


def check_cover(
    edge_rows: Array, edge_cols: Array, shape: tuple[int, int], cover_rows: Array, cover_cols: Array
) -> int:
    """Check that every entry lies in one of these rows or columns; return how many there are."""
    row_in_cover = checked_mask("the cover's rows", cover_rows, shape[0])
    col_in_cover = checked_mask("the cover's cols", cover_cols, shape[1])
    wrong = np.flatnonzero(~(row_in_cover[edge_rows] | col_in_cover[edge_cols]))
    refuse_if(wrong, lambda k: f"entry ({edge_rows[k]}, {edge_cols[k]}) is not covered")
    return len(cover_rows) + len(cover_cols)


def check_maximum_matching(
    edge_rows: Array,
    edge_cols: Array,
    col_of_row: Array,
    row_of_col: Array,
    cover_rows: Array,
    cover_cols: Array,
) -> int:
    """Prove a matching maximum: no matching is larger than any cover, and these two are equal."""
    size = check_matching(edge_rows, edge_cols, col_of_row, row_of_col)
    shape = (len(col_of_row), len(row_of_col))
    covered_by = check_cover(edge_rows, edge_cols, shape, cover_rows, cover_cols)
    if covered_by != size:
        raise CertificateError(
            f"the matching has {size} pairs but its cover has {covered_by} rows and columns"
        )
    return size


def check_dulmage_mendelsohn(
    edge_rows: Array, edge_cols: Array, form: DulmageMendelsohn, find_forest: FindForest
) -> None:
    """Check the coarse decomposition: horizontal, square and vertical part."""
    col_of_row, row_of_col = form.matching.col_of_row, form.matching.row_of_col
    n_rows, n_cols = len(col_of_row), len(row_of_col)
    check_matching(edge_rows, edge_cols, col_of_row, row_of_col)
    labels = []
    for name, members, extent in (
        ("rows", [part.rows for part in form.parts], n_rows),
        ("columns", [part.cols for part in form.parts], n_cols),
    ):
        for chosen in members:
            check_indices(f"the {name} of a part", chosen)
        check_permutation(f"the {name} of the parts", np.concatenate(members), extent)
        part_of = np.empty(extent, np.int8)
        for number, chosen in enumerate(members):
            part_of[chosen] = number
        labels.append(part_of)
    part_of_row, part_of_col = labels
    nothing = np.zeros(0, np.intp)
    forest = find_forest(part_of_row, part_of_col, nothing, nothing)
    _check_parts(edge_rows, edge_cols, form, part_of_row, part_of_col, forest)


def check_block_triangular_form(
    edge_rows: Array, edge_cols: Array, form: BlockTriangularForm, find_forest: FindForest
) -> None:
    """Check that the permutations give a block upper triangular form that nothing refines.

    Blocks in triangular order that are strongly connected through the matching are the strong components: a
    component cannot be split without an entry below the diagonal, nor can two be joined and stay connected.
    """
    col_of_row, row_of_col = form.matching.col_of_row, form.matching.row_of_col
    # First of all, since the forest below is found by native code, which trusts these.
    size = check_matching(edge_rows, edge_cols, col_of_row, row_of_col)
    check_permutation("row_perm", form.row_perm, len(col_of_row))
    check_permutation("col_perm", form.col_perm, len(row_of_col))
    _check_boundaries(form, len(col_of_row), len(row_of_col))

    shift = form.diagonal
    if shift + size != len(row_of_col):
        raise CertificateError(f"{len(row_of_col) - size} columns are unmatched, not {shift}")
    wrong = np.flatnonzero(col_of_row[form.row_perm[:size]] != form.col_perm[shift:])
    refuse_if(wrong, lambda i: f"entry {i} of the diagonal is not matched")

    block_of_row = np.empty(len(col_of_row), np.int64)
    block_of_col = np.empty(len(row_of_col), np.int64)
    block_of_row[form.row_perm] = np.repeat(np.arange(form.num_blocks), np.diff(form.row_blocks))
    block_of_col[form.col_perm] = np.repeat(np.arange(form.num_blocks), np.diff(form.col_blocks))
    wrong = np.flatnonzero(block_of_row[edge_rows] > block_of_col[edge_cols])
    refuse_if(wrong, lambda k: f"entry ({edge_rows[k]}, {edge_cols[k]}) lies below the diagonal blocks")

    first, last = form.fine_blocks.start, form.fine_blocks.stop
    part_of_row = (block_of_row >= first).astype(np.int8) + (block_of_row >= last)
    part_of_col = (block_of_col >= first).astype(np.int8) + (block_of_col >= last)
    first_rows = form.row_perm[form.row_blocks[first:last]]
    first_cols = form.col_perm[form.col_blocks[first:last]]
    blocks = (block_of_row, block_of_col)
    forest = find_forest(*blocks, first_rows, first_cols)
    _check_parts(edge_rows, edge_cols, form, part_of_row, part_of_col, forest)

    rows, cols = np.flatnonzero(part_of_row == 1), np.flatnonzero(part_of_col == 1)
    _check_reached(edge_rows, edge_cols, row_of_col, forest.col_before_row, rows, first_rows, *blocks, "row")
    blocks = (block_of_col, block_of_row)
    _check_reached(
        edge_cols, edge_rows, col_of_row, forest.row_after_col, cols, first_cols, *blocks, "column"
    )


def _check_boundaries(form: BlockTriangularForm, n_rows: int, n_cols: int) -> None:
    """Blocks and parts fit together: at most one wide block, square ones, at most one tall block."""
    for name, boundaries, extent in (
        ("row_parts", form.row_parts, n_rows),
        ("col_parts", form.col_parts, n_cols),
        ("row_blocks", form.row_blocks, n_rows),
        ("col_blocks", form.col_blocks, n_cols),
    ):
        check_indices(name, boundaries)
        if len(boundaries) == 0 or boundaries[0] != 0 or boundaries[-1] != extent:
            raise CertificateError(f"{name} does not run from 0 to {extent}")
        wrong = np.flatnonzero(boundaries[1:] < boundaries[:-1])
        refuse_if(wrong, lambda b, n=name: f"{n} decreases after position {b}")
    if len(form.row_parts) != 4 or len(form.col_parts) != 4:
        raise CertificateError("row_parts and col_parts need four boundaries each")
    if len(form.row_blocks) != len(form.col_blocks):
        raise CertificateError(
            f"{len(form.row_blocks) - 1} blocks of rows but {len(form.col_blocks) - 1} blocks of columns"
        )
    first, last = form.fine_blocks.start, form.fine_blocks.stop
    if first > last:
        raise CertificateError(f"{form.num_blocks} blocks are too few for the parts")
    for name, blocks, parts in (
        ("row", form.row_blocks, form.row_parts),
        ("col", form.col_blocks, form.col_parts),
    ):
        if blocks[first] != parts[1] or blocks[last] != parts[2]:
            raise CertificateError(f"{name}_blocks and {name}_parts disagree about the square part")
    heights, widths = np.diff(form.row_blocks)[first:last], np.diff(form.col_blocks)[first:last]
    wrong = first + np.flatnonzero((heights != widths) | (heights == 0))
    refuse_if(wrong, lambda b: f"block {b} of the square part is empty or not square")


def _check_parts(
    edge_rows: Array,
    edge_cols: Array,
    form: DulmageMendelsohn | BlockTriangularForm,
    part_of_row: Array,
    part_of_col: Array,
    forest: AlternatingForest,
) -> None:
    """Check the coarse decomposition, given as labels 0 (horizontal), 1 (square) and 2 (vertical).

    The caller has checked that the matching is one. No path from an unmatched column leaves the horizontal
    part, for its columns have entries in its rows only and those are matched inside; and the forest reaches
    all of it. The vertical part is the same transposed. The rows of the horizontal part and the columns of
    the others cover every entry and are as many as the matched pairs, so the matching is maximum.
    """
    col_of_row, row_of_col = form.matching.col_of_row, form.matching.row_of_col
    wrong = np.flatnonzero(part_of_row[edge_rows] > part_of_col[edge_cols])
    refuse_if(wrong, lambda k: f"entry ({edge_rows[k]}, {edge_cols[k]}) lies below the parts")
    matched = np.flatnonzero(col_of_row >= 0)
    wrong = matched[part_of_row[matched] != part_of_col[col_of_row[matched]]]
    refuse_if(wrong, lambda i: f"row {i} and its column {col_of_row[i]} are in different parts")
    wrong = np.flatnonzero((row_of_col < 0) & (part_of_col != 0))
    refuse_if(wrong, lambda j: f"column {j} is unmatched but not in the horizontal part")
    wrong = np.flatnonzero((col_of_row < 0) & (part_of_row != 2))
    refuse_if(wrong, lambda i: f"row {i} is unmatched but not in the vertical part")
    rows, cols = np.flatnonzero(part_of_row == 0), np.flatnonzero(part_of_col == 2)
    nothing = rows[:0]
    parts = (part_of_row, part_of_col)
    _check_reached(edge_rows, edge_cols, row_of_col, forest.col_before_row, rows, nothing, *parts, "row")
    parts = (part_of_col, part_of_row)
    _check_reached(edge_cols, edge_rows, col_of_row, forest.row_after_col, cols, nothing, *parts, "column")


def _check_reached(
    edge_rows: Array,
    edge_cols: Array,
    row_of_col: Array,
    col_before_row: Array,
    rows: Array,
    first_rows: Array,
    block_of_row: Array,
    block_of_col: Array,
    side: str,
) -> None:
    """Check that an alternating path inside its block leads to each of these rows.

    A path begins in an unmatched column or in one of the first rows. Written for rows; the caller transposes.
    """
    check_indices("the forest", col_before_row)
    if len(col_before_row) != len(block_of_row):
        raise CertificateError(f"the forest is not one for {len(block_of_row)} {side}s")
    before = col_before_row[rows]
    wrong = rows[(before < 0) | (before >= len(row_of_col))]
    refuse_if(wrong, lambda i: f"{side} {i} is not connected to its block")
    is_an_entry = np.zeros(len(block_of_row), bool)
    is_an_entry[edge_rows[col_before_row[edge_rows] == edge_cols]] = True
    wrong = rows[~is_an_entry[rows]]
    refuse_if(wrong, lambda i: f"{side} {i} is connected through {col_before_row[i]}, which is no entry")
    wrong = rows[block_of_row[rows] != block_of_col[before]]
    refuse_if(wrong, lambda i: f"{side} {i} is connected through {col_before_row[i]} of another block")
    # Where a path steps back to; a path begins where it stays. Doubling the step reaches its beginning.
    step_back = np.arange(len(block_of_row))
    step_back[rows] = row_of_col[before]
    begins = step_back < 0
    begins[first_rows] = True
    step_back[begins] = np.flatnonzero(begins)
    for _ in range(len(step_back).bit_length()):
        step_back = step_back[step_back]
    wrong = rows[~begins[step_back[rows]]]
    refuse_if(wrong, lambda i: f"{side} {i} is connected only in a circle, not to its block")
