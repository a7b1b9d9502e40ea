"""Maximum matching of a matrix whose rows are spread over ranks: validate, solve, return the proof."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np

from konig.arguments import LARGEST, checked_count, checked_flag, integers
from konig.distributed.local import Stages
from konig.distributed.matching_choice import solve
from konig.distributed.matching_proof import LocalProof, check_maximum_matching
from konig.distributed.ranks import all_ranks_of, on_all
from konig.distributed.rows import Rows, agreed_rows, even_rows
from konig.errors import CertificateError
from konig.matching.inputs import BipartiteGraph, as_graph
from konig.matching.result import Matching, VertexCover
from konig.progress import Report, reporting

METHOD = "dist-ms-bfs"


@dataclass(frozen=True, eq=False)
class DistributedMatching:
    """A maximum matching and its proof, as one of the ranks has them.

    Rows and columns have their numbers in the whole matrix. Columns are divided evenly among the ranks.

    Attributes
    ----------
    size : int
        How many pairs all ranks have together.
    col_of_row : ndarray
        The partner of each of this rank's rows, -1 where there is none.
    row_of_col : ndarray
        The partner of each of this rank's columns.
    cover : VertexCover
        Which of this rank's rows and columns are in a smallest vertex cover. Those of all ranks are `size`.
    method, device : str
        What ran.
    stats : dict
        ``start_size``, ``start_rounds`` (exchanges of Karp-Sipser), ``phases`` and ``rounds`` (exchanges of
        the search); ``arc_scans``, ``bytes_sent`` and ``seconds`` by stage are this rank's.
    nonzeros : int
        How many entries this rank has, duplicates and all.
    rows, cols : Rows
        Which rows and columns each rank has.
    """

    size: int
    col_of_row: np.ndarray
    row_of_col: np.ndarray
    cover: VertexCover
    method: str
    device: str
    stats: dict[str, Any]
    nonzeros: int
    rows: Rows
    cols: Rows
    drop_zeros: bool
    comm: Any = field(repr=False)

    @property
    def shape(self) -> tuple[int, int]:
        """Of the whole matrix."""
        return self.rows.total, self.cols.total

    def __repr__(self) -> str:
        rows, cols = self.shape
        return (
            f"DistributedMatching(size={self.size} of {rows} x {cols}, method={self.method!r}, "
            f"rank {self.rows.rank} of {len(self.rows.first)})"
        )

    def verify(self, local_csr: Any) -> None:
        """Prove the answer against the matrix, of which each rank passes its rows; all ranks call it.

        Raises
        ------
        CertificateError
            On all ranks, unless this is a matching and its cover proves it maximum.
        """
        with all_ranks_of(self.comm) as ranks:
            graph = _block(local_csr, self.drop_zeros)
            expected = len(self.col_of_row), self.cols.total
            if (graph.rows, graph.cols) != expected:
                raise CertificateError(
                    f"the answer is for a block of shape {expected}, not {(graph.rows, graph.cols)}"
                )
            mates, cover = (self.col_of_row, self.row_of_col), (self.cover.rows, self.cover.cols)
            size = check_maximum_matching(
                ranks, *graph.edges(), LocalProof(self.rows, self.cols, *mates, *cover)
            )
            if size != self.size:
                raise CertificateError(f"the answer claims size {self.size} but matches {size} pairs")

    def gather(self, root: int = 0) -> Matching | None:
        """The whole answer on the root, and nothing on other ranks; all ranks call it together."""
        with all_ranks_of(self.comm) as ranks:
            root = ranks.checked_root(root)
            col_of_row = ranks.gatherv(self.col_of_row, root)
            row_of_col = ranks.gatherv(self.row_of_col, root)
            cover = [ranks.gatherv(part, root) for part in (self.cover.rows, self.cover.cols)]
            nonzeros = ranks.total(self.nonzeros)
            if ranks.rank != root:
                return None
            mates = self.rows.joined(col_of_row), self.cols.joined(row_of_col)
            for partners in mates:
                partners.setflags(write=False)
            whole = Matching(
                self.size, *mates, self.method, self.device, self.stats, nonzeros, None, self.drop_zeros
            )
            # In the place of the one that would be found in a graph on first use.
            whole.__dict__["cover"] = VertexCover(*(np.sort(np.concatenate(parts)) for parts in cover))
            return whole


def maximum_matching(
    local_csr: Any,
    shape: tuple[int, int],
    comm: Any = None,
    *,
    first_row: int | None = None,
    drop_zeros: bool = False,
    progress: bool | Report | None = None,
) -> DistributedMatching:
    """Match as many rows with columns as the entries of a matrix allow, each rank having a block of its rows.

    All ranks of the communicator call it together.

    Parameters
    ----------
    local_csr : sparse matrix, array or path
        This rank's rows, any number of them, with all columns of the matrix: what
        `konig.maximum_matching` takes, but for pairs of index arrays, which do not say how many rows a
        block has. Stored zeros are entries unless `drop_zeros`; duplicates count once.
    shape : (int, int)
        The extent of the whole matrix.
    comm : mpi4py.MPI.Comm, optional
        The ranks; all of MPI's world if not given.
    first_row : int, optional
        Where in the matrix the block begins. If no rank gives it, blocks follow each other in the order of
        the ranks.
    drop_zeros : bool
        Whether stored zeros are no entries.
    progress : bool or callable, optional
        True for a bar on stderr, or a function called with (matched so far, upper bound) after each exchange;
        each rank says for itself.

    Returns
    -------
    DistributedMatching
        The partners of this rank's rows and columns, the size, and the cover that proves it.

    Examples
    --------
    >>> import scipy.sparse as sp, konig.distributed as kd
    >>> A = sp.csr_array([[1, 1, 0], [1, 0, 0], [0, 0, 0]])
    >>> m = kd.maximum_matching(A, A.shape)
    >>> m.size, m.col_of_row.tolist()
    (2, [1, 0, -1])
    >>> m.verify(A)
    """
    began = perf_counter()
    with all_ranks_of(comm) as ranks, reporting(progress, "matching") as report:
        stages = Stages()
        n_rows, n_cols = integers("shape", shape, length=2)
        drop_zeros = checked_flag("drop_zeros", drop_zeros)
        graph = _block(local_csr, drop_zeros)
        if graph.cols != n_cols:
            raise ValueError(f"local_csr has {graph.cols} columns, but shape says {n_cols}")
        ranks.require_same("shape", (n_rows, n_cols))
        ranks.require_same("drop_zeros", drop_zeros)
        rows = agreed_rows(ranks, graph.rows, checked_count("first_row", first_row, least=0, most=LARGEST))
        if rows.total != n_rows:
            raise on_all(ValueError(f"shape says {n_rows} rows, but the ranks have {rows.total} together"))
        cols = even_rows(n_cols, ranks.size, ranks.rank)
        stages.ends("convert")
        found = solve(ranks, graph, rows, cols, stages, report)
        cover = VertexCover(
            rows.here.start + np.flatnonzero(found.row_in_cover),
            cols.here.start + np.flatnonzero(found.col_in_cover),
        )
        stats = found.stats | {
            "bytes_sent": ranks.sent,
            "seconds": stages.seconds | {"total": perf_counter() - began},
        }
        mates = found.col_of_row, found.row_of_col
        for partners in mates:
            partners.setflags(write=False)
        return DistributedMatching(
            found.size, *mates, cover, METHOD, "cpu", stats, graph.nonzeros, rows, cols, drop_zeros, comm
        )


def _block(local_csr: Any, drop_zeros: bool) -> BipartiteGraph:
    """This rank's rows as a graph."""
    if isinstance(local_csr, tuple):
        raise TypeError(
            "local_csr: index arrays do not say how many rows a block has; make a sparse matrix of them"
        )
    return as_graph(local_csr, drop_zeros=drop_zeros, name="local_csr")
