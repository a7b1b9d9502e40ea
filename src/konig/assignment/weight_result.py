"""A heaviest matching and its proof, which trusts no solver."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from konig.assignment.proof import Blocks, check_pairs
from konig.assignment.result import cost_blocks, fields_of, statistics_of
from konig.errors import CertificateError
from konig.exact_reals import exact_sum, float_of, units_in_last_place
from konig.interop import arrays
from konig.refusal import Array, check_array, check_number, in_float64, refuse_if
from konig.results import Pairs, Result


@dataclass(frozen=True, eq=False, repr=False)
class WeightedMatching(Pairs, Result):
    """A heaviest matching and its proof.

    Attributes
    ----------
    row_ind, col_ind : array
        The pairs, rows ascending.
    weight : int or float
        What they weigh together: exact for integers; of reals the sum in float64, which is infinite where it
        is beyond that. Pairs, duals and gap are right then, too.
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
        As in `konig.Assignment`.
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
    LATER: ClassVar[Mapping[str, Callable[[Any], Any]]] = {
        "gap": lambda result: result.found.gap,
        "row_dual": lambda result: result.found.row_dual,
        "col_dual": lambda result: result.found.col_dual,
        "count_dual": lambda _: 0,
        "cardinality": lambda _: None,
        "device": lambda _: "cpu",
        "stats": lambda result: statistics_of(result.found),
    }

    def __repr__(self) -> str:
        rows, cols = len(self.row_dual), len(self.col_dual)
        return f"WeightedMatching(size={self.size} of {rows} x {cols}, weight={self.weight})"

    def __getstate__(self) -> dict[str, Any]:
        return fields_of(self)

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
        check_heaviest(
            blocks,
            shape,
            answer.row_ind,
            answer.col_ind,
            self.weight,
            self.gap,
            *duals,
            self.count_dual,
            self.cardinality,
        )


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
    if cardinality is not None and (type(cardinality) is not int or cardinality != len(row_ind)):
        raise CertificateError(f"{len(row_ind)} pairs are matched, not {cardinality!r}")
    integral = all(values.dtype.kind != "f" for _, _, values in blocks())
    check_number("count_dual", count_dual, whole=integral)
    is_number = abs(count_dual) < (2**63 if integral else math.inf)
    if not is_number or (cardinality is None and count_dual != 0):
        raise CertificateError(f"the dual of the number of pairs is {count_dual}")
    for name, dual, extent in (("row_dual", row_dual, shape[0]), ("col_dual", col_dual, shape[1])):
        check_array(name, dual, "i" if integral else "if", (extent,))
        wrong: Any = np.flatnonzero(~(dual >= 0) | ~np.isfinite(dual))
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
    proved = bound_of(row_dual, col_dual, count, count_dual) - total
    limit = exact_sum(np.abs(paid)) / 10**12 + rounding_of(row_dual, col_dual, count, count_dual)
    if proved > limit:
        raise CertificateError(
            f"the duals leave a gap of {float_of(proved)}, and rounding explains {float_of(limit)}: not tight"
        )
    if not (math.isfinite(gap) and proved <= Fraction(gap) <= proved + proved / 2**40 + Fraction(4, 2**1074)):
        raise CertificateError(f"the answer claims a gap of {gap}, but its duals prove {float_of(proved)}")


def bound_of(row_dual: Array, col_dual: Array, count: int, count_dual: float) -> Fraction:
    """What no matching of so many pairs exceeds, by these duals."""
    return exact_sum(row_dual) + exact_sum(col_dual) + count * Fraction(float(count_dual))


def rounding_of(row_dual: Array, col_dual: Array, count: int, count_dual: float) -> Fraction:
    """A unit in the last place of each dual."""
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
