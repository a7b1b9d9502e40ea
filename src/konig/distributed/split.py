"""Costs with the shorter side as rows, split among ranks by these rows or by columns.

Ranks hold blocks of the rows that the caller has. Where that is the other way round than a method needs it,
the costs are dealt out anew. No rank has more of them than a few times its share.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from konig.distributed.local import LocalCosts
from konig.distributed.ranks import Ranks
from konig.distributed.rows import Rows, even_rows, even_share
from konig.interop.arrays import to_numpy

MESSAGE_BYTES = 1 << 26  # of the costs that a rank deals out at a time


@dataclass(frozen=True)
class Split:
    """This rank's part of the costs, and which rows (or columns) each rank has."""

    block: Any
    held: Rows


def is_tall(costs: LocalCosts) -> bool:
    """Whether the caller's columns are the shorter side, and so the rows here."""
    rows, cols = costs.shape
    return rows > cols


def split_by_rows(ranks: Ranks, costs: LocalCosts) -> Split:
    """Some rows of the shorter side, with all columns."""
    if not is_tall(costs):
        return Split(costs.block, costs.rows)
    dealt = dealt_columns(ranks, costs)
    return Split(costs.library.ascontiguousarray(dealt.block.T), dealt.held)


def split_by_cols(ranks: Ranks, costs: LocalCosts) -> Split:
    """All rows of the shorter side, with some columns."""
    if not is_tall(costs):
        return dealt_columns(ranks, costs)
    return Split(costs.library.ascontiguousarray(costs.block.T), costs.rows)


def dealt_columns(ranks: Ranks, costs: LocalCosts) -> Split:
    """All of the caller's rows, and an even share of the columns for each rank."""
    rows, cols = costs.shape
    shares = [even_share(cols, ranks.size, rank) for rank in range(ranks.size)]
    held = even_rows(cols, ranks.size, ranks.rank)
    width = int(held.count[ranks.rank])
    if ranks.size == 1:
        return Split(costs.block, held)
    dealt = costs.library.empty((rows, width), costs.block.dtype)
    height = max(1, MESSAGE_BYTES // max(1, cols * dealt.itemsize))
    for done in range(0, int(costs.rows.count.max()), height):
        some = to_numpy(costs.block[done : done + height])
        parts = ranks.alltoallv([some[:, share].ravel() for share in shares])
        for rank, part in enumerate(parts):
            begin = int(costs.rows.first[rank]) + done
            received = min(height, max(0, int(costs.rows.count[rank]) - done))
            dealt[begin : begin + received] = costs.library.asarray(part.reshape(received, width))
    return Split(dealt, held)
