"""Is it a maximum product transversal? A proof in exact arithmetic, which trusts no solver.

A scale is a mantissa in [1/2, 1) and an exponent of two. A scaled modulus is a product of three float64
numbers and a power of two. NumPy finds it together with its rounding errors, which are float64 numbers
themselves (Dekker), so that it is compared with 1 exactly; where even that is in doubt, fractions decide.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from konig.assignment.proof import check_pairs
from konig.errors import CertificateError
from konig.exact_reals import difference
from konig.matching.proof import check_cover
from konig.matching.result import VertexCover
from konig.refusal import Array, check_array, check_indices, check_number, refuse_if

_CHUNK = 1 << 18  # entries looked at together
_SPLIT = 2.0**27 + 1
_NEAR = 1e-9  # closer to 1, rounding errors are looked at
_ROUNDING = 1e-12  # of a pair's gap, for each unit of the logarithms that are rounded


class Moduli(NamedTuple):
    """The moduli of a matrix, row after row: of every entry, or of lists (``start``, ``col``)."""

    shape: tuple[int, int]
    start: Array | None
    col: Array | None
    modulus: Array

    @property
    def rows(self) -> Array:
        """The row of each modulus."""
        rows, cols = self.shape
        counts = cols if self.start is None else np.diff(self.start)
        return np.repeat(np.arange(rows), counts)

    @property
    def cols(self) -> Array:
        """The column of each modulus."""
        rows, cols = self.shape
        return np.tile(np.arange(cols), rows) if self.col is None else self.col

    def place(self, entry: int) -> tuple[int, int]:
        """The row and the column of one of them."""
        if self.start is None or self.col is None:
            row, col = divmod(entry, self.shape[1])
            return row, col
        return int(np.searchsorted(self.start, entry, "right")) - 1, int(self.col[entry])


class Scales(NamedTuple):
    """Positive numbers ``mantissa * 2.0**exponent``, 1/2 <= mantissa < 1, of any size."""

    mantissa: Array
    exponent: Array

    def of(self, chosen: Array) -> Scales:
        """Some of them."""
        return Scales(self.mantissa[chosen], self.exponent[chosen])

    def log2(self) -> Array:
        """Their logarithms."""
        logs: Array = np.log2(self.mantissa) + self.exponent
        return logs

    def largest(self) -> tuple[float, int]:
        """The largest of them, of which there is one."""
        exponent = self.exponent.max()
        return float(self.mantissa[self.exponent == exponent].max()), int(exponent)

    def exceed(self, level: tuple[float, int]) -> Array:
        """Which are larger than a number."""
        mantissa, exponent = level
        larger: Array = (self.exponent > exponent) | (
            (self.exponent == exponent) & (self.mantissa > mantissa)
        )
        return larger


def _product(a: Array, b: Array) -> tuple[Array, Array]:
    """Two arrays whose exact sum is a * b: the float64 product and what it lost (Dekker)."""

    def split(x: Array) -> tuple[Array, Array]:
        high = _SPLIT * x - (_SPLIT * x - x)
        return high, x - high

    product = a * b
    (a_high, a_low), (b_high, b_low) = split(a), split(b)
    error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    return product, error


def above_one(moduli: Array, of_rows: Scales, of_cols: Scales) -> Array:
    """How far each scaled modulus is above 1: its sign is exact, and close to 1 all its digits are good."""
    mantissa, exponent = np.frexp(moduli)
    # Products of mantissas are in [1/8, 1): exponents beyond these say by themselves which side of 1 it is.
    exponent = np.clip(exponent.astype(np.int64) + of_rows.exponent + of_cols.exponent, -8, 4)
    rounded = np.ldexp(mantissa * of_rows.mantissa * of_cols.mantissa, exponent) - 1
    near = np.flatnonzero(np.abs(rounded) < _NEAR)
    if len(near):
        parts = (mantissa[near], of_rows.mantissa[near], of_cols.mantissa[near])
        rounded[near] = _above_one_exactly(*parts, exponent[near])
    above: Array = rounded
    return above


def _above_one_exactly(a: Array, r: Array, c: Array, exponent: Array) -> Array:
    product, error = _product(r, c)
    whole, of_whole = _product(product, a)
    rest, of_rest = _product(error, a)
    one = np.ldexp(1.0, -exponent)
    terms = whole - one, of_whole, rest, of_rest  # the first is exact
    middle, of_middle = difference(terms[1], -terms[2])
    high, low = difference(terms[0], -middle)
    low = low + of_middle + terms[3]
    above = high + low
    in_doubt = np.flatnonzero((np.abs(high) <= 4 * np.abs(low)) & (low != 0))
    for k in in_doubt:
        exact = Fraction(a[k]) * Fraction(r[k]) * Fraction(c[k]) - Fraction(one[k])
        above[k] = float(exact) or math.copysign(math.ulp(0.0), exact) * bool(exact)
    exactly: Array = np.ldexp(above, exponent)
    return exactly


def proven_gap(moduli: Array, of_rows: Scales, of_cols: Scales) -> float:
    """A bound on the logarithm of the largest product less that of these entries, none of which exceeds 1.

    What scaled moduli lack to 1 is what other entries may have more: -log(1 - x) <= x / (1 - x).
    """
    missing = -above_one(moduli, of_rows, of_cols)
    return math.fsum((missing / (1 - missing)).tolist()) * (1 + 2.0**-40)


def check_product_transversal(matrix: Moduli, answer: Any) -> None:
    """Prove that no transversal of as many entries has a larger product, but for the gap, and none is larger.

    The proof: every scaled modulus is at most 1. Where columns are left over, their scale is the largest of
    all; and so for rows. Let k pairs be chosen. Then the moduli of any k entries, no two in a line, multiply
    to at most the reciprocal of the scales of the chosen rows and columns, and the chosen ones fall short of
    that by what their own scaled moduli lack to 1.
    """
    of_rows = _checked_scales("row", answer.row_mantissa, answer.row_exponent, matrix.shape[0])
    of_cols = _checked_scales("col", answer.col_mantissa, answer.col_exponent, matrix.shape[1])
    check_pairs(matrix.shape, answer.row_ind, answer.col_ind)
    _check_left_over("row", of_rows, answer.row_ind)
    _check_left_over("col", of_cols, answer.col_ind)
    chosen = _check_entries(matrix, answer, of_rows, of_cols)
    _check_numbers(answer, chosen, of_rows.of(answer.row_ind), of_cols.of(answer.col_ind))
    _check_size(matrix, answer.row_ind, answer.cover)


def _checked_scales(side: str, mantissa: Any, exponent: Any, extent: int) -> Scales:
    check_array(f"{side}_mantissa", mantissa, "f", (extent,))
    check_array(f"{side}_exponent", exponent, "i", (extent,))
    wrong = np.flatnonzero(~((mantissa >= 0.5) & (mantissa < 1)))
    refuse_if(wrong, lambda k: f"{side}_mantissa[{k}] = {mantissa[k]} is not in [0.5, 1)")
    wrong = np.flatnonzero((exponent > 2**40) | (exponent < -(2**40)))
    refuse_if(wrong, lambda k: f"{side}_exponent[{k}] = {exponent[k]} is beyond 2**40")
    return Scales(mantissa.astype(np.float64), exponent.astype(np.int64))


def _check_left_over(side: str, scales: Scales, chosen: Array) -> None:
    left_over = np.setdiff1d(np.arange(len(scales.mantissa)), chosen)
    if not len(left_over):
        return
    first = left_over[0]
    level = float(scales.mantissa[first]), int(scales.exponent[first])
    wrong = np.flatnonzero(scales.exceed(level))
    refuse_if(wrong, lambda k: f"the scale of {side} {k} is above that of {side} {first}, which is left over")
    same = (scales.mantissa == level[0]) & (scales.exponent == level[1])
    refuse_if(
        left_over[~same[left_over]],
        lambda k: f"{side}s {first} and {k} are left over, and their scales differ",
    )


def _check_entries(matrix: Moduli, answer: Any, of_rows: Scales, of_cols: Scales) -> Array:
    """The moduli of the chosen entries, once no scaled one is above 1."""
    col_of_row = np.full(matrix.shape[0], -1, np.int64)
    col_of_row[answer.row_ind] = answer.col_ind
    chosen = []
    rows, cols = matrix.rows, matrix.cols
    for first in range(0, len(matrix.modulus), _CHUNK):
        moduli = matrix.modulus[first : first + _CHUNK]
        at = first + np.flatnonzero(moduli)
        moduli = matrix.modulus[at]
        wrong = np.flatnonzero(above_one(moduli, of_rows.of(rows[at]), of_cols.of(cols[at])) > 0)
        refuse_if(
            at[wrong], lambda e: f"entry ({rows[e]}, {cols[e]}) is above 1 in modulus when it is scaled"
        )
        chosen.append(moduli[col_of_row[rows[at]] == cols[at]])
    found = np.concatenate(chosen) if chosen else np.zeros(0)
    if len(found) != len(answer.row_ind):
        raise CertificateError(f"{len(answer.row_ind)} pairs are chosen, but only {len(found)} are entries")
    return found


def _check_numbers(answer: Any, chosen: Array, of_rows: Scales, of_cols: Scales) -> None:
    check_number("log_product", answer.log_product)
    check_number("gap", answer.gap)
    logs = np.log(chosen)
    product = math.fsum(logs.tolist())
    if not abs(answer.log_product - product) <= 1e-15 * (1 + len(logs) + float(np.abs(logs).sum())):
        raise CertificateError(
            f"the answer claims that the product's logarithm is {answer.log_product}, not {product}"
        )
    proved = proven_gap(chosen, of_rows, of_cols)
    size = len(logs) + float(np.abs(of_rows.log2()).sum() + np.abs(of_cols.log2()).sum())
    if proved > _ROUNDING * size:
        raise CertificateError(
            f"the scales leave a gap of {proved}, and rounding explains {_ROUNDING * size}: not tight"
        )
    if not proved <= answer.gap <= proved * (1 + 2.0**-20):
        raise CertificateError(f"the answer claims a gap of {answer.gap}, but its scales prove {proved}")


def _check_size(matrix: Moduli, row_ind: Array, cover: Any) -> None:
    size, most = len(row_ind), min(matrix.shape)
    if size == most:
        if cover is not None:
            raise CertificateError("the transversal is full, and still it has a cover")
        return
    if not isinstance(cover, VertexCover):
        raise CertificateError(f"{size} pairs of {most} are chosen, and no cover says why")
    check_indices("the cover's rows", cover.rows)
    check_indices("the cover's cols", cover.cols)
    entries = np.flatnonzero(matrix.modulus)
    check_cover(matrix.rows[entries], matrix.cols[entries], matrix.shape, cover.rows, cover.cols)
    if len(cover) != size:
        raise CertificateError(f"{size} pairs are chosen but the cover has {len(cover)} lines")
