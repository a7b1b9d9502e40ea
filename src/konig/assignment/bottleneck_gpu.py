"""Bottleneck assignments of dense costs where they are: thresholds, matchings and the proof on a GPU.

The search for a threshold starts at the largest of the row minima (of a square, of the column minima, too),
takes in twice as many more values each time until the matching is large enough, and halves the values in
between. A matching below one threshold is one below any larger, so that every matching starts from the last
one that was too small. A cover (Kőnig) at the last threshold that was too small meets all entries below the
answer.

Written for ``xp``, which is CuPy; NumPy serves as well, so tests need no GPU. Single numbers come to the
host, costs and patterns do not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from konig.assignment.gpu import checked_extent, costs_there
from konig.interop import arrays
from konig.matching.auto import choose_matching
from konig.matching.device_graph import DeviceAdjacency
from konig.matching.gpu import MatchingGpu
from konig.matching.inputs import BipartiteGraph, Partial, count_matched
from konig.progress import Report

SAMPLES = 1 << 16  # values that stand for all while thresholds are far apart
FIRST_STEP = 2  # samples that are taken in first; twice as many each time
MOST_LISTED = 1 << 16  # values that are sorted once so few are left

# match(start, col, cols, col_of_row): a maximum matching of lists of the rows from one that is given, as the
# partners of the rows.
Match = Callable[[Any, Any, int, Any], Any]
Lines = tuple[Any, Any]  # masks of rows and columns


@dataclass(frozen=True)
class Found:
    """Whether as many rows were assigned as asked for, partners of rows, masks of two covers, and counts."""

    feasible: bool
    col_of_row: Any
    cover: Lines
    size_cover: Lines | None
    stats: dict[str, Any]


def solve(
    gpu: MatchingGpu, C: Any, place: arrays.Place, maximize: bool, full: bool, report: Report | None
) -> tuple[Any, Found, dict[str, float]]:
    """Costs on the current device, the answer there, and seconds by part."""
    seconds: dict[str, float] = {}
    xp = gpu.cupy

    def require(shape: tuple[int, int], itemsize: int, copied: int) -> None:
        # A mask and its sums, and numbers in another order; lists of few entries as a rule.
        gpu.require_memory(copied + (2 + itemsize) * shape[0] * shape[1], *shape, shape[0] * shape[1])

    costs = costs_there(gpu, C, place, 2, require, seconds)
    if costs.dtype.kind == "f":
        checked_extent(xp, costs, maximize)  # refuses NaN and the infinity that forbids nothing
    if 0 in costs.shape:
        nothing = xp.zeros(costs.shape[0], bool), xp.zeros(costs.shape[1], bool)
        unassigned = xp.full(costs.shape[0], -1, np.int32)
        return costs, Found(True, unassigned, nothing, None, {"thresholds": 0}), seconds
    keys = minimised(costs, maximize)
    turned = costs.shape[0] > costs.shape[1]
    search = ThresholdSearch(xp, keys.T if turned else keys, matching_on(gpu, report))
    found = search.solve(full)
    return costs, transposed(xp, found, costs.shape[0]) if turned else found, seconds


def minimised(costs: Any, maximize: bool) -> Any:
    """Numbers in the order that costs are to be minimised in."""
    if not maximize:
        return costs
    return -costs if costs.dtype.kind == "f" else ~costs  # the negative of the least integer is itself


def matching_on(gpu: MatchingGpu, report: Report | None) -> Match:
    """Maximum matchings on a device."""
    method = choose_matching("auto", "cuda")
    assert method is not None

    def match(start: Any, col: Any, cols: int, col_of_row: Any) -> Any:
        offsets = np.int32 if len(col) <= np.iinfo(np.int32).max else np.int64
        # Methods read the lists of the columns: to them the matrix is transposed.
        lists = DeviceAdjacency(start.astype(offsets), col, gpu.cupy)
        near, far = col_of_row.copy(), gpu.cupy.full(cols, -1, np.int32)
        assigned = gpu.cupy.flatnonzero(near >= 0)
        far[near[assigned]] = assigned
        partial = Partial(BipartiteGraph(cols, len(near), None, lists), far, near)
        gpu.run_auto(method, partial, report, True)
        return near

    return match


def transposed(xp: Any, found: Found, rows: int) -> Found:
    """The answer for costs from that for their transpose."""
    col_of_row = xp.full(rows, -1, np.int32)
    assigned = xp.flatnonzero(found.col_of_row >= 0)
    col_of_row[found.col_of_row[assigned]] = assigned
    size_cover = None if found.size_cover is None else found.size_cover[::-1]
    return Found(found.feasible, col_of_row, found.cover[::-1], size_cover, found.stats)


class ThresholdSearch:
    """Costs to be minimised, with no more rows than columns and at least one, and matchings of thresholds."""

    def __init__(self, xp: Any, costs: Any, match: Match):
        self.xp, self.costs, self.match = xp, costs, match
        self.rows, self.cols = costs.shape
        self.tested = 0
        self.unassigned = xp.full(self.rows, -1, np.int32)

    def solve(self, full: bool) -> Found:
        """The least threshold with a full matching; if there is none, with one of the largest."""
        least, by_cols = self._line_minima()
        low = least.max().item()
        if low == np.inf:
            return self._solve_partly(self._matched(self._dearest(), self.unassigned), full)
        at_low = self._matched(low, self.unassigned)
        if count_matched(at_low) == self.rows:
            return self._found(at_low, self._cover_of_others(least, by_cols))
        found = self._search(low, at_low, self.rows)
        return found if isinstance(found, Found) else self._solve_partly(found, full)

    def _line_minima(self) -> tuple[Any, bool]:
        """Of the rows or, on a square, of the columns if the largest of theirs is larger; and whether so."""
        of_rows = self.costs.min(axis=1)
        if self.rows == self.cols:
            of_cols = self.costs.min(axis=0)
            if bool(of_cols.max() > of_rows.max()):
                return of_cols, True
        return of_rows, False

    def _cover_of_others(self, least: Any, by_cols: bool) -> Lines:
        """All lines of a side but the one with the largest minimum, below which it has no entry."""
        met, none = self.xp.ones(len(least), bool), self.xp.zeros(self.cols, bool)
        met[int(least.argmax())] = False
        return (none, met) if by_cols else (met, none)

    def _solve_partly(self, largest: Any, full: bool) -> Found:
        """The least threshold with a matching as large as the largest, which is given and not full.

        If a ``full`` one was asked for, this one and its cover, which proves that there is none.
        """
        size, size_cover = count_matched(largest), self._cover(self._dearest(), largest)
        if full or size == 0:
            return Found(not full, largest, size_cover, size_cover, self._counts())
        least = self.costs.min().item()
        at_least = self._matched(least, self.unassigned)
        if count_matched(at_least) == size:
            nothing = self.xp.zeros(self.rows, bool), self.xp.zeros(self.cols, bool)
            return self._found(at_least, nothing, size_cover)
        found = self._search(least, at_least, size, size_cover)
        assert isinstance(found, Found)  # that of all entries has this size
        return found

    def _search(self, low: Any, at_low: Any, size: int, size_cover: Lines | None = None) -> Found | Any:
        """The answer above a threshold whose matching is too small; if all are, the largest matching."""
        sample = self._sample()
        place = int(self.xp.searchsorted(sample, self._scalar(low), side="right"))
        step, high, at_high = FIRST_STEP, None, None
        while at_high is None:
            place += step
            step *= 2
            is_last = place >= len(sample)
            tried = self._dearest() if is_last else sample[place].item()
            if tried <= low and not is_last:
                continue
            at_tried = self._matched(tried, at_low)
            if count_matched(at_tried) >= size:
                high, at_high = tried, at_tried
            elif is_last:
                return at_tried
            else:
                low, at_low = tried, at_tried
        while (tried := self._between(low, high, sample)) is not None:
            at_tried = self._matched(tried, at_low)
            if count_matched(at_tried) >= size:
                high, at_high = tried, at_tried
            else:
                low, at_low = tried, at_tried
        return self._found(at_high, self._cover(low, at_low), size_cover)

    def _between(self, low: Any, high: Any, sample: Any) -> Any:
        """A value from the middle of those between two thresholds; None if there is none."""
        xp = self.xp
        first = int(xp.searchsorted(sample, self._scalar(low), side="right"))
        last = int(xp.searchsorted(sample, self._scalar(high), side="left"))
        if last - first > MOST_LISTED * len(sample) // self.costs.size:
            return sample[(first + last) // 2].item()
        values = xp.sort(self.costs[(self.costs > low) & (self.costs < high)])
        return values[len(values) // 2].item() if len(values) else None

    def _sample(self) -> Any:
        every = self.costs.ravel()[:: max(1, self.costs.size // SAMPLES)]
        return self.xp.sort(every[every < np.inf] if every.dtype.kind == "f" else every)

    def _scalar(self, value: Any) -> Any:
        return self.xp.asarray(value, self.costs.dtype)

    def _dearest(self) -> Any:
        """A threshold that lets all allowed entries in."""
        if self.costs.dtype.kind == "f":
            return np.finfo(self.costs.dtype).max.item()
        return self.costs.max().item()

    def _matched(self, threshold: Any, from_: Any) -> Any:
        """A maximum matching of the entries up to a threshold."""
        self.tested += 1
        allowed = self.costs <= threshold  # no NaN, and below infinity
        start = self.xp.zeros(self.rows + 1, np.int64)
        start[1:] = self.xp.cumsum(allowed.sum(axis=1, dtype=np.int64))
        col = (self.xp.flatnonzero(allowed) % self.cols).astype(np.int32)
        return self.match(start, col, self.cols, from_) if len(col) else from_

    def _cover(self, threshold: Any, col_of_row: Any) -> Lines:
        """Masks of lines that meet all entries up to a threshold, as many as its matching has pairs."""
        xp = self.xp
        row_of_col = xp.full(self.cols, -1, np.int64)
        assigned = xp.flatnonzero(col_of_row >= 0)
        row_of_col[col_of_row[assigned]] = assigned
        frontier = xp.flatnonzero(col_of_row < 0)
        row_met, col_met = xp.ones(self.rows, bool), xp.zeros(self.cols, bool)
        while len(frontier):
            row_met[frontier] = False
            reached = (self.costs[frontier] <= threshold).any(axis=0) & ~col_met
            col_met |= reached
            frontier = row_of_col[xp.flatnonzero(reached)]
        return row_met, col_met

    def _found(self, col_of_row: Any, cover: Lines, size_cover: Lines | None = None) -> Found:
        return Found(True, col_of_row, cover, size_cover, self._counts())

    def _counts(self) -> dict[str, Any]:
        return {"thresholds": self.tested}
