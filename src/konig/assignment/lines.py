"""Sums, minima and parts of a matrix of costs, on the host or on a GPU.

Starts from other duals (`sorted_start`, `sampled_start`, `square_start`) and reduced-cost fixing read the
whole matrix a few times and reckon with a number for each row or column. The matrix is read where it is; the
numbers are NumPy's. On a GPU kernels of ours do it: those that CuPy would make for the same are compiled one
by one, which takes seconds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from konig.gpu.compile import TYPES, Unit, function, kernel_unit
from konig.gpu.staging import to_device

BLOCK = 1 << 22  # entries that NumPy reads at once
UNIT, WARP, STRIPS, ROW_THREADS = "cost_lines", 32, 8, 256  # as in the kernels
MOST_BLOCKS = 1 << 16
EXACT = {"i": "long long", "f": "double"}
MOST = {"i": "0x7fffffffffffffffLL", "f": "__longlong_as_double(0x7ff0000000000000LL)"}


@cache
def lines_unit(dtype: Any) -> Unit:
    """The kernels for costs of a type."""
    kind = np.dtype(dtype).kind
    types = f"-DKONIG_COST={TYPES[str(dtype)]}", f"-DKONIG_EXACT={EXACT[kind]}"
    return kernel_unit(UNIT, (*types, f"-DKONIG_MOST={MOST[kind]}"))


class Lines(ABC):
    """Costs that are minimised, or negated and minimised; differences are of 64 bits."""

    def __init__(self, costs: Any, maximize: bool):
        self.costs, self.maximize = costs, maximize
        self.shape: tuple[int, int] = costs.shape
        self.sign = -1 if maximize else 1
        self.exact: Any = np.int64 if costs.dtype.kind == "i" else np.float64

    @abstractmethod
    def row_sums(self, weight: np.ndarray) -> np.ndarray:
        """The sum of cost * weight of each row, in float64; there is a weight for each column."""

    @abstractmethod
    def col_sums(self, weight: np.ndarray) -> np.ndarray:
        """The same of each column."""

    @abstractmethod
    def row_minima(self, col_dual: np.ndarray) -> np.ndarray:
        """The least cost - dual of each row."""

    @abstractmethod
    def col_minima(self, row_dual: np.ndarray) -> np.ndarray:
        """The same of each column."""

    @abstractmethod
    def entries(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        """The costs at (rows[k], cols[k])."""

    @abstractmethod
    def part(self, rows: np.ndarray, cols: np.ndarray) -> Any:
        """The matrix of these rows and columns, as it is stored and where it is."""

    @abstractmethod
    def without(self, bound: float) -> Any:
        """The matrix as it is stored, but real costs above the bound are forbidden."""

    def of_part(self, rows: np.ndarray, cols: np.ndarray) -> Lines:
        """The same of some rows and columns."""
        return lines_of(self.part(rows, cols), self.maximize)


class HostLines(Lines):
    """Of a matrix of NumPy's."""

    def _blocks(self) -> Iterator[tuple[slice, np.ndarray]]:
        step = max(BLOCK // max(self.shape[1], 1), 1)
        for first in range(0, self.shape[0], step):
            some = slice(first, first + step)
            yield some, self.sign * self.costs[some].astype(self.exact)

    def row_sums(self, weight: np.ndarray) -> np.ndarray:
        return np.concatenate([block @ weight for _, block in self._blocks()])

    def col_sums(self, weight: np.ndarray) -> np.ndarray:
        sums: np.ndarray = np.sum([weight[some] @ block for some, block in self._blocks()], axis=0)
        return sums

    def row_minima(self, col_dual: np.ndarray) -> np.ndarray:
        return np.concatenate([(block - col_dual).min(axis=1) for _, block in self._blocks()])

    def col_minima(self, row_dual: np.ndarray) -> np.ndarray:
        of_blocks = [(block - row_dual[some, None]).min(axis=0) for some, block in self._blocks()]
        minima: np.ndarray = np.min(of_blocks, axis=0)
        return minima

    def entries(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        found: np.ndarray = self.sign * self.costs[rows, cols].astype(self.exact)
        return found

    def part(self, rows: np.ndarray, cols: np.ndarray) -> Any:
        return self.costs[np.ix_(rows, cols)]

    def without(self, bound: float) -> Any:
        forbidden = self.costs.dtype.type(self.sign * np.inf)
        return np.where(self.sign * self.costs > bound, forbidden, self.costs)


class DeviceLines(Lines):
    """Of a matrix of CuPy's on the current device, row after row."""

    def __init__(self, cupy: Any, costs: Any, maximize: bool):
        super().__init__(costs, maximize)
        self.cupy = cupy
        self.size = np.int64(self.shape[0]), np.int64(self.shape[1])
        self.signed = self.exact(self.sign)

    def row_sums(self, weight: np.ndarray) -> np.ndarray:
        return self._of_rows("row_sums", weight.astype(np.float64))

    def col_sums(self, weight: np.ndarray) -> np.ndarray:
        return self._of_cols("col_sums", weight.astype(np.float64))

    def row_minima(self, col_dual: np.ndarray) -> np.ndarray:
        return self._of_rows("row_minima", col_dual.astype(self.exact))

    def col_minima(self, row_dual: np.ndarray) -> np.ndarray:
        return self._of_cols("col_minima", row_dual.astype(self.exact))

    def entries(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        found = self.cupy.empty(len(rows), self.exact)
        where = self._there(rows.astype(np.int64)), self._there(cols.astype(np.int64))
        arguments = self.costs, self.size[1], self.signed, *where, np.int64(len(rows)), found
        self._run("entries", -(-len(rows) // ROW_THREADS), (ROW_THREADS,), arguments)
        return np.asarray(found.get())

    def part(self, rows: np.ndarray, cols: np.ndarray) -> Any:
        found = self.cupy.empty((len(rows), len(cols)), self.costs.dtype)
        where = self._there(rows.astype(np.int64)), self._there(cols.astype(np.int64))
        arguments = self.costs, self.size[1], *where, np.int64(len(cols)), found
        self._run("part_of", len(rows), (ROW_THREADS,), arguments)
        return found

    def without(self, bound: float) -> Any:
        found = self.cupy.empty(self.shape, self.costs.dtype)
        limits = self.signed, self.exact(bound), self.costs.dtype.type(self.sign * np.inf)
        blocks = min(-(-self.costs.size // ROW_THREADS), MOST_BLOCKS)
        arguments = self.costs, np.int64(self.costs.size), *limits, found
        self._run("forbid_above", blocks, (ROW_THREADS,), arguments)
        return found

    def transposed(self) -> Any:
        """The transposed matrix as it is stored."""
        rows, cols = self.shape
        found = self.cupy.empty((cols, rows), self.costs.dtype)
        tiles = -(-rows // WARP) * -(-cols // WARP)
        self._run("transposed", tiles, (WARP, STRIPS), (self.costs, *self.size, found))
        return found

    def _of_rows(self, kernel: str, of_col: np.ndarray) -> np.ndarray:
        found = self.cupy.empty(self.shape[0], of_col.dtype)
        arguments = self.costs, self.size[1], self.signed, self._there(of_col), found
        self._run(kernel, self.shape[0], (ROW_THREADS,), arguments)
        return np.asarray(found.get())

    def _of_cols(self, kernel: str, of_row: np.ndarray) -> np.ndarray:
        found = self.cupy.empty(self.shape[1], of_row.dtype)
        arguments = self.costs, *self.size, self.signed, self._there(of_row), found
        self._run(kernel, -(-self.shape[1] // WARP), (WARP, STRIPS), arguments)
        return np.asarray(found.get())

    def _there(self, numbers: np.ndarray) -> Any:
        return to_device(self.cupy, numbers)

    def _run(self, name: str, blocks: int, threads: tuple[int, ...], arguments: tuple[Any, ...]) -> None:
        if blocks:
            function(self.cupy, lines_unit(self.costs.dtype), name)((blocks,), threads, arguments)


def lines_of(costs: Any, maximize: bool) -> Lines:
    """Those of a matrix of NumPy or CuPy, row after row."""
    if isinstance(costs, np.ndarray):
        return HostLines(costs, maximize)
    import cupy

    return DeviceLines(cupy, costs, maximize)


def constant_rows(costs: Lines) -> np.ndarray:
    """The rows whose costs are all the same."""
    nothing = np.zeros(costs.shape[1], costs.exact)
    negated = lines_of(costs.costs, not costs.maximize)
    return np.flatnonzero(costs.row_minima(nothing) == -negated.row_minima(nothing))


def constant_cols(costs: Lines) -> np.ndarray:
    """The columns whose costs are all the same."""
    nothing = np.zeros(costs.shape[0], costs.exact)
    negated = lines_of(costs.costs, not costs.maximize)
    return np.flatnonzero(costs.col_minima(nothing) == -negated.col_minima(nothing))
