"""A maximum matching and its proof."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from konig.arguments import checked_flag
from konig.errors import CertificateError
from konig.interop import arrays
from konig.matching.alternating import alternating_reach
from konig.matching.inputs import BipartiteGraph, as_graph
from konig.matching.proof import check_matching, check_maximum_matching
from konig.refusal import check_indices, check_number
from konig.results import Result, statistics


@dataclass(frozen=True, eq=False)
class VertexCover:
    """Rows and columns that together meet every entry of the matrix; both arrays are sorted."""

    rows: Any
    cols: Any

    def __len__(self) -> int:
        return len(self.rows) + len(self.cols)

    def on_host(self) -> VertexCover:
        """The same in arrays of NumPy."""
        return VertexCover(arrays.to_numpy(self.rows), arrays.to_numpy(self.cols))


@dataclass(frozen=True, eq=False)
class Reached:
    """The rows that alternating paths from unmatched columns reach; of columns, from rows, if not `of_rows`.

    A search that proves a matching maximum has found them.
    """

    marks: np.ndarray
    of_rows: bool

    def on_host(self) -> Reached:
        """Itself: it is never on a GPU."""
        return self

    def cover(self, col_of_row: np.ndarray, row_of_col: np.ndarray) -> VertexCover:
        """What is reached, and of the other side what is matched to the rest: a smallest vertex cover."""
        far = col_of_row if self.of_rows else row_of_col
        marks = self.marks.view(bool)
        partners = far[~marks]
        beside = np.sort(partners[partners >= 0]).astype(np.intp, copy=False)
        reached = np.flatnonzero(marks)
        return VertexCover(reached, beside) if self.of_rows else VertexCover(beside, reached)


@dataclass(frozen=True, eq=False, repr=False)
class Matching(Result):
    """A maximum matching and its proof.

    Attributes
    ----------
    size : int
        How many pairs are matched.
    col_of_row, row_of_col : array
        The partner of each row and of each column, -1 where there is none: NumPy arrays, or those of the
        input's library where the input was.
    method, device : str
        What actually ran.
    stats : dict
        What the method counted, and ``stats["seconds"]`` by part; the method's page lists the keys.
    nonzeros : int
        How many entries the matrix has, duplicates and all.
    """

    size: int
    col_of_row: Any
    row_of_col: Any
    method: str
    device: str
    stats: Mapping[str, Any]
    nonzeros: int
    # Where the cover is found, in memory that no caller writes to, or what a search has found of it; None
    # where one side is matched completely and is the cover.
    graph: BipartiteGraph | Reached | None
    drop_zeros: bool = False
    place: arrays.Place = arrays.HOST

    PLACED = ("col_of_row", "row_of_col", "graph")
    LATER: ClassVar[Mapping[str, Callable[[Any], Any]]] = {
        "stats": lambda result: _small_stats(*result.found),
        "graph": lambda result: reached(*result.found[1:3]),
    }

    def __repr__(self) -> str:
        rows, cols = self.shape
        return (
            f"Matching(size={self.size} of {rows} x {cols}, method={self.method!r}, device={self.device!r})"
        )

    @property
    def shape(self) -> tuple[int, int]:
        """The extent of the matrix."""
        return len(self.col_of_row), len(self.row_of_col)

    @cached_property
    def cover(self) -> VertexCover:
        """A smallest vertex cover, the dual of the matching, found on first use in linear time.

        It is found on the host, in a copy of the pattern that the answer keeps; for an input on a GPU that is
        copied to the host once.
        """
        if self.place != arrays.HOST:
            found = self.on_host().cover
            return VertexCover(self.place.give(found.rows), self.place.give(found.cols))
        col_of_row, row_of_col = self.col_of_row, self.row_of_col
        if self.graph is None:
            return _shorter_side(*self.shape)
        if isinstance(self.graph, Reached):
            return self.graph.cover(col_of_row, row_of_col)
        graph, mates = self.graph.on_host(), (col_of_row, row_of_col)
        of_rows = graph.has_cols  # else search from the rows instead of making the other orientation
        marks, _ = alternating_reach(*((graph, *mates) if of_rows else (graph.transposed(), *mates[::-1])))
        return Reached(marks, of_rows).cover(*mates)

    def verify(self, A: Any, *, shape: tuple[int, int] | None = None, drop_zeros: bool | None = None) -> None:
        """Prove the answer against ``A``, in linear time, on the host and without any solver.

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
        graph = self.graph_to_check(A, shape, drop_zeros)
        answer = self.on_host()
        edges, mates = graph.edges(), (answer.col_of_row, answer.row_of_col)
        check_matching(*edges, *mates)  # the search for a cover relies on it
        size = check_maximum_matching(*edges, *mates, answer.cover.rows, answer.cover.cols)
        check_number("size", self.size, whole=True)
        if size != self.size:
            raise CertificateError(f"the answer claims size {self.size} but matches {size} pairs")

    def graph_to_check(
        self, A: Any, shape: tuple[int, int] | None = None, drop_zeros: bool | None = None
    ) -> BipartiteGraph:
        """The graph of ``A`` as this answer understands it: of its extent, with its rule for stored zeros."""
        answer = self.on_host()
        check_indices("col_of_row", answer.col_of_row)
        check_indices("row_of_col", answer.row_of_col)
        drop_zeros = self.drop_zeros if drop_zeros is None else checked_flag("drop_zeros", drop_zeros)
        rows, cols = self.shape
        if shape is None and isinstance(A, tuple):
            shape = rows, cols
        graph = as_graph(A, shape=shape, drop_zeros=drop_zeros)
        if (graph.rows, graph.cols) != (rows, cols):
            raise CertificateError(
                f"the answer is for a {rows} x {cols} matrix, not {graph.rows} x {graph.cols}"
            )
        return graph


def _small_stats(
    init: str, marks: Any, of_rows: bool, counts: tuple[Any, ...], total: float
) -> dict[str, Any]:
    stats = statistics(counts, convert=0.0, transpose=0.0)
    return {"init": init, **stats, "seconds": seconds_of_parts(stats["seconds"], total)}


def seconds_of_parts(seconds: dict[str, float], total: float) -> dict[str, float]:
    """With what is left of the total for the main part."""
    main = total - sum(seconds.values())
    return seconds | {"main": main, "total": total}


def reached(marks: Any, of_rows: bool) -> Reached | None:
    """What a search reached, None where it had nothing to prove."""
    return None if marks is None else Reached(marks, of_rows)


def kept_graph(graph: BipartiteGraph, size: int) -> BipartiteGraph | None:
    """What a matching of this size must keep of its graph to have a cover: nothing if one side is full."""
    return None if size == min(graph.rows, graph.cols) else graph.owned()


def _shorter_side(rows: int, cols: int) -> VertexCover:
    nothing = np.zeros(0, np.intp)
    return VertexCover(np.arange(rows), nothing) if rows <= cols else VertexCover(nothing, np.arange(cols))
