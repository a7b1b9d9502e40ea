"""An assignment problem as the programs take it, on any machine, and the answer as we give it.

The arrays are NumPy's or CuPy's, wherever the costs are; ``xp`` is the library. Duals are the solver's: whole
numbers, with the shorter side as rows.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np

from konig import _native
from konig.assignment.cpu import Solved, duals_too_large, infeasible
from konig.assignment.integers import IntegerValues, RealValues, real_values, sums_fit
from konig.assignment.lines import DeviceLines, lines_of
from konig.errors import InfeasibleError
from konig.gpu.commands import Commands
from konig.gpu.staging import Shipment
from konig.parts import Parts

# Rounding below this fraction of the assignment's cost is negligible: the proof then repairs a gap so small
# that only about this fraction of a row's entries has slack within it.
PRECISE = 1e-5


# An answer of at most so many bytes comes back from a GPU behind every launch, whether that ends the solve or
# not: to ask for it afterwards takes 20 us, and to bring so much 1 % of the time of a long launch.
SMALL_ANSWER = 4 << 20

# To ask a type for its name takes as long as a launch.
_TYPES = {np.dtype(name): (name,) for name in ("int32", "int64", "float32", "float64")}


def types_of(dtype: Any) -> tuple[str, ...]:
    """What the programs for costs of a type are called by."""
    return _TYPES[dtype]


def values_of(
    dtype: Any, bounds: tuple[Any, Any], longest: int, maximize: bool
) -> IntegerValues | RealValues:
    """How costs of a type between these bounds become whole numbers, of which sums of ``longest`` fit."""
    if dtype.kind == "i":
        return IntegerValues(int(bounds[1 if maximize else 0]), maximize)
    return real_values(float(bounds[0]), float(bounds[1]), longest, maximize)


def oriented_costs(xp: Any, C: Any, maximize: bool) -> Any:
    """The costs row after row, with the shorter side as rows: in place where they lie so already."""
    turned = C.shape[0] > C.shape[1]
    if not turned and C.flags.c_contiguous:
        return C
    if xp is np or not (turned and C.flags.c_contiguous):
        return xp.ascontiguousarray(C.T if turned else C)
    return DeviceLines(xp, C, maximize).transposed()


class Answer(NamedTuple):
    """Pairs and duals in the solver's whole numbers, and what the pair of each row costs."""

    col_of_row: Any
    row_of_col: Any
    row_dual: Any
    col_dual: Any
    paid: Any


class Problem(ABC):
    """Room for the answer of a problem, and duals to start from, which replace coarse scales.

    What the costs are is for a subclass to say, which sets ``initial``, ``takes_duals`` (whether there are
    bits for given duals) and ``values`` before it calls ``restart``.
    """

    values: IntegerValues | RealValues
    initial: Any
    takes_duals: bool
    coarse_first = False  # coarse scales come first although duals are given
    _found: Answer | None
    _here: Parts | None  # a copy of all of it from a GPU

    def __init__(self, xp: Any, rows: int, cols: int):
        self.xp, self.rows, self.cols = xp, rows, cols
        self.stats: dict[str, Any] = {}

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows, self.cols

    @property
    @abstractmethod
    def type_of_costs(self) -> str:
        """What the programs for them are called by."""

    @property
    @abstractmethod
    def cost_arrays(self) -> dict[str, Any]:
        """The arrays of a program that costs are read from."""

    @property
    @abstractmethod
    def type_of_paid(self) -> Any:
        """The type of a cost."""

    @abstractmethod
    def _initial_duals(self) -> np.ndarray:
        """The given column duals in whole numbers."""

    @abstractmethod
    def _find_paid(self, commands: Commands | None, status: int = 0) -> None:
        """Write what the pair of each row costs, unless the proof calculates it; on a GPU by commands.

        These come to nothing where a program's status, if it is at this address, is not that of an answer.
        """

    @property
    def cost_numbers(self) -> dict[str, int]:
        """The numbers that go with them, but for those of all costs."""
        return {}

    @property
    def compile_options(self) -> tuple[str, ...]:
        """What the compiler of device code is told about them."""
        return ()

    def restart(self, memory: Any = None) -> None:
        """Nothing is assigned, and duals are those given, or zero; or all is as it is in this memory."""
        self._parts = Parts(self.xp, self._extents(), memory)
        self.forget_found()
        self.has_pairs = False
        self.warm = self.initial is not None and self.takes_duals
        if memory is not None:
            return
        commands = None if self.xp is np else Commands(self.xp)
        self._parts.fill(0, end="col_of_row", commands=commands)
        self._parts.fill(255, first="col_of_row", commands=commands)
        if commands is not None:
            commands.send()
        if self.warm:
            self._parts.write("col_dual", self._initial_duals())

    def _extents(self) -> dict[str, tuple[Any, int]]:
        """What the answer takes, all of which one copy brings from a GPU to the host.

        In this order: ``restart`` sets what is before ``col_of_row`` to 0, and the rest to -1.
        """
        return {
            "row_dual": (np.int64, self.rows),
            "col_dual": (np.int64, self.cols),
            **self._proof_extents(),
            "paid": (self.type_of_paid, self.rows),
            "col_of_row": (np.int32, self.rows),
            "row_of_col": (np.int32, self.cols),
        }

    def _proof_extents(self) -> dict[str, tuple[Any, int]]:
        """What the proof of the answer takes beside it."""
        return {}

    @property
    def addresses(self) -> dict[str, int]:
        """Where programs find duals, and put them and the pairs."""
        return self._parts.addresses("row_dual", "col_dual", "col_of_row", "row_of_col")

    @property
    def row_dual(self) -> Any:
        return self._parts["row_dual"]

    @property
    def col_dual(self) -> Any:
        return self._parts["col_dual"]

    @property
    def col_of_row(self) -> Any:
        return self._parts["col_of_row"]

    @property
    def row_of_col(self) -> Any:
        return self._parts["row_of_col"]

    @property
    def found(self) -> Answer:
        """The answer of a problem in which all rows are assigned, on the host."""
        if self._found is None:
            if self.xp is np:
                self._find_paid(None)
            here = self._parts if self.xp is np else self._brought()
            self._found = Answer(*(here[name] for name in Answer._fields))
        return self._found

    def _brought(self) -> Parts:
        """The answer and what goes with it, on the host, from a GPU."""
        if self._here is None:
            commands = Commands(self.xp)
            self.bring(commands)
            commands.send()
            assert self._here is not None
        return self._here

    @property
    def comes_with_launches(self) -> bool:
        """Whether the answer is brought behind every launch of a program."""
        return self.xp is not np and int(self._parts.memory.nbytes) <= SMALL_ANSWER

    def bring(self, commands: Commands, status: int = 0) -> None:
        """Bring the answer from a GPU, which is there when these commands have been sent.

        They may follow the launch of a program whose status is at this address: what they bring is of use if
        it ends with an answer.
        """
        self._found = None
        self._find_paid(commands, status)
        self._here = self._parts.fetched(commands)

    def forget_found(self) -> None:
        """What was found or brought to the host is no longer true."""
        self._found = self._here = None

    def begin_with(self, col_of_row: np.ndarray, col_dual: np.ndarray) -> None:
        """Start from pairs and whole duals of the columns; those of columns without a pair are 0."""
        self.warm = self.has_pairs = True
        self._parts.write("col_dual", col_dual)
        self._write_pairs(col_of_row)

    def _write_pairs(self, col_of_row: np.ndarray) -> None:
        row_of_col = np.full(self.cols, -1, np.int32)
        row_of_col[col_of_row] = np.arange(self.rows, dtype=np.int32)
        self._parts.write("col_of_row", col_of_row)
        self._parts.write("row_of_col", row_of_col)
        self.forget_found()

    def drop_leftover_duals(self, cold: bool) -> bool:
        """Unassign all rows and drop the duals of columns left over, or all column duals if ``cold``.

        False, and nothing changes, if no column is left over with a dual.
        """
        if self.rows == self.cols:
            return False
        if not _native.has_leftover_duals(self.found.row_of_col, self.found.col_dual):
            return False
        left_over = (self.found.row_of_col < 0) & (self.found.col_dual != 0)
        kept = np.where(left_over | cold, 0, self.found.col_dual)
        self._parts.fill(0, end="col_dual")
        self._parts.fill(255, first="col_of_row")
        self._parts.write("col_dual", kept)
        self.has_pairs = False
        self.forget_found()
        return True


class DenseProblem(Problem):
    """A matrix of costs, oriented.

    Initial duals replace the coarse scales unless ``coarse_first``. Sums of ``longest`` values fit, if that
    is more than needed: two problems with the same bounds and the same ``longest`` have the same values.
    ``oriented`` is the matrix as programs read it, if it is known, and ``memory`` where a program has put its
    answer, if one has run.
    """

    def __init__(
        self,
        xp: Any,
        C: Any,
        maximize: bool,
        bounds: tuple[Any, Any],
        initial: Any = None,
        threads: int = 1,
        coarse_first: bool = False,
        longest: int = 0,
        oriented: Any = None,
        memory: Any = None,
    ):
        super().__init__(xp, *sorted(C.shape))
        self.given, self.maximize, self.bounds, self.threads = C, maximize, bounds, threads
        self.coarse_first, self.assigned = coarse_first, False
        self.transposed = C.shape[0] > C.shape[1]
        self.costs = oriented_costs(xp, C, maximize) if oriented is None else oriented
        whole = C.dtype.kind == "i"
        # Given duals need one more bit, which the costs may not leave.
        self.takes_duals = not whole or sums_fit(int(bounds[1]) - int(bounds[0]), 2 * self.rows)
        longest = max(longest, self.rows if initial is None else 2 * self.rows)
        self.values = values_of(C.dtype, bounds, longest, maximize)
        self.initial = initial
        self.restart(memory)

    @property
    def type_of_costs(self) -> str:
        return types_of(self.costs.dtype)[0]

    @property
    def cost_arrays(self) -> dict[str, Any]:
        return {"costs": self.costs}

    @property
    def type_of_paid(self) -> Any:
        return self.costs.dtype

    def costs_without_hopeless_pairs(self) -> Any | None:
        """The costs of a solved problem, reduced-cost fixing applied; None if that is no use."""
        if not isinstance(self.values, RealValues):
            return None
        assigned = self.found.paid.astype(np.float64)
        if is_precise(self.values, assigned):
            return None
        pairs, duals = self.found.col_of_row, self._centred_duals()
        bound = fixing_bound(self.values, self.bounds, self.maximize, assigned, pairs, duals)
        if bound is None:
            return None
        cheaper = lines_of(self.costs, self.maximize).without(bound)
        return cheaper.T if self.transposed else cheaper

    def _proof_extents(self) -> dict[str, tuple[Any, int]]:
        if self.xp is np or isinstance(self.values, IntegerValues):
            return {}
        return {"real_col_dual": (np.float64, self.cols), "lowest": (np.float64, self.rows)}

    def _find_paid(self, commands: Commands | None, status: int = 0) -> None:
        """On a GPU also what the proof asks first, since one copy brings all of it."""
        if commands is None:
            self._parts["paid"][:] = self.costs[np.arange(self.rows), self.col_of_row]
        else:
            from konig.assignment.gpu import write_pair_costs

            write_pair_costs(self.xp, commands, self.costs, self._parts, self.values, status)

    def _initial_duals(self) -> np.ndarray:
        given = self.initial[0 if self.transposed else 1]
        duals: np.ndarray = self.values.start(given, self.bounds, self.rows)
        return np.minimum(duals, 0) if self.rows < self.cols else duals

    def again(self, initial: Any, coarse_first: bool = False, longest: int = 0) -> DenseProblem:
        """The same problem, from another start."""
        given, maximize, bounds = self.given, self.maximize, self.bounds
        return DenseProblem(
            self.xp, given, maximize, bounds, initial, self.threads, coarse_first, longest, self.costs
        )

    def assign(self, col_of_row: np.ndarray) -> None:
        """Assign row i to ``col_of_row[i]``, which the column duals prove optimal but for rounding."""
        self.assigned = True
        self._write_pairs(col_of_row)
        if isinstance(self.values, IntegerValues):
            costs = self.found.paid.astype(np.int64)
            value = self.values.base - costs if self.maximize else costs - self.values.base
            self._parts.write("row_dual", value - self.found.col_dual[self.found.col_of_row])
            self.forget_found()

    def solved(self, C: Any) -> Solved | OverflowError:
        """The answer to these costs in the caller's orientation and numbers.

        It is made on the host, where arithmetic needs no kernel to be compiled for it. Where no duals fit, an
        error for the caller to raise. The problem's costs are these afterwards.
        """
        none_forbidden = C is self.given
        if not none_forbidden:
            self.costs = oriented_costs(self.xp, C, self.maximize)
        rows, cols = self.given.shape
        dual = np.int64 if isinstance(self.values, IntegerValues) else np.float64
        extents = [(np.int64, (self.rows,)), (np.int64, (self.rows,)), (dual, (rows,)), (dual, (cols,))]
        shipment = None if self.xp is np else Shipment(extents)
        answer: list[Any] = (
            [np.empty(shape, dtype) for dtype, shape in extents] if shipment is None else shipment.arrays
        )
        proved = self._write_whole(answer) if dual is np.int64 else self._write_real(answer, none_forbidden)
        if proved is None:
            return duals_too_large(dual)
        if shipment is not None:
            answer = shipment.on_device(self.xp)
        (row_ind, col_ind, row_dual, col_dual), (cost, gap) = answer, proved
        return Solved(row_ind, col_ind, cost, gap, row_dual, col_dual, self.stats)

    def _places(self, answer: list[Any]) -> tuple[Any, ...]:
        """Where native code writes: pairs, and the duals of the solver's rows and columns."""
        row_ind, col_ind, *duals = answer
        return (row_ind, col_ind, *(duals[::-1] if self.transposed else duals))

    def _write_whole(self, answer: list[Any]) -> tuple[int, int] | None:
        """The cost and its gap; None if duals do not fit."""
        assert isinstance(self.values, IntegerValues)
        found, places = self.found, self._places(answer)
        numbers: tuple[Any, Any, Any, Any] = found.col_of_row, found.paid, found.row_dual, found.col_dual
        base, maximize = self.values.base, self.maximize
        cost, fits = _native.write_whole_answer(*numbers, base, maximize, self.transposed, *places)
        if not fits:
            duals = self.values.duals(np, found.row_dual, found.col_dual)
            if duals is None:
                return None
            for place, numbers_there in zip(places[2:], duals, strict=True):
                place[:] = numbers_there
        return cost, 0

    def _write_real(self, answer: list[Any], none_forbidden: bool) -> tuple[float, float] | None:
        """The same for reals; whether no pair was forbidden to be solved."""
        row_dual, col_dual, gap, self.stats["exact_solves"], col_of_row, paid = self._proved(none_forbidden)
        if not np.isfinite(gap):
            return None
        numbers: tuple[Any, Any, Any, Any] = col_of_row, paid, row_dual, col_dual
        places = self._places(answer)
        cost: Any = _native.write_real_answer(*numbers, self.maximize, self.transposed, *places)
        return cost, gap

    def _proved(
        self, none_forbidden: bool
    ) -> tuple[np.ndarray, np.ndarray, float, int, np.ndarray, np.ndarray]:
        """Duals of both sides, to be minimised, the gap, how often it was repaired, pairs and their costs.

        The whole numbers that were solved are rounded costs, so that their duals are a start. Another
        assignment may take the place of that one.
        """
        assert isinstance(self.values, RealValues)
        col_of_row, paid = self.found.col_of_row.copy(), self.found.paid
        if self.rows == 0:
            return np.zeros(0), np.zeros(self.cols), 0.0, 0, col_of_row, paid
        row_dual = np.empty(self.rows)
        if self.xp is np:
            sign = -1.0 if self.maximize else 1.0
            col_dual = sign * self.values.col_duals(self._centred_duals())
            gap, solves = _native.prove_assignment(
                self.costs, self.maximize, self.threads, col_of_row, row_dual, col_dual
            )
            paid = self.costs[np.arange(self.rows), col_of_row]
        else:
            from konig.assignment.gpu import prove

            here = self._brought()
            col_dual = here["real_col_dual"].copy()
            lowest = here["lowest"] if none_forbidden else None
            row_dual, gap, solves, paid = prove(
                self.xp, self.costs, self.maximize, col_of_row, col_dual, paid, lowest
            )
        return row_dual, col_dual, gap, solves, col_of_row, paid

    def approximate_row_duals(self) -> np.ndarray:
        """Those of a solved problem in the caller's numbers, as far as whole numbers tell."""
        whole = isinstance(self.values, IntegerValues)
        assigned = self.found.paid.astype(np.int64 if whole else np.float64)
        if isinstance(self.values, RealValues):
            col_dual = self.values.col_duals(self._centred_duals())
        else:
            col_dual = self.found.col_dual * (-1 if self.maximize else 1)
        of_rows: np.ndarray = assigned - col_dual[self.found.col_of_row]
        return of_rows

    def _centred_duals(self) -> np.ndarray:
        """Of the columns, on the host."""
        duals: np.ndarray = centred(self.found.col_dual, self.rows)
        return duals

    def infeasible(self, in_rows: np.ndarray, in_cols: np.ndarray) -> InfeasibleError:
        """These rows and columns violate Hall's condition."""
        rows, cols = map(np.flatnonzero, (in_rows, in_cols))
        return infeasible(rows, cols, self.transposed)


def centred(col_dual: Any, rows: int) -> Any:
    """Where no column is left over a constant may move between the sides: smaller numbers round less."""
    if rows != len(col_dual) or rows == 0:
        return col_dual
    return col_dual - (int(col_dual.max()) + int(col_dual.min())) // 2


def is_precise(values: RealValues, assigned: np.ndarray) -> bool:
    """Whether the unit of the whole numbers is small enough beside what the assigned pairs cost."""
    with np.errstate(over="ignore"):  # an infinite sum is as good as any that is large enough
        return least_precise(values, len(assigned)) <= float(abs(assigned).sum())


def least_precise(values: IntegerValues | RealValues, rows: int) -> float:
    """The least that so many pairs may cost together for the unit to be small enough beside it."""
    return _rounding(values, rows) / PRECISE if isinstance(values, RealValues) else 0.0


def _rounding(values: RealValues, rows: int) -> float:
    """How far from the optimum an assignment may be, and its duals from feasible ones, both together."""
    return 2 * rows / abs(values.first) / values.second


def fixing_bound(
    values: RealValues,
    bounds: tuple[Any, Any],
    maximize: bool,
    assigned: Any,
    col_of_row: Any,
    col_dual: Any,
) -> float | None:
    """Reduced-cost fixing: no pair above this (negated, to maximise) is in an optimal assignment; or None.

    The whole numbers that were solved are the costs, each cut off by less than a unit. So the assignment
    is within a unit a row of the optimum, and its duals are as far from feasible: a pair whose reduced cost
    exceeds both cannot be in an optimal one. Without pairs that cost far more than all others the unit can be
    far smaller; None where that gains nothing.
    """
    sign = -1.0 if maximize else 1.0
    col_dual = sign * values.col_duals(col_dual)
    row_dual = sign * assigned - col_dual[col_of_row]
    bound = float(row_dual.max()) + float(col_dual.max()) + _rounding(values, len(col_of_row))
    greatest = -float(bounds[0]) if maximize else float(bounds[1])
    return bound if 2 * abs(bound) < abs(greatest) else None
