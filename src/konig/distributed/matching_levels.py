"""A maximum matching by levels, for graphs whose entries lie anywhere: ranks share bitmaps of columns.

``native/matching/distributed/level_matching.h`` says how. Here is what travels: in each round of claims and
in each level a bit for each column of the graph, or 4 or 8 bytes for each column of a small frontier; 8 or 16
for a claim and for each step of a walk.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from konig import _native
from konig.distributed.local import Stages
from konig.distributed.matching_talk import LocalMatching, Talk, cover_by_a_full_side
from konig.distributed.ranks import Ranks
from konig.distributed.rows import Rows
from konig.matching.inputs import BipartiteGraph
from konig.progress import Report

CLAIM_ROUNDS = 8  # in which all rows claim a column: in fewer, more claims come too late
FEWEST_CLAIMS = 1 << 10
# A frontier with fewer columns than one in so many is told by their numbers, and not by a bit for each
# column: they are 32 bits, and the next frontier may be several times as large.
SPARSE = 256
# A phase with more levels than so many times the logarithm (base two) of the columns is not that of an
# expander. Random graphs with 4 entries a row reach 1.7 times, with 10 half as many as the logarithm;
# triangulations and geometric graphs in random order exceed it after some phases, in which they have spent
# less than rounds take.
DEEPEST = 3.0


def solve(
    ranks: Ranks,
    graph: BipartiteGraph,
    rows: Rows,
    cols: Rows,
    ids: Any,
    stages: Stages,
    report: Report | None,
) -> LocalMatching | None:
    """Match this rank's rows, whose columns are numbered as in the whole matrix.

    None if that takes so many levels that rounds are the better way.
    """
    talk = Talk(ranks, min(rows.total, cols.total), report)
    matching = _native_matching(ranks, graph, rows, cols, ids)
    stages.ends("setup")

    most = max(FEWEST_CLAIMS, -(-int(rows.count.max()) // CLAIM_ROUNDS))
    stats: dict[str, Any] = {"start_rounds": 0}

    def claims(received: list[np.ndarray]) -> list[np.ndarray]:
        if stats["start_rounds"]:
            matching.take(ranks.allreduce(matching.taken(), "or"))
        stats["start_rounds"] += 1
        sent: list[np.ndarray] = matching.claim(received, most)
        return sent

    talk.until_silence(claims)
    stats["start_size"] = talk.size
    stages.ends("start")

    stats |= {"phases": 0, "levels": 0, "rounds": 0}
    reached = np.zeros(0, np.uint64)
    deepest = DEEPEST * math.log2(max(2, cols.total))
    while talk.size < talk.most:
        stats["phases"] += 1
        matching.take(ranks.allreduce(matching.taken(), "or"))
        found, levels, reached = _grow(ranks, matching, cols.total, deepest)
        stats["levels"] += levels
        if levels > deepest:
            stages.ends("main")
            return None
        if not found:
            break
        stats["rounds"] += talk.until_silence(matching.walk)
    stages.ends("main")

    col_of_row, row_of_col = np.empty(graph.rows, ids), np.empty(cols.count[ranks.rank], ids)
    row_reached = np.empty(graph.rows, bool)
    matching.answer(col_of_row, row_of_col, row_reached)
    # A side that is matched completely; else the rows from which a path leads to an unmatched column, and the
    # columns from which none does.
    cover = cover_by_a_full_side(talk.size, rows.total, cols.total, col_of_row, row_of_col)
    if cover is None:
        bits = np.unpackbits(reached.view(np.uint8), bitorder="little")
        cover = row_reached, ~bits[cols.here].astype(bool)
    stages.ends("cover")
    stats["arc_scans"] = matching.arc_scans
    return LocalMatching(talk.size, col_of_row, row_of_col, *cover, stats)


def _native_matching(ranks: Ranks, graph: BipartiteGraph, rows: Rows, cols: Rows, ids: Any) -> Any:
    kind: Any = _native.LevelMatching64 if ids is np.int64 else _native.LevelMatching32
    here = [(held.here.start, held.here.stop) for held in (rows, cols)]
    lists = (part.astype(ids, copy=False) for part in (graph.of_row.start, graph.of_row.neighbour))
    return kind(ranks.rank, ranks.size, rows.stretches(), cols.stretches(), *here, cols.total, *lists)


def _grow(ranks: Ranks, matching: Any, all_cols: int, deepest: float) -> tuple[bool, int, np.ndarray]:
    """Reach rows from all unmatched columns: whether some are unmatched, the levels, and the columns reached.

    These are a bitmap. It ends early once there are more levels than the deepest phase may have.
    """
    size = matching.begin_phase()
    reached = ~matching.taken()
    found, levels = False, 0
    while size and levels <= deepest:
        levels += 1
        here = matching.level()
        if SPARSE * size < all_cols:
            told = ranks.allgatherv(here)
            found = found or any(part[-1] > 0 for part in told)
            added = np.concatenate([part[:-1] for part in told])
            size = matching.set_frontier(added)
            np.bitwise_or.at(reached, added >> 6, np.uint64(1) << (added & 63).astype(np.uint64))
        else:
            bits = np.append(matching.next_bits(), np.uint64(here[-1] > 0))
            bits = ranks.allreduce(bits, "or")
            found = found or bool(bits[-1])
            size = matching.set_frontier_bits(bits[:-1])
            reached |= bits[:-1]
    return found, levels, reached
