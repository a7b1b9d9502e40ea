"""The Dulmage-Mendelsohn decomposition and the block triangular form."""

import signal
import sys
import time

import numpy as np
import pytest
import scipy.sparse as sp
from cases.data import needs_data, real_matrices
from cases.matrices import random_pattern
from hypothesis import given, settings
from hypothesis import strategies as st
from patience import quickest
from scipy.sparse.csgraph import connected_components
from triangular_cases import blocks_as_sets, checked_form

import konig
from konig import _native, io

WAYS = [
    {"method": "hk", "init": "none"},
    {"method": "hk", "init": "ksm"},
    {"method": "hkdw", "init": "none"},
    {"method": "hkdw", "init": "sgm"},
    {"method": "hkdw", "init": "ksm"},
]


def block_shapes(form):
    return sorted(zip(np.diff(form.row_blocks).tolist(), np.diff(form.col_blocks).tolist(), strict=True))


def fine_sizes(form):
    return np.diff(form.row_blocks)[form.fine_blocks.start : form.fine_blocks.stop]


patterns = st.integers(0, 9).flatmap(
    lambda rows: st.integers(0, 9).flatmap(
        lambda cols: st.lists(st.booleans(), min_size=rows * cols, max_size=rows * cols).map(
            lambda bits: np.array(bits, bool).reshape(rows, cols)
        )
    )
)


# --- what the form is ---


def test_a_small_matrix_worked_by_hand():
    # Columns 0 and 3 share row 2 alone; rows 0 and 3 and columns 1 and 4 depend on each other; row 1 and
    # column 2 stand alone.
    A = np.array(
        [
            [0, 1, 0, 0, 1],
            [0, 0, 1, 0, 0],
            [1, 0, 1, 1, 0],
            [0, 1, 1, 0, 1],
        ]
    )
    form = checked_form(A)
    assert form.coarse.horizontal.rows.tolist() == [2]
    assert form.coarse.horizontal.cols.tolist() == [0, 3]
    assert form.coarse.vertical.shape == (0, 0)
    assert blocks_as_sets(form) == {
        (frozenset({2}), frozenset({0, 3})),
        (frozenset({1}), frozenset({2})),
        (frozenset({0, 3}), frozenset({1, 4})),
    }
    assert form.num_blocks == 3
    assert form.diagonal == 1


def test_the_matching_lies_on_one_diagonal():
    rng = np.random.default_rng(5)
    for rows, cols in ((60, 60), (50, 80), (80, 50)):
        A = random_pattern(rng, rows, cols, 1.5)
        form = checked_form(A)
        diagonal = form.permuted(A).diagonal(form.diagonal)
        assert np.all(diagonal[: form.matching.size] != 0)


def test_the_permuted_matrix_has_nothing_below_its_blocks():
    rng = np.random.default_rng(6)
    A = random_pattern(rng, 70, 75, 1.6)
    form = checked_form(A)
    dense = form.permuted(A).toarray()
    assert np.array_equal(dense, A.toarray()[form.row_perm][:, form.col_perm])
    for bottom, right in zip(form.row_blocks[1:], form.col_blocks[1:], strict=True):
        assert not dense[bottom:, :right].any()


def test_block_numbers_agree_with_the_permutations():
    A = random_pattern(np.random.default_rng(7), 40, 45, 1.4)
    form = checked_form(A)
    for number in range(form.num_blocks):
        rows = form.row_perm[form.row_blocks[number] : form.row_blocks[number + 1]]
        cols = form.col_perm[form.col_blocks[number] : form.col_blocks[number + 1]]
        assert set(form.block_of_row[rows].tolist()) <= {number}
        assert set(form.block_of_col[cols].tolist()) <= {number}


def test_a_triangular_matrix_has_blocks_of_size_one():
    A = np.tril(np.ones((30, 30)))
    form = checked_form(A)
    assert form.num_blocks == 30
    assert np.array_equal(form.permuted(A).toarray(), np.triu(np.ones((30, 30))))


@pytest.mark.parametrize("extent", [1, 2, 17])
def test_a_full_square_matrix_is_one_block(extent):
    assert checked_form(np.ones((extent, extent))).row_blocks.tolist() == [0, extent]


@pytest.mark.parametrize(
    ("shape", "rows", "cols"),
    [((3, 5), [0, 3], [0, 5]), ((5, 3), [0, 5], [0, 3])],
)
def test_a_full_rectangular_matrix_is_one_block(shape, rows, cols):
    form = checked_form(np.ones(shape))
    assert (form.row_blocks.tolist(), form.col_blocks.tolist()) == (rows, cols)


@pytest.mark.parametrize(
    ("shape", "blocks"),
    [((0, 0), 0), ((0, 4), 1), ((4, 0), 1), ((3, 4), 2), ((1, 1), 2)],
)
def test_a_matrix_without_entries(shape, blocks):
    form = checked_form(sp.csr_array(shape))
    assert form.num_blocks == blocks
    assert form.coarse.horizontal.shape == (0, shape[1])
    assert form.coarse.vertical.shape == (shape[0], 0)
    assert form.permuted(sp.csr_array(shape)).shape == shape


@given(patterns)
@settings(max_examples=200, deadline=None)
def test_every_small_form_is_proved(pattern):
    checked_form(pattern)


@given(patterns, st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_shuffling_rows_and_columns_keeps_the_blocks(pattern, random):
    row_order = np.array(random.sample(range(pattern.shape[0]), pattern.shape[0]), int)
    col_order = np.array(random.sample(range(pattern.shape[1]), pattern.shape[1]), int)
    form = checked_form(pattern)
    shuffled = checked_form(pattern[row_order][:, col_order])
    renamed = {
        (frozenset(row_order[list(rows)].tolist()), frozenset(col_order[list(cols)].tolist()))
        for rows, cols in blocks_as_sets(shuffled)
    }
    assert renamed == blocks_as_sets(form)


@given(patterns)
@settings(max_examples=100, deadline=None)
def test_transposing_exchanges_the_rectangular_parts(pattern):
    form, transposed = checked_form(pattern), checked_form(pattern.T)
    assert {(cols, rows) for rows, cols in blocks_as_sets(transposed)} == blocks_as_sets(form)
    assert transposed.coarse.vertical.rows.tolist() == form.coarse.horizontal.cols.tolist()
    assert transposed.coarse.horizontal.cols.tolist() == form.coarse.vertical.rows.tolist()


@given(patterns)
@settings(max_examples=100, deadline=None)
def test_the_blocks_do_not_depend_on_the_matching(pattern):
    forms = [checked_form(pattern, **way) for way in WAYS]
    assert all(blocks_as_sets(form) == blocks_as_sets(forms[0]) for form in forms)


@pytest.mark.parametrize("degree", [1.2, 2.0, 3.0])
@pytest.mark.parametrize("shape", [(400, 400), (350, 400), (400, 350)])
def test_the_blocks_of_random_matrices_do_not_depend_on_the_matching(shape, degree):
    A = random_pattern(np.random.default_rng(int(100 * degree)), *shape, degree)
    forms = [checked_form(A, **way) for way in WAYS]
    assert all(blocks_as_sets(form) == blocks_as_sets(forms[0]) for form in forms)


@pytest.mark.parametrize("degree", [1.0, 1.5, 2.0, 4.0])
def test_fine_blocks_are_the_strong_components_that_scipy_finds(degree):
    n = 500
    A = random_pattern(np.random.default_rng(int(10 * degree)), n, n, degree) + sp.eye_array(n, format="csr")
    A = A[np.random.default_rng(3).permutation(n)]
    form = checked_form(A)
    matched = A.tocsc()[:, form.matching.col_of_row]
    count, labels = connected_components(matched, directed=True, connection="strong")
    assert form.num_blocks == count
    assert sorted(np.bincount(labels).tolist()) == sorted(fine_sizes(form).tolist())
    joint = len(np.unique(np.column_stack((labels, form.block_of_row)), axis=0))
    assert joint == count


def test_fine_blocks_of_a_singular_matrix_are_the_strong_components_of_its_square_part():
    A = random_pattern(np.random.default_rng(8), 900, 900, 2.0)
    form = checked_form(A)
    square = form.coarse.square
    assert all(part.shape[0] > 0 for part in form.coarse.parts)
    row_of_col = form.matching.row_of_col[square.cols]
    count, labels = connected_components(A[row_of_col][:, square.cols], directed=True, connection="strong")
    assert len(form.fine_blocks) == count
    assert sorted(np.bincount(labels).tolist()) == sorted(fine_sizes(form).tolist())


def planted_form(rng, sizes, wide, tall):
    """Dense blocks in a random order of rows and columns, and entries above them."""
    blocks = [np.ones(wide), *(np.ones((size, size)) for size in sizes), np.ones(tall)]
    row_of_entry = np.repeat(np.arange(len(blocks)), [len(block) for block in blocks])
    col_of_entry = np.repeat(np.arange(len(blocks)), [block.shape[1] for block in blocks])
    above = row_of_entry[:, None] < col_of_entry[None, :]
    pattern = (row_of_entry[:, None] == col_of_entry[None, :]) | (above & (rng.random(above.shape) < 0.05))
    return pattern[rng.permutation(len(pattern))][:, rng.permutation(pattern.shape[1])]


@pytest.mark.parametrize("seed", range(5))
def test_planted_blocks_are_found(seed):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 7, 12).tolist()
    form = checked_form(planted_form(rng, sizes, (3, 5), (6, 4)))
    assert block_shapes(form) == sorted([(3, 5), (6, 4), *((size, size) for size in sizes)])
    assert form.row_parts.tolist() == [0, 3, 3 + sum(sizes), 9 + sum(sizes)]


def test_a_long_chain_needs_no_recursion():
    n = 200_000
    cycle = sp.csr_array((np.ones(2 * n), (np.tile(np.arange(n), 2), np.r_[:n, 1:n, 0])), (n, n))
    chain = sp.diags_array([np.ones(n), np.ones(n - 1)], offsets=[0, 1], format="csr")
    both_ways = sp.diags_array([np.ones(n - 1), np.ones(n), np.ones(n - 1)], offsets=[-1, 0, 1], format="csr")
    assert checked_form(cycle).num_blocks == 1
    assert checked_form(chain).num_blocks == n
    assert checked_form(chain.T.tocsr()).num_blocks == n
    assert checked_form(both_ways).num_blocks == 1
    assert checked_form(chain[:-1]).coarse.horizontal.shape == (n - 1, n)
    assert checked_form(chain[:, 1:]).coarse.vertical.shape == (n, n - 1)


# --- real matrices, whose number of blocks the SuiteSparse index gives ---


def check_published_blocks(matrices):
    for matrix in matrices:
        A = io.read(matrix.path)
        form = konig.block_triangular_form(A, drop_zeros=True)
        form.verify(A)
        assert form.num_blocks == matrix.blocks, matrix.path.name


@needs_data
def test_small_real_matrices_have_the_published_number_of_blocks():
    known = sorted((m for m in real_matrices() if m.blocks is not None), key=lambda m: (m.entries, m.path))
    small = [matrix for matrix in known if matrix.entries < 20_000]
    assert small
    check_published_blocks(small[:: max(1, len(small) // 40)][:40])


@pytest.mark.long
@needs_data
def test_all_real_matrices_have_the_published_number_of_blocks():
    check_published_blocks(matrix for matrix in real_matrices() if matrix.blocks is not None)


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX signal")
def test_ctrl_c_stops_the_search_for_blocks():
    n = 4_000_000
    start = np.arange(0, 2 * n + 1, 2)
    rows = np.column_stack((np.arange(n), np.random.default_rng(1).integers(0, n, n))).ravel()
    mates = np.arange(n)
    component = np.empty(n, np.int64)

    def seconds_to_stop():
        previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        began = time.perf_counter()
        try:
            with pytest.raises(KeyboardInterrupt):
                _native.strong_components(start, rows, mates, mates, np.ones(n, np.uint8), component)
        finally:
            signal.signal(signal.SIGALRM, previous)
        return time.perf_counter() - began - 0.05

    assert quickest(seconds_to_stop, 0.2) < 0.2
