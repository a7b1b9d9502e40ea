"""Optimal assignments of many problems at once, and their proofs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from konig.assignment.inputs import dense_costs
from konig.assignment.result import Assignment
from konig.errors import CertificateError
from konig.interop import arrays
from konig.matching.result import VertexCover


@dataclass(frozen=True, eq=False)
class AssignmentBatch:
    """Optimal assignments of B problems, and their proofs.

    ``batch[b]`` is the :class:`Assignment` of problem b.

    Attributes
    ----------
    row_ind, col_ind : array (B, k)
        The assigned pairs of each problem, rows ascending, padded with -1.
    cost, gap : array (B,)
        What they cost together, and a proven bound on how far that is from the optimum.
    row_dual, col_dual : array (B, n) and (B, m)
        The proofs, as in :class:`Assignment`, padded with 0.
    row_counts, col_counts : ndarray (B,)
        How many rows and columns each problem has.
    method, device, stats, maximize
        As in :class:`Assignment`; what was counted is summed over the problems.
    covers : dict
        The covers of the problems in which not every row or column of the shorter side could be assigned
        (``full=False``), by number.
    """

    row_ind: Any
    col_ind: Any
    cost: Any
    gap: Any
    row_dual: Any
    col_dual: Any
    method: str
    device: str
    stats: Mapping[str, Any]
    row_counts: np.ndarray
    col_counts: np.ndarray
    maximize: bool = False
    covers: Mapping[int, VertexCover] = field(default_factory=dict)
    place: arrays.Place = field(default=arrays.HOST, repr=False)

    def __len__(self) -> int:
        return len(self.cost)

    def __getitem__(self, number: int) -> Assignment:
        b = range(len(self))[number]
        rows, cols = int(self.row_counts[b]), int(self.col_counts[b])
        size = len(self.covers[b]) if b in self.covers else min(rows, cols)
        return Assignment(
            self.row_ind[b][:size],
            self.col_ind[b][:size],
            self.cost[b].item(),
            self.gap[b].item(),
            self.row_dual[b][:rows],
            self.col_dual[b][:cols],
            self.method,
            self.device,
            self.stats,
            self.maximize,
            self.covers.get(b),
            self.place,
        )

    def __iter__(self) -> Iterator[Assignment]:
        return (self[b] for b in range(len(self)))

    def verify(self, C: Any) -> None:
        """Prove every answer against the costs, on the host and without any solver.

        Raises
        ------
        CertificateError
            Unless each problem's assignment is proved by its own duals, and the padding is what it should be.
        """
        costs = dense_costs(C if isinstance(C, np.ndarray) else arrays.to_numpy(C))
        extent = (len(self), self.row_dual.shape[1], self.col_dual.shape[1])
        if costs.shape != extent:
            raise CertificateError(f"the answers are for costs of shape {extent}, not {costs.shape}")
        for name, padding in (("row_ind", -1), ("col_ind", -1), ("row_dual", 0), ("col_dual", 0)):
            given = arrays.to_numpy(getattr(self, name))
            for b, answer in enumerate(self):
                used = len(getattr(answer, name))
                if (given[b, used:] != padding).any():
                    raise CertificateError(f"{name} of problem {b} is not padded with {padding}")
        for b, answer in enumerate(self):
            try:
                answer.verify(costs[b, : self.row_counts[b], : self.col_counts[b]])
            except CertificateError as refused:
                raise CertificateError(f"problem {b}: {refused}") from None
