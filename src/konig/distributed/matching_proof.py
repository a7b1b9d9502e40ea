"""Is it a matching, and is it maximum, where each rank has a part of it?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from konig.distributed.ranks import Ranks, on_all
from konig.distributed.rows import Rows
from konig.errors import CertificateError
from konig.refusal import check_indices, checked_mask, refuse_if


@dataclass(frozen=True)
class LocalProof:
    """A rank's part of a matching and of a cover, in the numbers of the whole matrix."""

    rows: Rows
    cols: Rows
    col_of_row: np.ndarray  # of this rank's rows
    row_of_col: np.ndarray  # of this rank's columns
    cover_rows: np.ndarray
    cover_cols: np.ndarray


def check_maximum_matching(
    ranks: Ranks, edge_rows: np.ndarray, edge_cols: np.ndarray, given: LocalProof
) -> int:
    """Prove a matching maximum, by a cover of as many rows and columns as there are pairs; return its size.

    ``edge_rows`` are counted from this rank's first row.
    """
    _check_partners("col_of_row", given.col_of_row, given.rows, given.cols.total)
    _check_partners("row_of_col", given.row_of_col, given.cols, given.rows.total)
    _check_entries(edge_rows, edge_cols, given)
    _check_agreement(ranks, given)
    row_in_cover = _mask("the cover's rows", given.cover_rows, given.rows)
    col_in_cover = _mask("the cover's cols", given.cover_cols, given.cols)
    _check_covered(ranks, edge_rows, edge_cols, given, row_in_cover, col_in_cover)
    size = ranks.total(int(np.count_nonzero(given.col_of_row >= 0)))
    covered_by = ranks.total(len(given.cover_rows) + len(given.cover_cols))
    if covered_by != size:
        raise on_all(
            CertificateError(f"the matching has {size} pairs but its cover has {covered_by} rows and columns")
        )
    return size


def _check_partners(name: str, mate: np.ndarray, held: Rows, bound: int) -> None:
    check_indices(name, mate)
    first, last = held.here.start, held.here.stop
    if len(mate) != last - first:
        raise CertificateError(f"{name} has {len(mate)} items, not {last - first}")
    wrong = np.flatnonzero((mate < -1) | (mate >= bound))
    refuse_if(wrong, lambda i: f"{name}[{i}], of {first + i}, is {mate[i]}, not in [-1, {bound})")


def _check_entries(edge_rows: np.ndarray, edge_cols: np.ndarray, given: LocalProof) -> None:
    mate, first = given.col_of_row, given.rows.here.start
    is_an_entry = np.zeros(len(mate), bool)
    is_an_entry[edge_rows[mate[edge_rows] == edge_cols]] = True
    wrong = np.flatnonzero((mate >= 0) & ~is_an_entry)
    refuse_if(wrong, lambda i: f"row {first + i} is matched to column {mate[i]}, which is not an entry")


def _check_agreement(ranks: Ranks, given: LocalProof) -> None:
    """Each matched row tells the owner of its column, which has it so, and hears of no other row."""
    matched = np.flatnonzero(given.col_of_row >= 0)
    pairs = np.stack([given.col_of_row[matched], given.rows.here.start + matched], axis=1).astype(np.int64)
    parts = [part.ravel() for part in given.cols.split(pairs[:, 0], pairs)]
    heard = np.concatenate(ranks.alltoallv(parts)).reshape(-1, 2)
    first = given.cols.here.start
    claimed = np.full(len(given.row_of_col), -1, np.int64)
    claimed[heard[:, 0] - first] = heard[:, 1]
    wrong = np.flatnonzero(claimed[heard[:, 0] - first] != heard[:, 1])
    refuse_if(wrong, lambda k: f"column {heard[k, 0]} is matched to row {heard[k, 1]} and to another")
    wrong = np.flatnonzero(claimed != given.row_of_col)
    refuse_if(
        wrong,
        lambda j: (
            f"column {first + j} claims row {given.row_of_col[j]}, but row {claimed[j]} claims it (-1: none)"
        ),
    )


def _mask(name: str, chosen: np.ndarray, held: Rows) -> np.ndarray:
    """The mask of this rank's rows or columns that are chosen."""
    check_indices(name, chosen)
    return checked_mask(name, chosen - held.here.start, held.here.stop - held.here.start)


def _check_covered(
    ranks: Ranks,
    edge_rows: np.ndarray,
    edge_cols: np.ndarray,
    given: LocalProof,
    row_in_cover: np.ndarray,
    col_in_cover: np.ndarray,
) -> None:
    """Every rank gets the columns of the cover, as a bitmap, and has a byte for each of them here."""
    bits = np.concatenate(
        [
            np.unpackbits(part, count=count)
            for part, count in zip(ranks.allgatherv(np.packbits(col_in_cover)), given.cols.count, strict=True)
        ]
    )
    wrong = np.flatnonzero(~(row_in_cover[edge_rows] | bits[edge_cols].astype(bool)))
    first = given.rows.here.start
    refuse_if(wrong, lambda k: f"entry ({first + edge_rows[k]}, {edge_cols[k]}) is not covered")
