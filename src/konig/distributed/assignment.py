"""Linear assignment of costs whose rows are spread over ranks: validate, solve, return the proof."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from konig.arguments import LARGEST, MOST_THREADS, checked_count, checked_flag
from konig.assignment.cpu import Refusal
from konig.assignment.gpu import costs_there
from konig.assignment.inputs import dense_costs
from konig.assignment.proof import check_optimal_assignment, dense_blocks
from konig.assignment.result import Assignment
from konig.distributed import core, hungarian
from konig.distributed.array_costs import BYTES, CHUNK
from konig.distributed.local import LocalFound
from konig.distributed.ranks import Ranks, all_ranks_of, on_all
from konig.distributed.rows import Rows, agreed_rows
from konig.errors import CertificateError
from konig.gpu.device import Gpu, cupy_or_error
from konig.interop.arrays import HOST, Place, place_of, to_numpy
from konig.progress import Report, reporting
from konig.registry import choose_device

ARRAYS = ("row_ind", "col_ind", "row_dual", "col_dual")


@dataclass(frozen=True, eq=False)
class DistributedAssignment:
    """An optimal assignment as one of the ranks has it.

    Attributes
    ----------
    row_ind, col_ind : ndarray
        The pairs of this rank's rows, in the numbers of the whole matrix, rows ascending.
    cost, gap : int or float
        What the pairs of all ranks cost together, and a proven bound on how far that is from the optimum.
    row_dual : ndarray
        The duals of this rank's rows.
    col_dual : ndarray
        The duals of all columns, the same on all ranks.
    method, device, stats, maximize
        As in `konig.Assignment`; times, and bytes sent, are this rank's.
    rows : Rows
        Which rows each rank has.
    place : Place
        Where the rows were, and the arrays of the answer are.
    """

    row_ind: np.ndarray
    col_ind: np.ndarray
    cost: Any
    gap: Any
    row_dual: np.ndarray
    col_dual: np.ndarray
    method: str
    device: str
    stats: dict[str, Any]
    maximize: bool
    rows: Rows
    comm: Any = field(repr=False)
    place: Place = HOST

    @property
    def shape(self) -> tuple[int, int]:
        """Of the whole matrix."""
        return self.rows.total, len(self.col_dual)

    def on_host(self) -> DistributedAssignment:
        """The same in arrays of NumPy."""
        if self.place == HOST:
            return self
        there: dict[str, Any] = {name: to_numpy(getattr(self, name)) for name in ARRAYS}
        return replace(self, **there, place=HOST)

    def __repr__(self) -> str:
        rows, cols = self.shape
        return (
            f"DistributedAssignment(size={min(rows, cols)} of {rows} x {cols}, cost={self.cost}, "
            f"method={self.method!r}, rank {self.rows.rank} of {len(self.rows.first)})"
        )

    def verify(self, local_rows: Any) -> None:
        """Prove the answer against the costs, of which each rank passes its rows; all ranks call it together.

        Raises
        ------
        CertificateError
            On all ranks, unless the assignment is full and the duals prove that it is optimal.
        """
        with all_ranks_of(self.comm) as ranks:
            costs = agreed_block(ranks, dense_costs(local_rows, "local_rows"))
            expected = len(self.row_dual), len(self.col_dual)
            if costs.shape != expected:
                raise CertificateError(f"the answer is for costs of shape {expected}, not {costs.shape}")
            host = self.on_host()
            host._check_parts(ranks)
            parts = host.row_ind, host.col_ind, host.row_dual
            row_ind, col_ind, row_dual = (self.rows.joined(ranks.allgatherv(part)) for part in parts)
            check_optimal_assignment(
                dense_blocks(costs, self.rows.here.start),
                self.shape,
                row_ind,
                col_ind,
                self.cost,
                self.gap,
                row_dual,
                host.col_dual,
                self.maximize,
                of_all=lambda found: np.concatenate(ranks.allgatherv(np.array(found, costs.dtype))).tolist(),
            )

    def gather(self, root: int = 0) -> Assignment | None:
        """The whole answer on the root, and nothing on other ranks; all ranks call it together."""
        with all_ranks_of(self.comm) as ranks:
            root = ranks.checked_root(root)
            host = self.on_host()
            host._check_parts(ranks)
            gathered = [ranks.gatherv(part, root) for part in (host.row_ind, host.col_ind, host.row_dual)]
            if ranks.rank != root:
                return None
            row_ind, col_ind, row_dual = (self.place.give(self.rows.joined(parts)) for parts in gathered)
            whole = row_ind, col_ind, self.cost, self.gap, row_dual, self.col_dual
            return Assignment(*whole, self.method, self.device, self.stats, self.maximize, place=self.place)

    def _check_parts(self, ranks: Ranks) -> None:
        """Refuse arrays of other types than an answer has, and parts that ranks do not agree on."""
        dual = np.dtype(np.int64 if self.col_dual.dtype.kind == "i" else np.float64)
        kinds = {
            "row_ind": np.dtype(np.int64),
            "col_ind": np.dtype(np.int64),
            "row_dual": dual,
            "col_dual": dual,
        }
        for name, kind in kinds.items():
            if getattr(self, name).dtype != kind:
                raise CertificateError(f"{name}: {getattr(self, name).dtype} where {kind} are expected")
        mine = (
            self.cost,
            self.gap,
            self.maximize,
            self.rows.first.tolist(),
            self.rows.count.tolist(),
            self.shape,
        )
        if ranks.bcast_object((mine, dual)) != (mine, dual):
            raise CertificateError("this rank has another cost, gap or division of the rows than rank 0")
        if (ranks.bcast(self.col_dual) != self.col_dual).any():
            raise CertificateError("this rank has another dual of a column than rank 0")


def linear_assignment(
    local_rows: Any,
    comm: Any = None,
    first_row: int | None = None,
    maximize: bool = False,
    method: str = "auto",
    device: str = "auto",
    threads: int = 1,
    progress: bool | Report | None = None,
) -> DistributedAssignment:
    """Assign rows to columns, each to at most one, so that the costs sum up to as little as possible.

    All ranks of the communicator call it together, each with a block of rows.

    Parameters
    ----------
    local_rows : array
        This rank's rows of the costs, (any number, m); in memory, mapped from a file, or on a GPU. Types and
        infinities are those of `konig.linear_assignment`, and all ranks have the same type of those
        that costs are solved in: int32, int64, float32 or float64. An array without rows may have any.
    comm : mpi4py.MPI.Comm, optional
        The ranks; all of MPI's world if not given.
    first_row : int, optional
        Where in the matrix the block begins. If no rank gives it, blocks follow each other in the order of
        the ranks.
    maximize : bool
        Sum up to as much as possible.
    method : {"auto", "core", "hungarian-classical", "hungarian-tree"}
        "auto" is "core".
    device : {"auto", "cpu", "cuda", "cuda:N"}
        Where this rank's rows are read: by "auto" where they are. Ranks may share a GPU. With "cuda" and rows
        in host memory, rank r takes GPU r modulo the GPUs that it sees.
    threads : int
        Of each rank.
    progress : bool or callable, optional
        True for a bar on stderr, or a function called with (assigned so far, to be assigned), on the rank
        that knows: rank 0.

    Returns
    -------
    DistributedAssignment
        The pairs of this rank's rows, the cost of all, and the duals that prove it.

    Raises
    ------
    InfeasibleError
        If no assignment is full. This and errors about what one rank passes are raised on all ranks.
    """
    with all_ranks_of(comm) as ranks, reporting(progress, "assignment") as report, ExitStack() as stack:
        maximize = checked_flag("maximize", maximize)
        threads = checked_count("threads", threads, most=MOST_THREADS) or 1
        solve = _solver(method)
        seconds: dict[str, float] = {}
        place = place_of(local_rows, "local_rows") or HOST
        gpu = _gpu(device, place, ranks.rank)
        if gpu is not None:
            stack.enter_context(gpu)
            block = agreed_block(ranks, _rows_there(gpu, local_rows, place, seconds), gpu.cupy)
        else:
            block = agreed_block(ranks, dense_costs(local_rows, "local_rows"))
        rows = agreed_rows(ranks, len(block), checked_count("first_row", first_row, least=0, most=LARGEST))
        ranks.require_same("maximize", maximize)
        ranks.require_same("method", method)
        xp = None if gpu is None else gpu.cupy
        found: LocalFound = solve(
            ranks, rows, block, maximize, threads, report if ranks.rank == 0 else None, xp
        )
        if isinstance(found, Refusal):
            raise on_all(found)
        found.stats["seconds"] = seconds | found.stats["seconds"]
        assigned = np.flatnonzero(found.col_of_row >= 0)
        pairs = assigned + rows.here.start, found.col_of_row[assigned]
        given = [place.give(part) for part in (*pairs, found.row_dual, found.col_dual)]
        for part in given:
            if isinstance(part, np.ndarray):
                part.setflags(write=False)
        row_ind, col_ind, row_dual, col_dual = given
        return DistributedAssignment(
            row_ind,
            col_ind,
            found.cost,
            found.gap,
            row_dual,
            col_dual,
            "core" if method == "auto" else method,
            "cpu" if gpu is None else str(gpu),
            found.stats,
            maximize,
            rows,
            comm,
            place,
        )


def _solver(method: str) -> Any:
    solvers = {
        "auto": core.solve,
        "core": core.solve,
        "hungarian-classical": hungarian.solve_classical,
        "hungarian-tree": hungarian.solve_tree,
    }
    if method not in solvers:
        raise ValueError(f"method must be one of {', '.join(solvers)}, not {method!r}")
    return solvers[method]


def _gpu(device: str, place: Place, rank: int) -> Gpu | None:
    """The GPU that reads this rank's rows, None on the host."""
    kind, number = choose_device(None, device, place.gpu)
    if kind == "cpu":
        return None
    if number is None:
        number = rank % int(cupy_or_error(f"device={device!r}").cuda.runtime.getDeviceCount())
    return Gpu(number, place)


def _rows_there(gpu: Gpu, local_rows: Any, place: Place, seconds: dict[str, float]) -> Any:
    """This rank's rows on the current device, row after row."""

    def require(shape: tuple[int, ...], itemsize: int, copied: int) -> None:
        rows, cols = (*shape, 0, 0)[:2]
        gpu.require_memory(copied + BYTES * min(CHUNK, rows * cols), rows, cols, rows * cols)

    if place.gpu is None:
        local_rows = dense_costs(local_rows, "local_rows")
    return gpu.cupy.ascontiguousarray(costs_there(gpu, local_rows, place, 2, require, seconds))


def agreed_block(ranks: Ranks, block: Any, xp: Any = np) -> Any:
    """This rank's rows, of as many columns and of the type that all ranks have.

    An array without rows, of which library ``xp`` is, says nothing about either.
    """
    if block.ndim != 2:
        raise ValueError(f"local_rows must have two dimensions (rows, columns), not shape {block.shape}")
    said = ranks.allgather_objects((len(block) > 0, block.shape[1], block.dtype.str))
    first = next((rank for rank, (has_rows, *_) in enumerate(said) if has_rows), 0)
    _, cols, kind = said[first]
    for rank, (has_rows, other_cols, other_kind) in enumerate(said):
        if has_rows and (other_cols, other_kind) != (cols, kind):
            raise on_all(
                ValueError(
                    f"local_rows: rank {rank} has {other_cols} columns of {np.dtype(other_kind)}, "
                    f"rank {first} has {cols} of {np.dtype(kind)}"
                )
            )
    return block if len(block) else xp.empty((0, cols), kind)
