"""Is it a matching, and is it maximum?"""

from __future__ import annotations

import numpy as np

from konig.errors import CertificateError
from konig.refusal import check_indices, refuse_if


def check_matching(
    edge_rows: np.ndarray, edge_cols: np.ndarray, col_of_row: np.ndarray, row_of_col: np.ndarray
) -> int:
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
    edge_rows: np.ndarray,
    edge_cols: np.ndarray,
    shape: tuple[int, int],
    cover_rows: np.ndarray,
    cover_cols: np.ndarray,
) -> int:
    """Check that every entry lies in one of these rows or columns; return how many there are."""
    in_cover = []
    for name, chosen, extent in (("rows", cover_rows, shape[0]), ("cols", cover_cols, shape[1])):
        check_indices(f"the cover's {name}", chosen)
        if len(chosen) and (chosen.min() < 0 or chosen.max() >= extent):
            raise CertificateError(f"the cover's {name} leave [0, {extent})")
        mask = np.zeros(extent, bool)
        mask[chosen] = True
        if np.count_nonzero(mask) != len(chosen):
            raise CertificateError(f"the cover's {name} repeat")
        in_cover.append(mask)
    wrong = np.flatnonzero(~(in_cover[0][edge_rows] | in_cover[1][edge_cols]))
    refuse_if(wrong, lambda k: f"entry ({edge_rows[k]}, {edge_cols[k]}) is not covered")
    return len(cover_rows) + len(cover_cols)


def check_maximum_matching(
    edge_rows: np.ndarray,
    edge_cols: np.ndarray,
    col_of_row: np.ndarray,
    row_of_col: np.ndarray,
    cover_rows: np.ndarray,
    cover_cols: np.ndarray,
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
