"""An optimal assignment between point sets, and its proof."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from konig.assignment.points.metrics import MetricFunction, proof_blocks, tiles
from konig.assignment.proof import check_optimal_assignment
from konig.assignment.result import Assignment
from konig.errors import CertificateError


@dataclass(frozen=True, eq=False, repr=False)
class PointAssignment(Assignment):
    """An optimal assignment between two sets of points, and its proof.

    Attributes
    ----------
    row_ind, col_ind : array
        The assigned pairs: point ``row_ind[k]`` of X with point ``col_ind[k]`` of Y, ``row_ind`` ascending.
    cost, gap, row_dual, col_dual, method, device, stats
        As in `konig.Assignment`, of costs that `konig.point_assignment` defines.
    metric : str or callable
        What the costs are.
    """

    metric: str | MetricFunction = "euclidean"

    LATER: ClassVar[Mapping[str, Callable[[Any], Any]]] = {
        **Assignment.LATER,
        # Points that are sorted on a line have no costs.
        "method": lambda result: (
            Assignment.LATER["method"](result) if "costs" in result.stats["seconds"] else "core"
        ),
    }

    def __repr__(self) -> str:
        rows, cols = len(self.row_dual), len(self.col_dual)
        return (
            f"PointAssignment(size={self.size} of {rows} x {cols} points, cost={self.cost}, "
            f"metric={self.metric!r}, device={self.device!r})"
        )

    def verify(self, X: Any, Y: Any) -> None:  # type: ignore[override]
        """Prove the answer against the points, on the host and without any solver.

        Computes all costs, in memory for a block of rows at a time.

        Raises
        ------
        CertificateError
            Unless this is an assignment of all points of the smaller set, and its duals prove it optimal.

        Examples
        --------
        >>> import numpy as np, konig
        >>> X, Y = np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([[1.0, 1.0], [0.0, 2.0]])
        >>> konig.point_assignment(X, Y).verify(X, Y)
        """
        shape, found = tiles(X, Y, self.metric)
        answer = self.on_host()
        pairs, duals = (answer.row_ind, answer.col_ind), (answer.row_dual, answer.col_dual)
        extent = tuple(len(dual) if getattr(dual, "ndim", 0) == 1 else -1 for dual in duals)
        if shape != extent:
            solved, given = (" and ".join(map(str, extents)) for extents in (extent, shape))
            raise CertificateError(f"the answer is for {solved} points, not {given}")
        if len(answer.row_ind) != min(shape):
            raise CertificateError(f"{len(answer.row_ind)} pairs are assigned, not {min(shape)}")
        check_optimal_assignment(
            proof_blocks(found, shape[1]), shape, *pairs, self.cost, self.gap, *duals, integral=False
        )
