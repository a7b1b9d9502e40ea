"""Maximum weight matching: of any size, or of a given one.

The heaviest matching is a dearest assignment in which leaving rows and columns alone earns nothing.

Of exactly k pairs: each pair earns a bonus. The weight is concave in the number of pairs, so the matchings that
are heaviest with a bonus have sizes that grow with it, and a search finds the bonus for k; where sizes jump over
k, a smaller and a larger matching are mixed, which have the same weight with the bonus. A solve with few pairs
is short, as most edges weigh too little to matter.

Where k is the number of rows, or rounding leaves a gap, n - k columns are added that earn every row the same,
more than any pair (n rows are the shorter side). All of them are taken in a dearest assignment of all rows, and
k rows have columns of the matrix (M. Dell'Amico, S. Martello, The k-cardinality assignment problem, Discrete
Applied Mathematics 76, 1997). That holds all numbers as they are, and takes longer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from konig.arguments import integer
from konig.assignment import gpu as gpu_assignment
from konig.assignment import linear_assignment
from konig.assignment.inputs import SparseCosts, dense_costs, sparse_costs
from konig.assignment.proof import Blocks, check_pairs
from konig.assignment.result import Assignment, cost_blocks
from konig.errors import CardinalityError, CertificateError, InfeasibleError
from konig.exact_reals import difference_below, exact_sum, float_above, float_of, units_in_last_place
from konig.gpu.device import Gpu
from konig.index_arrays import as_array
from konig.interop import arrays
from konig.interop.index_matrices import sparse_on_host
from konig.matching import maximum_matching
from konig.progress import Report
from konig.refusal import Array, check_array, check_number, in_float64, refuse_if
from konig.results import Result, added_stats

MOST_STEPS = 300  # of a search for a bonus, of which every third halves the interval


@dataclass(frozen=True, eq=False, repr=False)
class WeightedMatching(Result):
    """A heaviest matching and its proof.

    Attributes
    ----------
    row_ind, col_ind : array
        The pairs, rows ascending.
    weight : int or float
        What they weigh together: exact for integers.
    gap : int or float
        A proven bound on how far the weight is from the optimum, from the duals in exact arithmetic: 0 for
        integers.
    row_dual, col_dual : array
        The proof: ``row_dual[i] + col_dual[j] + count_dual >= W[i, j]`` and no dual of a row or column is
        negative, so no matching (of so many pairs) weighs more than all of them and ``count_dual`` for each
        pair. They are 0 where nothing is matched, but for the rounding of reals.
    count_dual : int or float
        What one pair more would weigh, or one less, if the number of pairs was given; otherwise 0.
    cardinality : int or None
        The number of pairs that was asked for.
    device, stats
        As in :class:`konig.Assignment`.
    """

    row_ind: Any
    col_ind: Any
    weight: int | float
    gap: int | float
    row_dual: Any
    col_dual: Any
    count_dual: int | float
    cardinality: int | None
    device: str
    stats: dict[str, Any]
    place: arrays.Place = arrays.HOST

    PLACED = ("row_ind", "col_ind", "row_dual", "col_dual")

    def __repr__(self) -> str:
        rows, cols = len(self.row_dual), len(self.col_dual)
        return f"WeightedMatching(size={self.size} of {rows} x {cols}, weight={self.weight})"

    @property
    def size(self) -> int:
        """How many pairs there are."""
        return len(self.row_ind)

    def verify(self, W: Any) -> None:
        """Prove the matching against the weights, on the host and without any solver.

        Raises
        ------
        CertificateError
            Unless these are edges of ``W``, no two in a row or column, and the duals prove that no matching,
            or none of so many pairs, is heavier.

        Examples
        --------
        >>> import numpy as np, konig
        >>> W = np.array([[4, 1], [3, 0]])
        >>> konig.maximum_weight_matching(W).verify(W)
        """
        blocks, shape = cost_blocks(W)
        answer = self.on_host()
        duals = answer.row_dual, answer.col_dual
        extent = tuple(len(dual) for dual in duals if hasattr(dual, "__len__"))
        if shape != extent:
            raise CertificateError(f"the matching is for a matrix of shape {extent}, not {shape}")
        count = self.cardinality
        if count is not None and (isinstance(count, bool) or not isinstance(count, int) or count != self.size):
            raise CertificateError(f"{self.size} pairs are matched, not {count!r}")
        check_heaviest(blocks, shape, answer.row_ind, answer.col_ind, self.weight, self.gap, *duals, self.count_dual, count)


def check_heaviest(
    blocks: Blocks,
    shape: tuple[int, ...],
    row_ind: Array,
    col_ind: Array,
    weight: Any,
    gap: Any,
    row_dual: Array,
    col_dual: Array,
    count_dual: Any,
    cardinality: int | None,
) -> None:
    """Prove that no matching, or none of so many pairs, weighs more, but for the gap."""
    check_pairs((shape[0], shape[1]), row_ind, col_ind)
    integral = all(values.dtype.kind != "f" for _, _, values in blocks())
    check_number("count_dual", count_dual, whole=integral)
    if not math.isfinite(count_dual) or (cardinality is None and count_dual != 0):
        raise CertificateError(f"the dual of the number of pairs is {count_dual}")
    for name, dual, extent in (("row_dual", row_dual, shape[0]), ("col_dual", col_dual, shape[1])):
        check_array(name, dual, "i" if integral else "if", (extent,))
        wrong = np.flatnonzero(~(dual >= 0) | ~np.isfinite(dual))
        refuse_if(wrong, lambda k, n=name, d=dual: f"{n}[{k}] = {d[k]} is not a number of at least 0")
    if not integral:
        row_dual, col_dual = in_float64("row_dual", row_dual), in_float64("col_dual", col_dual)
    col_of_row = np.full(shape[0], -1, np.int64)
    col_of_row[row_ind] = col_ind
    paid: list[Any] = []
    for rows, cols, values in blocks():
        allowed = np.isfinite(values)
        wrong = np.argwhere(allowed & _exceeds(values, row_dual[rows], col_dual[cols], count_dual))
        refuse_if(wrong[:, 0], lambda _, w=wrong, r=rows, c=cols: f"{_edge(w[0], r, c)} exceeds its duals")
        matched = np.broadcast_to(col_of_row[rows] == cols, values.shape)
        wrong = np.argwhere(~allowed & matched)
        refuse_if(wrong[:, 0], lambda _, w=wrong, r=rows, c=cols: f"{_edge(w[0], r, c)} is no edge")
        paid += np.asarray(values)[matched].tolist()
    if len(paid) != len(row_ind):
        raise CertificateError(f"{len(row_ind)} pairs are matched, but only {len(paid)} are edges")
    count = cardinality or 0
    if integral:
        total = sum(paid)
        check_number("weight", weight, whole=True)
        check_number("gap", gap)
        if weight != total:
            raise CertificateError(f"the answer claims weight {weight}, but its pairs weigh {total}")
        proved = sum(row_dual.tolist()) + sum(col_dual.tolist()) + count * int(count_dual)
        if proved != total or gap != 0:
            raise CertificateError(f"the pairs weigh {total}, but the duals prove {proved}: not tight")
        return
    _check_reals(paid, weight, gap, row_dual, col_dual, count, count_dual)


def _check_reals(
    paid: list[float], weight: Any, gap: Any, row_dual: Array, col_dual: Array, count: int, count_dual: Any
) -> None:
    check_number("weight", weight)
    check_number("gap", gap)
    total = exact_sum(paid)
    near = math.isfinite(weight) and abs(Fraction(weight) - total) <= Fraction(math.ulp(weight))
    if float_of(total) != weight and not near:
        raise CertificateError(f"the answer claims weight {weight}, but its pairs weigh {float_of(total)}")
    proved = _bound(row_dual, col_dual, count, count_dual) - total
    limit = exact_sum(np.abs(paid)) / 10**12 + _units(row_dual, col_dual, count, count_dual)
    if proved > limit:
        raise CertificateError(
            f"the duals leave a gap of {float_of(proved)}, and rounding explains {float_of(limit)}: not tight"
        )
    if not (math.isfinite(gap) and proved <= Fraction(gap) <= proved + proved / 2**40 + Fraction(4, 2**1074)):
        raise CertificateError(f"the answer claims a gap of {gap}, but its duals prove {float_of(proved)}")


def _bound(row_dual: Array, col_dual: Array, count: int, count_dual: float) -> Fraction:
    return exact_sum(row_dual) + exact_sum(col_dual) + count * Fraction(float(count_dual))


def _units(row_dual: Array, col_dual: Array, count: int, count_dual: float) -> Fraction:
    units = sum(exact_sum(units_in_last_place(dual)) for dual in (row_dual, col_dual))
    return units + count * Fraction(math.ulp(float(count_dual)))


def _exceeds(values: Array, row_dual: Array, col_dual: Array, count_dual: Any) -> Array:
    """Where a weight is above the sum of its duals, exactly."""
    if values.dtype.kind == "f":
        # Where float64 does not decide, fractions do.
        with np.errstate(over="ignore", invalid="ignore"):
            near = values.astype(np.float64) - col_dual - row_dual - float(count_dual)
            sizes = np.abs(values) + np.abs(col_dual) + np.abs(row_dual) + abs(float(count_dual))
            exceeds: Array = near > sizes * 2.0**-50
            open_ones = np.isfinite(values) & ~exceeds & ~(near < -sizes * 2.0**-50)
        full = np.broadcast_shapes(values.shape, row_dual.shape, col_dual.shape)
        rows, cols = np.broadcast_to(row_dual, full), np.broadcast_to(col_dual, full)
        extra = Fraction(float(count_dual))
        for at in map(tuple, np.argwhere(open_ones)):
            duals = Fraction(rows[at].item()) + Fraction(cols[at].item()) + extra
            exceeds[at] = Fraction(values[at].item()) > duals
        return exceeds
    values, row_dual, col_dual = (x.astype(np.int64) for x in (values, row_dual, col_dual))
    high = (values >> 32) - (row_dual >> 32) - (col_dual >> 32) - (int(count_dual) >> 32)
    low = (values & 0xFFFFFFFF) - (row_dual & 0xFFFFFFFF) - (col_dual & 0xFFFFFFFF)
    low = low - (int(count_dual) & 0xFFFFFFFF)
    high = high + (low >> 32)
    exceeds = (high > 0) | ((high == 0) & ((low & 0xFFFFFFFF) > 0))
    return exceeds


def _edge(position: Array, rows: Array, cols: Array) -> str:
    full = np.broadcast_shapes(rows.shape, cols.shape)
    at = tuple(position)
    return f"entry ({np.broadcast_to(rows, full)[at]}, {np.broadcast_to(cols, full)[at]})"


def maximum_weight_matching(
    W: Any,
    *,
    cardinality: int | None = None,
    device: str = "auto",
    threads: int | None = None,
    progress: bool | Report | None = None,
) -> WeightedMatching:
    """The heaviest set of entries, no two of them in a row or column.

    It need not match all rows or columns: edges that weigh nothing or less are never taken, unless
    ``cardinality`` asks for so many pairs.

    Parameters
    ----------
    W : array or sparse matrix
        Weights, (n, m), of any real type. In a dense matrix ``-inf`` is no edge; in a sparse one, of SciPy,
        CuPy, PyTorch or JAX, what is not stored is none, and duplicates add up. It is never modified.
    cardinality : int, optional
        Take exactly so many pairs, the heaviest of all such matchings.
    device, threads, progress
        As in :func:`konig.linear_assignment`.

    Returns
    -------
    WeightedMatching
        The pairs, their weight, and the duals that prove it.

    Raises
    ------
    CardinalityError
        If no matching has so many pairs; it carries rows and columns, fewer than that, that meet every edge.

    Notes
    -----
    As fast as an assignment of the same matrix. The number of pairs of a sparse matrix with many rows is found
    by several solves.

    Examples
    --------
    >>> import numpy as np, konig
    >>> W = np.array([[7, 8, -1], [6, 9, 2], [-3, 1, -4]])
    >>> m = konig.maximum_weight_matching(W)
    >>> m.row_ind.tolist(), m.col_ind.tolist(), m.weight
    ([0, 1], [0, 1], 16)
    >>> one = konig.maximum_weight_matching(W, cardinality=1)
    >>> one.weight, konig.maximum_weight_matching(W, cardinality=3).weight
    (9, 12)
    >>> m.verify(W)
    """
    how: dict[str, Any] = {"device": device, "threads": threads, "progress": progress}
    if not hasattr(W, "shape"):
        W = as_array(W, "W")
    if len(W.shape) != 2:
        raise ValueError(f"W must have two dimensions, not shape {tuple(W.shape)}")
    if cardinality is None:
        return _heaviest(W, how)
    count = integer("cardinality", cardinality)
    if isinstance(W, np.ndarray):
        return _of_size(np, dense_costs(W, "W"), count, how)
    place = arrays.place_of(W, "W") or arrays.HOST
    listed = W if sp.issparse(W) else sparse_on_host(W, place, "W")
    if listed is not None:
        return _given_to(place, _of_size(np, sparse_costs(listed, "W"), count, how))
    if place.gpu is None:
        return _given_to(place, _of_size(np, dense_costs(arrays.to_numpy(W), "W"), count, how))
    with Gpu(place.gpu, place) as gpu:
        weights = gpu_assignment.on_device(gpu.cupy, W, place, 2)
        return _given_to(place, _of_size(gpu.cupy, weights, count, how))


def _given_to(place: arrays.Place, found: WeightedMatching) -> WeightedMatching:
    """The same answer in the arrays of the caller."""
    if place == arrays.HOST:
        return found
    there = {name: place.give(getattr(found, name)) for name in WeightedMatching.PLACED}
    return replace(found, place=place, **there)


def _heaviest(W: Any, how: dict[str, Any]) -> WeightedMatching:
    found = linear_assignment(W, maximize=True, unassigned_cost=0, **how)
    assert isinstance(found, Assignment)
    pairs = _of_some_weight(W, found)
    duals = found.row_dual, found.col_dual
    ran = found.device, dict(found.stats), found.place
    return WeightedMatching(*pairs, found.cost, found.gap, *duals, 0, None, *ran)


def _of_some_weight(W: Any, found: Assignment) -> tuple[Any, Any]:
    """The pairs without those that weigh nothing, which are as good as not made."""
    rows, cols = found.row_ind, found.col_ind
    sums = found.row_dual[rows] + found.col_dual[cols]
    if bool((sums != 0).all()):  # a pair weighs what its duals say
        return rows, cols
    there = sums != 0
    return rows[there], cols[there]


# ---- of a given size


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


def _of_size(xp: Any, weights: Any, count: int, how: dict[str, Any]) -> WeightedMatching:
    rows, cols = weights.shape
    if rows > cols:
        turned = weights.transposed() if isinstance(weights, SparseCosts) else weights.T
        try:
            found = _of_size(xp, turned, count, how)
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
    if count < rows and _bonuses_fit(xp, weights):
        found = BonusSearch(xp, weights, count, how).answer()
        if _is_proved(found):
            return found
    return _by_added_columns(xp, weights, count, how)


def _is_proved(found: WeightedMatching) -> bool:
    """Whether rounding explains the gap."""
    if not found.gap:
        return True
    assert found.cardinality is not None
    duals = found.row_dual, found.col_dual
    limit = Fraction(found.gap) - _units(*duals, found.cardinality, found.count_dual)
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
    values = values[xp.isfinite(values)] if not isinstance(weights, SparseCosts) else values[np.isfinite(values)]
    most = values.max().item() if values.size else 0
    none = np.zeros(0, np.int64)
    duals = [np.zeros(extent, np.float64 if real else np.int64) for extent in weights.shape]
    weight = 0.0 if real else 0
    return WeightedMatching(none, none.copy(), weight, weight, *duals, most, 0, "cpu", {})


def _proved(found: Candidate, count: int, count_dual: Any) -> WeightedMatching:
    """The answer with row duals that are not negative; those of columns are not, either."""
    if found.paid.dtype.kind == "i":
        row_dual = found.row_dual - count_dual
        numbers: tuple[Any, Any] = found.weight, 0
    else:
        count_dual = float(count_dual)
        row_dual = np.maximum(-difference_below(np.float64(count_dual), found.row_dual), 0.0)
        weight = found.weight
        gap = _bound(row_dual, found.col_dual, count, count_dual) - weight
        numbers = float_of(weight) + 0.0, float_above(gap)
    for array in (found.row_ind, found.col_ind, row_dual, found.col_dual):
        array.setflags(write=False)
    duals = row_dual, found.col_dual, count_dual
    return WeightedMatching(
        found.row_ind, found.col_ind, *numbers, *duals, count, found.device, found.stats
    )


def _by_added_columns(xp: Any, weights: Any, count: int, how: dict[str, Any]) -> WeightedMatching:
    """Columns that all rows but ``count`` take, since they weigh more than any edge."""
    rows, cols = weights.shape
    values = weights.cost if isinstance(weights, SparseCosts) else weights
    added = rows - count
    heavy = _heavier(xp if not isinstance(weights, SparseCosts) else np, values)
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
    row_dual, col_dual, of_added = found.row_dual, found.col_dual[:cols].copy(), found.col_dual[cols:]
    if added:
        count_dual = heavy - of_added.min().item()
    else:
        if rows == cols:  # a constant may move between the sides
            least = col_dual.min()
            col_dual, row_dual = _above(col_dual, least), _above(row_dual, -least)
        count_dual = row_dual.min().item()
    paid = _paid(xp, weights, row_ind, col_ind).astype(wide)
    return _proved(Candidate(row_ind, col_ind, paid, row_dual, col_dual, stats, device), count, count_dual)


def _above(numbers: Array, less: Any) -> Array:
    """numbers - less, of reals rounded up."""
    if numbers.dtype.kind == "i":
        return numbers - less
    return -difference_below(np.float64(less), numbers) + 0.0


def _heavier(xp: Any, values: Any) -> Any:
    """A weight that is clearly above all others, and not far above."""
    if values.dtype.kind == "i":
        most = int(values.max()) if values.size else 0
        if most >= 2**62:
            raise OverflowError("weights must be below 2**62 where the number of pairs is given")
        return most + 1
    finite = values[xp.isfinite(values)]
    most = float(finite.max()) if finite.size else 0.0
    if most > 0:
        return 2 * most if most < 2.0**1000 else most + 2.0**970
    sizes = abs(finite[finite != 0])
    return float(sizes.min()) if sizes.size else 1.0


def _paid(xp: Any, weights: Any, row_ind: Array, col_ind: Array) -> Array:
    if isinstance(weights, SparseCosts):
        return weights.cost[_positions(weights, row_ind, col_ind)]
    return arrays.to_numpy(weights[xp.asarray(row_ind), xp.asarray(col_ind)])


def _positions(weights: SparseCosts, row_ind: Array, col_ind: Array) -> Array:
    """Where these entries are among those of a matrix, which lie row after row, columns ascending."""
    cols = weights.shape[1]
    keys = weights.row.astype(np.int64) * cols + weights.col
    return np.searchsorted(keys, row_ind.astype(np.int64) * cols + col_ind)


def _bonuses_fit(xp: Any, weights: Any) -> bool:
    """Whether a bonus that no weights outweigh is well within the range of their type."""
    values = weights.cost if isinstance(weights, SparseCosts) else weights
    real = values.dtype.kind == "f"
    finite = values[xp.isfinite(values)].astype(np.float64) if real else values.astype(np.float64)
    largest = float(abs(finite).max()) if finite.size else 0.0
    return bool(16.0 * (min(weights.shape) + 1) * largest < (2.0**1000 if real else 2.0**59))


class BonusSearch:
    """Between a bonus with which too few pairs are made and one with which too many are."""

    def __init__(self, xp: Any, weights: Any, count: int, how: dict[str, Any]):
        self.xp, self.weights, self.count, self.how = xp, weights, count, how
        is_sparse = isinstance(weights, SparseCosts)
        self.real = (weights.cost if is_sparse else weights).dtype.kind == "f"
        wide = np.float64 if self.real else np.int64
        self.matrix = (weights.matrix() if is_sparse else weights).astype(wide)
        self.stats: dict[str, Any] = {}

    def at(self, bonus: Any, factor: int = 1) -> Candidate:
        """The heaviest matching with this bonus, all weights times a factor."""
        matrix = self.matrix if factor == 1 else factor * self.matrix
        found = linear_assignment(matrix, maximize=True, unassigned_cost=(-bonus, None), **self.how)
        assert isinstance(found, Assignment)
        device, found = found.device, found.on_host()
        self.stats = added_stats(self.stats, found.stats)
        paid = _paid(self.xp, self.weights, found.row_ind, found.col_ind)
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
        largest_known = False
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

    def _largest_of(self, axis: int) -> Array:
        """The largest weight of each row (1) or column (0) that has one, ascending."""
        if isinstance(self.weights, SparseCosts):
            ids, extent = (self.weights.row, self.weights.shape[0]) if axis else (self.weights.col, self.weights.shape[1])
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
        """Whether two matchings are heaviest with the bonus of a third, which is; of reals but for rounding."""
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
        row, col = (np.concatenate(ids) for ids in zip((few.row_ind, few.col_ind), (many.row_ind, many.col_ind)))
        edges = sp.coo_array((np.ones(len(row)), (row, rows + col)), (rows + cols, rows + cols))
        parts, part = connected_components(edges, directed=False)
        more = np.bincount(part[many.row_ind], minlength=parts) - np.bincount(part[few.row_ind], minlength=parts)
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
