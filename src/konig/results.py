"""What solvers return: frozen answers that carry their certificate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from konig import _native, certificates
from konig.errors import CertificateError
from konig.graph import BipartiteGraph, as_graph


@dataclass(frozen=True, eq=False)
class VertexCover:
    """Rows and columns that together meet every entry of the matrix; both arrays are sorted."""

    rows: np.ndarray
    cols: np.ndarray

    def __len__(self) -> int:
        return len(self.rows) + len(self.cols)


@dataclass(frozen=True, eq=False)
class Matching:
    """A maximum matching and its proof.

    Attributes
    ----------
    size : int
        How many pairs are matched.
    col_of_row, row_of_col : ndarray
        The partner of each row and of each column, -1 where there is none.
    method, device : str
        What actually ran.
    stats : dict
        What the method counted, and ``stats["seconds"]`` by part; the method's page lists the keys.
    """

    size: int
    col_of_row: np.ndarray
    row_of_col: np.ndarray
    method: str
    device: str
    stats: Mapping[str, Any]
    graph: BipartiteGraph = field(repr=False)
    drop_zeros: bool = field(default=False, repr=False)

    @cached_property
    def cover(self) -> VertexCover:
        """A smallest vertex cover, the dual of the matching, found on first use in linear time."""
        graph, col_of_row, row_of_col = self.graph, self.col_of_row, self.row_of_col
        if not graph.has_cols:  # search from the rows instead of making the other orientation
            cols, rows = _konig_cover(graph.transposed(), row_of_col, col_of_row)
        else:
            rows, cols = _konig_cover(graph, col_of_row, row_of_col)
        return VertexCover(rows, cols)

    def verify(self, A: Any, *, shape: tuple[int, int] | None = None, drop_zeros: bool | None = None) -> None:
        """Prove the answer against ``A``, in linear time and without any solver.

        Raises
        ------
        CertificateError
            Unless this is a matching of ``A`` and its cover proves it maximum.

        Examples
        --------
        >>> import numpy as np, konig
        >>> A = np.array([[1, 1], [1, 0]])
        >>> konig.maximum_matching(A).verify(A)
        """
        drop_zeros = self.drop_zeros if drop_zeros is None else drop_zeros
        if shape is None and isinstance(A, tuple | list):
            shape = (len(self.col_of_row), len(self.row_of_col))
        graph = as_graph(A, shape=shape, drop_zeros=drop_zeros)
        if (graph.rows, graph.cols) != (len(self.col_of_row), len(self.row_of_col)):
            raise CertificateError(
                f"the answer is for a {len(self.col_of_row)} x {len(self.row_of_col)} matrix, "
                f"not {graph.rows} x {graph.cols}"
            )
        size = certificates.check_maximum_matching(
            *graph.edges(), self.col_of_row, self.row_of_col, self.cover.rows, self.cover.cols
        )
        if size != self.size:
            raise CertificateError(f"the answer claims size {self.size} but matches {size} pairs")


def _konig_cover(
    graph: BipartiteGraph, col_of_row: np.ndarray, row_of_col: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The rows that alternating paths from unmatched columns reach, and the columns that they do not."""
    row_reached = np.empty(graph.rows, np.uint8)
    col_reached = np.empty(graph.cols, np.uint8)
    lists = graph.of_col
    _native.alternating_reach(lists.start, lists.neighbour, col_of_row, row_of_col, row_reached, col_reached)
    return np.flatnonzero(row_reached), np.flatnonzero(col_reached == 0)
