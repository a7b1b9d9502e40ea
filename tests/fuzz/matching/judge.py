"""Is this a largest matching, a smallest cover, the block triangular form? Decided by counting."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from ..case import Violation
from .optimum import LargestMatching, largest_matching

# What a certificate must never let pass.
GRAVE = frozenset({"shape", "pairs", "size", "not maximum", "cover", "parts", "blocks", "permutation"})


class Pattern:
    """The entries of a matrix, each once."""

    def __init__(self, n: int, m: int, entries: Any) -> None:
        self.shape = (n, m)
        self.entries = set(entries)
        self.cols_of_row: list[list[int]] = [[] for _ in range(n)]
        self.rows_of_col: list[list[int]] = [[] for _ in range(m)]
        for i, j in sorted(self.entries):
            self.cols_of_row[i].append(j)
            self.rows_of_col[j].append(i)

    @cached_property
    def largest(self) -> LargestMatching:
        return largest_matching(self.cols_of_row, self.shape[1])

    @cached_property
    def parts(self) -> tuple[list[int], list[int]]:
        """The part of each row and of each column: 0 horizontal, 1 square, 2 vertical.

        Horizontal is what alternating paths from unmatched columns reach, vertical what those from unmatched
        rows reach.
        """
        row_part, col_part = [1] * self.shape[0], [1] * self.shape[1]
        queue = [j for j, i in enumerate(self.largest.row_of_col) if i < 0]
        for j in queue:
            col_part[j] = 0
            for i in self.rows_of_col[j]:
                if row_part[i] == 1:
                    row_part[i] = 0
                    queue.append(self.largest.col_of_row[i])
        queue = [i for i, j in enumerate(self.largest.col_of_row) if j < 0]
        for i in queue:
            row_part[i] = 2
            for j in self.cols_of_row[i]:
                if col_part[j] == 1:
                    col_part[j] = 2
                    queue.append(self.largest.row_of_col[j])
        return row_part, col_part

    @cached_property
    def blocks(self) -> set[tuple[frozenset[int], frozenset[int]]]:
        """Rows and columns of each irreducible block of the square part: who reaches whom, both ways."""
        row_part, _ = self.parts
        square = [i for i, part in enumerate(row_part) if part == 1]
        reach = {i: self._reached(i) for i in square}
        found = set()
        for i in square:
            rows = frozenset(k for k in reach[i] if i in reach[k])
            found.add((rows, frozenset(self.largest.col_of_row[k] for k in rows)))
        return found

    def _reached(self, first: int) -> set[int]:
        """Rows of the square part that a row leads to: through its columns to the rows matched there."""
        row_part, col_part = self.parts
        seen, queue = {first}, [first]
        for i in queue:
            for j in self.cols_of_row[i]:
                k = self.largest.row_of_col[j]
                if col_part[j] == 1 and k not in seen and row_part[k] == 1:
                    seen.add(k)
                    queue.append(k)
        return seen


def judge(pattern: Pattern, answer: Any) -> Iterator[Violation]:
    """Every way in which a Matching breaks the contract."""
    grounds = list(judge_partners(pattern, answer.col_of_row, answer.row_of_col))
    yield from grounds
    if any(ground.kind != "not maximum" for ground in grounds):
        return
    matched = int((np.asarray(answer.col_of_row) >= 0).sum())
    if answer.size != matched:
        yield Violation("size", f"size={answer.size}, but {matched} pairs are matched")
    if not grounds:
        yield from judge_cover(pattern, answer.cover)


def judge_partners(pattern: Pattern, col_of_row: Any, row_of_col: Any) -> Iterator[Violation]:
    col_of_row, row_of_col = np.asarray(col_of_row), np.asarray(row_of_col)
    n, m = pattern.shape
    if (col_of_row.shape, row_of_col.shape) != ((n,), (m,)) or {
        col_of_row.dtype.kind,
        row_of_col.dtype.kind,
    } != {"i"}:
        yield Violation(
            "shape", f"{col_of_row.dtype}{col_of_row.shape}, {row_of_col.dtype}{row_of_col.shape}"
        )
        return
    pairs = [(i, int(j)) for i, j in enumerate(col_of_row) if j != -1]
    mirrored = sorted((int(i), j) for j, i in enumerate(row_of_col) if i != -1)
    if pairs != mirrored or not set(pairs) <= pattern.entries or len({j for _, j in pairs}) != len(pairs):
        yield Violation("pairs", "no matching of these entries, or the two arrays differ")
    elif len(pairs) != pattern.largest.size:
        yield Violation("not maximum", f"{len(pairs)} pairs, but {pattern.largest.size} are possible")


def judge_cover(pattern: Pattern, cover: Any) -> Iterator[Violation]:
    rows, cols = np.asarray(cover.rows).tolist(), np.asarray(cover.cols).tolist()
    if rows != sorted(set(rows)) or cols != sorted(set(cols)):
        yield Violation("cover", "indices repeat or do not ascend")
    in_rows, in_cols = set(rows), set(cols)
    left = [(i, j) for i, j in pattern.entries if i not in in_rows and j not in in_cols]
    if left or len(rows) + len(cols) != pattern.largest.size:
        yield Violation(
            "cover", f"{len(rows)} + {len(cols)} lines for {pattern.largest.size} pairs, {left[:3]} left"
        )


def judge_coarse(pattern: Pattern, form: Any) -> Iterator[Violation]:
    """Is it the Dulmage-Mendelsohn decomposition? There is only one."""
    yield from judge_partners(pattern, form.matching.col_of_row, form.matching.row_of_col)
    for number, part in enumerate(form.parts):
        for side, given in zip(pattern.parts, (part.rows, part.cols), strict=True):
            expected = [k for k, label in enumerate(side) if label == number]
            if np.asarray(given).tolist() != expected:
                yield Violation(
                    "parts", f"part {number} has {np.asarray(given).tolist()[:9]}, not {expected[:9]}"
                )
                return


def judge_form(pattern: Pattern, form: Any) -> Iterator[Violation]:
    """Is it the block triangular form? Its blocks are known; any triangular order of them will do."""
    n, m = pattern.shape
    row_perm, col_perm = np.asarray(form.row_perm).tolist(), np.asarray(form.col_perm).tolist()
    if sorted(row_perm) != list(range(n)) or sorted(col_perm) != list(range(m)):
        yield Violation("permutation", "no permutation")
        return
    boundaries = [np.asarray(b).tolist() for b in (form.row_blocks, form.col_blocks)]
    if len(boundaries[0]) != len(boundaries[1]) or any(
        not b or b[0] != 0 or b[-1] != extent or b != sorted(b)
        for b, extent in zip(boundaries, (n, m), strict=True)
    ):
        yield Violation("blocks", f"boundaries {boundaries}")
        return
    starts = list(zip(*boundaries, strict=True))
    found = [(frozenset(row_perm[a:b]), frozenset(col_perm[c:d])) for (a, c), (b, d) in pairwise(starts)]
    parts = [
        tuple(frozenset(k for k, label in enumerate(side) if label == number) for side in pattern.parts)
        for number in range(3)
    ]
    wide, tall = [parts[0]] if parts[0][1] else [], [parts[2]] if parts[2][0] else []
    inner = found[len(wide) : len(found) - len(tall)]
    if found[: len(wide)] != wide or found[len(found) - len(tall) :] != tall:
        yield Violation("blocks", "the first or the last block is not the rectangular part")
    if len(inner) != len(pattern.blocks) or set(inner) != pattern.blocks:
        yield Violation(
            "blocks", f"{len(inner)} blocks of the square part, {len(pattern.blocks)} are irreducible"
        )
    row_block = {i: b for b, (rows, _) in enumerate(found) for i in rows}
    col_block = {j: b for b, (_, cols) in enumerate(found) for j in cols}
    if any(row_block[i] > col_block[j] for i, j in pattern.entries):
        yield Violation("blocks", "an entry lies below the diagonal blocks")
    yield from judge_partners(pattern, form.matching.col_of_row, form.matching.row_of_col)
    size, shift = pattern.largest.size, m - pattern.largest.size
    diagonal = zip(row_perm[:size], col_perm[shift:], strict=True)
    if form.diagonal != shift or any(form.matching.col_of_row[i] != j for i, j in diagonal):
        yield Violation("blocks", "the matching is not on the diagonal")
