"""Runs the Hungarian methods and core-paths on an NVIDIA GPU: costs go there, and answers are returned there.

Real answers are proved there, too; the few pairs that float64 leaves open go to the host.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from time import perf_counter
from typing import Any

import numpy as np

from konig import _native
from konig.assignment import team, unassigned
from konig.assignment.cpu import Found, How, Solved
from konig.assignment.inputs import (
    INTEGER_RANGE,
    SOLVED_AS,
    Extent,
    dense_costs,
    not_real,
    refuse_bad_costs,
)
from konig.assignment.integers import IntegerValues, RealValues
from konig.assignment.methods import JV
from konig.assignment.programs import workspace_bytes
from konig.assignment.unassigned import Alone
from konig.gpu import staging
from konig.gpu.compile import TYPES, Unit, begin, function, kernel_unit
from konig.gpu.device import processors
from konig.interop import arrays
from konig.machine import on_gpu
from konig.parts import Parts

EXTENT_UNIT, PROOF_UNIT = "cost_extent", "assignment_proof"
EXTENT_THREADS, EXTENT_BLOCKS_PER_PROCESSOR, ENTRIES_PER_BLOCK = 256, 8, 1 << 14
ROW_THREADS = 256  # that read a row
ALL_THREADS = 1024  # of a block that reads a number for each column
FEW_PAIRS = 8  # of a row, found and listed by one read; duals that are right but for rounding leave two
ROUGH_BYTES = 1 << 13  # for each row and column, more than a solve takes beside the costs


@cache
def extent_unit(dtype: Any) -> Unit:
    """The kernel that finds the extent of costs of a type."""
    name = TYPES[str(dtype)]
    real = int(name in ("float", "double"))
    return kernel_unit(EXTENT_UNIT, (f"-DKONIG_COST={name}", f"-DKONIG_REAL={real}"))


@cache
def proof_unit(dtype: Any) -> Unit:
    """The kernels that prove answers to costs of a type."""
    return kernel_unit(PROOF_UNIT, (f"-DKONIG_COST={TYPES[str(dtype)]}",))


def device_costs(gpu: Any, C: Any, place: arrays.Place, maximize: bool, seconds: dict[str, float]) -> Any:
    """Checked costs on the current device, in place if they are there, and their extent."""

    def require(shape: tuple[int, int], itemsize: int, copied: int) -> None:
        rows, cols = min(shape), max(shape)
        needed = copied + (rows * cols * itemsize if shape[0] > shape[1] else 0)
        if needed + ROUGH_BYTES * (rows + cols) > staging.UNASKED_BYTES:  # to know it better takes 30 us
            needed += workspace_bytes(rows, cols)
            staging.require_memory(gpu.cupy, needed, *shape, shape[0] * shape[1])

    costs = costs_there(gpu, C, place, 2, require, seconds)
    return costs, checked_extent(gpu.cupy, costs, maximize)


def costs_there(
    gpu: Any,
    C: Any,
    place: arrays.Place,
    dimensions: int,
    require: Callable[[Any, int, int], None],
    seconds: dict[str, float],
) -> Any:
    """Dense costs on the current device, in place if they are there, in the type that they are solved in.

    ``require`` is told their shape, the bytes of each and of a copy, before there is one.
    """
    if place.gpu is not None:
        costs = on_device(gpu.cupy, C, place, dimensions)
        require(costs.shape, costs.itemsize, 0)
        return costs
    host = dense_costs(C if isinstance(C, np.ndarray) else arrays.to_numpy(C))
    require(host.shape, host.itemsize, host.nbytes)
    began = perf_counter()
    costs = staging.to_device(gpu.cupy, host)
    seconds["costs_to_device"] = perf_counter() - began
    return costs


def on_device(cupy: Any, C: Any, place: arrays.Place, dimensions: int) -> Any:
    """Dense costs of another library, in the type that they are solved in."""
    if hasattr(C, "format") or "sparse" in str(getattr(C, "layout", "")):
        raise TypeError("C must be dense on a GPU")
    if place.library != "cupy" and str(C.dtype).endswith("bfloat16"):  # CuPy has no such type
        C = C.float() if place.library == "torch" else C.astype("float32")
    costs = arrays.to_cupy(cupy, C, "C")
    if costs.dtype not in SOLVED_AS:
        raise not_real(costs.dtype, "C")
    if costs.ndim != dimensions:
        raise ValueError(f"C must have two dimensions (rows, columns), not shape {costs.shape}")
    if costs.dtype == np.uint64 and costs.size and int(costs.max()) > np.iinfo(np.int64).max:
        raise ValueError(f"C: {costs.max()}: {INTEGER_RANGE}")
    return costs.astype(SOLVED_AS[costs.dtype], copy=False)


def checked_extent(cupy: Any, C: Any, maximize: bool) -> Extent:
    """The extent of costs on the current device, by one read and one copy; a bad cost is an error."""
    if C.size == 0:
        return Extent(0, 0, False)
    there = C if C.flags.c_contiguous else C.T if C.flags.f_contiguous else cupy.ascontiguousarray(C)
    real = C.dtype.kind == "f"
    blocks = min(-(-C.size // ENTRIES_PER_BLOCK), EXTENT_BLOCKS_PER_PROCESSOR * processors(cupy))
    found = cupy.empty((blocks, 4), np.int64)
    arguments = there, np.int64(C.size), np.int32(maximize), found
    function(cupy, extent_unit(C.dtype), EXTENT_UNIT)((blocks,), (EXTENT_THREADS,), arguments)
    host = found.get()
    forbids, bad = host[:, 2:].any(axis=0).tolist()
    if bad:
        first_nan = int(cupy.argmax(cupy.isnan(C))) if real and bool(cupy.isnan(C).any()) else -1
        refuse_bad_costs(C, maximize, first_nan, first_bad(cupy, C, maximize))
    ends = host[:, :2].view(np.float64) if real else host[:, :2]
    least, greatest = ends[:, 0].min().item(), ends[:, 1].max().item()
    return Extent(least, greatest, forbids) if least <= greatest else Extent(0, 0, forbids)


def first_bad(cupy: Any, C: Any, maximize: bool) -> int:
    """The position of the first cost that no solver may see, or -1."""
    if C.dtype == np.int32:
        return -1
    if C.dtype == np.int64:
        ends = np.iinfo(np.int64)
        bad = (ends.min + maximize >= C) | (ends.max == C)
    else:
        bad = cupy.isnan(C) | ((np.inf if maximize else -np.inf) == C)
    position = int(cupy.argmax(bad))
    return position if bool(bad.ravel()[position]) else -1


def solve(
    cupy: Any, C: Any, how: How, extent: Extent | None, initial: Any, seconds: dict[str, float]
) -> Found:
    """An optimal full assignment of costs on the current device; the answer's arrays are there, too.

    ``extent`` is that of the costs, if it is known.
    """

    def find_extent(some: Any) -> Extent:
        return checked_extent(cupy, some, how.maximize)

    machine = on_gpu(cupy, how.settings, seconds)
    begin(cupy, proof_unit(C.dtype))  # while the solver is compiled
    return team.solve(machine, C, how, extent or find_extent(C), find_extent, initial)


def solve_unassigned(
    cupy: Any, C: Any, alone: Alone, how: How, extent: Extent, seconds: dict[str, float]
) -> Solved:
    """The optimum where rows and columns may be left alone; the answer's arrays are on the device."""
    largest = max(abs(extent.least), abs(extent.greatest))
    if C.size == 0 or not unassigned.fits(largest, alone):
        return unassigned.solve(C.get(), alone, replace(how, method=JV, settings={})).on_device(cupy)
    if alone.is_real and C.dtype.kind == "i":
        C = unassigned.reals_there(C)
    C = cupy.ascontiguousarray(C)

    def solve_full(reduced: Any, some: How) -> Found:
        return solve(cupy, reduced, some, None, None, seconds)

    def prove(sides: Alone, col_of_row: np.ndarray, col_dual: np.ndarray) -> tuple[np.ndarray, float, int]:
        device = DeviceCosts(cupy, C, how.maximize)
        row_dual: Any = np.empty(len(col_of_row))
        given: tuple[Any, Any, Any, Any, Any] = sides.row, sides.col, col_of_row, row_dual, col_dual
        gap, solves = _native.prove_unassigned_by(
            *given, device.find_costs, device.find_lowest, device.find_pairs
        )
        return row_dual, gap, solves

    return unassigned.solve_reduced(cupy, C, alone, how, solve_full, float(largest), prove)


def write_pair_costs(cupy: Any, costs: Any, parts: Parts, values: IntegerValues | RealValues) -> None:
    """The cost of the pair of each row, and for reals the column duals and the lowest slack of each row."""
    rows, cols = costs.shape
    if rows == 0:
        return
    unit, at = proof_unit(costs.dtype), {name: np.intp(where) for name, where in parts.addresses().items()}
    size = np.int64(cols)
    if isinstance(values, IntegerValues):
        pair_costs = function(cupy, unit, "pair_costs")
        arguments = costs, np.int64(rows), size, at["col_of_row"], at["paid"]
        pair_costs((-(-rows // ROW_THREADS),), (ROW_THREADS,), arguments)
        return
    sign, duals = np.float64(np.copysign(1.0, values.first)), at["real_col_dual"]
    scale = np.float64(values.first), np.float64(values.second)
    whole = at["col_dual"], size, np.int32(rows == cols), sign, *scale, duals
    function(cupy, unit, "real_col_duals")((1,), (ALL_THREADS,), whole)
    lowest = costs, size, sign, duals, at["lowest"], at["col_of_row"], at["paid"]
    function(cupy, unit, "lowest_slacks")((rows,), (ROW_THREADS,), lowest)


class DeviceCosts:
    """Costs on the current device as a native proof reads them: minimised, or negated and minimised.

    The arrays that come and go are NumPy's, of a number for each row or column.
    """

    def __init__(self, cupy: Any, costs: Any, maximize: bool):
        self.cupy, self.costs = cupy, costs
        self.sign = np.float64(-1.0 if maximize else 1.0)
        self.known: tuple[np.ndarray, np.ndarray] | None = None  # pairs, and what they cost
        self.known_lowest: tuple[np.ndarray, np.ndarray] | None = None  # duals, and the lowest slacks

    def _function(self, name: str) -> Any:
        return function(self.cupy, proof_unit(self.costs.dtype), name)

    def paid(self, col_of_row: np.ndarray) -> np.ndarray:
        """What one pair in each row costs the caller."""
        if self.known is None or not np.array_equal(self.known[0], col_of_row):
            rows, cols = self.costs.shape
            there = self.cupy.asarray(col_of_row, np.int32)
            found = self.cupy.empty(rows, self.costs.dtype)
            arguments = self.costs, np.int64(rows), np.int64(cols), there, found
            self._function("pair_costs")((-(-rows // ROW_THREADS),), (ROW_THREADS,), arguments)
            self.known = col_of_row.copy(), found.get()
        return self.known[1]

    def find_costs(self, col_of_row: np.ndarray, cost: np.ndarray) -> None:
        """The cost of one pair in each row."""
        np.multiply(self.sign, self.paid(col_of_row), out=cost)

    def find_lowest(self, col_dual: np.ndarray, lowest: np.ndarray) -> None:
        """The smallest cost - dual of each row, rounded down."""
        if self.known_lowest is not None and np.array_equal(self.known_lowest[0], col_dual):
            lowest[:] = self.known_lowest[1]
            return
        rows, cols = self.costs.shape
        found, nothing = self.cupy.empty(rows), np.intp(0)
        read = self.costs, np.int64(cols), self.sign, staging.to_device(self.cupy, col_dual)
        self._function("lowest_slacks")((rows,), (ROW_THREADS,), (*read, found, nothing, nothing))
        lowest[:] = found.get()

    def find_pairs(
        self, rows: np.ndarray, col_dual: np.ndarray, bound: np.ndarray, most: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
        """Where the pairs of these rows with cost - dual at most their bound begin, their columns, costs.

        None if there are more than ``most``, of which 0 is no limit.
        """
        cupy, cols, asked = self.cupy, self.costs.shape[1], len(rows)
        start = np.zeros(asked + 1, np.int64)
        if asked == 0:
            return start, np.zeros(0, np.int32), np.zeros(0)
        row_of, duals, within = staging.together_on_device(cupy, (rows.astype(np.int64), col_dual, bound))
        read = self.costs, np.int64(cols), self.sign, duals, row_of, within

        def find(first: Any, room: int, places: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            """What comes to lie in so many places, by one copy: costs, columns, and how many each row has."""
            listed = cupy.empty(3 * places + asked, np.int32)
            cost, col = listed[: 2 * places].view(np.float64), listed[2 * places : 3 * places]
            written = first, np.int32(room), listed[3 * places :], col, cost
            self._function("pairs_within")((asked,), (ROW_THREADS,), (*read, *written))
            there = listed.get()
            return there[: 2 * places].view(np.float64), there[2 * places : 3 * places], there[3 * places :]

        cost, col, count = find(np.intp(0), FEW_PAIRS, asked * FEW_PAIRS)
        np.cumsum(count, out=start[1:])
        pairs = int(start[-1])
        if 0 < most < pairs:
            return None
        if count.max() <= FEW_PAIRS:
            listed = (np.arange(FEW_PAIRS) < count[:, None]).ravel()
            return start, col[listed], cost[listed]
        cost, col, _ = find(cupy.asarray(start[:-1]), 0, pairs)
        return start, col, cost


def prove(
    cupy: Any,
    costs: Any,
    maximize: bool,
    col_of_row: np.ndarray,
    col_dual: np.ndarray,
    paid: np.ndarray,
    lowest: np.ndarray | None,
) -> tuple[np.ndarray, float, int, np.ndarray]:
    """As ``_native.prove_assignment``: row duals, the gap, how often a core was repaired exactly.

    ``paid`` is what the pairs cost, ``lowest`` the smallest cost - dual of each row if it is known; the last
    of the answer is what those pairs cost that took the place of these.
    """
    device = DeviceCosts(cupy, costs, maximize)
    device.known = col_of_row.copy(), paid
    if lowest is not None:
        device.known_lowest = col_dual.copy(), lowest
    row_dual: Any = np.empty(len(col_of_row))
    pairs: Any = col_of_row
    duals: Any = col_dual
    gap, solves = _native.prove_assignment_by(
        pairs, row_dual, duals, device.find_costs, device.find_lowest, device.find_pairs
    )
    return row_dual, gap, solves, device.paid(col_of_row)
