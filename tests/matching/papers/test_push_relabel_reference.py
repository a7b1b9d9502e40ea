"""Push-relabel against a slow reference that checks every step: same pairs, same counts.

The reference follows Kaya et al., Algorithms 1 and 2, with plain lists. At each visit it looks at the whole
list, refuses a row that is not of minimum label and checks that no label is too large. So agreement in every
count shows that the native scans, which skip entries, choose true minima too.
"""

from __future__ import annotations

from collections import deque
from itertools import product

import numpy as np
import pytest
import scipy.sparse as sp

import konig

COUNTS = (
    "search_arc_scans",
    "relabel_arc_scans",
    "double_pushes",
    "all_double_pushes",
    "global_relabels",
    "gap_relabels",
    "retired",
)


class NotAMinimumError(AssertionError):
    """A scan chose a row although a neighbour has a smaller label."""


class Active:
    """The active columns in the order of their visits."""

    def __init__(self, order, cols):
        self.order, self.queue, self.stacks = order, deque(cols), {}

    def __len__(self):
        return len(self.queue) + sum(map(len, self.stacks.values()))

    def push(self, col, label):
        if self.order == "lowest":
            self.stacks.setdefault(label, []).append(col)
        else:
            self.queue.append(col)

    def pop(self):
        if self.order == "lowest":
            return self.stacks[min(label for label, stack in self.stacks.items() if stack)].pop()
        return self.queue.popleft() if self.order == "fifo" else self.queue.pop()

    def refresh(self, label, limit):
        for _, stack in sorted(self.stacks.items()):
            self.queue.extend(reversed(stack))
        self.stacks = {}
        cols = [col for col in self.queue if label[col] < limit]
        self.queue = deque()
        for col in cols:
            self.push(col, label[col])


class Reference:
    """One solve. With ``reopen=False`` spread keeps its pointers when a column is relabelled, as printed."""

    def __init__(self, A, col_of_row, *, relabel, order, gap, fairness, spread, reopen=True):
        A = sp.csc_array(A)
        self.m, self.n = A.shape
        self.of_col = np.split(A.indices, A.indptr[1:-1]) if self.n else []
        self.of_row = [[c for c in range(self.n) if r in self.of_col[c]] for r in range(self.m)]
        self.col_of_row = list(col_of_row)
        self.row_of_col = [-1] * self.n
        for row, col in enumerate(self.col_of_row):
            if col >= 0:
                self.row_of_col[col] = row
        self.gap, self.fairness, self.spread, self.reopen = gap, fairness, spread, reopen
        self.limit = self.m + self.n
        self.threshold = max(1.0, self.limit / relabel)
        self.active = Active(order, [c for c in range(self.n) if self.row_of_col[c] < 0])
        self.turns = [0] * self.n
        self.visits = self.since_relabel = 0
        self.count = dict.fromkeys(COUNTS, 0)

    def solve(self):
        self.relabel_globally()
        while self.active:
            self.visit(self.active.pop())
            if self.since_relabel >= self.threshold and self.active:
                self.relabel_globally()
        return self

    def relabel_globally(self):
        self.count["global_relabels"] += 1
        self.since_relabel = 0
        self.row_label = [0 if col < 0 else self.limit for col in self.col_of_row]
        self.col_label = [self.limit] * self.n
        reached = deque(row for row in range(self.m) if self.col_of_row[row] < 0)
        while reached:
            row = reached.popleft()
            for col in self.of_row[row]:
                self.count["relabel_arc_scans"] += 1
                if self.col_label[col] == self.limit:
                    self.col_label[col] = self.row_label[row] + 1
                    mate = self.row_of_col[col]
                    if mate >= 0:
                        self.row_label[mate] = self.row_label[row] + 2
                        reached.append(mate)
        before = len(self.active)
        self.active.refresh(self.col_label, self.limit)
        self.count["retired"] += before - len(self.active)
        self.open = [(0, len(rows)) for rows in self.of_col]

    def backward(self, col):
        self.turns[col] += 1
        self.visits += 1
        turns = {
            "column": self.turns[col] - 1,
            "visit": self.visits - 1,
            "relabel": self.count["global_relabels"] - 1,
            "none": 0,
        }
        return turns[self.fairness] % 2 == 1

    def visit(self, col):
        rows, label = self.of_col[col], self.col_label[col]
        labels = [self.row_label[row] for row in rows]
        assert all(least >= label - 1 for least in labels)
        backward = self.backward(col)
        entry = self.choose(col, labels, backward)
        if entry is None or labels[entry] >= self.limit:
            if min(labels, default=self.limit) < self.limit:
                raise NotAMinimumError
            self.count["retired"] += 1
            return
        if labels[entry] != min(labels):
            raise NotAMinimumError
        self.push(col, rows[entry], admissible=labels[entry] == label - 1)

    def choose(self, col, labels, backward):
        """The entry a scan ends with; entries are numbered from the end that the visit starts at."""
        size = len(labels)
        first, end = self.open[col] if self.spread else (0, size)
        if backward:
            labels, first, end = labels[::-1], size - end, size - first
        unit = self.col_label[col]
        best, passed = None, 0
        order = [*range(first, end), *range(end, size), *range(first)]
        for position in order:
            if passed >= end - first and best is not None and labels[best] == unit + 1:
                break
            passed += 1
            if best is None or labels[position] < labels[best]:
                best = position
            if labels[best] == unit - 1:
                break
        self.count["search_arc_scans"] += passed
        if best is None:
            return None
        if labels[best] == unit - 1 or not self.reopen:
            first = best + 1
            end = max(first, end)
        elif best < first:
            first, end = best + 1, first
        else:
            first, end = (best + 1 if first == 0 else 0), size
        self.open[col] = (size - end, size - first) if backward else (first, end)
        return size - 1 - best if backward else best

    def push(self, col, row, admissible):
        left = self.col_of_row[row]
        old = self.row_label[row]
        self.col_of_row[row], self.row_of_col[col] = col, row
        self.col_label[col], self.row_label[row] = old + 1, old + 2
        if left >= 0:
            self.row_of_col[left] = -1
            self.active.push(left, self.col_label[left])
            self.count["all_double_pushes"] += 1
            self.count["double_pushes"] += not admissible
            self.since_relabel += not admissible
        if self.gap and old not in self.row_label and self.active:
            self.count["gap_relabels"] += 1
            self.row_label = [self.limit if label > old else label for label in self.row_label]


def random_pattern(rng):
    m, n = rng.integers(1, 25, 2)
    entries = rng.integers(0, 4 * max(m, n))
    rows = np.minimum(rng.integers(0, m, entries), rng.integers(0, m, entries))  # uneven degrees
    cols = rng.integers(0, n, entries)
    return sp.csr_array((np.ones(entries), (rows, cols)), shape=(m, n))


VARIANTS = [
    ("pr", "none", False),
    *[("pr-fair", turn, False) for turn in ("column", "visit", "relabel")],
    *[("pr-fair-spread", turn, True) for turn in ("column", "visit", "relabel")],
]


@pytest.mark.parametrize(("method", "fairness", "spread"), VARIANTS)
@pytest.mark.parametrize("order", ["fifo", "lifo", "lowest"])
def test_same_pairs_and_counts_as_the_reference(method, fairness, spread, order):
    rng = np.random.default_rng(20)
    for trial, gap in product(range(60), (False, True)):
        A = random_pattern(rng)
        relabel = float(rng.choice([0.01, 1, 4, 1000]))
        start = konig.maximum_matching(A, init="sgm", method="hk").col_of_row.copy()
        start[rng.random(len(start)) < 0.7] = -1
        knobs = {"relabel": relabel, "order": order, "gap": gap}
        own = {} if fairness == "none" else {"fairness": fairness}
        found = konig.maximum_matching(A, method=method, init="none", initial=start, **knobs, **own)
        found.verify(A)
        expected = Reference(A, start, fairness=fairness, spread=spread, **knobs).solve()
        assert found.col_of_row.tolist() == expected.col_of_row, trial
        assert {key: found.stats[key] for key in COUNTS} == expected.count, trial


def test_the_reference_notices_spread_pointers_that_outlive_a_relabelling():
    rng = np.random.default_rng(4)
    noticed = 0
    for _ in range(300):
        A = random_pattern(rng)
        knobs = {"relabel": 0.01, "order": "fifo", "gap": False, "fairness": "none", "spread": True}
        empty = [-1] * A.shape[0]
        Reference(A, empty, **knobs).solve()
        try:
            Reference(A, empty, **knobs, reopen=False).solve()
        except NotAMinimumError:
            noticed += 1
    assert noticed > 10
