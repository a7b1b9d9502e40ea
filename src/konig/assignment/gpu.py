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

from konig import _native, programs
from konig.assignment import first_launch, team, unassigned
from konig.assignment.cpu import Found, How, Solved
from konig.assignment.first_launch import FirstLaunch, proof_unit
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
from konig.assignment.problem import types_of
from konig.assignment.programs import PROGRAMS, workspace_bytes
from konig.assignment.unassigned import Alone
from konig.gpu import staging
from konig.gpu.commands import Commands, driver, ready_stream
from konig.gpu.compile import TYPES, Unit, begin, kernel, kernel_unit
from konig.gpu.device import processors
from konig.gpu.program import hurries, unit_of
from konig.interop import arrays
from konig.machine import on_gpu
from konig.parts import Parts

EXTENT_UNIT = "cost_extent"
EXTENT_THREADS, EXTENT_BLOCKS_PER_PROCESSOR, ENTRIES_PER_BLOCK = 256, 8, 1 << 14
ROW_THREADS, LONG_ROW_THREADS = 256, 1024  # that read a row, and one of at least LONG_ROW costs
LONG_ROW = 1 << 14
ALL_THREADS = 1024  # of a block that reads a number for each column
ROUGH_BYTES = 1 << 13  # for each row and column, more than a solve takes beside the costs


@cache
def extent_unit(dtype: Any) -> Unit:
    """The kernel that finds the extent of costs of a type."""
    name = TYPES[str(dtype)]
    real = int(name in ("float", "double"))
    return kernel_unit(EXTENT_UNIT, (f"-DKONIG_COST={name}", f"-DKONIG_REAL={real}"))


@cache
def expect(cupy: Any, device: int, dtype: Any, variant: str, hurry: bool) -> None:
    """Begin to compile what costs of a type will need on the current device, unless it is there."""
    begin(cupy, unit_of(programs.find(PROGRAMS[variant], types_of(dtype))), hurry=hurry)
    begin(cupy, proof_unit(dtype))


def device_costs(gpu: Any, C: Any, place: arrays.Place, how: How, seconds: dict[str, float]) -> Any:
    """Checked costs on the current device, in place if they are there, and their extent."""

    def require(shape: tuple[int, int], itemsize: int, copied: int) -> None:
        rows, cols = min(shape), max(shape)
        needed = copied + (rows * cols * itemsize if shape[0] > shape[1] else 0)
        if needed + ROUGH_BYTES * (rows + cols) > staging.UNASKED_BYTES:  # to know it better takes 30 us
            needed += workspace_bytes(rows, cols)
            staging.require_memory(gpu.cupy, needed, *shape, shape[0] * shape[1])

    costs = costs_there(gpu, C, place, 2, require, seconds)
    if costs.size:  # while the extent is compiled and read
        expect(gpu.cupy, gpu.number, costs.dtype, str(how.method.variant["variant"]), hurries(costs.size))
    return costs, checked_extent(gpu.cupy, costs, how.maximize)


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
    dense = type(C) is cupy.ndarray
    if not dense and (hasattr(C, "format") or "sparse" in str(getattr(C, "layout", ""))):
        raise TypeError("C must be dense on a GPU")
    if place.library != "cupy" and str(C.dtype).endswith("bfloat16"):  # CuPy has no such type
        C = C.float() if place.library == "torch" else C.astype("float32")
    costs = arrays.to_cupy(cupy, C, "C")
    if costs.dtype not in SOLVED_AS:
        raise not_real(costs.dtype, "C")
    if costs.ndim != dimensions:
        expected = (
            "two dimensions (rows, columns)" if dimensions == 2 else "three dimensions, those of a batch"
        )
        raise ValueError(f"C must have {expected}, not shape {costs.shape}")
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
    words = cupy.empty(4, np.uint64)
    reader = kernel(cupy, extent_unit(C.dtype), EXTENT_UNIT), (blocks, EXTENT_THREADS)
    costs: Any = int(words.data.ptr), int(there.data.ptr), C.size, real, maximize
    found: Any = _native.cost_extent(driver(), ready_stream(cupy), *reader, *costs)
    if found is None:
        first_nan = int(cupy.argmax(cupy.isnan(C))) if real and bool(cupy.isnan(C).any()) else -1
        refuse_bad_costs(C, maximize, first_nan, first_bad(cupy, C, maximize))
    return Extent(*found)


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

    extent = extent or find_extent(C)
    begun = None
    if initial is None and C.size and first_launch.takes(how):
        team.require_close(C, (extent.least, extent.greatest))
        begun = FirstLaunch(cupy, C, how, extent, seconds)
        solved = begun.solved()
        if solved is not None:
            return solved
    machine = on_gpu(cupy, how.settings, seconds)
    return team.solve(machine, C, how, extent, find_extent, initial, begun)


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
        row_dual: Any = np.empty(len(col_of_row))
        given: tuple[Any, Any, Any, Any, Any] = sides.row, sides.col, col_of_row, row_dual, col_dual
        gap, solves = _native.prove_unassigned_there(real_costs_there(cupy, C, how.maximize), *given)
        return row_dual, gap, solves

    return unassigned.solve_reduced(cupy, C, alone, how, solve_full, float(largest), prove)


def write_pair_costs(
    cupy: Any, commands: Commands, costs: Any, parts: Parts, values: IntegerValues | RealValues, status: int
) -> None:
    """The cost of the pair of each row, and for reals the column duals and the lowest slack of each row.

    Nothing is written where the status, if there is one at this address, says that there are no such pairs.
    """
    rows, cols = costs.shape
    if rows == 0:
        return
    unit, at, there = proof_unit(costs.dtype), parts.addresses(), int(costs.data.ptr)
    if isinstance(values, IntegerValues):
        pairs = rows, cols, at["col_of_row"], at["paid"], status
        commands.launch(kernel(cupy, unit, "pair_costs"), -(-rows // ROW_THREADS), ROW_THREADS, there, *pairs)
        return
    sign, duals = float(np.copysign(1.0, values.first)), at["real_col_dual"]
    whole = (
        at["col_dual"],
        cols,
        int(rows == cols),
        sign,
        float(values.first),
        float(values.second),
        duals,
        status,
    )
    commands.launch(kernel(cupy, unit, "real_col_duals"), 1, ALL_THREADS, *whole)
    lowest = there, cols, sign, duals, at["lowest"], at["col_of_row"], at["paid"], status
    threads = ROW_THREADS if cols < LONG_ROW else LONG_ROW_THREADS
    commands.launch(kernel(cupy, unit, "lowest_slacks"), rows, threads, *lowest)


def real_costs_there(cupy: Any, costs: Any, maximize: bool) -> _native.CostsThere:
    """Real costs on the current device as a native proof reads them: minimised, or negated and minimised."""
    rows, cols = costs.shape
    unit = proof_unit(costs.dtype)
    kernels = tuple(kernel(cupy, unit, name) for name in ("pair_costs", "lowest_slacks", "pairs_within"))
    scratch = cupy.empty(_native.CostsThere.scratch_bytes(rows, cols), np.uint8)
    held = {"costs": costs, "scratch": scratch}  # as long as the callable

    def allocate(size: int) -> int:
        held.pop("more", None)
        held["more"] = cupy.empty(size, np.uint8)
        return int(held["more"].data.ptr)

    stream = ready_stream(cupy)
    matrix = int(costs.data.ptr), rows, cols, costs.itemsize, -1.0 if maximize else 1.0
    return _native.CostsThere(driver(), stream, *matrix, kernels, int(scratch.data.ptr), allocate)


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

    ``paid`` is what the pairs cost, ``lowest`` the smallest cost - dual of each row of these very costs, if
    it is known. The last of the answer is what the final pairs cost.
    """
    there = real_costs_there(cupy, costs, maximize)
    pairs: Any = col_of_row
    duals: Any = col_dual
    row_dual: Any = np.empty(len(pairs))
    found: Any = paid.astype(np.float64)
    there.know_costs(pairs, found)
    if lowest is not None:
        known: Any = lowest
        there.know_lowest(duals, known)
    gap, solves = _native.prove_assignment_there(there, pairs, row_dual, duals)
    there.find_costs(pairs, found)
    return row_dual, gap, solves, -found if maximize else found
