"""Bottleneck assignments and product transversals of the matrices that assignments are drawn of, judged."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from math import perm
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import maximum_bipartite_matching

import konig

from ..case import Violation

MOST_LISTED = 1000  # transversals that are all listed to compare with


def judge_bottleneck(C: np.ndarray, maximize: bool, form: str) -> Iterator[Violation]:
    """Against a binary search over the values, with SciPy's matchings."""
    allowed = np.isfinite(C)
    given = C if form == "dense" else sp.coo_array((C[allowed], np.nonzero(allowed)), C.shape).asformat(form)
    found = konig.bottleneck_assignment(given, maximize=maximize, full=False)
    size, bottleneck = _by_thresholds(C, allowed, maximize)
    if (found.size, found.bottleneck) != (size, bottleneck):
        yield Violation("bottleneck", f"{found.size}, {found.bottleneck}, not {size}, {bottleneck}")
    yield from _refused(found, given)
    try:
        full = konig.bottleneck_assignment(given, maximize=maximize)
        if size < min(C.shape):
            yield Violation("accepted though infeasible", "bottleneck_assignment")
        elif full.bottleneck != bottleneck:
            yield Violation("bottleneck", f"{full.bottleneck} if it must be full, not {bottleneck}")
    except konig.InfeasibleError as error:
        if size == min(C.shape):
            yield Violation("refused though feasible", str(error))


def _by_thresholds(C: np.ndarray, allowed: np.ndarray, maximize: bool) -> tuple[int, Any]:
    def size_of(mask: np.ndarray) -> int:
        if not mask.any():
            return 0
        return int(np.count_nonzero(maximum_bipartite_matching(sp.csr_array(mask)) >= 0))

    size, values = size_of(allowed), np.unique(C[allowed])
    if size == 0:
        return 0, None
    if maximize:
        values = values[::-1]
    low, high = 0, len(values) - 1
    while low < high:
        middle = (low + high) // 2
        within = allowed & ((values[middle] <= C) if maximize else (values[middle] >= C))
        low, high = (low, middle) if size_of(within) == size else (middle + 1, high)
    return size, values[low].item()


def judge_product(C: np.ndarray, form: str) -> Iterator[Violation]:
    """The costs as a matrix, zero where they forbid, against all transversals where these are few."""
    A = np.where(np.isfinite(C), C, 0).astype(np.float64)
    given = A if form == "dense" else sp.csr_array(A).asformat(form)
    found = konig.maximum_product_transversal(given)
    yield from _refused(found, given)
    if found.size != konig.structural_rank(A):
        yield Violation("size", f"{found.size} pairs, not {konig.structural_rank(A)}")
    rows, cols = A.shape
    if found.size < min(A.shape) or perm(max(A.shape), min(A.shape)) > MOST_LISTED:
        return
    turned = np.abs(A if rows <= cols else A.T)
    best = max(
        _product(turned[np.arange(len(turned)), list(p)])
        for p in permutations(range(max(A.shape)), len(turned))
    )
    product = _product(np.abs(A[found.row_ind, found.col_ind]))
    if product * (1 + Fraction(2 * found.gap)) < best:
        yield Violation("product", f"a product is {float(best / product)} times as large, gap {found.gap}")


def _product(values: np.ndarray) -> Fraction:
    product = Fraction(1)
    for value in values.tolist():
        product *= Fraction(value)
    return product


def _refused(found: Any, given: Any) -> Iterator[Violation]:
    try:
        found.verify(given)
    except konig.CertificateError as refused:
        yield Violation("certificate refuses a true answer", str(refused))
