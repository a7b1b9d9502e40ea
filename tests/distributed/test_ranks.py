"""Operations between ranks, and errors that end on all of them."""

import numpy as np
import pytest
from distributed.simulated import on_ranks

from konig.distributed.comm import SoloComm
from konig.distributed.ranks import Ranks, all_ranks_of


class RefusedError(ValueError):
    """An error that takes more than a message."""

    def __init__(self, message, place):
        super().__init__(f"{message} at {place}")
        self.place = place


def every_operation(ranks):
    """One of each, on arrays that say where they come from."""
    here, size = ranks.rank, ranks.size
    parts = [np.full(here + 1, 10 * here + there) for there in range(size)]
    return {
        "min": ranks.allreduce(np.array([here, -here]), "min").tolist(),
        "sum": ranks.total(here),
        "or": ranks.allreduce(np.array([1 << here], np.uint8), "or").tolist(),
        "bcast": ranks.bcast(np.array([here, 7.5]), size - 1).tolist(),
        "gatherv": [part.tolist() for part in ranks.gatherv(np.arange(here, dtype=np.int32))],
        "allgatherv": [part.tolist() for part in ranks.allgatherv(np.arange(here))],
        "alltoallv": [part.tolist() for part in ranks.alltoallv(parts)],
    }


def expected(rank, size):
    return {
        "min": [0, 1 - size],
        "sum": sum(range(size)),
        "or": [(1 << size) - 1],
        "bcast": [size - 1, 7.5],
        "gatherv": [list(range(r)) for r in range(size)] if rank == 0 else [],
        "allgatherv": [list(range(r)) for r in range(size)],
        "alltoallv": [[10 * r + rank] * (r + 1) for r in range(size)],
    }


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_operations(size):
    seen = on_ranks(size, lambda comm: every_operation(Ranks(comm)), late=0.002)
    assert seen == [expected(rank, size) for rank in range(size)]


def test_one_rank_needs_no_others():
    assert every_operation(Ranks(SoloComm())) == expected(0, 1)


@pytest.mark.parametrize("step", range(9))
@pytest.mark.parametrize("failing", [(0,), (2,), (0, 1, 2), (1, 2)])
def test_an_error_before_any_operation_ends_on_all_ranks(step, failing):
    """Ranks fail before an operation, after the last one, or each before another one."""

    def program(comm):
        ranks = Ranks(comm)
        left = step if comm.rank in failing else 99

        def one(operation, *arguments):
            nonlocal left
            left -= 1
            if left < 0:
                raise KeyError(f"cannot go on, says {comm.rank}")
            return operation(*arguments)

        with ranks.together():
            one(ranks.allreduce, np.zeros(3), "min")
            one(ranks.allreduce, np.zeros(1, np.int64), "sum")
            one(ranks.bcast, np.zeros(2), 1)
            one(ranks.gatherv, np.zeros(comm.rank))
            one(ranks.allgatherv, np.zeros(comm.rank))
            one(ranks.alltoallv, [np.zeros(comm.rank)] * comm.size)
            one(ranks.least, 3)
            one(int)
            one(int)
        return "all is well"

    first = min(failing)
    for error in on_ranks(3, program, seed=step, late=0.001):
        assert isinstance(error, KeyError)
        assert error.args == (f"rank {first}: 'cannot go on, says {first}'",)


def test_ranks_may_fail_at_different_operations():
    """The one that fails first in the common order is heard, and the others stop before they get there."""

    def program(comm):
        ranks = Ranks(comm)
        with ranks.together():
            for k in range(5):
                if k == 4 - comm.rank:
                    raise ValueError(f"at {k}")
                ranks.least(k)

    assert {str(error) for error in on_ranks(3, program)} == {"rank 2: at 2"}


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (ValueError("costs[3, 4] is NaN"), ValueError, "rank 1: costs[3, 4] is NaN"),
        (KeyboardInterrupt(), KeyboardInterrupt, "rank 1"),
        (MemoryError("no room"), MemoryError, "rank 1: no room"),
        (
            ExceptionGroup("two", [OSError("a"), KeyError("b")]),
            ExceptionGroup,
            "rank 1: two (2 sub-exceptions)",
        ),
        (RefusedError("no", (1, 2)), RuntimeError, "RefusedError: rank 1: no at (1, 2)"),
    ],
)
def test_errors_keep_their_kind(error, kind, message):
    def program(comm):
        with Ranks(comm).together():
            if comm.rank == 1:
                raise error

    for seen in on_ranks(2, program):
        assert type(seen) is kind
        assert str(seen) == message


def test_a_block_that_ended_well_leaves_the_ranks_usable():
    def fail(ranks):
        with ranks.together():
            if ranks.rank == 0:
                raise ValueError("once")
            ranks.total(1)

    def program(comm):
        ranks = Ranks(comm)
        with pytest.raises(ValueError, match="rank 0: once"):
            fail(ranks)
        with ranks.together():
            return ranks.total(1)

    assert on_ranks(3, program) == [3, 3, 3]


def test_bytes_that_travel_are_counted():
    def program(comm):
        ranks = Ranks(comm)
        ranks.allgatherv(np.zeros(10 * comm.rank))
        ranks.bcast(np.zeros(4))
        return ranks.sent

    assert on_ranks(2, program) == [32, 80]
    assert on_ranks(1, program) == [0]


class SpeechlessError(Exception):
    """Has no text."""

    def __str__(self):
        raise RuntimeError("no words")


@pytest.mark.parametrize(
    ("error", "kind"), [(SpeechlessError(), SpeechlessError), (SystemExit(3), SystemExit)]
)
def test_errors_of_any_kind_end_all_ranks(error, kind):
    def program(comm):
        with Ranks(comm).together():
            if comm.rank == 1:
                raise error
            Ranks(comm).total(1)

    outcomes = on_ranks(3, program)
    assert {type(seen) for seen in outcomes} == {kind}
    if kind is SystemExit:
        assert {seen.code for seen in outcomes} == {3}


@pytest.mark.parametrize("comm", [3, "world", object()])
def test_what_is_no_communicator_is_named(comm):
    with pytest.raises(TypeError, match="comm must be an mpi4py communicator"), all_ranks_of(comm):
        pass
