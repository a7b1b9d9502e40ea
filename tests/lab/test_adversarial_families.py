"""Instances that defeat starts, lack a perfect matching or have a block form that is known."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.sparse.csgraph import connected_components, maximum_bipartite_matching, structural_rank

from konig.lab.generators import (
    chain,
    dumbbell,
    hall_violator,
    planted_btf,
    planted_btf_blocks,
)


def neighbours(A):
    A = A.tocsr()
    return [A.indices[A.indptr[i] : A.indptr[i + 1]].tolist() for i in range(A.shape[0])]


def greedy(A):
    """Match each column, in order, with its first free row; return row_of_col."""
    row_of_col, taken = {}, set()
    for col, rows in enumerate(neighbours(A.T)):
        row = next((row for row in rows if row not in taken), None)
        if row is not None:
            row_of_col[col] = row
            taken.add(row)
    return row_of_col


def karp_sipser(A):
    """Match vertices of degree one first, else the first column with its first row; return row_of_col."""
    sides = {
        "row": dict(enumerate(map(set, neighbours(A)))),
        "col": dict(enumerate(map(set, neighbours(A.T)))),
    }
    other = {"row": "col", "col": "row"}
    row_of_col = {}

    def remove(side, vertex):
        for neighbour in sides[side].pop(vertex):
            sides[other[side]][neighbour].discard(vertex)

    while True:
        single = [(side, v) for side in sides for v, near in sides[side].items() if len(near) == 1]
        side, vertex = single[0] if single else ("col", next((c for c, r in sides["col"].items() if r), None))
        if vertex is None:
            return row_of_col
        mate = min(sides[side][vertex])
        row, col = (vertex, mate) if side == "row" else (mate, vertex)
        row_of_col[col] = row
        remove("row", row)
        remove("col", col)


def shortest_augmenting_path(A, row_of_col):
    """Return the number of edges of a shortest augmenting path, by breadth-first search."""
    rows_of, col_of_row = neighbours(A.T), {row: col for col, row in row_of_col.items()}
    queue = deque((col, 0) for col in range(A.shape[1]) if col not in row_of_col)
    seen = set()
    while queue:
        col, length = queue.popleft()
        for row in rows_of[col]:
            if row not in col_of_row:
                return length + 1
            if row not in seen:
                seen.add(row)
                queue.append((col_of_row[row], length + 2))
    return None


class TestAdversarialFamilies:
    @pytest.mark.parametrize(("length", "copies"), [(2, 1), (7, 1), (5, 4)])
    def test_chain_defeats_greedy_from_either_side(self, length, copies):
        A = chain(length, copies)
        for side in (A, A.T):
            start = greedy(side)
            assert len(start) == (length - 1) * copies
            assert shortest_augmenting_path(side, start) == 2 * length - 1

    def test_chain_is_solved_by_the_degree_one_rule(self):
        assert len(karp_sipser(chain(9, 2))) == 18

    @pytest.mark.parametrize(("length", "copies"), [(1, 1), (6, 1), (4, 3)])
    def test_dumbbell_defeats_karp_sipser_from_either_side(self, length, copies):
        A = dumbbell(length, copies)
        assert min(np.diff(A.indptr).min(), np.diff(A.tocsc().indptr).min()) == 2
        for side in (A, A.T):
            start = karp_sipser(side)
            assert len(start) == A.shape[0] - copies
            assert shortest_augmenting_path(side, start) == 4 * length + 3

    def test_dumbbell_defeats_greedy(self):
        assert len(greedy(dumbbell(5, 3))) <= 3 * 14 - 3

    @given(st.data())
    @settings(max_examples=60, deadline=None)
    def test_hall_violator_has_its_deficiency(self, data):
        sets = data.draw(st.integers(1, 4))
        set_cols = data.draw(st.integers(1, 4))
        deficiency = data.draw(st.integers(sets, 12))
        rows = sets * set_cols + deficiency + data.draw(st.integers(0, 20))
        cols = rows - deficiency + data.draw(st.integers(0, 20))
        seed = data.draw(st.integers(0, 2**64))
        A = hall_violator(rows, cols, deficiency, sets, set_cols, data.draw(st.integers(1, 5)), seed=seed)
        assert A.shape == (rows, cols)
        assert structural_rank(A) == rows - deficiency

    def test_hall_violator_sets_have_too_few_columns(self):
        A = hall_violator(60, 60, deficiency=7, sets=3, set_cols=4, shuffle=False, seed=1)
        row, col = np.nonzero(A.toarray()[: 3 * 4 + 7])
        assert set(col) == set(range(12))
        count, labels = connected_components(
            sparse.csr_array((np.ones(row.size), (row, col + 19)), shape=(31, 31))
        )
        assert count == 3
        assert sorted(np.bincount(labels[:19])) == [6, 6, 7]

    def test_hall_violator_without_deficiency_has_full_row_rank(self):
        assert structural_rank(hall_violator(30, 30, deficiency=0, seed=1)) == 30


def dulmage_mendelsohn(A):
    """Return row and column labels of the fine decomposition, computed from a maximum matching."""
    row_of_col = maximum_bipartite_matching(A, perm_type="row")
    col_of_row = maximum_bipartite_matching(A, perm_type="column")
    wide_rows, wide_cols = alternating_reach(A.T, row_of_col, col_of_row)
    tall_cols, tall_rows = alternating_reach(A, col_of_row, row_of_col)
    square = [row for row in range(A.shape[0]) if row not in wide_rows | tall_rows]
    B = A[square][:, [col_of_row[row] for row in square]]
    _, block = connected_components(B, connection="strong")
    rows = {row: ("square", block[k]) for k, row in enumerate(square)}
    cols = {col_of_row[row]: rows[row] for row in square}
    rows |= dict.fromkeys(wide_rows, "wide") | dict.fromkeys(tall_rows, "tall")
    cols |= dict.fromkeys(wide_cols, "wide") | dict.fromkeys(tall_cols, "tall")
    return [rows[row] for row in range(A.shape[0])], [cols[col] for col in range(A.shape[1])]


def alternating_reach(A, mate, mate_back):
    """Return what free rows of A reach by alternating paths: the columns and the rows."""
    near = neighbours(A)
    stack = [row for row in range(A.shape[0]) if mate[row] < 0]
    rows, cols = set(stack), set()
    while stack:
        for col in near[stack.pop()]:
            if col not in cols:
                cols.add(col)
                rows.add(int(mate_back[col]))
                stack.append(int(mate_back[col]))
    return cols, rows


class TestPlantedBlocks:
    @pytest.mark.parametrize("density", [0, 0.02, 0.3])
    @pytest.mark.parametrize(
        ("sizes", "wide", "tall"),
        [
            ((6, 1, 1, 3, 2, 9), (0, 0), (0, 0)),
            ((4, 1, 2), (3, 5), (6, 2)),
            ((), (5, 6), (3, 1)),
            ((2, 2), (0, 3), (2, 0)),
            ((), (0, 0), (0, 0)),
        ],
    )
    def test_planted_blocks_are_the_fine_decomposition(self, sizes, wide, tall, density):
        A = planted_btf(sizes, density, wide, tall, seed=5)
        row_block, col_block = planted_btf_blocks(sizes, wide, tall, seed=5)
        assert A.shape == (row_block.size, col_block.size)
        entries = A.tocoo()
        assert (row_block[entries.row] <= col_block[entries.col]).all()
        rows, cols = dulmage_mendelsohn(A)
        planted = [*row_block.tolist(), *col_block.tolist()]
        found = [*rows, *cols]
        assert len(set(zip(planted, found, strict=True))) == len(set(planted)) == len(set(found))
        assert all((label == "wide") == (block == -1) for block, label in zip(planted, found, strict=True))
        assert all(
            (label == "tall") == (block == len(sizes)) for block, label in zip(planted, found, strict=True)
        )

    def test_unshuffled_form_is_block_upper_triangular(self):
        row_block, col_block = planted_btf_blocks((3, 2), (1, 2), (2, 1), shuffle=False)
        assert (np.diff(row_block) >= 0).all()
        assert (np.diff(col_block) >= 0).all()
        dense = planted_btf((3, 2), 1.0, (1, 2), (2, 1), shuffle=False).toarray()
        assert (dense == (row_block[:, None] <= col_block[None, :])).all()
