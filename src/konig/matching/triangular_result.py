"""The Dulmage-Mendelsohn decomposition and the block triangular form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from konig.matching.alternating import alternating_forest
from konig.matching.inputs import as_csr
from konig.matching.result import Matching
from konig.matching.triangular_proof import check_block_triangular_form, check_dulmage_mendelsohn


@dataclass(frozen=True, eq=False)
class Part:
    """A part of a matrix: its rows and its columns, both sorted."""

    rows: np.ndarray
    cols: np.ndarray

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.cols)


@dataclass(frozen=True, eq=False)
class DulmageMendelsohn:
    """The coarse Dulmage-Mendelsohn decomposition and its proof.

    Attributes
    ----------
    horizontal : Part
        The underdetermined part: what alternating paths from unmatched columns reach. It is empty or has
        more columns than rows.
    square : Part
        The well-determined part: what neither kind of path reaches.
    vertical : Part
        The overdetermined part: what alternating paths from unmatched rows reach. It is empty or has more
        rows than columns.
    matching : Matching
        The maximum matching that the decomposition was read off from. The parts do not depend on it.
    stats : dict
        ``stats["seconds"]`` by part: convert, matching, coarse and total.
    """

    horizontal: Part
    square: Part
    vertical: Part
    matching: Matching
    stats: Mapping[str, Any]

    @property
    def parts(self) -> tuple[Part, Part, Part]:
        """The horizontal, the square and the vertical part."""
        return self.horizontal, self.square, self.vertical

    def verify(self, A: Any, *, shape: tuple[int, int] | None = None, drop_zeros: bool | None = None) -> None:
        """Prove the answer against ``A`` without any solver.

        The witness, paths that reach all of the horizontal and the vertical part, is searched for in ``A``.

        Raises
        ------
        CertificateError
            Unless these are the parts of ``A``.
        """
        matching = self.matching
        graph = matching.graph_to_check(A, shape, drop_zeros)
        find_forest = partial(alternating_forest, graph, matching.col_of_row, matching.row_of_col)
        check_dulmage_mendelsohn(*graph.edges(), self, find_forest)


@dataclass(frozen=True, eq=False)
class BlockTriangularForm:
    """Permutations that make a matrix block upper triangular with irreducible blocks, and their proof.

    Row ``row_perm[i]`` of the matrix is row i of the form, and likewise for columns. The first block is the
    horizontal part unless that is empty, the last the vertical part unless that is empty; between them lie
    the blocks of the square part.

    Attributes
    ----------
    row_perm, col_perm : ndarray
        The permutations: ``A[row_perm][:, col_perm]`` is the form.
    row_blocks, col_blocks : ndarray
        Block b takes rows ``row_blocks[b]:row_blocks[b + 1]`` and columns ``col_blocks[b]:col_blocks[b + 1]``
        of the form.
    row_parts, col_parts : ndarray
        Four boundaries each: the horizontal part takes rows ``row_parts[0]:row_parts[1]`` and columns
        ``col_parts[0]:col_parts[1]`` of the form, and so on for the square and the vertical part.
    matching : Matching
        The maximum matching on the diagonal. The blocks do not depend on it.
    stats : dict
        ``stats["seconds"]`` by part: convert, matching, coarse, fine and total.
    """

    row_perm: np.ndarray
    col_perm: np.ndarray
    row_blocks: np.ndarray
    col_blocks: np.ndarray
    row_parts: np.ndarray
    col_parts: np.ndarray
    matching: Matching
    stats: Mapping[str, Any]

    @property
    def num_blocks(self) -> int:
        """How many blocks: those of the square part, and one for each rectangular part that is not empty."""
        return len(self.row_blocks) - 1

    @property
    def diagonal(self) -> int:
        """Which diagonal of the form holds the matching: entry i of it, for every i below its size.

        It is the number of unmatched columns, which come first. The unmatched rows come last.
        """
        return int(self.col_parts[1] - self.row_parts[1])

    @property
    def fine_blocks(self) -> range:
        """The numbers of the blocks of the square part."""
        wide = int(self.col_parts[1] > 0)
        tall = int(self.row_parts[3] > self.row_parts[2])
        return range(wide, self.num_blocks - tall)

    @cached_property
    def block_of_row(self) -> np.ndarray:
        """The number of the block that holds each row of the matrix."""
        return _labels(self.row_perm, self.row_blocks)

    @cached_property
    def block_of_col(self) -> np.ndarray:
        """The number of the block that holds each column of the matrix."""
        return _labels(self.col_perm, self.col_blocks)

    @cached_property
    def coarse(self) -> DulmageMendelsohn:
        """The coarse decomposition that the form refines."""
        rows = np.split(self.row_perm, self.row_parts[1:3])
        cols = np.split(self.col_perm, self.col_parts[1:3])
        horizontal, square, vertical = map(Part, map(np.sort, rows), map(np.sort, cols))
        return DulmageMendelsohn(horizontal, square, vertical, self.matching, self.stats)

    def permuted(self, A: Any) -> Any:
        """``A[row_perm][:, col_perm]``, as a scipy.sparse matrix in CSR format.

        Examples
        --------
        >>> import numpy as np, konig
        >>> A = np.array([[0, 2, 3], [0, 0, 4], [5, 6, 0]])
        >>> konig.block_triangular_form(A).permuted(A).toarray()
        array([[5, 6, 0],
               [0, 2, 3],
               [0, 0, 4]])
        """
        extent = (len(self.row_perm), len(self.col_perm))
        matrix = as_csr(A, shape=extent, drop_zeros=self.matching.drop_zeros)
        if matrix.shape != extent:
            raise ValueError(
                f"A is {matrix.shape[0]} x {matrix.shape[1]}, but the form is that of a "
                f"{extent[0]} x {extent[1]} matrix"
            )
        return matrix[self.row_perm][:, self.col_perm]

    def verify(self, A: Any, *, shape: tuple[int, int] | None = None, drop_zeros: bool | None = None) -> None:
        """Prove the answer against ``A`` without any solver: its shape, and that no block can be split.

        The witness, paths that show each block connected, is searched for in ``A``.

        Raises
        ------
        CertificateError
            Unless this is the block triangular form of ``A``.

        Examples
        --------
        >>> import numpy as np, konig
        >>> A = np.array([[0, 2, 3], [0, 0, 4], [5, 6, 0]])
        >>> konig.block_triangular_form(A).verify(A)
        """
        matching = self.matching
        graph = matching.graph_to_check(A, shape, drop_zeros)
        find_forest = partial(alternating_forest, graph, matching.col_of_row, matching.row_of_col)
        check_block_triangular_form(*graph.edges(), self, find_forest)


def _labels(perm: np.ndarray, boundaries: np.ndarray) -> np.ndarray:
    labels = np.empty(len(perm), perm.dtype)
    labels[perm] = np.repeat(np.arange(len(boundaries) - 1, dtype=perm.dtype), np.diff(boundaries))
    return labels
