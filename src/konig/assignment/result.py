"""An optimal assignment and its proof."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp

from konig.assignment.inputs import dense_costs, sparse_costs
from konig.assignment.proof import Blocks, check_optimal_assignment, dense_blocks, entry_blocks
from konig.errors import CertificateError
from konig.interop import arrays
from konig.interop.sparse_matrices import sparse_on_host
from konig.matching.proof import check_cover
from konig.matching.result import VertexCover
from konig.packed import Packed


def cost_blocks(C: Any) -> tuple[Blocks, tuple[int, ...]]:
    """The entries of dense or sparse costs for the checkers, and the shape of the matrix."""
    listed = C if sp.issparse(C) else sparse_on_host(C, arrays.place_of(C, "C") or arrays.HOST, "C")
    if listed is not None:
        sparse = sparse_costs(listed)
        return entry_blocks(sparse.row, sparse.col, sparse.cost), sparse.shape
    costs = dense_costs(C if isinstance(C, np.ndarray) else arrays.to_numpy(C))
    return dense_blocks(costs), costs.shape


@dataclass(frozen=True, eq=False, init=False)
class Assignment(Packed):
    """An optimal assignment and its proof.

    Attributes
    ----------
    row_ind, col_ind : array
        The assigned pairs, rows ascending.
    cost : int or float
        What they cost together: exact for integers.
    gap : int or float
        A proven bound on how far the cost is from the optimum, from the duals in exact arithmetic: 0 for
        integers, and for reals what the rounding of the duals to float64 leaves open.
    row_dual, col_dual : array
        The proof. Minimising, ``row_dual[i] + col_dual[j] <= C[i, j]`` in exact arithmetic, with equality on
        assigned pairs, but for the rounding of real duals; maximising, the other way round. Duals on the
        longer side of a rectangle are at most 0 (at least 0
        when maximising) and 0 where nothing is assigned. Integers for integer costs, float64 for real ones.
    method, device : str
        What actually ran.
    stats : dict
        What the method counted, and ``stats["seconds"]`` by part; the method's page lists the keys.
    maximize : bool
        Whether the cost is largest and not smallest.
    cover : VertexCover or None
        Where not every row or column of the shorter side could be assigned (``full=False``): rows and
        columns, as many as pairs, that meet every allowed pair. They prove that no assignment is larger.
        ``row_dual`` is then largest on the rows that are left over, ``col_dual`` as on a longer side
        (maximising, both the other way round).
    """

    row_ind: Any
    col_ind: Any
    cost: int | float
    gap: int | float
    row_dual: Any
    col_dual: Any
    method: str
    device: str
    stats: Mapping[str, Any]
    maximize: bool
    cover: VertexCover | None
    place: arrays.Place = field(repr=False)

    def __init__(
        self,
        row_ind: Any,
        col_ind: Any,
        cost: int | float,
        gap: int | float,
        row_dual: Any,
        col_dual: Any,
        method: str,
        device: str,
        stats: Mapping[str, Any],
        maximize: bool = False,
        cover: VertexCover | None = None,
        place: arrays.Place = arrays.HOST,
    ) -> None:
        # All at once: twelve guarded assignments take longer than solving a problem of ten rows.
        self.__dict__.update(
            row_ind=row_ind,
            col_ind=col_ind,
            cost=cost,
            gap=gap,
            row_dual=row_dual,
            col_dual=col_dual,
            method=method,
            device=device,
            stats=stats,
            maximize=maximize,
            cover=cover,
            place=place,
        )

    @property
    def size(self) -> int:
        """How many pairs are assigned."""
        return len(self.row_ind)

    def verify(self, C: Any) -> None:
        """Prove the answer against the costs, on the host and without any solver.

        Raises
        ------
        CertificateError
            Unless this is an assignment of ``C``, as large as can be, and its duals prove it optimal.

        Examples
        --------
        >>> import numpy as np, konig
        >>> C = np.array([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
        >>> konig.linear_assignment(C).verify(C)
        """
        blocks, shape = cost_blocks(C)
        answer = [arrays.to_numpy(a) for a in (self.row_ind, self.col_ind, self.row_dual, self.col_dual)]
        row_ind, col_ind, row_dual, col_dual = answer
        extent = (len(row_dual), len(col_dual))
        if shape != extent:
            raise CertificateError(
                f"the answer is for a {extent[0]} x {extent[1]} matrix, not {' x '.join(map(str, shape))}"
            )
        check_optimal_assignment(
            blocks, extent, row_ind, col_ind, self.cost, self.gap, row_dual, col_dual, self.maximize
        )
        self._verify_size(blocks, extent)

    def _verify_size(self, blocks: Blocks, shape: tuple[int, int]) -> None:
        size = self.size
        if size == min(shape):
            return
        if self.cover is None:
            raise CertificateError(f"{size} pairs of {min(shape)} are assigned, and no cover says why")
        rows, cols = (arrays.to_numpy(side) for side in (self.cover.rows, self.cover.cols))
        for at_rows, at_cols, values in blocks():
            at = np.nonzero(np.isfinite(values))
            full = np.broadcast_shapes(at_rows.shape, at_cols.shape)
            edges = np.broadcast_to(at_rows, full)[at], np.broadcast_to(at_cols, full)[at]
            check_cover(*edges, shape, rows, cols)
        if len(self.cover) != size:
            raise CertificateError(f"{size} pairs are assigned but the cover has {len(self.cover)} lines")
