"""What ranks say to each other: a few collective operations on arrays, by MPI or among one rank alone.

Everything that travels between ranks passes through `Comm`. All ranks call the same operations in the
same order.
"""

from __future__ import annotations

import sys
import traceback
from typing import Any, Literal, NoReturn, Protocol

import numpy as np

Reduction = Literal["min", "max", "sum", "or"]


class Comm(Protocol):
    """Ranks ``0 <= rank < size`` that exchange one-dimensional arrays.

    Arrays of one operation have the same type on all ranks, and the same length but for those whose names
    end in ``v``.
    """

    rank: int
    size: int

    def allreduce(self, values: np.ndarray, how: Reduction) -> np.ndarray:
        """The minima, maxima, sums or unions of what the ranks pass, place by place."""

    def bcast(self, values: np.ndarray, root: int) -> np.ndarray:
        """What the root passes; the others say by ``values`` how much they expect."""

    def gatherv(self, values: np.ndarray, root: int) -> list[np.ndarray]:
        """On the root what each rank passes, elsewhere nothing."""

    def allgatherv(self, values: np.ndarray) -> list[np.ndarray]:
        """What each rank passes."""

    def alltoallv(self, parts: list[np.ndarray]) -> list[np.ndarray]:
        """What each rank passes for this one; ``parts[r]`` is for rank r."""

    def abort(self, error: BaseException) -> NoReturn:
        """Ends all ranks because of an error in the midst of an operation, of which others cannot be told."""


class SoloComm:
    """One rank, without MPI."""

    rank = 0
    size = 1

    def allreduce(self, values: np.ndarray, how: Reduction) -> np.ndarray:
        return values.copy()

    def bcast(self, values: np.ndarray, root: int) -> np.ndarray:
        return values

    def gatherv(self, values: np.ndarray, root: int) -> list[np.ndarray]:
        return [values]

    def allgatherv(self, values: np.ndarray) -> list[np.ndarray]:
        return [values]

    def alltoallv(self, parts: list[np.ndarray]) -> list[np.ndarray]:
        return list(parts)

    def abort(self, error: BaseException) -> NoReturn:
        raise error


class MpiComm:
    """The ranks of an mpi4py communicator.

    It works on a duplicate, so that messages of the caller's own are never mistaken for ours, nor those of
    two calls on different threads for each other's. `free` gives the duplicate back.
    """

    def __init__(self, comm: Any):
        from mpi4py import MPI

        self._mpi = MPI
        self._comm = comm.Dup()
        self.rank: int = comm.Get_rank()
        self.size: int = comm.Get_size()
        self._operations = {"min": MPI.MIN, "max": MPI.MAX, "sum": MPI.SUM, "or": MPI.BOR}

    def free(self) -> None:
        """Ends the use of the communicator, on all ranks together."""
        self._comm.Free()

    def allreduce(self, values: np.ndarray, how: Reduction) -> np.ndarray:
        reduced = np.ascontiguousarray(values).copy()
        self._comm.Allreduce(self._mpi.IN_PLACE, reduced, op=self._operations[how])
        return reduced

    def bcast(self, values: np.ndarray, root: int) -> np.ndarray:
        sent = np.ascontiguousarray(values)
        if self.rank != root:
            sent = np.empty_like(sent)
        self._comm.Bcast(self._bytes(sent), root=root)
        return sent

    def gatherv(self, values: np.ndarray, root: int) -> list[np.ndarray]:
        sent = np.ascontiguousarray(values)
        counts = np.zeros(self.size, np.int64)
        self._comm.Gather(np.array([sent.nbytes]), counts if self.rank == root else None, root=root)
        if self.rank != root:
            self._comm.Gatherv(self._bytes(sent), None, root=root)
            return []
        received = np.empty(int(counts.sum()), np.uint8)
        self._comm.Gatherv(self._bytes(sent), (received, counts, None, self._mpi.BYTE), root=root)
        return _cut(received, counts, sent.dtype)

    def allgatherv(self, values: np.ndarray) -> list[np.ndarray]:
        sent = np.ascontiguousarray(values)
        counts = np.zeros(self.size, np.int64)
        self._comm.Allgather(np.array([sent.nbytes]), counts)
        received = np.empty(int(counts.sum()), np.uint8)
        self._comm.Allgatherv(self._bytes(sent), (received, counts, None, self._mpi.BYTE))
        return _cut(received, counts, sent.dtype)

    def alltoallv(self, parts: list[np.ndarray]) -> list[np.ndarray]:
        dtype = parts[0].dtype
        sending = np.array([part.nbytes for part in parts])
        receiving = np.zeros(self.size, np.int64)
        self._comm.Alltoall(sending, receiving)
        sent = np.concatenate(parts)
        received = np.empty(int(receiving.sum()), np.uint8)
        self._comm.Alltoallv(
            (sent.view(np.uint8), sending, None, self._mpi.BYTE),
            (received, receiving, None, self._mpi.BYTE),
        )
        return _cut(received, receiving, dtype)

    def abort(self, error: BaseException) -> NoReturn:
        traceback.print_exception(error)
        sys.stderr.flush()
        self._comm.Abort(1)
        raise error

    def _bytes(self, values: np.ndarray) -> list[Any]:
        return [values.reshape(-1).view(np.uint8), self._mpi.BYTE]


def _cut(received: np.ndarray, counts: np.ndarray, dtype: np.dtype) -> list[np.ndarray]:
    """The part of each rank, of which there are so many bytes."""
    ends = np.cumsum(counts)
    return [received[end - count : end].view(dtype) for count, end in zip(counts, ends, strict=True)]
