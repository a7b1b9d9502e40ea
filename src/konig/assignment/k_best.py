"""Assignments in order of cost: Murty's ranking, and the proof of its order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import scipy.sparse as sp

from konig import _native
from konig.arguments import checked_count, checked_flag, with_hints
from konig.assignment import linear_assignment
from konig.assignment.inputs import SparseCosts, dense_costs, sparse_costs
from konig.assignment.k_best_proof import Cell, Moves, Record, check_ranking, whole_numbers
from konig.assignment.result import Assignment
from konig.exact_reals import exact_sum, float_above, float_below
from konig.interop import arrays
from konig.interop.index_matrices import sparse_on_host

# Integers of 128 bits hold sums of numbers up to so many bits, counted in units of the finest.
NARROW_BITS = 116
LARGEST = 2**63 - 1  # of a rank: no ranking gets so far


@with_hints
def k_best_assignments(
    C: Any, k: int | None = None, *, maximize: bool = False, initial: Any = None
) -> KBestAssignments:
    """The k cheapest assignments, in order of cost.

    An assignment has every row, or every column if there are fewer of them. No assignment comes twice; those
    of equal cost come in any order. Each is found when it is asked for.

    Parameters
    ----------
    C : array or sparse matrix
        Costs, (n, m), as `linear_assignment` takes them: ``inf`` forbids a pair (``-inf`` when maximising),
        and so does a sparse matrix what it does not store. It is never modified. Costs on a GPU are copied to
        the host, and answers are arrays of NumPy.
    k : int, optional
        How many at most; all if not given. Less memory and time is taken if it is.
    maximize : bool
        The dearest first.
    initial : Assignment or (row_dual, col_dual), optional
        A warm start for the first one: an earlier result of a similar problem, or its duals.

    Returns
    -------
    KBestAssignments
        An iterator of `RankedAssignment`, which ends when there are no more; ``verify(C)`` proves what
        has come so far to be the cheapest assignments in order.

    Raises
    ------
    InfeasibleError
        If no assignment is full; it carries the rows (or columns) that have too few partners.

    Notes
    -----
    Ordered in exact arithmetic: costs of reals are compared before they are rounded to float64. The first
    assignment is that of `linear_assignment`, each further one takes some shortest augmenting paths, of
    O(n m log m) at the most and a small part of that as a rule. On the CPU, on one thread.

    References
    ----------
    K. G. Murty: An algorithm for ranking all the assignments in order of increasing cost, Operations Research
    16, 1968. M. L. Miller, H. S. Stone, I. J. Cox: Optimizing Murty's ranked assignment method, IEEE
    Transactions on Aerospace and Electronic Systems 33, 1997.

    Examples
    --------
    >>> import numpy as np, konig
    >>> C = np.array([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
    >>> best = konig.k_best_assignments(C, 3)
    >>> [(a.cost, a.col_ind.tolist()) for a in best]
    [(5, [1, 0, 2]), (6, [0, 1, 2]), (6, [2, 1, 0])]
    >>> best.verify(C)
    """
    most = checked_count("k", k, least=0)
    maximize = checked_flag("maximize", maximize)
    costs = _costs(C)
    first = linear_assignment(
        costs.matrix() if isinstance(costs, SparseCosts) else costs,
        maximize=maximize,
        device="cpu",
        threads=1,
        initial=initial,
    )
    assert isinstance(first, Assignment), "a batch was refused"
    return KBestAssignments(costs, first, most)


def _costs(C: Any) -> np.ndarray | SparseCosts:
    """Costs on the host: what is on a GPU is copied."""
    place = arrays.HOST if isinstance(C, np.ndarray) else arrays.place_of(C, "C") or arrays.HOST
    listed = C if sp.issparse(C) else sparse_on_host(C, place, "C")
    if listed is not None:
        return sparse_costs(listed)
    costs = dense_costs(C if place == arrays.HOST else arrays.to_numpy(C))
    if costs.ndim != 2:
        raise ValueError(f"C must have two dimensions (rows, columns), not shape {costs.shape}")
    return costs


@dataclass(frozen=True)
class _First:
    """What all assignments of a ranking share: the first one, and the unit in which costs are exact."""

    row_dual: np.ndarray
    col_dual: np.ndarray
    unit: Fraction  # negative when maximising

    @cached_property
    def proved(self) -> Fraction:
        """What the duals sum up to."""
        return exact_sum(self.row_dual) + exact_sum(self.col_dual)

    def gap(self, units: int) -> int | float:
        """By how much more than that an assignment costs."""
        above = abs(units * self.unit - self.proved)
        return int(above) if self.row_dual.dtype.kind == "i" else float_above(above)


@dataclass(frozen=True, eq=False, repr=False)
class RankedAssignment(Assignment):
    """One of the cheapest assignments.

    Attributes
    ----------
    rank : int
        How many came before it.
    row_ind, col_ind, cost, method, device, stats, maximize
        As in `Assignment`.
    row_dual, col_dual : array
        The duals of the first assignment, which they prove optimal; all ranks share them.
    gap : int or float
        A bound on how much more it costs than the first, from these duals: ``verify(C)`` accepts an
        assignment that costs as much as the first, or within its own ``gap`` of it for reals, and no other.
    """

    rank: int = 0

    LATER: ClassVar[Mapping[str, Callable[[Any], Any]]] = {
        "row_dual": lambda ranked: ranked.found[0].row_dual,
        "col_dual": lambda ranked: ranked.found[0].col_dual,
        "gap": lambda ranked: ranked.found[0].gap(ranked.found[1]),
        "stats": lambda ranked: {"rank": ranked.rank, "seconds": {}},
    }


class KBestAssignments:
    """Assignments in order of cost, found one after the other.

    Attributes
    ----------
    maximize : bool
        Whether the dearest come first.
    k : int or None
        How many come at most.
    stats : dict
        ``found``: assignments so far; ``searches``: for shortest augmenting paths.

    Notes
    -----
    A ranking can be neither pickled nor copied; the assignments that it gives can: ``list(ranking)``.
    """

    def __init__(self, costs: np.ndarray | SparseCosts, first: Assignment, k: int | None):
        self.k, self.maximize = k, first.maximize
        self._shape = costs.shape
        self._transposed = costs.shape[0] > costs.shape[1]
        rows, cols = sorted(costs.shape)
        start = col = None
        values: Any
        if isinstance(costs, SparseCosts):
            listed = costs.transposed() if self._transposed else costs
            start, col, values = listed.start, listed.col, listed.cost
        else:
            values = (costs.T if self._transposed else costs).ravel()
        pairs: Any
        dual: Any
        pairs, dual = first.col_ind, first.col_dual
        if self._transposed:
            pairs, dual = first.row_ind[np.argsort(first.col_ind)], first.row_dual
        self._is_real = values.dtype.kind == "f"
        solved = np.float64 if self._is_real else np.int64
        values, dual = (np.ascontiguousarray(numbers, solved) for numbers in (values, dual))
        self._exponent, bits = _unit(values, dual) if self._is_real else (0, 64)
        self._native = _native.Ranking(
            rows,
            cols,
            start,
            col,
            values,
            self.maximize,
            self._exponent,
            bits + rows.bit_length() > NARROW_BITS,
            pairs.astype(np.int32),
            dual,
            -1 if k is None or k > LARGEST else k,
        )
        self._ended = False
        self._answer = first
        self._first = _First(
            first.row_dual, first.col_dual, Fraction(2) ** self._exponent * (-1 if self.maximize else 1)
        )
        self._rows = np.arange(rows)
        self._rows.flags.writeable = False

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> RankedAssignment:
        rank = self._native.found
        if rank == self.k or not self._native.next():
            self._ended = rank != self.k
            raise StopIteration
        pairs, rows = self._native.pairs(rank), self._rows
        if rank == 0 and self._is_real:
            self._first = self._proved_by(pairs)
        if self._transposed:
            order = np.argsort(pairs)
            pairs, rows = order, pairs[order]
        ranked = object.__new__(RankedAssignment)
        ranked.__dict__.update(
            row_ind=rows,
            col_ind=pairs,
            cost=self._cost(rank),
            method="murty",
            device="cpu",
            maximize=self.maximize,
            rank=rank,
            found=(self._first, self._native.cost(rank)),
        )
        return ranked

    def _proved_by(self, pairs: np.ndarray) -> _First:
        """What proves the first assignment, which may be cheaper than that of `linear_assignment`.

        By less than reals of that size can tell: its duals are then the exact ones, rounded so that they
        still hold.
        """
        first, answer = self._first, self._answer
        solved = answer.row_ind[np.argsort(answer.col_ind)] if self._transposed else answer.col_ind
        if np.array_equal(pairs, solved):
            return first
        row, col, (spare,) = (whole_numbers(*part) for part in self._native.duals(0))
        unit = abs(first.unit)
        sign = -1 if self.maximize else 1
        duals = [
            sign * np.array([float_below((int(units) + int(by)) * unit) for units in side])
            for side, by in ((row, spare), (col, -spare))
        ]
        if not all(np.isfinite(side).all() for side in duals):
            return first
        row_dual, col_dual = reversed(duals) if self._transposed else duals
        return replace(first, row_dual=row_dual, col_dual=col_dual)

    def __reduce__(self) -> Any:
        raise TypeError(
            "a KBestAssignments can be neither pickled nor copied: take its assignments first, list(...)"
        )

    def __repr__(self) -> str:
        asked = "all" if self.k is None else self.k
        return f"KBestAssignments({self._native.found} found of {asked}, first cost={self._answer.cost})"

    @property
    def stats(self) -> dict[str, int]:
        return {"found": self._native.found, "searches": self._native.searches}

    def _cost(self, rank: int) -> int | float:
        if self._is_real:
            return float(self._native.nearest_cost(rank))
        units: Any = self._native.cost(rank)
        return -int(units) if self.maximize else int(units)

    def verify(self, C: Any) -> None:
        """Prove that what has come so far are the cheapest assignments of ``C``, in order.

        The proof is the partition that the ranking leaves. The assignments that have come, and cells of
        assignments that have some pairs and do not have some others, are disjoint and together all there
        are; and for each cell there are duals that prove that nothing in it costs less than the last
        assignment that came. If there were no more, they prove that the cells are empty. Checked in exact
        arithmetic, with NumPy alone.

        Raises
        ------
        CertificateError
            Unless all of that holds.
        """
        check_ranking(_costs(C), _RankingRecord(self))


class _RankingRecord(Record):
    """What the native ranking has kept, for the proof."""

    def __init__(self, ranking: KBestAssignments):
        self._ranking, self._native = ranking, ranking._native
        self.maximize, self.transposed = ranking.maximize, ranking._transposed
        self.exponent, self.shape = ranking._exponent, ranking._shape
        self.found, self.is_all = self._native.found, ranking._ended

    def cell(self, number: int) -> Cell:
        parent, position = self._native.place(number)
        return Cell(parent, position, self._native.pairs(number), self._native.order(number))

    def cost(self, number: int) -> int | float:
        return self._ranking._cost(number)

    def duals(self, number: int) -> tuple[np.ndarray, np.ndarray, int]:
        row, col, spare = (whole_numbers(*part) for part in self._native.duals(number))
        return row, col, int(spare[0])

    def child_moves(self, number: int, positions: list[int], forced: list[int], needed: int) -> Moves:
        words = self._native.duals(0)[2][0]
        wanted = np.frombuffer(needed.to_bytes(8 * words, "little", signed=True), np.uint64)
        rows, up, of_rows, cols, down, of_cols, spare = self._native.child_moves(
            number, positions, forced, wanted
        )
        child = np.arange(len(positions))
        return Moves(
            rows,
            whole_numbers(*up),
            np.repeat(child, of_rows),
            cols,
            whole_numbers(*down),
            np.repeat(child, of_cols),
            whole_numbers(*spare),
        )


def _unit(values: np.ndarray, dual: np.ndarray) -> tuple[int, int]:
    """The exponent of the finest unit of reals, and how many bits they and the duals have in it."""
    exponent, bits = _native.unit_of_reals(values)
    largest = np.abs(dual).max(initial=0.0)
    return exponent, max(bits, int(np.frexp(largest)[1]) - exponent)
