"""Blocks of rows: they may come in any order and be empty, and together they are all rows."""

import numpy as np
import pytest
from distributed.simulated import on_ranks

from konig.distributed.ranks import Ranks
from konig.distributed.rows import agreed_rows, even_rows, even_share


def agreed(blocks):
    """What the ranks agree on where each has (first_row, count)."""

    def program(comm):
        ranks = Ranks(comm)
        with ranks.together():
            first, count = blocks[comm.rank]
            return agreed_rows(ranks, count, first)

    return on_ranks(len(blocks), program)


@pytest.mark.parametrize(
    ("blocks", "starts"),
    [
        ([(None, 3), (None, 0), (None, 4)], [0, 3, 3]),
        ([(4, 3), (0, 4), (9, 0)], [4, 0, 9]),
        ([(None, 0), (None, 0)], [0, 0]),
        ([(0, 5)], [0]),
    ],
)
def test_blocks_of_any_size_and_order(blocks, starts):
    for rank, rows in enumerate(agreed(blocks)):
        assert rows.first.tolist() == starts
        assert rows.total == sum(count for _, count in blocks)
        assert rows.here == slice(starts[rank], starts[rank] + blocks[rank][1])


def test_owners_and_joined_parts():
    rows = agreed([(4, 3), (0, 4), (7, 0), (7, 2)])[0]
    assert rows.owner(np.arange(9)).tolist() == [1, 1, 1, 1, 0, 0, 0, 3, 3]
    parts = [np.array([4, 5, 6]), np.array([0, 1, 2, 3]), np.array([], int), np.array([7, 8])]
    assert rows.joined(parts).tolist() == list(range(9))
    nothing = agreed([(None, 0), (None, 0)])[0]
    assert nothing.joined([np.zeros(0), np.zeros(0)]).shape == (0,)


@pytest.mark.parametrize(
    ("blocks", "message"),
    [
        ([(0, 3), (2, 3)], "row 2 is in the block of rank 1 and in another"),
        ([(0, 3), (4, 3)], "row 3 is in no block, that of rank 1 begins at 4"),
        ([(1, 3)], "row 0 is in no block"),
        ([(None, 3), (3, 3)], "rank 1 gives one and rank 0 does not"),
    ],
)
def test_blocks_that_do_not_fit_are_refused_on_all_ranks(blocks, message):
    for error in agreed(blocks):
        assert isinstance(error, ValueError)
        assert str(error).startswith(f"first_row: {message}")


def test_even_shares_cover_all_rows_once():
    for total, size in ((10, 3), (2, 5), (0, 2), (7, 7)):
        shares = [even_share(total, size, rank) for rank in range(size)]
        assert [i for share in shares for i in range(share.start, share.stop)] == list(range(total))
        assert max(s.stop - s.start for s in shares) - min(s.stop - s.start for s in shares) <= 1


def test_items_go_to_the_ranks_that_have_their_rows():
    rows = agreed([(4, 3), (0, 4), (7, 0), (7, 2)])[0]
    assert rows.stretches() == ([0, 4, 7], [1, 0, 3])
    parts = rows.split(np.array([8, 0, 5, 3, 4]), np.array([80, 0, 50, 30, 40]))
    assert [part.tolist() for part in parts] == [[50, 40], [0, 30], [], [80]]
    assert [len(part) for part in rows.split(np.array([], int), np.array([], int))] == [0, 0, 0, 0]


def test_even_rows_are_even_shares():
    rows = even_rows(7, 3, 1)
    assert rows.here == even_share(7, 3, 1)
    assert rows.total == 7
    assert rows.owner(np.arange(7)).tolist() == [0, 0, 1, 1, 2, 2, 2]
