"""From an earlier flow to one that push-relabel can start from, though capacities have changed since.

Written for ``xp``, NumPy or CuPy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from konig.flow.group_sums import TOO_LARGE, group_begins, spread, total
from konig.flow.two_terminals import TwoTerminals

PATIENCE = 1000  # passes over all arcs


def preflow(problem: TwoTerminals, flow: Any) -> tuple[Any, Any]:
    """A flow of each arc in which no vertex sends more than it receives, and what each vertex holds.

    Where a vertex sends more than it receives, its arcs carry less, in order; then their heads receive less,
    and so on downstream. That ends, for every pass makes the flow smaller; where it takes too many, or where
    the sums do not fit a word, the start is without flow.
    """
    xp = problem.xp
    nothing = xp.zeros(len(flow), np.int64), xp.zeros(problem.vertices, np.int64)
    if total(flow) >= TOO_LARGE or len(problem.role) < problem.vertices:
        return nothing
    by_tail, by_head = xp.argsort(problem.tail, kind="stable"), xp.argsort(problem.head, kind="stable")
    tails, heads = problem.tail[by_tail], problem.head[by_head]
    begins = group_begins(xp, tails, tails)
    for _ in range(PATIENCE):
        excess = _sums(xp, heads, flow[by_head], problem.vertices)
        excess -= _sums(xp, tails, flow[by_tail], problem.vertices)
        excess[problem.source] = 0
        lacking = xp.maximum(-excess, 0)
        if not bool(lacking.any()):
            return flow, excess
        flow[by_tail] -= spread(xp, lacking[tails], flow[by_tail], begins)
    return nothing


def _sums(xp: Any, owners: Any, values: Any, vertices: int) -> Any:
    """The sum of the values of each owner; owners are sorted."""
    upto = xp.zeros(len(values) + 1, np.int64)
    upto[1:] = xp.cumsum(values)
    start = xp.searchsorted(owners, xp.arange(vertices + 1, dtype=owners.dtype))
    return upto[start[1:]] - upto[start[:-1]]
