"""Proves real assignments whose costs are on a GPU; the few pairs that float64 leaves open go to the host."""

from __future__ import annotations

from typing import Any

import numpy as np

from konig import _native
from konig.gpu.compile import compiled, unit_source

UNIT = "assignment_proof"
COST_TYPES = {"float32": "float", "float64": "double"}
ROW_THREADS = 256


class DeviceCosts:
    """Costs on the current device as a native proof reads them: minimised, or negated and minimised.

    The arrays that come and go are NumPy's, of a number for each row or column.
    """

    def __init__(self, cupy: Any, costs: Any, maximize: bool):
        self.cupy, self.costs = cupy, costs
        self.sign = np.float64(-1.0 if maximize else 1.0)
        options = (f"-DKONIG_COST={COST_TYPES[str(costs.dtype)]}",)
        unit = compiled(cupy, unit_source(UNIT), options, cooperative=False)
        self.lowest_slacks = unit.get_function("lowest_slacks")
        self.pairs_within = unit.get_function("pairs_within")

    def find_costs(self, col_of_row: np.ndarray, cost: np.ndarray) -> None:
        """The cost of one pair in each row."""
        rows = self.cupy.arange(len(col_of_row))
        found = self.costs[rows, self.cupy.asarray(col_of_row)].astype(np.float64)
        cost[:] = self.sign * found.get()

    def find_lowest(self, col_dual: np.ndarray, lowest: np.ndarray) -> None:
        """The smallest cost - dual of each row, rounded down."""
        rows, cols = self.costs.shape
        self.lowest = self.cupy.empty(rows)
        arguments = (self.costs, np.int64(cols), self.sign, self.cupy.asarray(col_dual), self.lowest)
        self.lowest_slacks((rows,), (ROW_THREADS,), arguments)
        lowest[:] = self.lowest.get()

    def find_pairs(
        self, col_dual: np.ndarray, bound: np.ndarray, most: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Where each row's pairs with cost - dual at most its bound begin, their columns and their costs.

        The duals are those of the latest call of ``find_lowest``.
        """
        cupy, (rows, cols) = self.cupy, self.costs.shape
        count = cupy.empty(rows, np.int32)
        col, cost = cupy.empty((rows, most), np.int32), cupy.empty((rows, most))
        there = cupy.asarray(col_dual), self.lowest, cupy.asarray(bound)
        arguments = (self.costs, np.int64(cols), self.sign, *there, np.int32(most), count, col, cost)
        self.pairs_within((rows,), (ROW_THREADS,), arguments)
        listed = cupy.arange(most) < count[:, None]
        start = np.zeros(rows + 1, np.int64)
        np.cumsum(count.get(), out=start[1:])
        return start, col[listed].get(), cost[listed].get()


def prove(
    cupy: Any, costs: Any, maximize: bool, col_of_row: np.ndarray, col_dual: np.ndarray
) -> tuple[np.ndarray, float, int]:
    """As ``_native.prove_assignment``: row duals, the gap, and how often a core was repaired exactly."""
    device = DeviceCosts(cupy, costs, maximize)
    row_dual: Any = np.empty(len(col_of_row))
    pairs: Any = col_of_row
    duals: Any = col_dual
    gap, solves = _native.prove_assignment_by(
        pairs, row_dual, duals, device.find_costs, device.find_lowest, device.find_pairs
    )
    return row_dual, gap, solves
