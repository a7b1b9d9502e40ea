"""A maximum matching by labels and levels, for graphs whose entries lie anywhere: all ranks know the labels.

``native/matching/distributed/level_matching.h`` says how. Here is what travels: in each round of claims and
in each level a bit for each column of the graph; 8 bytes for a claim, 12 for a push, 4 for a row that loses
its column, and to every rank 4 (label 2) or 8 for a label that rises. With 64-bit ids it is twice that.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from konig import _native
from konig.distributed.matching_talk import LocalGraph, LocalMatching, Talk
from konig.distributed.ranks import Ranks
from konig.progress import Report

CLAIM_ROUNDS = 8  # in which all rows claim a column: in fewer, more claims come too late
FEWEST_CLAIMS = 1 << 10
# Rows push until, within PATIENCE * (levels of the last search + 1) rounds, fewer than one in FEW of the
# unmatched rows that are not hopeless was matched; after a complete search at least one must be. A push takes
# two rounds to go on from the row that lost its column. Scans and rounds change by at most a half with either
# half as large or twice as large.
FEW = 4
PATIENCE = 3
# A search ends once it has reached one column in ENOUGH: rows find these by pushes that go anywhere, and one
# level more is one scan of all entries more. But the first search goes to the end, and so does one after
# pushes that matched at most one row for every FEW still unmatched: many rows then cannot be matched at all,
# and stop pushing once their labels say so.
ENOUGH = 64
# A search with more levels than so many times the logarithm (base two) of the columns is not that of an
# expander. Random graphs with 4 entries a row reach 1.7 times the logarithm, those with 10 entries 0.5 times;
# grids and denser geometric graphs in random order exceed it.
DEEPEST = 3.0
MOST_LEVELS = 250  # a label is a byte


def solve(given: LocalGraph, report: Report | None) -> LocalMatching | None:
    """Match this rank's rows.

    None if there are so many levels that ``matching_rounds`` is the better way.
    """
    ranks, stages, all_cols = given.ranks, given.stages, given.cols.total
    talk = Talk(given, report)
    kind: Any = _native.LevelMatching64 if given.ids is np.int64 else _native.LevelMatching32
    matching = kind(*given.division(), *given.lists())
    stages.ends("setup")

    most = max(FEWEST_CLAIMS, -(-int(given.rows.count.max()) // CLAIM_ROUNDS))
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

    matching.take(ranks.allreduce(matching.taken(), "or"))
    matching.label_taken()
    stats |= {"phases": 0, "levels": 0, "rounds": 0}
    deepest = min(DEEPEST * math.log2(max(2, all_cols)), MOST_LEVELS)
    gained = hopeless = 0  # hopeless rows: those that the last complete search has not reached
    unlimited = False  # labels; after pushes in vain that gave up early
    while talk.size < talk.most:
        stats["phases"] += 1
        to_the_end = FEW * gained <= talk.unmatched_rows
        found, levels, is_complete = _search(ranks, matching, all_cols, deepest, to_the_end, unlimited)
        stats["levels"] += levels
        if levels > deepest:
            stages.ends("main")
            return None
        if is_complete and not found:
            break
        if is_complete:
            hopeless = talk.unmatched_rows - found
        before = talk.size
        stats["rounds"] += _push(talk, matching, PATIENCE * (levels + 1), hopeless, must_gain=is_complete)
        gained = talk.size - before
        unlimited = is_complete and gained == 0
    stages.ends("main")

    col_of_row, row_of_col, rows_reached, cols_reached = matching.answer(*given.extent())
    # A side that is matched completely; else the rows from which a path leads to an unmatched column, and the
    # columns from which none does.
    cover = talk.cover_by_a_full_side(*given.extent())
    if cover is None:
        cover = rows_reached.view(bool), ~cols_reached.view(bool)
    stages.ends("cover")
    stats["arc_scans"] = matching.arc_scans
    return LocalMatching(talk.size, col_of_row, row_of_col, *cover, stats)


def _push(talk: Talk, matching: Any, patience: int, hopeless: int, must_gain: bool) -> int:
    """Push until all rows are matched that can be, or until that has become slow; return the rounds."""
    began = before = talk.size
    rounds, wait = 0, False

    def push(received: list[np.ndarray]) -> list[np.ndarray]:
        nonlocal before, rounds, wait
        rounds += 1
        if rounds % patience == 0:
            is_slow = FEW * (talk.size - before) < talk.unmatched_rows - hopeless
            wait = wait or (is_slow and (talk.size > began or not must_gain))
            before = talk.size
        sent: list[np.ndarray] = matching.push(received, wait)
        return sent

    return talk.until_silence(push)


def _search(
    ranks: Ranks, matching: Any, all_cols: int, deepest: float, to_the_end: bool, patient: bool
) -> tuple[int, int, bool]:
    """Find labels from all unmatched columns: the unmatched rows reached, the levels, and if that was all.

    It ends early once there are more levels than the deepest search may have. After a complete one rows soon
    give up beyond its levels, unless they are to be patient: paths are hardly longer than they were.
    """
    size = reached = matching.begin_search()
    found = levels = 0
    while size and levels <= deepest and (to_the_end or levels == 0 or ENOUGH * reached < all_cols):
        levels += 1
        bits = matching.level()
        found += int(bits[-1])
        size = matching.set_frontier(ranks.allreduce(bits[:-1], "or"))
        reached += size
    matching.end_search(size == 0, levels + 2 if size == 0 and not patient else MOST_LEVELS)
    return ranks.total(found), levels, size == 0
