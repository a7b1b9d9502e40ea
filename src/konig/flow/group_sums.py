"""Sums over runs of equal pairs, for NumPy and CuPy; sums stop at a number beyond every flow.

Arcs sorted by their ends stand in groups of parallel ones. A group is given by ``begins``, which says of each
member where its group begins.
"""

from __future__ import annotations

from typing import Any

import numpy as np

TOO_LARGE = (1 << 62) + 1  # one more than the largest flow
_ENOUGH = 1 << 62
_LOW = (1 << 31) - 1
KEY_LIMIT = 2**62


def sorted_by(xp: Any, major: Any, minor: Any, vertices: int) -> Any:
    """What sorts pairs; equal ones stay in order."""
    if vertices * vertices < KEY_LIMIT:
        keys = major.astype(np.int64)
        keys *= vertices
        keys += minor
        return xp.argsort(keys, kind="stable")
    order = xp.argsort(minor, kind="stable")
    return order[xp.argsort(major[order], kind="stable")]


def group_begins(xp: Any, first: Any, second: Any) -> Any:
    """Of sorted pairs: the position at which the run of equal ones begins."""
    positions = xp.arange(len(first))
    if len(first) == 0:
        return positions
    begins = xp.ones(len(first), bool)
    begins[1:] = (first[1:] != first[:-1]) | (second[1:] != second[:-1])
    return positions[begins][xp.cumsum(begins) - 1]


def first_members(xp: Any, begins: Any) -> Any:
    """Where the groups begin, each once."""
    return xp.flatnonzero(begins == xp.arange(len(begins)))


def sums_before(xp: Any, values: Any, begins: Any) -> Any:
    """The sum of the members of its group before each; where it is beyond every flow, some such number."""
    if len(values) == 0 or int(values.max()) <= _ENOUGH // len(values):
        return _before(xp, values, begins)
    high, low = (_before(xp, part, begins) for part in (values >> 31, values & _LOW))
    high += low >> 31
    exact = high <= _ENOUGH >> 31
    return xp.where(exact, (xp.where(exact, high, 0) << 31) + (low & _LOW), 2 * TOO_LARGE - 4)


def group_sums(xp: Any, values: Any, begins: Any) -> Any:
    """The sum of each group, one number a group; ``TOO_LARGE`` where it is more."""
    first = first_members(xp, begins)
    last = xp.concatenate((first[1:], xp.full(1, len(values), first.dtype)))[: len(first)] - 1
    before = xp.minimum(sums_before(xp, values, begins)[last], TOO_LARGE)
    return before + xp.minimum(values[last], TOO_LARGE - before)


def spread(xp: Any, amount: Any, limit: Any, begins: Any) -> Any:
    """The amount of each group, as every member has it, dealt out in order, to none beyond its limit."""
    return xp.minimum(xp.maximum(amount - sums_before(xp, limit, begins), 0), limit)


def total(values: Any) -> int:
    """The exact sum."""
    return (int((values >> 31).sum()) << 31) + int((values & _LOW).sum())


def _before(xp: Any, values: Any, begins: Any) -> Any:
    sums = xp.cumsum(values) - values
    return sums - sums[begins]
