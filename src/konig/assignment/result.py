"""Optimal assignments, of one problem or of many at once, and their proofs."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp

from konig.assignment.auto import choose
from konig.assignment.cpu import Solved, ran
from konig.assignment.inputs import dense_costs, sparse_costs
from konig.assignment.proof import (
    Blocks,
    check_optimal_assignment,
    check_unassigned_assignment,
    dense_blocks,
    entry_blocks,
)
from konig.assignment.unassigned import Alone, checked, in_float64
from konig.errors import CertificateError
from konig.interop import arrays
from konig.interop.index_matrices import sparse_on_host
from konig.matching.proof import check_cover
from konig.matching.result import VertexCover
from konig.refusal import check_array, check_indices, refuse_if
from konig.results import Pairs, Result, statistics


def cost_blocks(C: Any) -> tuple[Blocks, tuple[int, ...]]:
    """The entries of dense or sparse costs for the checkers, and the shape of the matrix."""
    listed = C if sp.issparse(C) else sparse_on_host(C, arrays.place_of(C, "C") or arrays.HOST, "C")
    if listed is not None:
        sparse = sparse_costs(listed)
        return entry_blocks(sparse.row, sparse.col, sparse.cost), sparse.shape
    costs = dense_costs(C)
    return dense_blocks(costs), costs.shape


def alone_blocks(blocks: Blocks, shape: tuple[int, int], unassigned_cost: Any) -> tuple[Blocks, Alone]:
    """The entries and the costs of leaving rows and columns alone, all integers or all float64."""
    real = any(values.dtype.kind == "f" for _, _, values in blocks())
    alone = checked(unassigned_cost, shape, real)
    if real or not alone.is_real:
        return blocks, alone

    def in_reals() -> Iterator[tuple[Any, Any, Any]]:
        return ((rows, cols, in_float64(values, "C")) for rows, cols, values in blocks())

    return in_reals, alone


def statistics_of(found: Any) -> dict[str, Any]:
    """Of what a native call left."""
    return statistics(found.counts, convert=0.0, main=found.seconds)


def fields_of(result: Any) -> dict[str, Any]:
    """All fields of a result, to be pickled: what a native call left cannot be."""
    for name in result.LATER:
        getattr(result, name)
    return {name: value for name, value in result.__dict__.items() if name != "found"}


@dataclass(frozen=True, eq=False, repr=False)
class Assignment(Pairs, Result):
    """An optimal assignment and its proof.

    Attributes
    ----------
    row_ind, col_ind : array
        The assigned pairs, rows ascending. ``row_ind, col_ind = assignment`` unpacks them.
    cost : int or float
        What they cost together: exact for integers; of reals the sum in float64, which is infinite where it
        is beyond that. Pairs, duals and gap are right then, too.
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
    may_leave_alone : bool
        Whether rows and columns could be left alone at a cost (``unassigned_cost``). ``cost`` then has these
        costs in it. The duals are those of all rows and columns: minimising, none is above what leaving its
        row or column alone costs, with equality where it is left alone, and they sum up to ``cost``.
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
    maximize: bool = False
    cover: VertexCover | None = None
    place: arrays.Place = arrays.HOST
    may_leave_alone: bool = False

    PLACED = ("row_ind", "col_ind", "row_dual", "col_dual", "cover")
    LATER: ClassVar[Mapping[str, Callable[[Any], Any]]] = {
        "stats": lambda result: statistics_of(result.found),
        "row_dual": lambda result: result.found.row_dual,
        "col_dual": lambda result: result.found.col_dual,
        "gap": lambda result: result.found.gap,
        "device": lambda _: "cpu",
        "method": lambda result: ran(choose(len(result.row_dual), len(result.col_dual)), result.stats),
    }

    def __repr__(self) -> str:
        rows, cols = len(self.row_dual), len(self.col_dual)
        return (
            f"Assignment(size={self.size} of {rows} x {cols}, cost={self.cost}, method={self.method!r}, "
            f"device={self.device!r})"
        )

    def __getstate__(self) -> dict[str, Any]:
        return fields_of(self)

    @property
    def size(self) -> int:
        """How many pairs are assigned."""
        return len(self.row_ind)

    @property
    def unassigned_rows(self) -> Any:
        """The rows that have no column, ascending."""
        return _others(self.row_ind, len(self.row_dual))

    @property
    def unassigned_cols(self) -> Any:
        """The columns that have no row, ascending."""
        return _others(self.col_ind, len(self.col_dual))

    def verify(self, C: Any, *, unassigned_cost: Any = None) -> None:
        """Prove the answer against the costs, on the host and without any solver.

        Parameters
        ----------
        C : array or sparse matrix
            The costs.
        unassigned_cost : number or pair, optional
            What leaving rows and columns alone costs, where that was given to the solver: it is part of the
            problem, and the result does not keep it.

        Raises
        ------
        CertificateError
            Unless this is an assignment of ``C``, as large as can be or with these costs of rows and columns
            left alone, and its duals prove it optimal.

        Examples
        --------
        >>> import numpy as np, konig
        >>> C = np.array([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
        >>> konig.linear_assignment(C).verify(C)
        """
        blocks, shape = cost_blocks(C)
        answer = self.on_host()
        pairs, duals = (answer.row_ind, answer.col_ind), (answer.row_dual, answer.col_dual)
        extent: Any = tuple(extent for dual in duals for extent in _shape(dual))
        if shape != extent:
            solved, given = (" x ".join(map(str, extents)) for extents in (extent, shape))
            raise CertificateError(f"the answer is for a {solved} matrix, not {given}")
        self._check_problem(unassigned_cost)
        if self.may_leave_alone:
            blocks, alone = alone_blocks(blocks, extent, unassigned_cost)
            sides, numbers = (alone.row, alone.col), (self.cost, self.gap)
            check_unassigned_assignment(
                blocks, extent, *sides, *pairs, *numbers, *duals, maximize=self.maximize
            )
            return
        check_optimal_assignment(blocks, extent, *pairs, self.cost, self.gap, *duals, self.maximize)
        answer._verify_size(blocks, extent)

    def _check_problem(self, unassigned_cost: Any) -> None:
        """Refuse to prove the answer to another problem than the one that was solved."""
        if self.may_leave_alone and unassigned_cost is None:
            raise CertificateError(
                "rows and columns could be left alone at a cost here; pass verify the same unassigned_cost"
            )
        if unassigned_cost is not None and not self.may_leave_alone:
            raise CertificateError("the answer is to a problem without unassigned_cost")
        if self.may_leave_alone and self.cover is not None:
            raise CertificateError("where rows and columns may be left alone there is nothing to cover")

    def _verify_size(self, blocks: Blocks, shape: tuple[int, int]) -> None:
        size, cover = self.size, self.cover
        if cover is not None:
            if not isinstance(cover, VertexCover):
                raise CertificateError(f"the cover is a {type(cover).__name__}, not a VertexCover")
            check_indices("the cover's rows", cover.rows)
            check_indices("the cover's cols", cover.cols)
        if size == min(shape):
            if cover is not None and len(cover):
                raise CertificateError("the assignment is full, and still it has a cover")
            return
        if cover is None:
            raise CertificateError(f"{size} pairs of {min(shape)} are assigned, and no cover says why")
        for at_rows, at_cols, values in blocks():
            at = np.nonzero(np.isfinite(values))
            full = np.broadcast_shapes(at_rows.shape, at_cols.shape)
            edges = np.broadcast_to(at_rows, full)[at], np.broadcast_to(at_cols, full)[at]
            check_cover(*edges, shape, cover.rows, cover.cols)
        if len(cover) != size:
            raise CertificateError(f"{size} pairs are assigned but the cover has {len(cover)} lines")


@dataclass(frozen=True, eq=False, repr=False)
class AssignmentBatch:
    """Optimal assignments of B problems, and their proofs.

    ``batch[b]`` is the `Assignment` of problem b.

    Attributes
    ----------
    row_ind, col_ind : array (B, k)
        The assigned pairs of each problem, rows ascending, padded with -1.
    cost, gap : array (B,)
        What they cost together, and a proven bound on how far that is from the optimum.
    row_dual, col_dual : array (B, n) and (B, m)
        The proofs, as in `Assignment`, padded with 0.
    row_counts, col_counts : ndarray (B,)
        How many rows and columns each problem has.
    method, device, stats, maximize
        As in `Assignment`; what was counted is summed over the problems.
    covers : dict
        The covers of the problems in which not every row or column of the shorter side could be assigned
        (``full=False``), by number.
    may_leave_alone : bool
        Whether rows and columns could be left alone at a cost; as in `Assignment`.
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
    place: arrays.Place = arrays.HOST
    may_leave_alone: bool = False

    def __repr__(self) -> str:
        rows, cols = self.row_dual.shape[1], self.col_dual.shape[1]
        return (
            f"AssignmentBatch({len(self)} problems of {rows} x {cols}, method={self.method!r}, "
            f"device={self.device!r})"
        )

    def __len__(self) -> int:
        return len(self.cost)

    def __getitem__(self, number: Any) -> Assignment:
        """The answer of one problem; negative numbers count from the end."""
        try:
            b = range(len(self))[operator.index(number)]
        except TypeError:
            raise TypeError(f"a batch is asked for one problem at a time, not for {number!r}") from None
        except IndexError:
            raise IndexError(f"problem {number} is not among the {len(self)} of this batch") from None
        rows, cols = int(self.row_counts[b]), int(self.col_counts[b])
        size = len(self.covers[b]) if b in self.covers else min(rows, cols)
        if self.may_leave_alone:
            size = int((self.row_ind[b] >= 0).sum())
        pairs = self.row_ind[b][:size], self.col_ind[b][:size]
        duals = self.row_dual[b][:rows], self.col_dual[b][:cols]
        ran: tuple[Any, Any, Any, Any] = self.method, self.device, self.stats, self.maximize
        numbers = self.cost[b].item(), self.gap[b].item()
        cover, alone = self.covers.get(b), self.may_leave_alone
        return Assignment(*pairs, *numbers, *duals, *ran, cover, self.place, alone)

    def __iter__(self) -> Iterator[Assignment]:
        return (self[b] for b in range(len(self)))

    def verify(self, C: Any, *, unassigned_cost: Any = None) -> None:
        """Prove every answer against the costs, on the host and without any solver.

        Parameters
        ----------
        C : array
            The costs, (B, n, m).
        unassigned_cost : number or pair, optional
            What leaving rows and columns alone costs, where that was given to the solver.

        Raises
        ------
        CertificateError
            Unless each problem's assignment is proved by its own duals, and the padding is what it should be.
        """
        costs = dense_costs(C)
        per_problem = (self.row_dual, self.col_dual)
        extent = (*_shape(self.cost), *(n for duals in per_problem for n in _shape(duals)[1:]))
        if costs.shape != extent:
            raise CertificateError(f"the answers are for costs of shape {extent}, not {costs.shape}")
        self._check_arrays(*extent)
        for name, padding in (("row_ind", -1), ("col_ind", -1), ("row_dual", 0), ("col_dual", 0)):
            given = arrays.to_numpy(getattr(self, name))
            for b, answer in enumerate(self):
                used = len(getattr(answer, name))
                if (given[b, used:] != padding).any():
                    raise CertificateError(f"{name} of problem {b} is not padded with {padding}")
        alone = None
        if unassigned_cost is not None:
            alone = checked(unassigned_cost, costs.shape, costs.dtype.kind == "f")
        for b, answer in enumerate(self):
            rows, cols = self.row_counts[b], self.col_counts[b]
            of_problem = None if alone is None else alone.of_problem(b, rows, cols)
            sides = None if of_problem is None else (of_problem.row, of_problem.col)
            try:
                answer.verify(costs[b, :rows, :cols], unassigned_cost=sides)
            except CertificateError as refused:
                raise CertificateError(f"problem {b}: {refused}") from None

    def _check_arrays(self, problems: int, rows: int, cols: int) -> None:
        """Check that all is there for so many problems of this extent."""
        pairs, counts = ("i", (problems, min(rows, cols))), ("i", (problems,))
        costs = ("if", (problems,))
        expected = {"row_ind": pairs, "col_ind": pairs, "cost": costs, "gap": costs}
        expected |= {"row_dual": ("if", (problems, rows)), "col_dual": ("if", (problems, cols))}
        expected |= {"row_counts": counts, "col_counts": counts}
        for name, (kinds, shape) in expected.items():
            given = getattr(self, name)
            check_array(name, given if self.place == arrays.HOST else arrays.to_numpy(given), kinds, shape)
        for name, numbers, most in (
            ("row_counts", self.row_counts, rows),
            ("col_counts", self.col_counts, cols),
        ):
            wrong = np.flatnonzero((numbers < 0) | (numbers > most))
            refuse_if(wrong, lambda b, n=name, x=numbers, m=most: f"{n}[{b}] = {x[b]} is not in [0, {m}]")
        for b in self.covers:
            if b not in range(problems):
                raise CertificateError(f"a cover is for problem {b!r}, and there are {problems}")


def _others(ids: Any, extent: int) -> Any:
    """The numbers below an extent that are not among these, in the library of these."""
    there = np.ones(extent, bool)
    there[arrays.to_numpy(ids)] = False
    others = np.flatnonzero(there)
    place = arrays.place_of(ids, "ids") or arrays.HOST
    return place.give(others)


def _shape(array: Any) -> tuple[int, ...]:
    """That of an array, and none of anything else."""
    return tuple(getattr(array, "shape", ()))


def answer_in(place: arrays.Place, solved: Solved) -> dict[str, Any]:
    """The pairs, costs and duals of a problem or of a batch as the caller's arrays, frozen on the host."""
    names = "row_ind", "col_ind", "cost", "gap", "row_dual", "col_dual"
    answer = {name: getattr(solved, name) for name in names}
    on_host = place is arrays.HOST or place == arrays.HOST
    for name, value in answer.items():
        if isinstance(value, int | float):
            continue
        if not (on_host and type(value) is np.ndarray):
            answer[name] = value = place.give(value)
        if on_host:
            value.setflags(write=False)
    return answer
