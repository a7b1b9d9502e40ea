"""The largest matching by single augmenting paths: from the textbook alone."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LargestMatching:
    size: int
    col_of_row: list[int]
    row_of_col: list[int]


def largest_matching(cols_of_row: list[list[int]], num_cols: int) -> LargestMatching:
    """C. Berge 1957: a matching is largest when there is no augmenting path; search from each row in turn."""
    col_of_row, row_of_col = [-1] * len(cols_of_row), [-1] * num_cols
    for root in range(len(cols_of_row)):
        row_before = {}
        queue, end = [root], -1
        for i in queue:
            for j in cols_of_row[i]:
                if j not in row_before:
                    row_before[j] = i
                    if row_of_col[j] < 0:
                        end = j
                        break
                    queue.append(row_of_col[j])
            if end >= 0:
                break
        while end >= 0:
            i = row_before[end]
            row_of_col[end] = i
            col_of_row[i], end = end, col_of_row[i]
    return LargestMatching(sum(j >= 0 for j in col_of_row), col_of_row, row_of_col)
