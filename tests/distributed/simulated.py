"""Ranks as threads of one process, which are late at random, and may be made to fail at any operation."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass, field

import numpy as np

WAIT = 30.0  # seconds after which ranks that wait for each other have come to a standstill


class StandstillError(AssertionError):
    """Some ranks wait for others that will not come."""


@dataclass
class Board:
    """Where the ranks put what they pass."""

    size: int
    barrier: threading.Barrier = field(init=False)
    posted: list = field(init=False)

    def __post_init__(self):
        self.barrier = threading.Barrier(self.size)
        self.posted = [None] * self.size


class SimulatedComm:
    """One of the threads, as a konig.distributed.comm.Comm.

    ``fails_at`` is the number of the operation before which this rank raises, and ``late`` how long it may
    dawdle around each, in seconds.
    """

    def __init__(self, board, rank, seed=0, late=0.0, fails_at=None):
        self.board, self.rank, self.size = board, rank, board.size
        self.draw, self.late, self.fails_at = random.Random(seed * 1009 + rank), late, fails_at
        self.operations = 0

    def _exchange(self, name, values):
        self.operations += 1
        if self.late:
            time.sleep(self.draw.random() * self.late)
        self.board.posted[self.rank] = name, values
        self._wait()
        seen = list(self.board.posted)
        if self.late:
            time.sleep(self.draw.random() * self.late)
        self._wait()  # nobody posts the next one before all have seen this one
        assert len({other for other, _ in seen}) == 1, f"ranks are at different operations: {seen}"
        return [values for _, values in seen]

    def _wait(self):
        try:
            self.board.barrier.wait(WAIT)
        except threading.BrokenBarrierError:
            raise StandstillError(f"rank {self.rank} waits at its operation {self.operations}") from None

    def allreduce(self, values, how):
        seen = self._exchange(f"allreduce {how} {values.dtype} {values.shape}", values.copy())
        reduce = {"min": np.minimum, "max": np.maximum, "sum": np.add, "or": np.bitwise_or}[how]
        return reduce.reduce(np.stack(seen), axis=0).astype(values.dtype)

    def bcast(self, values, root):
        return self._exchange(f"bcast {root} {values.dtype} {values.shape}", values.copy())[root].copy()

    def gatherv(self, values, root):
        seen = self._exchange(f"gatherv {root} {values.dtype}", values.copy())
        return [part.copy() for part in seen] if self.rank == root else []

    def allgatherv(self, values):
        return [part.copy() for part in self._exchange(f"allgatherv {values.dtype}", values.copy())]

    def abort(self, error):
        self.board.barrier.abort()
        raise error

    def alltoallv(self, parts):
        assert len(parts) == self.size
        seen = self._exchange(f"alltoallv {parts[0].dtype}", [part.copy() for part in parts])
        return [other[self.rank].copy() for other in seen]


def on_ranks(size, program, seed=0, late=0.0):
    """What ``program(comm)`` returns on each of so many ranks, or the error that it raises."""
    board, outcomes = Board(size), [None] * size

    def work(rank):
        try:
            outcomes[rank] = program(SimulatedComm(board, rank, seed, late))
        except BaseException as error:
            outcomes[rank] = error
            if isinstance(error, AssertionError):
                board.barrier.abort()  # the test has failed: nobody need wait

    threads = [threading.Thread(target=work, args=(rank,)) for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for outcome in outcomes:
        if isinstance(outcome, AssertionError):
            raise outcome
    return outcomes
