"""The heaviest matching of exactly k pairs.

Each pair earns a bonus. The weight is concave in the number of pairs, so the matchings that are heaviest with
a bonus have sizes that grow with it, and a search finds the bonus for k; where sizes jump over k, a smaller
and a larger matching are mixed, which have the same weight with the bonus. A solve with few pairs is short,
as most edges weigh too little to matter.

Where k is the number of rows, or rounding leaves a gap, n - k columns are added that earn every row the same,
as much as the heaviest edge (n rows are the shorter side). All of them may be taken in a dearest assignment
of all rows, and k rows have columns of the matrix (M. Dell'Amico, S. Martello, The k-cardinality assignment
problem, Discrete Applied Mathematics 76, 1997). That holds all numbers as they are, and takes longer: at
2,000 rows and half as many pairs 4 s in place of 0.2 s.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from konig.assignment import linear_assignment
from konig.assignment.cpu import duals_too_large
from konig.assignment.inputs import SparseCosts
from konig.assignment.result import Assignment
from konig.assignment.weight_result import WeightedMatching, bound_of, rounding_of
from konig.errors import CardinalityError, InfeasibleError
from konig.exact_reals import difference_below, exact_sum, float_above, float_of
from konig.interop import arrays
from konig.matching import maximum_matching
from konig.refusal import Array
from konig.results import added_stats

ROWS_AT_ONCE = 256  # of a transpose
MOST_STEPS = 300  # of a search for a bonus, of which every third halves the interval


@dataclass(slots=True)
class Candidate:
    """A matching that is heaviest of its size, and duals of rows and columns in which it is so."""

    row_ind: Array
    col_ind: Array
    paid: Array
    row_dual: Array  # of reals, row_dual + col_dual is not below any weight in exact arithmetic
    col_dual: Array
    stats: dict[str, Any]
    device: str = "cpu"
    bonus: Any = 0

    @property
    def size(self) -> int:
        return len(self.row_ind)

    @property
    def weight(self) -> Any:
        """Exact."""
        return sum(self.paid.tolist()) if self.paid.dtype.kind == "i" else exact_sum(self.paid)


def of_size(xp: Any, weights: Any, count: int, largest: float, how: dict[str, Any]) -> WeightedMatching:
    """The heaviest matching of so many pairs of checked weights, dense where ``xp`` has them, or sparse.

    ``largest`` is at least every finite |weight|.
    """
    rows, cols = weights.shape
    if rows > cols:
        try:
            found = of_size(xp, _transposed(xp, weights), count, largest, how)
        except CardinalityError as error:
            raise CardinalityError(error.cols, error.rows, count) from None
        order = found.col_ind.argsort()
        sides = (found.col_ind[order], found.row_ind[order]), (found.col_dual, found.row_dual)
        (row_ind, col_ind), (row_dual, col_dual) = sides
        return replace(found, row_ind=row_ind, col_ind=col_ind, row_dual=row_dual, col_dual=col_dual)
    if count > rows:
        raise _too_many(weights, count)
    if count == 0:
        return _without_pairs(xp, weights)
    if count < rows and _bonuses_fit(weights, largest):
        found = BonusSearch(xp, weights, count, how).answer()
        if _is_proved(found):
            return found
    return _by_added_columns(xp, weights, count, how)


def _transposed(xp: Any, weights: Any) -> Any:
    """Row after row, which all solves of a search need; in parts, so that Ctrl-C is heard between them."""
    if isinstance(weights, SparseCosts):
        return weights.transposed()
    turned = xp.empty(weights.shape[::-1], weights.dtype)
    for first in range(0, len(turned), ROWS_AT_ONCE):
        part = slice(first, first + ROWS_AT_ONCE)
        turned[part] = weights.T[part]
    return turned


def _is_proved(found: WeightedMatching) -> bool:
    """Whether rounding explains the gap."""
    if not found.gap:
        return True
    assert found.cardinality is not None
    duals = found.row_dual, found.col_dual
    limit = Fraction(found.gap) - rounding_of(*duals, found.cardinality, found.count_dual)
    return limit <= Fraction(abs(found.weight)) / 10**12


def _too_many(weights: Any, count: int) -> CardinalityError:
    """That no matching is so large, as the cover of a largest one says."""
    if isinstance(weights, SparseCosts):
        allowed = np.isfinite(weights.cost)
        largest = maximum_matching((weights.row[allowed], weights.col[allowed]), shape=weights.shape)
    else:
        largest = maximum_matching(np.isfinite(arrays.to_numpy(weights)))
    return CardinalityError(largest.cover.rows, largest.cover.cols, count)


def _without_pairs(xp: Any, weights: Any) -> WeightedMatching:
    """The empty matching; a pair would weigh the most that an edge does."""
    values = weights.cost if isinstance(weights, SparseCosts) else weights
    real = values.dtype.kind == "f"
    values = (
        values[xp.isfinite(values)] if not isinstance(weights, SparseCosts) else values[np.isfinite(values)]
    )
    most = values.max().item() if values.size else 0
    none = np.zeros(0, np.int64)
    duals = [np.zeros(extent, np.float64 if real else np.int64) for extent in weights.shape]
    weight = 0.0 if real else 0
    numbers = weight, weight
    return WeightedMatching(none, none.copy(), *numbers, duals[0], duals[1], most, 0, "cpu", {})


def _proved(found: Candidate, count: int, count_dual: Any) -> WeightedMatching:
    """The answer with row duals that are not negative; those of columns are not, either."""
    row_dual = _above(found.row_dual, count_dual)
    if found.paid.dtype.kind == "i":
        numbers: tuple[Any, Any] = found.weight, 0
    else:
        row_dual = np.maximum(row_dual, 0.0)
        weight, count_dual = found.weight, float(count_dual)
        gap = bound_of(row_dual, found.col_dual, count, count_dual) - weight
        numbers = float_of(weight) + 0.0, float_above(gap)
    for array in (found.row_ind, found.col_ind, row_dual, found.col_dual):
        array.setflags(write=False)
    duals: tuple[Any, Any, Any] = row_dual, found.col_dual, count_dual
    return WeightedMatching(found.row_ind, found.col_ind, *numbers, *duals, count, found.device, found.stats)


def _by_added_columns(xp: Any, weights: Any, count: int, how: dict[str, Any]) -> WeightedMatching:
    """Columns that all rows but ``count`` take, since no edge weighs more."""
    rows, cols = weights.shape
    values = weights.cost if isinstance(weights, SparseCosts) else weights
    added = rows - count
    heavy = _heaviest_edge(values)
    wide = np.float64 if values.dtype.kind == "f" else np.int64
    extended: Any
    if isinstance(weights, SparseCosts):
        row = np.concatenate([weights.row, np.repeat(np.arange(rows), added)])
        col = np.concatenate([weights.col, np.tile(np.arange(cols, cols + added), rows)])
        data = np.concatenate([weights.cost.astype(wide), np.full(rows * added, heavy, wide)])
        extended = sp.coo_array((data, (row, col)), (rows, cols + added)).tocsr()
    elif added:
        extended = xp.concatenate([weights.astype(wide), xp.full((rows, added), heavy, wide)], axis=1)
    else:
        extended = weights
    try:
        found = linear_assignment(extended, maximize=True, **how)
    except InfeasibleError:
        raise _too_many(weights, count) from None
    assert isinstance(found, Assignment)
    device, stats, found = found.device, dict(found.stats), found.on_host()
    there = found.col_ind < cols
    row_ind, col_ind = found.row_ind[there], found.col_ind[there]
    paid = paid_by(xp, weights, row_ind, col_ind).astype(wide)
    if len(paid) > count:  # the lightest are exchanged for added columns, which weigh no less
        kept = np.sort(paid.argsort(kind="stable")[len(paid) - count :])
        row_ind, col_ind, paid = row_ind[kept], col_ind[kept], paid[kept]
    row_dual, col_dual, of_added = found.row_dual, found.col_dual[:cols].copy(), found.col_dual[cols:]
    if added:
        count_dual = -_above(of_added.min(keepdims=True), heavy).item()
    else:
        if rows == cols:  # a constant may move between the sides
            least = col_dual.min()
            col_dual, row_dual = _above(col_dual, least), _above(row_dual, -least)
        count_dual = row_dual.min().item()
    return _proved(Candidate(row_ind, col_ind, paid, row_dual, col_dual, stats, device), count, count_dual)


def _above(numbers: Array, less: Any) -> Array:
    """numbers - less, of reals rounded up; an error where the type of the duals does not hold one."""
    if numbers.dtype.kind == "i":
        if any(abs(int(number) - int(less)) >= 2**63 for number in (numbers.min(), numbers.max())):
            raise duals_too_large(np.int64)
        return np.asarray(numbers - less)
    above = -difference_below(np.array(less, np.float64), numbers) + 0.0
    if not np.isfinite(above).all():
        raise duals_too_large(np.float64)
    return above


def _heaviest_edge(values: Any) -> Any:
    if values.dtype.kind == "i":
        return int(values.max()) if values.size else 0
    finite = values[abs(values) < math.inf]
    return float(finite.max()) if finite.size else 0.0


def paid_by(xp: Any, weights: Any, row_ind: Array, col_ind: Array) -> Array:
    """What these pairs weigh."""
    if isinstance(weights, SparseCosts):
        return np.asarray(weights.cost[_positions(weights, row_ind, col_ind)])
    return np.asarray(arrays.to_numpy(weights[xp.asarray(row_ind), xp.asarray(col_ind)]))


def _positions(weights: SparseCosts, row_ind: Array, col_ind: Array) -> Array:
    """Where these entries are among those of a matrix, which lie row after row, columns ascending."""
    cols = weights.shape[1]
    keys = weights.row.astype(np.int64) * cols + weights.col
    return np.asarray(np.searchsorted(keys, row_ind.astype(np.int64) * cols + col_ind))


def _bonuses_fit(weights: Any, largest: float) -> bool:
    """Whether a bonus that no weights outweigh is well within the range of their type."""
    values = weights.cost if isinstance(weights, SparseCosts) else weights
    most = 2.0**1000 if values.dtype.kind == "f" else 2.0**59
    return bool(16.0 * (min(weights.shape) + 1) * largest < most)


class BonusSearch:
    """Between a bonus with which too few pairs are made and one with which too many are."""

    def __init__(self, xp: Any, weights: Any, count: int, how: dict[str, Any]):
        self.xp, self.weights, self.count, self.how = xp, weights, count, how
        is_sparse = isinstance(weights, SparseCosts)
        self.real = (weights.cost if is_sparse else weights).dtype.kind == "f"
        wide = np.float64 if self.real else np.int64
        self.matrix = (weights.matrix() if is_sparse else weights).astype(wide, copy=False)
        self.stats: dict[str, Any] = {}

    def at(self, bonus: Any, factor: int = 1) -> Candidate:
        """The heaviest matching with this bonus, all weights times a factor."""
        matrix = self.matrix if factor == 1 else factor * self.matrix
        found = linear_assignment(matrix, maximize=True, unassigned_cost=(-bonus, None), **self.how)
        assert isinstance(found, Assignment)
        device, found = found.device, found.on_host()
        self.stats = added_stats(self.stats, found.stats)
        paid = paid_by(self.xp, self.weights, found.row_ind, found.col_ind)
        paid = paid.astype(np.float64 if self.real else np.int64)
        duals = found.row_dual, found.col_dual
        return Candidate(found.row_ind, found.col_ind, paid, *duals, self.stats, device, bonus)

    def answer(self) -> WeightedMatching:
        few, many = self._bracket()
        for step in range(MOST_STEPS):
            for found in (few, many):
                if found.size == self.count:
                    return self._with_duals_of(found, found)
            bonus = self._between(few, many, step)
            if bonus is None:
                break
            found = self.at(bonus)
            if found.size != self.count and self._are_heaviest(few, many, found):
                return self._with_duals_of(self._mixed(few, many), found)
            if found.size < self.count:
                few = found
            else:
                many = found
        return self._end(few, many)

    def _bracket(self) -> tuple[Candidate, Candidate]:
        """A candidate with as many pairs as asked for or fewer, and one with as many or more.

        If only ``count`` - 1 rows or columns have edges that weigh something with the bonus, there are fewer
        pairs. From there on the bonus grows by more and more.
        """
        least = [self._largest_of(axis) for axis in (1, 0)]
        if min(map(len, least)) < self.count:
            raise _too_many(self.weights, self.count)
        bonus = max(-side[-self.count].item() for side in least)
        few = self.at(bonus - 1 if not self.real else math.nextafter(bonus, -math.inf))
        spread = max(side[-1].item() - side[-self.count].item() for side in least)
        step = max(spread, abs(bonus) / self.count) if self.real else max(spread, 1)
        step = step or 1
        largest_known = self._has_all_edges()
        while True:
            many = self.at(bonus + step)
            if many.size >= self.count:
                return few, many
            few = many
            if not largest_known:
                error = _too_many(self.weights, self.count)
                if len(error.rows) + len(error.cols) < self.count:
                    raise error
                largest_known = True
            step *= 4

    def _has_all_edges(self) -> bool:
        """Whether every row may be paired with every column: then all rows can be matched."""
        if isinstance(self.weights, SparseCosts):
            return False
        return not self.real or bool(self.matrix.min() > -math.inf)

    def _largest_of(self, axis: int) -> Array:
        """The largest weight of each row (1) or column (0) that has one, ascending."""
        if isinstance(self.weights, SparseCosts):
            ids, extent = (
                (self.weights.row, self.weights.shape[0])
                if axis
                else (self.weights.col, self.weights.shape[1])
            )
            allowed = np.isfinite(self.weights.cost)
            lowest = -np.inf if self.real else np.iinfo(np.int64).min
            largest = np.full(extent, lowest, self.matrix.dtype)
            np.maximum.at(largest, ids[allowed], self.matrix.data[allowed])
            return np.sort(largest[largest > lowest])
        largest = arrays.to_numpy(self.matrix.max(axis=axis))
        return np.sort(largest[np.isfinite(largest)])

    def _between(self, few: Candidate, many: Candidate, step: int) -> Any:
        """A bonus between two; None if there is none.

        By turns the one that the sizes suggest, that with which both weigh the same, and the middle.
        """
        middle = few.bonus / 2 + many.bonus / 2 if self.real else (few.bonus + many.bonus) // 2
        missing, pairs = self.count - few.size, many.size - few.size
        if step % 3 == 0:
            more = (many.bonus - few.bonus) * missing
            bonus = few.bonus + (more / pairs if self.real else more // pairs)
        elif step % 3 == 1:
            less = few.weight - many.weight
            bonus = float_of(less / pairs) if self.real else less // pairs
        else:
            bonus = middle
        if not few.bonus < bonus < many.bonus:
            bonus = middle
        return bonus if few.bonus < bonus < many.bonus else None

    def _are_heaviest(self, few: Candidate, many: Candidate, found: Candidate) -> bool:
        """Whether two matchings weigh as much as a third with its bonus, the most; reals may round."""
        bonus = Fraction(found.bonus)
        most = found.weight + found.size * bonus
        neglected = abs(most) / 2**52 if self.real else 0
        return all(most - (other.weight + other.size * bonus) <= neglected for other in (few, many))

    def _end(self, few: Candidate, many: Candidate) -> WeightedMatching:
        """No bonus is left between the two.

        One of integers that is a half between them makes a matching that is heaviest with both.
        """
        if self.real:
            return self._with_duals_of(self._mixed(few, many), few)
        both = self.at(2 * few.bonus + 1, factor=2)
        if both.size >= self.count:
            return self._with_duals_of(self._mixed(few, both), few)
        return self._with_duals_of(self._mixed(both, many), many)

    def _mixed(self, few: Candidate, many: Candidate) -> Candidate:
        """A matching of the size asked for, from two that are heaviest with the same bonus.

        Their symmetric difference consists of alternating paths and cycles. Each may be exchanged alone, and
        changes nothing in the weight with the bonus: as many of the paths that add a pair are as need be.
        """
        rows, cols = self.weights.shape
        row, col = (
            np.concatenate(ids)
            for ids in zip((few.row_ind, few.col_ind), (many.row_ind, many.col_ind), strict=True)
        )
        edges = sp.coo_array((np.ones(len(row)), (row, rows + col)), (rows + cols, rows + cols))
        parts, part = connected_components(edges, directed=False)
        more = np.bincount(part[many.row_ind], minlength=parts) - np.bincount(
            part[few.row_ind], minlength=parts
        )
        taken = np.zeros(parts, bool)
        taken[np.flatnonzero(more > 0)[: self.count - few.size]] = True
        kept, new = ~taken[part[few.row_ind]], taken[part[many.row_ind]]
        row_ind = np.concatenate([few.row_ind[kept], many.row_ind[new]])
        order = row_ind.argsort()
        col_ind = np.concatenate([few.col_ind[kept], many.col_ind[new]])[order]
        paid = np.concatenate([few.paid[kept], many.paid[new]])[order]
        return replace(few, row_ind=row_ind[order], col_ind=col_ind, paid=paid)

    def _with_duals_of(self, found: Candidate, other: Candidate) -> WeightedMatching:
        duals = other.row_dual.copy(), other.col_dual.copy()
        proved = replace(found, row_dual=duals[0], col_dual=duals[1], stats=self.stats)
        return _proved(proved, self.count, -other.bonus)
