"""Ranks that go on together or stop together.

Before every operation the ranks agree that none of them has failed. A rank that raises an error takes part in
that agreement instead of the operation, tells the others why, and all of them raise the same error. So no
rank waits for one that has failed, whatever the others were about to do. A failure in the midst of an
operation cannot be told to anybody: it ends all processes, as the death of one does under mpirun.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, ParamSpec, TypeVar

import numpy as np

from konig.arguments import integer
from konig.distributed.comm import Comm, MpiComm, Reduction
from konig.distributed.interrupts import Interrupts

P = ParamSpec("P")
R = TypeVar("R")


class Stopped(BaseException):
    """Carries the error that all ranks have agreed on out of `Ranks.together`."""

    def __init__(self, error: BaseException):
        self.error = error


class Ranks:
    """The operations of a `Comm`, each after an agreement that all ranks are still there."""

    def __init__(self, comm: Comm, interrupts: Interrupts | None = None):
        self._comm = comm
        self.rank, self.size = comm.rank, comm.size
        self.sent = 0  # bytes that this rank has passed to operations
        self._interrupts = interrupts or Interrupts()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Runs a block on all ranks; an error on one of them is raised on all, and names its rank.

        Ctrl-C is such an error, unless it comes when all ranks are done: then it is raised where it came.
        """
        with self._interrupts.heard():
            try:
                self._interrupts.release()
                yield
                self._interrupts.hold()
                self._agree(None)
            except Stopped as stopped:
                raise stopped.error from None
            except BaseException as error:
                self._interrupts.hold()
                try:
                    self._agree(error)
                except Stopped as stopped:
                    raise stopped.error from error

    def allreduce(self, values: np.ndarray, how: Reduction) -> np.ndarray:
        with self._interrupts:
            self._before(values)
            return self._performed(self._comm.allreduce, values, how)

    def bcast(self, values: np.ndarray, root: int = 0) -> np.ndarray:
        with self._interrupts:
            self._before(values if self.rank == root else None)
            return self._performed(self._comm.bcast, values, root)

    def gatherv(self, values: np.ndarray, root: int = 0) -> list[np.ndarray]:
        with self._interrupts:
            self._before(values)
            return self._performed(self._comm.gatherv, values, root)

    def allgatherv(self, values: np.ndarray) -> list[np.ndarray]:
        with self._interrupts:
            self._before(values)
            return self._performed(self._comm.allgatherv, values)

    def alltoallv(self, parts: list[np.ndarray]) -> list[np.ndarray]:
        with self._interrupts:
            self._before(*parts)
            return self._performed(self._comm.alltoallv, parts)

    def bcast_object(self, value: Any, root: int = 0) -> Any:
        """What the root passes, whatever it is."""
        described = np.frombuffer(pickle.dumps(value if self.rank == root else None), np.uint8)
        length = int(self.bcast(np.array([len(described)], np.int64), root)[0])
        sent = self.bcast(described if self.rank == root else np.empty(length, np.uint8), root)
        return pickle.loads(sent.tobytes())

    def allgather_objects(self, value: Any) -> list[Any]:
        """What each rank passes, whatever it is."""
        described = self.allgatherv(np.frombuffer(pickle.dumps(value), np.uint8))
        return [pickle.loads(part.tobytes()) for part in described]

    def require_same(self, name: str, value: Any) -> None:
        """An error on all ranks unless all of them pass the same argument."""
        for rank, other in enumerate(said := self.allgather_objects(value)):
            if other != said[0]:
                raise on_all(ValueError(f"{name}: rank {rank} gives {other!r}, rank 0 {said[0]!r}"))

    def least(self, value: int) -> int:
        """The least of the ranks' numbers."""
        return int(self.allreduce(np.array([value], np.int64), "min")[0])

    def total(self, value: int) -> int:
        """The sum of the ranks' numbers."""
        return int(self.allreduce(np.array([value], np.int64), "sum")[0])

    def _performed(self, operation: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
        """What an operation returns; if it fails, for want of memory for what arrives, say, all ranks end."""
        try:
            return operation(*arguments, **named)
        except BaseException as error:
            self._comm.abort(error)

    def checked_root(self, root: int) -> int:
        """The rank that a result is to be gathered on, the same on all ranks."""
        root = integer("root", root, 0, self.size - 1)
        self.require_same("root", root)
        return root

    def _before(self, *arrays: np.ndarray | None) -> None:
        self._agree(None)
        if self.size > 1:
            self.sent += sum(array.nbytes for array in arrays if array is not None)

    def _agree(self, error: BaseException | None) -> None:
        """Raises if a rank has an error: that of the first of them."""
        failed = np.array([self.size if error is None else self.rank], np.int64)
        first = int(self._comm.allreduce(failed, "min")[0])
        if first == self.size:
            return
        described = _described(error, self.rank) if error is not None and first == self.rank else b""
        length = self._comm.bcast(np.array([len(described)], np.int64), first)
        text = np.frombuffer(described, np.uint8) if described else np.empty(int(length[0]), np.uint8)
        raise Stopped(pickle.loads(self._comm.bcast(text, first).tobytes()))


@contextmanager
def all_ranks_of(comm: Any) -> Iterator[Ranks]:
    """Runs a block on all ranks of an mpi4py communicator (or of a `Comm`); of MPI's world for None.

    An error on one rank is raised on all of them.
    """
    if comm is None:
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
    interrupts = Interrupts()
    with interrupts.heard():
        interrupts.hold()  # while ranks wait for each other to come
        ours = _opened(comm)
        try:
            ranks = Ranks(ours, interrupts)
            with ranks.together():
                yield ranks
        finally:
            if ours is not comm:
                ours.free()


def _opened(comm: Any) -> Any:
    if not hasattr(comm, "Get_rank"):
        if not hasattr(comm, "allgatherv"):
            raise TypeError(f"comm must be an mpi4py communicator, not {comm!r}")
        return comm
    if not comm or comm.Is_inter():
        raise ValueError("comm must be an intracommunicator of which this process is a rank")
    return MpiComm(comm)


def on_all(error: Exception) -> Exception:
    """The error, which every rank is about to raise: its message need not name one of them."""
    error.on_all = True  # type: ignore[attr-defined]
    return error


def _described(error: BaseException, rank: int) -> bytes:
    """The error in bytes, its message beginning with the rank where that can be."""
    if getattr(error, "on_all", False) or isinstance(error, SystemExit):
        return pickle.dumps(error)
    text = ""
    with suppress(Exception):  # that of an error may raise errors itself
        text = error.message if isinstance(error, BaseExceptionGroup) else str(error)
    message = f"rank {rank}" + (f": {text}" if text else "")
    kind: Any = type(error)
    parts: tuple[Any, ...] = (error.exceptions,) if isinstance(error, BaseExceptionGroup) else ()
    for make in (lambda: kind(message, *parts), lambda: error):  # some kinds are not made from a message
        with suppress(Exception):
            described = pickle.dumps(make())
            pickle.loads(described)
            return described
    return pickle.dumps(RuntimeError(f"{kind.__name__}: {message}"))
